"""Our own judges behind HTTP ask our own gateway: there and back, each answer to the last digit."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from policy.engine.contract import validate
from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeRequest
from policy.engine.questions import Choice, Noul, Score
from policy.judges import registry
from policy.judges.attempts import WatchedJudge
from policy.judges.http.retries import NO_RETRIES
from policy.judges.keys import Key
from policy.judges.settings import JudgeSettings
from policy.models import LedgerEntry
from tests.policy.gateway.conftest import Plays

REQUEST = JudgeRequest(
    {"task": "Show me the error log of last night"},
    {
        "go": Noul("Is the category relevant for the task?", true="Logs and errors.", false="Anything else."),
        "tool": Choice("Which tool?", {"read_log": "Reads the error log.", "send_mail": None}),
        "risk": Score("How bad?", ("none", "some", "much")),
    },
    "test",
)
Make = Callable[..., WatchedJudge]


@pytest.fixture(params=["typesafe", "compatible"])
def asks(request: pytest.FixtureRequest, site: str, token: str) -> Iterator[Make]:
    """`asks(model)` is an HTTP judge of ours that has this site for its far side."""
    made: list[WatchedJudge] = []

    def make(model: str = "local") -> WatchedJudge:
        settings = JudgeSettings(request.param, base_url=site, model=model, retries=NO_RETRIES)
        made.append(registry.make(settings, key=Key(token)))
        return made[-1]

    yield make
    for judge in made:
        judge.close()


def test_what_the_judge_said_here_is_what_arrives_there(asks: Make) -> None:
    far = asks().ask(REQUEST, timeout_s=60)
    here = registry.get("local").ask(REQUEST, timeout_s=60)
    assert validate(far.body, REQUEST.questions).to_json() == validate(here.body, REQUEST.questions).to_json()
    row = LedgerEntry.objects.get()
    assert row.request == REQUEST.to_wire()
    assert row.request_digest == REQUEST.digest


@pytest.mark.parametrize("code", [FailureCode.RATE_LIMIT, FailureCode.BAD_REQUEST, FailureCode.AUTHENTICATION])
def test_a_failure_here_is_the_same_failure_there(asks: Make, scripted: Plays, code: FailureCode) -> None:
    scripted(error=Failure(code, "no"))
    with pytest.raises(JudgeFailed) as failed:
        asks("scripted").ask(REQUEST, timeout_s=60)
    assert failed.value.failure.code is code


def test_an_unknown_model_says_what_there_is(asks: Make) -> None:
    with pytest.raises(JudgeFailed, match=r"Unknown model: other\. Ask for one of jev-latest, local"):
        asks("other").ask(REQUEST, timeout_s=60)
