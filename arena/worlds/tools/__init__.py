"""The handlers of the built-in tools, one module per category; importing this package registers all of them."""

from arena.worlds.tools import files

__all__ = ["files"]
