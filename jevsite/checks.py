"""Django system checks: a setting that would lose events, lanes or secrets stops the start with a sentence."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from jevsite import env
from policy.people import vault

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_SHORTEST_LEASE_S = 3
Found = list[CheckMessage]
Apps = Sequence[AppConfig] | None


@register
def sqlite_is_safe_for_several_processes(app_configs: Apps, **kwargs: Any) -> Found:
    return of_database(settings.DATABASES["default"])


def of_database(database: dict[str, Any]) -> Found:
    """What is wrong with these database settings for several processes at once."""
    if "sqlite3" not in database["ENGINE"]:
        return []
    name = str(database["NAME"])
    if name == ":memory:" or "mode=memory" in name:
        hint = "Give DATABASE_URL a file, or a PostgreSQL server."
        return [Error("A database in memory is not shared by web and worker.", hint=hint, id="jevsite.E001")]
    options = database.get("OPTIONS", {})
    wanted = {
        "transaction_mode": options.get("transaction_mode") == "IMMEDIATE",
        "timeout": options.get("timeout", 0) >= 5,
        "journal_mode": "journal_mode=wal" in str(options.get("init_command", "")).lower(),
    }
    missing = ", ".join(option for option, there in wanted.items() if not there)
    hint = "Use transaction_mode IMMEDIATE, a timeout of 20 s and journal_mode WAL, as jevsite/env.py does."
    msg = f"SQLite would refuse writes while another process writes; missing: {missing}."
    return [Error(msg, hint=hint, id="jevsite.E002")] if missing else []


@register
def no_channel_layer_in_memory(app_configs: Apps, **kwargs: Any) -> Found:
    layers = getattr(settings, "CHANNEL_LAYERS", {})
    if not any("InMemory" in layer.get("BACKEND", "") for layer in layers.values()):
        return []
    hint = "Leave CHANNEL_LAYERS out: the doorbell follows the database."
    return [Error("A channel layer in memory does not cross processes.", hint=hint, id="jevsite.E003")]


@register
def local_mode_serves_this_machine_alone(app_configs: Apps, **kwargs: Any) -> Found:
    foreign = sorted(set(settings.ALLOWED_HOSTS) - _LOOPBACK)
    if settings.MODE != "local" or not foreign:
        return []
    hint = "Without a login, whoever reaches the site may do everything. Allow localhost, 127.0.0.1 and [::1] only."
    return [Error(f"Local mode would answer to the host {foreign[0]!r}.", hint=hint, id="jevsite.E004")]


@register
def the_secret_key_is_its_owners_alone(app_configs: Apps, **kwargs: Any) -> Found:
    file = settings.VAR_DIR / "secret-key"
    if not file.exists() or not stat.S_IMODE(file.stat().st_mode) & 0o077:
        return []
    return [Error(f"Other users can read {file}.", hint=f"Run: chmod 600 {file}", id="jevsite.E005")]


@register
def the_master_key_can_be_used(app_configs: Apps, **kwargs: Any) -> Found:
    try:
        vault.look()
    except vault.VaultClosed as closed:
        return [Error(str(closed), hint="Without it no stored provider key can be used.", id="jevsite.E007")]
    return []


@register
def times_fit_together(app_configs: Apps, **kwargs: Any) -> Found:
    found: Found = []
    lease_s, reap_s, stop_s = settings.LANE_LEASE_S, settings.REAP_EVERY_S, settings.STOP_WITHIN_S
    if lease_s < _SHORTEST_LEASE_S:
        msg = f"LANE_LEASE_S is {lease_s:g}; a worker that is busy for a moment would lose its lane."
        found.append(Error(msg, hint=f"Use at least {_SHORTEST_LEASE_S}.", id="jevsite.E006"))
    if reap_s > lease_s:
        msg = f"REAP_EVERY_S is {reap_s:g}, longer than a lease ({lease_s:g}): lost lanes are noticed late."
        found.append(Warning(msg, hint="Use a shorter REAP_EVERY_S.", id="jevsite.W001"))
    if stop_s <= settings.AGENT_PAUSE_S:
        msg = f"STOP_WITHIN_S is {stop_s:g}, no longer than an agent's pause: stopped lanes would count as abandoned."
        found.append(Warning(msg, hint="Use a longer STOP_WITHIN_S.", id="jevsite.W002"))
    return found


@register
def no_variable_is_misspelt(app_configs: Apps, **kwargs: Any) -> Found:
    unknown = sorted(name for name in os.environ if name.startswith("JEV_") and name not in env.known)
    hint = f"The names are {', '.join(sorted(name for name in env.known if name.startswith('JEV_')))}."
    return [Warning(f"{name} is set, but nothing reads it.", hint=hint, id="jevsite.W003") for name in unknown]
