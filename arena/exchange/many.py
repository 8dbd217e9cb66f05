"""Many runs as one JSON document, written piece by piece: never all of them in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator

from django.db.models import QuerySet

from arena.exchange import documents
from arena.models import Run
from arena.runs import history
from policy.models import LedgerEntry


def stream(rows: QuerySet[Run]) -> Iterator[str]:
    """`schema` 1: every run in the form of its own export."""
    yield '{"schema": 1, "kind": "jev-arena-runs", "runs": ['
    for at, public_id in enumerate(rows.values_list("public_id", flat=True)):
        run = history.find(public_id)
        ledger = list(LedgerEntry.objects.filter(origin="run", origin_id=public_id))
        document = documents.export(run, history.events(run), ledger)
        yield ("," if at else "") + json.dumps(document, ensure_ascii=False)
    yield "]}\n"
