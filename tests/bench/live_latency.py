"""`python -m tests.bench.live_latency`: from the commit of an event in one process to a browser's socket in another.

Starts a web process of its own in a fresh folder (or on DATABASE_URL), writes events from a second process as a worker
would, and prints the latencies of the frames in milliseconds. The fallback look is switched off.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import websockets

ROOT = Path(__file__).resolve().parents[2]
EVENTS = 100
EVERY_S = 0.02
"""Two lanes of 50 steps, an event every 20 ms: far more than the offline agent does."""

SETUP = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from arena.runs import dispatch, start
from policy.people.services import local_user
with dispatch.to(lambda step, pk: None):
    print(start.start("patch", by=local_user(), origin="command").public_id)
"""
WRITER = """
import sys, time
import django; django.setup()
from arena.events import Emitter
from arena.models import Run
from arena.runs.log import Draft, append
run = Run.objects.get(public_id=sys.argv[1])
lanes = [lane.pk for lane in run.lanes.all()]
append(run.pk, [Draft("lane.state", {"state": "working"}, lane) for lane in lanes], emitter=Emitter.LANE)
for n in range(int(sys.argv[2])):
    step = Draft("step.thinking", {"step": n // 2, "note": f"step {n}"}, lanes[n % 2])
    seq = append(run.pk, [step], emitter=Emitter.LANE)
    print(seq, time.time(), flush=True)
    time.sleep(float(sys.argv[3]))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(JEV_VAR=folder, LIVE_FALLBACK_S="0", DJANGO_SETTINGS_MODULE="jevsite.settings")
        run = subprocess.run([sys.executable, "-c", SETUP], cwd=ROOT, check=True, capture_output=True, text=True)
        port = _free_port()
        uvicorn = [sys.executable, "-m", "uvicorn", "jevsite.asgi:application", "--log-level", "error"]
        web = subprocess.Popen([*uvicorn, "--port", str(port)], cwd=ROOT)
        try:
            latencies = asyncio.run(_measure(port, run.stdout.strip()))
        finally:
            web.terminate()
            web.wait(10)
    cuts = statistics.quantiles(latencies, n=100)
    print(json.dumps({"events": len(latencies), "p50_ms": cuts[49], "p95_ms": cuts[94], "max_ms": max(latencies)}))


async def _measure(port: int, run: str) -> list[float]:
    arrived: dict[int, float] = {}
    async with await _connect(f"ws://127.0.0.1:{port}/ws/runs/{run}/?after=2") as wire:
        command = [sys.executable, "-c", WRITER, run, str(EVENTS), str(EVERY_S)]
        writer = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
        while max(arrived, default=0) < EVENTS + 4:
            frame = json.loads(await asyncio.wait_for(wire.recv(), 30))
            now = time.time()
            for seq in range(max(arrived, default=2) + 1, frame["seq"] + 1):
                arrived[seq] = now
        out, _ = await writer.communicate()
    written = (line.split() for line in out.decode().splitlines())
    return [(arrived[int(seq)] - float(at)) * 1000 for seq, at in written]


async def _connect(url: str) -> websockets.ClientConnection:
    for _ in range(100):
        try:
            return await websockets.connect(url, max_size=None)
        except OSError:
            await asyncio.sleep(0.1)
    raise SystemExit("the web process did not come up")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


if __name__ == "__main__":
    main()
