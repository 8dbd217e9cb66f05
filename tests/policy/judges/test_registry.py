"""Judges by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from policy.engine.profile import InvalidConfig, Profile
from policy.judges import registry
from policy.judges.keys import Key
from policy.judges.local import LocalJudge
from policy.judges.scripted import ScriptedJudge
from policy.judges.settings import JudgeSettings


def test_every_listed_judge_can_be_had_and_says_what_it_is() -> None:
    for info in registry.available():
        assert registry.get(info.name).name == info.name
        assert len(info.description) > len(info.label) > 0
        assert not info.leaves_machine


def test_the_local_judge_comes_first() -> None:
    assert next(info.name for info in registry.available()) == "local"
    assert isinstance(registry.get("local"), LocalJudge)
    assert isinstance(registry.get("scripted"), ScriptedJudge)


def test_a_process_has_one_judge_of_a_name() -> None:
    assert registry.get("local") is registry.get("local")


@pytest.mark.parametrize("ask", [registry.get, registry.info])
def test_an_unknown_name_gets_the_allowed_ones(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(registry.UnknownJudge, match="no judge 'oracle'; use one of: local, gguf, scripted"):
        ask("oracle")


def test_judges_over_http_are_listed_apart_and_say_that_they_leave_the_machine() -> None:
    remote = registry.remote()
    assert [info.name for info in remote] == ["typesafe", "openrouter", "cloudflare", "compatible"]
    assert all(info.leaves_machine and len(info.description) > len(info.label) > 0 for info in remote)
    assert [registry.info(info.name) for info in remote] == remote
    assert not registry.info("replay").leaves_machine
    assert registry.profile("typesafe") == Profile()


def test_a_judge_over_http_is_made_from_settings_and_a_key() -> None:
    made = registry.make(JudgeSettings("typesafe", model="jev-1.13.0", key_source="personal"), key=Key("ts-key"))
    assert (made.name, made.model) == ("typesafe", "jev-1.13.0")
    assert made.endpoint == "https://api.typesafe.ai/v1/systemone"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (JudgeSettings("oracle"), "there is no HTTP judge 'oracle'; use one of: typesafe, openrouter"),
        (JudgeSettings("typesafe"), "TypeSafe needs a key: enter one on Settings"),
        (JudgeSettings("typesafe", recovery="always"), "recovery must be none or probability_sum_only"),  # type: ignore[arg-type]
        (JudgeSettings("typesafe", base_url="http://api.typesafe.ai"), "begins with https://"),
        (JudgeSettings("cloudflare"), "Cloudflare needs the id of an account"),
    ],
)
def test_settings_that_make_no_judge_say_what_to_mend(given: JudgeSettings, why: str) -> None:
    key = Key("ts-key") if given != JudgeSettings("typesafe") else None
    with pytest.raises(InvalidConfig, match=why):
        registry.make(given, key=key)


def test_a_process_that_asks_nobody_outside_loads_no_http() -> None:
    code = "import sys, policy.judges.registry as r; r.get('scripted'); sys.exit('httpx' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
