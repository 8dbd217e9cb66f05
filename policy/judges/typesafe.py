"""TypeSafe, the vendor's own address: nothing is wrapped, nothing is filled in."""

from __future__ import annotations

from policy.judges.http.adapter import Adapter


class TypeSafe(Adapter):
    name = "typesafe"
    label = "TypeSafe"
    description = "Jev at the vendor's own address. Needs a key; every question is paid for by its input tokens."
    default_base = "https://api.typesafe.ai"
    fills_gaps = False
