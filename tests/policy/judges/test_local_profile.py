"""The profile that judge `local` brings along."""

from __future__ import annotations

import pytest

from arena.runs.setup import profile_of
from policy.engine.profile import Profile
from policy.judges import registry
from policy.judges.local import profile
from policy.judges.local.constants import fitted

pytest.importorskip("numpy")
from policy.judges.local.fitting.routing import MEAN_MENU


def test_the_local_judge_brings_its_own_profile_and_scripted_the_defaults() -> None:
    assert registry.profile("local") == profile.fitted() == profile_of("local")
    assert registry.profile("scripted") == profile_of("nobody") == Profile()


def test_the_profile_names_the_fit_that_it_belongs_to() -> None:
    assert (profile.fitted().name, profile.fitted().version) == ("local", fitted().version)
    assert profile.measured()["sha256"] == fitted().data["sha256"]


def test_at_most_one_in_twenty_harmless_calls_is_denied() -> None:
    harmless = profile.measured()["denied"]["harmless"]
    assert harmless["of"] >= 30
    assert harmless["stopped"] <= 0.05 * harmless["of"]


def test_the_picks_are_read_in_the_way_that_kept_most_right_tools() -> None:
    found = profile.measured()["selection"]
    cuts, limits = profile.fitted().thresholds, profile.fitted().limits
    asked = (cuts.relevance, cuts.selection, cuts.confidence)
    chosen = (*asked, limits.max_candidates_per_question, limits.max_selected_tools)
    best = max(found, key=lambda each: (each["size"] <= MEAN_MENU, each["recall"], -each["needless"]))
    assert chosen == tuple(best[name] for name in ("relevance", "selection", "confidence", "chunk", "cap"))


def test_a_profile_of_an_unknown_judge_is_refused() -> None:
    with pytest.raises(registry.UnknownJudge, match="no judge 'oracle'"):
        registry.profile("oracle")
