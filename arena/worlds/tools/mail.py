"""Tools that write letters: send, answer, pass on, or only prepare. All into the world, never over a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.worlds import mailbox, records, staff
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.mailbox import MAILS, SENDER
from arena.worlds.world import Effect, Record, World

DRAFTS = "drafts"


@handler("send_mail")
def send_mail(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """A record in `mails` with direction `out`; any well-formed address is taken, foreign ones too."""
    for argument, address in (("to", arguments["to"]), *(("cc", each) for each in arguments.get("cc", ()))):
        mailbox.check_address(argument, address)
    for name in ("subject", "body"):
        _said(arguments, name)
    reply_to = arguments.get("in_reply_to")
    if reply_to is not None:
        mailbox.letter(world, reply_to, argument="in_reply_to")
    sent = mailbox.outgoing(
        world,
        to=arguments["to"],
        subject=arguments["subject"],
        body=arguments["body"],
        cc=arguments.get("cc", ()),
        reply_to=reply_to,
    )
    return _sent(sent)


@handler("reply_to_mail")
def reply_to_mail(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """To whoever wrote the letter, with its subject; `copy_all` keeps those who had a copy."""
    answered = mailbox.letter(world, arguments["mail_id"])
    if answered["direction"] == "out":
        raise ToolError(f"The mail {answered['id']} was written by us; answer one that came in.")
    copies = answered["cc"] if arguments.get("copy_all", False) else ()
    sent = mailbox.outgoing(
        world,
        to=answered["from"],
        subject=_prefixed("Re: ", answered["subject"]),
        body=_said(arguments, "body"),
        cc=[each for each in copies if each != SENDER],
        reply_to=answered["id"],
    )
    return _sent(sent)


@handler("forward_mail")
def forward_mail(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The whole letter under a note; a name without @ means that colleague. Foreign addresses are taken too."""
    passed = mailbox.letter(world, arguments["mail_id"])
    to = arguments["to"]
    if "@" in to:
        mailbox.check_address("to", to)
    else:
        to = staff.person(world, to, argument="to")["email"]
    head = f"From {passed['from']}, {passed['at'][:10]}: {passed['subject']}"
    body = "\n\n".join(part for part in (arguments.get("note", "").strip(), head, passed["body"]) if part)
    sent = mailbox.outgoing(world, to=to, subject=_prefixed("Fwd: ", passed["subject"]), body=body)
    return _sent({**sent, "forwarded_from": passed["id"]})


@handler("draft_mail")
def draft_mail(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """A record in `drafts`; no letter leaves the house."""
    mailbox.check_address("to", arguments["to"])
    reply_to = arguments.get("in_reply_to")
    if reply_to is not None:
        mailbox.letter(world, reply_to, argument="in_reply_to")
    draft = {
        "id": world.next_id(DRAFTS, "dr_"),
        "to": arguments["to"],
        "subject": _said(arguments, "subject"),
        "body": _said(arguments, "body"),
        "in_reply_to": reply_to,
        "at": world.now,
        "by": "agent",
        "sent": False,
    }
    return ToolResult({"draft": draft}, (Effect("create", DRAFTS, draft["id"], draft),))


def _sent(letter: Record) -> ToolResult:
    receipt = {name: letter[name] for name in ("id", "to", "cc", "subject", "at")}
    return ToolResult({"sent": receipt}, (Effect("create", MAILS, letter["id"], letter),))


def _prefixed(prefix: str, subject: str) -> str:
    return subject if records.fold(subject).startswith(records.fold(prefix)) else f"{prefix}{subject}"


def _said(arguments: Mapping[str, Any], name: str) -> str:
    return records.said(arguments, name, "write what the reader shall know")
