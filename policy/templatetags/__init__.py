"""Filters of the templates about judging."""
