"""Catalogs: the tools that a run can offer, what they need, and menus of any size."""
