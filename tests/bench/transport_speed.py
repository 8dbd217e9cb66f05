"""`python -m tests.bench.transport_speed`: what our transport costs beside bare httpx to the same far side.

The far side is a process of its own that answers after 5 ms. Both sides ask in turn, the medians of the rounds' ratios
count. Ours checks addresses, keeps the time of every attempt, limits, erases, reads strictly, and tells its attempts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import httpx

from policy.judges.attempts import Attempt
from policy.judges.http.judge import AsyncHttpJudge, HttpJudge
from tests.policy.judges.http.asking import REPLY, REQUEST, target

LIMIT = 1.2
ROUNDS = 300
WARM = 20
ANSWER_AFTER_S = 0.005


@dataclass(frozen=True)
class Row:
    """Medians in microseconds, and the median of the ratios of each round."""

    name: str
    ours_us: float
    bare_us: float
    ratio: float

    @property
    def line(self) -> str:
        verdict = "ok" if self.ratio <= LIMIT else "MISSED"
        return f"{self.name:28} {self.ratio:6.3f} <= {LIMIT} {self.ours_us:10.0f} {self.bare_us:10.0f}  {verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        asyncio.run(_serve())
        return
    print(f"{'':28} {'ratio':>6}        {'ours µs':>10} {'bare µs':>10}")
    with far_side() as url:
        print(blocking(url, options.rounds).line, flush=True)
        print(asyncio.run(awaited(url, options.rounds)).line, flush=True)


def blocking(url: str, rounds: int = ROUNDS) -> Row:
    """One question after the other over one kept connection each."""
    attempts: list[Attempt] = []
    judge = HttpJudge(target("compatible", base_url=url))
    with httpx.Client(trust_env=False) as bare:

        def ours() -> object:
            return judge.ask(REQUEST, timeout_s=5, on_attempt=attempts.append)

        def base() -> object:
            return bare.post(f"{url}/v1/systemone", json={"model": "jev-latest", **REQUEST.to_wire()}).json()

        times: list[tuple[float, float]] = []
        for number in range(WARM + rounds):
            taken = {}
            for each in (ours, base) if number % 2 else (base, ours):
                began = time.perf_counter()
                each()
                taken[each] = time.perf_counter() - began
            times.append((taken[ours], taken[base]))
    judge.close()
    return _row("blocking", times[WARM:])


async def awaited(url: str, rounds: int = ROUNDS) -> Row:
    """The same in an event loop."""
    attempts: list[Attempt] = []
    async with AsyncHttpJudge(target("compatible", base_url=url)) as judge, httpx.AsyncClient(trust_env=False) as bare:

        async def ours() -> object:
            return await judge.ask(REQUEST, timeout_s=5, on_attempt=attempts.append)

        async def base() -> object:
            body = {"model": "jev-latest", **REQUEST.to_wire()}
            return (await bare.post(f"{url}/v1/systemone", json=body)).json()

        times: list[tuple[float, float]] = []
        for number in range(WARM + rounds):
            taken = {}
            for each in (ours, base) if number % 2 else (base, ours):
                began = time.perf_counter()
                await each()
                taken[each] = time.perf_counter() - began
            times.append((taken[ours], taken[base]))
    return _row("awaited", times[WARM:])


def _row(name: str, times: Sequence[tuple[float, float]]) -> Row:
    ours, bare = ([pair[side] for pair in times] for side in (0, 1))
    ratio = statistics.median(mine / theirs for mine, theirs in times)
    return Row(name, statistics.median(ours) * 1e6, statistics.median(bare) * 1e6, ratio)


@contextmanager
def far_side() -> Iterator[str]:
    command = [sys.executable, "-m", "tests.bench.transport_speed", "--serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        process.terminate()


async def _serve() -> None:
    raw = json.dumps(REPLY).encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(raw)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while header := await _header(reader):
            lengths = [line for line in header.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            await reader.readexactly(int(lengths[0].partition(b":")[2]))
            await asyncio.sleep(ANSWER_AFTER_S)
            writer.write(head + raw)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def _header(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""


if __name__ == "__main__":
    main()
