"""Whom to ask and as whom: a request as bytes, and its replies as bodies for the engine or typed failures."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from policy.engine.failures import Failure, FailureCode, JudgeFailed, Violation
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import InvalidConfig
from policy.engine.totals import Totals
from policy.judges.attempts import AttemptStatus
from policy.judges.http import errors
from policy.judges.http.adapter import Adapter, Defect, Refusal, Unwrapped, checked_model
from policy.judges.http.address import BaseUrl
from policy.judges.http.drivers import Bearer
from policy.judges.http.errors import Meaning
from policy.judges.http.exchange import Call, Ended, Read, Reader, Received
from policy.judges.http.replies import NotJson, parsed
from policy.judges.http.scrub import Scrub
from policy.judges.keys import Key

MOST_REPLY_BYTES = 1 << 20
MOST_MODELS = 200
MOST_MESSAGE = 500
Unwrap = Callable[[Any], Unwrapped]
_HEADERS = {
    "Accept": "application/json",
    # A few kilobytes unpack to gigabytes; a size can only be limited where it is what it seems.
    "Accept-Encoding": "identity",
    "Content-Type": "application/json",
    "User-Agent": "jev-arena",
}


@dataclass(frozen=True, slots=True)
class Target:
    """Whom to ask and as whom; immutable. `totals` is the tolerance that the host grants this server.

    Raises `InvalidConfig` for a missing key and an unusable model.
    """

    adapter: Adapter
    base: BaseUrl
    model: str
    key: Key | None = None
    totals: Totals = Totals.STRICT
    most_bytes: int = MOST_REPLY_BYTES
    scrub: Scrub = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "model", checked_model(self.model, label=self.adapter.label))
        if self.key is None and self.adapter.needs_key:
            raise InvalidConfig(f"{self.adapter.label} needs a key: enter one on Settings")
        if self.key is not None:
            self.adapter.check_key(self.key)
        object.__setattr__(self, "scrub", Scrub(self.key))

    @property
    def endpoint(self) -> str:
        return self.adapter.url(self.base, self.model)

    @property
    def auth(self) -> Bearer | None:
        return None if self.key is None else Bearer(self.key)

    def matches(self, answered: str) -> bool:
        """Whether an answer may be of the model that was asked for."""
        return self.adapter.matches(self.model, answered)

    def call(self, request: JudgeRequest) -> Call:
        """The request as bytes, the same in every attempt; raises `JudgeFailed` for what cannot be sent."""
        model = self.adapter.wire_model(self.model)
        try:
            wire = self.adapter.encode(request, model)
            failure = None
        except Defect as defect:
            wire, failure = {}, defect.failure
        body, problem = _encoded(wire)
        if failure is not None or problem:
            said = f"{self.adapter.label}: nothing was sent: {problem}"
            raise JudgeFailed(failure or Failure(FailureCode.BAD_REQUEST, said, unsent=True))
        unwrap = partial(self.adapter.unwrap, request=request, model=model)
        read: Reader = partial(self._read, request, unwrap)
        headers = {**_HEADERS, **self.adapter.headers()}
        base, label, most = self.base, self.adapter.label, self.most_bytes
        return Call(base, self.endpoint, body, headers, model, label, read, self.scrub, most_bytes=most)

    def reply(self, ended: Ended) -> JudgeReply:
        """What the engine is given; raises `JudgeFailed` with the failure that ended the asking."""
        read = ended.read
        if read.failure is not None:
            raise JudgeFailed(read.failure)
        return JudgeReply(read.body, read.raw, ended.latency_ms, notes=read.notes, totals=self.totals)

    def models_call(self) -> Call | None:
        """The request for the list of models, None where the provider has none that helps."""
        if not self.adapter.models_path:
            return None
        url, headers = self.adapter.models_url(self.base), {**_HEADERS, **self.adapter.headers()}
        read: Reader = partial(self._read, None, _model_names)
        return Call(
            self.base,
            url,
            b"",
            headers,
            self.model,
            self.adapter.label,
            read,
            self.scrub,
            method="GET",
            most_bytes=self.most_bytes,
        )

    def models(self, ended: Ended) -> tuple[str, ...]:
        """The names in the list; raises `JudgeFailed`. Versions that are not listed may exist all the same."""
        if ended.read.failure is not None:
            raise JudgeFailed(ended.read.failure)
        return tuple(ended.read.body["models"])

    def _read(self, request: JudgeRequest | None, unwrap: Unwrap, received: Received) -> Read:
        if not 200 <= received.status < 300:
            return self._refusal(request, received)
        if received.raw is None:
            problem = f"is longer than {self.most_bytes} bytes"
            return self._invalid(AttemptStatus.BODY_LIMIT, Violation("body", problem))
        if (received.headers.get("content-encoding") or "identity").lower() != "identity":
            return self._invalid(
                AttemptStatus.INVALID_JSON, Violation("body", "is compressed, which was not asked for")
            )
        raw = self.scrub.raw(received.raw)
        if not raw.strip():
            return self._invalid(AttemptStatus.EMPTY_BODY, Violation("body", "is empty"))
        try:
            unwrapped = unwrap(parsed(raw))
        except NotJson as broken:
            return replace(self._invalid(AttemptStatus.INVALID_JSON, *broken.violations), raw=raw)
        except Refusal as refused:
            return self._refused(refused.meant, received.status, refused.said, [])
        except Defect as defect:
            status = AttemptStatus.INVALID_OTHER
            return Read(raw, status=status, failure=self._scrubbed(defect.failure), reason=defect.reason)
        return Read(raw, unwrapped.body, unwrapped.notes)

    def _refusal(self, request: JudgeRequest | None, received: Received) -> Read:
        """An error status, in whatever shape the far side words it."""
        raw = self.scrub.raw(received.raw or b"")
        text = raw.decode("utf-8", errors="replace")
        try:
            body = parsed(raw)
        except NotJson:
            body = None
        meant, said = self.adapter.meaning(received.status, body), errors.error_text(body, text)
        read = self._refused(meant, received.status, said, errors.error_violations(body))
        hint = self.adapter.hint(request, said) if request and meant.code is FailureCode.BAD_REQUEST else ""
        if hint and read.failure is not None:
            read = replace(read, failure=replace(read.failure, message=f"{read.failure.message} {hint}"))
        return read

    def _refused(self, meant: Meaning, status: int, said: str, places: Sequence[tuple[str, str]]) -> Read:
        """The far side's words are scrubbed here, before they are part of anything."""
        violations = [(self.scrub(path), self.scrub(told)) for path, told in places]
        words = self.scrub(said)
        failure = errors.failure(meant, label=self.adapter.label, status=status, said=words, places=violations)
        return Read(status=AttemptStatus.HTTP_ERROR, failure=failure, again=meant.again, reason=meant.reason)

    def _invalid(self, status: AttemptStatus, *violations: Violation) -> Read:
        first = violations[0]
        message = f"{self.adapter.label}: the reply cannot be read: {first.path or 'the reply'} {first.message}."
        failure = self._scrubbed(Failure(FailureCode.INVALID_RESPONSE, message, violations))
        return Read(status=status, failure=failure)

    def _scrubbed(self, failure: Failure) -> Failure:
        """The failure without secrets: paths and copies of what was received are the far side's words, too."""
        violations = tuple(
            Violation(self.scrub(each.path), self.scrub(each.message), _scrubbed(each.received, self.scrub))
            for each in failure.violations
        )
        return replace(failure, message=self.scrub(failure.message, MOST_MESSAGE), violations=violations)


