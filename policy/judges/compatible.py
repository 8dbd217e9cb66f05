"""Any server that speaks the vendor's wire: with or without a key, a model list, a habit of its own."""

from __future__ import annotations

from policy.engine.judge import JudgeRequest
from policy.judges.http.adapter import Adapter, largest_choice
from policy.judges.http.address import BaseUrl

# Caps on options that servers are known to have; the vendor's own is 255.
KNOWN_CAPS = (26, 50, 64, 127, 255)
_ENDINGS = ("/systemone", "/decisions")


class Compatible(Adapter):
    name = "compatible"
    label = "The compatible server"
    description = "Any server that speaks the vendor's wire, on this machine or elsewhere; a key only if it wants one."
    needs_key = False

    def url(self, base: BaseUrl, model: str) -> str:
        """The base address with the usual path, or as it is where it already names the address to ask."""
        return base.text if base.text.endswith(_ENDINGS) else super().url(base, model)

    def root(self, base: BaseUrl) -> str:
        text = super().root(base)
        for ending in (*_ENDINGS, "/v1"):
            text = text.removesuffix(ending)
        return text

    def hint(self, request: JudgeRequest, said: str) -> str:
        """Servers differ in how many options they take, and do not always say that this was the trouble."""
        options = largest_choice(request)
        if options <= KNOWN_CAPS[0] or "model" in said.lower():
            return ""
        caps = ", ".join(map(str, KNOWN_CAPS))
        return f"The largest question had {options} options; servers are known to stop at {caps}."
