"""What is kept of one question to a person: what was asked, what it is bound to, and what became of it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from arena import ids


class Approval(models.Model):
    """One `ask` about one call of one lane.

    `digest` binds it to lane, call, tool and arguments. `sealed` holds the arguments for the one execution, and is
    empty once the approval was used or can no longer be; `shown` is their redacted form, which stays. `owner` is the
    worker that waits: no other one can use the answer.
    """

    class State(models.TextChoices):
        OPEN = "open", "waits for an answer"
        APPROVED = "approved", "approved, not carried out yet"
        DENIED = "denied", "denied"
        USED = "used", "approved and carried out"
        EXPIRED = "expired", "expired"
        VOID = "void", "void"

    public_id = models.CharField(max_length=40, unique=True, default=ids.approval_id)
    run = models.ForeignKey("arena.Run", on_delete=models.CASCADE, related_name="approvals")
    lane = models.ForeignKey("arena.Lane", on_delete=models.CASCADE, related_name="approvals")
    owner = models.CharField(max_length=32)
    call = models.PositiveIntegerField()
    tool = models.CharField(max_length=200)
    effect = models.CharField(max_length=16)
    digest = models.CharField(max_length=64)
    sealed = models.TextField(blank=True)
    shown = models.JSONField()
    rule = models.CharField(max_length=120)
    reason = models.TextField()
    measured = models.FloatField(null=True)
    threshold = models.FloatField(null=True)
    state = models.CharField(max_length=12, choices=State, default=State.OPEN)
    message = models.TextField(blank=True, help_text="Why it is void.")
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="By the database's clock.")
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    used_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "arena"
        ordering = ["id"]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["state", "expires_at"], name="approval_state")]
        constraints = [models.UniqueConstraint(fields=["lane", "digest"], name="approval_call_once")]

    def __str__(self) -> str:
        return f"{self.public_id} {self.tool} {self.state}"

    @property
    def pending(self) -> bool:
        """Whether something can still come of it."""
        return self.state in PENDING


PENDING = frozenset({Approval.State.OPEN, Approval.State.APPROVED})
