"""`manage.py calibrate` and `drift`: what they print, what they write, and the exit codes for CI."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from policy.calibration.overall import SERVES
from policy.judges.scripted import Script, ScriptedJudge
from policy.measurements import profiles
from policy.measurements.models import DriftRecord, FixtureSet, Measurement
from policy.people.models import User
from tests.policy.calibrating.test_report_pages import menus
from tests.policy.measurements.conftest import call, lines, menu

pytestmark = pytest.mark.django_db(transaction=True)

Scripted = Callable[..., ScriptedJudge]
ROWS = [call(f"c{n}", "deny" if n % 2 else "allow", task=f"<b>{n}</b>") for n in range(140)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "gate.jsonl"
    path.write_text(lines(*ROWS[:60]), encoding="utf-8")
    return path


@pytest.fixture
def telling(scripted: Scripted) -> ScriptedJudge:
    """A judge that sees every second call break a restriction."""

    def script(request: Any, n: int) -> Script:
        odd = int(re.findall(r"c(\d+)", json.dumps(request.to_wire()))[-1]) % 2
        answers = {"violates_restriction": {"noul": 0.8 if odd else 0.2}, "missing_information": {"noul": 0.0}}
        return Script({**answers, "matches_task": {"noul": 1.0}}, model="mock/one")

    return scripted(script)


def run(command: str, *arguments: object) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command(command, *map(str, arguments), stdout=out, stderr=StringIO())
    except CommandError as error:
        return error.returncode, f"{out.getvalue()}{error}"
    return 0, out.getvalue()


def test_a_file_is_measured_and_the_thresholds_are_told(file: Path, telling: ScriptedJudge) -> None:
    code, told = run("calibrate", file, "--judge", "scripted")
    assert code == 0
    assert "gate@1 measured by scripted (mock/one)" in told
    assert "Scripted answers: this shows that the plumbing works" in told
    assert re.search(
        r"restriction +0\.50 -> 0\.50; best 0\.21 to 0\.80; this sample cannot separate 0\.21 to 0\.80", told
    )
    assert len(telling.requests) == 60


def test_the_second_run_asks_nothing(file: Path, telling: ScriptedJudge) -> None:
    run("calibrate", file, "--judge", "scripted")
    assert run("calibrate", file, "--judge", "scripted")[0] == 0
    assert len(telling.requests) == 60
    assert FixtureSet.objects.count() == 1


def test_json_holds_what_the_report_says(file: Path, telling: ScriptedJudge) -> None:
    code, told = run("calibrate", file, "--judge", "scripted", "--json")
    found = json.loads(told)
    assert (code, found["measured"], found["synthetic"]) == (0, 60, True)
    assert found["reports"]["assessment"]["current"]["agreed"] == 60


def test_the_report_is_one_file_without_anything_from_outside(
    file: Path, telling: ScriptedJudge, tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    run("calibrate", file, "--judge", "scripted", "--report", page)
    text = page.read_text(encoding="utf-8")
    assert "restriction: this sample cannot separate values between 0.21 and 0.80" in text
    assert not re.search(r"(src|href)=|url\(|@import|<script", text)
    assert text.count("<svg") == 3


def test_the_report_has_all_eight_thresholds_and_what_confidence_does_to_menus(
    scripted: Scripted, tmp_path: Path
) -> None:
    scripted({})
    file, page = tmp_path / "tools.jsonl", tmp_path / "report.html"
    file.write_text(lines(*menus(60)))
    run("calibrate", file, "--judge", "scripted", "--report", page)
    text = page.read_text(encoding="utf-8")
    eight = text[text.index("All eight thresholds") : text.index("</table>")]
    assert re.findall(r'<th scope="row">(\w+)</th>', eight) == list(SERVES)
    assert "by recall and size of the menu; it changes no selection" in eight
    assert re.search(r"confidence: 0\.\d\d is the lowest value with the best recall of expected tools, 100%", text)
    assert text.count("<svg") == 3
    assert "with all thresholds moving" in text
    assert not re.search(r"(src|href)=|url\(|@import|<script", text)


def test_what_fixtures_and_judges_say_is_escaped_in_the_report(
    telling: ScriptedJudge, scripted: Scripted, tmp_path: Path
) -> None:
    scripted({}, model="<script>alert(1)</script>")
    file = tmp_path / "odd.jsonl"
    file.write_text(lines(call("<img src=x> c3", "deny"), *ROWS[:60]))
    run("calibrate", file, "--judge", "scripted", "--report", tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<img" not in text
    assert "<script" not in text
    assert "&lt;img src=x&gt; c3" in text


def test_too_few_fixtures_recommend_nothing(telling: ScriptedJudge, tmp_path: Path) -> None:
    file = tmp_path / "few.jsonl"
    file.write_text(lines(*ROWS[:20]))
    code, told = run("calibrate", file, "--judge", "scripted")
    assert code == 1
    assert "20 measured rows of 50 that a recommendation needs" in told


def test_only_the_named_kinds_are_measured(scripted: Scripted, tmp_path: Path) -> None:
    file = tmp_path / "both.jsonl"
    file.write_text(lines(*ROWS[:5], menu("m", "files1")))
    _, told = run("calibrate", file, "--judge", "scripted", "--kind", "selection", "--json")
    assert list(json.loads(told.partition("No threshold")[0])["reports"]) == ["selection"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "There is no set of fixtures 'nothing'"),
        (("{file}", "--judge", "x"), "There is no judge 'x'"),
        (("{file}", "--orders", "up"), "There is no order 'up'"),
        (("{file}", "--judge", "scripted", "--report", "/nowhere/r.html"), "/nowhere/r.html cannot be written"),
    ],
)
def test_bad_input_is_told_with_code_2(
    file: Path, telling: ScriptedJudge, arguments: tuple[str, ...], said: str
) -> None:
    code, told = run("calibrate", *(each.format(file=file) for each in arguments))
    assert (code, said in told) == (2, True), told


@pytest.mark.parametrize("name", ["x.json", "x.JSONL"])
def test_a_file_with_another_ending_names_the_ending(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("{}\n")
    code, told = run("calibrate", tmp_path / name)
    assert (code, f"ends in '.{name[2:]}'" in told, ".jsonl" in told) == (2, True, True)


def test_a_broken_file_names_its_lines(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"id": 1}\n')
    code, told = run("calibrate", tmp_path / "bad.jsonl")
    assert (code, "line 1: kind" in told) == (2, True)


def test_an_interrupt_keeps_what_is_measured(file: Path, scripted: Scripted) -> None:
    def interrupted(request: Any, n: int) -> Script:
        if n == 3:
            raise KeyboardInterrupt
        return Script(model="mock/one")

    scripted(interrupted)
    code, told = run("calibrate", file, "--judge", "scripted")
    assert (code, "Interrupted after 3 of 60" in told) == (130, True)
    assert Measurement.objects.get().state == "stopped"


@pytest.mark.parametrize(
    ("noul", "sample", "code", "word"),
    [(None, 140, 0, "stable"), (0.9, 60, 1, "drifted"), (None, 5, 2, "not enough data")],
)
def test_drift_has_an_exit_code_for_each_verdict(
    file: Path, telling: ScriptedJudge, scripted: Scripted, owner: User,
    noul: float | None, sample: int, code: int, word: str,
) -> None:  # fmt: skip
    file.write_text(lines(*ROWS))
    run("calibrate", file, "--judge", "scripted")
    profiles.save(Measurement.objects.get(), name="gate", thresholds={"restriction": 0.5}, by=owner)
    if noul is not None:
        scripted({"violates_restriction": {"noul": noul}}, model="mock/one")
    found, told = run("drift", "gate", "--sample", sample)
    assert (found, told.startswith(f"gate@1: {word}")) == (code, True), told
    assert DriftRecord.objects.get().verdict == word


def test_another_model_is_drift_whatever_it_answers(
    file: Path, telling: ScriptedJudge, scripted: Scripted, owner: User
) -> None:
    run("calibrate", file, "--judge", "scripted")
    profiles.save(Measurement.objects.get(), name="gate", thresholds={}, by=owner)
    scripted(lambda request, n: Script(model="mock/two"))
    code, told = run("drift", "gate", "--sample", "60")
    assert code == 1
    assert '"mock/two" answers now, calibrated was "mock/one": the profile is disarmed' in told


def test_a_profile_that_is_not_there_is_told_with_code_3() -> None:
    assert run("drift", "nothing")[0] == 3
