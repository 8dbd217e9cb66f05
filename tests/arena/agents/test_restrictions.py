"""Restrictions read by words."""

from __future__ import annotations

import pytest

from arena.agents import restrictions
from arena.catalogs.tool import ToolEffect
from tests.arena.agents.desk import tool

LOOK = tool("list_orders", "Show orders.")
CHANGE = tool("update_order", "Change an order.", effect="modify")
CANCEL = tool("cancel_order", "Call off an order.", effect="destructive")
REFUND = tool("issue_refund", "Pay money back.", effect="modify")
MAIL = tool("send_mail", "Write a letter.", effect="modify")
ALL = (LOOK, CHANGE, CANCEL, REFUND, MAIL)


@pytest.mark.parametrize(
    ("text", "banned"),
    [
        ("Do not change anything.", "update_order cancel_order issue_refund send_mail"),
        ("Read-only: look, nothing more.", "update_order cancel_order issue_refund send_mail"),
        ("Ändere nichts.", "update_order cancel_order issue_refund send_mail"),
        ("Nothing may be deleted.", "cancel_order"),
        ("Nichts löschen.", "cancel_order"),
        ("Never cancel an order.", "cancel_order"),
        ("The order must not be cancelled.", "cancel_order"),
        ("No refunds without approval.", "issue_refund"),
        ("Do not send any mail to customers.", "send_mail"),
        ("Do not touch the order.", "update_order cancel_order"),
        ("Change nothing else.", ""),
        ("Answer in one sentence.", ""),
    ],
)
def test_a_restriction_bans_the_tools_that_it_is_about(text: str, banned: str) -> None:
    ban = restrictions.read([text])
    assert " ".join(each.id for each in ALL if ban.covers(each)) == banned


@pytest.mark.parametrize("effect", ["modify", "destructive"])
def test_reading_is_never_banned(effect: ToolEffect) -> None:
    ban = restrictions.read(["Do not open the log. Do not change anything."])
    assert not ban.covers(tool("open_log", "Open the log."))
    assert ban.covers(tool("open_log", "Open the log.", effect=effect))


def test_no_restriction_bans_nothing() -> None:
    assert not any(restrictions.read([]).covers(each) for each in ALL)
