"""What a person may ask for on the start page; names are checked against what exists, not against a copy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import QueryDict

from arena.agents.providers import EFFORTS
from arena.models import Arm
from arena.runs import seats
from arena.runs.agent_models import HOTTEST, MODELLED, MOST_STEPS, MOST_TOKENS, AgentOrder
from arena.runs.setup import GATES, MAX_ARMS, MAX_SEED, RULES_WITHOUT_GATE, profile_of
from policy.engine import call_rules_text
from policy.engine.selectors import SELECTORS, TWO_STAGE
from policy.errors import Unknown
from policy.judges.registry import JudgeInfo
from policy.measurements import profiles
from policy.people.models import Purpose, User
from policy.services import judges

SIZES = (3, 8, 20, 60)
DEFAULT_ARMS = (Arm.FULL.value, Arm.SELECTED.value)
DEFAULT_CASE = "patch"
"""The case of the README and of the first comparison."""
ASKED = ("agent_model", "agent_effort", "agent_temperature", "max_steps", "max_tokens")
"""The fields about the model of an agent."""
FOLDED = frozenset(
    {"agent", "judge", "profile", "selector", "seed", "pause", "stable_menu", "find_tool", "gate", "rules", *ASKED}
)
"""The fields under "More settings"."""
# It says what a script wrote down, and only tests write scripts.
_NOT_FOR_PEOPLE = frozenset({"scripted"})
_TEMPERATURE = f"The temperature is a number from 0 to {HOTTEST:g}, such as 0.2."
_STEPS = f"The most steps are a whole number from 1 to {MOST_STEPS}."
_TOKENS = f"The most tokens are a whole number from 1 to {MOST_TOKENS:,}."
_SEED = f"The seed is a whole number from 0 to {MAX_SEED:,}."


@dataclass(frozen=True, slots=True)
class Order:
    """A comparison as it stands on the order slip."""

    case: str
    menu: int
    arms: tuple[str, ...]
    agent: str
    judge: str
    selector: str
    seed: int
    pause: bool
    stable_menu: bool = False
    find_tool: bool = False
    profile: str = ""
    """A saved profile as name@version; empty: the judge's own."""
    gate: str = "off"
    rules: str = ""
    """Rules over calls as text, one a line."""
    asked: AgentOrder = field(default_factory=AgentOrder)

    @property
    def modelled(self) -> bool:
        """Whether the agent takes a model of a provider."""
        return self.agent in MODELLED


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong field and the sentence that says so."""

    field: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The slip as it is shown: the order that makes sense, what was typed as it was typed, what is wrong."""

    order: Order
    seed: str
    faults: tuple[Fault, ...]
    typed: Mapping[str, str] = field(default_factory=dict)
    rules: str = ""

    @property
    def wrong(self) -> frozenset[str]:
        return frozenset(fault.field for fault in self.faults)

    @property
    def unfolded(self) -> bool:
        """Whether something under "More settings" is wrong, so that it has to be seen."""
        return bool(FOLDED & self.wrong)


def offered(by: User) -> list[JudgeInfo]:
    """The judges that this person can ask now, the one that is set for the arena first."""
    first = judges.chosen(Purpose.ARENA, by=by).judge
    ready = [info for info in judges.offered() if info.name not in _NOT_FOR_PEOPLE]
    asked = [info for info in ready if info.name == first or not judges.why_not(info.name, by=by)]
    return sorted(asked, key=lambda info: info.name != first)


def sizes(catalog_size: int) -> tuple[int, ...]:
    """The menu sizes to choose from; the last one is the whole catalog."""
    return (*(size for size in SIZES if size < catalog_size), catalog_size)


