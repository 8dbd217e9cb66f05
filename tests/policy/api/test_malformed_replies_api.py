"""Replies that break the contract, through the API: an answer that permits nothing, never an error of the site."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import LazySettings

from policy.judges import registry
from policy.models import LedgerEntry
from tests.policy.api.conftest import Post
from tests.policy.api.test_assess_call_api import BODY as CALL
from tests.policy.api.test_routes_api import MODEL, SKILL
from tests.policy.api.test_select_tools_api import BODY
from tests.policy.api.test_select_top_k_api import BODY as TOP_K
from tests.policy.engine.functions import Spoiling
from tests.policy.engine.reports import ACCEPTED, REFUSED, Report

CALLS = [
    ("select-tools", BODY),
    ("select-top-k", TOP_K),
    ("assess-call", {**CALL, "include_risk": True}),
    ("route-model", MODEL),
    ("route-skill", SKILL),
]


@pytest.mark.parametrize(("path", "body"), CALLS, ids=[path for path, _ in CALLS])
@pytest.mark.parametrize("report", [*REFUSED, *ACCEPTED], ids=lambda report: report.id)
def test_any_reply_becomes_an_answer(
    report: Report, path: str, body: dict[str, Any], post: Post, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Spoiling(report.spoil)
    monkeypatch.setitem(registry._instances, ("scripted", settings.VECTORS_DIR), judge)
    answer = post(path, {**body, "exchanges": True})
    assert answer.status_code == 200
    result = json.loads(answer.content, parse_constant=pytest.fail)["result"]
    assert not (result["failure"] and result["status"] in ("allow", "selected", "routed"))
    assert result["failure"] is None or report in REFUSED
    assert LedgerEntry.objects.exists()
