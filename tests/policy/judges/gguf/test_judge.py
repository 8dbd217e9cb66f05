"""The judge over a server that the tests own: what it asks, how it answers, and every way to fail."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from policy.engine.contract import validate
from policy.engine.failures import FailureCode, JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.questions import Choice, Noul, Questions, Score
from policy.judges import registry
from policy.judges.gguf import server as servers
from policy.judges.gguf.file import NoModel
from policy.judges.gguf.judge import CHAT, SYSTEM_ONE, GgufJudge
from policy.judges.gguf.known import Platt
from policy.judges.gguf.server import Server
from tests.policy.judges.gguf.fakes import asked, in_use, serving, written

TASK = "Which customers bought the blue vase?"
TOOLS = {f"tool_{number}": f"Does thing number {number} with pots." for number in range(12)}
OFFERED = {**TOOLS, "find_buyers": "Customers who bought a product.", "__none__": None}
PICK = Choice("Which tool serves the task?", OFFERED)
RELEVANT = Noul("Is the category relevant?", true="Orders and customers.", false="Anything else.")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


def ask(
    server: Server, folder: Path, questions: Questions, *, timeout_s: float = 30, fitted: Any = None, **script: Any
) -> JudgeReply:
    model = written(folder, **script)
    judge = GgufJudge(server=lambda: server, model=lambda: model, constants=fitted)
    return judge.ask(JudgeRequest({"task": TASK}, questions, "pick"), timeout_s=timeout_s)


def test_a_choice_asks_about_eight_options_and_keeps_the_contract(server: Server, tmp_path: Path) -> None:
    reply = ask(server, tmp_path, {"pick": PICK}, leanings={"find_buyers": 8.0, "Candidate": -8.0})
    answer = reply.body["answers"]["pick"]
    assert answer["choice"] == "find_buyers"
    assert validate(reply.body, {"pick": PICK}).failure is None
    sent = [each["body"] for each in asked(in_use(tmp_path)) if each["path"] == CHAT]
    questions = [body["messages"][-1]["content"] for body in sent]
    assert len(questions) == 8
    assert all(TASK in question for question in questions)
    assert "5 options were too far from the state" in reply.notes[0]


def test_none_is_chosen_where_the_model_denies_every_option(server: Server, tmp_path: Path) -> None:
    reply = ask(server, tmp_path, {"pick": PICK}, leanings={"Candidate": -8.0})
    assert reply.body["answers"]["pick"]["choice"] == "__none__"


def test_a_noul_is_one_question_read_with_the_constants_of_its_kind(server: Server, tmp_path: Path) -> None:
    fitted = {"relevance": Platt(2.0, -1.0)}
    reply = ask(server, tmp_path, {"r": RELEVANT}, fitted=fitted, leanings={"Orders": 1.5})
    assert reply.body["answers"]["r"]["noul"] == pytest.approx(1 / (1 + math.exp(-2.0)), abs=1e-6)
    assert not any("not calibrated" in note for note in reply.notes)


def test_an_unknown_file_says_that_nothing_is_fitted_for_it(server: Server, tmp_path: Path) -> None:
    reply = ask(server, tmp_path, {"r": RELEVANT})
    assert any("No constants are fitted for scripted" in note and "relevance" in note for note in reply.notes)


def test_a_score_is_that_of_closeness_and_says_so(server: Server, tmp_path: Path) -> None:
    questions = {"risk": Score("How risky is it?", ("harmless", "risky"))}
    reply = ask(server, tmp_path, questions)
    assert validate(reply.body, questions).failure is None
    assert any("risk: the score is that of judge local" in note for note in reply.notes)
    assert not [each for each in asked(in_use(tmp_path)) if each["path"] == CHAT]


def test_usage_is_what_the_server_reported(server: Server, tmp_path: Path) -> None:
    reply = ask(server, tmp_path, {"r": RELEVANT, "again": RELEVANT})
    assert reply.body["usage"] == {"input_tokens": 180, "output_tokens": 2}
    assert reply.token_source == "reported"


def test_a_decision_model_is_asked_in_its_own_way(server: Server, tmp_path: Path) -> None:
    answers = {"model": "laya", "answers": {"r": {"type": "noul", "noul": 0.25}}, "usage": {}}
    reply = ask(server, tmp_path, {"r": RELEVANT}, decides=answers)
    assert reply.body == answers
    sent = asked(in_use(tmp_path))
    assert {each["path"] for each in sent} == {SYSTEM_ONE}
    assert sent[-1]["body"]["questions"] == {"r": RELEVANT.to_wire()}
    assert sent[-1]["body"]["state"] == {"task": TASK}


def test_what_kind_of_file_it_is_is_asked_once(server: Server, tmp_path: Path) -> None:
    ask(server, tmp_path, {"r": RELEVANT})
    ask(server, tmp_path, {"r": RELEVANT})
    assert [each["path"] for each in asked(in_use(tmp_path))].count(SYSTEM_ONE) == 1


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        ({"refuses_to_load": "no memory"}, FailureCode.SERVER, "could not be loaded: no memory"),
        ({"status": 400, "message": "exceeds the context"}, FailureCode.BAD_REQUEST, "refused the question: exceeds"),
        ({"status": 500, "message": "broken"}, FailureCode.SERVER, "broken"),
        ({"loads_for_s": 60}, FailureCode.TIMEOUT, "was not done within 0.5 s"),
    ],
)
def test_every_trouble_is_a_typed_failure(
    server: Server, tmp_path: Path, script: dict[str, Any], code: FailureCode, said: str
) -> None:
    with pytest.raises(JudgeFailed) as failed:
        ask(server, tmp_path, {"r": RELEVANT}, timeout_s=30 if "loads_for_s" not in script else 0.5, **script)
    assert failed.value.failure.code is code
    assert said in failed.value.failure.message


def test_without_a_file_nothing_is_sent() -> None:
    def none() -> Any:
        raise NoModel("No GGUF file is named.")

    with pytest.raises(JudgeFailed, match="No GGUF file is named") as failed:
        GgufJudge(model=none).ask(JudgeRequest("state", {"r": RELEVANT}, "pick"), timeout_s=1)
    assert failed.value.failure.code is FailureCode.INVALID_CONFIG
    assert failed.value.failure.unsent


def test_a_page_gets_a_sentence_instead_of_a_model(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "_forbidden", "The judge gguf answers in workers only.")
    with pytest.raises(JudgeFailed, match="in workers only") as failed:
        ask(server, tmp_path, {"r": RELEVANT})
    assert failed.value.failure.code is FailureCode.INVALID_CONFIG
    assert server.pid is None


def test_the_registry_has_it_with_a_profile_of_its_own() -> None:
    info = registry.info("gguf")
    assert (info.leaves_machine, info.in_workers) == (False, True)
    assert registry.profile("gguf").name == "gguf"
    assert registry.profile("gguf").limits.budget_ms == 120_000
    assert registry.get("gguf").name == "gguf"
