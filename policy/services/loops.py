"""Loops that programs report, kept in the database: any number of web processes count one chain."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.crypto import salted_hmac

from policy.engine.call_key import call_key
from policy.engine.decisions import Action, Decision
from policy.engine.loops import MAX_REPEATS
from policy.engine.mode import Mode, mode_of
from policy.engine.profile import InvalidConfig
from policy.models import LoopChain
from policy.people.models import Role, User
from policy.people.services import require
from policy.services.gate.host import LOOP

# Of one user. Seed 000 keeps 64 in one process; here all programs of a user share them.
MAX_SUBJECTS = 1000
MOST_COUNTED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Observation:
    """`count` identical calls in a row, this one included; `repeated` from `maxRepeats` on."""

    subject: str
    count: int
    repeated: bool

    def to_json(self) -> dict[str, Any]:
        return {"subject": self.subject, "count": self.count, "repeated": self.repeated}


@dataclass(frozen=True, slots=True)
class Check:
    """What is known before a call: `count` identical ones came directly before it; a decision only where too many."""

    subject: str
    count: int
    decision: Decision | None

    def to_json(self) -> dict[str, Any]:
        decision = None if self.decision is None else self.decision.to_json()
        return {"subject": self.subject, "count": self.count, "decision": decision}


def observe(
    *,
    subject: str,
    tool: str,
    arguments: Mapping[str, Any],
    by: User,
    max_repeats: int = MAX_REPEATS,
    exempt: Collection[str] = (),
) -> Observation:
    """Count a call that was carried out; `exempt` names tools that may be called again on purpose.

    Beyond `MAX_SUBJECTS` the subject that was observed longest ago is forgotten.
    """
    require(Role.MEMBER, by=by)
    repeats = _repeats(max_repeats)
    key = _key(tool, arguments)
    with transaction.atomic():
        # One at a time for each user: two processes must not both be the third call.
        User.objects.select_for_update().get(pk=by.pk)
        own = LoopChain.objects.filter(user=by)
        chain = own.filter(subject=subject).first()
        count = min(chain.count + 1, MOST_COUNTED) if chain is not None and chain.key == key else 1
        newest = own.last()
        turn = 1 if newest is None else newest.turn + 1
        own.update_or_create(user=by, subject=subject, defaults={"key": key, "count": count, "turn": turn})
        if chain is None:
            own.exclude(pk__in=own.order_by("-turn").values("pk")[:MAX_SUBJECTS]).delete()
    return Observation(subject, count, count >= repeats and tool not in exempt)


def check(
    *,
    subject: str,
    tool: str,
    arguments: Mapping[str, Any],
    by: User,
    max_repeats: int = MAX_REPEATS,
    exempt: Collection[str] = (),
    mode: Mode | str = Mode.ENFORCE,
) -> Check:
    """Look before a call, counting nothing: `deny` where it would continue a chain of `max_repeats` or more."""
    require(Role.MEMBER, by=by)
    repeats, mode = _repeats(max_repeats), mode_of(mode)
    chain = LoopChain.objects.filter(user=by, subject=subject, key=_key(tool, arguments)).first()
    count = 0 if chain is None else chain.count
    if count < repeats or tool in exempt or mode is Mode.OFF:
        return Check(subject, count, None)
    reason = (
        f"the same call was carried out {count} times in a row already; change the arguments or the approach, "
        "or ask the person"
    )
    decision = Decision(Action.DENY, LOOP, reason, applied=mode is Mode.ENFORCE, measured=count)
    return Check(subject, count, decision)


def reset(*, subject: str, by: User) -> bool:
    """Forget a subject's chain, as after a new message of its person; whether there was one."""
    require(Role.MEMBER, by=by)
    forgotten, _ = LoopChain.objects.filter(user=by, subject=subject).delete()
    return forgotten > 0


def _key(tool: str, arguments: Mapping[str, Any]) -> str:
    """Keyed with the site's secret: who reads the table cannot try out what the arguments were."""
    return salted_hmac("policy.services.loops", call_key(tool, arguments), algorithm="sha256").hexdigest()


def _repeats(given: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 2:
        raise InvalidConfig(f"maxRepeats must be a whole number, 2 or more; got {given!r:.80}")
    return given
