"""The metrics table: the judge's share, lower bounds, dashes with reasons, and honest differences."""

from __future__ import annotations

from arena.live.story_metrics import MetricStory, Row
from tests.arena.live.scenes import Scene, whole


def metrics(scene: Scene) -> MetricStory:
    told = scene.tell().metrics
    assert told is not None
    return told


def row(scene: Scene, name: str) -> Row:
    return next(row for row in metrics(scene).rows if row.name == name)


def test_the_selected_lane_counts_its_judge_and_shows_its_share() -> None:
    told = row(whole(), "Input tokens")
    assert told.cells[1].value == "5,354"
    assert told.cells[1].source == "4,106 est. + 1,248 judge, est."
    assert (told.cells[1].bar, told.cells[1].judge_bar) == ("22.30%", "6.78%")


def test_a_difference_names_the_better_lane_a_word_and_the_share() -> None:
    difference = row(whole(), "Input tokens").differences[0]
    assert (difference.letter, difference.words) == ("B", "lower by 13,058 (−71\u202f%)")


def test_the_first_lane_can_be_the_better_one() -> None:
    scene = whole().measure("A", {"input_tokens": 100.0}).measure("B", {"input_tokens": 400.0})
    difference = row(scene, "Input tokens").differences[0]
    assert (difference.letter, difference.words) == ("A", "lower by 300 (−75\u202f%)")


def test_equal_figures_are_the_same() -> None:
    assert row(whole(), "Tool calls").differences[0].same


def test_an_unknown_figure_is_a_dash_with_its_reason_and_has_no_difference() -> None:
    scene = whole().measure("A", {"input_tokens": None})
    told = row(scene, "Input tokens")
    assert (told.cells[0].value, told.cells[0].source) == ("—", "not reported")
    assert told.differences[0].words == "no difference, one side unknown"


def test_figures_of_a_lane_that_broke_off_are_lower_bounds_and_not_compared() -> None:
    scene = Scene().routed().menus().lane("A", "starting").lane("A", "stopped", message="stopped by a person")
    scene.measure("A", {"input_tokens": 7002.0}, at_least=True).ends("B").settled("stopped")
    told = row(scene, "Input tokens")
    assert told.cells[0].value == "≥\u202f7,002"
    assert told.differences[0].words == "not compared"
    check = row(scene, "Automatic check").cells[0]
    assert (check.value, check.icon, check.tone) == ("not finished", "void", "off")
    assert metrics(scene).columns[0].note == "stopped by a person"


def test_a_withheld_lane_costs_what_its_judge_cost() -> None:
    scene = Scene().routed(outcome="no_match").menus(B=[]).lane("A", "starting").ends("A")
    scene.lane("B", "withheld", message="Nothing fits.")
    scene.measure("B", {"input_tokens": 1248.0, "judge_input_tokens": 1248.0}).settled()
    cell = row(scene, "Input tokens").cells[1]
    assert (cell.value, cell.source) == ("1,248", "the agent was not started; judge, est.")
    assert cell.bar == ""


def test_a_shadow_lane_names_its_judge_apart() -> None:
    scene = Scene("full", "shadow").routed().menus()
    for lane in "AB":
        scene.lane(lane, "starting").ends(lane, measured={"judge_input_tokens": 1248.0})
    cell = row(scene.settled(), "Input tokens").cells[1]
    assert (cell.value, cell.source) == ("4,106", "est.; judge apart, 1,248")


def test_a_pair_is_mirrored_and_more_lanes_are_not() -> None:
    three = Scene("full", "selected", "shadow").routed().menus()
    for lane in "ABC":
        three.lane(lane, "starting").ends(lane)
    assert metrics(whole()).mirrored
    assert not metrics(three.settled()).mirrored


def test_refused_calls_are_noted_under_their_row() -> None:
    scene = whole().measure("A", {"tool_calls": 3.0, "rejected_calls": 1.0})
    assert row(scene, "Tool calls").note == "1 of A’s refused"


def test_a_passing_lane_is_better_than_one_that_does_not_pass() -> None:
    scene = whole()
    scene.events[-2].payload["passed"] = False
    difference = row(scene, "Automatic check").differences[0]
    assert (difference.letter, difference.words) == ("A", "better")


def test_lanes_of_a_run_that_is_not_complete_are_not_compared() -> None:
    scene = Scene().routed(outcome="unavailable").menus(B=[]).lane("A", "starting").ends("A")
    scene.lane("B", "withheld", message="No usable judgment.").measure("B", {"input_tokens": 0.0}, passed=False)
    told = metrics(scene.settled("partial"))
    assert {difference.words for row in told.rows for difference in row.differences} == {"not compared"}


def test_times_to_first_word_and_call_are_rows_where_an_agent_has_them() -> None:
    def titles(**measured: float) -> list[str]:
        scene = Scene("full", "selected").routed().menus()
        for each in "AB":
            scene.lane(each, "starting").ends(each, measured=dict(measured))
        told = scene.settled().tell().metrics
        assert told is not None
        return [row.name for row in told.rows]

    assert "Time to first word" not in titles()
    found = titles(first_token_ms=310.0, first_tool_ms=900.0)
    assert found[found.index("Time working") + 1 :][:2] == ["Time to first word", "Time to first call"]
