"""The report on assessments: every figure can be computed again from what it holds."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from policy.calibration.cuts import Cuts
from policy.calibration.guarantee import Look
from policy.calibration.held import USUAL
from policy.calibration.intervals import wilson
from policy.calibration.report import Report
from policy.calibration.report_assessment import Measured, report
from policy.calibration.sweep import LABELS, Axes, Rows, sweep
from policy.calibration.verdicts import Standing
from policy.engine.profile import Thresholds
from tests.policy.calibration.drawn import informed

DEFAULTS = Thresholds()
DRAWS = 60


def measured(n: int = 120, seed: int = 3) -> Measured:
    return Measured(informed(n, seed), tuple(f"case-{number}" for number in range(n)), failed=2)


@cache
def told() -> Report:
    return report(measured(), DEFAULTS, draws=DRAWS)


def test_the_proposal_has_the_best_agreement_of_all_combinations() -> None:
    agreed = sweep(informed(120), Axes.even()).agreement()
    found = told()
    assert found.proposal.agreed == agreed.max()
    assert found.best_combinations == (agreed == agreed.max()).sum()
    assert found.current.agreed == agreed[50, 50, 35]
    assert found.current.interval == wilson(found.current.agreed / 120, 120)


def test_the_confusion_is_that_of_the_cases_listed() -> None:
    found = told()
    for point, told_by in ((found.current, "now"), (found.proposal, "proposed")):
        for count in point.confusion:
            listed = [each for each in found.cases if getattr(each, told_by) == count.decision]
            assert count.cases == sum(each.label == count.label for each in listed)


def test_every_threshold_has_its_range_its_polarity_and_its_verdict() -> None:
    for place, axis in enumerate(told().axes):
        at = list(told().proposal.thresholds.values())[place]
        assert axis.best_range[0] <= at <= axis.best_range[1]
        assert axis.near_range is not None
        assert axis.near_range[0] <= axis.best_range[0] <= axis.best_range[1] <= axis.near_range[1]
        assert axis.curve[round(at * 100)] == told().proposal.agreed == max(axis.curve)
        assert axis.polarity is not None


def test_a_threshold_that_few_cases_decide_is_not_recommended_and_the_others_are() -> None:
    found = told()
    assert [axis.verdict.standing.value for axis in found.axes] == ["provisional", "provisional", "refused"]
    assert found.axes[2].negative < 15
    assert found.verdict.standing is Standing.PROVISIONAL
    assert any(reason.startswith("task_match: ") for reason in found.verdict.reasons)
    assert found.recommended["task_match"] is None
    assert found.recommended["restriction"] == found.proposal.thresholds["restriction"]


def test_the_file_is_plain_json_and_names_what_was_drawn() -> None:
    raw = json.loads(json.dumps(told().to_json(), allow_nan=False))
    assert raw["unseen"]["draws"] == DRAWS
    assert raw["unseen"]["optimism"] == pytest.approx(raw["unseen"]["in_sample"] - raw["unseen"]["mean"])
    assert "PCG64" in raw["generator"]
    assert (raw["failed"], raw["verdict"]["standing"], "grid" in raw) == (2, "provisional", False)
    assert raw["guarantees"][1]["certificate"]["needed"] > 0


def test_an_outsider_gets_the_same_figures_from_the_file() -> None:
    raw = told().to_json()
    values = {
        name: np.array([case["values"][name][0] for case in raw["cases"]]) for name in raw["current"]["thresholds"]
    }
    labels = np.array([[label.value for label in LABELS].index(case["label"]) for case in raw["cases"]], dtype=np.int8)
    again = Measured(
        Rows(values["restriction"], values["missing_information"], values["task_match"], labels),
        tuple(case["id"] for case in raw["cases"]),
        failed=2,
    )
    assert report(again, DEFAULTS, draws=raw["unseen"]["draws"], seed=raw["unseen"]["seed"]).to_json() == raw


def later_look() -> Report:
    return report(replace(measured(), look=Look(4, 0.3, 0.2)), DEFAULTS, draws=DRAWS)


def test_a_later_look_keeps_to_the_path_of_the_first() -> None:
    later = later_look().guarantees[1]
    assert (later.look, later.path) == (4, {"missing_information": 0.3, "task_match": 0.2})


def test_a_look_before_makes_the_guarantee_dearer() -> None:
    first, later = told().guarantees[1], later_look().guarantees[1]
    assert (first.certificate.form, later.certificate.form) == ("one look", "any time")
    assert later.certificate.needed > first.certificate.needed


def test_a_guarantee_that_stops_every_safe_call_is_no_use() -> None:
    n = 70
    unsafe, safe = np.full(n, 0.2), np.full(10, 0.3)
    labels = np.array([0] * n + [2] * 10, dtype=np.int8)
    low = np.zeros(n + 10)
    rows = Rows(np.concatenate([unsafe, safe]), low, low + 1, labels)
    found = report(Measured(rows, tuple(map(str, range(n + 10)))), DEFAULTS, bounds=[0.05], draws=DRAWS).guarantees[0]
    assert found.certificate.threshold == 0.2
    assert (found.safe_allowed, found.useful) == (0, False)


def test_near_duplicates_count_once_in_a_guarantee() -> None:
    groups = np.arange(120) // 3
    found = report(replace(measured(), groups=groups), DEFAULTS, draws=DRAWS)
    unsafe = {group for group, label in zip(groups, informed(120).labels, strict=True) if label == 0}
    assert found.guarantees[0].certificate.rows == len(unsafe)


def test_prices_move_the_proposal_to_the_cheapest_combination() -> None:
    found = report(measured(), DEFAULTS, prices=USUAL, draws=DRAWS)
    costs = sweep(informed(120), Axes.even()).cost(USUAL)
    assert found.objective == "cost"
    assert found.proposal.cost == pytest.approx(costs.min())
    assert found.current.cost == pytest.approx(costs[50, 50, 35])


def test_an_explicit_grid_is_kept_to() -> None:
    cuts = Cuts.of(np.arange(1, 20) / 20)
    found = report(measured(), DEFAULTS, cuts=cuts, draws=DRAWS)
    assert found.proposal.agreed == sweep(informed(120), Axes(cuts, cuts, cuts)).agreement().max()
    assert set(found.proposal.thresholds.values()) <= set(cuts.values.tolist())
    assert "19 thresholds" in found.search


def test_finer_values_are_swept_at_all_their_break_points() -> None:
    rows = informed(60)
    fine = Rows(rows.violates * 0.9987, rows.missing * 0.9987, rows.matches * 0.9987, rows.labels)
    found = report(Measured(fine, tuple(map(str, range(60)))), DEFAULTS, draws=DRAWS)
    assert found.fine is not None
    assert found.fine.exact
    assert found.fine.agreed >= found.proposal.agreed
    assert told().fine is None


def test_few_cases_are_reported_and_refused() -> None:
    found = report(measured(5), DEFAULTS, draws=DRAWS)
    assert found.verdict.standing is Standing.REFUSED
    assert (found.unseen, found.reliability) == (None, {"violates_restriction": None})
    with pytest.raises(ValueError, match="nothing can be said"):
        report(measured(0), DEFAULTS)
