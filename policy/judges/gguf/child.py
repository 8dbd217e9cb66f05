"""The process that holds the model: `python -m policy.judges.gguf.child`, started by a worker, ended with it.

It reads one line of JSON from its standard input (file, key, bounds), writes one back (port or error), and goes on
until the input is closed, which happens however the worker ends. The key is never part of a command line.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def main() -> None:
    order: dict[str, Any] = json.loads(sys.stdin.readline())
    # Whatever the library prints must not be taken for our answer.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        server = _server(order)
        said: dict[str, Any] = {"port": int(server.listening_address.rpartition(":")[2])}
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        said = {"error": f"{type(error).__name__}: {error}"[:300]}
    print(json.dumps(said), file=answer, flush=True)
    if "port" in said:
        while sys.stdin.readline():
            pass
    # Its own threads compute on; nothing of theirs is worth waiting for.
    os._exit(0)


def _server(order: dict[str, Any]) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = order["file"]
    params.api_keys = [order["key"]]
    params.offline = True
    params.ui = False
    params.endpoint_slots = False
    params.n_parallel = order["slots"]
    params.n_ctx = order["context"] * order["slots"]
    params.cpuparams.n_threads = order["threads"]
    params.cpuparams_batch.n_threads = order["threads"]
    # Else a model with a sliding window reads the whole prompt again for every question.
    params.swa_full = True
    # Prompts of earlier lanes stay in memory up to this; the default is eight times a small machine's.
    params.cache_ram_mib = order["remembered_mib"]
    params.warmup = False
    params.verbosity = 0
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
