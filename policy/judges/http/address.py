"""Where a judge may be: a pinned base address, checked when it is set and again when a connection is made."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from policy.engine.profile import InvalidConfig

MOST_CHARS = 2048
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\.?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
MOST_HOST_CHARS = 253
MOST_LABEL_CHARS = 63
_PATH = re.compile(r"(/[A-Za-z0-9._~@:+=,-]*)*")
_PORTS = {"https": 443, "http": 80}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Metadata services and everything that is no host of its own: not even an operator can allow these.
_NEVER = tuple(
    ipaddress.ip_network(net)
    for net in (
        *("0.0.0.0/8", "169.254.0.0/16", "100.100.100.200/32", "192.0.0.192/32"),
        *("fe80::/10", "fec0::/10", "fd00:ec2::254/128"),
    )
)
# IPv6 addresses that stand for an IPv4 one, and where in them its 32 bits begin, from the right.
_WRAPS = tuple(
    (ipaddress.IPv6Network(net), shift)
    for net, shift in (("::/96", 0), ("64:ff9b::/96", 0), ("64:ff9b:1::/48", 0), ("2002::/16", 80))
)


@dataclass(frozen=True, slots=True)
class BaseUrl:
    """A checked address; `text` has no slash at its end. `private` is the operator's permission."""

    text: str
    scheme: str
    host: str
    port: int
    private: bool = False
    of: str = "judge"

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def loopback(self) -> bool:
        """Whether it names this machine: localhost or a loopback number."""
        return _is_loopback(self.host)

    def refused(self, found: str) -> str | None:
        """Why a connection to the address that was found for the host must not be made, if so."""
        address = _plain(ipaddress.ip_address(found.partition("%")[0]))
        never = address.is_multicast or address.is_unspecified or any(address in net for net in _NEVER)
        if never or _leads_inside(address):
            return f"{self.host} leads to {address}, which is no address of a {self.of}"
        if address.is_loopback:
            return None if self.loopback or self.private else self._inside(address)
        if self.loopback:
            return f"{self.host} leads to {address}, which is not this machine"
        if self.scheme == "http":
            return None if self.private and not address.is_global else f"{self.host} is not this machine: use https"
        return None if address.is_global or self.private else self._inside(address)

    def _inside(self, address: Address) -> str:
        return (
            f"{self.host} leads to {address}, an address inside a private network; "
            "only the operator of this site can allow that"
        )

    def __str__(self) -> str:
        return self.text


def base_url(text: str, *, private: bool = False, of: str = "judge") -> BaseUrl:
    """Check an address: https, or http to this machine; `private` also allows private networks, over http too.

    `of` is whose address it is, in a word. Raises `InvalidConfig`, which says what is wrong and never repeats a user
    name or a password.
    """
    parts, port = _split(text, of)
    host = (parts.hostname or "").lower()
    checked = BaseUrl(_joined(parts.scheme, host, port, parts.path), parts.scheme, host, port, private, of)
    literal = _literal(host)
    if parts.scheme == "http" and not checked.loopback and not private:
        raise InvalidConfig(f"the address of a {of} begins with https:// (http:// only for this machine): {host}")
    if literal is not None and (reason := checked.refused(host)):
        raise InvalidConfig(f"the address cannot be used: {reason}")
    return checked


def origin_of(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port of an address that a far side names; None where there is none."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return parts.scheme, (parts.hostname or "").lower(), port


def _split(text: object, of: str) -> tuple[SplitResult, int]:
    if not isinstance(text, str) or not text.strip():
        raise InvalidConfig(f"the address of the {of} is missing: it looks like https://host/path")
    if len(text) > MOST_CHARS or any(char <= " " or char >= "\x7f" for char in text.strip()):
        raise InvalidConfig(f"the address of the {of} has a space, a character outside ASCII, or is far too long")
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        raise InvalidConfig(f"the address of the {of} cannot be read: it looks like https://host:port/path") from None
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise InvalidConfig(f"the address of the {of} carries a user name or password: enter the key as a key")
    if parts.scheme not in _PORTS:
        raise InvalidConfig(f"the address of the {of} begins with neither https:// nor http://")
    if not parts.hostname or not _HOST.fullmatch(parts.hostname):
        raise InvalidConfig(f"the address of the {of} names no host: it looks like https://host/path")
    labels = parts.hostname.rstrip(".").split(".")
    if len(parts.hostname) > MOST_HOST_CHARS or not all(1 <= len(label) <= MOST_LABEL_CHARS for label in labels):
        raise InvalidConfig(f"the host in the address of the {of} is longer than a host can be, or has an empty part")
    if parts.query or parts.fragment or "?" in text or "#" in text:
        raise InvalidConfig(f"the address of the {of} has a part after ? or #: leave it out")
    if not _PATH.fullmatch(parts.path) or ".." in parts.path.split("/"):
        raise InvalidConfig(f"the path in the address of the {of} has characters that it cannot have")
    if port == 0:
        raise InvalidConfig(f"the address of the {of} has port 0")
    return parts, port or _PORTS[parts.scheme]


def _joined(scheme: str, host: str, port: int, path: str) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"{scheme}://{name}{'' if port == _PORTS[scheme] else f':{port}'}{path.rstrip('/')}"


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_loopback(host: str) -> bool:
    literal = _literal(host)
    if literal is None:
        return host.rstrip(".") == "localhost"
    return _plain(literal).is_loopback


def _plain(address: Address) -> Address:
    """The IPv4 address inside an IPv6 one that only wraps it."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _leads_inside(address: Address) -> bool:
    """Whether a gateway would carry it on to an IPv4 address that is not public."""
    if not isinstance(address, ipaddress.IPv6Address) or address.is_loopback:
        return False
    carried = (int(address) >> shift & 0xFFFFFFFF for net, shift in _WRAPS if address in net)
    return any(not ipaddress.IPv4Address(each).is_global for each in carried)
