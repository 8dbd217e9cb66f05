"""The judgments of the lab: the form of each, how the engine begins it, which thresholds it reads, its API call."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from policy.engine.assessment import assess_call
from policy.engine.breakpoints import Breakpoints, Exchanges, of_selection, of_steps
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.mode import Mode
from policy.engine.model_routing import route_model
from policy.engine.profile import Profile
from policy.engine.selection import Selection, select_tools
from policy.engine.skill_routing import route_skill
from policy.lab import forms, texts
from policy.lab.examples import Example

Inputs = Mapping[str, Any]
Steps = Generator[JudgeRequest, JudgeReply | Failure, Any]


@dataclass(frozen=True, slots=True)
class Function:
    """One tab of the lab. `thresholds` are attributes of `Thresholds`; `api` is the last part of its address."""

    key: str
    title: str
    lead: str
    form: type[forms.LabForm]
    engine: Callable[..., Steps]
    thresholds: tuple[str, ...]
    api: str
    filled: Callable[[Example], dict[str, str]]

    def begin(self, inputs: Inputs, profile: Profile, mode: Mode) -> Steps:
        """The engine's generator for a valid form."""
        return self.engine(**inputs, profile=profile, mode=mode)

    def flips(
        self, result: Any, inputs: Inputs, exchanges: Exchanges, *, profile: Profile, mode: Mode
    ) -> Breakpoints | None:
        """Where the decision flips when thresholds move; None where no answer is usable."""
        if isinstance(result, Selection):
            known = {"candidates": inputs["candidates"], "max_selected": inputs["max_selected"]}
            return of_selection(result, profile=profile, **known)
        return of_steps(
            lambda changed: self.begin(inputs, changed, mode), exchanges, names=self.thresholds, profile=profile
        )


def _call(example: Example) -> dict[str, str]:
    filled = {"task": example.task, "restrictions": "\n".join(example.restrictions)}
    if example.call is None:
        return filled
    return {
        **filled,
        "tool": example.call.tool,
        "arguments": texts.as_json(example.call.arguments),
        "schema": texts.as_json(example.call.schema) if example.call.schema else "",
    }


def _select(example: Example) -> dict[str, str]:
    return {
        "task": example.task,
        "tools": texts.write_tools(example.candidates),
        "categories": texts.write_categories(example.categories),
        "restricted": "\n".join(each.id for each in example.candidates if each.restricted),
        "ask_first": "on",
        "member_lines": "on",
    }


_ROUTES = """\
fast = acme/small-2: Short answers, look-ups, formatting.
balanced = acme/medium-2: Everyday work with a few steps.
reasoning = acme/large-2: Long chains of thought, proofs, code over many files."""
_SKILLS = """\
release-notes: Write the notes of a release from its commits. | A version is about to be published.
refunds: Check what a customer paid and give the money back. | Something is broken, lost or not wanted.
log-reading: Search the logs of a service for an error. | A service fails and nobody knows why.
table-work: Sort, join and add up tables."""


def _model(example: Example) -> dict[str, str]:
    return {
        "task": example.task,
        "routes": _ROUTES,
        "default_target": "acme/medium-2",
        "available": "acme/small-2\nacme/medium-2\nacme/large-2",
    }


def _skill(example: Example) -> dict[str, str]:
    return {"task": example.task, "skills": _SKILLS}


FUNCTIONS = (
    Function(
        key="call",
        title="Tool call",
        lead="May this call run? Three questions in one request, and what the answers decide.",
        form=forms.CallForm,
        engine=assess_call,
        thresholds=("task_match", "missing_information", "restriction"),
        api="assess-call",
        filled=_call,
    ),
    Function(
        key="select",
        title="Tool selection",
        lead="Which tools does the task need? First the categories that matter, then one pick in each.",
        form=forms.SelectForm,
        engine=select_tools,
        thresholds=("relevance", "selection", "confidence", "ask_first"),
        api="select-tools",
        filled=_select,
    ),
    Function(
        key="model",
        title="Model route",
        lead="Which of the configured models fits the task, and is it there?",
        form=forms.ModelForm,
        engine=route_model,
        thresholds=("model_route",),
        api="route-model",
        filled=_model,
    ),
    Function(
        key="skill",
        title="Skill route",
        lead="Does this turn need a skill, and which one?",
        form=forms.SkillForm,
        engine=route_skill,
        thresholds=("skill", "selection", "confidence"),
        api="route-skill",
        filled=_skill,
    ),
)


def named(key: str) -> Function | None:
    """The function of this key, None where there is none."""
    return next((function for function in FUNCTIONS if function.key == key), None)
