"""Comparing: the same task with two menus, side by side."""
