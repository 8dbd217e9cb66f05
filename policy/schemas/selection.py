"""Tool selection over the API."""

from __future__ import annotations

from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from policy.engine.selection import Candidate, Category
from policy.schemas.common import (
    AskedInSteps,
    DiagnosticsDocument,
    FailureDocument,
    JudgmentDocument,
    Name,
    Strict,
    Text,
    shown,
)

MAX_CANDIDATES = 10_000
MAX_CATEGORIES = 1_000
# Beyond this a priority says nothing that a smaller number could not say.
MOST_PRIORITY = 2**31 - 1


class CandidateIn(Strict):
    """A tool that may be offered."""

    id: Annotated[Name, Field(examples=["read_file"])]
    categories: Annotated[list[Name], Field(max_length=50, description="None: `uncategorized`.")] = []
    description: Annotated[Text | None, Field(description="Trusted text; the first 200 code points are sent.")] = None
    restricted: Annotated[bool, Field(strict=True, description="Never sent, never selected.")] = False
    priority: Annotated[
        int | None,
        Field(strict=True, ge=-MOST_PRIORITY, le=MOST_PRIORITY, description="Lower comes first under a cap."),
    ] = None

    def to_engine(self) -> Candidate:
        return Candidate(self.id, tuple(self.categories), self.description, self.restricted, self.priority)


class CategoryIn(Strict):
    """A group of tools and what it is for."""

    id: Annotated[Name, Field(examples=["files"])]
    description: Annotated[Text | None, Field(description="Trusted text; the first 400 code points are sent.")] = None

    def to_engine(self) -> Category:
        return Category(self.id, self.description)


class SelectTools(AskedInSteps):
    """Which of these tools does this task need?"""

    model_config = shown(
        {
            "task": "Read the file error.log and show me its last lines",
            "candidates": [
                {"id": "read_file", "categories": ["files"], "description": "Reads a file and shows its lines."},
                {"id": "send_mail", "categories": ["mail"], "description": "Sends a mail to a person."},
            ],
            "categories": [
                {"id": "files", "description": "Read, write and delete files."},
                {"id": "mail", "description": "Read and send mail."},
            ],
            "member_lines": True,
        }
    )

    candidates: Annotated[list[CandidateIn], Field(max_length=MAX_CANDIDATES)]
    categories: Annotated[list[CategoryIn], Field(max_length=MAX_CATEGORIES)] = []
    always_allow: Annotated[
        list[Name], Field(max_length=MAX_CANDIDATES, description="Tools that stay whatever the judge says.")
    ] = []
    max_selected: Annotated[
        int | None,
        Field(strict=True, ge=0, le=MAX_CANDIDATES, description="null: the profile's `maxSelectedTools`."),
    ] = None
    ask_first: Annotated[
        bool, Field(strict=True, description="Also ask whether the task leaves open what is wanted.")
    ] = False
    member_lines: Annotated[
        bool, Field(strict=True, description="Name every tool in its category's question: better with `local`.")
    ] = False


class ChosenDocument(Schema):
    id: str
    probability: float
    category: str


class DroppedDocument(Schema):
    id: str
    reason: str
    probability: float | None
    category: str | None


class PickDocument(Schema):
    choice: str
    tool: str | None
    probability: float
    confidence: float
    probabilities: dict[str, float]


class CategoryDocument(Schema):
    category: str
    relevance: float | None
    relevant: bool
    pick: PickDocument | None
    further_picks: list[PickDocument] = []


class SelectionDocument(Schema):
    """Narrow your tools only where `applied`; on every other status keep your own set, or withhold by `outcome`."""

    status: Literal["selected", "abstained", "fallback", "off"]
    outcome: Literal["selected", "needs_clarification", "no_match", "unavailable"]
    rule: Annotated[str, Field(examples=["selection.selected"])]
    reason: str
    mode: str
    applied: bool
    selected: list[ChosenDocument]
    expand: Annotated[list[ChosenDocument], Field(description="Alternatives of an uncertain pick.")]
    always_allow: list[str]
    dropped: list[DroppedDocument]
    categories: list[CategoryDocument]
    ask_first: float | None
    failure: FailureDocument | None
    diagnostics: DiagnosticsDocument


class SelectionJudgment(JudgmentDocument):
    result: SelectionDocument
