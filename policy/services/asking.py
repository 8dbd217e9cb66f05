"""Asking a judge for a person or a program: by name, within the profile's bounds, every request in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, Required, TypedDict, TypeVar, Unpack

from policy.calibration.passport import Asked, Saved
from policy.engine import drive
from policy.engine.failures import Failure
from policy.engine.judge import Judge, JudgeReply, JudgeRequest
from policy.engine.mode import Mode, mode_of
from policy.engine.profile import InvalidConfig, Profile
from policy.engine.receipts.write import Recorder, exchange_json
from policy.ledger import RecordedJudge
from policy.people.models import Purpose, Role, User
from policy.people.services import require
from policy.services import arming, health, judges
from policy.services.turns import slots_of

# A judgment holds a thread of the web process for as long as this.
MOST_BUDGET_MS = 120_000
Origin = Literal["api", "lab"]
Exchange = tuple[JudgeRequest, JudgeReply | Failure]


class Decided(Protocol):
    """What every function of the engine returns."""

    def to_json(self) -> dict[str, Any]: ...

    def decision_json(self) -> dict[str, Any]: ...


Result = TypeVar("Result", bound=Decided)
Steps = Generator[JudgeRequest, JudgeReply | Failure, Result]


class Terms(TypedDict, total=False):
    """Who asks whom, and how. `judge` is a name, or a judge itself (tests, a script to show); without one it is the
    judge that the person set for the API.

    `profile` defaults to the one that the judge brings along, `mode` to enforce; a saved one is disarmed where its
    passport does not fit the call. `cancelled` (true, or the reason as a text) is looked at before and after every
    request and while it waits for its turn.
    """

    by: Required[User]
    origin: Required[Origin]
    judge: str | Judge
    profile: Profile | Saved | None
    mode: Mode | str
    cancelled: drive.Cancelled | None


@dataclass(frozen=True, slots=True)
class Judgment(Generic[Result]):
    """A result of the engine with all that led to it; `call` finds its rows in the ledger.

    `disarmed` says why a saved profile decided nothing; empty where it was armed, or none was named.
    """

    result: Result
    exchanges: tuple[Exchange, ...]
    judge: str
    profile: Profile
    call: str
    disarmed: tuple[str, ...] = ()

    @property
    def request_digests(self) -> tuple[str, ...]:
        """The SHA-256 of each request as sent, in order; what was never sent is not among them."""
        return tuple(request.digest for request, came in self.exchanges if drive.was_sent(came))

    def to_json(self, *, exchanges: bool = True) -> dict[str, Any]:
        """For pages and programs; `exchanges` adds every request as sent with its raw reply or failure."""
        profile = {"name": self.profile.name, "version": self.profile.version, "digest": self.profile.digest}
        return {
            "result": self.result.to_json(),
            "judge": self.judge,
            "profile": profile,
            "requests": list(self.request_digests),
            "call": self.call,
            "disarmed": list(self.disarmed),
            "exchanges": [exchange_json(*each) for each in self.exchanges] if exchanges else None,
        }


def ask(
    begin: Callable[[Profile, Mode], Steps[Result]],
    asked: Callable[[Profile], Asked] | None = None,
    **terms: Unpack[Terms],
) -> Judgment[Result]:
    """Begin a generator of the engine and drive it to its end; a judge's failure is a result, never an exception.

    `asked` says what the call asks, for the passport of a saved profile; None where no threshold of it is used.
    Raises `UnknownJudge`, `InvalidConfig` (an unknown mode, an unusable option, a budget beyond the bound) and
    `NotAllowed` before anything is asked; `Busy` when too many wait for this judge, `HostFault` when the ledger cannot
    be written.
    """
    require(Role.MEMBER, by=terms["by"])
    judge, own = _judge(terms)
    given, by = terms.get("profile"), terms["by"]
    profile = given.profile if isinstance(given, Saved) else given or own
    mode = mode_of(terms.get("mode", Mode.ENFORCE))
    if profile.limits.budget_ms > MOST_BUDGET_MS:
        raise InvalidConfig(f'limit "budgetMs" may be {MOST_BUDGET_MS} at most here; got {profile.limits.budget_ms}')
    steps = begin(profile, mode)
    recorded = RecordedJudge(
        judge, origin=terms["origin"], origin_id=f"user-{by.pk}", user=by, tell=health.listener(by)
    )
    call = asked(profile) if isinstance(given, Saved) and asked is not None else None
    guarded = arming.armed(given, call, judge, recorded)
    recorder = Recorder()
    result = drive.run(
        steps,
        guarded or recorded,
        budget_ms=profile.limits.budget_ms,
        on_exchange=recorder,
        cancelled=terms.get("cancelled"),
        # How many at once is for the host of a judge to say, not for one of its callers.
        slots=None if mode is Mode.OFF else slots_of(judge.name, limit=own.limits.max_concurrent),
    )
    disarmed = guarded.disarmed if guarded else ()
    result = arming.withheld(result, disarmed)
    return Judgment(result, tuple(recorder.exchanges), judge.name, profile, recorded.call, disarmed)


def _judge(terms: Terms) -> tuple[Judge, Profile]:
    """The judge with the profile that it brings along; one that is not of the registry brings the defaults."""
    by = terms["by"]
    asked = terms.get("judge") or judges.chosen(Purpose.API, by=by).judge
    if not isinstance(asked, str):
        return asked, Profile()
    return judges.judge(asked, by=by, purpose=Purpose.API), judges.profile(asked)
