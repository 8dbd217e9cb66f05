"""Public ids of the arena."""

from __future__ import annotations

from policy.ids import new_id


def run_id() -> str:
    return new_id("run")


def lane_id() -> str:
    return new_id("lane")


def approval_id() -> str:
    return new_id("apr")
