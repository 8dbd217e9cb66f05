"""Tools on releases: bring one to production, cut a service off, compare two versions, find who is to blame."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from arena.worlds import dates, history, records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.sources import shown
from arena.worlds.tools.deployments import DEPLOYMENTS, matching
from arena.worlds.world import Effect, Record, World

DRAINS = "drains"
_LOOK_BACK_HOURS = 24
_HOUR, _MINUTE = timedelta(hours=1), timedelta(minutes=1)


@handler("promote_build")
def promote_build(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The same version and commit go live in production; what ran there before is superseded.

    Only facts are checked here. Whether a build has been on staging for long enough is for whoever decides.
    """
    key = arguments["deployment_id"]
    build = records.required(world, DEPLOYMENTS, key, argument="deployment_id", noun="deployment")
    _check_on_staging(build)
    running = matching(world, {"service": build["service"], "environment": "production", "state": "live"})
    if any(each["version"] == build["version"] for each in running):
        raise ToolError(f"The version {build['version']} of {build['service']} runs in production already; leave it.")
    created = {
        "id": records.following_id(world, DEPLOYMENTS, "d_"),
        **{name: build[name] for name in ("service", "version", "commit")},
        "environment": "production",
        "at": world.now,
        "by": "agent",
        "state": "live",
        "note": arguments.get("note", "").strip(),
    }
    replaced = (Effect("update", DEPLOYMENTS, each["id"], {"state": "superseded"}) for each in running)
    content = {
        "live": created,
        "superseded": [each["id"] for each in running],
        "hours_on_staging": round((dates.parse(world.now) - dates.parse(build["at"])) / _HOUR, 1),
    }
    return ToolResult(content, (*replaced, Effect("create", DEPLOYMENTS, created["id"], created)))


@handler("drain_service")
def drain_service(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Lasts from now on for the minutes named; a second drain of the same service has to wait for its end."""
    where = {name: arguments[name] for name in ("service", "environment")}
    reason = records.said(arguments, "reason", "say in a few words why it has to be")
    running = matching(world, {**where, "state": "live"})
    if not running:
        raise ToolError(f"Nothing of {where['service']} runs in {where['environment']}; there is nothing to cut off.")
    now = dates.parse(world.now)
    for each in world.all(DRAINS):
        if where.items() <= each.items() and dates.parse(each["until"]) > now:
            raise ToolError(f"The service {where['service']} is cut off until {each['until']} already; wait for that.")
    drain = {
        "id": records.following_id(world, DRAINS, "dr_"),
        **where,
        "version": running[-1]["version"],
        "since": world.now,
        "until": (now + arguments["minutes"] * _MINUTE).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "reason": reason,
        "by": "agent",
    }
    return ToolResult(drain, (Effect("create", DRAINS, drain["id"], drain),))


@handler("compare_releases")
def compare_releases(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Every commit after the older version up to the newer one; all services share one code base."""
    service = arguments["service"]
    older, newer = (_published(world, service, arguments, name) for name in ("from_version", "to_version"))
    order = history.positions(world)
    if order[older["commit"]] >= order[newer["commit"]]:
        cause = f"The version {older['version']} of {service} is not older than {newer['version']}"
        raise ToolError(f"{cause}; exchange the two, or name other versions.")
    between = world.all(history.COMMITS)[order[older["commit"]] + 1 : order[newer["commit"]] + 1]
    return ToolResult(
        {
            "service": service,
            "from": {name: older[name] for name in ("version", "commit")},
            "to": {name: newer[name] for name in ("version", "commit")},
            "commits": [{name: each[name] for name in ("id", "at", "author", "message")} for each in between],
            "authors": sorted({each["author"] for each in between}),
            "files": _touched(between),
        }
    )


@handler("find_suspect_release")
def find_suspect_release(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Failed starts count too, as they can do harm; the closest before the trouble comes first."""
    began = dates.moment(arguments, "at")
    if began > dates.parse(world.now):
        raise ToolError(f"The argument at lies in the future: {shown(arguments['at'])}; name a time up to {world.now}.")
    reach = timedelta(hours=arguments.get("hours", _LOOK_BACK_HOURS))
    environments = ("production", "staging") if arguments.get("include_staging", False) else ("production",)
    rows = [
        {**each, "minutes_before": int((began - dates.parse(each["at"])) / _MINUTE)}
        for each in reversed(world.all(DEPLOYMENTS))
        if timedelta(0) <= began - dates.parse(each["at"]) <= reach
        and each["environment"] in environments
        and arguments.get("service", each["service"]) == each["service"]
    ]
    return ToolResult({"at": arguments["at"], "of": len(rows), "suspects": rows})


def _check_on_staging(build: Record) -> None:
    if build["environment"] != "staging":
        cause = f"The deployment {build['id']} went to {build['environment']}"
        raise ToolError(f"{cause}; name the deployment on staging that shall follow.")
    if build["state"] != "live":
        state = build["state"].replace("_", " ")
        raise ToolError(f"The deployment {build['id']} is {state}; only what runs on staging now can be promoted.")


def _published(world: World, service: str, arguments: Mapping[str, Any], argument: str) -> Record:
    """The first deployment of that version; raises ToolError with the versions that there are."""
    wanted = arguments[argument].strip()
    deployed = matching(world, {"service": service})
    found = next((each for each in deployed if each["version"] == wanted), None)
    if found is None:
        known = ", ".join(dict.fromkeys(each["version"] for each in deployed))
        cause = f"The argument {argument} names no version of {service}: {shown(wanted)}"
        raise ToolError(f"{cause}; use one of {known}.")
    return found


def _touched(commits: list[Record]) -> list[dict[str, Any]]:
    """Each file once with the lines that came and went, by path."""
    sums: dict[str, dict[str, int]] = {}
    for touched in (file for commit in commits for file in commit["files"]):
        counts = sums.setdefault(touched["path"], {"additions": 0, "deletions": 0})
        for name in counts:
            counts[name] += touched[name]
    return [{"path": path, **counts} for path, counts in sorted(sums.items())]
