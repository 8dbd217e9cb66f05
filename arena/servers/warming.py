"""After an approval the local judge reads the catalog once, in the background, so that the first run is not late."""

from __future__ import annotations

import logging
import threading

from django.conf import settings

from arena.catalogs.catalog import Catalog
from policy.judges import registry
from policy.judges.local import LocalJudge

logger = logging.getLogger("jev.judge")
WITHIN_S = 120


def begin(catalog: Catalog) -> threading.Thread:
    """Embed every description in a thread of its own; what is on disk already costs nothing."""
    thread = threading.Thread(target=warm, args=(catalog,), name="warm-catalog", daemon=True)
    thread.start()
    return thread


def warm(catalog: Catalog) -> None:
    """The same, waited for. A cold judge is slow, not wrong, so trouble is noted and no more."""
    try:
        judge = registry.get("local", cache_dir=settings.VECTORS_DIR)
        if isinstance(judge, LocalJudge):
            tools = [f"{each.id}: {each.description}" for each in catalog.tools]
            judge.warm([*(each.description for each in catalog.categories), *tools], timeout_s=WITHIN_S)
    except Exception as trouble:
        logger.warning("the judge was not warmed", extra={"reason": type(trouble).__name__})
