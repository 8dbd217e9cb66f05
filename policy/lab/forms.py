"""The request as it stands in the lab: every field with its limits, every refusal beside its field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from django import forms
from django.http import QueryDict

from policy.calibration.passport import Saved
from policy.engine import model_routing, skill_routing
from policy.engine.judge import Judge
from policy.engine.mode import Mode
from policy.engine.profile import InvalidConfig, Profile
from policy.judges.scripted import Script, ScriptedJudge
from policy.lab import texts
from policy.measurements import profiles
from policy.services import judges

MAX_CHARS = 200_000
SCRIPTED = "scripted"
OWN, DEFAULT = "judge", "default"

Read = TypeVar("Read")


def _text(*, required: str = "", max_length: int = MAX_CHARS) -> forms.CharField:
    """A text that keeps what was typed; `required` is what to say when it is missing."""
    return forms.CharField(
        required=bool(required), strip=False, max_length=max_length, error_messages={"required": required}
    )


def _choice(word: str, keys: list[str]) -> forms.ChoiceField:
    sentence = f"There is no {word} “%(value)s”. Choose one of: {', '.join(keys)}."
    return forms.ChoiceField(choices=[(key, key) for key in keys], error_messages={"invalid_choice": sentence})


class LabForm(forms.Form):
    """What every function asks for; a function adds its own fields. `DEFAULTS` fills what an address leaves out."""

    DEFAULTS: ClassVar[Mapping[str, str]] = {"judge": "local", "profile": OWN, "mode": Mode.ENFORCE.value}
    TICKS: ClassVar[tuple[str, ...]] = ()

    task = _text(required="Say what the task is.")
    step = _text()
    mode = _choice("mode", [mode.value for mode in Mode])
    profile = _choice("profile", [OWN, DEFAULT])
    script = _text()

    def __init__(self, data: QueryDict | Mapping[str, Any]) -> None:
        super().__init__({**self.DEFAULTS, **_plain(data)})
        self.fields["judge"] = _choice("judge", [info.name for info in judges.offered()])
        self.fields["profile"] = _choice("profile", [OWN, DEFAULT, *profiles.references()])

    @property
    def shown(self) -> dict[str, str]:
        """Every field as it was typed, for the page and for links."""
        return {name: str(self.data.get(name, "")) for name in self.fields}

    def clean_script(self) -> dict[str, Any]:
        return self._read("script", texts.parsed_object)

    def chosen_judge(self) -> str | Judge:
        """The judge of a valid form: a name, or the scripted one with the script that was typed."""
        name: str = self.cleaned_data["judge"]
        return ScriptedJudge(Script(self.cleaned_data["script"])) if name == SCRIPTED else name

    def chosen_profile(self) -> Profile:
        """The profile of a valid form."""
        if (saved := self.chosen_saved()) is not None:
            return saved.profile
        own = self.cleaned_data["profile"] == OWN
        return judges.profile(self.cleaned_data["judge"]) if own else Profile()

    def chosen_saved(self) -> Saved | None:
        """The saved profile of a valid form, with its passport; None for the judge's own and the defaults."""
        name: str = self.cleaned_data["profile"]
        return None if name in (OWN, DEFAULT) else profiles.saved(name)

    def state(self) -> dict[str, Any]:
        """Task and step of a valid form, as the engine takes them."""
        return {"task": self.cleaned_data["task"], "step": self.cleaned_data["step"] or None}

    def inputs(self) -> dict[str, Any]:
        """Everything that the engine takes besides profile and mode."""
        raise NotImplementedError

    def _read(self, name: str, reader: Callable[[str], Read]) -> Read:
        try:
            return reader(self.cleaned_data[name])
        except (texts.Unreadable, InvalidConfig) as fault:
            raise forms.ValidationError(f"{fault}") from fault


class CallForm(LabForm):
    """A tool call to assess."""

    TICKS = ("include_risk",)

    tool = _text(required="Name the tool that is called.", max_length=400)
    arguments = _text()
    schema = _text()
    restrictions = _text()
    include_risk = forms.BooleanField(required=False)

    def clean_arguments(self) -> dict[str, Any]:
        return self._read("arguments", texts.parsed_object)

    def clean_schema(self) -> dict[str, Any]:
        return self._read("schema", texts.parsed_object)

    def clean_restrictions(self) -> list[str]:
        return self._read("restrictions", texts.lines)

    def inputs(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {
            **self.state(),
            "tool": given["tool"].strip(),
            "arguments": given["arguments"],
            "restrictions": tuple(given["restrictions"]),
            "schema": given["schema"] or None,
            "include_risk": given["include_risk"],
        }


class SelectForm(LabForm):
    """A menu of tools to select from."""

    TICKS = ("ask_first", "member_lines")

    tools = _text(required="List the tools, one a line: “category / tool: description”.")
    categories = _text()
    restricted = _text()
    always = _text()
    max_selected = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=1000,
        error_messages={"invalid": "The cap is a whole number, or empty for that of the profile."},
    )
    ask_first = forms.BooleanField(required=False)
    member_lines = forms.BooleanField(required=False)

    def clean_tools(self) -> str:
        self._read("tools", texts.read_tools)
        return str(self.cleaned_data["tools"])

    def clean_categories(self) -> list[Any]:
        return self._read("categories", texts.read_categories)

    def clean_restricted(self) -> list[str]:
        return self._read("restricted", texts.lines)

    def clean_always(self) -> list[str]:
        return self._read("always", texts.lines)

    def inputs(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {
            **self.state(),
            "candidates": tuple(texts.read_tools(given["tools"], restricted=given["restricted"])),
            "categories": tuple(given["categories"]),
            "always_allow": tuple(given["always"]),
            "max_selected": given["max_selected"],
            "ask_first": given["ask_first"],
            "member_lines": given["member_lines"],
        }


class ModelForm(LabForm):
    """The models that a task may be routed to."""

    routes = _text(required="Give a route a line: “fast = provider/model: what it is good for”.")
    default_target = _text(required="Name the model in force: “provider/model”.", max_length=400)
    available = _text()

    def clean_routes(self) -> dict[str, model_routing.Route | None]:
        return self._read("routes", texts.read_routes)

    def clean_default_target(self) -> model_routing.Target:
        return self._read("default_target", texts.read_target)

    def clean_available(self) -> list[model_routing.Target]:
        return self._read("available", lambda text: [texts.read_target(line) for line in texts.lines(text)])

    def inputs(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {
            **self.state(),
            "routes": given["routes"],
            "default_target": given["default_target"],
            "available": tuple(given["available"]),
        }


class SkillForm(LabForm):
    """The skills that a turn may need."""

    skills = _text(required="List the skills, one a line: “name: description | when to use it”.")

    def clean_skills(self) -> list[skill_routing.Skill]:
        return self._read("skills", texts.read_skills)

    def inputs(self) -> dict[str, Any]:
        return {**self.state(), "candidates": tuple(self.cleaned_data["skills"])}


def _plain(data: QueryDict | Mapping[str, Any]) -> dict[str, str]:
    """The last value of every field; browsers end lines with CR LF, addresses and examples with LF."""
    return {name: str(value).replace("\r\n", "\n") for name, value in data.items()}
