"""Judges behind HTTP through the gateway: what they are sent, what is passed on, what is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from jevcompat.mock import MockConfig, Running

from policy.gateway.views import CACHE_HEADER
from policy.judges.keys import Key
from policy.models import LedgerEntry, StoredAnswer
from policy.people import provider_keys
from policy.people.models import User
from policy.services import judges
from tests.policy.gateway.conftest import CHOICE, NOUL, SCORE, Post, body
from tests.policy.judges.http.far_side import Act, FarSide, far_side, nobody, resets, says

ANSWERS: dict[str, Any] = {
    "refund": {"type": "noul", "noul": 0.9, "confidence": 0.8},
    "team": {"type": "choice", "choice": "Sales", "confidence": 0.3, "probabilities": {"Sales": 0.5, "Billing": 0.49}},
}
ASKED = body(model="compatible/house-1", questions={"refund": NOUL, "team": CHOICE})
Far = Callable[..., FarSide]


@pytest.fixture
def far(owner: User) -> Iterator[Far]:
    """`far(act, ...)` is the compatible server of this person."""
    with ExitStack() as stack:

        def connected(*acts: Act) -> FarSide:
            side = stack.enter_context(far_side(*acts))
            judges.connect(provider="compatible", base=side.url, by=owner)
            return side

        yield connected
        judges.close_all()


def reply(**changes: Any) -> dict[str, Any]:
    return {"model": "house-1.0", "answers": ANSWERS, "usage": {"input_tokens": 7, "output_tokens": 2}, **changes}


def test_the_request_arrives_as_it_came_under_the_model_that_was_named(far: Far, post: Post) -> None:
    side = far(says(200, reply()))
    questions = {"team": {**CHOICE, "instructions": ["Route.", {"one": True}]}, "refund": NOUL}
    assert post({**ASKED, "questions": questions, "state": [1, {"a": None}]}).status_code == 200
    assert json.loads(side.visits[0].body) == {"model": "house-1", "state": [1, {"a": None}], "questions": questions}


def test_the_answers_are_the_published_ones_without_what_the_contract_does_not_know(far: Far, post: Post) -> None:
    far(says(200, reply(routing="x")))
    answered = post(ASKED).json()
    assert answered["answers"]["refund"] == {"type": "noul", "noul": 0.9}
    assert answered["answers"]["team"] == ANSWERS["team"]
    assert answered.keys() == {"model", "answers", "usage", "x_judge", "x_token_source"}
    assert (answered["model"], answered["x_judge"]) == ("house-1.0", "compatible")


def test_tokens_that_nobody_reported_are_unknown_and_not_0(far: Far, post: Post) -> None:
    far(says(200, reply(usage=None)))
    assert post(ASKED).json()["usage"] == {"input_tokens": None, "output_tokens": None}


@pytest.mark.parametrize(
    ("sent", "got"),
    [
        (says(400, {"detail": {"error_type": "max_tokens_exceeded"}}), (400, "max_tokens_exceeded", None)),
        (says(401, {"detail": "no"}), (401, "authentication_error", None)),
        (says(402, {"detail": "no"}), (402, "insufficient_credits", None)),
        (says(403, {"detail": "no"}), (403, "authentication_error", None)),
        (says(404, b"nothing here"), (404, "not_found", None)),
        (says(413, b""), (400, "max_tokens_exceeded", None)),
        (says(422, {"detail": [{"loc": ["body"], "msg": "m", "type": "t"}]}), (400, "api_usage_error", None)),
        (says(429, {"detail": "slow"}, Retry_After="9"), (429, "rate_limit_error", "2")),
        (says(500, b"Traceback"), (502, "upstream_error", None)),
        (says(503, {"detail": "busy"}), (503, "overloaded_error", "2")),
        (says(529, {"detail": "busy"}), (529, "overloaded_error", "2")),
        (says(200, b"<html>"), (502, "upstream_error", None)),
        (says(200, {"answers": {}}), (502, "upstream_error", None)),
        (resets, (502, "upstream_error", None)),
    ],
)
def test_what_went_wrong_there_has_its_status_here_after_one_request(
    sent: Act, got: tuple[int, str, str | None], far: Far, post: Post
) -> None:
    side = far(sent)
    refused = post(ASKED)
    assert (refused.status_code, refused.json()["detail"]["error_type"], refused.get("Retry-After")) == got
    assert len(side.visits) == 1
    assert LedgerEntry.objects.count() == 1


def test_a_server_that_is_not_there_is_a_bad_gateway(owner: User, post: Post) -> None:
    judges.connect(provider="compatible", base=nobody(), by=owner)
    assert post(ASKED).status_code == 502
    judges.close_all()


def test_a_stored_answer_serves_only_whoever_asks_for_it(far: Far, post: Post) -> None:
    side = far(says(200, reply()))
    assert "x_cached_at" not in post(ASKED).json()
    assert not StoredAnswer.objects.exists()
    first = post(ASKED, **{CACHE_HEADER: "use"}).json()
    again = post(ASKED, **{CACHE_HEADER: "use"}).json()
    assert again.pop("x_cached_at").endswith("Z")
    assert again == first
    assert len(side.visits) == 2
    assert [row.cached_at is not None for row in LedgerEntry.objects.all()] == [False, False, True]


def test_nothing_is_stored_of_a_judge_of_this_machine(post: Post) -> None:
    assert post(body(), **{CACHE_HEADER: "use"}).status_code == 200
    assert not StoredAnswer.objects.exists()


def test_a_wish_that_is_not_understood_is_refused(post: Post) -> None:
    refused = post(body(), **{CACHE_HEADER: "yes please"})
    assert refused.status_code == 400
    assert "may say use" in refused.json()["detail"]["message"]


@pytest.mark.parametrize(
    "fault", ["nan", "choice-sum", "choice-key-case", "score-argmax", "noul-range", "legend-1-based"]
)
def test_a_server_that_breaks_the_contract_is_never_passed_on(fault: str, owner: User, post: Post) -> None:
    """The reference server with one fault at a time: a valid answer of ours, or a bad gateway."""
    with Running(MockConfig(faults=frozenset({fault}))) as mock:
        judges.connect(provider="compatible", base=mock.url, by=owner)
        answered = post(body(model="compatible", questions={"a": NOUL, "b": CHOICE, "c": SCORE}))
        judges.close_all()
    if answered.status_code == 200:
        assert answered.json()["answers"]["c"]["legend"] == {"0": "Calm", "1": "Cross", "2": "Furious"}
    else:
        assert answered.status_code == 502
    assert (answered.status_code == 200) is (fault == "legend-1-based")


def test_a_server_that_takes_texts_only_gets_texts(owner: User, post: Post) -> None:
    provider_keys.save(provider="openrouter", key=Key("sk-or-test"), by=owner)
    question = {"type": "choice", "instructions": ["Route.", "Once."], "criteria": {"a": {"owns": "b"}, "c": None}}
    answer = {"type": "choice", "choice": "a", "confidence": 1, "probabilities": {"a": 1, "c": 0}}
    with far_side(says(200, reply(answers={"team": answer}))) as side:
        judges.connect(provider="openrouter", base=side.url, by=owner)
        answered = post(body(model="openrouter/jev-1.13.0", questions={"team": question}))
        judges.close_all()
    assert answered.json()["answers"]["team"] == answer
    sent = json.loads(side.visits[0].body)
    assert sent["model"] == "typesafe/jev-1.13"
    assert sent["questions"]["team"] == {
        "type": "choice",
        "instructions": "Route.\nOnce.",
        "criteria": {"a": "owns: b", "c": "c"},
    }
