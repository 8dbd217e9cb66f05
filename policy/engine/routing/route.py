"""One routing: a generator that yields one request, is sent evidence or a failure, and returns the receipt."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from policy.engine.failures import Failure, FailureCode
from policy.engine.plain import is_list, is_text, utf16_units
from policy.engine.routing.catalog import Catalog
from policy.engine.routing.evidence import Evidence, checked
from policy.engine.routing.faults import Fault, RoutingRefused
from policy.engine.routing.policy import RoutingPolicy
from policy.engine.routing.questions import JEV_MODEL, RoutingRequest, request_for
from policy.engine.routing.rank import asks_back, rank
from policy.engine.routing.receipt import RoutingReceipt, RoutingRule, Source

MAX_INTENT_UNITS = 16_000

Cancelled = Callable[[], bool]
Routing = Generator[RoutingRequest, object, RoutingReceipt]


def never() -> bool:
    """The caller does not cancel."""
    return False


def route_tools(
    *,
    catalog: Catalog,
    intent: object,
    available_ids: object,
    policy: RoutingPolicy,
    source: object,
    model: str | None = JEV_MODEL,
    cancelled: Cancelled = never,
) -> Routing:
    """Ask once which of the available tools fits (seed 002, Dynamic tool context).

    `model` is the pin that evidence must carry, None accepts any. Everything is copied before the first request, so
    later changes by the caller have no effect. Raises `RoutingRefused` at once, not when driven, for an intent that
    is blank or longer than 16,000 UTF-16 units, unknown or repeated ids, or an unknown source.
    """
    return snapshot(
        catalog=catalog,
        intent=intent,
        available_ids=available_ids,
        policy=policy,
        source=source,
        model=model,
        cancelled=cancelled,
    ).steps()


def snapshot(
    *,
    catalog: Catalog,
    intent: object,
    available_ids: object,
    policy: RoutingPolicy,
    source: object,
    model: str | None,
    cancelled: Cancelled = never,
) -> Snapshot:
    """The checked inputs of one routing, before anything is asked; raises as `route_tools` does."""
    text = _intent(intent)
    ids = _available(available_ids, catalog)
    origin = _source(source)
    offered = tuple(tool for tool in catalog if tool.id in ids)
    return Snapshot(catalog, ids, request_for(text, offered, model=model), policy, origin, cancelled)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One routing that can begin: what the host had when it was made."""

    catalog: Catalog
    available_ids: tuple[str, ...]
    request: RoutingRequest
    policy: RoutingPolicy
    source: Source
    cancelled: Cancelled

    def steps(self) -> Routing:
        if self.cancelled():
            return self.ended(RoutingRule.CANCELLED)
        if not self.available_ids:
            return self.ended(RoutingRule.NO_TOOLS)
        sent = yield self.request
        if isinstance(sent, Failure):
            aborted = sent.code is FailureCode.ABORTED
            return self.ended(RoutingRule.CANCELLED if aborted else RoutingRule.ADAPTER_FAILED)
        if self.cancelled():
            return self.ended(RoutingRule.CANCELLED)
        evidence = checked(sent, self.request)
        return self.ended(RoutingRule.BAD_EVIDENCE) if evidence is None else self._decided(evidence)

    def ended(
        self, rule: RoutingRule, evidence: Evidence | None = None, selected: tuple[str, ...] = ()
    ) -> RoutingReceipt:
        """The receipt of a routing that ends by this rule."""
        return RoutingReceipt(
            self.catalog, self.available_ids, self.request, self.policy, self.source, rule, selected, evidence
        )

    def _decided(self, evidence: Evidence) -> RoutingReceipt:
        if asks_back(evidence.choice, evidence.probabilities):
            return self.ended(RoutingRule.CLARIFY, evidence)
        if evidence.confidence < self.policy.confidence_floor:
            return self.ended(RoutingRule.LOW_CONFIDENCE, evidence)
        offered = tuple(tool for tool in self.catalog if tool.id in self.available_ids)
        selected = tuple(tool.id for tool in rank(offered, evidence.probabilities, self.policy).selected)
        return self.ended(RoutingRule.SELECTED if selected else RoutingRule.NO_CANDIDATE, evidence, selected)


def _intent(value: object) -> str:
    if not is_text(value) or utf16_units(value) > MAX_INTENT_UNITS:
        given = f"{utf16_units(value)} units" if type(value) is str else type(value).__name__
        wanted = f"a text of 1 to {MAX_INTENT_UNITS} UTF-16 units that is not blank"
        raise RoutingRefused(Fault.INTENT, f"the intent must be {wanted}; got {given}")
    return value


def _available(value: object, catalog: Catalog) -> tuple[str, ...]:
    if not is_list(value):
        raise RoutingRefused(Fault.AVAILABILITY, f"the available ids must be a list; got a {type(value).__name__}")
    known = {tool.id for tool in catalog}
    for number, name in enumerate(value):
        if type(name) is not str or name not in known or name in value[:number]:
            cause = f"{name!r:.80} is not in the catalog or named twice"
            raise RoutingRefused(Fault.AVAILABILITY, f"available ids: {cause}; name each available tool once")
    return tuple(value)


def _source(value: object) -> Source:
    if type(value) not in (str, Source) or value not in tuple(Source):
        raise RoutingRefused(Fault.SOURCE, f"the source must be one of {', '.join(Source)}; got {value!r:.80}")
    return Source(str(value))
