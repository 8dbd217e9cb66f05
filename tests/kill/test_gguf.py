"""With the extra and the small file of `make tiny`: the real model as agent and as judge, ended with its process."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from arena.agents.gguf import grammar
from arena.agents.gguf.model import ModelFailed, Unwanted, Written
from arena.models import LaneState, Run
from arena.runs import local_model
from arena.runs.local_model import FileModel
from policy.engine.contract import validate
from policy.engine.judge import JudgeRequest
from policy.engine.questions import Choice, Noul, Questions
from policy.judges.gguf import file
from policy.judges.gguf.judge import GgufJudge
from policy.judges.gguf.server import Server
from tests.arena.agents.desk import TOOLS
from tests.policy.judges.gguf.test_server import gone

HERE = all(importlib.util.find_spec(name) for name in (file.RUNTIME, file.TINY))
pytestmark = pytest.mark.skipif(not HERE, reason="the extra gguf and the small file are not here: make tiny")
LONG_S = 600


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server()
    yield made
    pid = made.pid
    made.close()
    assert pid is None or gone(pid)


@pytest.fixture
def model(server: Server) -> FileModel:
    return FileModel(file.found(), server)


def read(model: FileModel, text: str, *, stop: Callable[[], bool] = lambda: False, **options: Any) -> Written:
    messages = [{"role": "user", "content": text}]
    given = {"schema": None, "max_tokens": 60, "timeout_s": LONG_S, **options}
    pieces = model.write(messages, cancelled=stop, **given)
    while True:
        try:
            next(pieces)
        except StopIteration as done:
            written: Written = done.value
            return written


def test_the_file_is_known() -> None:
    assert file.found().name == "SmolLM2-135M-Instruct Q4_1"


def test_a_grammar_holds_the_model_to_the_menu(model: FileModel) -> None:
    written = read(model, "Open the page a/b.md of the notebook.", schema=grammar.of(TOOLS), max_tokens=200)
    if not written.cut:
        reply = grammar.read(written.text)
        assert not isinstance(reply, grammar.Call) or reply.tool in {tool.id for tool in TOOLS}
    assert written.input_tokens


def test_a_stop_ends_the_computing(model: FileModel, server: Server) -> None:
    looks = iter(range(1_000))
    with pytest.raises(Unwanted):
        read(model, "Count to one thousand.", max_tokens=2_000, stop=lambda: next(looks) > 20)
    assert read(model, "Say hello.", max_tokens=5).output_tokens


def test_a_prompt_that_does_not_fit_is_told(model: FileModel) -> None:
    with pytest.raises(ModelFailed, match="do not fit into the context") as failed:
        read(model, "word " * 9_000)
    assert failed.value.code == "context"


def test_a_lane_runs_to_its_end_with_reported_usage(
    compare: Callable[..., Run], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_model, "shared", lambda: server)
    lane = compare("read", arms=["full"], agent="gguf", menu_size=3).lanes.get()
    assert lane.state in (LaneState.COMPLETED, LaneState.FAILED)
    assert lane.metrics["model"] == "SmolLM2-135M-Instruct Q4_1"
    assert lane.metrics["usage"]["source"] == "reported"
    assert lane.metrics["usage"]["input_tokens"] > 100


def test_the_judge_answers_within_its_contract(server: Server) -> None:
    offered: dict[str, str | None] = {**{tool.id: tool.description for tool in TOOLS}, "__none__": None}
    questions: Questions = {
        "pick": Choice("Which tool serves the task?", offered),
        "relevant": Noul("Is the category notebook relevant?", true="Pages of a notebook.", false="Anything else."),
    }
    request = JudgeRequest({"task": "Open the page a/b.md."}, questions, "pick")
    reply = GgufJudge(server=lambda: server).ask(request, timeout_s=LONG_S)
    assert validate(reply.body, questions).failure is None
    assert json.loads(reply.raw)["usage"]["input_tokens"] > 0
