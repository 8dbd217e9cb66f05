"""The tool that sends mail: into the world's outbox, never over a network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from arena.worlds import records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.sources import shown
from arena.worlds.world import Effect, World

MAILS = "mails"
SENDER = "support@lamplight.example"
_ADDRESS = re.compile(r"[^\s@,;<>]+@[^\s@,;<>.]+(\.[^\s@,;<>.]+)+")


@handler("send_mail")
def send_mail(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """A record in `mails` with direction `out`; any well-formed address is taken, foreign ones too."""
    for argument, address in (("to", arguments["to"]), *(("cc", each) for each in arguments.get("cc", ()))):
        if not _ADDRESS.fullmatch(address):
            raise ToolError(f"The argument {argument} holds no mail address: {shown(address)}; write name@host.")
    for name in ("subject", "body"):
        if not arguments[name].strip():
            raise ToolError(f"The argument {name} is blank; write what the reader shall know.")
    reply_to = arguments.get("in_reply_to")
    if reply_to is not None:
        records.required(world, MAILS, reply_to, argument="in_reply_to", noun="mail")
    sent = {
        "id": records.following_id(world, MAILS, "m_"),
        "direction": "out",
        "from": SENDER,
        "to": arguments["to"],
        "cc": list(arguments.get("cc", ())),
        "at": world.now,
        "subject": arguments["subject"],
        "body": arguments["body"],
        "in_reply_to": reply_to,
    }
    receipt = {name: sent[name] for name in ("id", "to", "cc", "subject", "at")}
    return ToolResult({"sent": receipt}, (Effect("create", MAILS, sent["id"], sent),))
