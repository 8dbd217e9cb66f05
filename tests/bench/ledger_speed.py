"""`python -m tests.bench.ledger_speed`: what a row for every request costs, beside bare httpx to the same far side.

As `transport_speed`, with the ledger in an SQLite file set up as a site has it: two writes for each request.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time

import httpx

from tests.bench.transport_speed import ROUNDS, WARM, far_side

LIMIT = 1.4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as var, far_side() as url:
        _site(var)
        times = measured(url, options.rounds)
    ratio = statistics.median(ours / bare for ours, bare in times)
    ours, bare = (statistics.median(pair[side] for pair in times) * 1e6 for side in (0, 1))
    verdict = "ok" if ratio <= LIMIT else "MISSED"
    print(f"{'blocking, with the ledger':28} {ratio:6.3f} <= {LIMIT} {ours:10.0f} {bare:10.0f}  {verdict}")


def measured(url: str, rounds: int) -> list[tuple[float, float]]:
    """Seconds of ours and of bare httpx, in turn; the first ones, which open connections, are left out."""
    from policy.judges.http.judge import HttpJudge
    from policy.ledger import RecordedJudge
    from tests.policy.judges.http.asking import REQUEST, target

    judge = HttpJudge(target("compatible", base_url=url))
    body = {"model": "jev-latest", **REQUEST.to_wire()}
    times = []
    with httpx.Client(trust_env=False) as bare:
        for _ in range(WARM + rounds):
            began = time.perf_counter()
            recorded = RecordedJudge(judge, origin="api", origin_id="bench", tell=lambda row, came: None)
            recorded.ask(REQUEST, timeout_s=5)
            between = time.perf_counter()
            bare.post(f"{url}/v1/systemone", json=body).json()
            times.append((between - began, time.perf_counter() - between))
    judge.close()
    return times[WARM:]


def _site(var: str) -> None:
    """A fresh database in its own folder, whatever the surroundings say."""
    os.environ.pop("DATABASE_URL", None)
    os.environ |= {"JEV_VAR": var, "DJANGO_SETTINGS_MODULE": "jevsite.settings"}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


if __name__ == "__main__":
    main()
