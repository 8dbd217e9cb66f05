"""Each provider's own: address, envelope, names of models, spelling of usage, and what it may leave out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from policy.engine.contract import validate
from policy.engine.judge import JudgeRequest
from policy.engine.profile import InvalidConfig
from policy.engine.questions import Choice, Noul, Score
from policy.engine.totals import Totals
from policy.judges import remote
from policy.judges.settings import JudgeSettings
from tests.policy.judges.http.asking import ANSWERS, REPLY, REQUEST, Told, ask, replies, sent_to, target, with_answers

ALL = ("typesafe", "openrouter", "cloudflare", "compatible")
BARE = {"dig": 0.8, "print": 0.2}


def made(name: str, **settings: Any) -> Any:
    return target(name, base_url="http://127.0.0.1:8000" if name == "compatible" else "", **settings)


def answered(name: str, body: Any, request: JudgeRequest = REQUEST, **settings: Any) -> Told:
    return ask(made(name, **settings), request, handler=replies(body))


@pytest.mark.parametrize("name", ALL)
def test_a_sound_reply_is_valid_whoever_gives_it(name: str) -> None:
    told = answered(name, {"result": REPLY, "success": True} if name == "cloudflare" else REPLY)
    assert told.reply is not None
    assert validate(told.reply.body, REQUEST.questions).failure is None
    assert told.reply.body["answers"] == ANSWERS
    assert json.loads(told.reply.raw)


def test_typesafe_is_asked_in_the_vendors_own_form() -> None:
    sent = sent_to(target(model="jev-1.13.0"))
    assert (sent.method, str(sent.url)) == ("POST", "https://api.typesafe.ai/v1/systemone")
    assert json.loads(sent.content) == {"model": "jev-1.13.0", **REQUEST.to_wire()}
    assert sent.headers["Content-Type"] == sent.headers["Accept"] == "application/json"


def test_state_and_questions_keep_their_order_and_their_letters() -> None:
    request = JudgeRequest({"z": "ä", "a": "日本"}, {"ü b": Noul("?"), "a": Noul("?")}, "test")
    sent = sent_to(target(), request).content.decode()
    assert sent.endswith(request.encoded().decode()[1:])


def test_openrouter_has_its_own_address_and_names() -> None:
    sent = sent_to(made("openrouter", model="jev-1.13.0"))
    assert str(sent.url) == "https://openrouter.ai/api/alpha/decisions"
    assert json.loads(sent.content)["model"] == "typesafe/jev-1.13"


@pytest.mark.parametrize(
    ("name", "model", "wire"),
    [
        ("openrouter", "jev-latest", "~typesafe/jev-latest"),
        ("openrouter", "jev-1.14.0", "typesafe/jev-1.14"),
        ("openrouter", "typesafe/jev-1.13-20260917", "typesafe/jev-1.13-20260917"),
        ("cloudflare", "jev", "typesafe/jev"),
        ("cloudflare", "jev-latest", "typesafe/jev"),
        ("cloudflare", "jev-1.13.0", "typesafe/jev-1.13.0"),
        ("cloudflare", "clef-flash", "clef-flash"),
        ("typesafe", "jev-latest", "jev-latest"),
        ("compatible", "laya", "laya"),
    ],
)
def test_names_of_models_are_the_providers(name: str, model: str, wire: str) -> None:
    assert made(name, model=model).call(REQUEST).model == wire


def test_openrouter_gets_texts_only() -> None:
    request = JudgeRequest({}, {"go": Noul("?", true="yes"), "tool": Choice("?", {"dig": None, "ping": "it"})}, "t")
    questions = json.loads(sent_to(made("openrouter"), request).content)["questions"]
    assert questions["go"]["criteria"] == {"true": "yes"}
    assert questions["tool"]["criteria"] == {"dig": "dig", "ping": "it"}


def test_a_key_of_somebody_else_is_not_sent_to_openrouter() -> None:
    with pytest.raises(InvalidConfig, match="begins with sk-or-"):
        target("openrouter", key="ts-0123456789abcdef")


def test_cloudflare_wraps_jev_and_gives_clef_an_address() -> None:
    jev, clef = sent_to(made("cloudflare")), sent_to(made("cloudflare", model="clef-flash"))
    run = "https://api.cloudflare.com/client/v4/accounts/acc-1/ai/run"
    assert str(jev.url) == run
    assert json.loads(jev.content) == {"model": "typesafe/jev", "input": REQUEST.to_wire()}
    assert str(clef.url) == f"{run}/@cf/cloudflare/clef-flash"
    assert json.loads(clef.content) == {"model": "clef", **REQUEST.to_wire()}


@pytest.mark.parametrize(
    "body",
    [
        REPLY,
        {"result": REPLY, "success": True, "errors": [], "messages": []},
        {"result": {"state": "Completed", "result": REPLY}, "success": True},
        {"result": {"result": REPLY}},
    ],
)
def test_cloudflare_is_unwrapped_at_every_depth(body: Any) -> None:
    told = answered("cloudflare", body)
    assert told.reply is not None
    assert told.reply.body["answers"] == ANSWERS
    assert told.reply.body["model"] == "jev-1.13.0"


@pytest.mark.parametrize(
    ("body", "code", "says", "asked"),
    [
        ({"success": False, "errors": []}, "INVALID_RESPONSE", "says that it failed (HTTP 200, failed)", 1),
        ({"success": False, "errors": [{"code": 3036, "message": "x"}]}, "RATE_LIMIT", "daily_quota", 1),
        ({"success": False, "errors": [{"code": 3040, "message": "x"}]}, "RATE_LIMIT", "capacity", 3),
        ({"success": False, "errors": [{"code": 5006, "message": "bad shape"}]}, "BAD_REQUEST", "bad shape (5006)", 1),
        ({"result": {"state": "Queued"}, "success": True}, "INVALID_RESPONSE", "not completed: Queued", 1),
        ({"result": None, "success": True}, "INVALID_RESPONSE", "the reply must be an object", 1),
    ],
)
def test_cloudflares_success_may_be_a_failure(body: Any, code: str, says: str, asked: int) -> None:
    told = answered("cloudflare", body)
    assert told.code == code
    assert says in told.message
    assert len(told.ended) == asked


@pytest.mark.parametrize(("number", "asked"), [(3036, 1), (3040, 3)])
def test_cloudflares_429_says_whether_waiting_helps(number: int, asked: int) -> None:
    body = {"success": False, "errors": [{"code": number, "message": "no"}]}
    told = ask(made("cloudflare"), handler=replies((429, body)))
    assert (told.code, len(told.ended)) == ("RATE_LIMIT", asked)


@pytest.mark.parametrize("count", [0, 65])
def test_clef_is_not_sent_more_questions_than_it_takes(count: int) -> None:
    request = JudgeRequest({}, {f"q{number}": Noul("?") for number in range(count)}, "t")
    told = answered("cloudflare", REPLY, request, model="clef")
    assert told.attempts == []
    assert f"1 to 64 questions at once, not {count}" in told.message
    assert told.failure is not None
    assert told.failure.unsent


@pytest.mark.parametrize("account", ["", "a/b", "a b", "../x", "x" * 65])
def test_an_account_is_an_id(account: str) -> None:
    with pytest.raises(InvalidConfig, match="id of an account"):
        remote.target(JudgeSettings("cloudflare", account=account), key=None)


def test_a_compatible_server_needs_no_key_but_may_have_one() -> None:
    assert "authorization" not in sent_to(made("compatible", key=None)).headers
    assert sent_to(made("compatible", key="x")).headers["authorization"] == "Bearer x"


@pytest.mark.parametrize("name", ["typesafe", "openrouter", "cloudflare"])
def test_the_others_need_one(name: str) -> None:
    with pytest.raises(InvalidConfig, match="needs a key: enter one on Settings"):
        made(name, key=None)


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("http://localhost:8009", "http://localhost:8009/v1/systemone"),
        ("http://localhost:8009/", "http://localhost:8009/v1/systemone"),
        ("http://localhost:8009/v1/systemone", "http://localhost:8009/v1/systemone"),
        ("http://localhost:8009/systemone", "http://localhost:8009/systemone"),
        ("https://host.example/v1/decisions/", "https://host.example/v1/decisions"),
        ("https://host.example/jev", "https://host.example/jev/v1/systemone"),
    ],
)
def test_a_compatible_address_may_name_the_path_or_not(base: str, url: str) -> None:
    assert target("compatible", base_url=base).endpoint == url


@pytest.mark.parametrize(
    ("name", "base", "url"),
    [
        ("typesafe", "https://eu.typesafe.example/v1", "https://eu.typesafe.example/v1/systemone"),
        ("typesafe", "https://eu.typesafe.example/v1/systemone/", "https://eu.typesafe.example/v1/systemone"),
        ("compatible", "http://localhost:8009/v1", "http://localhost:8009/v1/systemone"),
        ("openrouter", "https://openrouter.ai/api", "https://openrouter.ai/api/alpha/decisions"),
        ("openrouter", "https://openrouter.ai/api/v1", "https://openrouter.ai/api/alpha/decisions"),
        ("openrouter", "https://openrouter.ai/api/alpha/decisions", "https://openrouter.ai/api/alpha/decisions"),
    ],
)
def test_a_path_that_was_copied_along_is_not_doubled(name: str, base: str, url: str) -> None:
    assert target(name, base_url=base).endpoint == url


def test_a_compatible_judge_needs_an_address() -> None:
    with pytest.raises(InvalidConfig, match="address of the judge is missing"):
        target("compatible")


def test_extra_fields_are_ignored_and_odd_types_break_one_answer_only() -> None:
    answers = {"go": {**ANSWERS["go"], "confidence": 7, "action": "allow"}, "risk": {"type": "unsupported"}}
    told = answered("compatible", {**with_answers(**answers), "id": 1, "routing": {}, "x_jev_confidence": None})
    assert told.reply is not None
    checked = validate(told.reply.body, REQUEST.questions)
    assert set(checked.answers) == {"go", "tool"}
    assert [violation.path for violation in checked.violations] == ["answers.risk.type"]


@pytest.mark.parametrize("options", [26, 27, 300])
def test_a_refusal_with_many_options_says_where_servers_stop(options: int) -> None:
    request = JudgeRequest({}, {"tool": Choice("?", {f"t{number}": None for number in range(options)})}, "t")
    told = ask(made("compatible"), request, handler=replies((422, {"detail": "too many"})))
    assert "too many" in told.message
    assert ("servers are known to stop at 26, 50, 64, 127, 255" in told.message) is (options > 26)


@pytest.mark.parametrize("name", ["openrouter", "cloudflare", "compatible"])
def test_a_missing_confidence_is_computed_and_noted(name: str) -> None:
    bare = {"type": "choice", "choice": "dig", "probabilities": BARE}
    told = answered(name, with_answers(tool=bare))
    assert told.reply is not None
    assert told.reply.body["answers"]["tool"] == {**bare, "confidence": pytest.approx(0.6)}
    assert told.reply.notes == ("confidence of tool computed: the reply has none",)
    assert b"0.6" not in told.reply.raw.split(b'"risk"')[0]


def test_a_missing_confidence_of_a_score_is_computed_by_distance() -> None:
    risk = {name: value for name, value in ANSWERS["risk"].items() if name not in ("confidence", "legend")}
    told = answered("compatible", with_answers(risk=risk))
    assert told.reply is not None
    assert told.reply.body["answers"]["risk"]["confidence"] == pytest.approx(0.55)


def test_the_vendor_itself_may_leave_nothing_out() -> None:
    told = answered("typesafe", with_answers(tool={"type": "choice", "choice": "dig", "probabilities": BARE}))
    assert told.reply is not None
    checked = validate(told.reply.body, REQUEST.questions)
    assert [violation.path for violation in checked.violations] == ["answers.tool.confidence"]


@pytest.mark.parametrize("wrong", [True, "0.9", 1.5, -0.1])
def test_a_confidence_that_is_wrong_is_not_replaced(wrong: object) -> None:
    told = answered("compatible", with_answers(tool={**ANSWERS["tool"], "confidence": wrong}))
    assert told.reply is not None
    assert told.reply.body["answers"]["tool"]["confidence"] == wrong
    assert validate(told.reply.body, REQUEST.questions).failure is not None


def test_missing_probabilities_are_not_made_up() -> None:
    told = answered("openrouter", with_answers(tool={"type": "choice", "choice": "dig"}))
    assert told.reply is not None
    assert "answers.tool.probabilities" in repr(validate(told.reply.body, REQUEST.questions).violations)


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"input_tokens": 12, "output_tokens": 0}, (12, 0)),
        ({"inputTokens": 12, "outputTokens": 3}, (12, 3)),
        ({"input_tokens": 12.0}, (12, None)),
        ({"input_tokens": 12, "inputTokens": 99, "cost": 0.1}, (12, None)),
        ({"totalTokens": 15}, (None, None)),
        ({"input_tokens": True, "output_tokens": -1}, (None, None)),
        ({"input_tokens": "12"}, (None, None)),
        (None, (None, None)),
    ],
)
@pytest.mark.parametrize("name", ALL)
def test_tokens_are_read_in_both_spellings_and_unknown_is_not_zero(name: str, usage: Any, tokens: Any) -> None:
    told = answered(name, {**REPLY, "usage": usage})
    (attempt,) = told.ended
    assert (attempt.input_tokens, attempt.output_tokens) == tokens


@pytest.mark.parametrize(
    "gap",
    [
        {"usage": {"state_tokens_dropped": 40}},
        {"extra_fields": {"truncated_questions": ["go"]}},
        {"truncated_questions": 1},
    ],
)
def test_a_question_that_was_shortened_on_the_way_is_not_answered(gap: dict[str, Any]) -> None:
    told = answered("compatible", {**REPLY, **gap})
    assert told.code == "INCOMPLETE_INPUT"
    assert "shortened the question before it answered" in told.message


@pytest.mark.parametrize("none", [{"usage": {"state_tokens_dropped": 0}}, {"truncated_questions": []}])
def test_nothing_dropped_is_no_fault(none: dict[str, Any]) -> None:
    assert answered("compatible", {**REPLY, **none}).reply is not None


def test_a_server_that_names_no_model_is_noted_under_the_requested_one() -> None:
    told = answered("compatible", {"answers": ANSWERS}, model="laya")
    assert told.reply is not None
    assert told.reply.body["model"] == "laya"
    assert "names no model" in told.reply.notes[0]


@pytest.mark.parametrize("body", [[], "text", 3.5, None, {"answers": []}, {"answers": None}, {"data": {}}])
@pytest.mark.parametrize("name", ALL)
def test_a_reply_without_answers_is_a_failure_of_the_whole(name: str, body: Any) -> None:
    told = answered(name, body)
    assert told.code == "INVALID_RESPONSE"
    assert told.statuses == ["invalid_other"]
    assert told.paths in (["answers"], [""])


def test_the_tolerance_for_totals_is_the_hosts_to_grant() -> None:
    body = with_answers(tool={**ANSWERS["tool"], "probabilities": {"dig": 0.78, "print": 0.18}})
    for totals, sound in ((Totals.STRICT, False), (Totals.PER_OPTION, True)):
        told = answered("compatible", {**body, "totals": "per-option"}, totals=totals)
        assert told.reply is not None
        assert (validate(told.reply.body, REQUEST.questions, totals=told.reply.totals).failure is None) is sound


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (JudgeRequest({"task": "\ud800"}, {"go": Noul("?")}, "t"), "half of a character"),
        (JudgeRequest({"share": float("nan")}, {"go": Noul("?")}, "t"), "JSON does not have"),
        (JudgeRequest({"task": {1, 2}}, {"go": Noul("?")}, "t"), "JSON does not have"),
        (JudgeRequest({}, {"risk": Score("?", ("\udfff", "b"))}, "t"), "half of a character"),
    ],
)
def test_what_cannot_be_sent_is_a_failure_before_anything_is_sent(request_: JudgeRequest, why: str) -> None:
    told = answered("typesafe", REPLY, request_)
    assert (told.code, told.attempts) == ("BAD_REQUEST", [])
    assert why in told.message
    assert told.failure is not None
    assert told.failure.unsent


@pytest.mark.parametrize("model", [" ", "a b", "x" * 121, "jev\x00", "modèle"])
def test_the_name_of_a_model_can_be_sent_and_stored(model: str) -> None:
    with pytest.raises(InvalidConfig, match="the model of TypeSafe"):
        target(model=model)


@pytest.mark.parametrize(
    ("name", "model", "reply_model", "matches"),
    [
        ("typesafe", "jev-1.13.0", "jev-1.13.0", True),
        ("typesafe", "jev-1.13.0", "jev-1.14.0", False),
        ("typesafe", "jev-latest", "jev-1.14.0", True),
        ("typesafe", "jev-latest", "", False),
        ("openrouter", "jev-1.13.0", "typesafe/jev-1.13-20260917", True),
        ("openrouter", "jev-1.13.0", "typesafe/jev-1.14-20261010", False),
    ],
)
def test_an_answer_is_of_the_requested_model_or_not(name: str, model: str, reply_model: str, matches: bool) -> None:
    assert made(name, model=model).matches(reply_model) is matches
