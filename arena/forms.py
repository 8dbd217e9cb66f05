"""What a person may ask for on the start page; names are checked against what exists, not against a copy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from arena.agents import registry as agents
from arena.models import Arm
from arena.runs.setup import MAX_ARMS, MAX_SEED, profile_of
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
FOLDED = frozenset({"agent", "judge", "profile", "selector", "seed", "pause"})
"""The fields under "More settings"."""
# It says what a script wrote down, and only tests write scripts.
_NOT_FOR_PEOPLE = frozenset({"scripted"})
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
    profile: str = ""
    """A saved profile as name@version; empty: the judge's own."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong field and the sentence that says so."""

    field: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The slip as it is shown: the order that makes sense, the seed as it was typed, what is wrong."""

    order: Order
    seed: str
    faults: tuple[Fault, ...]

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
    profile = forms.CharField(required=False, max_length=140)

    def __init__(self, data: QueryDict | Mapping[str, Any], *, catalog_size: int) -> None:
        super().__init__(data)
        self._offer("menu", "menu of", map(str, sizes(catalog_size)))
        self._offer("arms", "lane", Arm.values)
        self._offer("agent", "agent", agents.names())
        self._offer("judge", "judge", (info.name for info in judges.offered()))
        self._offer("selector", "selector", SELECTORS)

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
            profile=given["profile"],
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
    if form.is_valid():
        return Shown(form.order(), seed, ())
    good = form.cleaned_data
    order = Order(
        case=good.get("case", first_case),
        menu=good.get("menu", catalog_size),
        arms=tuple(arm for arm in Arm.values if arm in good.get("arms", () if "ordered" in data else DEFAULT_ARMS)),
        agent=good.get("agent", agents.names()[0]),
        judge=good.get("judge", judge),
        selector=good.get("selector") or TWO_STAGE,
        seed=good.get("seed", 1),
        pause=good.get("pause", True),
        profile=good.get("profile", ""),
    )
    return Shown(order, seed, form.faults())


def _filled(data: QueryDict, first_case: str, catalog_size: int, judge: str) -> QueryDict:
    filled = data.copy()
    if "ordered" not in data:
        filled["pause"] = "on"
        if "arms" not in data:
            filled.setlist("arms", list(DEFAULT_ARMS))
    defaults = {"case": first_case, "menu": catalog_size, "agent": agents.names()[0], "seed": 1}
    for name, value in {**defaults, "judge": judge}.items():
        filled.setdefault(name, str(value))
    return filled


def profile_name(judge: str) -> str:
    """The profile that a run with this judge takes: name and version."""
    profile = profile_of(judge)
    return f"{profile.name} {profile.version}"
