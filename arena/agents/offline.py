"""The agent without a language model: a deterministic tool user that chooses by words alone.

It reads the task clause by clause, picks tools from the menu it was given, fills arguments from what it knows,
and asks or declines rather than guess. The same brief and the same results give the same transcript.
"""

from __future__ import annotations

import random
import time
from collections.abc import Generator
from dataclasses import replace
from typing import Any

from arena.agents import clauses, doubts, planning, ranking, repair, restrictions, words
from arena.agents.agent import AgentEvent, AgentResult, Brief, Cancel, Ending, Progress, Thinking, Toolbox
from arena.agents.answers import Phrases, joined
from arena.agents.arguments import Known
from arena.agents.clauses import Clause, Role
from arena.agents.estimate import Meter
from arena.agents.lexical import Menu
from arena.agents.memory import Memory, Step, is_empty
from arena.agents.planning import Call
from arena.agents.ranking import Situation
from arena.catalogs.tool import FIND_TOOL, Tool

Events = Generator[AgentEvent, None, None]
SHOWN_CANDIDATES = 5
MAX_SEARCHES = 3


class Offline:
    """The agent `offline`; see the module."""

    name = "offline"
    label = "no language model"

    def run(self, brief: Brief, toolbox: Toolbox, cancel: Cancel) -> Generator[AgentEvent, None, AgentResult]:
        work = _Work(brief, toolbox, cancel)
        try:
            yield from work.all()
        except _End as end:
            if end.ending is not Ending.STOPPED:
                work.meter.answer(end.text)
            usage = work.meter.usage()
            yield Progress(usage)
            return AgentResult(end.ending, end.text, usage, None, work.steps, end.reason)
        raise AssertionError("the work of a lane always ends with a reason")


class _End(Exception):
    """The work is over."""

    def __init__(self, ending: Ending, text: str, reason: str) -> None:
        super().__init__(reason)
        self.ending, self.text, self.reason = ending, text, reason


