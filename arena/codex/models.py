"""What a person set for Codex CLI."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class CodexAccess(models.Model):
    """A person's way to a model for Codex CLI; a key, where there is one, lies sealed with the other keys."""

    class Way(models.TextChoices):
        SIGN_IN = "sign-in", "My sign-in"
        PROVIDER = "provider", "A provider of mine"

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    way = models.CharField(max_length=12, choices=Way, default=Way.SIGN_IN)
    sign_in = models.CharField(max_length=1024, default="~/.codex/auth.json")
    address = models.CharField(max_length=2048, blank=True)
    model = models.CharField(max_length=120, blank=True, help_text="Blank: the one that Codex CLI takes by itself.")

    class Meta:
        app_label = "arena"

    def __str__(self) -> str:
        return f"Codex CLI by {self.way}"
