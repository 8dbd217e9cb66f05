"""What goes wrong with a tool server, in words for people and agents."""

from __future__ import annotations


class ServerTrouble(Exception):
    """The server could not be started, reached or understood; the text is the cause without a secret."""