def _encoded(wire: Any) -> tuple[bytes, str]:
    """The bytes to send, or why there are none."""
    try:
        text = json.dumps(wire, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8"), ""
    except UnicodeEncodeError:
        return b"", "a text has half of a character (a lone surrogate)"
    except RecursionError:
        return b"", "the state is nested too deep"
    except (ValueError, TypeError):
        return b"", "the state holds a value that JSON does not have, such as NaN"


def _scrubbed(received: Any, scrub: Scrub) -> Any:
    if isinstance(received, str):
        return scrub(received)
    if isinstance(received, dict):
        return {scrub(str(name)): _scrubbed(item, scrub) for name, item in received.items()}
    return received


def _may_be_asked(name: Any) -> bool:
    """Whether a name of the far side can be chosen as a model: the others are not kept."""
    try:
        return bool(checked_model(name, label="") == name)
    except InvalidConfig:
        return False


def _model_names(body: Any) -> Unwrapped:
    """The vendor's list (`models`, `name`) or the usual one of others (`data`, `id`); raises `Defect`."""
    for holder, field_name in (("models", "name"), ("data", "id")):
        items = body.get(holder) if isinstance(body, Mapping) else None
        if isinstance(items, list):
            names = [item.get(field_name) for item in items[:MOST_MODELS] if isinstance(item, Mapping)]
            return Unwrapped({"models": [name for name in names if _may_be_asked(name)]})
    failure = Failure(FailureCode.INVALID_RESPONSE, "the list of models cannot be read: it has no list of names.")
    raise Defect(failure)
