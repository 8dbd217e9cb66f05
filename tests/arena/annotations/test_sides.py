"""Blind mode: nothing on the page names or implies an arm."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from arena.annotations import sides
from arena.models import Arm, Lane, Run, RunState
from policy.people.services import local_user

pytestmark = pytest.mark.django_db(transaction=True)

SIDE = re.compile(r'<section class="panel side".*?</section>', re.DOTALL)
# What the two lanes themselves said and left differs, of course; what stands around it must not.
OWN_WORDS = [
    r'<div class="said-text" data-answer>.*?</div>',
    r'<div class="box" data-evidence>.*?</table>\s*</div>\s*</div>',
    r'<span class="source">.*?</span>',
    r'<pre class="cited-text">.*?</pre>',
    r'<p class="small faint">The answer quotes no result.</p>',
    r'<use href="[^"]*"></use>|class="icon (ok|bad|off)?"',
    r'<span class="hush">[^<]*</span>',
]


def blind_page(client: Client, run: Run) -> str:
    response = client.get(f"/annotations/{run.public_id}/")
    assert response.status_code == 200
    return response.content.decode()


def around(side: str, number: int) -> str:
    """The HTML of one side without the lane's own words and without its place on the page."""
    for pattern in OWN_WORDS:
        side = re.sub(pattern, "", side, flags=re.DOTALL)
    side = re.sub(rf"(Side |side-|verdict-|note-){number}\b", r"\1N", side)
    side = re.sub(r'data-key="."|<kbd>.</kbd>', "", side)
    return re.sub(r"\s+", " ", side)


@pytest.mark.parametrize("case", ["patch", "ambiguous", "read"])
def test_the_two_sides_differ_in_nothing_but_what_the_lanes_left(
    case: str, compare: Callable[..., Run], client: Client
) -> None:
    run = compare(case)
    assert run.state == RunState.COMPLETE
    first, second = SIDE.findall(blind_page(client, run))
    assert around(first, 1) == around(second, 2)


@pytest.mark.parametrize("case", ["patch", "ambiguous", "read"])
def test_the_page_names_no_arm_no_tool_no_count_and_no_time(
    case: str, compare: Callable[..., Run], client: Client
) -> None:
    run = compare(case)
    page = blind_page(client, run)
    inside = page[page.index("<main") : page.index("</main>")]
    shown = re.sub(r"<[^>]*>", " ", inside)
    menu = {entry["id"] for lane in run.lanes.all() for entry in lane.menu or []}
    assert [tool for tool in menu if tool in inside] == []
    assert [arm for arm in Arm.values if re.search(rf"\b{arm}\b", shown)] == []
    assert [lane.public_id for lane in run.lanes.all() if lane.public_id in inside] == []
    assert re.search(r"withheld|judge|menu|selection|Lane [AB]|lane-[ab]\b|\d+(\.\d+)? ?m?s\b|tokens", inside) is None


def test_a_lane_whose_menu_was_withheld_reads_like_an_agent_that_asked(compare: Callable[..., Run]) -> None:
    run = compare("ambiguous")
    answers = {side.lane.arm: side.answer for side in sides.of(run, rater_id=1)}
    assert answers["selected"] == "Asked what exactly is wanted, and did nothing until that is answered."


def test_what_the_check_read_is_kept_unless_it_tells_of_calls(compare: Callable[..., Run]) -> None:
    run = compare("patch")
    got = [item.got for side in sides.of(run, rater_id=1) for item in side.items]
    assert any(got)
    assert not [text for text in got if text.startswith(("called: ", "the lane "))]


def test_only_quoted_results_are_shown_once_each_and_not_in_the_order_of_the_calls() -> None:
    results = [{"b": "zebra crossing"}, {"a": 4807}, {"a": 4807}, {"c": "unused words"}, {"d": True}]
    shown = list(sides.cited("Order 4807 is at the Zebra Crossing.", results))
    assert shown == ['{\n "a": 4807\n}', '{\n "b": "zebra crossing"\n}']


def test_sides_are_in_balance_over_a_thousand_pairs() -> None:
    pairs = [
        [Lane(public_id=f"lane_{n:011}a", position=0), Lane(public_id=f"lane_{n:011}b", position=1)]
        for n in range(1000)
    ]
    first = sum(sides.order(pair, run_id=f"run_{n}", rater_id=1)[0].position == 0 for n, pair in enumerate(pairs))
    assert 448 <= first <= 552  # 99.9 % of fair coins


def test_a_rater_sees_the_same_order_again_and_two_raters_need_not(settled: Run) -> None:
    lanes = list(settled.lanes.all())
    orders = [tuple(lane.pk for lane in sides.order(lanes, run_id=settled.public_id, rater_id=n)) for n in range(40)]
    assert orders[7] == tuple(lane.pk for lane in sides.order(lanes, run_id=settled.public_id, rater_id=7))
    assert len(set(orders)) == 2


def test_whoever_saw_the_run_before_is_not_blind(settled: Run, client: Client) -> None:
    client.get(f"/runs/{settled.public_id}/")
    client.get(f"/runs/{settled.public_id}/")
    form = {"verdict-1": "meets", "verdict-2": "partly"}
    assert client.post(f"/annotations/{settled.public_id}/", form).status_code == 302
    assert settled.assignments.get().blind is False
    assert settled.unblindings.get().user == local_user()


def test_whoever_saw_only_the_blind_form_is_blind(settled: Run, client: Client) -> None:
    blind_page(client, settled)
    form = {"verdict-1": "meets", "verdict-2": "partly"}
    assert client.post(f"/annotations/{settled.public_id}/", form).status_code == 302
    assert settled.assignments.get().blind is True
