"""The setup of a run: everything that makes two runs comparable, checked by name before anything is stored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from arena.errors import Invalid, among
from arena.models import Arm
from arena.runs import seats
from arena.runs.agent_models import AgentOptions
from policy.calibration.passport import Passport, Saved
from policy.engine import call_rules_text
from policy.engine.call_rules import CallRules
from policy.engine.profile import Profile
from policy.engine.routing import RoutingPolicy
from policy.engine.selectors import SELECTORS, TOP_K, TWO_STAGE
from policy.judges import registry
from policy.services import judges

MAX_ARMS = 4
MAX_MENU = 1000
MAX_SEED = 2**31 - 1
# Written only where they differ from these, so that the comparison key of an older run stays what it was.
_GATE: Mapping[str, Any] = {"gate": "off", "rules": (), "attended": True}
_LEFT_OUT: Mapping[str, Any] = {
    "model": "",
    "local_model": "",
    "own_catalog": "",
    "real_arms": (),
    "stable_menu": False,
    "find_tool": False,
    **asdict(AgentOptions()),
    **_GATE,
}
GATES = ("off", "shadow", "enforce", "compare")
RULES_WITHOUT_GATE = (
    "The rules over calls hold only with a gate: choose shadow, enforce or compare, or leave the rules out."
)
COMPARED = ("off", "enforce")
"""The gates of the two lanes of a run that compares the gate itself."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a run is made of besides its case. `pause_s` and `seed` are kept, but not part of the comparison key.

    `model` is what a judge behind HTTP is asked for; a judge of this machine has one, and it is blank.
    `routing` holds the limits of the selector `top-k`, and is None with `two-stage`. `passport` is that of a saved
    profile, which is disarmed where it does not fit what the judge is asked. Then come fields about the agent, see
    `AgentOptions`. `own_catalog` is the public id of the person's catalog whose tools really run, in the lanes of
    `real_arms`. `local_model` is the SHA-256 of the model file where the agent or the judge `gguf` takes part.
    `stable_menu` keeps the selected menu when an answer goes on in a new run; `find_tool` lets agents with a small menu
    search for more.

    `gate` stands before every call, in every lane alike; with `compare` the one arm runs twice, without a gate and with
    one that enforces. `rules` are those of `policy.engine.call_rules` in JSON. Without `attended` nobody is asked about
    a call, so what would be asked counts as not approved.
    """

    arms: tuple[str, ...] = (Arm.FULL.value, Arm.SELECTED.value)
    menu_size: int = 40
    judge: str = "local"
    agent: str = "offline"
    profile: Profile = field(default_factory=Profile)
    selector: str = TWO_STAGE
    routing: RoutingPolicy | None = None
    ask_first: bool = True
    member_lines: bool = True
    seed: int = 1
    pause_s: float = 0.0
    model: str = ""
    passport: Passport | None = None
    local_model: str = ""
    agent_model: str = ""
    agent_address: str = ""
    agent_effort: str = ""
    agent_temperature: float | None = None
    max_steps: int = AgentOptions.max_steps
    max_tokens: int | None = None
    prompt: str = ""
    agent_version: str = ""
    own_catalog: str = ""
    real_arms: tuple[str, ...] = ()
    gate: str = "off"
    rules: tuple[Mapping[str, Any], ...] = ()
    attended: bool = True
    stable_menu: bool = False
    find_tool: bool = False

    @property
    def call_rules(self) -> CallRules:
        return call_rules_text.from_json(self.rules)

    @property
    def lanes(self) -> tuple[tuple[str, str], ...]:
        """Arm and gate of every lane, in order."""
        if self.gate == "compare":
            return tuple((self.arms[0], gate) for gate in COMPARED)
        return tuple((arm, self.gate) for arm in self.arms)

    @property
    def chosen_profile(self) -> Profile | Saved:
        """The profile, with its passport where it has one."""
        return self.profile if self.passport is None else Saved(self.profile, self.passport)

    @property
    def needs_judge(self) -> bool:
        return any(Arm(arm).asks_judge for arm in self.arms)

    @property
    def asks_judge(self) -> bool:
        """Whether anything of the run asks the judge: the menu, or the gate."""
        return self.needs_judge or self.gate != "off"

    def to_json(self) -> dict[str, Any]:
        wire = {**asdict(self), "arms": list(self.arms), "profile": self.profile.to_json()}
        wire["rules"] = tuple(self.rules)
        del wire["routing"], wire["passport"]
        wire = {key: value for key, value in wire.items() if key not in _LEFT_OUT or value != _LEFT_OUT[key]}
        passport = {} if self.passport is None else {"passport": self.passport.to_json()}
        return wire | passport | ({} if self.routing is None else {"routing": self.routing.to_json()})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The setup of a stored run."""
        routing = {"routing": RoutingPolicy.from_json(data["routing"])} if "routing" in data else {}
        passport = {"passport": Passport.from_json(data["passport"])} if "passport" in data else {}
        profile = Profile.from_json(data["profile"])
        lists = {name: tuple(data.get(name, ())) for name in ("arms", "rules", "real_arms")}
        return cls(**{**data, **lists, "profile": profile, **routing, **passport})

    def comparison_key(self, *, case: str, world: str, catalog: str) -> str:
        """SHA-256 over the setup and the digests of case, world and catalog; equal keys are comparable runs."""
        counted = {key: value for key, value in self.to_json().items() if key not in {"seed", "pause_s"}}
        text = json.dumps([case, world, catalog, counted], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def checked(
    *,
    arms: Sequence[str],
    menu_size: int,
    judge: str,
    agent: str,
    profile: Profile | Saved,
    seed: int,
    pause_s: float,
    selector: str = TWO_STAGE,
    routing: RoutingPolicy | None = None,
    model: str = "",
    options: AgentOptions | None = None,
    gate: str = "off",
    rules: CallRules | None = None,
    attended: bool = True,
    local_model: str = "",
    stable_menu: bool = False,
    find_tool: bool = False,
) -> Setup:
    """A setup whose every name exists; raises `Invalid` with the allowed ones.

    `routing` None takes the limits that the judge brings along; without `top-k` there must be none.
    """
    allowed = [arm.value for arm in Arm]
    for arm in arms:
        if arm not in allowed:
            raise Invalid(among("arm", arm, allowed))
    if not arms or len(set(arms)) != len(arms) or len(arms) > MAX_ARMS:
        raise Invalid(f"Name one to {MAX_ARMS} different arms, such as full,selected.")
    known_judges = [info.name for info in judges.offered()]
    if judge not in known_judges:
        raise Invalid(among("judge", judge, known_judges))
    seats.check(agent)
    if selector not in SELECTORS:
        raise Invalid(among("selector", selector, list(SELECTORS)))
    if routing is not None and selector != TOP_K:
        raise Invalid(f"Routing limits belong to the selector {TOP_K}; name it, or leave the limits out.")
    if gate not in GATES:
        raise Invalid(among("gate", gate, list(GATES)))
    if gate == "compare" and len(arms) != 1:
        raise Invalid("To compare the gate itself name one arm: it runs twice, without and with the gate.")
    if gate == "off" and rules is not None and rules.rules:
        raise Invalid(RULES_WITHOUT_GATE)
    if not 1 <= menu_size <= MAX_MENU:
        raise Invalid(f"The menu size is {menu_size}; it must be from 1 to {MAX_MENU}.")
    if not 0 <= seed <= MAX_SEED:
        raise Invalid(f"The seed is {seed}; it must be from 0 to {MAX_SEED}.")
    # Shadow and selected share one judgment; only the local judge is fed the members of a category for now.
    two_stage = selector == TWO_STAGE
    return Setup(
        tuple(arms),
        menu_size,
        judge,
        agent,
        profile.profile if isinstance(profile, Saved) else profile,
        selector=selector,
        routing=None if two_stage else routing or _routing(judge),
        ask_first=two_stage,
        member_lines=two_stage and judge == "local",
        seed=seed,
        pause_s=pause_s,
        model=model,
        passport=profile.passport if isinstance(profile, Saved) else None,
        gate=gate,
        rules=() if rules is None else tuple(rules.to_json()),
        attended=attended,
        local_model=local_model,
        **asdict(options or AgentOptions()),
        stable_menu=stable_menu,
        find_tool=find_tool,
    )


def still_known(setup: Setup) -> Setup:
    """The setup of a stored run where its judge and agent still exist here; raises `Invalid` with the allowed ones."""
    known_judges = [info.name for info in judges.offered()]
    if setup.judge not in known_judges:
        raise Invalid(among("judge", setup.judge, known_judges))
    seats.check(setup.agent)
    return setup


def profile_of(judge: str) -> Profile:
    """The profile that a judge brings along; a setup takes it unless told otherwise.

    An unknown name gets the defaults: `checked` is the one that refuses it, with the names that are allowed.
    """
    known = any(info.name == judge for info in judges.offered())
    return judges.profile(judge) if known else Profile()


def _routing(judge: str) -> RoutingPolicy:
    """The limits of `top-k` that a judge brings along; one behind HTTP has those of seed 002."""
    return RoutingPolicy() if judge in judges.ADAPTERS else registry.routing(judge)
