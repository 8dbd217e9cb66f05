from __future__ import annotations

import json
from typing import Any

import pytest

from arena.worlds import calls
from arena.worlds.world import Effect, World
from tests.arena.worlds.office import catalog, fixture, fresh

CHANGES: dict[str, dict[str, Any]] = {
    "create_event": {"title": "Returns", "start": "2026-03-16T11:00:00Z", "attendees": ["p_01", "p_02"]},
    "reschedule_event": {"event_id": "e_225", "start": "2026-03-16T11:00:00Z"},
    "propose_new_time": {"event_id": "e_225", "start": "2026-03-16T11:00:00Z"},
    "merge_duplicate_customers": {"keep_id": "C-322", "drop_id": "C-316"},
    "erase_personal_data": {"customer_id": "C-320", "order_id": "4817"},
    "reply_to_mail": {"mail_id": "m_19", "body": "The Halo is made in white and black only."},
    "forward_mail": {"mail_id": "m_16", "to": "Sofia Lindqvist"},
    "draft_mail": {"to": "w.thies@harzmail.example", "subject": "Lieferung", "body": "Sie kommt morgen."},
    "suggest_document_change": {
        "document_id": "doc_onboarding",
        "passage": "at least two weeks ahead",
        "replacement": "at least three weeks ahead",
        "reason": "The rota is made three weeks ahead.",
    },
    "record_absence": {"person": "p_11", "kind": "holiday", "first_day": "2026-04-13", "last_day": "2026-04-17"},
    "swap_on_call": {"first_shift": "oc_03", "second_shift": "oc_04"},
    "cancel_event": {"event_id": "e_239", "reason": "no bread", "whole_series": True},
    "create_ticket": {"title": "Cart loses its lines", "body": "Empty after a reload.", "component": "checkout"},
    "close_ticket": {"ticket_id": "T-1045", "resolution": "Duplicate of T-1038."},
    "issue_refund": {"order_id": "4807", "amount": 129, "reason": "damaged"},
    "cancel_order": {"order_id": "4830", "reason": "placed twice"},
    "update_address": {"customer_id": "C-304", "street": "Elbchaussee 2", "postcode": "22765", "city": "Hamburg"},
    "purge_logs": {"before": "2026-03-01", "level": "debug"},
    "rollback_deployment": {"deployment_id": "d_118", "reason": "latency doubled"},
    "revert_commit_proposal": {"commit": "c_d4471b", "reason": "An empty cart crashes."},
    "cherry_pick_proposal": {"commit": "c_9e85a9", "service": "checkout", "reason": "Vouchers count twice."},
    "reopen_ticket": {"ticket_id": "T-1031", "reason": "Bulbs are without tax again."},
    "reassign_ticket": {"ticket_id": "T-1025", "assignee": "p_06"},
    "escalate_ticket": {"ticket_id": "T-1039", "priority": "urgent", "reason": "It goes on."},
    "merge_tickets": {"duplicate_id": "T-1045", "into_id": "T-1038"},
    "comment_on_ticket": {"ticket_id": "T-1025", "text": "Seen again."},
    "split_order": {"order_id": "4826", "skus": ["BLB-E27-01"]},
    "reroute_shipment": {"order_id": "4823", "street": "Elbchaussee 5", "postcode": "22765", "city": "Hamburg"},
    "send_replacement": {"order_id": "4819", "sku": "LMP-DSK-02", "reason": "damaged"},
    "set_alert_rule": {"metric": "mail_queue_length", "condition": "above", "threshold": 100, "notify": "p_04"},
    "promote_build": {"deployment_id": "d_120"},
    "drain_service": {"service": "payments", "environment": "production", "minutes": 30, "reason": "new key"},
    "send_mail": {"to": "anna.meyer@elbnetz.example", "subject": "Refund", "body": "It is on its way."},
}
OFFICE = (
    *("git", "tickets", "orders", "customers", "mail", "documents", "logs", "deployments", "metrics"),
    *("calendar", "people", "data"),
)


def test_every_changing_tool_of_the_office_is_listed_here() -> None:
    changing = {tool.id for tool in catalog().tools if tool.category in OFFICE and tool.effect != "observe"}
    assert changing == set(CHANGES)


@pytest.mark.parametrize(("tool_id", "arguments"), CHANGES.items())
def test_another_process_rebuilds_the_world_from_the_effects(tool_id: str, arguments: dict[str, Any]) -> None:
    world = fresh()
    effects = calls.call(catalog().tool(tool_id), world, arguments).effects
    sent = json.loads(json.dumps([effect.to_json() for effect in effects]))
    rebuilt = World.from_json(fixture().to_json(), [Effect.from_json(each) for each in [*sent, *sent]])
    assert rebuilt.to_json() == world.to_json() != fixture().to_json()


@pytest.mark.parametrize(
    ("tool_id", "arguments"),
    [("get_order", {"order_id": "4807"}), ("search_logs", {}), ("list_deployments", {}), ("find_tickets", {})],
)
def test_looking_changes_nothing(tool_id: str, arguments: dict[str, Any]) -> None:
    world = fresh()
    assert calls.call(catalog().tool(tool_id), world, arguments).effects == ()
    assert world.to_json() == fixture().to_json()
