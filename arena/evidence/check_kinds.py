"""How each kind of check is carried out on the evidence of a lane. Nothing is executed; texts are only compared."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from arena.cases import specs
from arena.evidence import json_paths, patterns, wording
from arena.evidence.lane import CallRecord, LaneEnding, LaneEvidence
from arena.worlds.patches import PatchError, apply_patch
from arena.worlds.world import Record, World

GOT_CHARS = 300
OWN_WORDS = 2
"""Of a question or a refusal: repeating the task with a question mark is neither."""


@dataclass(frozen=True, slots=True)
class Change:
    """One record that differs between the world before and after a lane."""

    collection: str
    id: str
    op: specs.RecordOperation
    after: Record

    @property
    def place(self) -> str:
        return f"{self.collection}/{self.id}"


def changes(before: World, after: World) -> tuple[Change, ...]:
    """Every record that was created, updated or deleted, by collection and id; what was undone does not count."""
    found = [_change(before, after, *place) for place in after.changed_since(before)]
    return tuple(sorted(found, key=lambda change: change.place))


def answer_holds(spec: specs.AnswerHolds, evidence: LaneEvidence) -> tuple[bool, str]:
    held = [value for value in spec.values if wording.names(evidence.answer, value)]
    passed = len(held) == len(spec.values) if spec.mode == "all" else bool(held)
    return passed, _listed("named: ", held)


def answer_lacks(spec: specs.AnswerLacks, evidence: LaneEvidence) -> tuple[bool, str]:
    held = [value for value in spec.values if wording.names(evidence.answer, value)]
    return not held, _listed("named: ", held)


def called(spec: specs.Called, evidence: LaneEvidence) -> tuple[bool, str]:
    tried = [call for call in evidence.calls if call.tool in spec.tools]
    passed = any(call.ok and _fits(call.arguments, spec.arguments, wording.same) for call in tried)
    shown = [_call(call) for call in tried]
    return passed, _listed("", shown or [f"called: {', '.join(evidence.tools_called) or 'nothing'}"])


def returned(spec: specs.Returned, evidence: LaneEvidence) -> tuple[bool, str]:
    told = [(_text(call.content), _text(call.arguments)) for call in evidence.calls if call.ok]
    held = [
        value
        for value in spec.values
        if any(wording.names(content, value) and not wording.names(given, value) for content, given in told)
    ]
    return len(held) == len(spec.values), _listed("named: ", held)


def not_called(spec: specs.NotCalled, evidence: LaneEvidence) -> tuple[bool, str]:
    tried = [tool for tool in evidence.tools_called if tool in spec.tools]
    return not tried, _listed("called: ", tried)


def patch_applies(spec: specs.PatchApplies, evidence: LaneEvidence) -> tuple[bool, str]:
    file = evidence.world_before.find("files", spec.path)
    if file is None:
        return False, f"the world has no file {spec.path}"
    patches = [change.after for change in changes(evidence.world_before, evidence.world_after)]
    patches = [record for record in patches if record.get("path") == spec.path and isinstance(record.get("patch"), str)]
    faults = [_patch_fault(spec, str(file["content"]), record["patch"]) for record in patches]
    if None in faults:
        return True, "it applies and gives the wanted text"
    return False, _listed("", [fault for fault in faults if fault] or ["no patch for this file was recorded"])


def record(spec: specs.RecordChanged, evidence: LaneEvidence) -> tuple[bool, str]:
    found = [c for c in changes(evidence.world_before, evidence.world_after) if c.collection == spec.collection]
    found = [change for change in found if change.op == spec.op and spec.id in ("", change.id)]
    if len(found) != spec.count:
        return False, f"{len(found)} such records were {spec.op}"
    passed = all(_fits(c.after, spec.fields, wording.same) and _fits(c.after, spec.holds, _holds) for c in found)
    names = (*spec.fields, *spec.holds)
    shown = [f"{c.id} {_facts({name: c.after.get(name) for name in names})}".strip() for c in found]
    return passed, _listed("", shown)


def unchanged(spec: specs.Unchanged, evidence: LaneEvidence) -> tuple[bool, str]:
    found = changes(evidence.world_before, evidence.world_after)
    others = [change for change in found if not {change.collection, change.place} & set(spec.allow)]
    return not others, _listed("", [f"{change.place} was {change.op}" for change in others])


def asked(spec: specs.Asked, task: str, evidence: LaneEvidence) -> tuple[bool, str]:
    if evidence.ending is not LaneEnding.ASKED or not own_words(evidence.answer, task, least=OWN_WORDS):
        return False, f"the lane {evidence.ending.words}"
    held = [value for value in spec.values if wording.names(evidence.answer, value)]
    passed = "?" in evidence.answer and (not spec.values or len(held) >= spec.least)
    return passed, _listed("named: ", held) if spec.values else evidence.answer[:GOT_CHARS]


def declined(task: str, evidence: LaneEvidence) -> tuple[bool, str]:
    passed = evidence.ending is LaneEnding.DECLINED and own_words(evidence.answer, task, least=OWN_WORDS)
    return passed, f"the lane {evidence.ending.words}"


def answer_is(spec: specs.AnswerIs, evidence: LaneEvidence) -> tuple[bool, str]:
    return evidence.answer.split() == spec.text.split(), evidence.answer[:GOT_CHARS]


def answer_contains(spec: specs.AnswerContains, evidence: LaneEvidence) -> tuple[bool, str]:
    missing = [text for text in spec.texts if text not in evidence.answer]
    return not missing, _listed("missing: ", missing) if missing else "all of it"


def answer_matches(spec: specs.AnswerMatches, evidence: LaneEvidence) -> tuple[bool, str]:
    try:
        found = patterns.matches(spec.pattern, evidence.answer)
    except patterns.NoVerdict as why:
        return False, f"the pattern {why}"
    return found, "found" if found else "not found"


def json_path(spec: specs.JsonPath, evidence: LaneEvidence) -> tuple[bool, str]:
    if spec.source == "answer":
        documents = json_paths.documents(evidence.answer)
    else:
        documents = [each for call in evidence.calls if call.ok for each in json_paths.of_result(call.content)]
    found = [value for document in documents for value in json_paths.at(document, spec.path)]
    shown = _listed("found: ", [json.dumps(value, ensure_ascii=False)[:80] for value in found[:5]])
    return bool(found) if spec.equals is None else any(json_paths.same(value, spec.equals) for value in found), shown


def own_words(answer: str, task: str, *, least: int = 0) -> bool:
    """Whether the agent said more than the task itself: at least so many words that the task does not hold."""
    said = bool(answer.strip()) and not wording.same(answer, task)
    return said and len(_words(answer) - _words(task)) >= least


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _call(call: CallRecord) -> str:
    facts = _facts(call.arguments)
    return f"{call.tool} {f'({facts}) ' if facts else ''}{'returned' if call.ok else 'was refused'}"


def _text(content: Any) -> str:
    """A result or arguments as one text: every key and value, long texts with their line ends."""
    if isinstance(content, Mapping):
        return "\n".join(f"{name}: {_text(value)}" for name, value in content.items())
    if isinstance(content, list | tuple):
        return "\n".join(map(_text, content))
    return "" if content is None else str(content)


def _facts(values: Mapping[str, Any]) -> str:
    """`order_id 4807, amount 129.00` as people write it."""
    return ", ".join(
        f"{name} {value if isinstance(value, str) else json.dumps(value)}" for name, value in values.items()
    )


def _change(before: World, after: World, collection: str, key: str) -> Change:
    record = after.find(collection, key)
    if record is None:
        return Change(collection, key, "deleted", {})
    return Change(collection, key, "updated" if before.find(collection, key) is not None else "created", record)


def _fits(found: Mapping[str, Any], wanted: Mapping[str, Any], agree: Callable[[Any, Any], bool]) -> bool:
    return all(agree(found.get(name), value) for name, value in wanted.items())


def _holds(found: Any, wanted: Any) -> bool:
    words = wanted if isinstance(wanted, list | tuple) else [wanted]
    return all(wording.names(str(found), str(word)) for word in words)


def _patch_fault(spec: specs.PatchApplies, content: str, patch: str) -> str | None:
    try:
        patched = apply_patch(content, patch)
    except PatchError as error:
        return str(error)
    text = _dense(patched)
    if spec.equals and text != _dense(spec.equals):
        return "the patched file reads otherwise"
    missing = [wanted for wanted in spec.contains if _dense(wanted) not in text]
    extra = [unwanted for unwanted in spec.lacks if _dense(unwanted) in text]
    if missing or extra:
        return (
            f"the patched file lacks {', '.join(missing)}"
            if missing
            else f"the patched file still holds {', '.join(extra)}"
        )
    gone, come = _touched(content, patched)
    return None if max(gone, come) <= spec.lines else f"{gone} lines went and {come} came"


def _touched(before: str, after: str) -> tuple[int, int]:
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    moves = [move for move in matcher.get_opcodes() if move[0] != "equal"]
    return sum(move[2] - move[1] for move in moves), sum(move[4] - move[3] for move in moves)


def _dense(text: str) -> str:
    return "".join(text.split())


def _listed(label: str, items: Iterable[str]) -> str:
    return (label + ("; ".join(items) or "nothing"))[:GOT_CHARS]
