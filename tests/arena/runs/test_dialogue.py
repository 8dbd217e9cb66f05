"""A question is answered in a new run, or settled without an answer; the run that asked stays as it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from arena.cases.case import Case
from arena.cases.turns import Turn
from arena.errors import Conflict, Invalid
from arena.evidence import questions
from arena.library import library
from arena.models import Run, RunState
from arena.runs import dialogue, history, inline, start
from arena.runs.setup import Setup
from policy.people.models import User
from policy.people.services import NotAllowed, local_user

Compare = Callable[..., Run]
ANSWER = "Read src/sum.ts and tell me what sum gives back for an empty list."


@pytest.fixture
def asked(compare: Compare) -> Run:
    """A run on an open task: the judge asks, and so does the agent."""
    return compare("ambiguous", arms=["full", "selected"], menu_size=60, seed=5)


def test_the_judge_and_the_agent_ask_and_the_check_holds(asked: Run) -> None:
    assert [question.letter for question in questions.questions(asked)] == ["", "A"]
    assert questions.state(asked) == "open"
    assert [lane.passed for lane in asked.lanes.all()] == [True, True]


def test_a_run_that_asked_nothing_has_no_dialogue(compare: Compare) -> None:
    run = compare("patch", menu_size=8)
    assert questions.state(run) == "none"
    with pytest.raises(Conflict, match="asked nothing"):
        dialogue.answer(run, ANSWER, by=run.by, origin="api")


@pytest.mark.parametrize("answer", ["a\x00b", "\ud800"])
def test_an_answer_that_no_database_keeps_is_refused(answer: str, asked: Run) -> None:
    with pytest.raises(Invalid, match="take that out"):
        dialogue.answer(asked, answer, by=asked.by, origin="api")
    assert questions.state(asked) == "open"


def test_an_answer_goes_on_in_a_new_run_that_does_what_was_meant(asked: Run, transactional_db: None) -> None:
    with inline.worker() as wait:
        after = dialogue.answer(asked, ANSWER, by=local_user(), origin="page")
        wait()
    after, before = history.find(after.public_id), history.find(asked.public_id)
    assert after.state == RunState.COMPLETE
    full = after.lanes.get(arm="full")
    assert full.ending == "answered"
    assert any(event.payload.get("tool") == "read_file" for event in history.events(after))
    assert (after.continues, questions.follower(before), questions.state(before)) == (before, after, "answered")
    # What comes after the question has no right result that the case could know.
    assert [lane.passed for lane in after.lanes.all()] == [None, None]
    assert [lane.passed for lane in before.lanes.all()] == [True, True]


def test_the_snapshot_holds_the_answer_and_its_digest_differs(asked: Run) -> None:
    after = dialogue.answer(asked, f"  {ANSWER}\n", by=asked.by, origin="page")
    case = Case.from_json(after.case_snapshot.content)
    assert [turn.answer for turn in case.turns] == [ANSWER]
    assert "Which" in case.turns[0].question or "What" in case.turns[0].question
    assert case.told == f"{case.task}\n\n{ANSWER}"
    assert after.case_snapshot.digest != asked.case_snapshot.digest
    assert after.setup_digest != asked.setup_digest


def unlike_the_defaults() -> dict[str, Any]:
    """A stored setup in which every field that may differ from its default does, those of later days included."""
    setup = Setup()
    changed: dict[str, Any] = {"arms": ("full", "shadow"), "menu_size": 12}
    for field in fields(Setup):
        value = getattr(setup, field.name)
        if field.name in changed or field.name in {"judge", "agent", "selector"}:
            continue
        if isinstance(value, bool):
            changed[field.name] = not value
        elif isinstance(value, int | float):
            changed[field.name] = value + 1
    return replace(setup, **changed).to_json()


@pytest.mark.parametrize("how", ["answer", "again"])
def test_the_whole_setup_goes_on(asked: Run, how: str, unpublished: list[tuple[str, int]]) -> None:
    Run.objects.filter(pk=asked.pk).update(setup=unlike_the_defaults())
    asked.refresh_from_db()
    if how == "answer":
        after = dialogue.answer(asked, ANSWER, by=asked.by, origin="page")
    else:
        after = start.again(asked, by=asked.by, origin="page")
    assert after.setup == unlike_the_defaults()
    assert Setup.from_json(after.setup) == Setup.from_json(asked.setup)
    assert [lane.arm for lane in after.lanes.all()] == list(after.setup["arms"])


def test_running_an_answered_run_again_keeps_the_answer(asked: Run) -> None:
    after = dialogue.answer(asked, ANSWER, by=asked.by, origin="page")
    again = start.again(after, by=asked.by, origin="page")
    assert again.case_snapshot == after.case_snapshot
    assert again.continues is None


def test_a_question_is_answered_once(asked: Run) -> None:
    after = dialogue.answer(asked, ANSWER, by=asked.by, origin="page")
    with pytest.raises(Conflict, match=f"answered already: run {after.number}"):
        dialogue.answer(asked, "Something else.", by=asked.by, origin="page")
    with pytest.raises(Conflict, match="answered already"):
        dialogue.leave_open(asked, by=asked.by)


@pytest.mark.parametrize(
    ("text", "says"), [("  \n", "The answer is empty."), ("x" * 4_001, "The answer has 4,001 characters")]
)
def test_an_answer_that_says_nothing_or_too_much_is_refused(asked: Run, text: str, says: str) -> None:
    with pytest.raises(Invalid, match=says):
        dialogue.answer(asked, text, by=asked.by, origin="page")
    assert questions.state(history.find(asked.public_id)) == "open"


def test_no_answer_settles_the_question_once_and_for_all(asked: Run) -> None:
    for _ in range(2):
        assert questions.state(dialogue.leave_open(asked, by=asked.by)) == "left open"
    with pytest.raises(Conflict, match="settled without an answer"):
        dialogue.answer(asked, ANSWER, by=asked.by, origin="page")


def test_a_reader_may_not_answer(asked: Run, reader: User) -> None:
    with pytest.raises(NotAllowed):
        dialogue.answer(asked, ANSWER, by=reader, origin="page")
    with pytest.raises(NotAllowed):
        dialogue.leave_open(asked, by=reader)


def test_a_running_comparison_is_not_answered_yet(owner: User, unpublished: list[tuple[str, int]]) -> None:
    run = start.start("ambiguous", by=owner, origin="page")
    with pytest.raises(Conflict, match="has not come to its end"):
        dialogue.answer(run, ANSWER, by=owner, origin="page")


def test_two_answers_at_once_make_one_run(asked: Run) -> None:
    def one(text: str) -> str:
        try:
            return dialogue.answer(history.find(asked.public_id), text, by=asked.by, origin="page").public_id
        except Conflict:
            return ""
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(one, ["This one.", "That one."]))
    assert sorted(map(bool, made)) == [False, True]
    assert Run.objects.filter(continues=asked).count() == 1


def test_turns_follow_one_another_up_to_a_bound(asked: Run) -> None:
    case = Case.from_json(asked.case_snapshot.content)
    full = replace(case, turns=(Turn("What?", "That."),) * dialogue.MAX_TURNS)
    asked.case_snapshot.content = json.loads(json.dumps(full.to_json()))
    asked.case_snapshot.save()
    with pytest.raises(Conflict, match="asked about 8 times"):
        dialogue.answer(asked, ANSWER, by=asked.by, origin="page")


def test_a_case_file_keeps_its_digest_and_a_case_with_turns_reads_back() -> None:
    case = library().case("ambiguous")
    assert "turns" not in case.to_json()
    answered = replace(case, turns=(Turn("Which?", "This one."),))
    assert Case.from_json(json.loads(json.dumps(answered.to_json()))) == answered


def test_the_page_asks_takes_the_answer_and_links_both_ways(client: Client, asked: Run) -> None:
    page = client.get(f"/runs/{asked.public_id}/").content.decode()
    assert 'form="reply-form"' in page
    assert "waiting for you" in page
    response = client.post(f"/runs/{asked.public_id}/reply", {"answer": "<b>This</b> & that"})
    after = Run.objects.get(continues=asked)
    assert response["Location"] == f"/runs/{after.public_id}/"
    old, new = (client.get(f"/runs/{each.public_id}/").content.decode() for each in (asked, after))
    assert f'/runs/{after.public_id}/">run {after.number}</a>' in old
    assert f'/runs/{asked.public_id}/">run {asked.number}</a>' in new
    for text in (old, new):
        assert "&lt;b&gt;This&lt;/b&gt; &amp; that" in text
        assert 'id="answer"' not in text


def test_the_page_settles_without_an_answer_and_refuses_an_empty_one(client: Client, asked: Run) -> None:
    refused = client.post(f"/runs/{asked.public_id}/reply", {"answer": " "})
    assert (refused.status_code, "The answer is empty." in refused.content.decode()) == (422, True)
    assert client.post(f"/runs/{asked.public_id}/no-answer").status_code == 302
    assert "Settled without an answer." in client.get(f"/runs/{asked.public_id}/").content.decode()


def test_the_api_tells_asks_and_goes_on(client: Client, asked: Run) -> None:
    told = client.get(f"/api/arena/runs/{asked.public_id}").json()["dialogue"]
    assert told["state"] == "open"
    assert [each["asked_by"] for each in told["questions"]] == ["judge", "A"]
    body = {"answer": ANSWER}
    made = client.post(f"/api/arena/runs/{asked.public_id}/answer", body, content_type="application/json")
    assert made.status_code == 201
    assert made.json()["dialogue"]["continues"] == asked.public_id
    old = client.get(f"/api/arena/runs/{asked.public_id}").json()["dialogue"]
    assert (old["state"], old["continued_by"]) == ("answered", made.json()["id"])
    late = client.post(f"/api/arena/runs/{asked.public_id}/no-answer", content_type="application/json")
    assert late.status_code == 409