class OrderForm(forms.Form):
    """The order slip. `ordered` tells a slip without a tick from a page that was just opened."""

    case = forms.CharField(max_length=64, error_messages={"required": "Choose a case."})
    menu = forms.TypedChoiceField(coerce=int)
    arms = forms.MultipleChoiceField(
        choices=Arm.choices, error_messages={"required": "Tick at least one lane; without a lane there is no run."}
    )
    agent = forms.ChoiceField()
    judge = forms.ChoiceField()
    selector = forms.ChoiceField(required=False)
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        error_messages={
            "required": "Give a seed, such as 1.",
            **dict.fromkeys(("invalid", "min_value", "max_value"), _SEED),
        },
    )
    pause = forms.BooleanField(required=False)
    stable_menu = forms.BooleanField(required=False)
    find_tool = forms.BooleanField(required=False)
    profile = forms.CharField(required=False, max_length=140)
    agent_model = forms.CharField(required=False, max_length=200)
    agent_effort = forms.ChoiceField(required=False)
    agent_temperature = forms.FloatField(
        required=False,
        min_value=0,
        max_value=HOTTEST,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _TEMPERATURE),
    )
    max_steps = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_STEPS,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _STEPS),
    )
    max_tokens = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_TOKENS,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _TOKENS),
    )
    gate = forms.ChoiceField(required=False)
    rules = forms.CharField(required=False, strip=False)

    def __init__(self, data: QueryDict | Mapping[str, Any], *, catalog_size: int) -> None:
        super().__init__(data)
        self._offer("menu", "menu of", map(str, sizes(catalog_size)))
        self._offer("arms", "lane", Arm.values)
        self._offer("agent", "agent", seats.names())
        self._offer("agent_effort", "effort", EFFORTS)
        self._offer("judge", "judge", (info.name for info in judges.offered()))
        self._offer("selector", "selector", SELECTORS)
        self._offer("gate", "gate", GATES)

    def _offer(self, name: str, word: str, keys: Iterable[str]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        allowed = list(keys)
        field.choices = [(key, key) for key in allowed]
        field.error_messages["invalid_choice"] = f"There is no {word} “%(value)s”. Choose one of: {', '.join(allowed)}."

    def clean_arms(self) -> list[str]:
        """At most as many lanes as can stand side by side."""
        ticked: list[str] = self.cleaned_data["arms"]
        if len(ticked) > MAX_ARMS:
            many = f"{len(ticked)} lanes are ticked; at most {MAX_ARMS} run in one comparison. Take some out."
            raise forms.ValidationError(many)
        return ticked

    def clean_rules(self) -> str:
        """As they were typed; what cannot be read is said with line, field and mend."""
        given: str = self.cleaned_data["rules"].replace("\r\n", "\n").strip("\n")
        try:
            call_rules_text.parse(given)
        except call_rules_text.InvalidRules as wrong:
            raise forms.ValidationError(str(wrong)) from wrong
        return given

    def clean(self) -> dict[str, Any]:
        """One arm is enough to compare the gate itself, and two are too many; rules without a gate hold nowhere."""
        cleaned = super().clean() or {}
        if (cleaned.get("gate") or "off") == "off" and call_rules_text.parse(cleaned.get("rules", "")).rules:
            self.add_error("gate", RULES_WITHOUT_GATE)
        if cleaned.get("gate") == "compare" and len(cleaned.get("arms", [])) != 1:
            self.add_error("gate", "To compare the gate itself tick one lane: it runs without and with the gate.")
        return cleaned

    def clean_profile(self) -> str:
        """Its whole reference: a name alone is the newest version now, and stays that one."""
        given: str = self.cleaned_data["profile"]
        try:
            return str(profiles.find(given)) if given else ""
        except Unknown as refusal:
            raise forms.ValidationError(refusal.message) from refusal

    def order(self) -> Order:
        """The order of a valid form."""
        given = self.cleaned_data
        arms = tuple(arm for arm in Arm.values if arm in given["arms"])
        return Order(
            case=given["case"],
            menu=given["menu"],
            arms=arms,
            agent=given["agent"],
            judge=given["judge"],
            selector=given["selector"] or TWO_STAGE,
            seed=given["seed"],
            pause=given["pause"],
            stable_menu=given["stable_menu"],
            find_tool=given["find_tool"],
            profile=given["profile"],
            asked=self._asked(),
            gate=given["gate"] or "off",
            rules=given["rules"],
        )

    def _asked(self) -> AgentOrder:
        """What is asked of the agent's model; nothing of an agent that has none."""
        given = self.cleaned_data
        if given.get("agent") not in MODELLED:
            return AgentOrder()
        return AgentOrder(
            model=given.get("agent_model") or "",
            effort=given.get("agent_effort") or "",
            temperature=given.get("agent_temperature"),
            max_steps=given.get("max_steps"),
            max_tokens=given.get("max_tokens"),
        )

    def faults(self) -> tuple[Fault, ...]:
        """What is wrong with the slip, one sentence per field and error."""
        return tuple(Fault(name, f"{text}") for name, errors in self.errors.items() for text in errors)


def shown(data: QueryDict, *, first_case: str, catalog_size: int, by: User) -> Shown:
    """The slip to show for an address: what it says where that makes sense, the defaults elsewhere."""
    judge = judges.chosen(Purpose.ARENA, by=by).judge
    filled = _filled(data, first_case, catalog_size, judge)
    form = OrderForm(filled, catalog_size=catalog_size)
    seed = str(filled["seed"])[:40]
    typed = {name: str(filled.get(name, ""))[:200] for name in ASKED}
    if form.is_valid():
        return Shown(form.order(), seed, (), typed, form.order().rules)
    good = form.cleaned_data
    order = Order(
        case=good.get("case", first_case),
        menu=good.get("menu", catalog_size),
        arms=tuple(arm for arm in Arm.values if arm in good.get("arms", () if "ordered" in data else DEFAULT_ARMS)),
        agent=good.get("agent", seats.names()[0]),
        judge=good.get("judge", judge),
        selector=good.get("selector") or TWO_STAGE,
        seed=good.get("seed", 1),
        pause=good.get("pause", True),
        stable_menu=good.get("stable_menu", False),
        find_tool=good.get("find_tool", False),
        profile=good.get("profile", ""),
        gate=good.get("gate") or "off",
        rules=good.get("rules", ""),
    )
    rules = str(filled.get("rules", ""))[: call_rules_text.MAX_TEXT_CHARS]
    return Shown(order, seed, form.faults(), typed, rules)


def _filled(data: QueryDict, first_case: str, catalog_size: int, judge: str) -> QueryDict:
    filled = data.copy()
    whole, asked = data.get("of", ""), data.get("menu", "")
    # Another case may have another catalog: the whole one stays the whole one, and no menu is larger than it.
    if whole.isdecimal() and asked.isdecimal() and (asked == whole or len(asked) > 6 or int(asked) > catalog_size):
        filled["menu"] = str(catalog_size)
    if "ordered" not in data:
        filled["pause"] = "on"
        if "arms" not in data:
            filled.setlist("arms", list(DEFAULT_ARMS))
    defaults = {"case": first_case, "menu": catalog_size, "agent": seats.names()[0], "seed": 1}
    for name, value in {**defaults, "judge": judge}.items():
        filled.setdefault(name, str(value))
    return filled


def profile_name(judge: str) -> str:
    """The profile that a run with this judge takes: name and version."""
    profile = profile_of(judge)
    return f"{profile.name} {profile.version}"
