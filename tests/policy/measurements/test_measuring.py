"""Measuring asks every fixture once, keeps every answer, and can be stopped and taken up anywhere."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from policy.engine.failures import Failure, FailureCode
from policy.engine.judge import JudgeRequest
from policy.errors import Conflict, Invalid
from policy.judges.scripted import Script, ScriptedJudge
from policy.measurements import inline, jobs, reap, work
from policy.measurements.models import Answer, FixtureSet, Measurement, Reading
from policy.models import LedgerEntry
from policy.people.models import User
from tests.policy.measurements.conftest import call, menu

pytestmark = pytest.mark.django_db(transaction=True)

Taken = Callable[..., FixtureSet]
Measure = Callable[..., Measurement]
Scripted = Callable[..., ScriptedJudge]
ANSWERS = {"violates_restriction": {"noul": 0.2}, "missing_information": {"noul": 0.1}, "matches_task": {"noul": 0.9}}


def values(measurement: Measurement) -> list[object]:
    return [reading.values for reading in measurement.readings.all()]


def test_every_fixture_is_asked_by_the_engine_and_its_numbers_are_kept(
    taken: Taken, measure: Measure, scripted: Scripted
) -> None:
    scripted(ANSWERS)
    done = measure(taken(call("a"), call("b")))
    assert (done.state, done.done, done.requests, done.reused) == ("complete", 2, 2, 0)
    assert values(done)[0] == {"violates_restriction": 0.2, "missing_information": 0.1, "matches_task": 0.9}
    assert done.answered_model == "mock/one"
    assert {(entry.origin, entry.origin_id) for entry in LedgerEntry.objects.all()} == {("measurement", done.public_id)}


def test_a_selection_is_asked_about_every_category(taken: Taken, measure: Measure, scripted: Scripted) -> None:
    scripted({"rel_files": {"noul": 0.0}, "rel_mail": {"noul": 0.0}})
    done = measure(taken(menu("a", "files1")))
    (reading,) = done.readings.all()
    assert reading.values is not None
    assert [(each["category"], len(each["picks"])) for each in reading.values["categories"]] == [
        ("files", 1),
        ("mail", 1),
    ]
    assert len(reading.requests) == done.requests == 2


def test_a_second_measurement_of_the_same_asks_nothing(taken: Taken, measure: Measure, scripted: Scripted) -> None:
    judge = scripted(ANSWERS)
    kept = taken(call("a"), menu("b", "files1"))
    first, again = measure(kept), measure(kept)
    assert len(judge.requests) == first.requests == again.reused == 3
    assert again.requests == 0
    assert values(again) == values(first)


def test_a_fresh_measurement_asks_again(taken: Taken, measure: Measure, scripted: Scripted) -> None:
    judge = scripted(ANSWERS)
    kept = taken(call("a"))
    measure(kept)
    assert measure(kept, fresh=True).requests == 1
    assert len(judge.requests) == 2


def test_repeats_measure_noise(taken: Taken, measure: Measure, scripted: Scripted) -> None:
    scripted(lambda request, n: Script({"matches_task": {"noul": 0.5 + n / 10}}, model="mock/one"))
    done = measure(taken(call("a")), repeats=3)
    assert [(each.repeat, (each.values or {})["matches_task"]) for each in done.readings.all()] == [
        (0, 0.5),
        (1, 0.6),
        (2, 0.7),
    ]
    assert Answer.objects.count() == 3


def test_the_order_of_options_is_turned_and_only_where_there_is_one(
    taken: Taken, measure: Measure, scripted: Scripted
) -> None:
    judge = scripted({})
    done = measure(taken(call("a"), menu("b", "files1")), orders=["forward", "reversed", "shuffled"])
    assert [(each.row.fixture_id, each.order) for each in done.readings.all()] == [
        ("a", "forward"),
        ("b", "forward"),
        ("b", "reversed"),
        ("b", "shuffled"),
    ]
    asked = [each.to_wire()["questions"] for each in judge.requests]
    picks = [list(each["pick_files"]["criteria"]) for each in asked if "pick_files" in each]
    assert picks[:2] == [["files1", "files2", "__none__"], ["files2", "files1", "__none__"]]


def test_a_failed_fixture_is_counted_and_told(taken: Taken, measure: Measure, scripted: Scripted) -> None:
    broken = Script(error=Failure(FailureCode.TIMEOUT, "too slow"))
    scripted(lambda request, n: broken if n == 0 else Script(ANSWERS, model="mock/one"))
    done = measure(taken(call("a"), call("b")))
    assert (done.state, done.failed) == ("partial", 1)
    assert [(each.failure_code, each.values is None) for each in done.readings.all()] == [
        ("TIMEOUT", True),
        ("", False),
    ]
    assert "1 of 2 have no usable answer" in done.message


def test_failed_ones_are_asked_again_when_a_person_says_so(
    taken: Taken, measure: Measure, scripted: Scripted, owner: User
) -> None:
    scripted(error=Failure(FailureCode.CONNECTION, "no line"))
    done = measure(taken(call("a")))
    assert done.state == "failed"
    judge = scripted(ANSWERS)
    with inline.quietly():
        jobs.resume(done, by=owner, retry_failed=True)
    assert inline.finish(done).state == "complete"
    assert len(judge.requests) == 1


def test_a_dead_judge_ends_a_long_measurement_early(taken: Taken, measure: Measure, scripted: Scripted) -> None:
    judge = scripted(error=Failure(FailureCode.SERVER, "out of order"))
    done = measure(taken(*(call(f"c{n}") for n in range(40))))
    assert done.state == "failed"
    assert "20 failures in a row, the last one SERVER: out of order" in done.message
    assert len(judge.requests) == 20


def test_two_models_are_never_mixed(taken: Taken, measure: Measure, scripted: Scripted) -> None:
    scripted(lambda request, n: Script(ANSWERS, model="one" if n < 2 else "two"))
    done = measure(taken(call("a"), call("b"), call("c")))
    assert done.state == "failed"
    assert "answered as two after it had answered as one" in done.message
    assert done.readings.count() == 2
    assert done.answered_model == "one"


def test_stored_answers_give_way_to_a_new_model(taken: Taken, measure: Measure, scripted: Scripted) -> None:
    scripted(ANSWERS, model="old")
    measure(taken(call("a")))
    judge = scripted(ANSWERS, model="new")
    done = measure(taken(call("a"), call("b")))
    assert (done.state, done.answered_model, done.done) == ("complete", "new", 2)
    assert len(judge.requests) == 2


def test_a_request_whose_worker_was_lost_is_not_sent_again(taken: Taken, scripted: Scripted, owner: User) -> None:
    judge = scripted(ANSWERS)
    with inline.quietly():
        begun = jobs.start(taken(call("a"), call("b")), by=owner, origin="command", judge="scripted")
    sent = _digest(judge, begun)
    LedgerEntry.objects.create(
        call="c", attempt=1, origin="measurement", origin_id=begun.public_id, stage="assessment", judge="scripted",
        request_digest=sent, request="{}", request_bytes=1, status="sent",
    )  # fmt: skip
    done = inline.finish(begun)
    assert (done.state, done.failed, len(judge.requests)) == ("partial", 1, 1)
    assert "not repeated by itself" in done.readings.exclude(failure_code="").get().failure_message


def test_an_answer_that_only_the_ledger_has_is_used(taken: Taken, scripted: Scripted, measure: Measure) -> None:
    judge = scripted(ANSWERS)
    done = measure(taken(call("a")))
    Answer.objects.all().delete()
    Reading.objects.all().delete()
    Measurement.objects.filter(pk=done.pk).update(state="queued", done=0)
    done.refresh_from_db()
    assert inline.finish(done).state == "complete"
    assert len(judge.requests) == 1


def test_a_stop_keeps_what_is_measured_and_a_resume_asks_only_the_rest(
    taken: Taken, scripted: Scripted, owner: User
) -> None:
    def stopping(request: JudgeRequest, n: int) -> Script:
        if n == 1:
            jobs.stop(Measurement.objects.get(), by=owner)
        return Script(ANSWERS, model="mock/one")

    judge = scripted(stopping)
    with inline.quietly():
        begun = jobs.start(taken(*(call(f"c{n}") for n in range(4))), by=owner, origin="api", judge="scripted")
    stopped = inline.finish(begun)
    assert (stopped.state, stopped.done) == ("stopped", 2)
    with inline.quietly():
        jobs.resume(stopped, by=owner)
    assert (inline.finish(stopped).state, len(judge.requests)) == ("complete", 4)
    with pytest.raises(Conflict, match="nothing to stop"):
        jobs.stop(stopped, by=owner)


def test_a_worker_that_leaves_gives_the_rest_back(taken: Taken, scripted: Scripted, owner: User) -> None:
    def leave(request: JudgeRequest, n: int) -> Script:
        work.leaving.set()
        return Script(ANSWERS)

    scripted(leave)
    with inline.quietly():
        begun = jobs.start(taken(call("a"), call("b")), by=owner, origin="api", judge="scripted")
        work.work(begun.pk)
        work.leaving.clear()
    begun.refresh_from_db()
    assert (begun.state, begun.owner, begun.done) == ("measuring", "", 1)


def test_the_reaper_frees_what_a_lost_worker_held_and_gives_up_after_three(
    taken: Taken, scripted: Scripted, owner: User
) -> None:
    with inline.quietly():
        begun = jobs.start(taken(call("a")), by=owner, origin="api", judge="scripted")
        for lost in (1, 2, 3):
            past = timezone.now() - timedelta(seconds=1)
            Measurement.objects.update(owner="dead", lease_until=past, state="measuring")
            assert reap.reap() >= 1
            begun.refresh_from_db()
            assert (begun.owner, begun.lost) == ("", lost)
    assert begun.state == "failed"
    assert "lost 3 times" in begun.message


def test_the_same_is_not_measured_twice_at_once(taken: Taken, scripted: Scripted, owner: User) -> None:
    kept = taken(call("a"))
    with inline.quietly():
        jobs.start(kept, by=owner, origin="api", judge="scripted")
        with pytest.raises(Conflict, match="is being measured by scripted already"):
            jobs.start(kept, by=owner, origin="api", judge="scripted")


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"kinds": ["skil"]}, "There is no kind 'skil'"),
        ({"kinds": ["skill"]}, "has no fixture of the kind skill; it has assessment"),
        ({"orders": ["reversed"]}, "The order forward is what"),
        ({"repeats": 0}, "from 1 to 20"),
        ({"only": ["nope"]}, "has no fixture of assessment to measure"),
    ],
)
def test_what_cannot_be_measured_is_refused(taken: Taken, owner: User, terms: dict[str, object], said: str) -> None:
    with pytest.raises(Invalid, match=said):
        jobs.start(taken(call("a")), by=owner, origin="api", judge="scripted", **terms)  # type: ignore[arg-type]


def test_logged_probabilities_are_their_own_measurement(taken: Taken, measure: Measure, scripted: Scripted) -> None:
    judge = scripted()
    done = measure(taken({"id": "x", "probability": 0.3, "label": True}))
    assert (done.state, values(done), judge.requests) == ("complete", [{"noul": 0.3}], [])


def test_progress_tells_rate_and_rest_only_when_there_is_one(taken: Taken, owner: User) -> None:
    with inline.quietly():
        begun = jobs.start(taken(call("a"), call("b")), by=owner, origin="api", judge="scripted")
    assert (jobs.progress(begun).rate, jobs.progress(begun).left_s) == (None, None)
    begun.done, begun.worked_ms = 1, 500.0
    assert (jobs.progress(begun).rate, jobs.progress(begun).left_s) == (2.0, 0.5)


def _digest(judge: ScriptedJudge, measurement: Measurement) -> str:
    """The digest of the first request, which nobody has sent."""
    from policy.calibration import measuring
    from policy.measurements.units import units_of

    unit = next(units_of(measurement))
    return next(measuring.steps(unit.fixture, measuring.Options.from_json(measurement.options))).digest
