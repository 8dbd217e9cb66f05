"""The process that holds the model: started late, asked behind a key, ended with us, and missed when it dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from policy.judges.gguf import server as servers
from policy.judges.gguf.server import Server, ServerFault
from policy.judges.http import loopback
from policy.judges.http.loopback import Loopback
from tests.policy.judges.gguf.fakes import CHILD, serving, written

CHAT = "/v1/chat/completions"
STREAMED = {"stream": True, "messages": []}
ASKED = {"messages": [{"role": "user", "content": "?"}]}


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


def gone(pid: int) -> bool:
    """Whether the process ends within ten seconds."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False


def never() -> bool:
    return False


def test_the_process_starts_with_the_first_question_and_ends_when_closed(tmp_path: Path, server: Server) -> None:
    model = written(tmp_path)
    assert server.pid is None
    assert server.post(model, CHAT, ASKED, timeout_s=30)["usage"]["prompt_tokens"] == 90
    pid = server.pid
    assert pid is not None
    server.post(model, CHAT, ASKED, timeout_s=30)
    assert server.pid == pid
    server.close()
    assert gone(pid)


def test_pieces_come_as_they_were_written_however_they_are_cut(tmp_path: Path, server: Server) -> None:
    text = "Grüße, \n\n„data: [DONE]“ and {}"
    model = written(tmp_path, texts=[text])
    events = list(server.stream(model, CHAT, STREAMED, timeout_s=30, cancelled=never))
    pieces = [choice["delta"].get("content") or "" for event in events for choice in event["choices"]]
    assert "".join(pieces) == text


def test_nobody_without_the_key_is_answered(tmp_path: Path, server: Server) -> None:
    model = written(tmp_path)
    server.post(model, CHAT, ASKED, timeout_s=30)
    assert server._child is not None
    assert server._child.wire is not None
    with pytest.raises(loopback.Refused, match="Invalid API Key") as refused:
        Loopback(server._child.wire.port, "a guess").post(CHAT, ASKED, timeout_s=30)
    assert refused.value.status == 401


def test_a_server_that_dies_is_told_and_the_next_question_starts_another(tmp_path: Path, server: Server) -> None:
    model = written(tmp_path, texts=["a long answer"], dies=True)
    with pytest.raises(ServerFault, match="died in the middle of an answer"):
        list(server.stream(model, CHAT, STREAMED, timeout_s=30, cancelled=never))
    assert server.post(model, CHAT, ASKED, timeout_s=30)["choices"]


def test_an_answer_that_breaks_off_is_no_answer(tmp_path: Path, server: Server) -> None:
    model = written(tmp_path, texts=["a long answer"], breaks_off=True)
    with pytest.raises(loopback.Unreachable, match="broke off"):
        list(server.stream(model, CHAT, STREAMED, timeout_s=30, cancelled=never))


def test_a_file_that_cannot_be_loaded_is_told_with_the_reason(tmp_path: Path, server: Server) -> None:
    model = written(tmp_path, refuses_to_load="RuntimeError: unknown architecture")
    with pytest.raises(ServerFault, match=r"scripted .* could not be loaded: RuntimeError: unknown architecture"):
        server.post(model, CHAT, ASKED, timeout_s=30)


def test_who_has_no_time_left_goes_and_the_loading_goes_on(tmp_path: Path, server: Server) -> None:
    model = written(tmp_path, loads_for_s=1)
    with pytest.raises(loopback.OutOfTime, match="still being loaded"):
        server.post(model, CHAT, ASKED, timeout_s=0.2)
    pid = server.pid
    assert server.post(model, CHAT, ASKED, timeout_s=30)["choices"]
    assert server.pid == pid


def test_a_model_that_loads_for_too_long_is_given_up(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "START_S", 0.1)
    with pytest.raises(ServerFault, match="could not be loaded: it was not ready within"):
        server.post(written(tmp_path, loads_for_s=60), CHAT, ASKED, timeout_s=0.5)


def test_time_and_a_stop_are_heard_while_nothing_comes(tmp_path: Path, server: Server) -> None:
    model = written(tmp_path, texts=["one", "two"], token_s=20)
    server.post(model, CHAT, ASKED, timeout_s=30)
    with pytest.raises(loopback.OutOfTime):
        list(server.stream(model, CHAT, STREAMED, timeout_s=0.3, cancelled=never))
    began = time.monotonic()
    with pytest.raises(loopback.Called):
        list(server.stream(model, CHAT, STREAMED, timeout_s=60, cancelled=lambda: time.monotonic() > began + 0.3))
    assert time.monotonic() < began + 15


def test_another_file_gets_another_process(tmp_path: Path, server: Server) -> None:
    server.post(written(tmp_path), CHAT, ASKED, timeout_s=30)
    before = server.pid
    server.post(written(tmp_path, leanings={}), CHAT, ASKED, timeout_s=30)
    assert before is not None
    assert server.pid != before
    assert gone(before)


def test_a_process_that_serves_pages_loads_nothing(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "_forbidden", "It answers in workers only.")
    with pytest.raises(ServerFault, match="in workers only"):
        server.post(written(tmp_path), CHAT, ASKED, timeout_s=30)
    assert server.pid is None


def test_the_process_ends_however_its_worker_ends(tmp_path: Path) -> None:
    model = written(tmp_path)
    script = (
        "import time; from pathlib import Path; from policy.judges.gguf import file; "
        f"from policy.judges.gguf.server import Server; s = Server(program={CHILD!r}); "
        f"s.post(file.look(Path({str(model.path)!r})), {CHAT!r}, {ASKED!r}, timeout_s=30); "
        "print(s.pid, flush=True); time.sleep(60)"
    )
    worker = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=servers.ROOT)
    assert worker.stdout is not None
    with worker.stdout:
        pid = int(worker.stdout.readline())
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert gone(pid)


def test_no_key_of_ours_goes_to_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TYPESAFE_API_KEY", "sk-secret")
    monkeypatch.setenv("HF_TOKEN", "hf-secret")
    assert not {"TYPESAFE_API_KEY", "HF_TOKEN"} & set(servers._surroundings())
