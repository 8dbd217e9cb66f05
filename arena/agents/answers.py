"""The closing words of the agent without a language model, in the language of the task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.agents import facts
from arena.agents.arguments import Ambiguity
from arena.agents.facts import Focus
from arena.agents.memory import Step
from arena.catalogs.tool import Tool

MAX_CHARS = 4_000
MAX_NAMED = 8

_ENGLISH = {
    "found": "Found with {tool}{source}: {facts}.",
    "done": "Done with {tool}{source}: {facts}.",
    "no_fit": "None of these tools fits: {clause}",
    "forbidden": "A restriction rules out what this would need: {clause}",
    "refused": "I could not finish this: {clause}. {error}",
    "missing": "Which {argument} should I use for {tool}?",
    "which": "Several records fit. Which one do you mean: {options}?",
    "vague": "What exactly should I do, and with which item? “{clause}” leaves that open.",
    "limit": "I stopped at the limit of {steps} steps.",
    "stopped": "Stopped on request.",
    "or": " or ",
}
_GERMAN = {
    "found": "Gefunden mit {tool}{source}: {facts}.",
    "done": "Erledigt mit {tool}{source}: {facts}.",
    "no_fit": "Keines dieser Werkzeuge passt: {clause}",
    "forbidden": "Eine Einschränkung schließt aus, was hierfür nötig wäre: {clause}",
    "refused": "Das konnte ich nicht abschließen: {clause}. {error}",
    "missing": "Welche Angabe soll ich für „{argument}“ ({tool}) verwenden?",
    "which": "Mehrere Einträge passen. Welcher ist gemeint: {options}?",
    "vague": "Was genau soll ich tun, und womit? „{clause}“ lässt das offen.",
    "limit": "Ich habe nach {steps} Schritten aufgehört.",
    "stopped": "Auf Wunsch angehalten.",
    "or": " oder ",
}


class Phrases:
    """The sentences of one language."""

    def __init__(self, *, german: bool) -> None:
        self._texts = _GERMAN if german else _ENGLISH
        self._german = german

    def results(self, task: str, steps: Iterable[Step]) -> list[str]:
        """One sentence per result: what was found or done, and where."""
        focus = Focus.of(task, german=self._german)
        return [self._result(step, focus) for step in steps]

    def missing(self, tool: Tool, arguments: Sequence[str]) -> str:
        names = self._texts["or"].join(name.replace("_", " ") for name in arguments)
        return self._texts["missing"].format(argument=names, tool=_spoken(tool))

    def which(self, ambiguity: Ambiguity) -> str:
        options = "; ".join(record.name() for record in ambiguity.records[:MAX_NAMED])
        return self._texts["which"].format(options=options)

    def about(self, kind: str, clause: str) -> str:
        """`no_fit`, `forbidden` or `vague`, about one clause."""
        return self._texts[kind].format(clause=clause)

    def refused(self, clause: str, error: str) -> str:
        return self._texts["refused"].format(clause=clause, error=error)

    def limit(self, steps: int) -> str:
        return self._texts["limit"].format(steps=steps)

    @property
    def stopped(self) -> str:
        return self._texts["stopped"]

    def _result(self, step: Step, focus: Focus) -> str:
        source = ", ".join(
            str(value) for value in step.arguments.values() if isinstance(value, str) and len(value) <= 80
        )
        kind = "found" if step.tool.effect == "observe" else "done"
        said = "; ".join(facts.statements(step.content, focus)) or "-"
        return self._texts[kind].format(tool=_spoken(step.tool), source=f" ({source})" if source else "", facts=said)


def joined(sentences: Iterable[str]) -> str:
    """The sentences as one text, cut at `MAX_CHARS`."""
    return "\n".join(sentences)[:MAX_CHARS]


def _spoken(tool: Tool) -> str:
    return tool.id.replace("_", " ")
