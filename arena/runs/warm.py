"""Before the first run: the local judge reads the catalog once, so that nobody waits for it in a comparison."""

from __future__ import annotations

import logging
from pathlib import Path

from django.conf import settings

from arena.errors import ArenaError
from arena.library import library
from policy.judges import registry
from policy.judges.local import LocalJudge

logger = logging.getLogger("jev.judge")
_WITHIN_S = 120


def mark() -> Path:
    """The file that stands while a worker of this site has warmed its judge; whoever starts a site removes it."""
    folder: Path = settings.VAR_DIR
    return folder / "judge-is-warm"


def warm() -> None:
    """Embed every description of the catalog; what is on disk already costs nothing."""
    try:
        catalog = library().catalog
        judge = registry.get("local", cache_dir=settings.VECTORS_DIR)
        if isinstance(judge, LocalJudge):
            tools = [f"{each.id}: {each.description}" for each in catalog.tools]
            judge.warm([*(each.description for each in catalog.categories), *tools], timeout_s=_WITHIN_S)
        mark().touch()
    except (ArenaError, OSError) as trouble:
        # A cold judge is slow, not wrong; the first comparison waits only so long for the mark.
        logger.warning("the judge was not warmed", extra={"reason": type(trouble).__name__})
