"""How a fixture is asked: by the engine's own functions, at thresholds under which everything is asked."""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from policy.calibration.fixtures import Fixture, Kind
from policy.engine import assessment, evaluation, model_routing, selection, skill_routing
from policy.engine.answers import ChoiceAnswer, NoulAnswer, ScoreAnswer
from policy.engine.canonical import digest
from policy.engine.failures import Failure, FailureCode
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import Limits, Profile, Thresholds
from policy.engine.questions import Choice, Noul, Question, Score

# Time of the reference's own measuring; a case is asked in one to a few requests.
BUDGET_MS = 30_000
FORWARD, REVERSED, SHUFFLED = "forward", "reversed", "shuffled"
ORDERS = (FORWARD, REVERSED, SHUFFLED)
# Every category is asked, and no question comes first.
OPEN = Thresholds(relevance=0.0, selection=0.0, confidence=0.0, ask_first=1.0)
ANSWER = "answer"
# Decided without a judge, the same at all thresholds.
UNASKED = FailureCode.INCOMPLETE_INPUT.value
# Labels that keep their place: they stand for "none of these".
FIXED = frozenset({"__none__", model_routing.KEEP})

Result = Any
Steps = Generator[JudgeRequest, JudgeReply | Failure, Result]


@dataclass(frozen=True, slots=True)
class Options:
    """What shapes the requests besides the fixture; `limits` are the bounds on texts and counts."""

    member_lines: bool = False
    limits: Limits = Limits()  # noqa: RUF009

    def to_json(self) -> dict[str, Any]:
        return {"member_lines": self.member_lines, "limits": self._shaping()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Options:
        return cls(bool(data["member_lines"]), Limits.from_json(data["limits"]))

    @property
    def digest(self) -> str:
        return digest(self.to_json())

    def of(self, kind: Kind) -> dict[str, Any]:
        """Those of the options that this kind depends on."""
        shaping = self._shaping()
        wanted = {name: shaping[name] for name in _LIMITS[kind]}
        return {"member_lines": self.member_lines, **wanted} if kind is Kind.SELECTION else wanted

    def _shaping(self) -> dict[str, Any]:
        timing = ("budgetMs", "maxConcurrent", "maxSelectedTools")
        return {name: value for name, value in self.limits.to_json().items() if name not in timing}


_TEXTS = ("maxStateChars",)
_LIMITS: Mapping[Kind, tuple[str, ...]] = {
    Kind.SELECTION: (*_TEXTS, "maxCategories", "maxCandidatesPerQuestion", "maxOptionsPerQuestion"),
    Kind.ASSESSMENT: (*_TEXTS, "maxArgumentChars", "maxArrayItems", "maxDepth"),
    Kind.SKILL: (*_TEXTS, "maxSkills", "maxOptionsPerQuestion"),
    Kind.MODEL_ROUTE: _TEXTS,
    Kind.GENERIC: (*_TEXTS, "maxArrayItems", "maxDepth"),
}


def question_set(kind: Kind) -> str:
    """SHA-256 of the fixed texts of the engine's questions of this kind; empty for questions of your own."""
    match kind:
        case Kind.SELECTION:
            return selection.question_set_digest()
        case Kind.ASSESSMENT:
            return assessment.question_set_digest()
        case Kind.SKILL:
            return skill_routing.question_set_digest()
        case Kind.MODEL_ROUTE:
            return model_routing.question_set_digest()
        case Kind.GENERIC:
            return ""


def steps(fixture: Fixture, options: Options) -> Steps:
    """The engine's generator for this fixture; drive it with `policy.engine.drive`.

    Raises `InvalidConfig` where the engine refuses the input itself.
    """
    row = fixture.row
    limits = replace(options.limits, budget_ms=BUDGET_MS)
    profile = Profile(name="measuring", thresholds=OPEN, limits=limits)
    task = {"task": row.get("task", ""), "step": row.get("step")}
    match fixture.kind:
        case Kind.SELECTION:
            return selection.select_tools(
                **task,
                candidates=candidates(fixture),
                categories=[
                    selection.Category(each["id"], each.get("description")) for each in row.get("categories", ())
                ],
                profile=profile,
                max_selected=row.get("maxSelected"),
                member_lines=options.member_lines,
            )
        case Kind.ASSESSMENT:
            return assessment.assess_call(
                **task,
                tool=row["toolId"],
                arguments=row["arguments"],
                restrictions=tuple(row.get("restrictions", ())),
                schema=row.get("schema"),
                include_risk=row.get("includeRiskScore", False),
                profile=profile,
            )
        case Kind.SKILL:
            skills = [
                skill_routing.Skill(each["name"], each.get("description"), each.get("whenToUse"))
                for each in row["candidates"]
            ]
            return skill_routing.route_skill(**task, candidates=skills, profile=profile)
        case Kind.MODEL_ROUTE:
            return model_routing.route_model(
                **task,
                routes={name: route and _route(route) for name, route in row["routes"].items()},
                default_target=model_routing.Target(**row["defaultTarget"]),
                available=[model_routing.Target(**each) for each in row["available"]],
                profile=profile,
            )
        case Kind.GENERIC:
            return evaluation.evaluate(
                state=row["state"], questions={ANSWER: question(row["question"])}, profile=profile
            )


def candidates(fixture: Fixture) -> list[selection.Candidate]:
    """The tools of a selection as the engine takes them."""
    return [
        selection.Candidate(
            each["id"],
            tuple(each["categories"]),
            each.get("description"),
            each.get("restricted", False),
            each.get("priority"),
        )
        for each in fixture.row["candidates"]
    ]


def question(wire: Mapping[str, Any]) -> Question:
    """A typed question from its wire form, which the fixture's reader has checked."""
    criteria = wire.get("criteria")
    if wire["type"] == "choice":
        return Choice(wire["instructions"], dict(criteria or {}))
    if wire["type"] == "score":
        return Score(wire["instructions"], tuple(criteria or ()))
    given = criteria or {}
    return Noul(wire["instructions"], given.get("true"), given.get("false"))


def measured(kind: Kind, result: Result) -> dict[str, Any]:
    """What was answered, as numbers to keep; nothing of what was decided at the open thresholds."""
    match kind:
        case Kind.SELECTION:
            return {"categories": [_category(each) for each in result.categories]}
        case Kind.ASSESSMENT:
            return {key: value for key, value in asdict(result.values).items() if value is not None}
        case Kind.SKILL:
            return {"needs_skill": result.needs_skill, **_picked(result)} if result.choice is not None else {}
        case Kind.MODEL_ROUTE:
            return _picked(result) if result.choice is not None else {}
        case Kind.GENERIC:
            return _answered(result.answers.get(ANSWER))


def reordered(request: JudgeRequest, order: str, seed: int) -> JudgeRequest:
    """The same request with the options of its choices in another order; "none of these" keeps its place."""
    if order == FORWARD:
        return request
    questions = {
        name: Choice(each.instructions, _turned(each.criteria, order, f"{seed}:{name}"))
        if isinstance(each, Choice)
        else each
        for name, each in request.questions.items()
    }
    return JudgeRequest(request.state, questions, request.stage)


def has_order(fixture: Fixture) -> bool:
    """Whether another order of the options could change the answer: something is chosen among two or more."""
    row = fixture.row
    match fixture.kind:
        case Kind.SELECTION | Kind.SKILL:
            return len(row["candidates"]) > 1
        case Kind.MODEL_ROUTE:
            return sum(route is not None for route in row["routes"].values()) > 1
        case Kind.GENERIC:
            asked = row.get("question")
            return isinstance(asked, Mapping) and asked["type"] == "choice" and len(asked["criteria"]) > 1
        case _:
            return False


def _turned(criteria: Mapping[str, str | None], order: str, seed: str) -> dict[str, str | None]:
    moving = [label for label in criteria if label not in FIXED]
    turned = moving[::-1] if order == REVERSED else random.Random(seed).sample(moving, len(moving))
    places = iter(turned)
    labels: Sequence[str] = [label if label in FIXED else next(places) for label in criteria]
    return {label: criteria[label] for label in labels}


def _route(route: Mapping[str, Any]) -> model_routing.Route:
    return model_routing.Route(model_routing.Target(route["provider"], route["model"]), route.get("description"))


def _category(result: selection.CategoryResult) -> dict[str, Any]:
    return {
        "category": result.category,
        "relevance": result.relevance,
        "picks": [{**pick.to_json(), "tools": dict(pick.tools)} for pick in result.picks],
    }


def _picked(result: Any) -> dict[str, Any]:
    return {
        "choice": result.choice,
        "probability": result.probability,
        "confidence": result.confidence,
        "probabilities": dict(result.probabilities),
    }


def _answered(answer: object) -> dict[str, Any]:
    match answer:
        case NoulAnswer():
            return {"noul": answer.noul}
        case ChoiceAnswer():
            share = answer.probabilities[answer.choice]
            return {
                "choice": answer.choice,
                "probability": share,
                "confidence": answer.confidence,
                "probabilities": dict(answer.probabilities),
            }
        case ScoreAnswer():
            return {
                "score": answer.score,
                "confidence": answer.confidence,
                "probabilities": dict(answer.probabilities),
            }
    return {}
