"""A call as it may leave the process: redacted, bounded, and with every loss on record; lengths are code points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any

from policy.engine.bounds import BoundedText, bound_text, clean_text, sendable
from policy.engine.call_key import call_key, compact, key_of, key_text, plain_number
from policy.engine.flat_call import LARGEST, TEXT_ONLY, flat_text
from policy.engine.profile import Limits
from policy.engine.redaction import REDACTED, extra_fragments, mask, masked, secret_name, suspicious

CUT = "…[truncated]"
MORE_KEYS = "[truncated]"
DEPTH = "[depth limit]"
CIRCULAR = "[circular]"
MIN_KEYS = 64
MAX_BITS = 8_192
LONGEST_PLAIN = 64
KEPT_CHARS = 10_000
PATH_CHARS = 120
SIGNATURE_CHARS = 16

_AS_IT_IS = frozenset({bool, type(None)})


class LossKind(StrEnum):
    """Why a judge would not see all of it."""

    LENGTH = "longer than the bound"
    ITEMS = "more items than the bound"
    KEYS = "more or doubled keys than can be sent"
    DEPTH = "nested deeper than the bound"
    CIRCULAR = "contains itself"
    TYPE = "no JSON value"
    CHARACTERS = "characters that cannot be sent"
    HIDDEN = "a redacted part that may itself be a command"
    MASKED = "words that look like a credential"
    NAMELESS = "no name of a tool"


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that was lost, and where: `body.to[3]`, or nothing for the whole value."""

    path: str
    kind: LossKind

    def __str__(self) -> str:
        return f"{self.path or 'the value'}: {self.kind}"

    def to_json(self) -> dict[str, str]:
        return {"path": self.path, "kind": self.kind.value}


@dataclass(frozen=True, slots=True)
class BoundedValue:
    """A JSON value within its bounds; complete exactly when nothing is among the losses. A secret is no loss."""

    value: Any
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class BoundedCall:
    """A call as a judge may see it; `arguments` is canonical JSON text.

    `signature` is over the full call, secrets included, in 16 hex digits: the same for the same call only.
    """

    tool: str
    arguments: str
    signature: str
    losses: tuple[Loss, ...] = ()


def bound_value(
    value: Any,
    *,
    max_chars: int,
    max_items: int,
    max_depth: int,
    max_keys: int | None = None,
    redact_keys: Iterable[str] = (),
) -> BoundedValue:
    """A copy with strings and keys of at most `max_chars` code points, arrays of `max_items`, objects of `max_keys`
    (default: 64, or `max_items` if that is more) and `max_depth` containers in each other.

    What is cut leaves a marker of its own behind and a `Loss`. Keys are sorted first, so the order of a host never
    decides what stays. Raises `InvalidConfig` for unusable `redact_keys`, nothing for any value.
    """
    keys = max(MIN_KEYS, max_items) if max_keys is None else max_keys
    walk = _Walk(max_chars, max_items, max_depth, keys, extra_fragments(redact_keys) if redact_keys else ())
    bounded = walk.value(value, (), ())
    return BoundedValue(bounded, tuple(walk.losses))


def bound_call(*, tool: str, arguments: Any, limits: Limits, redact_keys: Iterable[str] = ()) -> BoundedCall:
    """The call for a judge: a string value may have `maxArgumentChars`, tool and arguments together `maxStateChars`
    (seed 000, Tool-call assessment). With any loss it is incomplete and must not be sent.
    """
    given = tool if isinstance(tool, str) else ""
    named = bound_text(given, limits.max_argument_chars, marker=CUT)
    losses: list[Loss] = []
    if named.lost or not named.text.isidentifier():
        hidden = masked(given, redact_keys)
        named = bound_text(hidden, limits.max_argument_chars, marker=CUT)
        losses += _tool_losses(given, hidden, named)
    text = None if redact_keys or losses else flat_text(arguments, limits)
    if text is not None:
        key = key_of(tool, text)
    else:
        walk = _walk(limits, redact_keys)
        text = compact(walk.value(arguments, (), ()))
        losses += [Loss(_below("arguments", it.path), it.kind) for it in walk.losses]
        key = call_key(tool, arguments) if walk.changed or losses else key_of(tool, text)
    if len(named.text) + len(text) > limits.max_state_chars:
        losses.append(Loss("call", LossKind.LENGTH))
        text = bound_text(text, limits.max_state_chars, marker=CUT).text
    return BoundedCall(named.text, text, key[:SIGNATURE_CHARS], tuple(losses))


def bound_texts(texts: Iterable[str], *, name: str, max_chars: int, max_total: int) -> BoundedValue:
    """Texts of a host, such as restrictions: each of at most `max_chars` code points, together `max_total`.

    A text of which a credential had to be masked has lost words and is incomplete, since nobody knows which.
    """
    given = tuple(texts)
    bound = _bounded_texts if len("".join(given)) <= KEPT_CHARS else _bounded_texts.__wrapped__
    kept, losses = bound(given, name, max_chars, max_total)
    return BoundedValue(list(kept), losses)


# A host says the same restrictions with every call.
@lru_cache(maxsize=32)
def _bounded_texts(
    texts: tuple[str, ...], name: str, max_chars: int, max_total: int
) -> tuple[tuple[str, ...], tuple[Loss, ...]]:
    kept, losses = [], []
    for index, text in enumerate(texts):
        hidden = masked(text)
        bounded = bound_text(hidden, max_chars, marker=CUT)
        if hidden != text:
            losses.append(Loss(f"{name}[{index}]", LossKind.MASKED))
        if bounded.lost:
            losses.append(Loss(f"{name}[{index}]", _cut_kind(hidden, max_chars)))
        kept.append(bounded.text)
    if sum(map(len, kept)) > max_total:
        losses.append(Loss(name, LossKind.LENGTH))
    return tuple(kept), tuple(losses)


