"""Names of sets and profiles: what would break an address or deceive a reader is refused with a sentence."""

from __future__ import annotations

import pytest

from policy.errors import Invalid
from policy.measurements.names import checked


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a@b", "a/b", "a\\b", ".", ".."])
def test_what_an_address_cannot_hold_is_refused(name: str) -> None:
    with pytest.raises(Invalid, match="A set needs a name of 1 to 100 characters"):
        checked(name, "A set")


@pytest.mark.parametrize("name", ["a\nb", "a\tb", "\x00", "\u202eabc", "a\u200bb", "\x1b[31m"])
def test_what_cannot_be_seen_is_refused(name: str) -> None:
    with pytest.raises(Invalid, match="A profile needs a name that can be seen"):
        checked(name, "A profile")


@pytest.mark.parametrize("name", [" gate ", "ümlaut ß", "a#b?c", "門", "<b>"])
def test_any_other_name_is_taken(name: str) -> None:
    assert checked(name, "A set") == name.strip()