class _Work:
    """One lane in progress."""

    def __init__(self, brief: Brief, toolbox: Toolbox, cancel: Cancel) -> None:
        self.brief, self.toolbox, self.cancel = brief, toolbox, cancel
        self.german = words.is_german(brief.task)
        self.phrases = Phrases(german=self.german)
        self.menu = Menu([tool for tool in brief.menu if tool.id != FIND_TOOL])
        self.searches_left = MAX_SEARCHES if len(self.menu.tools) < len(brief.menu) else 0
        self.reading = clauses.read(brief.task, verbs={clauses.first_word(tool.description) for tool in brief.menu})
        self.ban = restrictions.read([*brief.restrictions, *self.reading.prohibitions])
        self.memory, self.meter = Memory(), Meter(brief)
        self.steps = 0
        self.troubles: list[str] = []
        self._deadline = time.monotonic() + brief.limits.time_s

    def all(self) -> Events:
        """Every step of the task in order; ends with `_End`."""
        if doubts.all_vague(self.reading.steps, self.brief.values):
            yield from self._pause()
            yield Thinking(self.steps + 1, "The task leaves open what is wanted.")
            raise self._end(Ending.ASKED, self.phrases.about("vague", self.brief.task), "vague task")
        for clause in self._steps_left():
            yield from self._step(clause)
        yield from self._close()

    def _steps_left(self) -> list[Clause]:
        """All steps; once a question was answered, a vague one is what the answer has replaced."""
        steps = list(self.reading.steps)
        clear = [step for step in steps if not doubts.is_vague(step, self.brief.values)]
        return clear if self.brief.questions and clear else steps

    def _step(self, clause: Clause) -> Events:
        """Serve one clause: the best tool that may be used and can be filled, else say why not."""
        ranked, found = self._ranked(clause, may_search=self.searches_left > 0)
        if not found and self.searches_left and (clause.role is Role.ACTION or not self.memory.steps):
            yield from self._search(clause)
            ranked, found = self._ranked(clause, may_search=False)
        shown = tuple((tool.id, round(score, 3)) for tool, score in ranked[:SHOWN_CANDIDATES] if score > 0)
        yield from self._pause()
        yield Thinking(self.steps + 1, clause.text, shown)
        allowed = [tool for tool in found if not self.ban.covers(tool)]
        if allowed and not planning.is_covered(clause, self.memory, german=self.german):
            yield from self._serve(clause, allowed, {tool.id: score for tool, score in ranked})
        elif not allowed and (clause.role is Role.ACTION or not self.memory.steps):
            self.troubles.append(self.phrases.about("forbidden" if found else "no_fit", clause.text))

    def _ranked(self, clause: Clause, *, may_search: bool) -> tuple[list[ranking.Scored], list[Tool]]:
        situation = replace(self._situation(), may_search=may_search)
        ranked = ranking.ranking(clause, situation)
        return ranked, ranking.candidates(ranked, clause, situation)

    def _search(self, clause: Clause) -> Events:
        """Nothing in the menu fits this clause: look for it beyond the menu."""
        self.searches_left -= 1
        yield from self._pause()
        yield Thinking(self.steps + 1, f"Nothing in the menu fits “{clause.text}”.")
        self._check_limits()
        self.steps += 1
        arguments = {"query": clause.text}
        self.meter.call(FIND_TOOL, arguments)
        outcome = self.toolbox.call(FIND_TOOL, arguments)
        self.meter.returned(outcome)
        self.meter.join(outcome.joined)
        self.menu = Menu([*self.menu.tools, *outcome.joined])
        yield Progress(self.meter.usage())

    def _serve(self, clause: Clause, tools: list[Tool], scores: dict[str, float]) -> Events:
        """Work towards the best tool, then the next ones, until one call succeeds; otherwise ask or say what failed."""
        barred: Call | None = None
        refusal = ""
        for tool in tools:
            call, error = yield from self._approach(tool, clause)
            bare = planning.is_bare(call, clause, scores[tool.id])
            if call.filled.complete and not error and not bare and not self.memory.called(tool, call.filled.arguments):
                error = yield from self._call(call)
            if call.filled.complete and not error and not bare:
                yield from self._follow_up(tool, clause)
                return
            refusal = refusal or error
            sure = scores[tool.id] >= ranking.MIN_ASKING
            barred = barred or (call if call.filled.ambiguity or (call.filled.missing and sure) else None)
            if call.filled.ambiguity:
                break
        if barred is not None and not refusal:
            raise self._question(barred)
        self.troubles.append(
            self.phrases.refused(clause.text, refusal) if refusal else self.phrases.about("no_fit", clause.text)
        )

    def _follow_up(self, tool: Tool, clause: Clause) -> Events:
        """After a look-up: read what it found when it does not say enough, ask when a change needs one of several."""
        known = self._known(clause)
        call = planning.deeper(known, self._situation()) if tool.effect == "observe" else None
        if call is not None:
            yield from self._call(call)
        elif tool.effect == "observe" and not ranking.only_looks(clause):
            several = planning.several_left(self.memory)
            if several is not None:
                raise self._end(Ending.ASKED, self.phrases.which(several), "several records fit")

    def _approach(self, tool: Tool, clause: Clause) -> Generator[AgentEvent, None, tuple[Call, str]]:
        """Make the calls that come before `tool`; its own call, ready or barred, and the refusal on the way."""
        call = self._next_call(tool, clause)
        while call.filled.complete and call.tool.id != tool.id:
            error = yield from self._call(call)
            if error:
                return call, error
            call = self._next_call(tool, clause)
        return call, ""

    def _next_call(self, tool: Tool, clause: Clause) -> Call:
        return planning.path_to(tool, self._known(clause), self._situation())

    def _known(self, clause: Clause) -> Known:
        return Known(self.brief.task, clause, self.brief.values, self.memory, self.german)

    def _situation(self) -> Situation:
        return Situation(self.menu, self.german, begun=bool(self.memory.steps))

    def _call(self, call: Call) -> Generator[AgentEvent, None, str]:
        """Make a call, once more with better arguments if it is refused or finds nothing; the refusal, or nothing."""
        arguments = dict(call.filled.arguments)
        if self.ban.covers(call.tool):
            return self.phrases.about("forbidden", call.tool.id)
        error = self.memory.refused(call.tool, arguments)
        if error:
            return error
        error = yield from self._try(call.tool, arguments)
        better = repair.corrected(call.tool, arguments, error) if error else self._wider(call)
        if better is not None:
            error = yield from self._try(call.tool, better)
        return error

    def _wider(self, call: Call) -> dict[str, Any] | None:
        """Wider arguments for a look-up that found nothing; what changes something is never done twice."""
        found_nothing = call.tool.effect == "observe" and is_empty(self.memory.steps[-1].content)
        return repair.widened(call.tool, call.filled) if found_nothing else None

    def _try(self, tool: Tool, arguments: dict[str, Any]) -> Generator[AgentEvent, None, str]:
        yield from self._pause()
        self._check_limits()
        self.steps += 1
        self.meter.call(tool.id, arguments)
        outcome = self.toolbox.call(tool.id, arguments)
        self.meter.returned(outcome)
        yield Progress(self.meter.usage())
        if outcome.ok:
            self.memory.steps.append(Step(tool, arguments, outcome.content))
            return ""
        error = outcome.error or "The call was refused."
        self.memory.refuse(tool, arguments, error)
        return error

    def _close(self) -> Events:
        yield from self._pause()
        results = self.phrases.results(self.brief.task, self.memory.steps)
        text = joined([*results, *self.troubles])
        if self.memory.steps:
            raise self._end(Ending.ANSWERED, text, "answered in part" if self.troubles else "answered")
        if self.steps:
            raise self._end(Ending.ANSWERED, text, "every call was refused")
        raise self._end(Ending.DECLINED, text or self.phrases.about("no_fit", self.brief.task), "no tool fits")

    def _pause(self) -> Events:
        """The small seeded pause before a step; the place where a stop is noticed."""
        seconds = self.brief.pause_s * random.Random(f"{self.brief.seed} {self.steps}").uniform(0.5, 1.5)
        if self.cancel.wait(seconds) if seconds > 0 else self.cancel.requested():
            raise self._end(Ending.STOPPED, self.phrases.stopped, "stop requested")
        yield from ()

    def _check_limits(self) -> None:
        if self.steps >= self.brief.limits.max_steps:
            raise self._end(Ending.LIMIT, self.phrases.limit(self.steps), "step limit")
        if time.monotonic() >= self._deadline:
            raise self._end(Ending.LIMIT, self.phrases.limit(self.steps), "time limit")

    def _question(self, call: Call) -> _End:
        if call.filled.ambiguity:
            return self._end(Ending.ASKED, self.phrases.which(call.filled.ambiguity), "several records fit")
        return self._end(Ending.ASKED, self.phrases.missing(call.tool, call.filled.missing), "an argument is missing")

    @staticmethod
    def _end(ending: Ending, text: str, reason: str) -> _End:
        return _End(ending, text, reason)
