"""What the usage pages write of a row of the ledger."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from policy.models import LedgerEntry
from policy.usage import figures
from policy.usage.filters import origin_word

register = template.Library()
register.filter("origin", origin_word)
register.filter("ms", figures.milliseconds)

_VERDICTS = {
    "invalid_sum": "wrong total",
    "invalid_other": "not valid",
    "http_error": "refused",
    "transport_error": "no connection",
    "empty_body": "empty reply",
    "body_limit": "reply too long",
    "invalid_json": "no JSON",
    "timeout": "too late",
    "sent": "no answer yet",
}
_TONES = {LedgerEntry.Status.ANSWERED: ("good", "ok"), LedgerEntry.Status.FAILED: ("bad", "bad")}


@register.filter
def verdict(word: str) -> str:
    """How an attempt ended, in words."""
    return _VERDICTS.get(word, word)


@register.simple_tag
def came(row: LedgerEntry, box: str = "") -> SafeString:
    """What came of a request: icon, word, colour."""
    icon, tone = _TONES.get(LedgerEntry.Status(row.status), ("waiting", "off"))
    word = verdict(row.verdict or row.status)
    if row.cached_at:
        icon, tone, word = "repeat", "off", "from the store"
    elif row.verdict == "redirected":
        icon, tone = "repeat", "off"
    elif row.verdict in ("invalid_sum", "invalid_other"):
        icon, tone = "partial", "ask"
    use = f"{static('icons.svg')}#{icon}"
    mark = format_html('<svg class="icon" aria-hidden="true"><use href="{}"></use></svg>', use)
    return format_html('<span class="state {} {}">{}{}</span>', tone, box, mark, word)


@register.filter
def came_note(row: LedgerEntry) -> str:
    """What else is worth a word in a list."""
    parts = [row.failure_code, str(row.http_status or "") if row.status == "failed" else ""]
    if row.after and row.after != "redirected":
        parts.append(f"asked again after: {verdict(row.after)}")
    return ", ".join(filter(None, parts))


@register.filter
def usd(amount: Decimal | None) -> str:
    """A price per million tokens as it was entered; a dash where unknown."""
    return figures.UNKNOWN if amount is None else f"${amount.normalize():f}"


@register.filter
def pretty(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)


@register.filter
def facts(row: LedgerEntry) -> Iterator[tuple[str, str]]:
    """Everything that is known of a request but its words; what is unknown says so."""
    at = f"{row.at:%Y-%m-%d %H:%M:%S} UTC"
    yield "sent", at
    yield "asked by", f"{origin_word(row.origin)} {row.origin_id}{f', {row.user.username}' if row.user else ''}"
    yield "endpoint", row.endpoint or "none, computed on this machine"
    yield "model asked for", row.requested_model or figures.UNKNOWN
    yield "model that answered", row.answered_model or figures.UNKNOWN
    yield "id of the provider", row.provider_id or figures.UNKNOWN
    yield "HTTP status", str(row.http_status or figures.UNKNOWN)
    yield "request, reply", f"{row.request_bytes:,} bytes, {figures.count(row.response_bytes)} bytes"
    source = f", {row.token_source}" if row.token_source else ""
    yield "input, output tokens", f"{figures.count(row.input_tokens)}, {figures.count(row.output_tokens)}{source}"
    wait = f" after a pause of {figures.milliseconds(row.wait_ms)}" if row.wait_ms else ""
    yield "time", figures.milliseconds(row.latency_ms) + wait
    if row.cached_at:
        yield "stored answer", f"given {row.cached_at:%Y-%m-%d %H:%M:%S} UTC; the tokens are what it would have used"
    if row.after:
        yield "repeats", f"a request that ended as: {verdict(row.after)}"
    if row.reason:
        yield "what was meant", row.reason.replace("_", " ")
    masked = " of what was sent; not of what is kept, where credentials are masked" if row.request_masked else ""
    yield "SHA-256", f"{row.request_digest}{masked}"
    yield "call", f"{row.call}, request {row.step}, row {row.attempt}"
