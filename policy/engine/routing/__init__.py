"""Routing (seed 002, Dynamic tool context): one choice over the available tools, read with their costs."""

from __future__ import annotations

from policy.engine.routing.bundle import BundleRule, ToolBundle, assemble_tool_bundle
from policy.engine.routing.catalog import CLARIFICATION_ID, MAX_TOOLS, Catalog, ToolDefinition, create_catalog
from policy.engine.routing.context import ContextMode, ToolContext, assemble_context
from policy.engine.routing.faults import Fault, RoutingRefused
from policy.engine.routing.flat import Flat, HostTool, LeftOut, flatten
from policy.engine.routing.policy import RoutingPolicy
from policy.engine.routing.prepare import Prepared, PrepareMode, prepare_tool_context
from policy.engine.routing.questions import CURRENT_VERSION, JEV_MODEL, RoutingRequest, question_set_digest
from policy.engine.routing.receipt import RoutingReceipt, RoutingRule, Source
from policy.engine.routing.route import route_tools
from policy.engine.routing.top_k import QUESTION_SET, select_top_k
from policy.engine.routing.top_k_result import Routed, TopK

__all__ = [
    "CLARIFICATION_ID",
    "CURRENT_VERSION",
    "JEV_MODEL",
    "MAX_TOOLS",
    "QUESTION_SET",
    "BundleRule",
    "Catalog",
    "ContextMode",
    "Fault",
    "Flat",
    "HostTool",
    "LeftOut",
    "PrepareMode",
    "Prepared",
    "Routed",
    "RoutingPolicy",
    "RoutingReceipt",
    "RoutingRefused",
    "RoutingRequest",
    "RoutingRule",
    "Source",
    "ToolBundle",
    "ToolContext",
    "ToolDefinition",
    "TopK",
    "assemble_context",
    "assemble_tool_bundle",
    "create_catalog",
    "flatten",
    "prepare_tool_context",
    "question_set_digest",
    "route_tools",
    "select_top_k",
]
