"""What goes down the socket: what is newer than the last event that a reader has, as the parts of its page.

Rows of the log and new steps are appended, a step that changed is replaced by its id, panels are replaced by theirs.
The parts are rendered from the templates of the first page load, so a page after reload equals a page after live.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string

from arena.live import story as stories
from arena.live.story import Story
from arena.live.story_lanes import LaneStory
from arena.live.story_log import ANNOUNCED
from arena.models import Run


@dataclass(frozen=True, slots=True)
class Frame:
    """`seq` is the last event in `html`; `final` says that nothing will follow. Empty where nothing is newer."""

    html: str
    seq: int
    final: bool


def frame(run: Run, after: int) -> Frame:
    """The news of a run for a reader that has everything up to `after`."""
    return of(stories.of(run), after)


def of(story: Story, after: int) -> Frame:
    """The same for a story that is told already."""
    if story.seq <= after:
        return Frame("", after, story.final)
    return Frame("".join(_parts(story, after)), story.seq, story.final)


def _parts(story: Story, after: int) -> Iterator[str]:
    context = {"story": story}
    rows = [row for row in story.log if row.seq > after]
    # What a lane does moves that lane and the strip; the run's own events move everything.
    whole = any(row.kind.startswith(("run.", "approval.")) for row in rows)
    if whole:
        yield _part("#run-head", "outerMorph", "arena/_run_head.html", context)
    yield _part("#log-rows", "beforeend", "arena/_events.html", {"rows": rows})
    yield _part("#log-count", "innerHTML", "arena/_log_count.html", context)
    if story.final:
        yield _part("#run-body", "outerHTML", "arena/_settled.html", context)
    else:
        yield _part("#strip", "outerMorph", "arena/_strip.html", context)
        if whole:
            yield _part("#console-run", "outerMorph", "arena/_console_run.html", context)
        if story.judge and _kinds(story, after) & {"judge", "routing"}:
            yield _part("#console-judge", "outerMorph", "arena/_console_judge.html", context)
            yield _part("#asked", "outerMorph", "arena/_asked.html", context)
        # The decision names no lane, yet every lane's menu says what came of it.
        every = whole or "routing" in _kinds(story, after)
        moved = {row.letter for row in rows}
        for lane in (lane for lane in story.lanes if every or lane.letter in moved):
            yield from _lane_parts(story, lane, after)
    # The same words again would be read aloud again.
    if _kinds(story, after) & set(ANNOUNCED):
        yield _part("#said", "innerHTML", "arena/_said.html", context)
    if whole:
        yield render_to_string("arena/_title.html", context)


def _lane_parts(story: Story, lane: LaneStory, after: int) -> Iterator[str]:
    name = f"#lane-{lane.letter.lower()}"
    context: dict[str, Any] = {"story": story, "lane": lane}
    yield _part(f"{name}-top", "outerMorph", "arena/_lane_top.html", context)
    if _kinds(story, after) & {"lane.menu", "routing"}:
        yield _part(f"{name}-menu", "outerMorph", "arena/_lane_menu.html", context)
    for step in lane.steps:
        if step.seq > after:
            yield _part(f"{name}-steps", "beforeend", "arena/_step.html", {**context, "step": step})
        elif step.changed_seq > after:
            yield _part(f"#{step.dom_id}", "outerMorph", "arena/_step.html", {**context, "step": step})
    yield _part(f"{name}-end", "outerMorph", "arena/_lane_end.html", context)


def _kinds(story: Story, after: int) -> set[str]:
    """The kinds of the newer events, whole and by their first word."""
    kinds = [row.kind for row in story.log if row.seq > after]
    return {*kinds, *(kind.partition(".")[0] for kind in kinds)}


def _part(target: str, swap: str, template: str, context: dict[str, Any]) -> str:
    return f'<hx-partial hx-target="{target}" hx-swap="{swap}">{render_to_string(template, context)}</hx-partial>'
