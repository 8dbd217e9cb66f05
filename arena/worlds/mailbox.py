"""The mailbox as a store of letters: threads, who still waits, and a letter put into the outbox."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.worlds import records
from arena.worlds.handlers import ToolError
from arena.worlds.sources import shown
from arena.worlds.world import Record, World

MAILS = "mails"
SENDER = "support@lamplight.example"
_HOUSE = "@lamplight.example"
_ADDRESS = re.compile(r"[^\s@,;<>]+@[^\s@,;<>.]+(\.[^\s@,;<>.]+)+")


def letter(world: World, key: str, *, argument: str = "mail_id") -> Record:
    """The letter with this id; raises ToolError."""
    return records.required(world, MAILS, key, argument=argument, noun="mail")


def check_address(argument: str, address: str) -> None:
    """Raises ToolError unless the text is one mail address; foreign hosts are fine."""
    if not _ADDRESS.fullmatch(address):
        raise ToolError(f"The argument {argument} holds no mail address: {shown(address)}; write name@host.")


def outgoing(
    world: World, *, to: str, subject: str, body: str, cc: Sequence[str] = (), reply_to: str | None = None
) -> Record:
    """A new letter from the support mailbox, not yet stored."""
    return {
        "id": records.following_id(world, MAILS, "m_"),
        "direction": "out",
        "from": SENDER,
        "to": to,
        "cc": list(cc),
        "at": world.now,
        "subject": subject,
        "body": body,
        "in_reply_to": reply_to,
    }


def thread(world: World, one: Record) -> list[Record]:
    """Every letter that hangs together with this one over `in_reply_to`, oldest first."""
    letters = world.all(MAILS)
    by_id = {each["id"]: each for each in letters}
    root = _root(one, by_id)
    together = [each for each in letters if _root(each, by_id) == root]
    return sorted(together, key=lambda each: (each["at"], each["id"]))


def unanswered(world: World, one: Record) -> bool:
    """Whether a letter from outside has had no reply; one of the house waits for none."""
    if one["direction"] != "in" or one["from"].endswith(_HOUSE):
        return False
    return all(each["in_reply_to"] != one["id"] for each in world.all(MAILS))


def _root(one: Record, by_id: dict[str, Record]) -> str:
    while one["in_reply_to"] in by_id:
        one = by_id[one["in_reply_to"]]
    return str(one["id"])
