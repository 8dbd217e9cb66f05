"""Every case file of the fixtures: its check passes for its right transcript and fails for the four wrong ones.

`right/<case>.toml` is what a good lane does; its calls are really made here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from arena.cases.case import Case, Transcript
from arena.cases.load import load
from arena.cases.specs import Unchanged
from arena.catalogs.load import load as load_catalog
from arena.catalogs.menus import menu_for, recall_at_menu
from arena.evidence.checks import check
from arena.evidence.lane import CallRecord, LaneEnding, LaneEvidence
from arena.worlds import calls
from arena.worlds.handlers import ToolError
from arena.worlds.load import load as load_world
from arena.worlds.load import names
from arena.worlds.world import Effect

FIXTURES = Path(__file__).parents[3] / "fixtures"
CATALOG = load_catalog(FIXTURES / "tools")
WORLDS = {name: load_world(FIXTURES / "worlds" / name) for name in names(FIXTURES / "worlds")}
LOADED = load(FIXTURES / "cases", catalog=CATALOG, worlds=WORLDS)
RIGHT = {
    path.stem: Transcript.read(tomllib.loads(path.read_text(encoding="utf-8")), path.stem)
    for path in sorted(Path(__file__).with_name("right").glob("*.toml"))
}
CARDS = ("read", "patch", "inspect", "ambiguous")

every_case = pytest.mark.parametrize("case", LOADED.cases, ids=lambda case: case.id)


def played(case: Case, transcript: Transcript) -> LaneEvidence:
    """The evidence of a lane that does what the transcript says, on the world of the case."""
    world, records = WORLDS[case.world], list[CallRecord]()
    effects: list[Effect] = []
    after = deepcopy(world)
    for planned in transcript.calls:
        try:
            result = calls.call(CATALOG.tool(planned.tool), after, planned.arguments)
        except ToolError as error:
            records.append(CallRecord(planned.tool, planned.arguments, ok=False, error=str(error)))
        else:
            effects += result.effects
            records.append(CallRecord(planned.tool, planned.arguments, ok=True, content=result.content))
    ending = LaneEnding(transcript.ending)
    return LaneEvidence(ending, transcript.answer, world, after, tuple(records), tuple(effects))


@cache
def right(case_id: str) -> LaneEvidence:
    """The evidence of the right transcript, played once for all tests; nothing changes it."""
    case = LOADED.find(case_id)
    assert case is not None
    return played(case, RIGHT[case_id])


def failed(case: Case, evidence: LaneEvidence) -> list[str]:
    return [f"{item.title} ({item.got})" for item in check(case, evidence).items if not item.passed]


def four_words(text: str) -> Iterator[str]:
    words = re.findall(r"[^\W_]+", text.lower())
    return (" ".join(words[at : at + 4]) for at in range(len(words) - 3))


DESCRIBED = {four for tool in CATALOG.tools for four in four_words(tool.description)}


def shown_texts(case: Case) -> list[str]:
    values = [str(item) for value in case.values.values() for item in (value if isinstance(value, list) else [value])]
    return [case.title, case.summary, case.task, *case.restrictions, *values]


def test_every_file_loads_and_has_a_right_result() -> None:
    assert not LOADED.broken
    assert {case.id for case in LOADED.cases} == set(RIGHT)
    assert set(CARDS) <= set(RIGHT)


@every_case
def test_every_file_says_first_why_it_is_there(case: Case) -> None:
    opening = (FIXTURES / "cases" / f"{case.id}.toml").read_text(encoding="utf-8").splitlines()[0]
    assert re.fullmatch(r"# Why: .{20,110}[.]", opening)


@every_case
def test_a_right_result_passes_and_none_of_its_calls_was_refused(case: Case) -> None:
    evidence = right(case.id)
    assert failed(case, evidence) == []
    assert all(call.ok for call in evidence.calls)


@every_case
def test_the_empty_answer_fails(case: Case) -> None:
    assert failed(case, replace(right(case.id), answer=""))


@every_case
def test_the_task_text_as_answer_fails(case: Case) -> None:
    assert failed(case, replace(right(case.id), answer=case.task))


@every_case
def test_the_right_words_without_a_call_fail(case: Case) -> None:
    """Where the right end needs no call, the same words fail as an answer: they must be a question or a refusal."""
    needs_calls = case.acceptable or RIGHT[case.id].ending == "answered"
    ending = RIGHT[case.id].ending if needs_calls else "answered"
    assert failed(case, played(case, Transcript(ending, RIGHT[case.id].answer)))


@every_case
def test_the_wrong_result_of_the_file_fails_though_its_calls_are_real(case: Case) -> None:
    evidence = played(case, case.wrong)
    assert failed(case, evidence)
    assert all(call.ok for call in evidence.calls)
    assert evidence.calls


@every_case
def test_no_text_of_a_case_gives_a_tool_away(case: Case) -> None:
    for text in shown_texts(case):
        assert not [tool_id for tool_id in CATALOG.ids if tool_id in text]
        assert not DESCRIBED & set(four_words(text))


@every_case
def test_the_right_calls_use_an_acceptable_set(case: Case) -> None:
    used = {call.tool for call in RIGHT[case.id].calls}
    assert recall_at_menu(case, CATALOG, used) is not False


@every_case
def test_only_cases_of_change_may_change_anything(case: Case) -> None:
    [spec] = [spec for spec in case.checks if isinstance(spec, Unchanged)]
    assert bool(spec.allow) == (case.kind == "change")


@every_case
@pytest.mark.parametrize("size", [3, 20, 60])
def test_every_menu_holds_what_the_case_needs(case: Case, size: int) -> None:
    menu = menu_for(case, CATALOG, size, seed=1)
    assert menu.size == max(size, len(menu.needed))
    assert recall_at_menu(case, CATALOG, menu.ids) is not False


def test_a_full_menu_shows_forbidden_tools_first_among_its_distractors() -> None:
    case = LOADED.find("slow-checkout")
    assert case is not None
    assert set(case.forbids) <= set(menu_for(case, CATALOG, 3).ids)
