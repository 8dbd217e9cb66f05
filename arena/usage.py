"""What the agents of lanes used, by day, agent and model: for the usage page, summed by the database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import CharField, Count, FloatField, Q, Sum, Value
from django.db.models.fields.json import KT, KeyTextTransform
from django.db.models.functions import Cast, NullIf, TruncDate

from arena.models import LANE_FINAL, Lane
from policy.usage.agents import AgentUse


def of_lanes(first: date, last: date) -> Iterator[AgentUse]:
    """The lanes that ended between two days (UTC, both included) after their agent had begun; one query."""
    begin = datetime.combine(first, time.min, UTC)
    end = datetime.combine(last + timedelta(days=1), time.min, UTC)
    begun = Lane.objects.order_by().filter(
        finished_at__gte=begin, finished_at__lt=end, started_at__isnull=False, state__in=LANE_FINAL
    )
    known = begun.annotate(
        day=TruncDate("finished_at", tzinfo=UTC),
        agent=_text(KeyTextTransform("agent", "run__setup")),
        agent_model=_text(KT("metrics__model")),
        source=_text(KT("metrics__measured__agent_input_tokens__source")),
        input=Cast(_text(KT("metrics__measured__agent_input_tokens__value")), FloatField()),
        cost=Cast(_text(KT("metrics__measured__agent_cost__value")), FloatField()),
        output=Cast(_text(KT("metrics__measured__agent_output_tokens__value")), FloatField()),
    )
    rows = known.values("day", "agent", "agent_model").annotate(
        lanes=Count("pk"),
        input_sum=Sum("input", default=0.0),
        input_told=Count("input"),
        output_sum=Sum("output", default=0.0),
        output_told=Count("output"),
        cost_sum=Sum("cost", default=0.0),
        priced=Count("cost"),
        estimated=Sum("input", filter=Q(source="estimated"), default=0.0),
    )
    for row in rows.order_by("day", "agent", "agent_model"):
        yield AgentUse(
            row["day"],
            row["agent"] or "unknown",
            row["agent_model"] or "",
            row["lanes"],
            int(row["input_sum"]),
            row["input_told"],
            int(row["output_sum"]),
            row["output_told"],
            int(row["estimated"]),
            row["cost_sum"],
            row["priced"],
        )


def _text(part: Any) -> NullIf:
    """A part of a JSON column as text. SQLite calls an unknown one `null`, which would be cast to 0."""
    return NullIf(Cast(part, CharField()), Value("null"))
