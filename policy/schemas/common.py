"""What every judgment over the API shares: who is asked and how, the profile, failures, diagnostics, exchanges."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, WithJsonSchema, WrapValidator
from pydantic_core import PydanticCustomError

from policy.engine.profile import Profile

MAX_TEXT = 100_000
MAX_NAME = 500

Text = Annotated[str, Field(max_length=MAX_TEXT)]
Name = Annotated[str, Field(max_length=MAX_NAME)]


class Problem(Schema):
    """A refused request (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: Annotated[str, Field(description="What was refused, why, and what would be taken.")]
    code: Annotated[str, Field(description="Stable, for programs.")] = ""
    field: Annotated[str | None, Field(description="Where in the request, with dots; null: not in one place.")] = None


class Strict(Schema):
    """A request, or a part of one: an unknown field is refused."""

    model_config = ConfigDict(extra="forbid")


def shown(example: dict[str, Any]) -> ConfigDict:
    """The setting of a request that shows this body on the OpenAPI page; the tests send it."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})


def profile_schema() -> dict[str, Any]:
    """The JSON schema of a profile, read off the engine's own fields so that the two cannot differ."""
    known = Profile().to_json()
    cuts = {
        name: {"type": "number", "minimum": 0, "maximum": 1, "default": cut}
        for name, cut in known["thresholds"].items()
    }
    bounds = {name: {"type": "integer", "minimum": 1, "default": bound} for name, bound in known["limits"].items()}
    on_failure: dict[str, Any] = {name: {"enum": ["fallback"]} for name in known["onFailure"]}
    on_failure["toolAssessment"] = {"enum": ["ask", "hold"], "default": known["onFailure"]["toolAssessment"]}
    sections = {"thresholds": closed(cuts), "limits": closed(bounds), "onFailure": closed(on_failure)}
    head: dict[str, Any] = {"name": {"type": "string"}, "version": {"type": "integer", "minimum": 1}}
    return closed({**head, **sections})


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of an object with these properties and no others."""
    return {"type": "object", "additionalProperties": False, "properties": properties}


# Read by the engine, whose refusals name the key and the allowed ones.
ProfileIn = Annotated[dict[str, Any], WithJsonSchema(profile_schema())]


# A profile that was saved with its passport.
SavedName = Annotated[str, Field(max_length=120, examples=["support-gate@3"])]


def _object_or_name(given: object) -> object:
    if given is None or isinstance(given, dict) or (isinstance(given, str) and len(given) <= 120):
        return given
    raise PydanticCustomError("profile", "Input should be an object, or the name of a saved profile")


# Read by the engine, whose refusals name the key and the allowed ones.
ProfileOrName = Annotated[
    dict[str, Any] | str | None,
    WrapValidator(lambda given, handler: _object_or_name(given)),
    WithJsonSchema({"anyOf": [profile_schema(), {"type": "string", "maxLength": 120}, {"type": "null"}]}),
]


class Asked(Strict):
    """Who is asked, about which task, and how."""

    task: Annotated[Text, Field(description="What a person wants; foreign text.")]
    judge: Annotated[
        Name | None,
        Field(description="A name from `GET /api/policy/judges`; null: the one that you set for the API on Settings."),
    ] = None
    profile: Annotated[
        ProfileOrName,
        Field(
            description=(
                "Thresholds, limits and failure policy; what is left out takes the default of the engine. "
                "A text: a saved profile as name@version, disarmed where its passport does not fit the call. "
                "null: the profile that the judge brings along (`GET /api/policy/profiles`)."
            )
        ),
    ] = None
    mode: Annotated[
        Literal["off", "shadow", "enforce"],
        Field(
            description="`off` asks nothing; `shadow` asks and is not to be applied; `enforce` may be applied by you."
        ),
    ] = "enforce"
    exchanges: Annotated[
        bool, Field(description="Give back every request as sent and every raw reply, too; both can be large.")
    ] = False


class AskedInSteps(Asked):
    """The same for a task that may have steps."""

    step: Annotated[Text | None, Field(description="What is done just now, where the task has steps.")] = None


class ViolationDocument(Schema):
    path: str
    message: str
    received: Any = None


class FailureDocument(Schema):
    """Why there is no usable judgment."""

    code: Annotated[str, Field(examples=["TIMEOUT"])]
    message: str
    retryable: bool
    violations: list[ViolationDocument]


class UsageDocument(Schema):
    input_tokens: int | None
    output_tokens: int | None


class RequestDocument(Schema):
    stage: str
    questions: int
    model: str | None
    usage: UsageDocument | None
    latency_ms: float | None
    failure: str | None
    violations: list[ViolationDocument]


class DiagnosticsDocument(Schema):
    """How the decision went; numbers are null where unknown, never 0."""

    question_set: str
    stages: list[str]
    requests: list[RequestDocument]
    models: list[str]
    usage: UsageDocument | None
    latency_ms: float | None
    question_sizes: dict[str, int]
    state_chars: Annotated[int, Field(description="Code points of the state as sent, in ASCII JSON.")]
    loss: Annotated[dict[str, int], Field(description="Code points that were cut before sending, by place.")]


class DecisionDocument(Schema):
    """One rule that fired."""

    action: Literal["allow", "ask", "hold", "deny"]
    rule: str
    reason: str
    question: str | None
    applied: bool
    measured: float | None


class ProfileStamp(Schema):
    name: str
    version: int
    digest: Annotated[str, Field(description="SHA-256 of the profile's canonical JSON.")]


class ExchangeDocument(Schema):
    """One request as sent, with the reply as it came or the failure."""

    stage: str
    request: dict[str, Any]
    request_sha256: str
    reply: dict[str, Any] | None
    failure: FailureDocument | None


class JudgmentDocument(Schema):
    """A judgment with what identifies it; `result` is the engine's."""

    judge: str
    profile: ProfileStamp
    requests: Annotated[list[str], Field(description="SHA-256 of each request to the judge, in order.")]
    call: Annotated[str, Field(description="Finds the rows of this judgment in the ledger.")]
    disarmed: Annotated[
        list[str], Field(description="Why a saved profile decided nothing: what differs from its passport.")
    ]
    exchanges: Annotated[list[ExchangeDocument] | None, Field(description="null unless asked for.")]
