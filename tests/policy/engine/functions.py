"""Every function of the engine that asks a judge, called so that a favourable judge grants something."""

from __future__ import annotations

import copy
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from policy.engine.assessment import assess_call
from policy.engine.decisions import Action
from policy.engine.evaluation import evaluate
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.model_routing import KEEP, Route, Target, route_model
from policy.engine.profile import Profile
from policy.engine.questions import Choice, Noul, Question, Score
from policy.engine.routing import CLARIFICATION_ID, RoutingPolicy, create_catalog, select_top_k
from policy.engine.rules import Rule, RuleKind
from policy.engine.selection import Candidate, select_tools
from policy.engine.skill_routing import NONE, Skill, route_skill
from tests.policy.engine.routing.doubles import definition

# Decomposed on purpose: a server that composes names answers about names that nobody sent.
ACCENTED = "re\u0301sume\u0301"
NO = {"ask_first", "missing_information", "violates_restriction"}


@dataclass(frozen=True)
class Function:
    """How to call it, and whether its result lets something happen that would not happen without a judge.

    `optional` names the questions whose answers never let anything happen.
    """

    name: str
    steps: Callable[[], Generator[JudgeRequest, Any, Any]]
    granted: Callable[[Any], bool]
    optional: frozenset[str] = frozenset()


def select() -> Generator[JudgeRequest, Any, Any]:
    menu = [Candidate(tool, ("papers",)) for tool in (ACCENTED, "print", "shred")]
    return select_tools(task="print my CV", candidates=menu, profile=Profile(), ask_first=True)


def model() -> Generator[JudgeRequest, Any, Any]:
    routes = {name: Route(Target("acme", name)) for name in ("fast", "balanced", "reasoning")}
    available = [route.target for route in routes.values()]
    return route_model(
        task="print my CV",
        routes=dict(routes),
        default_target=Target("acme", "old"),
        available=available,
        profile=Profile(),
    )


def skill() -> Generator[JudgeRequest, Any, Any]:
    skills = [Skill(ACCENTED, "Write a CV"), Skill("print", "Print papers")]
    return route_skill(task="print my CV", candidates=skills, profile=Profile())


def assess() -> Generator[JudgeRequest, Any, Any]:
    return assess_call(
        task="print my CV",
        tool="print",
        arguments={"paper": ACCENTED},
        restrictions=["Shred nothing"],
        profile=Profile(),
        include_risk=True,
    )


def evaluate_freely() -> Generator[JudgeRequest, Any, Any]:
    questions: dict[str, Question] = {
        "go": Noul("Go on?"),
        "which": Choice("Which?", {ACCENTED: None, "print": None, "shred": None}),
        "how": Score("How much?", ("none", "some", "all", "more")),
    }
    rules = [Rule("go", RuleKind.NOUL_BELOW, "go", Action.DENY, "no", 0.5)]
    return evaluate(state={"task": "print my CV"}, questions=questions, rules=rules, profile=Profile())


def top_k() -> Generator[JudgeRequest, Any, Any]:
    tools = create_catalog([definition(name) for name in ("print", "shred", "write")])
    return select_top_k(task="print my CV", catalog=tools, policy=RoutingPolicy(), profile=Profile())


FUNCTIONS = (
    Function("select", select, lambda result: bool(result.selected or result.expand or result.applied)),
    Function("model", model, lambda result: result.status == "routed" or str(result.target) != "acme/old"),
    Function("skill", skill, lambda result: result.skill is not None or result.applied),
    Function("assess", assess, lambda result: result.status == "allow", frozenset({"risk"})),
    Function("evaluate", evaluate_freely, lambda result: result.action == "allow" or result.applied),
    Function("top-k", top_k, lambda result: bool(result.tool_ids) or result.applied),
)


def favourable(question: str, asked: Question) -> dict[str, Any]:
    """The answer to one question that grants the most."""
    if isinstance(asked, Noul):
        return {"type": "noul", "noul": 0.1 if question in NO else 0.9}
    if isinstance(asked, Choice):
        keeping = {"route": KEEP, "tool": CLARIFICATION_ID}.get(question, NONE)
        labels = sorted(asked.criteria, key=lambda label: label == keeping)
        rest = round(0.1 / (len(labels) - 1), 6) if len(labels) > 1 else 0
        shares = dict.fromkeys(labels, rest) | {labels[0]: round(1 - rest * (len(labels) - 1), 6)}
        return {"type": "choice", "choice": labels[0], "confidence": 0.8, "probabilities": shares}
    levels = {str(level): float(level == 0) for level in range(len(asked.levels))}
    return {"type": "score", "score": 0.0, "confidence": 1.0, "probabilities": levels}


def favourable_reply(request: JudgeRequest) -> dict[str, Any]:
    """A whole reply that grants the most, with usage."""
    answers = {name: favourable(name, question) for name, question in request.questions.items()}
    return {"model": "m-1", "answers": answers, "usage": {"input_tokens": 7, "output_tokens": 2}}


class Spoiling:
    """A favourable judge whose replies are spoiled on the way.

    `touched` tells whether that changed any of them, beside the answers to optional questions.
    """

    name = "spoiling"

    def __init__(self, spoil: Callable[[Any], Any], *, optional: frozenset[str] = frozenset()) -> None:
        self.spoil = spoil
        self.optional = optional
        self.touched = False

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        sound = favourable_reply(request)
        body = self.spoil(copy.deepcopy(sound))
        self.touched |= self._counting(body) != self._counting(sound)
        return JudgeReply(body, b"{}", latency_ms=1.0)

    def _counting(self, body: Any) -> str:
        answers = body.get("answers") if isinstance(body, dict) else None
        if isinstance(answers, dict):
            counting = {name: each for name, each in answers.items() if name not in self.optional}
            return repr({**body, "answers": counting})
        return repr(body)
