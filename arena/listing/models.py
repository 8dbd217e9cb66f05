"""Words that people put on runs."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models


class RunTag(models.Model):
    """One tag of one run, with who put it there."""

    run = models.ForeignKey("arena.Run", on_delete=models.CASCADE, related_name="tags")
    tag = models.CharField(max_length=40, db_index=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "arena"
        ordering = ["tag"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "tag"], name="tag_per_run_once")
        ]

    def __str__(self) -> str:
        return self.tag
