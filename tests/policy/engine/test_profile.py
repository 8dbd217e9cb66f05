"""Profiles: strict reading, defaults, digests."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.decisions import Action
from policy.engine.profile import InvalidConfig, Limits, OnFailure, Profile, Thresholds

THRESHOLDS = [field.name for field in dataclasses.fields(Thresholds)]
LIMITS = [field.name for field in dataclasses.fields(Limits)]


def test_wire_names_are_camel_case_and_ask_first_has_its_own_threshold() -> None:
    told = Thresholds().to_json()
    assert told["missingInformation"] == 0.5
    assert told["askFirst"] == 0.6


@given(st.fixed_dictionaries({}, optional={name: st.floats(0, 1) for name in THRESHOLDS}), st.integers(1, 9))
def test_a_profile_survives_its_wire_form(thresholds: dict[str, float], version: int) -> None:
    profile = Profile("ours", version, Thresholds(**thresholds))
    again = Profile.from_json(profile.to_json())
    assert again == profile
    assert again.digest == profile.digest


NAMES = st.text().filter(lambda name: name.strip() and "\x00" not in name)


@given(NAMES, st.fixed_dictionaries({}, optional={name: st.floats(0, 1) for name in THRESHOLDS}), st.integers(1, 10**9))
def test_a_profile_survives_toml_with_its_digest(name: str, thresholds: dict[str, float], budget: int) -> None:
    profile = Profile(name, 2, Thresholds(**thresholds), Limits(budget_ms=budget), OnFailure(Action.HOLD))
    again = Profile.from_toml(profile.to_toml())
    assert again == profile
    assert again.digest == Profile.from_json(json.loads(json.dumps(profile.to_json()))).digest == profile.digest


def test_a_short_toml_profile_keeps_the_other_defaults() -> None:
    profile = Profile.from_toml('name = "ours"\n[thresholds]\nrestriction = 1\n[limits]\nmaxDepth = 6\n')
    assert profile == Profile("ours", thresholds=Thresholds(restriction=1.0), limits=Limits(max_depth=6))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[thresholds\n", "not valid TOML: .*line 1"),
        ("[thresholds]\nrelevence = 0.4", "no key 'relevence'"),
        ("[thresholds]\nskill = nan", 'threshold "skill" must be a number'),
        ("[limits]\nmaxDepth = 2.5", "positive integer"),
        ("[limits]\nmaxDepth = 101", '"maxDepth" may be 100 at most; got 101'),
        ("limits = 3", '"limits" must be an object'),
        ("redactKeys = []", "no key 'redactKeys'"),
    ],
)
def test_a_toml_profile_is_read_as_strictly_as_a_json_one(text: str, message: str) -> None:
    with pytest.raises(InvalidConfig, match=message):
        Profile.from_toml(text)


@pytest.mark.parametrize("changed", [{"name": "other"}, {"version": 2}, {"limits": {"maxDepth": 5}}])
def test_any_difference_changes_the_digest(changed: dict[str, Any]) -> None:
    assert Profile.from_json(changed).digest != Profile().digest


def test_a_whole_number_is_the_same_threshold_as_its_float() -> None:
    assert Profile(thresholds=Thresholds(relevance=1)).digest == Profile(thresholds=Thresholds(relevance=1.0)).digest


@pytest.mark.parametrize("value", [None, True, "0.4", -0.01, 1.01, float("nan"), float("inf"), [0.5]])
def test_a_threshold_is_a_number_from_0_to_1(value: Any) -> None:
    with pytest.raises(InvalidConfig, match='threshold "selection" must be a number in'):
        Profile.from_json({"thresholds": {"selection": value}})


@pytest.mark.parametrize("value", [None, True, "4", 0, -1, 2.5, 2.0])
@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_a_positive_whole_number(name: str, value: Any) -> None:
    with pytest.raises(InvalidConfig, match="must be a positive integer"):
        Limits(**{name: value})


def test_a_pick_needs_room_for_one_tool_and_none() -> None:
    with pytest.raises(InvalidConfig, match="at least 2"):
        Limits(max_options_per_question=1, max_candidates_per_question=1)
    assert Limits(max_options_per_question=2, max_candidates_per_question=2).tools_per_question == 1


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"treshold": {}}, "treshold"),
        ({"thresholds": {"relevence": 0.4}}, "relevence"),
        ({"limits": {"max_depth": 3}}, "max_depth"),
        ({"onFailure": {"tools": "ask"}}, "tools"),
    ],
)
def test_an_unknown_key_is_refused_by_name(given: dict[str, Any], key: str) -> None:
    with pytest.raises(InvalidConfig, match=f"no key '{key}'; known keys are"):
        Profile.from_json(given)


@pytest.mark.parametrize("given", [[], "x", None, {"limits": None}, {"thresholds": [1]}, {"onFailure": "ask"}])
def test_a_section_must_be_an_object(given: Any) -> None:
    with pytest.raises(InvalidConfig, match="must be an object"):
        Profile.from_json(given)


@pytest.mark.parametrize(
    "given",
    [
        {"name": " "},
        {"name": 3},
        {"name": "a\ud800"},
        {"name": "\x00"},
        {"version": 0},
        {"version": True},
        {"version": "1"},
    ],
)
def test_a_profile_needs_a_name_and_a_version(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidConfig):
        Profile.from_json(given)


@pytest.mark.parametrize("value", ["allow", "deny", "fallback", None, True])
def test_a_failed_assessment_can_only_ask_or_hold(value: Any) -> None:
    with pytest.raises(InvalidConfig, match="must never become a permission"):
        OnFailure.from_json({"toolAssessment": value})


def test_the_other_failure_policies_accept_only_what_they_do() -> None:
    given = {"toolAssessment": "hold", "toolSelection": "fallback"}
    assert OnFailure.from_json(given).tool_assessment is Action.HOLD
    with pytest.raises(InvalidConfig, match="can only be fallback"):
        OnFailure.from_json({"modelRouting": "ask"})


def test_a_profile_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Profile().thresholds.relevance = 0.1  # type: ignore[misc]
