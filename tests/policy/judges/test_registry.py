"""Judges by name."""

from __future__ import annotations

import pytest

from policy.judges import registry
from policy.judges.local import LocalJudge
from policy.judges.scripted import ScriptedJudge


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
    with pytest.raises(registry.UnknownJudge, match="no judge 'oracle'; use one of: local, scripted"):
        ask("oracle")
