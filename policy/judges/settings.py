"""What a person sets to have an HTTP judge; the key is given apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from policy.engine.totals import Totals
from policy.judges.http.retries import Retries

Recovery = Literal["none", "probability_sum_only"]


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Which judge, where, which model. Blank is the provider's own address and model; nothing is read from the
    environment. `key_source` says where the key came from, for people. `private` is the operator's permission to ask
    inside private networks. `recovery` replaces the retries: a request has one owner.
    """

    name: str
    base_url: str = ""
    model: str = ""
    account: str = ""
    key_source: str = ""
    private: bool = False
    retries: Retries = field(default_factory=Retries)
    recovery: Recovery = "none"
    totals: Totals = Totals.STRICT
