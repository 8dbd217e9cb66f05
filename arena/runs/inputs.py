"""The inputs of a run as it keeps them: snapshots by digest, so that later edits of a file change no old run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.cases.case import Case
from arena.catalogs.catalog import Catalog
from arena.catalogs.menus import Menu, menu_for
from arena.models import Run, Snapshot
from arena.runs.setup import Setup
from arena.worlds.world import World


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a stored run is about. `menu` is the whole menu of the run: what the full arm sees."""

    case: Case
    catalog: Catalog
    world: World
    setup: Setup

    @property
    def menu(self) -> Menu:
        return menu_for(self.case, self.catalog, self.setup.menu_size, self.setup.seed)


def of(run: Run) -> Inputs:
    return Inputs(
        case=Case.from_json(run.case_snapshot.content),
        catalog=Catalog.from_json(run.catalog_snapshot.content),
        world=World.from_json(run.world_snapshot.content),
        setup=Setup.from_json(run.setup),
    )


def keep(kind: Snapshot.Kind, content: Mapping[str, Any]) -> Snapshot:
    """The snapshot of this content, stored once."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    snapshot, _ = Snapshot.objects.get_or_create(kind=kind, digest=digest, defaults={"content": dict(content)})
    return snapshot
