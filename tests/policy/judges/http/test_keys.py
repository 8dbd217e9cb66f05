"""A key can be used and cannot be seen."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import pprint
import traceback
from dataclasses import asdict

import pytest

from policy.engine.profile import InvalidConfig
from policy.judges.keys import Key
from tests.policy.judges.http.asking import CANARY, target


@pytest.mark.parametrize(
    "unset", ["", "   ", "\n\t", "${TYPESAFE_API_KEY}", "${env:KEY}", "{env:KEY}", "$TYPESAFE_API_KEY"]
)
def test_a_blank_or_unexpanded_key_counts_as_none(unset: str) -> None:
    with pytest.raises(InvalidConfig, match=r"blank|not filled in"):
        Key(unset)


@pytest.mark.parametrize(
    "wrong",
    ["%API_KEY%", "{{ secret.key }}", "<your key>", "$(cat key)", "Bearer abc", "a b", "a\nb", "clé", "x" * 1025],
)
def test_what_cannot_be_a_key_is_refused_without_being_repeated(wrong: str) -> None:
    with pytest.raises(InvalidConfig, match="key") as refused:
        Key(wrong)
    assert wrong not in str(refused.value)


def test_white_space_around_a_pasted_key_is_dropped() -> None:
    assert Key(f" {CANARY}\n").reveal() == CANARY


def test_nothing_that_prints_a_key_shows_it() -> None:
    key = Key(CANARY)
    shown = [
        repr(key),
        str(key),
        f"{key}",
        f"{key:>40}",
        pprint.pformat([key]),
        repr(target(key=CANARY)),
        f"{[key]!r}",
    ]
    shown.append(repr(asdict(target(key=CANARY))))
    shown.append(json.dumps(key, default=repr))
    assert not [text for text in shown if CANARY in text]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_key_is_not_pickled_and_the_refusal_does_not_show_it(protocol: int) -> None:
    with pytest.raises(TypeError, match="not written anywhere") as refused:
        pickle.dumps(target(key=CANARY), protocol=protocol)
    trace = traceback.TracebackException.from_exception(refused.value, capture_locals=True)
    assert CANARY not in "".join(trace.format())


def test_a_copy_is_the_same_key() -> None:
    key = Key(CANARY)
    assert copy.copy(key) is copy.deepcopy(key) is key


def test_a_log_line_with_a_key_has_none(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("policy").debug("asking as %s, %r", Key(CANARY), {"key": Key(CANARY)})
    assert CANARY not in caplog.text
    assert "[redacted]" in caplog.text


def test_the_last_four_characters_tell_long_keys_apart() -> None:
    assert Key(CANARY).hint == "…4d60"[:1] + CANARY[-4:]
    assert Key("short").hint == "…"


@pytest.mark.parametrize("echo", ["Key/A+b=cdef", "key/a+b=CDEF", "Key%2FA%2Bb%3Dcdef", "key%2fa%2bb%3dcdef"])
def test_a_key_is_erased_in_any_case_and_as_a_url_writes_it(echo: str) -> None:
    assert Key("Key/A+b=cdef").erased(f"see http://{echo}.example") == "see http://[redacted].example"


def test_a_key_says_where_it_came_from() -> None:
    assert Key(CANARY, source="personal").source == "personal"
