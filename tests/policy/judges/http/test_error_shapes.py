"""Every shape in which far sides word an error: the code, a stable reason, their words without secrets, a mend."""

from __future__ import annotations

from typing import Any

import pytest

from tests.policy.judges.http.asking import CANARY, Told, ask, replies, target

NESTED = {"detail": {"error_type": "authentication_error", "message": "Cannot authenticate with the server."}}
FIELD = {"loc": ["body", "questions", "go"], "msg": "Field required", "type": "missing"}
FIELDS = {"detail": [FIELD]}


def refused(status: int, body: Any, name: str = "typesafe", **settings: Any) -> Told:
    return ask(target(name, **settings), handler=replies((status, body)))


@pytest.mark.parametrize(
    ("status", "code", "reason", "mend"),
    [
        (400, "BAD_REQUEST", "bad_request", ""),
        (401, "AUTHENTICATION", "wrong_key", "Enter a valid key on Settings."),
        (402, "PERMISSION", "no_credits", "Add credits to the account."),
        (403, "PERMISSION", "key_refused", "Enter a valid key on Settings."),
        (404, "NOT_FOUND", "not_found", "Check the base address and the name of the model."),
        (405, "BAD_REQUEST", "bad_request", ""),
        (408, "TIMEOUT", "timed_out", ""),
        (410, "NOT_FOUND", "gone", "Choose another model."),
        (413, "BAD_REQUEST", "too_large", "Send less state, or fewer questions at once."),
        (418, "BAD_REQUEST", "bad_request", ""),
        (422, "BAD_REQUEST", "invalid_request", ""),
        (429, "RATE_LIMIT", "rate_limit", "Try again later."),
        (500, "SERVER", "server_fault", "Try again later."),
        (503, "SERVER", "busy", "Try again later."),
        (529, "SERVER", "overloaded", "Try again later."),
        (599, "SERVER", "server_fault", "Try again later."),
        (600, "INVALID_RESPONSE", "odd_status", ""),
    ],
)
def test_a_status_has_one_meaning(status: int, code: str, reason: str, mend: str) -> None:
    told = refused(status, {"message": "their words"})
    assert told.code == code
    assert f"(HTTP {status}, {reason}): their words." in told.message
    assert mend in told.message
    assert [attempt.reason for attempt in told.ended] == [reason] * len(told.ended)
    assert told.ended[0].http_status == status


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("just text", "just text"),
        (b"plain words", "plain words"),
        ({"error": "bad key"}, "bad key"),
        ({"error": {"message": "gateway says", "code": 400}}, "gateway says"),
        ({"error": {"message": "which field", "field": "model"}}, "which field"),
        ({"error": {"type": "invalid", "message": "which param", "param": "questions.go"}}, "which param"),
        ({"message": "top level", "error_type": "x"}, "top level"),
        ({"detail": "a detail"}, "a detail"),
        (NESTED, "Cannot authenticate with the server"),
        (FIELDS, "body.questions.go: Field required"),
        ({"errors": [{"code": 7003, "message": "no route"}], "success": False}, "no route (7003)"),
        ({"detail": {"error_type": "some_error"}}, "some_error"),
        ({"odd": [1, 2]}, '{"odd": [1, 2]}'),
        (b"", ""),
        ({"error": {"message": ["no", "text"]}, "detail": 7}, '{"error": {"message": ["no", "text"]}, "detail": 7}'),
    ],
)
def test_the_words_are_found_in_every_shape(body: Any, said: str) -> None:
    told = refused(400, body)
    assert told.message.startswith("TypeSafe did not accept the request (HTTP 400, bad_request)")
    assert said in told.message


def test_too_many_tokens_is_known_without_a_message() -> None:
    told = refused(400, {"detail": {"error_type": "max_tokens_exceeded"}})
    assert told.code == "BAD_REQUEST"
    assert "too large for the model (HTTP 400, too_large): max_tokens_exceeded." in told.message
    assert told.ended[0].reason == "too_large"


@pytest.mark.parametrize(
    "wrapped",
    [
        {"error": {"message": "provider", "metadata": {"raw": '{"detail":{"error_type":"max_tokens_exceeded"}}'}}},
        {"error": {"cause": {"detail": {"error_type": "max_tokens_exceeded"}}, "message": "AI_APICallError"}},
        {"error": {"message": "upstream said max_tokens_exceeded", "code": 400}},
    ],
)
def test_a_gateway_may_wrap_the_vendors_error(wrapped: Any) -> None:
    assert refused(400, wrapped, "openrouter").ended[0].reason == "too_large"


def test_named_fields_become_violations_and_what_was_sent_is_not_repeated() -> None:
    told = refused(422, {"detail": [{**FIELD, "input": "the whole state", "ctx": {"state": "secret"}}]})
    assert told.paths == ["body.questions.go"]
    assert "the whole state" not in repr(told)
    assert "secret" not in repr(told)


@pytest.mark.parametrize("name", ["field", "param"])
def test_the_field_of_a_flat_error_becomes_a_violation(name: str) -> None:
    assert refused(400, {"error": {"message": "no", name: "model"}}).paths == ["model"]


def test_secrets_are_erased_before_the_text_is_cut() -> None:
    told = refused(400, {"detail": "x" * 190 + CANARY + "y" * 200})
    assert CANARY[:8] not in repr(told)
    assert len(told.message) < 300


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Authorization: Bearer sk-somebody-elses-key-123456", "sk-somebody"),
        ("api_key=abcdef0123456789 is wrong", "abcdef0123456789"),
        ("see https://user:hunter2@host.example/x", "hunter2"),
    ],
)
def test_other_secrets_are_masked_too(text: str, gone: str) -> None:
    told = refused(400, {"detail": text})
    assert gone not in repr(told)
    assert "[redacted]" in told.message


def test_a_page_of_html_stays_one_short_line() -> None:
    told = refused(502, b"<html>\n" + b"<p>Bad gateway</p>\n" * 500)
    assert "\n" not in told.message
    assert len(told.message) < 400


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"error": {"message": "slow down", "code": 429}}, "RATE_LIMIT"),
        ({"error": {"message": "no", "code": 401}}, "AUTHENTICATION"),
        ({"error": "something"}, "INVALID_RESPONSE"),
        ({"error": {"message": "x", "code": "weird"}}, "INVALID_RESPONSE"),
    ],
)
def test_an_error_in_the_dress_of_a_success_is_an_error(body: Any, code: str) -> None:
    told = refused(200, body, "openrouter")
    assert told.code == code
    assert set(told.statuses) == {"http_error"}


@pytest.mark.parametrize("name", ["openrouter", "cloudflare"])
def test_the_words_of_such_an_error_are_scrubbed_and_cut_like_others(name: str) -> None:
    said = f"password=hunter2 {CANARY} " + "x" * 5000
    body = {"success": False, "errors": [{"message": said}]} if name == "cloudflare" else {"error": {"message": said}}
    told = refused(200, body, name)
    assert not [secret for secret in ("hunter2", CANARY) if secret in repr(told)]
    assert len(told.message) < 400
