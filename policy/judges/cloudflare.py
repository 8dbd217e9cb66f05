"""Cloudflare: two models, two envelopes, and an error that may come as a success."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from policy.engine.failures import Failure, FailureCode
from policy.engine.judge import JudgeRequest
from policy.engine.profile import InvalidConfig
from policy.judges.http import errors
from policy.judges.http.adapter import Adapter, Defect, Refusal
from policy.judges.http.address import BaseUrl
from policy.judges.http.errors import Meaning

CLEF_QUESTIONS = 64
_ACCOUNT = re.compile(r"[0-9A-Za-z_-]{1,64}")
_QUOTA = Meaning(
    FailureCode.RATE_LIMIT, "daily_quota", "says that today's quota is used up", "Try again tomorrow", again=False
)
_CAPACITY = Meaning(FailureCode.RATE_LIMIT, "capacity", "has no capacity now", "Try again later", again=True)
_SCHEMA = Meaning(FailureCode.BAD_REQUEST, "invalid_request", "found the request invalid")
_FAILED = Meaning(FailureCode.INVALID_RESPONSE, "failed", "says that it failed")
_BY_CODE = {3036: _QUOTA, 3040: _CAPACITY, 5006: _SCHEMA}


class Cloudflare(Adapter):
    """`account` is part of every address. Jev is asked through `ai/run`, Clef at an address of its own."""

    name = "cloudflare"
    label = "Cloudflare"
    description = "Jev or Cloudflare's own Clef, with an API token and the id of an account."
    default_base = "https://api.cloudflare.com/client/v4"
    default_model = "jev"
    models_path = ""
    moving = frozenset({"jev", "clef", "clef-flash", "clef-omni"})

    def __init__(self, account: str) -> None:
        if not _ACCOUNT.fullmatch(account):
            raise InvalidConfig("Cloudflare needs the id of an account: letters, digits, - and _ only")
        self.account = account

    def wire_model(self, model: str) -> str:
        """`clef` and its kin keep their names; every Jev is `typesafe/…`, without a version it is `typesafe/jev`."""
        if "/" in model or _is_clef(model):
            return model
        return "typesafe/jev" if model in ("jev", "jev-latest") else f"typesafe/{model}"

    def url(self, base: BaseUrl, model: str) -> str:
        run = f"{base}/accounts/{self.account}/ai/run"
        return f"{run}/@cf/cloudflare/{model}" if _is_clef(model) else run

    def encode(self, request: JudgeRequest, model: str) -> Mapping[str, Any]:
        wire = request.to_wire()
        if not _is_clef(model):
            return {"model": model, "input": wire}
        if not 1 <= len(request.questions) <= CLEF_QUESTIONS:
            problem = f"Cloudflare's Clef takes 1 to {CLEF_QUESTIONS} questions at once, not {len(request.questions)}"
            raise Defect(Failure(FailureCode.BAD_REQUEST, f"nothing was sent: {problem}.", unsent=True))
        return {"model": "clef", **wire}

    def meaning(self, status: int, body: Any) -> Meaning:
        return next((_BY_CODE[code] for code in _codes(body) if code in _BY_CODE), errors.meaning(status, body))

    def open(self, body: Any) -> Any:
        if not isinstance(body, Mapping):
            return body
        if body.get("success") is False:
            meant = next((_BY_CODE[code] for code in _codes(body) if code in _BY_CODE), _FAILED)
            raise Refusal(meant, errors.error_text(body, ""))
        result = body.get("result", body)
        if not isinstance(result, Mapping):
            return result
        state = result.get("state")
        if isinstance(state, str) and state != "Completed" and "answers" not in result:
            raise self.defect("result.state", f"the work is not completed: {state[:40]}")
        inner = result.get("result")
        return inner if isinstance(inner, Mapping) else result


def _is_clef(model: str) -> bool:
    return model == "clef" or model.startswith("clef-")


def _codes(body: Any) -> list[int]:
    found = body.get("errors") if isinstance(body, Mapping) else None
    items = found if isinstance(found, list) else []
    return [item["code"] for item in items if isinstance(item, Mapping) and isinstance(item.get("code"), int)]
