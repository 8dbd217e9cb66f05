"""Tools on deployments: what runs where, and back to the version before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.worlds import records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.sources import shown
from arena.worlds.world import Effect, Record, World

DEPLOYMENTS = "deployments"


@handler("list_deployments")
def list_deployments(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Newest first."""
    deployments = world.all(DEPLOYMENTS)
    wanted = {name: arguments[name] for name in ("service", "environment", "state") if name in arguments}
    services = sorted({each["service"] for each in deployments})
    if "service" in wanted and wanted["service"] not in services:
        cause = f"The argument service names no service that was ever deployed: {shown(wanted['service'])}"
        raise ToolError(f"{cause}; use one of {', '.join(services)}.")
    found = [each for each in reversed(deployments) if wanted.items() <= each.items()]
    return ToolResult(records.capped("deployments", found, arguments.get("limit", 20)))


@handler("rollback_deployment")
def rollback_deployment(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The version before becomes a deployment of its own; the one rolled back keeps its record."""
    key = arguments["deployment_id"]
    current = records.required(world, DEPLOYMENTS, key, argument="deployment_id", noun="deployment")
    _check_live(world, current)
    before = _version_before(world, current)
    reason = arguments["reason"].strip()
    if not reason:
        raise ToolError("The argument reason is blank; say in a few words what went wrong.")
    created = {
        "id": records.following_id(world, DEPLOYMENTS, "d_"),
        **{name: before[name] for name in ("service", "version", "environment", "commit")},
        "at": world.now,
        "by": "agent",
        "state": "live",
        "note": f"rollback of {key}: {reason}",
    }
    effects = (
        Effect("update", DEPLOYMENTS, key, {"state": "rolled_back"}),
        Effect("create", DEPLOYMENTS, created["id"], created),
    )
    return ToolResult({"rolled_back": key, "undone_version": current["version"], "live": created}, effects)


def _check_live(world: World, deployment: Record) -> None:
    if deployment["state"] == "live":
        return
    where = {name: deployment[name] for name in ("service", "environment")}
    live = [each["id"] for each in matching(world, where) if each["state"] == "live"]
    mend = f"{deployment['service']} runs {live[-1]} in {deployment['environment']}" if live else "nothing of it runs"
    state = deployment["state"].replace("_", " ")
    raise ToolError(f"The deployment {deployment['id']} is {state}, only a live one can be rolled back; {mend}.")


def _version_before(world: World, current: Record) -> Record:
    """The newest earlier deployment that ran there with another version; raises ToolError."""
    where = {name: current[name] for name in ("service", "environment")}
    earlier = [
        each
        for each in matching(world, where)
        if each["at"] < current["at"] and each["state"] == "superseded" and each["version"] != current["version"]
    ]
    if not earlier:
        cause = f"Before {current['id']} no other version of {current['service']} ran in {current['environment']}"
        raise ToolError(f"{cause}; there is nothing to go back to.")
    return max(earlier, key=lambda each: str(each["at"]))


def matching(world: World, where: Mapping[str, str]) -> list[Record]:
    """The deployments with these fields, oldest first."""
    return [each for each in world.all(DEPLOYMENTS) if where.items() <= each.items()]
