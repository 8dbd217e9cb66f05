"""Loop detection over the API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

from policy.engine.loops import MAX_REPEATS
from policy.schemas.common import DecisionDocument, Name, Strict, shown
from policy.services.loops import MAX_SUBJECTS

# What a column holds in every database: no NUL.
Subject = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        pattern=r"^[^\x00]+$",
        description=f"Whose calls are counted: an agent, a session. A user has {MAX_SUBJECTS} at most.",
    ),
]


class Called(Strict):
    """A call of a subject; its arguments are compared by a keyed digest and never kept."""

    subject: Subject
    tool: Name
    arguments: dict[str, Any]
    max_repeats: Annotated[
        int,
        Field(
            alias="maxRepeats",
            strict=True,
            ge=2,
            le=1_000_000,
            description="From so many identical calls in a row on, the next one is denied.",
        ),
    ] = MAX_REPEATS
    exempt: Annotated[
        list[Name], Field(max_length=1000, description="Tools that may be called again on purpose, as one that polls.")
    ] = []


class ObserveCall(Called):
    """This call was carried out; count it."""

    model_config = shown({"subject": "agent-7", "tool": "read_file", "arguments": {"path": "app.log"}})


class CheckCall(Called):
    """May this call be carried out, as far as repetition goes? Nothing is counted."""

    model_config = shown({"subject": "agent-7", "tool": "read_file", "arguments": {"path": "app.log"}})

    mode: Annotated[
        Literal["off", "shadow", "enforce"],
        Field(description="`off` decides nothing; `shadow` decides and is not to be applied; `enforce` is."),
    ] = "enforce"


class ResetSubject(Strict):
    """The subject begins anew, as after a new message of its person."""

    model_config = shown({"subject": "agent-7"})

    subject: Subject


class ObservationDocument(Schema):
    subject: str
    count: Annotated[int, Field(description="Identical calls in a row, this one included.")]
    repeated: Annotated[bool, Field(description="Whether the next identical call would be denied.")]


class CheckDocument(Schema):
    subject: str
    count: Annotated[int, Field(description="Identical calls directly before this one.")]
    decision: Annotated[DecisionDocument | None, Field(description="null: repetition is no reason against it.")]


class ResetDocument(Schema):
    subject: str
    forgotten: Annotated[bool, Field(description="Whether there was anything to forget.")]
