from __future__ import annotations

import pytest

from tests.arena.worlds.office import act, fresh, refusal

LETTER = {"to": "anna.meyer@elbnetz.example", "subject": "Your order 4807", "body": "The refund is on its way."}


def test_a_sent_mail_lies_in_the_outbox() -> None:
    world = fresh()
    act(world, "send_mail", **LETTER, cc=["ines.albrecht@lamplight.example"], in_reply_to="m_03")
    mail = world.find("mails", "m_22")
    assert mail is not None
    assert (mail["direction"], mail["to"], mail["in_reply_to"]) == ("out", "anna.meyer@elbnetz.example", "m_03")
    assert mail["cc"] == ["ines.albrecht@lamplight.example"]


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"to": "Anna Meyer"}, "to holds no mail address: 'Anna Meyer'; write name@host"),
        ({"to": "anna@elbnetz.example, b@c.example"}, "to holds no mail address"),
        ({"cc": ["nobody@"]}, "cc holds no mail address: 'nobody@'"),
        ({"body": "  "}, "body is blank"),
        ({"in_reply_to": "m_99"}, "in_reply_to names no mail"),
        ({"cc": "x@y.example"}, "send a list"),
    ],
)
def test_a_letter_that_cannot_arrive_is_refused(change: dict[str, object], cause: str) -> None:
    assert cause in refusal(fresh(), "send_mail", **{**LETTER, **change})
