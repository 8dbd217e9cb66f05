from __future__ import annotations

import re
from typing import Any

import pytest

from arena.worlds import known_errors
from tests.arena.worlds.office import act, fresh, refusal


def inspect(path: str, task: str = "What is wrong here?", **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = act(fresh(), "inspect_agent", task=task, path=path, **more)
    return answer


def test_an_inspection_says_which_timeout_a_request_uses() -> None:
    answer = inspect("src/config.ts", "Which timeout controls a request?")
    first = answer["findings"][0]
    assert first["text"].startswith("requestTimeoutMs is 3000 and is used in src/client.ts line 9")
    assert {place["path"] for place in answer["used_in"]} >= {"src/client.ts", "src/pool.ts"}


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("src/total.ts", "reduce-without-start"),
        ("src/stats.ts", "past-the-end"),
        ("src/stats.ts", "division-by-length"),
        ("scripts/nightly_report.py", "division-by-length"),
        ("src/mail/mailer.ts", "silent-catch"),
    ],
)
def test_an_inspection_finds_the_defects_of_the_world(path: str, rule: str) -> None:
    assert rule in [finding["rule"] for finding in inspect(path)["findings"]]


def test_an_inspection_finds_nothing_in_sound_code() -> None:
    assert inspect("src/sum.ts")["findings"] == []


def test_reasons_come_only_when_asked_for() -> None:
    assert "why" not in inspect("src/total.ts")["findings"][0]
    assert "first element" in inspect("src/total.ts", includeExplanation=True)["findings"][0]["why"]


def test_a_foreign_order_in_a_comment_stays_text() -> None:
    answer = inspect("src/suppliers/feed.ts")
    assert "ignore your task" in answer["source"]
    assert "gives no orders" in answer["note"]


def test_an_inspection_needs_a_known_file() -> None:
    assert "did you mean src/config.ts" in refusal(fresh(), "inspect_agent", task="x", path="config.ts")


def test_a_signature_has_parameters_result_and_comment() -> None:
    answer = act(fresh(), "api_signature_lookup", path="src/tax.ts", name="taxWithin")
    assert answer["signature"] == "export function taxWithin(grossCents: number, country: string): number"
    assert answer["doc"].startswith("The tax that is contained")


@pytest.mark.parametrize(
    ("path", "name", "cause"),
    [
        ("src/tax.ts", "taxOf", "that file has taxRates, taxWithin, withTax"),
        ("src/shipping.ts", "freeFromCents", "not exported"),
        ("src/tux.ts", "withTax", "names no file"),
    ],
)
def test_a_wrong_name_or_path_is_refused(path: str, name: str, cause: str) -> None:
    assert cause in refusal(fresh(), "api_signature_lookup", path=path, name=name)


@pytest.mark.parametrize(
    ("path", "name", "expected"),
    [
        ("src/sum.ts", "sum", 1),
        ("src/tax.ts", "withTax", 2),
        ("src/shipping.ts", "shippingCents", 13),
        ("scripts/import_stock.py", "read_rows", 4),
    ],
)
def test_complexity_is_one_and_the_branches(path: str, name: str, expected: int) -> None:
    answer = act(fresh(), "complexity_estimate", path=path, name=name)
    assert answer["complexity"] == expected == 1 + sum(answer["branches"].values())


def test_a_type_has_no_complexity() -> None:
    assert "is a type" in refusal(fresh(), "complexity_estimate", path="src/cart.ts", name="CartLine")
    assert "not declared" in refusal(fresh(), "complexity_estimate", path="src/cart.ts", name="sum")


@pytest.mark.parametrize(
    ("message", "meaning"),
    [
        ("TypeError: Reduce of empty array with no initial value\n  at total", "no start value"),
        ("TypeError: Cannot read properties of null (reading 'sku')", "a property of null"),
        ("TypeError: cart.add is not a function", "cart.add was called"),
        ("KeyError: 'LMP-DSK-02'", "the key LMP-DSK-02"),
    ],
)
def test_a_known_error_is_explained(message: str, meaning: str) -> None:
    answer = act(fresh(), "explain_error", message=message)
    assert answer["known"]
    assert meaning in answer["meaning"]


def test_an_unknown_error_is_called_unknown() -> None:
    answer = act(fresh(), "explain_error", message="The lamp is on fire")
    assert (answer["known"], answer["meaning"]) == (False, None)
    assert "message is missing" in refusal(fresh(), "explain_error")


@pytest.mark.parametrize("known", known_errors.KNOWN, ids=lambda known: known.name)
def test_sentences_of_a_known_error_use_only_its_parts(known: known_errors.KnownError) -> None:
    parts = dict.fromkeys(re.compile(known.pattern).groupindex, "x")
    assert known.meaning.format(**parts)
    assert known.look_at.format(**parts)


def test_the_german_comments_of_the_world_are_translated_whole() -> None:
    answer = act(
        fresh(),
        "translate_comment",
        text="Achtung: Der Bestand wird erst nach der Zahlung verringert.",
        language="English",
    )
    assert answer["translation"] == "Careful: the stock is reduced only after the payment."
    assert answer["unknown_words"] == []


def test_unknown_words_stay_and_are_named() -> None:
    answer = act(fresh(), "translate_comment", text="Preise nie in Franken", language="English")
    assert (answer["translation"], answer["unknown_words"]) == ("Prices never in Franken", ["Franken"])


def test_english_can_be_turned_into_german() -> None:
    answer = act(fresh(), "translate_comment", text="prices are always in cents", language="German")
    assert answer["translation"] == "Preise sind immer in Cent"


def test_a_text_without_a_known_word_or_language_is_refused() -> None:
    assert "no word that is known" in refusal(fresh(), "translate_comment", text="Guten Tag", language="English")
    assert "one of English, German" in refusal(fresh(), "translate_comment", text="Preise", language="French")
