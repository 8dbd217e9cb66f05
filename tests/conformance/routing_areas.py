"""How routing is run for the areas catalog, route, choice_wire, context, prepare, bundle and routing_metrics."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from policy.engine.routing import (
    BundleRule,
    Fault,
    RoutingPolicy,
    RoutingReceipt,
    RoutingRefused,
    RoutingRequest,
    RoutingRule,
    Source,
    adapter,
    assemble_context,
    assemble_tool_bundle,
    create_catalog,
    metrics,
    prepare_tool_context,
    route_tools,
)
from policy.engine.routing.evidence import read_reply
from policy.engine.routing.questions import JEV_MODEL, QUESTION_ID, Option, request_for
from policy.engine.selection import Outcome
from tests.conformance.cases import Runner

Input = Mapping[str, Any]
FALLBACK_RULES = {
    Outcome.SELECTED: RoutingRule.SELECTED,
    Outcome.NEEDS_CLARIFICATION: RoutingRule.CLARIFY,
    Outcome.NO_MATCH: RoutingRule.NO_CANDIDATE,
    Outcome.UNAVAILABLE: RoutingRule.BAD_EVIDENCE,
}


@dataclass
class Router:
    """A host's router that replies or raises as a line says; `aborted` is when its caller cancels."""

    given: Input
    aborted: str | None = None
    calls: int = 0
    looks: int = 0
    cancels: bool = field(default=False)

    def review(self, request: RoutingRequest) -> object:
        self.calls += 1
        self.cancels = self.aborted == "during"
        if "error" in self.given:
            raise RuntimeError(self.given["error"])
        return self.given.get("reply")

    def cancelled(self) -> bool:
        """Looked at before the call, after a reply, and once more at the hand-over."""
        self.looks += 1
        inside = 2 if self.calls and "error" not in self.given else 1
        late = self.aborted == "after_routing" and self.looks > inside
        return self.aborted == "before" or self.cancels or late


class Body:
    """A wire body; equal to a text with the same bytes around instructions that are ours to word."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and _unworded(self.text) == _unworded(other)

    def __repr__(self) -> str:
        return repr(self.text)


def catalog(given: Input) -> dict[str, Any]:
    try:
        made = create_catalog(given["definitions"])
    except RoutingRefused as refused:
        return _refused(refused.fault)
    return {"ok": True, "ids": [tool.id for tool in made]}


def route(given: Input) -> dict[str, Any]:
    router = Router(given["router"], given.get("aborted"))
    try:
        steps = route_tools(**_inputs(given, router), source=given["source"])
    except RoutingRefused as refused:
        return {**_refused(refused.fault), "router_calls": router.calls}
    receipt = adapter.run(steps, router)
    told = receipt.to_json()
    return {
        "outcome": told["outcome"],
        "selectedIds": told["selectedIds"],
        "reason_code": f"R_{receipt.rule.name}",
        "evidence_kept": told["evidence"] is not None,
        "router_calls": router.calls,
        "option_ids": [option["id"] for option in told["request"]["options"]],
        "applied": told["execution"]["applied"],
        "questionSetVersion": told["request"]["questionSetVersion"],
    }


def choice_wire(given: Input) -> dict[str, Any]:
    if "response" in given:
        reply = read_reply(given["response"])
        return {
            "evidence": reply.evidence,
            "inputTokens": reply.input_tokens,
            "outputTokens": reply.output_tokens,
        }
    asked = given["request"]
    request = RoutingRequest(
        model=asked["model"],
        question_set_version=asked["questionSetVersion"],
        intent=asked["intent"],
        untrusted_data_note=asked["untrustedDataNote"],
        options=tuple(Option(**option) for option in asked["options"]),
    )
    try:
        return {"body": Body(request.body())}
    except RoutingRefused as refused:
        return _refused(refused.fault)


def context(given: Input) -> dict[str, Any]:
    try:
        made = assemble_context(_receipt(given), given["mode"], previous=given["previous"]).to_json()
    except RoutingRefused as refused:
        return _refused(refused.fault)
    return {
        "mode": made["mode"],
        "tools": made["tools"],
        "loadedIds": made["state"]["loadedIds"],
        **{name: made[name] for name in ("addedIds", "evictedIds", "serialized")},
    }


def prepare(given: Input) -> dict[str, Any]:
    router = Router(given["router"], given.get("aborted"))
    try:
        steps = prepare_tool_context(
            **_inputs(given, router), source="mock", mode=given["mode"], previous=given["previous"]
        )
    except RoutingRefused as refused:
        return {**_refused(refused.fault), "router_calls": router.calls}
    prepared = adapter.run(steps, router)
    told: dict[str, Any] = {
        "outcome": prepared.receipt.outcome.value,
        "router_calls": router.calls,
        "mode": prepared.mode.value,
    }
    for name, made in (("active", prepared.context), ("full", prepared.full), ("lean", prepared.lean)):
        told |= {
            f"{name}_loadedIds": list(made.loaded_ids),
            f"{name}_addedIds": list(made.added_ids),
            f"{name}_evictedIds": list(made.evicted_ids),
        }
    return told


def bundle(given: Input) -> dict[str, Any]:
    try:
        made = assemble_tool_bundle(
            _receipt(given), given["dependencies"], previous=given["previous"], cancelled=given["aborted"]
        )
    except RoutingRefused as refused:
        return _refused(refused.fault)
    told = made.to_json()
    del told["rule"]
    return {
        **told,
        "addedIds": list(made.context.added_ids),
        "evictedIds": list(made.context.evicted_ids),
        "reason": f"B_{BundleRule(made.rule).name}",
    }


def routing_metrics(given: Input) -> dict[str, Any]:
    router = Router(given["router"])
    receipt = adapter.run(route_tools(**_inputs(given, router), source="mock"), router)
    labels = metrics.Labels(frozenset(given["acceptableIds"]), given["expectedOutcome"])
    return metrics.compare(receipt, labels).to_json()


RUNNERS: dict[str, Runner] = {
    "catalog": catalog,
    "route": route,
    "choice_wire": choice_wire,
    "context": context,
    "prepare": prepare,
    "bundle": bundle,
    "routing_metrics": routing_metrics,
}


def _inputs(given: Input, router: Router) -> dict[str, Any]:
    return {
        "catalog": create_catalog(given["catalog"]),
        "policy": RoutingPolicy.from_json(given["policy"]),
        "intent": given["input"]["intent"],
        "available_ids": given["input"]["availableIds"],
        "cancelled": router.cancelled,
    }


def _receipt(given: Input) -> RoutingReceipt:
    made = create_catalog(given["catalog"])
    offered = tuple(tool for tool in made if tool.id in given["availableIds"])
    return RoutingReceipt(
        catalog=made,
        available_ids=tuple(given["availableIds"]),
        request=request_for(given.get("intent", "Find it."), offered, model=JEV_MODEL),
        policy=RoutingPolicy.from_json(given["policy"]) if "policy" in given else RoutingPolicy(),
        source=Source.MOCK,
        rule=FALLBACK_RULES[Outcome(given["receipt_outcome"])],
        selected_ids=tuple(given["receipt_selectedIds"]),
    )


def _refused(fault: Fault) -> dict[str, Any]:
    return {"throws": fault.value}


def _unworded(body: str) -> str:
    """The body with a placeholder for its instructions, byte for byte the same elsewhere."""
    text = json.loads(body)["questions"][QUESTION_ID]["instructions"]
    quoted = json.dumps(text, ensure_ascii=False)
    assert body.count(f'"instructions":{quoted}') == 1
    return body.replace(f'"instructions":{quoted}', '"instructions":OURS')
