"""Secrets that never leave the process: fields by their name, credentials inside strings by their form.

An additional measure, no anonymisation: a host stays responsible for what it puts into a task or a call.
"""

from __future__ import annotations

from policy.engine.redaction.names import FRAGMENTS, REDACTED, extra_fragments, secret_name
from policy.engine.redaction.strings import Masked, mask, masked, suspicious, suspicious_json

__all__ = [
    "FRAGMENTS",
    "REDACTED",
    "Masked",
    "extra_fragments",
    "mask",
    "masked",
    "secret_name",
    "suspicious",
    "suspicious_json",
]
