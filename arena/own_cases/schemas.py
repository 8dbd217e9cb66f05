"""Bodies of the API of own cases."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Schema
from pydantic import ConfigDict, Field


class MakeCase(Schema):
    """A case in the form of `fixtures/cases`, as JSON; `files`, `catalog` and `real_arms` beside it."""

    model_config = ConfigDict(extra="forbid")

    case: Annotated[
        dict[str, Any],
        Field(
            description="title, task, checks, acceptable; optional: kind, summary, lang, ending, world or files, "
            "restrictions, forbids, values, catalog, real_arms, wrong."
        ),
    ]


class ChangeCase(MakeCase):
    version: Annotated[int, Field(ge=1, description="The version that you changed; another one is refused with 409.")]


class OwnCaseDocument(Schema):
    id: str
    version: int
    title: str
    usable: Annotated[bool, Field(description="A run of it can be started now.")]
    why_not: str
    case: dict[str, Any]


class OwnCaseList(Schema):
    cases: list[OwnCaseDocument]
