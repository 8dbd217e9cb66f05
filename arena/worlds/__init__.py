"""Worlds: synthetic records, the tools that act on them, and the effects they leave."""
