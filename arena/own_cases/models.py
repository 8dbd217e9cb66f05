"""A case of a person's own. Runs keep a snapshot of it, so an edit changes no old run."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from arena.servers.models import OwnCatalog
from policy.ids import new_id


def case_id() -> str:
    return new_id("case")


class OwnCase(models.Model):
    """`document` is a case in the form of the files, as JSON; `catalog` null means the built-in tools."""

    public_id = models.CharField(max_length=40, unique=True, default=case_id)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    title = models.CharField(max_length=200)
    document = models.JSONField()
    files = models.JSONField(default=dict, help_text="Source files of its own world, by path.")
    catalog = models.ForeignKey(OwnCatalog, null=True, on_delete=models.PROTECT, related_name="+")
    real_arms = models.JSONField(default=list, help_text="Arms in which real tools may run.")
    version = models.PositiveIntegerField(default=1)
    made_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField()
    archived_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-changed_at"]

    def __str__(self) -> str:
        return f"case {self.public_id}"
