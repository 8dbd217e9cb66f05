"""Before the first run: the local judge reads the catalog once, so that nobody waits for it in a comparison."""

from __future__ import annotations

import logging

from django.conf import settings

from arena.errors import ArenaError
from arena.library import library
from policy.judges import registry
from policy.judges.local import LocalJudge

logger = logging.getLogger("jev.judge")
_WITHIN_S = 120


def warm() -> None:
    """Embed every description of the catalog; what is on disk already costs nothing."""
    try:
        catalog = library().catalog
    except ArenaError as trouble:
        logger.warning("the judge was not warmed", extra={"reason": trouble.message})
        return
    judge = registry.get("local", cache_dir=settings.VECTORS_DIR)
    if isinstance(judge, LocalJudge):
        texts = [each.description for each in catalog.categories] + [each.description for each in catalog.tools]
        judge.warm(texts, timeout_s=_WITHIN_S)
