"""Who may speak to this site: Host and Origin on every request, the local user, the content policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host

from jevsite import errors
from policy.people import services as people

CONTENT_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'self'; form-action 'self'; object-src 'none'"
)

Next = Callable[[HttpRequest], HttpResponse]


def refusal(headers: Mapping[str, str]) -> str | None:
    """Why a request with these headers (`host`, `origin`, `sec-fetch-site`, lower case) is refused; None if it is not.

    A page of another site, or a name that only pretends to be this machine (DNS rebinding), must
    not start runs or read them.
    """
    host = headers.get("host", "")
    domain, _ = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        return f"The Host {host[:80]!r} is not this site. Use http://127.0.0.1 or http://localhost with its port."
    origin = headers.get("origin")
    if origin is not None and _site(origin) != host.lower():
        return f"The request comes from a page of another site ({origin[:80]!r})."
    if headers.get("sec-fetch-site") == "cross-site":
        return "The request comes from a page of another site."
    return None


def _site(origin: str) -> str | None:
    """Host and port of an http origin; None for anything else. In local mode nothing here speaks https."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme == "http" else None


class AccessMiddleware:
    """Refuses foreign hosts and origins; adds the policies for browsers to every answer."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        # A link on another page may open this site; it must not be able to do more than that.
        if request.method in {"GET", "HEAD"} and headers.get("sec-fetch-mode") == "navigate":
            headers.pop("sec-fetch-site", None)
        reason = refusal(headers)
        response = self.get_response(request) if reason is None else errors.respond(request, 403, reason)
        response.headers.setdefault("Content-Security-Policy", CONTENT_POLICY)
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        return response


class LocalUserMiddleware:
    """In local mode every request acts as the one row `local`; there is no login."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.user = people.local_user()
        return self.get_response(request)
