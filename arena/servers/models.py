"""A catalog of a person's own: where it comes from, what is listed there now, and what the person approved of it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from policy.ids import new_id


def catalog_id() -> str:
    return new_id("cat")


class Source(models.TextChoices):
    STDIO = "stdio", "command"
    HTTP = "http", "address"
    JSON = "json", "document"


class OwnCatalog(models.Model):
    """`listing` is the newest, `approved` what runs may use: null until a person has approved a listing.

    `sealed` holds the variables or headers, opened with the site's master key only; `secret_names` is for people.
    """

    public_id = models.CharField(max_length=40, unique=True, default=catalog_id)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=31)
    source = models.CharField(max_length=8, choices=Source)
    command = models.JSONField(default=list, help_text="The program and its arguments.")
    folder = models.CharField(max_length=1024, blank=True)
    url = models.CharField(max_length=2048, blank=True)
    secret_names = models.JSONField(default=list)
    sealed = models.TextField(blank=True)
    title = models.CharField(max_length=200, blank=True, help_text="What the server calls itself.")
    listing = models.JSONField(default=list)
    listing_digest = models.CharField(max_length=64, blank=True)
    listed_at = models.DateTimeField(null=True)
    trouble = models.TextField(blank=True, help_text="Why the last listing failed; blank where it did not.")
    marks = models.JSONField(default=dict)
    proposed = models.JSONField(default=dict, help_text="Categories that a judge proposed, by tool name.")
    approved = models.JSONField(null=True, help_text="{listing, catalog}: what runs may use.")
    approved_digest = models.CharField(max_length=64, blank=True)
    approved_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["by", "name"], condition=models.Q(archived_at__isnull=True), name="own_catalog_name_once"
            )
        ]

    def __str__(self) -> str:
        return f"catalog {self.name}"

    @property
    def is_server(self) -> bool:
        return self.source != Source.JSON
