"""What the arena's API takes and gives."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Schema
from pydantic import ConfigDict, Field

from policy.schemas.common import ProfileOrName


class StartRun(Schema):
    """A comparison to start; what is left out takes the default of the start page."""

    model_config = ConfigDict(extra="forbid")

    case: Annotated[str, Field(max_length=64, examples=["patch"])]
    arms: Annotated[
        list[str],
        Field(
            max_length=8,
            examples=[["full", "selected"]],
            description=(
                "One to four of: full, selected, shadow; and the controls bm25, embedding, random (as large as the "
                "selected menu) and oracle (just what the case needs)."
            ),
        ),
    ] = ["full", "selected"]
    menu: Annotated[int, Field(strict=True, examples=[40], description="Tools in the menu of the run.")] = 40
    judge: Annotated[
        str | None, Field(max_length=40, description="null: the one that you set for the arena on Settings.")
    ] = None
    agent: Annotated[str, Field(max_length=40)] = "offline"
    agent_model: Annotated[
        str | None,
        Field(max_length=200, description="provider:model of the agent llm; null: the one that you chose on Settings."),
    ] = None
    agent_effort: Annotated[
        str | None, Field(max_length=20, description="minimal, low, medium or high; null: the provider's own.")
    ] = None
    agent_temperature: Annotated[float | None, Field(description="0 to 2; null: the provider's own.")] = None
    max_steps: Annotated[int | None, Field(strict=True, description="Most tool calls of a lane; null: 12.")] = None
    max_tokens: Annotated[
        int | None, Field(strict=True, description="Most tokens in and out of a lane; null: no bound.")
    ] = None
    seed: Annotated[int, Field(strict=True)] = 1
    profile: Annotated[
        ProfileOrName,
        Field(
            description=(
                "A profile in the form of the export; a text: a saved profile as name@version; null: the judge's own."
            )
        ),
    ] = None
    selector: Annotated[
        str, Field(max_length=40, description="two-stage: per category; top-k: one choice, read with costs.")
    ] = "two-stage"
    routing: Annotated[
        dict[str, Any] | None, Field(description="Limits of top-k in the form of the export; null: the judge's own.")
    ] = None
    gate: Annotated[
        str,
        Field(
            max_length=12,
            description=(
                "off; shadow: every call is judged and recorded; enforce: what is not allowed is stopped or asked; "
                "compare: one arm without and with the gate."
            ),
        ),
    ] = "off"
    rules: Annotated[
        list[dict[str, Any]] | str | None,
        Field(
            description="Rules over calls: text, one a line, or a list of objects with action, tool and when.",
            examples=["deny delete_* -- nothing is deleted here"],
        ),
    ] = None
    attended: Annotated[
        bool, Field(description="false: nobody is asked about a call; what would be asked counts as not approved.")
    ] = True
    pause_s: Annotated[
        float | None, Field(ge=0, le=10, description="Mean pause of the offline agent before a step; null: the site's.")
    ] = None
    stable_menu: Annotated[
        bool, Field(strict=True, description="An answered question goes on with the menu selected before.")
    ] = False
    find_tool: Annotated[
        bool, Field(strict=True, description="Agents whose menu is not the whole one may search for more tools.")
    ] = False


class LaneDocument(Schema):
    id: str
    letter: str
    arm: str
    gate: Annotated[str, Field(description="off, shadow or enforce: what stood before every call.")]
    state: str
    message: str
    ending: str | None
    success: bool | None
    answer: str
    menu: list[dict[str, Any]] | None
    check: dict[str, Any] | None
    metrics: dict[str, dict[str, Any]]
    model: str | None
    started_at: str | None
    finished_at: str | None


class QuestionDocument(Schema):
    asked_by: Annotated[str, Field(description="The letter of a lane, or judge.")]
    text: str


class DialogueDocument(Schema):
    state: Annotated[str, Field(description="none, open, answered, or left open.")]
    questions: list[QuestionDocument]
    continues: Annotated[str | None, Field(description="The run whose question this one goes on with, answered.")]
    continued_by: Annotated[str | None, Field(description="The run that goes on with the answer.")]


class RunAnswer(Schema):
    """The answer to what a run asked."""

    model_config = ConfigDict(extra="forbid")

    answer: Annotated[str, Field(max_length=4_000, examples=["Make sum return 0 for an empty list in src/sum.ts."])]


class RunDocument(Schema):
    id: str
    number: int
    state: str
    message: str
    case: str
    title: str
    by: str
    origin: str
    setup: dict[str, Any]
    setup_digest: str
    outcome: str | None
    seq: int
    created_at: str
    started_at: str | None
    settled_at: str | None
    dialogue: DialogueDocument
    lanes: list[LaneDocument]


class RunFilter(Schema):
    """What to list; an empty text is no filter."""

    q: Annotated[str, Field(description="Words of title, case, id, number or tag; all must fit.")] = ""
    state: str = ""
    case: str = ""
    arm: Annotated[str, Field(description="An arm that one of the lanes has.")] = ""
    agent: str = ""
    judge: str = ""
    tag: str = ""
    annotated: Annotated[str, Field(description="none, some or full: by as many raters as a run gets.")] = ""
    since: Annotated[str, Field(description="A day in UTC, such as 2026-12-01; included.")] = ""
    until: Annotated[str, Field(description="A day in UTC; included.")] = ""
    archived: Annotated[str, Field(description="with: those put away, too; only: nothing else.")] = ""
    sort: Annotated[str, Field(description="newest, oldest or case.")] = "newest"


class RunList(Schema):
    runs: list[RunDocument]
    before: Annotated[int | None, Field(description="Ask with `before=` this number for the next, older page.")]


class EventDocument(Schema):
    seq: int
    kind: str
    lane: str | None
    at: str
    payload: dict[str, Any]


class EventList(Schema):
    events: list[EventDocument]
    last: Annotated[int, Field(description="Ask with `after=` this number for what comes next.")]
    final: Annotated[bool, Field(description="The run has come to its end and there is no event after `last`.")]


class CaseDocument(Schema):
    id: str
    title: str
    kind: str
    lang: str
    task: str
    restrictions: list[str]


class BrokenDocument(Schema):
    id: str
    file: str
    field: str
    reason: str
    mend: str


class CaseList(Schema):
    cases: list[CaseDocument]
    broken: list[BrokenDocument]


class ApprovalDocument(Schema):
    """One question to a person about one call; `arguments` are redacted, `digest` is what an answer must name."""

    id: str
    run: str
    lane: str
    letter: str
    call: int
    tool: str
    effect: str
    arguments: dict[str, Any]
    digest: str
    rule: str
    reason: str
    measured: float | None
    threshold: float | None
    state: str
    message: str
    asked_at: str | None
    expires_at: str | None
    answered_at: str | None
    answered_by: str | None


class ApprovalList(Schema):
    approvals: list[ApprovalDocument]


class Answer(Schema):
    """A person's answer to one question."""

    model_config = ConfigDict(extra="forbid")

    approve: Annotated[bool, Field(strict=True, description="false denies the call.")]
    digest: Annotated[str, Field(max_length=64, description="The digest of the call as it was seen.")]
