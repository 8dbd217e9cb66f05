"""Where the site listens: the wanted port, or the next one that is free."""

from __future__ import annotations

import errno
import socket

from jevsite.trouble import Refusal

_TRIES = 100
_LOOPBACK = {"localhost": "127.0.0.1", "127.0.0.1": "127.0.0.1", "::1": "::1", "[::1]": "::1"}


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on `port` or, where that is taken, on the next free one; 0 takes any.

    The supervisor holds it, so a web process that is started again finds its port and its callers waiting.
    """
    for candidate in range(port, min(port + _TRIES, 65536)):
        try:
            return _bound(host, candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                reason = f"{host}:{candidate} cannot be used ({error.strerror})"
                raise Refusal(f"{reason}. Choose another --port.") from error
    raise Refusal(f"Ports {port} to {candidate} are all taken on {host}. Choose another --port.")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(128)
    except OSError:
        sock.close()
        raise
    return sock


def url(sock: socket.socket) -> str:
    """The address that people open."""
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def loopback(host: str) -> str:
    """The numeric loopback address that `host` names; raises `Refusal` for any other.

    Without a login, whoever reaches the port may do everything.
    """
    try:
        return _LOOPBACK[host]
    except KeyError:
        raise Refusal(f"The host {host!r} is not this machine alone. Use 127.0.0.1, localhost or ::1.") from None
