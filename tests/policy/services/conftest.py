"""A small menu and a judge that answers from a script, for every test of a service."""

from __future__ import annotations

import pytest

from policy.engine.selection import Candidate
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.conftest import either_way as either_way

MENU = (Candidate("read_file", ("files",), "Reads a file."), Candidate("send_mail", ("mail",), "Sends a mail."))


@pytest.fixture
def judge() -> ScriptedJudge:
    """Finds the files relevant and the mails not."""
    return ScriptedJudge(Script({"rel_files": {"noul": 0.9}, "rel_mail": {"noul": 0.1}}))
