"""`manage.py routing-bench`: one object, receipts on request, honest exit codes."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from policy.engine import receipts


def bench(*args: str) -> str:
    out = StringIO()
    call_command("routing-bench", *args, stdout=out)
    return out.getvalue()


def printed(*args: str) -> Any:
    return json.loads(bench(*args, "--json"))


def test_the_scripted_scenarios_are_one_object() -> None:
    found = printed("--menu", "8")
    assert (found["selector"], found["summary"]["scenarios"], len(found["scenarios"])) == ("top-k", 7, 7)
    assert found["policy"]["topK"] == 1
    assert {"fullContextBytes", "routerRequestBytes", "cheapestAcceptableSelected"} <= found["scenarios"][0].keys()


def test_the_local_judge_is_measured_on_our_cases() -> None:
    found = printed("--judge", "local", "--case", "read", "--case", "ambiguous", "--menu", "8")
    read = found["scenarios"][0]
    assert [row["case"] for row in found["scenarios"]] == ["read", "ambiguous"]
    assert read["routerLatencyMs"] > 0
    assert (read["providerTokens"], read["executionLatencyMs"]) == (None, None)


def test_people_read_that_the_evidence_is_scripted() -> None:
    text = bench("--menu", "8")
    assert "7 of 7 as expected" in text
    assert "The evidence is scripted" in text


def test_receipts_are_kept_replay_and_are_never_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "receipts"
    bench("--menu", "8", "--receipts", str(folder))
    kept = sorted(folder.glob("*.json"))
    assert [path.stem for path in kept] == [
        "ambiguous",
        "inspect",
        "invalid",
        "outage",
        "patch",
        "read",
        "uncertain",
    ]
    assert all(receipts.replay(json.loads(path.read_text())).verdict is receipts.Verdict.SAME for path in kept)
    with pytest.raises(CommandError, match="Name an empty folder"):
        bench("--menu", "8", "--receipts", str(folder))


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--judge", "jav"], "There is no judge 'jav' here. Allowed: scripted, local."),
        (["--menu", "0"], "--menu is 0; it must be from 1 to 1000."),
        (["--case", "nope"], "There is no case 'nope'. Allowed: "),
        (["--case", "taxi"], "None of these cases has a script; leave --case out."),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(args: list[str], says: str) -> None:
    with pytest.raises(CommandError) as refused:
        bench(*args)
    assert says in str(refused.value)
    assert refused.value.returncode == 2
