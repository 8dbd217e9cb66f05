"""What docs/api.md says about `/v1` is true: the example for the SDK runs, and the list of errors is whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from policy.gateway import asking, bodies, refusals, requests

SECTION = (
    (Path(settings.BASE_DIR) / "docs" / "api.md").read_text(encoding="utf-8").partition("\n## The vendor's own wire")[2]
)
SDK = re.search(r"^```python\n(.*?)^```$", SECTION, re.M | re.S)
HERE = "http://127.0.0.1:8000"


def test_the_example_for_the_sdk_runs(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert SDK is not None
    assert HERE in SDK[1]
    exec(compile(SDK[1].replace(HERE, site), "docs/api.md", "exec"), {})
    answers, models = capsys.readouterr().out.splitlines()
    assert re.match(r"local-\S+ 0\.\d+ \{'billing': 0\.\d+, 'sales': 0\.\d+\}", answers)
    assert models.startswith("['jev-latest', 'local'")


def test_every_kind_of_error_is_listed() -> None:
    listed = set(re.findall(r"`([a-z_]+)`", "".join(re.findall(r"^\| [45].*$", SECTION, re.M))))
    sent = {kind for _, kind in (*refusals._BY_CODE.values(), *refusals._BY_REASON.values(), refusals._BROKEN)}
    assert sent | set(refusals._BY_STATUS.values()) <= listed


@pytest.mark.parametrize(
    "limit",
    [
        f"{bodies.MOST_BYTES:,} bytes",
        f"{requests.MOST_DEPTH} levels deep",
        f"1 to {requests.MOST_OPTIONS} options",
        f"{requests.LEVELS[0]} to {requests.LEVELS[1]} levels",
        f"{requests.MOST_QUESTIONS:,} questions",
        f"{asking.MOST_TOKENS:,} tokens",
        f"{asking.MOST_STATE_TOKENS:,} for the",
        f"{asking.BUDGET_MS // 1000} seconds",
    ],
)
def test_the_limits_are_those_of_the_code(limit: str) -> None:
    assert limit in " ".join(SECTION.split())
