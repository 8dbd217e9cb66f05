"""The routing itself: two questions in one request, three thresholds that must all be met."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field

from policy.engine.answers import ChoiceAnswer, NoulAnswer
from policy.engine.bounds import bound_line, bound_text, clean_text
from policy.engine.canonical import digest
from policy.engine.contract import invalid_reply
from policy.engine.diagnostics import Diagnostics
from policy.engine.failures import Failure
from policy.engine.journal import Inquiry, Journal
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.mode import Mode, mode_of
from policy.engine.profile import InvalidConfig, Limits, Profile, Thresholds
from policy.engine.questions import Choice, Noul, Question
from policy.engine.rules import number_text
from policy.engine.skill_routing.records import (
    MAX_NAME_CHARS,
    NONE,
    Dropped,
    DropReason,
    Rule,
    Skill,
    SkillRouting,
    Status,
)
from policy.engine.task_state import task_state

QUESTION_SET = "skill-route/1"
NEEDS_SKILL = "needs_skill"
SKILL = "skill"
MAX_DESCRIPTION_CHARS = 240

NEEDS_TEXT = "Does this turn require one of the available skills?"
SKILL_TEXT = "Which skill is most relevant for this turn?"
NONE_TEXT = "No skill is needed for this turn."
WHEN_TO_USE = "When to use: "
HINT = 'The skill "{name}" may fit this turn{about}. Read its instructions first if you use it; ignore this otherwise.'


Steps = Generator[JudgeRequest, JudgeReply | Failure, SkillRouting]


def route_skill(
    *,
    task: str,
    step: str | None = None,
    candidates: Sequence[Skill],
    profile: Profile,
    mode: Mode = Mode.ENFORCE,
    max_description_chars: int = MAX_DESCRIPTION_CHARS,
    routing_hints: Mapping[str, str] | None = None,
) -> Steps:
    """Ask two questions in one request; drive it with `policy.engine.drive`.

    A description and a when-to-use text are cut to `max_description_chars` code points each, so neither hides the
    other; `routing_hints` (skill name -> text) lengthen the latter. Selected only at the thresholds `skill`,
    `selection` and `confidence` together. Skills beyond `maxSkills` and unusable names are recorded as dropped.
    Raises `InvalidConfig` for an unknown mode or a bound below 1, at once and not when driven.
    """
    if isinstance(max_description_chars, bool) or not isinstance(max_description_chars, int):
        raise InvalidConfig(f"max_description_chars must be a whole number; got {max_description_chars!r:.80}")
    if max_description_chars < 1:
        raise InvalidConfig(f"max_description_chars must be 1 or more; got {max_description_chars}")
    kept, dropped = _sorted_out(candidates, profile.limits)
    return _Run(
        task=task,
        step=step,
        skills=kept,
        dropped=dropped,
        max_chars=max_description_chars,
        hints=routing_hints or {},
        profile=profile,
        mode=mode_of(mode),
    ).steps()


def question_set_digest() -> str:
    """SHA-256 of the fixed texts: measurements under another digest are measurements of other questions."""
    return digest([QUESTION_SET, NEEDS_TEXT, SKILL_TEXT, NONE_TEXT, WHEN_TO_USE])


def _sorted_out(candidates: Sequence[Skill], limits: Limits) -> tuple[dict[str, Skill], tuple[Dropped, ...]]:
    room = min(limits.max_skills, limits.max_options_per_question - 1)
    kept: dict[str, Skill] = {}
    dropped: list[Dropped] = []
    for skill in candidates:
        reason = _unusable(skill.name)
        if reason is None and skill.name in kept:
            reason = DropReason.DUPLICATE
        if reason is None and len(kept) == room:
            reason = DropReason.CAP
        if reason is None:
            kept[skill.name] = skill
        else:
            name = bound_text(skill.name, MAX_NAME_CHARS).text if isinstance(skill.name, str) else ""
            dropped.append(Dropped(name, reason))
    return kept, tuple(dropped)


def _unusable(name: object) -> DropReason | None:
    if not isinstance(name, str) or not name.strip():
        return DropReason.EMPTY
    if name == NONE:
        return DropReason.RESERVED
    if len(name) > MAX_NAME_CHARS:
        return DropReason.TOO_LONG
    return DropReason.UNSENDABLE if clean_text(name).lost else None


@dataclass(slots=True)
class _Run:
    task: str
    step: str | None
    skills: Mapping[str, Skill]
    dropped: tuple[Dropped, ...]
    max_chars: int
    hints: Mapping[str, str]
    profile: Profile
    mode: Mode
    journal: Journal = field(default_factory=Journal)
    loss: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    state: Mapping[str, str] = field(default_factory=dict)

    def steps(self) -> Steps:
        if self.mode is Mode.OFF:
            self.journal.stages.append("mode:off")
            return self._ended(Status.OFF, Rule.OFF, "mode is off")
        if not self.skills:
            self.journal.stages.append("prefilter:no-skills")
            return self._ended(Status.NONE, Rule.NO_SKILLS, "there is no skill that may be offered")
        bounded = task_state(self.task, self.step, max_state_chars=self.profile.limits.max_state_chars)
        self.loss.update(bounded.loss)
        self.state = bounded.state
        asked = yield from self.journal.ask(bounded.state, [Inquiry("skill", self._questions(), ("skill:batched",))])
        needs, choice = asked.answers.get(NEEDS_SKILL), asked.answers.get(SKILL)
        if asked.failure is None and isinstance(needs, NoulAnswer) and isinstance(choice, ChoiceAnswer):
            return self._judged(needs, choice)
        failure = asked.failure or invalid_reply(())
        reason = f"no skill is suggested: {failure.code.value}: {failure.message}"
        return self._ended(Status.FALLBACK, Rule.FAILURE, reason, failure=failure)

    def _questions(self) -> dict[str, Question]:
        criteria = {NONE: NONE_TEXT, **{name: self._criterion(skill) for name, skill in self.skills.items()}}
        self.sizes[SKILL] = len(criteria)
        return {NEEDS_SKILL: Noul(NEEDS_TEXT), SKILL: Choice(SKILL_TEXT, criteria)}

    def _criterion(self, skill: Skill) -> str | None:
        """Both texts bounded on their own, then joined; None when there is neither."""
        when = " ".join(filter(None, (skill.when_to_use, self.hints.get(skill.name))))
        parts = [self._bounded(f"skill:{skill.name}", skill.description)] if skill.description else []
        if when:
            parts.append(WHEN_TO_USE + self._bounded(f"when:{skill.name}", when))
        return " ".join(parts) or None

    def _bounded(self, place: str, text: str) -> str:
        bounded = bound_text(text, self.max_chars)
        if bounded.lost:
            self.loss[place] = bounded.lost
        return bounded.text

    def _judged(self, needs: NoulAnswer, answer: ChoiceAnswer) -> SkillRouting:
        rule, reason = _conclusion(needs.noul, answer, self.profile.thresholds)
        selected = rule is Rule.SELECTED
        return self._ended(
            Status.SELECTED if selected else Status.NONE,
            rule,
            reason,
            needs=needs,
            answer=answer,
            skill=self.skills[answer.choice] if selected else None,
        )

    def _ended(
        self,
        status: Status,
        rule: Rule,
        reason: str,
        *,
        needs: NoulAnswer | None = None,
        answer: ChoiceAnswer | None = None,
        skill: Skill | None = None,
        failure: Failure | None = None,
    ) -> SkillRouting:
        return SkillRouting(
            status=status,
            rule=rule,
            reason=reason,
            mode=self.mode,
            skill=None if skill is None else skill.name,
            hint=None if skill is None else _hint(skill, self.max_chars),
            needs_skill=None if needs is None else needs.noul,
            choice=None if answer is None else answer.choice,
            probability=None if answer is None else answer.probabilities[answer.choice],
            confidence=None if answer is None else answer.confidence,
            probabilities={} if answer is None else answer.probabilities,
            dropped=self.dropped,
            failure=failure,
            diagnostics=Diagnostics(
                question_set=QUESTION_SET,
                stages=tuple(self.journal.stages),
                requests=tuple(self.journal.notes),
                question_sizes=self.sizes,
                loss=self.loss,
                state=self.state,
            ),
        )


def _conclusion(needs: float, answer: ChoiceAnswer, cuts: Thresholds) -> tuple[Rule, str]:
    """The first rule that holds: no skill fits, none is needed, too weak, unsure, selected."""
    if answer.choice == NONE:
        return Rule.NONE, "the judge chose none of the skills"
    share = answer.probabilities[answer.choice]
    measures = (
        (Rule.NOT_NEEDED, "the need for a skill", needs, cuts.skill),
        (Rule.BELOW_THRESHOLD, f'skill "{answer.choice}"', share, cuts.selection),
        (Rule.UNSURE, f'the confidence in skill "{answer.choice}"', answer.confidence, cuts.confidence),
    )
    for rule, what, value, cut in measures:
        if value < cut:
            return rule, f"{what} is at {number_text(value)}, below {number_text(cut)}"
    return Rule.SELECTED, f'skill "{answer.choice}" at {number_text(share)}, needed at {number_text(needs)}'


def _hint(skill: Skill, max_chars: int) -> str:
    about = f": {bound_line(skill.description, max_chars).text}" if skill.description else ""
    return HINT.format(name=bound_line(skill.name, MAX_NAME_CHARS).text, about=about.rstrip("."))
