"""The program that an external agent starts as its MCP server: it carries bytes between it and the lane's worker.

No tool, no menu and no state are here; the lane's own server answers at the other end of the socket. It uses the
standard library only and is started without `site`, for it begins anew with every agent. The key comes through the
environment, never through the arguments, which every user of a machine can read.
"""

from __future__ import annotations

import os
import socket
import sys
import threading

KEY = "JEV_LANE_KEY"
_CHUNK = 65_536
_LOOK_S = 0.2
_LAST_S = 2.0


def carry(incoming: int, outgoing: int, lane: socket.socket) -> None:
    """Carry bytes both ways until the lane has closed, or the agent has and the lane did not follow."""
    lane_over, agent_over = threading.Event(), threading.Event()

    def from_agent() -> None:
        try:
            while chunk := os.read(incoming, _CHUNK):
                lane.sendall(chunk)
            lane.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        agent_over.set()

    def from_lane() -> None:
        try:
            while chunk := lane.recv(_CHUNK):
                _write(outgoing, chunk)
        except OSError:
            agent_over.set()
        lane_over.set()

    threading.Thread(target=from_lane, daemon=True).start()
    threading.Thread(target=from_agent, daemon=True).start()
    while not lane_over.wait(_LOOK_S):
        if agent_over.is_set():
            # What is still on its way is given a moment; after that nobody is there to read it.
            lane_over.wait(_LAST_S)
            return


def _write(outgoing: int, chunk: bytes) -> None:
    while chunk:
        chunk = chunk[os.write(outgoing, chunk) :]


def main() -> None:
    lane = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        lane.connect(sys.argv[1])
        lane.sendall(os.environ.get(KEY, "").encode() + b"\n")
    except OSError as error:
        sys.exit(f"The lane behind this tool server is gone: {error.strerror}.")
    carry(0, 1, lane)
    # Threads may still hold descriptors in a blocking read; nothing is worth waiting for.
    os._exit(0)


if __name__ == "__main__":
    main()
