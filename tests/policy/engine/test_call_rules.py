"""Rules over calls: what they match in any spelling, what they allow only to the letter, and how they are written."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as some

from policy.engine.call_rules import MAX_VALUE_CHARS, CallRules, Operator
from policy.engine.call_rules_text import InvalidRules, from_json, parse, write
from policy.engine.decisions import Action


def action(text: str, tool: str, arguments: dict[str, Any] | None = None) -> str | None:
    decided = parse(text).decide(tool, arguments or {})
    return None if decided is None else decided.action.value


SPELLINGS_OF_A_NAME = [
    "delete_order",
    "Delete_Order",
    "DELETE-ORDER",
    "delete.order",
    "delete order",
    "deleteOrder",
    "ｄｅｌｅｔｅ_order",
    "delete\u200b_order",
    "delete__order",
    "𝐝elete_order",
]


@pytest.mark.parametrize("tool", SPELLINGS_OF_A_NAME)
def test_a_denied_tool_is_denied_in_any_spelling(tool: str) -> None:
    assert action("deny delete_order", tool) == "deny"
    assert action("deny delete_*", tool) == "deny"
    assert action("deny Delete-Order", tool) == "deny"


@pytest.mark.parametrize("tool", SPELLINGS_OF_A_NAME[1:])
def test_an_allowed_tool_is_allowed_by_its_very_name_only(tool: str) -> None:
    assert action("allow delete_order", tool) is None
    assert action("allow delete_order", "delete_order") == "allow"


SPELLINGS_OF_A_PATH = [
    "secrets/key.pem",
    "/secrets/key.pem",
    "./secrets/key.pem",
    "docs/../secrets/key.pem",
    "docs/./../secrets//key.pem",
    "secrets\\key.pem",
    "SECRETS/Key.PEM",
    "secrets%2Fkey.pem",
    "%73ecrets/key.pem",
    "secrets%252fkey.pem",
    "docs/%2e%2e/secrets/key.pem",
    "file:///secrets/key.pem",
    "ｓecrets/key.pem",
    "secrets/\u200bkey.pem",
    " secrets/key.pem ",
    "secrets /key.pem",
    "ſecrets/key.pem",
]


@pytest.mark.parametrize("path", SPELLINGS_OF_A_PATH)
def test_a_denied_path_is_denied_in_any_spelling(path: str) -> None:
    for pattern in ("secrets/*", "/secrets/*", "Secrets/*.pem", "./secrets/key.pem"):
        assert action(f"deny read_file path={pattern}", "read_file", {"path": path}) == "deny", pattern
    assert action("deny read_file path=secrets/*", "read_file", {"Path": path}) == "deny"
    assert action("deny read_file **=secrets/*", "read_file", {"options": [{"from": path}]}) == "deny"


@pytest.mark.parametrize(
    "path", ["docs/../secrets/key.pem", "docs/%2e%2e/secrets/k", "docs\\..\\secrets", "docs/..%2fx"]
)
def test_what_leads_elsewhere_is_not_allowed(path: str) -> None:
    assert action("allow read_file path=docs/*", "read_file", {"path": path}) is None
    assert action("allow read_file path=docs/*", "read_file", {"path": "docs/A guide.md"}) == "allow"


@given(some.lists(some.sampled_from(["..", ".", "", "docs", "a b"]), max_size=6), some.booleans())
def test_detours_lead_to_the_same_denial(detour: list[str], encoded: bool) -> None:
    # However far a path goes, as many steps back as it took lead to where it began.
    there = [part for part in detour if part not in ("..", ".", "")]
    path = "/".join([*there, *[".."] * len(there), *[part for part in detour if part in (".", "")], "secrets", "k"])
    path = quote(path, safe="") if encoded else path
    assert action("deny read_file path=secrets/*", "read_file", {"path": path}) == "deny"


def test_the_strictest_rule_wins_whatever_the_order() -> None:
    rules = ["allow mail_*", "ask mail_send", "deny mail_* to=*@evil.example"]
    for text in ("\n".join(rules), "\n".join(reversed(rules))):
        assert action(text, "mail_read") == "allow"
        assert action(text, "mail_send", {"to": "a@acme.example"}) == "ask"
        assert action(text, "mail_send", {"to": "a@EVIL.example"}) == "deny"
        assert action(text, "order_read") is None


def test_a_list_is_denied_for_any_and_allowed_for_all_of_its_values() -> None:
    mixed = {"to": ["a@acme.example", "b@evil.example"]}
    assert action("allow send to=*@acme.example", "send", mixed) is None
    assert action("allow send to=*@acme.example", "send", {"to": ["a@acme.example"] * 2}) == "allow"
    assert action("deny send to=*@evil.example", "send", mixed) == "deny"
    assert action("deny send to!=*@acme.example", "send", mixed) == "deny"
    assert action("deny send to[0]=*@evil.example", "send", mixed) is None
    assert action("deny send to[*]=*@evil.example", "send", mixed) == "deny"
    assert action("allow send to=*", "send", {"to": []}) is None


@pytest.mark.parametrize(
    "amount", [101, 101.0, 1e3, "101", "1,000", "１０１", " 101 ", "1e3", "lots", None, True, float("nan")]
)
def test_beyond_a_bound_is_denied_and_so_is_what_is_no_number(amount: Any) -> None:
    assert action("deny refund amount>100", "refund", {"amount": amount}) == "deny"
    assert action("allow refund amount>=0", "refund", {"amount": amount}) == (
        "allow" if isinstance(amount, int | float) and amount is not True and amount == amount else None
    )


def test_within_the_bound_nothing_is_said() -> None:
    assert action("deny refund amount>100", "refund", {"amount": 100}) is None
    assert action("deny refund amount>100", "refund", {}) is None
    assert action("ask refund amount>=50 reason=*vip*", "refund", {"amount": 50, "reason": "a VIP"}) == "ask"


def test_what_is_too_long_to_look_at_is_denied_and_not_allowed() -> None:
    long = {"body": "x" * (MAX_VALUE_CHARS + 1)}
    assert action("deny send body=*secret*", "send", long) == "deny"
    assert action("allow send body=*", "send", long) is None


def test_a_pattern_made_to_backtrack_is_matched_in_no_time() -> None:
    pattern = "*a" * 100 + "b"
    began = time.monotonic()
    assert action(f"deny send body={pattern}", "send", {"body": "a" * 50_000}) is None
    assert time.monotonic() - began < 20


def test_brackets_and_dots_are_no_wildcards() -> None:
    assert action("deny read path=[a].txt", "read", {"path": "a.txt"}) is None
    assert action("deny read path=[a].txt", "read", {"path": "[a].txt"}) == "deny"
    assert action("deny read path=a.txt", "read", {"path": "axtxt"}) is None


def test_a_rule_says_why_it_fired() -> None:
    rules = parse("deny delete_* -- nothing is deleted here\nlarge: ask refund amount>100")
    denied, asked = rules.decide("delete_order", {}), rules.decide("refund", {"amount": 200})
    assert denied is not None
    assert (denied.rule, denied.reason) == ("rules.1", "nothing is deleted here")
    assert asked is not None
    assert (asked.rule, asked.reason) == ("rules.large", "the rule says ask refund amount>100")


def test_comments_quotes_and_blank_lines() -> None:
    rules = parse('# first\n\n  deny "send mail" subject="out of \\"office\\"*"  # never\nallow *')
    assert [str(rule) for rule in rules.rules] == ['deny "send mail" subject="out of \\"office\\"*"', "allow *"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("forbid x", "Line 1, action: “forbid” is none; write allow, ask or deny."),
        ("\n\ndeny", "Line 3, tool: there is none"),
        ("deny x path", "Line 1, condition: “path” compares nothing"),
        ("deny x amount>ten", "Line 1, when: “ten” is no number"),
        ("deny x a..b=1", "is no path"),
        ("deny x **.a.**=1", "says ** twice"),
        ('deny x path="a', "Line 1, quotes: a quote is not closed"),
        ("a: deny x\na: deny y", "Line 2, name: “a” is there twice"),
        ("deny " + "x" * 301, "Line 1, tool: a pattern has 301 characters; write 1 to 300."),
        ("hold x", "write allow, ask or deny"),
        ("deny x\n" * 201, "there are more than 200"),
        ("x" * 20_001, "they have 20,001 characters"),
    ],
)
def test_a_mistake_is_named_with_rule_field_and_mend(text: str, says: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        parse(text)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "The rules, form: they are no list"),
        ([1], "Rule 1, form: it is no object"),
        ([{"action": "deny", "tool": "x", "wen": 1}], "Rule 1, wen: there is no such field"),
        ([{"action": "deny"}], "Rule 1, tool: there is none"),
        ([{"action": 1, "tool": "x"}], "Rule 1, action: “1” is none"),
        ([{"action": "deny", "tool": "x", "when": [["a", "~", "b"]]}], "“~” compares nothing"),
        ([{"action": "deny", "tool": "x", "when": [["a", "="]]}], "no list of three"),
        ([{"action": "deny", "tool": "x", "when": {"a": [1]}}], "no text"),
        ([{"action": "deny", "tool": "x", "reason": "a\nb"}], "Rule 1, reason"),
        ([{"action": "deny", "tool": "x", "name": "a b"}], "Rule 1, name"),
    ],
)
def test_mistakes_in_json_are_named_too(data: object, says: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        from_json(data)
    assert says in str(refused.value)


_patterns = some.text(some.sampled_from('ab*?"\\ #-=<[]é.'), min_size=1, max_size=8).filter(lambda text: text.strip())
_objects = some.fixed_dictionaries(
    {
        "action": some.sampled_from(["allow", "ask", "deny"]),
        "tool": _patterns,
        "when": some.lists(
            some.one_of(
                some.tuples(
                    some.sampled_from(["a", "a.b[0]", "a[*].c", "**.x", '["odd key"].y']), some.just("="), _patterns
                ),
                some.tuples(some.just("n"), some.sampled_from([">", "<", ">=", "<="]), some.integers(0, 9).map(str)),
            ).map(list),
            max_size=3,
        ),
        "reason": some.sampled_from(["", "because", "a -- b # c"]),
    }
)


@given(some.lists(_objects, max_size=4))
def test_rules_survive_both_written_forms(data: list[dict[str, Any]]) -> None:
    rules = from_json(data)
    assert from_json(rules.to_json()) == rules
    assert parse(write(rules)) == rules


def test_no_rules_decide_nothing() -> None:
    assert CallRules().decide("x", {}) is None
    assert parse("").rules == ()
    assert {each.numeric for each in Operator} == {True, False}
    assert Action.HOLD not in {rule.action for rule in parse("deny x\nask y\nallow z").rules}
