"""What a host can get wrong about routing: a closed set of codes, raised before anything is asked."""

from __future__ import annotations

from enum import StrEnum

from policy.engine.profile import InvalidConfig


class Fault(StrEnum):
    """Stable code of a refusal (seed 002, Dynamic tool context)."""

    CATALOG_SIZE = "E_CATALOG_SIZE"
    CATALOG_ID = "E_CATALOG_ID"
    CATALOG_TOOL = "E_CATALOG_TOOL"
    CATALOG_SCHEMA = "E_CATALOG_SCHEMA"
    CATALOG_PROPERTY = "E_CATALOG_PROPERTY"
    CATALOG_REQUIRED = "E_CATALOG_REQUIRED"
    POLICY = "E_ROUTE_POLICY"
    INTENT = "E_ROUTE_INTENT"
    AVAILABILITY = "E_ROUTE_AVAILABILITY"
    SOURCE = "E_ROUTE_SOURCE"
    QUESTION_SET = "E_ROUTE_QVERSION"
    CONTEXT_MODE = "E_CONTEXT_MODE"
    PREPARE_MODE = "E_PREPARE_MODE"
    DEPENDENCY_UNKNOWN = "E_DEP_UNKNOWN"
    DEPENDENCY_DUPLICATE = "E_DEP_DUPLICATE"
    DEPENDENCY_CYCLE = "E_DEP_CYCLE"


class RoutingRefused(InvalidConfig):
    """A catalog, policy or input that cannot be used; the message names the item, the cause and the mend."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault
