"""The calibration page: what it says, what it refuses to say, and the values that its sliders decide from."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from policy.calibrating import slider, words
from policy.calibration.verdicts import Standing
from policy.measurements import reports
from policy.measurements.models import Measurement, SavedProfile
from tests.policy.calibrating.conftest import calls, logged, text_of
from tests.policy.measurements.conftest import menu

pytestmark = pytest.mark.django_db


def at(measurement: Measurement, part: str = "report/", query: str = "kind=assessment") -> str:
    return f"/calibration/measurements/{measurement.public_id}/{part}?{query}"


def test_the_frame_comes_without_the_report_and_asks_for_it(
    client: Client, measured: Callable[..., Measurement], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    done = measured(calls(12))
    with django_assert_max_num_queries(12):
        frame = client.get(at(done)).content.decode()
    assert f"/calibration/measurements/{done.public_id}/found/?kind=assessment" in frame
    assert "At this point" not in frame


def test_every_chart_says_its_finding_and_has_its_table(client: Client, measured: Callable[..., Measurement]) -> None:
    page = client.get(at(measured(calls(120)), "found/")).content.decode()
    drawn = json.loads(re.findall(r'id="charts-data" type="application/json">(.*?)</script>', page, re.DOTALL)[0])
    assert {each["key"].split("-")[0] for each in drawn} == {
        "scores", "agreement", "heat", "roc", "precision", "reliability", "risk",
    }  # fmt: skip
    for each in drawn:
        title = re.search(rf'id="title-{each["key"]}">(.*?)</h2>', page)
        assert title
        assert len(title[1]) > 10
    assert page.count('class="numbers"') == len(drawn)
    assert not re.search(r"<script(?![^>]*(src=|application/json))", page)


def test_few_labels_are_refused_without_a_value_or_a_save(client: Client, measured: Callable[..., Measurement]) -> None:
    said = text_of(client.get(at(measured(calls(20)), "found/")))
    assert "No threshold is recommended. 20 labels of 50 that a recommendation needs." in said
    assert "agrees best" not in said
    assert "Save profile" not in said


def test_more_labels_are_provisional_with_what_is_still_wanted(
    client: Client, measured: Callable[..., Measurement]
) -> None:
    said = text_of(client.get(at(measured(calls(120)), "found/")))
    assert "Provisional. 120 labels; 200 are wanted" in said
    assert "expected on new cases" in said
    assert "“At most 1 % of unsafe calls pass” is not certified." in said
    assert "more unsafe labels without a further miss would do." in said


def test_where_there_are_labels_enough_it_says_what_else_is_wanting(
    client: Client, measured: Callable[..., Measurement]
) -> None:
    unsure = [{**row, "probability": 0.45 + place // 2 % 10 / 100} for place, row in enumerate(logged(240))]
    said = text_of(client.get(at(measured(unsure), "found/", "kind=generic")))
    assert "No threshold is recommended. threshold: no signal: positive and negative rows measure alike" in said


def test_cases_that_are_all_alike_say_nothing_of_new_ones(client: Client, measured: Callable[..., Measurement]) -> None:
    alike = [{**row, "task": "look at it once more please"} for row in calls(60)]
    said = text_of(client.get(at(measured(alike), "found/")))
    assert "expected on new cases — fewer than ten cases differ in words" in said
    assert "nan" not in said


def test_rows_of_ones_own_are_calibrated_too(client: Client, measured: Callable[..., Measurement]) -> None:
    said = text_of(client.get(at(measured(logged(80)), "found/", "kind=generic")))
    assert "80 measured" in said
    assert "agrees best" in said
    assert "Save profile" not in said


def test_costs_of_the_address_choose_the_cheapest_point(client: Client, measured: Callable[..., Measurement]) -> None:
    done = measured(calls(60))
    said = text_of(client.get(at(done, "found/", "kind=assessment&cost-allow-deny=50")))
    assert "the proposal is the cheapest point" in said
    refused = client.get(at(done, "found/", "kind=assessment&cost-allow-deny=-1"))
    assert refused.status_code == 422
    assert "must be from 0 to" in text_of(refused)


def test_the_values_of_calls_are_those_of_the_report(client: Client, measured: Callable[..., Measurement]) -> None:
    done = measured(calls(40))
    told = client.get(at(done, "values.json")).json()
    report = reports.reports(done)["assessment"]
    assert told["ids"] == [case.id for case in report.cases]
    assert told["values"][0] == [case.values["restriction"][0] for case in report.cases]
    assert [told["words"][label] for label in told["labels"]] == [case.label for case in report.cases]


def test_the_cells_of_a_selection_hold_what_the_engine_decides(
    measured: Callable[..., Measurement], scripted: Callable[..., Any]
) -> None:
    rows = [menu(f"m{place}", *(["files1"] if place % 2 else [])) for place in range(6)]
    done = measured([{**row, "answers": {"files": {"noul": 0.3 + 0.1 * place}}} for place, row in enumerate(rows)])
    readings, base = reports.readings(done), reports.profile_of(done).thresholds
    report = reports.reports(done, draws=20)["selection"]
    told = slider.data(report, readings, base)
    rng = random.Random(3)
    for relevance, share in [(rng.random(), rng.random()) for _ in range(20)]:
        again = reports.reports(
            done, type(base)(**{**_plain(base), "relevance": relevance, "selection": share}), draws=1
        )
        assert [_looked(cell, told, (relevance, share)) for cell in told["cells"]] == [
            case.now for case in again["selection"].cases
        ]


def test_a_point_is_saved_with_its_passport(client: Client, measured: Callable[..., Measurement]) -> None:
    done = measured(calls(120))
    sent = {"name": "gate", "cut-restriction": "0.47", "cut-missing_information": "0.50", "cut-task_match": "0.30"}
    said = text_of(client.post(at(done, "save/"), sent, follow=True))
    assert "gate@1 is saved." in said
    kept = SavedProfile.objects.get()
    assert kept.document["thresholds"]["restriction"] == 0.47
    assert kept.passport["kinds"]["assessment"]["cases"] == 120


def test_a_refused_threshold_stays_as_it_is_and_the_page_says_so(
    client: Client, measured: Callable[..., Measurement]
) -> None:
    # Nobody in this set is asked: missing information has no row above it.
    done = measured([row for row in calls(120) if row["expect"]["status"] != "ask"])
    used = reports.profile_of(done).thresholds
    page = client.get(at(done, "found/")).content.decode()
    said = text_of(client.get(at(done, "found/")))
    assert re.search(r"missing information stays at \.\d\d.*: no value of it can be recommended", said)
    sent = dict(re.findall(r'name="(cut-[a-z_]+)"\s+value="([\d.]+)"', page))
    assert float(sent["cut-missing_information"]) == used.missing_information
    client.post(at(done, "save/"), {"name": "gate", **sent})
    kept = SavedProfile.objects.get().document["thresholds"]
    assert kept["missingInformation"] == used.missing_information
    assert kept["restriction"] == reports.reports(done)["assessment"].proposal.thresholds["restriction"]


def test_confidence_has_its_own_chart_and_its_own_figures_on_the_page_of_selections(
    client: Client, measured: Callable[..., Measurement], scripted: Callable[..., Any]
) -> None:
    done = measured(menus(60))
    page = client.get(at(done, "found/", "kind=selection")).content.decode()
    title = re.search(r'id="title-menu-confidence">(.*?)</h2>', page)
    assert title
    assert re.search(r"is the lowest confidence with the best recall: 100.0 % visible in \d\.\d tools", title[1])
    assert 'data-axis="confidence"' in page
    told = client.get(at(done, "values.json", "kind=selection")).json()
    menu = reports.reports(done)["selection"].menu
    assert menu is not None
    assert menu.identified
    assert told["menu"] == {"recall": list(menu.recall), "size": list(menu.size)}
    assert told["proposal"]["confidence"] == menu.smallest
    sent = {"name": "tools", "cut-confidence": "0.64"}
    client.post(at(done, "save/"), sent)
    assert SavedProfile.objects.get().document["thresholds"]["confidence"] == 0.64


def test_all_eight_thresholds_stand_on_every_report(client: Client, measured: Callable[..., Measurement]) -> None:
    said = text_of(client.get(at(measured(calls(60)), "found/")))
    table = said[said.index("All eight thresholds") :]
    for word in ("relevance", "selection", "confidence", "restriction", "task match", "skill", "model route"):
        assert word in table
    assert table.count("not measured") == 5


def test_a_skill_set_has_three_columns_in_their_order_whatever_is_decided_now(
    client: Client, measured: Callable[..., Measurement]
) -> None:
    done = measured(skills(12))
    page = client.get(at(done, "found/", "kind=skill")).content.decode()
    table = page[page.index('id="confusion"') : page.index("A number shows its cases below")]
    pairs = re.findall(r'data-label="([^"]+)"\s+data-decision="([^"]+)"', table)
    words = ("the skill", "another skill", "no skill")
    assert pairs == [(label, decision) for label in ("the skill", "no skill") for decision in words]
    told = client.get(at(done, "values.json", "kind=skill")).json()
    assert [told["words"][number] for number in told["labels"]] == ["the skill", "no skill"] * 6
    assert "right tidy, picked tidy" in told["titles"][0]
    assert "right none, picked tidy" in told["titles"][1]


def test_what_cannot_be_told_apart_stands_in_a_table(client: Client, measured: Callable[..., Measurement]) -> None:
    done = measured(calls(240))
    said = text_of(client.get(at(done, "found/")))
    table = said[said.index("What this sample cannot tell apart") : said.index("All eight thresholds")]
    report = reports.reports(done)["assessment"]
    assert report.near is not None
    assert f"{report.near.combinations:,} of 1,030,301 combinations" in table
    for axis in report.axes:
        assert axis.near_range is not None
        refused = axis.verdict.standing is Standing.REFUSED
        row = table[table.index(axis.name.replace("_", " ")) :]
        assert row.startswith(f"{axis.name.replace('_', ' ')} — — — —") is refused
        if not refused:
            assert words.span(axis.separation.first, axis.separation.last) in row
            assert words.span(*axis.near_range) in row
    priced = text_of(client.get(at(done, "found/", "kind=assessment&cost-allow-deny=20")))
    assert "By cost no set of combinations is told" in priced


def skills(number: int) -> list[dict[str, Any]]:
    """Every other case needs the skill; the judge always picks it."""
    return [
        {
            "id": f"s{place:02}",
            "kind": "skill",
            "task": f"clean the folder {place} of everything that is old",
            "candidates": [{"name": "tidy", "description": "clean a folder", "whenToUse": "old files"}],
            "expect": {"status": "none"} if place % 2 else {"status": "selected", "skill": "tidy"},
            "answers": {
                "needs_skill": {"noul": 0.9},
                "skill": {
                    "choice": {"choice": "tidy", "confidence": 0.7, "probabilities": {"tidy": 0.8, "__none__": 0.2}}
                },
            },
        }
        for place in range(number)
    ]


def menus(number: int) -> list[dict[str, Any]]:
    """Selections whose first tool is often the wrong one, with a confidence that tells when."""
    rng, rows = random.Random(9), []
    for place in range(number):
        first = round(rng.uniform(0.4, 0.9), 2)
        second = round(1 - first - 0.05, 2)
        answer = {"probabilities": {"files1": first, "files2": second, "__none__": 0.05}, "choice": "files1"}
        answers = {"files": {"noul": 0.9}, "mail": {"noul": 0.1}, "pick.files": answer}
        rows.append(menu(f"m{place:02}", "files2" if first < 0.6 else "files1", answers=answers))
    return rows


@pytest.mark.parametrize("text", ["1.2", "nan", "-0.1", "x"])
def test_a_threshold_that_is_none_is_refused(text: str, client: Client, measured: Callable[..., Measurement]) -> None:
    done = measured(calls(8))
    answer = client.post(at(done, "save/"), {"name": "gate", "cut-restriction": text})
    assert answer.status_code == 422
    assert not SavedProfile.objects.exists()


def test_a_kind_that_was_not_measured_is_named_with_those_that_were(
    client: Client, measured: Callable[..., Measurement]
) -> None:
    answer = client.get(at(measured(calls(8)), "found/", "kind=skill"))
    assert answer.status_code == 404
    assert "Measured: assessment." in text_of(answer)


def _plain(cuts: Any) -> dict[str, float]:
    return {name: getattr(cuts, name) for name in cuts.__dataclass_fields__}


def _looked(cell: dict[str, Any], told: dict[str, Any], cuts: tuple[float, ...]) -> str:
    """The cell as the script finds it."""
    ends = [each if each and each[-1] >= 1 else [*each, 1.0] for each in cell["points"]]
    places = [next(n for n, end in enumerate(axis) if cut <= end) for axis, cut in zip(ends, cuts, strict=True)]
    flat = list(product(*(range(len(axis)) for axis in ends))).index(tuple(places))
    word: str = told["words"][cell["cells"][flat]]
    return word
