"""TypeSafe, the vendor's own address: nothing is wrapped, nothing is filled in."""

from __future__ import annotations

from policy.judges.http.adapter import Adapter


class TypeSafe(Adapter):
    name = "typesafe"
    label = "TypeSafe"
    default_base = "https://api.typesafe.ai"
    fills_gaps = False
