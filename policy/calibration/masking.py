"""Credentials in fixtures: masked before anything is stored or digested, with the engine's own rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from policy.calibration.fixture_lines import Fault
from policy.calibration.fixtures import Fixture, Kind
from policy.engine.redaction import REDACTED, mask, secret_name

# What people wrote or logged. Questions, ids and descriptions of tools are the host's own text: a judge must be asked
# with the same words as in a run, and a label names a tool by its id.
TEXTS = ("task", "step", "restrictions", "reason", "consequence", "incident", "scope")
NAMED = ("state", "arguments")
"""Free objects, whose fields are masked by their names, too."""
MOST_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class MaskedFixture:
    """A fixture as it may be kept; `places` counts the texts that lost a credential, `faults` what cannot be kept."""

    fixture: Fixture
    places: int
    faults: tuple[Fault, ...] = ()


@dataclass(slots=True)
class _Found:
    places: int = 0
    hides: bool = False


def masked(fixture: Fixture, *, line: int = 1) -> MaskedFixture:
    """The fixture without credentials; one without any is the same, so an export comes in again with its digest.

    A call whose masked part could itself do something (`Authorization: x; rm -rf /`) is a fault: masked it would be
    another call, and unmasked it would keep the credential.
    """
    places, faults, row = 0, [], dict(fixture.row)
    for name in row:
        # A title of the reference's second suite; a generic row's label is its answer.
        titled = name == "label" and fixture.kind is not Kind.GENERIC
        if name not in TEXTS and name not in NAMED and not titled:
            continue
        found = _Found()
        row[name] = _kept(row[name], found, named=name in NAMED)
        places += found.places
        if found.hides and name == "arguments":
            said = "hides what may be a command behind a credential; write a made-up call without the credential"
            faults.append(Fault(line, name, said))
    return MaskedFixture(Fixture(fixture.id, fixture.kind, row), places, tuple(faults))


def hidden(fixture: Fixture) -> int:
    """How many texts of a kept fixture hold the mark of a credential that is gone."""
    row, titled = fixture.row, fixture.kind is not Kind.GENERIC
    names = [*TEXTS, *NAMED, *(("label",) if titled else ())]
    return sum(_marks(row[name]) for name in names if name in row)


def text(value: str) -> str:
    """A single text without credentials; masking it again changes nothing."""
    return _text(value, _Found())


def _marks(value: Any) -> int:
    if isinstance(value, str):
        return REDACTED in value
    if isinstance(value, Mapping):
        return sum(map(_marks, value.values()))
    return sum(map(_marks, value)) if isinstance(value, list | tuple) else 0


def _kept(value: Any, found: _Found, *, named: bool) -> Any:
    if isinstance(value, str):
        return _text(value, found)
    if isinstance(value, Mapping):
        return {key: _field(key, item, found, named=named) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_kept(item, found, named=named) for item in value]
    return value


def _field(key: str, item: Any, found: _Found, *, named: bool) -> Any:
    if named and secret_name(key) and item is not None and item != REDACTED:
        found.places += 1
        return REDACTED
    return item if named and secret_name(key) else _kept(item, found, named=named)


def _text(value: str, found: _Found) -> str:
    before = value
    for _ in range(MOST_ROUNDS):
        result = mask(value)
        found.hides = found.hides or result.hides
        if result.text == value:
            break
        value = result.text
    found.places += value != before
    return value
