"""What judging keeps: the ledger, one row per physical request to a judge, and the loops that programs report."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from policy.measurements.models import (
    Answer,
    DriftRecord,
    FixtureRow,
    FixtureSet,
    LabelChange,
    Measurement,
    Reading,
    SavedProfile,
)

__all__ = [
    "Answer",
    "DriftRecord",
    "FixtureRow",
    "FixtureSet",
    "LabelChange",
    "LedgerEntry",
    "LoopChain",
    "Measurement",
    "Reading",
    "SavedProfile",
]


class LedgerEntry(models.Model):
    """One physical request. Token counts are null when unknown; a request that failed still has its row."""

    class Status(models.TextChoices):
        SENT = "sent", "Sent"
        ANSWERED = "answered", "Answered"
        FAILED = "failed", "Failed"

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    call = models.CharField(max_length=32, help_text="Groups the physical requests of one logical call.")
    attempt = models.PositiveIntegerField()
    origin = models.CharField(max_length=16, help_text="Who asked: run, measurement, api, lab, mcp.")
    origin_id = models.CharField(max_length=40, db_index=True)
    stage = models.CharField(max_length=80)
    judge = models.CharField(max_length=40)
    requested_model = models.CharField(max_length=120, blank=True)
    answered_model = models.CharField(max_length=120, blank=True)
    request_digest = models.CharField(max_length=64)
    request = models.JSONField()
    raw_reply = models.TextField(blank=True)
    request_bytes = models.PositiveIntegerField()
    response_bytes = models.PositiveIntegerField(null=True)
    input_tokens = models.PositiveIntegerField(null=True)
    output_tokens = models.PositiveIntegerField(null=True)
    token_source = models.CharField(max_length=12, blank=True)
    latency_ms = models.FloatField(null=True)
    status = models.CharField(max_length=12, choices=Status)
    failure_code = models.CharField(max_length=24, blank=True)
    failure_message = models.TextField(blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["call", "attempt"], name="ledger_attempt_once")]

    def __str__(self) -> str:
        return f"{self.judge} {self.stage} {self.status}"


class LoopChain(models.Model):
    """How often a subject made the same call in a row. `key` is a keyed digest: the arguments are never kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    subject = models.CharField(max_length=200)
    key = models.CharField(max_length=64)
    count = models.PositiveIntegerField()
    turn = models.BigIntegerField(help_text="Counts the user's observations; the lowest was observed longest ago.")

    class Meta:
        ordering = ["turn"]
        constraints = [
            models.UniqueConstraint(fields=["user", "subject"], name="loop_subject_once"),
            models.UniqueConstraint(fields=["user", "turn"], name="loop_turn_once"),
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.count}"
