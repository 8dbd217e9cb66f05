"""Catalogs of the user's own: tool servers that are connected, documents that are imported, and calls to real tools."""
