"""The judge's part: outcome, nearest categories, and every word that was sent and came back."""

from __future__ import annotations

from arena.live.story_judge import JudgeStory
from tests.arena.live.scenes import SELECTION, Scene, whole


def judge(scene: Scene) -> JudgeStory:
    told = scene.tell().judge
    assert told is not None
    return told


def test_categories_stand_in_order_of_their_relevance_with_their_threshold() -> None:
    meters = judge(whole()).meters
    assert [(meter.name, meter.text, meter.fires) for meter in meters] == [
        ("edits", ".90", True),
        ("files", ".62", True),
        ("mail", ".10", False),
    ]


def test_it_counts_how_many_categories_matter() -> None:
    assert judge(whole()).matter == "2 of 3 categories matter at .50 or more."


def test_before_the_decision_it_only_waits() -> None:
    told = judge(Scene().state("routing"))
    assert told.waiting
    assert (told.outcome, told.meters, told.answers) == (None, (), ())


def test_an_answered_request_keeps_its_tokens_time_and_raw_reply() -> None:
    sheet = judge(whole()).sheets[0]
    assert sheet.facts == "120 bytes, 1,248 tokens in, 90 out est., 0.31\u202fs, model m"
    assert sheet.reply == "{}"


def test_a_failed_request_keeps_its_code_and_leaves_the_tokens_a_lower_bound() -> None:
    scene = Scene().routed()
    scene.happens("judge.asked", judge="local", stage="pick-2", request={}, bytes=9, digest="cd")
    scene.happens("judge.failed", judge="local", stage="pick-2", code="TIMEOUT", message="too slow")
    told = judge(scene)
    assert told.sheets[1].failure == "TIMEOUT: too slow"
    assert told.tokens == "≥\u202f1,248 tokens est."


def test_a_request_on_its_way_has_no_reply_yet() -> None:
    scene = Scene().state("routing")
    scene.happens("judge.asked", judge="local", stage="pick", request={}, bytes=9, digest="cd")
    assert judge(scene).sheets[0].facts == "9 bytes, waiting for the reply"


def test_a_blocked_prerequisite_has_a_reason_of_its_own() -> None:
    told = judge(Scene().routed(outcome="unavailable", rule="selection.prerequisite-blocked"))
    assert told.reason.startswith("A tool that has to come first is not allowed here")


def test_the_answers_list_the_best_picks_and_name_the_answer_none() -> None:
    assert judge(whole()).answers[1].picks == ("propose_patch .71, no tool .29",)


def test_the_question_of_the_judge_is_measured_against_its_own_threshold() -> None:
    question = judge(Scene().routed(selection=SELECTION | {"ask_first": 0.7})).question
    assert question is not None
    assert (question.text, question.fires) == (".70", True)


def test_a_judge_that_is_gone_is_still_told() -> None:
    scene = whole()
    scene.run.setup["judge"] = "oracle-9"
    told = judge(scene)
    assert told.about == "This judge is not installed here any more."
