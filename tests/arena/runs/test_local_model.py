"""A run with a model file: its digest is part of the key, and a lane works with that very file or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.agents.gguf.model import ModelFailed, ModelSlow, Unwanted
from arena.errors import Invalid
from arena.models import Lane, LaneState, Run
from arena.runs import local_model, setup, start
from arena.runs.lane import work
from arena.runs.local_model import FileModel
from arena.runs.route import route
from policy.judges.gguf import file
from policy.judges.gguf.server import Server
from policy.people.models import User
from tests.policy.judges.gguf.fakes import asked, serving, written

Compare = Callable[..., Run]
READ = json.dumps({"tool": "read_file", "arguments": {"path": "src/sum.ts"}})
ANSWER = "sum gives back 0, see src/sum.ts."


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(file, "RUNTIME", "json")
    with serving() as made:
        monkeypatch.setattr(local_model, "shared", lambda: made)
        yield made
    file.use("")


def named(folder: Path, **script: Any) -> str:
    """The digest of a scripted file that is now the one in use."""
    model = written(folder, **script)
    file.use(str(model.path))
    return model.sha256


@pytest.mark.usefixtures("server")
def test_a_lane_of_the_agent_calls_answers_and_names_its_model(compare: Compare, tmp_path: Path) -> None:
    sha256 = named(tmp_path, texts=[READ, ANSWER])
    run = compare("read", arms=["full"], agent="gguf")
    lane = run.lanes.get()
    assert (lane.state, lane.answer) == (LaneState.COMPLETED, ANSWER)
    assert run.setup["local_model"] == sha256
    assert lane.metrics["model"] == f"scripted ({sha256[:8]})"
    assert lane.metrics["usage"]["input_tokens"] == 240
    assert lane.metrics["usage"]["source"] == "reported"


def test_the_file_is_part_of_the_comparison_key_and_absent_where_no_file_takes_part() -> None:
    one, other = setup.Setup(agent="gguf", local_model="a" * 64), setup.Setup(agent="gguf", local_model="b" * 64)
    keys = {each.comparison_key(case="c", world="w", catalog="t") for each in (one, other)}
    assert len(keys) == 2
    assert "local_model" not in setup.Setup().to_json()
    assert setup.Setup.from_json(one.to_json()) == one


def test_without_a_file_no_run_is_started(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "RUNTIME", "no_such_package")
    with pytest.raises(Invalid, match=r"The agent gguf cannot work: The package .* is not installed: run `make tiny`"):
        start.start("read", by=owner, origin="command", agent="gguf")
    with pytest.raises(Invalid, match="The judge gguf cannot work"):
        start.start("read", by=owner, origin="command", judge="gguf")
    assert not Run.objects.exists()


@pytest.mark.usefixtures("server")
def test_a_lane_whose_file_has_changed_fails_with_a_sentence(
    owner: User, unpublished: list[tuple[str, int]], tmp_path: Path
) -> None:
    named(tmp_path, texts=[READ, ANSWER])
    run = start.start("read", by=owner, origin="command", arms=["full"], agent="gguf")
    named(tmp_path, texts=[ANSWER])
    route(run.pk)
    work(run.lanes.get().pk)
    lane = Lane.objects.get(run=run)
    assert lane.state == LaneState.FAILED
    assert lane.message.startswith("The model file has changed since the run was started: it was ")


@pytest.mark.usefixtures("server")
def test_the_same_again_wants_the_same_file(owner: User, unpublished: list[tuple[str, int]], tmp_path: Path) -> None:
    sha256 = named(tmp_path)
    run = start.start("read", by=owner, origin="command", arms=["full"], agent="gguf")
    assert start.again(run, by=owner, origin="command").setup["local_model"] == sha256
    named(tmp_path, texts=["another"])
    with pytest.raises(Invalid, match="has changed since the run was started"):
        start.again(run, by=owner, origin="command")


def read(model: FileModel, *, timeout_s: float = 30, stop: Callable[[], bool] = lambda: False) -> Any:
    messages = [{"role": "user", "content": "?"}]
    pieces = model.write(messages, schema={"type": "object"}, max_tokens=9, timeout_s=timeout_s, cancelled=stop)
    while True:
        try:
            next(pieces)
        except StopIteration as done:
            return done.value


def test_a_request_is_deterministic_streamed_and_held_to_its_schema(server: Server, tmp_path: Path) -> None:
    model = written(tmp_path, texts=["{}"], cut=True)
    found = read(FileModel(model, server))
    assert (found.text, found.cut, found.input_tokens, found.cached_tokens, found.output_tokens) == (
        "{}", True, 120, 100, 20,
    )  # fmt: skip
    body = asked(model)[0]["body"]
    assert (body["temperature"], body["stream"], body["max_tokens"]) == (0, True, 9)
    assert body["response_format"]["json_schema"]["schema"] == {"type": "object"}


@pytest.mark.parametrize(
    ("script", "error", "code"),
    [
        ({"texts": ["x"], "dies": True}, "died in the middle", "model"),
        ({"texts": ["x"], "breaks_off": True}, "broke off", "model"),
        ({"refuses_to_load": "no memory"}, "could not be loaded: no memory", "model"),
        (
            {"status": 400, "message": "request (9000 tokens) exceeds the available context size (8192 tokens)"},
            "do not fit into the context",
            "context",
        ),
        ({"status": 400, "message": "failed to parse grammar"}, "refused the request: failed to parse", "refused"),
    ],
)
def test_every_trouble_of_the_server_is_a_sentence(
    server: Server, tmp_path: Path, script: dict[str, Any], error: str, code: str
) -> None:
    with pytest.raises(ModelFailed, match=error) as failed:
        read(FileModel(written(tmp_path, **script), server))
    assert failed.value.code == code
    assert str(failed.value).endswith(".")


def test_time_and_a_stop_end_a_request(server: Server, tmp_path: Path) -> None:
    model = FileModel(written(tmp_path, texts=["one", "two"], token_s=30), server)
    with pytest.raises(Unwanted):
        read(model, stop=lambda: server.pid is not None)
    with pytest.raises(ModelSlow):
        read(model, timeout_s=0.2)
