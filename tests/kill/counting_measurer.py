"""A measurer as `manage.py up` starts it, whose judge writes down every request that reaches it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from jevsite import children
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.judges import registry
from policy.judges.local import LocalJudge

PAUSE_S = 0.04


class Counting(LocalJudge):
    """Writes before it answers, so that a request whose answer was lost counts, too."""

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        with Path(os.environ["COUNTED"]).open("a") as counted:
            counted.write(f"{request.digest}\n")
        # Long enough that a kill meets most of them here, short enough for a test.
        time.sleep(PAUSE_S)
        return super().ask(request, timeout_s=timeout_s)


def main() -> None:
    local = registry._BY_NAME["local"]
    object.__setattr__(local, "make", lambda cache_dir: Counting(lexical_only=True))
    children.main(sys.argv[1:])


if __name__ == "__main__":
    main()
