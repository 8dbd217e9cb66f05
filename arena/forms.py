"""What a person may ask for on the start page; names are checked against what exists, not against a copy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from arena.agents import registry as agents
from arena.models import Arm
from arena.runs.setup import profile_of
from policy.judges import registry as judges

SIZES = (3, 8, 20)
DEFAULT_ARMS = (Arm.FULL.value, Arm.SELECTED.value)
MAX_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Order:
    """A comparison as it stands on the order slip."""

    case: str
    menu: int
    arms: tuple[str, ...]
    agent: str
    judge: str
    seed: int
    pause: bool


def sizes(catalog_size: int) -> tuple[int, ...]:
    """The menu sizes to choose from; the last one is the whole catalog."""
    return (*(size for size in SIZES if size < catalog_size), catalog_size)


class OrderForm(forms.Form):
    """The order slip. `ordered` tells a slip without a tick from a page that was just opened."""

    case = forms.CharField(max_length=64)
    menu = forms.TypedChoiceField(coerce=int, error_messages={"invalid_choice": "Choose one of the menu sizes."})
    arms = forms.MultipleChoiceField(
        choices=Arm.choices, error_messages={"required": "Tick at least one lane; without a lane there is no run."}
    )
    agent = forms.ChoiceField()
    judge = forms.ChoiceField()
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        error_messages={"invalid": "The seed is a whole number.", "required": "Give a seed, such as 1."},
    )
    pause = forms.BooleanField(required=False)

    def __init__(self, data: QueryDict | Mapping[str, Any], *, catalog_size: int) -> None:
        super().__init__(data)
        menu, agent, judge = (self.fields[name] for name in ("menu", "agent", "judge"))
        assert isinstance(menu, forms.ChoiceField)
        assert isinstance(agent, forms.ChoiceField)
        assert isinstance(judge, forms.ChoiceField)
        menu.choices = [(size, str(size)) for size in sizes(catalog_size)]
        agent.choices = [(name, name) for name in agents.names()]
        judge.choices = [(info.name, info.label) for info in judges.available()]

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
            seed=given["seed"],
            pause=given["pause"],
        )

    def sentences(self) -> list[str]:
        """What is wrong with the slip, one sentence per field."""
        return [f"{text}" for errors in self.errors.values() for text in errors]


def shown(data: QueryDict, *, first_case: str, catalog_size: int) -> Order:
    """The slip to show for an address: what it says where that makes sense, the defaults elsewhere."""
    form = OrderForm(_filled(data, first_case, catalog_size), catalog_size=catalog_size)
    if form.is_valid():
        return form.order()
    good = form.cleaned_data
    ticked = () if "ordered" in data else DEFAULT_ARMS
    return Order(
        case=good.get("case", first_case),
        menu=good.get("menu", catalog_size),
        arms=tuple(arm for arm in Arm.values if arm in good.get("arms", ticked)),
        agent=good.get("agent", agents.names()[0]),
        judge=good.get("judge", judges.available()[0].name),
        seed=good.get("seed", 1),
        pause=good.get("pause", True),
    )


def _filled(data: QueryDict, first_case: str, catalog_size: int) -> QueryDict:
    filled = data.copy()
    if "ordered" not in data:
        filled["pause"] = "on"
        if "arms" not in data:
            filled.setlist("arms", list(DEFAULT_ARMS))
    defaults = {"case": first_case, "menu": catalog_size, "agent": agents.names()[0], "seed": 1}
    for name, value in {**defaults, "judge": judges.available()[0].name}.items():
        filled.setdefault(name, str(value))
    return filled


def profile_name(judge: str) -> str:
    """The profile that a run with this judge takes: name and version."""
    profile = profile_of(judge)
    return f"{profile.name} {profile.version}"
