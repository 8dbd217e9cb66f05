"""What judge `local` answers, in which shape."""

from __future__ import annotations

import json
import math

import pytest

from policy.engine.contract import validate
from policy.engine.judge import JudgeRequest
from policy.engine.questions import Choice, Noul, Question, Score
from policy.judges.local import LocalJudge
from policy.judges.local.requests import as_json
from tests.policy.judges.conftest import answer, ask
from tests.policy.judges.menus import ALL_KINDS, DRY_LAWN, PICK, TOOLS, relevance


def test_every_kind_of_answer_meets_the_reply_contract(judge: LocalJudge) -> None:
    reply = ask(judge, DRY_LAWN, **ALL_KINDS)
    assert validate(reply.body, ALL_KINDS).violations == ()
    assert json.loads(reply.raw) == reply.body


def test_answers_from_words_only_meet_the_reply_contract(words: LocalJudge) -> None:
    assert validate(ask(words, DRY_LAWN, **ALL_KINDS).body, ALL_KINDS).violations == ()


def test_the_fitting_tool_is_chosen_and_the_probabilities_add_up(judge: LocalJudge) -> None:
    found = answer(judge, DRY_LAWN, PICK)
    assert found["choice"] == "water_plants" == max(found["probabilities"], key=found["probabilities"].get)
    assert sum(round(share * 1_000_000) for share in found["probabilities"].values()) == 1_000_000


def test_a_german_task_finds_the_tool_with_an_english_description(judge: LocalJudge) -> None:
    task = {"task": "Frau Vogt möchte den Roman bis Freitag aus der Bücherei ausleihen."}
    assert answer(judge, task, PICK)["choice"] == "lend_book"


def test_none_fits_is_likelier_for_a_task_that_no_tool_serves(judge: LocalJudge) -> None:
    served = answer(judge, DRY_LAWN, PICK)["probabilities"]["__none__"]
    assert answer(judge, {"task": "Hum a melody for me."}, PICK)["probabilities"]["__none__"] > max(0.3, served)


def test_a_tool_without_description_is_read_by_its_id(judge: LocalJudge) -> None:
    bare = Choice("Which tool fits?", dict.fromkeys(TOOLS))
    assert answer(judge, {"task": "How many degrees Fahrenheit is a temperature of 20 Celsius?"}, bare)["choice"] == (
        "convert_temperature"
    )


def test_the_second_step_of_a_task_is_found_by_its_clause(judge: LocalJudge) -> None:
    task = "Tell me which days off France has in 2026, then sprinkle the lawn."
    ranked = sorted(answer(judge, {"task": task}, PICK)["probabilities"].items(), key=lambda item: -item[1])
    assert {name for name, _ in ranked[:2]} == {"list_holidays", "water_plants"}


def test_a_category_is_relevant_for_its_own_task_only(judge: LocalJudge) -> None:
    assert answer(judge, DRY_LAWN, relevance())["noul"] >= 0.5
    assert answer(judge, {"task": "Translate the tax form into Polish."}, relevance())["noul"] < 0.5


def test_one_good_line_among_many_makes_a_category_relevant(judge: LocalJudge) -> None:
    others = "\n".join(f"{name}: {text}" for name, text in TOOLS.items() if name != "__none__")
    assert answer(judge, DRY_LAWN, relevance(f"Everything else.\n{others}"))["noul"] >= 0.5


def test_a_vague_task_asks_first_and_a_clear_one_does_not(judge: LocalJudge) -> None:
    question = ALL_KINDS["ask_first"]
    assert answer(judge, {"task": "Sort it out somehow."}, question)["noul"] >= 0.6
    assert (
        answer(judge, {"task": "Set the sprinkler in garden.toml to 12 minutes from Monday."}, question)["noul"] < 0.3
    )


def test_a_wording_without_readout_stays_near_one_half_and_says_so(judge: LocalJudge) -> None:
    reply = ask(judge, DRY_LAWN, urgent=ALL_KINDS["urgent"])
    assert 0.35 <= reply.body["answers"]["urgent"]["noul"] <= 0.65
    assert any("urgent" in note and "one half" in note for note in reply.notes)


def test_a_score_is_the_expected_level_and_marked_uncalibrated(judge: LocalJudge) -> None:
    reply = ask(judge, "The stove is on fire.", harm=ALL_KINDS["harm"])
    found = reply.body["answers"]["harm"]
    assert found["legend"] == {"0": "harmless", "1": "annoying", "2": "dangerous"}
    assert found["score"] == pytest.approx(sum(int(level) * share for level, share in found["probabilities"].items()))
    assert any("uncalibrated" in note for note in reply.notes)


def test_tokens_are_estimated_from_the_bytes_on_the_wire(words: LocalJudge) -> None:
    request = JudgeRequest({"task": "Grüße an alle"}, {"pick": PICK}, "test")
    reply = words.ask(request, timeout_s=5)
    assert reply.token_source == "estimated"
    assert reply.body["usage"]["input_tokens"] == math.ceil(len(as_json(request.to_wire())) / 4)


@pytest.mark.parametrize("state", ["The lawn looks dry.", {"notes": ["dry", {"deep": "lawn"}]}, {"size": 3}])
def test_any_json_state_is_answered(words: LocalJudge, state: dict[str, object] | str) -> None:
    assert validate(ask(words, state, **ALL_KINDS).body, ALL_KINDS).violations == ()


def test_a_lone_option_is_certain(words: LocalJudge) -> None:
    found = answer(words, DRY_LAWN, Choice("Which?", {"only": None}))
    assert (found["probabilities"], found["confidence"]) == ({"only": 1.0}, 1.0)


def test_criteria_without_words_are_still_answered(words: LocalJudge) -> None:
    odd: dict[str, Question] = {
        "blank": relevance("  "),
        "bare": Noul("Is a tool relevant?"),
        "marks": Choice("Which?", {"!": "", "?": None}),
        "levels": Score("How?", ("", "-")),
    }
    assert validate(ask(words, DRY_LAWN, **odd).body, odd).violations == ()
