from __future__ import annotations

from typing import Any

import pytest

from tests.arena.worlds.office import act, fresh, ids, refusal

NOTE = {"to": "w.thies@harzmail.example", "subject": "Lieferung von 4828", "body": "Guten Tag Herr Thies"}


def test_letters_of_one_correspondent_come_newest_first() -> None:
    found = act(fresh(), "search_mail", correspondent="lloydjoinery")
    assert ids(found["mails"]) == ["m_16", "m_15", "m_14"]


def test_letters_that_wait_for_an_answer_are_found() -> None:
    found = act(fresh(), "search_mail", unanswered=True, since="2026-03-12")
    assert ids(found["mails"]) == ["m_21", "m_19", "m_20", "m_18"]


def test_a_letter_is_read_with_the_ids_of_its_replies() -> None:
    letter = act(fresh(), "read_mail", mail_id="m_14")
    assert (letter["subject"], letter["answered_by"]) == ("Delivery in one go", ["m_15"])


def test_an_answer_goes_back_to_its_author() -> None:
    world = fresh()
    act(world, "reply_to_mail", mail_id="m_16", body="Yes, it leaves on Thursday.")
    sent = world.find("mails", "m_22") or {}
    assert (sent["to"], sent["subject"]) == ("gareth@lloydjoinery.example", "Re: Delivery in one go")
    assert sent["in_reply_to"] == "m_16"


def test_a_letter_is_passed_on_with_a_note() -> None:
    world = fresh()
    act(world, "forward_mail", mail_id="m_16", to="Sofia", note="Can we do this?")
    sent = world.find("mails", "m_22") or {}
    assert (sent["to"], sent["forwarded_from"]) == ("sofia.lindqvist@lamplight.example", "m_16")
    assert sent["body"].startswith("Can we do this?\n\nFrom gareth@lloydjoinery.example, 2026-03-11: Re: ")


def test_a_draft_does_not_leave() -> None:
    world = fresh()
    act(world, "draft_mail", **NOTE, in_reply_to="m_20")
    assert (world.find("drafts", "dr_1") or {})["sent"] is False
    assert len(world.all("mails")) == 21


def test_an_exchange_is_summed_up_with_its_open_questions() -> None:
    summary = act(fresh(), "thread_summary", mail_id="m_15")
    assert ids(summary["letters"]) == ["m_14", "m_15", "m_16"]
    assert (summary["turn"], summary["open_questions"]) == ("us", ["Is that possible?"])


def test_after_our_answer_it_is_the_customers_turn() -> None:
    summary = act(fresh(), "thread_summary", mail_id="m_05")
    assert (summary["turn"], summary["since"]) == ("devika.rao@webpost.example", "2026-03-06T08:29:00Z")


def test_a_german_date_does_not_end_a_sentence() -> None:
    [letter] = act(fresh(), "thread_summary", mail_id="m_09")["letters"]
    assert letter["says"] == "Guten Tag, ich ziehe am 20. März um."


@pytest.mark.parametrize(
    ("tool_id", "arguments", "cause"),
    [
        ("search_mail", {"direction": "sideways"}, "send one of in, out"),
        ("search_mail", {"since": "2026-03-12", "until": "2026-03-01"}, "since lies after until"),
        ("read_mail", {"mail_id": "m_99"}, "mail_id names no mail"),
        ("reply_to_mail", {"mail_id": "m_15", "body": "Thanks."}, "m_15 was written by us"),
        ("reply_to_mail", {"mail_id": "m_16", "body": " "}, "body is blank"),
        ("forward_mail", {"mail_id": "m_16", "to": "warehouse@"}, "to holds no mail address"),
        ("forward_mail", {"mail_id": "m_16", "to": "Nobody"}, "to names nobody of the staff"),
        ("draft_mail", {**NOTE, "to": "Wolfgang Thies"}, "to holds no mail address"),
        ("draft_mail", {**NOTE, "in_reply_to": "m_0"}, "in_reply_to names no mail"),
        ("thread_summary", {"mail_id": "4826"}, "mail_id names no mail"),
    ],
)
def test_what_the_mailbox_cannot_do_is_refused(tool_id: str, arguments: dict[str, Any], cause: str) -> None:
    assert cause in refusal(fresh(), tool_id, **arguments)
