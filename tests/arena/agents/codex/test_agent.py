"""Codex CLI as a lane's agent, played by a program: what it may see, how it ends, and that nothing of it is left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from arena.agents.agent import CallOutcome, Ending, Limits, Progress, Rejected, Said, Thinking, Usage
from arena.agents.codex.connection import KEY_NAME, Connection
from arena.agents.codex.home import opened
from arena.agents.codex.process import MOST_OUTPUT_BYTES
from arena.agents.prompt import PROMPT
from arena.library import library
from arena.mcp.bridge import KEY
from tests.arena.agents.codex.lane import PROVIDER, Box, Stop, alive, until, work
from tests.arena.agents.codex.playing import calls, done, program, says, thinks

READ = calls("read_file", path="src/sum.ts")
SIGN_IN = '{"tokens": {"access_token": "at-old"}, "last_refresh": "2026-11-01"}'
RENEWED = '{"tokens": {"access_token": "at-new"}, "last_refresh": "2026-12-01"}'


def folders() -> set[str]:
    return {name for name in os.listdir(tempfile.gettempdir()) if name.startswith("jev-lane-")}


def noted(path: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(path.read_text())
    return kept


def test_a_lane_from_the_task_to_the_answer(tmp_path: Path) -> None:
    box, note = Box(), tmp_path / "note"
    plan = [READ, thinks("Now I know."), READ, {"note": str(note)}, says("sum([2, 3]) is 5, see src/sum.ts."), done()]
    events, result = work(program(tmp_path / "codex", plan), box)
    assert box.made == [("read_file", {"path": "src/sum.ts"})] * 2
    assert box.threads == {threading.get_ident()}
    assert result.ending is Ending.ANSWERED
    assert result.text == "sum([2, 3]) is 5, see src/sum.ts."
    assert result.usage == Usage(900, 40, 300, 0, 8)
    assert result.steps == 2
    assert result.first_tool_ms is not None
    assert [event.note for event in events if isinstance(event, Thinking)] == [
        "Codex CLI 0.171.0 reads the task",
        "Now I know.",
    ]
    assert Said(result.text) in events
    assert events[-1] == Progress(result.usage)
    [first, second] = noted(note)["results"]
    assert "reduce" in first["content"][0]["text"]
    assert not second["isError"]


def test_it_sees_nothing_of_the_machine_but_its_lane(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-machine")
    note, before = tmp_path / "note", folders()
    work(program(tmp_path / "codex", [{"note": str(note)}, says("Done."), done()]), Box())
    seen = noted(note)
    assert set(seen["environment"]) - {"LC_CTYPE"} <= {
        *("PATH", "LANG", "HOME", "CODEX_HOME", "TMPDIR", "NODE_ENV", KEY, KEY_NAME)
    }
    assert seen["environment"][KEY_NAME] == PROVIDER.key
    assert seen["environment"]["HOME"] == seen["environment"]["CODEX_HOME"]
    assert (seen["home"], seen["homes"], seen["work"]) == ("0o700", [], [])
    assert Path(seen["cwd"]).parent == Path(seen["environment"]["HOME"]).parent
    assert seen["menu"] == ["read_file", "propose_patch"]
    assert seen["prompt"].startswith(PROMPT)
    assert "Read src/sum.ts." in seen["prompt"]
    words = " ".join(seen["line"])
    for secret in (PROVIDER.key, seen["environment"][KEY], "Read src/sum.ts."):
        assert secret not in words
    assert folders() == before


def test_its_tools_are_the_menus_and_approved_and_it_cannot_do_without(tmp_path: Path) -> None:
    note = tmp_path / "note"
    work(program(tmp_path / "codex", [{"note": str(note)}, says("Done."), done()]), Box())
    seen = noted(note)
    assert seen["line"][:2] == ["exec", "--json"]
    assert {"--ignore-user-config", "--ignore-rules", "--skip-git-repo-check", "read-only"} <= set(seen["line"])
    server = seen["settings"]["mcp_servers.lane"]
    assert (server["required"], server["default_tools_approval_mode"]) == (True, "approve")
    assert [name for name in seen["settings"] if name.startswith("mcp_servers")] == ["mcp_servers.lane"]
    assert seen["settings"]["web_search"] == "disabled"
    for feature in ("shell_tool", "unified_exec", "plugins", "apps", "hooks", "multi_agent", "view_image", "goals"):
        assert seen["settings"][f"features.{feature}"] is False
    assert seen["settings"]["model_providers.own"] == {
        "name": "own",
        "base_url": PROVIDER.address,
        "wire_api": "responses",
        "env_key": KEY_NAME,
    }


def test_a_sign_in_is_copied_and_written_back_when_it_was_renewed(tmp_path: Path) -> None:
    mine, note = tmp_path / "auth.json", tmp_path / "note"
    mine.write_text(SIGN_IN)
    plan = [{"note": str(note)}, {"renew": RENEWED}, says("Done."), done()]
    work(program(tmp_path / "codex", plan), Box(), connection=Connection(sign_in=mine))
    seen = noted(note)
    assert seen["homes"] == ["auth.json"]
    assert seen["modes"] == {"auth.json": "0o600"}
    assert KEY_NAME not in seen["environment"]
    assert mine.read_text() == RENEWED


def test_somebody_elses_renewal_is_kept_and_it_is_said(tmp_path: Path) -> None:
    mine = tmp_path / "auth.json"
    mine.write_text(SIGN_IN)

    def meanwhile(_: str) -> None:
        mine.write_text(SIGN_IN.replace("at-old", "at-other"))

    plan = [READ, {"renew": RENEWED}, says("Done."), done()]
    events, _ = work(program(tmp_path / "codex", plan), Box(meanwhile), connection=Connection(sign_in=mine))
    assert "at-other" in mine.read_text()
    notes = [event.note for event in events if isinstance(event, Thinking)]
    assert "theirs was kept" in notes[-1]


def test_a_broken_sign_in_never_replaces_a_good_one(tmp_path: Path) -> None:
    mine = tmp_path / "auth.json"
    mine.write_text(SIGN_IN)
    plan = [{"renew": "{}"}, says("Done."), done()]
    work(program(tmp_path / "codex", plan), Box(), connection=Connection(sign_in=mine))
    assert mine.read_text() == SIGN_IN


@pytest.mark.parametrize("content", [None, "no json", '{"tokens": null}', "x" * 70_000])
def test_without_a_sign_in_nothing_is_started(tmp_path: Path, content: str | None) -> None:
    mine = tmp_path / "auth.json"
    if content is not None:
        mine.write_text(content)
    _, result = work(program(tmp_path / "codex", [done()]), Box(), connection=Connection(sign_in=mine))
    assert (result.ending, result.fault, result.code) == (Ending.FAILED, "host", "unusable")
    assert "codex login" in result.text


@pytest.mark.parametrize("polite", [True, False])
def test_a_stop_in_mid_call_leaves_no_process_and_no_file(tmp_path: Path, polite: bool) -> None:
    note, before, asked = tmp_path / "note", folders(), threading.Event()
    plan = [{"spawn": str(tmp_path / "child")}, {"note": str(note)}, READ, {"sleep": 600}]
    box = Box(lambda _: asked.set())
    deaf = [] if polite else [{"deaf": True}]
    _, result = work(program(tmp_path / "codex", [*deaf, *plan]), box, Stop(asked.is_set))
    assert (result.ending, result.steps) == (Ending.STOPPED, 1)
    seen = noted(note)
    for pid in (seen["pid"], seen["server"], int((tmp_path / "child").read_text())):
        until(lambda pid=pid: not alive(pid))  # type: ignore[misc]
    assert folders() == before


def test_children_that_it_left_behind_go_with_it(tmp_path: Path) -> None:
    plan = [{"spawn": str(tmp_path / "child")}, says("Done."), done()]
    _, result = work(program(tmp_path / "codex", plan), Box())
    assert result.ending is Ending.ANSWERED
    until(lambda: not alive(int((tmp_path / "child").read_text())))


def test_it_goes_with_its_worker_however_that_ends(tmp_path: Path) -> None:
    note = tmp_path / "note"
    binary = program(tmp_path / "codex", [{"deaf": True}, {"note": str(note)}, {"sleep": 600}])
    script = (
        "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'jevsite.settings'\n"
        "import django; django.setup()\n"
        "from tests.arena.agents.codex.lane import Box, work\n"
        f"work({binary!r}, Box())\n"
    )
    worker = subprocess.Popen([sys.executable, "-c", script])
    until(note.exists, 120)
    worker.kill()
    worker.wait()
    seen = noted(note)
    until(lambda: not alive(seen["pid"]) and not alive(seen["server"]))
    until(lambda: not Path(seen["cwd"]).parent.exists())


def test_a_lane_deletes_what_a_dead_one_left_and_nothing_of_a_living_one() -> None:
    with opened("") as living, opened("") as other:
        dead = living.folder.with_name("jev-lane-of-the-dead")
        (dead / "home").mkdir(parents=True)
        (dead / "home" / "auth.json").write_text(SIGN_IN)
        with opened(""):
            assert not dead.exists()
            assert living.prompt.exists()
            assert other.prompt.exists()
    assert not living.folder.exists()


def test_its_time_is_bounded_and_a_persons_answer_is_no_part_of_it(tmp_path: Path) -> None:
    def person(_: str) -> CallOutcome:
        time.sleep(3)
        return CallOutcome(True, content="read", waited_s=3)

    binary = program(tmp_path / "codex", [READ, says("Done."), done()])
    _, result = work(binary, Box(person), limits=Limits(time_s=3))
    assert result.ending is Ending.ANSWERED
    binary = program(tmp_path / "slow", [READ, {"sleep": 600}])
    _, result = work(binary, Box(), limits=Limits(time_s=2))
    assert (result.ending, result.stop_reason) == (Ending.LIMIT, "time limit")


def test_one_call_too_many_ends_it(tmp_path: Path) -> None:
    box = Box()
    _, result = work(program(tmp_path / "codex", [READ] * 3 + [done()]), box, limits=Limits(max_steps=2))
    assert (result.ending, result.stop_reason, len(box.made)) == (Ending.LIMIT, "step limit", 2)


def test_too_much_output_ends_it(tmp_path: Path) -> None:
    plan = [{"flood": MOST_OUTPUT_BYTES}, says("Done."), done()]
    _, result = work(program(tmp_path / "codex", plan), Box())
    assert (result.ending, result.code) == (Ending.FAILED, "output_limit")


def test_a_lane_that_breaks_ends_the_program(tmp_path: Path) -> None:
    note = tmp_path / "note"

    def lost(_: str) -> CallOutcome:
        raise RuntimeError("the lease is lost")

    with pytest.raises(RuntimeError, match="lease"):
        work(program(tmp_path / "codex", [{"note": str(note)}, READ, {"sleep": 600}]), Box(lost))
    until(lambda: not alive(noted(note)["pid"]))


def test_a_tool_that_joined_is_in_the_next_list(tmp_path: Path) -> None:
    note = tmp_path / "note"
    joined = library().catalog.tool("read_lines")
    box = Box(lambda _: CallOutcome(True, content=["read_lines"], joined=(joined,)))
    work(program(tmp_path / "codex", [READ, {"list": 0}, {"note": str(note)}, says("Done."), done()]), box)
    assert noted(note)["menu"] == ["read_file", "propose_patch", "read_lines"]


@pytest.mark.parametrize(
    ("plan", "code", "fault"),
    [
        ([says("Half"), {"exit": 0}], "no_end", "host"),
        ([says("Half"), done(), {"exit": 3}], "exit", "host"),
        (
            [{"say": {"type": "turn.failed", "error": {"message": "status 401 Unauthorized"}}}],
            "unauthorized",
            "provider",
        ),
        ([{"say": {"type": "error", "message": "429 Too Many Requests"}}, {"exit": 1}], "rate_limited", "provider"),
        (
            [{"say": {"type": "error", "message": "You have hit your usage limit."}}, {"exit": 1}],
            "no_credits",
            "provider",
        ),
        ([{"say": {"type": "turn.failed", "error": {"message": "stream disconnected"}}}], "disconnected", "provider"),
    ],
)
def test_a_failure_is_told_in_our_words(tmp_path: Path, plan: list[Any], code: str, fault: str) -> None:
    _, result = work(program(tmp_path / "codex", plan), Box())
    assert (result.ending, result.code, result.fault) == (Ending.FAILED, code, fault)


def test_words_of_the_program_that_quote_a_key_are_not_repeated(tmp_path: Path) -> None:
    words = f"401 Unauthorized: incorrect API key sk-secret at http://hidden.example, {PROVIDER.key}"
    plan = [{"say": {"type": "turn.failed", "error": {"message": words}}}]
    events, result = work(program(tmp_path / "codex", plan), Box())
    assert "sk-" not in f"{events} {result}"
    assert "hidden.example" not in result.text


def test_its_own_records_tell_the_model_the_tokens_of_a_broken_lane_and_malformed_calls(tmp_path: Path) -> None:
    records = [
        {"type": "turn_context", "payload": {"model": "gpt-6-sol"}},
        {"type": "response_item", "payload": {"type": "function_call", "name": "read_file", "arguments": '{"path":'}},
        {"type": "response_item", "payload": {"type": "function_call", "name": "read_file", "arguments": "{}"}},
        {"type": "token_usage_record", "payload": {"turn_token_usage": {"input_tokens": 70, "output_tokens": 3}}},
        {"type": "token_usage_record"},
        ["no record"],
    ]
    events, result = work(program(tmp_path / "codex", [{"session": records}, {"exit": 1}]), Box())
    assert result.model == "gpt-6-sol"
    assert result.usage == Usage(70, 3)
    assert [event.arguments for event in events if isinstance(event, Rejected)] == ['{"path":']


def test_it_asks_where_it_cannot_know(tmp_path: Path) -> None:
    _, result = work(program(tmp_path / "codex", [says("Which outcome do you want?"), done()]), Box())
    assert result.ending is Ending.ASKED