def _walk(limits: Limits, redact_keys: Iterable[str]) -> _Walk:
    redact = extra_fragments(redact_keys) if redact_keys else ()
    keys = max(MIN_KEYS, limits.max_array_items)
    return _Walk(limits.max_argument_chars, limits.max_array_items, limits.max_depth, keys, redact)


@dataclass(slots=True)
class _Walk:
    """`changed` as soon as what comes out differs from what JSON would make of the value as it is."""

    max_chars: int
    max_items: int
    max_depth: int
    max_keys: int
    redact: tuple[str, ...]
    losses: list[Loss] = field(default_factory=list)
    changed: bool = False

    def value(self, value: Any, path: tuple[str | int, ...], above: tuple[int, ...]) -> Any:
        """`above` holds the identities of the containers around this value: only these make a circle."""
        kind = type(value)
        if kind is str:
            return self._text(value, path)
        if value is None or kind is bool or (kind is int and -LARGEST < value < LARGEST):
            return value
        if kind is dict or kind is list:
            return self._container(value, path, above)
        if kind is float and plain_number(value) is value:
            return value
        if kind is float:
            return plain_number(value)  # as the key of a call has it
        self.changed = True
        if isinstance(value, str):
            return self._text(str(value), path)
        if isinstance(value, int | float):
            return self._number(value, path)
        if isinstance(value, Mapping | tuple | list):
            return self._container(value, path, above)
        return self._lost(path, LossKind.TYPE, f"[{kind.__name__}]")

    def _container(self, value: Any, path: tuple[str | int, ...], above: tuple[int, ...]) -> Any:
        if id(value) in above:
            return self._lost(path, LossKind.CIRCULAR, CIRCULAR)
        if len(above) >= self.max_depth:
            return self._lost(path, LossKind.DEPTH, DEPTH)
        inside = (*above, id(value))
        if isinstance(value, dict | Mapping):
            return self._object(value, path, inside)
        kept = [self.value(item, (*path, index), inside) for index, item in enumerate(value[: self.max_items])]
        if len(value) > self.max_items:
            kept.append(self._lost(path, LossKind.ITEMS, f"[{len(value) - self.max_items} more]"))
        return kept

    def _object(self, value: Mapping[Any, Any], path: tuple[str | int, ...], inside: tuple[int, ...]) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        keys = value if TEXT_ONLY.issuperset(map(type, value)) else self._text_keys(value, path)
        for name in sorted(keys)[: self.max_keys]:
            here = (*path, name)
            shown = name if _plain_name(name) else self._text(name, here)
            if shown in kept:
                self._lost(here, LossKind.KEYS)
            if secret_name(name, self.redact):
                self.changed = True
                kept[shown] = REDACTED
                continue
            item = value[name if keys is value else keys[name]]
            kept[shown] = item if type(item) in _AS_IT_IS else self.value(item, here, inside)
        if len(keys) > self.max_keys:
            kept[MORE_KEYS] = self._lost(path, LossKind.KEYS, f"{len(keys) - self.max_keys} more key(s)")
        return kept

    def _text_keys(self, value: Mapping[Any, Any], path: tuple[str | int, ...]) -> Mapping[str, Any]:
        """Every key by its text; two that have the same one cannot both be sent."""
        self.changed = True
        keys = {key_text(key): key for key in value}
        if len(keys) < len(value):
            self._lost(path, LossKind.KEYS)
        return keys

    def _text(self, value: str, path: tuple[str | int, ...]) -> str:
        if len(value) <= self.max_chars and sendable(value) and not suspicious(value, self.redact):
            return value
        found = mask(value, self.redact)
        if found.hides:
            self._lost(path, LossKind.HIDDEN)
        bounded = bound_text(found.text, self.max_chars, marker=CUT)
        if bounded.lost:
            self._lost(path, _cut_kind(found.text, self.max_chars))
        self.changed = self.changed or bounded.text != value
        return bounded.text

    def _number(self, value: int | float, path: tuple[str | int, ...]) -> int | float | str:
        if isinstance(value, float) or value.bit_length() < 64:
            return plain_number(value)
        if value.bit_length() > MAX_BITS:
            return self._lost(path, LossKind.LENGTH, f"[integer of {value.bit_length()} bits]")
        return self._text(str(value), path)

    def _lost(self, path: tuple[str | int, ...], kind: LossKind, marker: str = "") -> str:
        self.losses.append(Loss(_written(path), kind))
        return marker


def _plain_name(name: str) -> bool:
    """Whether a key can be shown as it is."""
    return len(name) <= LONGEST_PLAIN and name.isascii() and name.isidentifier()


def _cut_kind(text: str, max_chars: int) -> LossKind:
    return LossKind.LENGTH if len(text) > max_chars else LossKind.CHARACTERS


def _tool_losses(given: str, hidden: str, tool: BoundedText) -> Iterator[Loss]:
    """What a judge would not see of a tool's name; an agent may have written more than a name into it."""
    if hidden != given:
        yield Loss("tool", LossKind.MASKED)
    if tool.lost:
        yield Loss("tool", LossKind.LENGTH if tool.text.endswith(CUT) else LossKind.CHARACTERS)
    if not tool.text.strip():
        yield Loss("tool", LossKind.NAMELESS)


def _below(name: str, path: str) -> str:
    return f"{name}{path}" if path.startswith("[") or not path else f"{name}.{path}"


def _written(path: tuple[str | int, ...]) -> str:
    """A path for people: keys come from outside, so they are masked and short."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{masked(part)}" for part in path]
    return bound_text(clean_text("".join(parts)).text.removeprefix("."), PATH_CHARS).text
