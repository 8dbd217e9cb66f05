"""What judging keeps: the ledger, answers to use again, prices, and the loops that programs report."""

from __future__ import annotations

from datetime import UTC, date, datetime

from django.conf import settings
from django.db import models

from policy.exact_json import ExactJson
from policy.measurements.models import (
    Answer,
    DriftRecord,
    FixtureRow,
    FixtureSet,
    GuaranteeLook,
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
    "GuaranteeLook",
    "LabelChange",
    "LedgerEntry",
    "LoopChain",
    "Measurement",
    "Reading",
    "SavedProfile",
]


class Origin(models.TextChoices):
    """Who asks a judge. A check is the one question that tries out a key."""

    RUN = "run", "run"
    MEASUREMENT = "measurement", "measurement"
    API = "api", "API"
    GATEWAY = "gateway", "gateway"
    MCP = "mcp", "MCP"
    LAB = "lab", "policy lab"
    CHECK = "check", "key check"


USAGE_FIELDS = [
    *("day", "judge", "answered_model", "requested_model", "origin", "status", "verdict", "after", "cached_at"),
    *("token_source", "input_tokens", "output_tokens", "latency_ms", "call"),
]


def utc_day() -> date:
    """Today in UTC, whatever zone a reader is in."""
    return datetime.now(UTC).date()


class LedgerEntry(models.Model):
    """One physical request, or one stored answer used again (`cached_at`). Null is unknown, never 0.

    `request` is for reading: credentials in it are masked. `request_digest` is of the bytes as sent, so it can be
    computed again from `request` only where `request_masked` is false.
    """

    class Status(models.TextChoices):
        SENT = "sent", "Sent"
        ANSWERED = "answered", "Answered"
        FAILED = "failed", "Failed"

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    day = models.DateField(default=utc_day, help_text="The day of it in UTC: what sums go by.")
    call = models.CharField(max_length=32, help_text="Groups the physical requests of one logical call.")
    attempt = models.PositiveIntegerField(help_text="Counts the rows of the call from 1.")
    step = models.PositiveIntegerField(default=1, help_text="Which request of the call; attempts repeat it.")
    after = models.CharField(max_length=24, blank=True, help_text="How the attempt ended that this one repeats.")
    origin = models.CharField(max_length=16, help_text="One of Origin.")
    origin_id = models.CharField(max_length=40, db_index=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    stage = models.CharField(max_length=80)
    judge = models.CharField(max_length=40)
    endpoint = models.CharField(max_length=300, blank=True, help_text="Blank: computed in this process.")
    requested_model = models.CharField(max_length=120, blank=True)
    answered_model = models.CharField(max_length=120, blank=True)
    provider_id = models.CharField(max_length=120, blank=True, help_text="What the provider calls this request.")
    request_digest = models.CharField(max_length=64)
    request = ExactJson()
    request_masked = models.BooleanField(default=False)
    raw_reply = models.TextField(blank=True)
    body = models.TextField(blank=True, help_text="What was read of the reply, as JSON, where it came wrapped.")
    totals = models.CharField(max_length=24, blank=True, help_text="The tolerance for totals that was granted.")
    request_bytes = models.PositiveIntegerField()
    response_bytes = models.PositiveIntegerField(null=True)
    input_tokens = models.PositiveIntegerField(null=True)
    output_tokens = models.PositiveIntegerField(null=True)
    token_source = models.CharField(max_length=12, blank=True)
    wait_ms = models.FloatField(default=0)
    latency_ms = models.FloatField(null=True)
    status = models.CharField(max_length=12, choices=Status)
    verdict = models.CharField(max_length=24, blank=True, help_text="The status of the attempt as the judge told it.")
    http_status = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(max_length=40, blank=True, help_text="What the far side meant, in a word of ours.")
    failure_code = models.CharField(max_length=24, blank=True)
    failure_message = models.TextField(blank=True)
    diagnostic = models.JSONField(null=True, help_text="Facts of structure only: nothing that the far side worded.")
    cached_at = models.DateTimeField(null=True, help_text="When the stored answer was given that was used again.")
    pruned_at = models.DateTimeField(null=True, help_text="When request and reply were thrown away; figures stay.")

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["call", "attempt"], name="ledger_attempt_once")]
        # All that the usage page sums up, so that it need not read past the requests and replies.
        indexes = [models.Index(fields=USAGE_FIELDS, name="ledger_usage")]

    def __str__(self) -> str:
        return f"{self.judge} {self.stage} {self.status}"


class StoredAnswer(models.Model):
    """A valid reply that was paid for once; `key` is over judge, endpoint, requested model and request digest."""

    key = models.CharField(max_length=64, unique=True)
    judge = models.CharField(max_length=40)
    endpoint = models.CharField(max_length=300)
    requested_model = models.CharField(max_length=120)
    request_digest = models.CharField(max_length=64)
    answered_model = models.CharField(max_length=120)
    at = models.DateTimeField(db_index=True, help_text="When the judge gave it.")
    body = models.TextField(help_text="JSON as parsed: a text keeps the order and the numbers.")
    raw = models.BinaryField()
    latency_ms = models.FloatField()
    token_source = models.CharField(max_length=12)
    totals = models.CharField(max_length=24)
    notes = models.JSONField(default=list)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.judge} {self.answered_model} {self.request_digest[:8]}"


class PriceRow(models.Model):
    """A price that an operator entered; it goes before `prices.toml`. USD per million tokens; null is unknown."""

    class Kind(models.TextChoices):
        JUDGE = "judge", "Judge"
        AGENT = "agent", "Agent"

    kind = models.CharField(max_length=8, choices=Kind, default=Kind.JUDGE)
    name = models.CharField(max_length=40)
    model = models.CharField(max_length=120, help_text="A model, or the beginning of its name and *.")
    since = models.DateField(help_text="The first day (UTC) on which it counts.")
    input_usd = models.DecimalField(max_digits=14, decimal_places=6, null=True)
    output_usd = models.DecimalField(max_digits=14, decimal_places=6, null=True)
    cached_usd = models.DecimalField(max_digits=14, decimal_places=6, null=True)
    cache_write_usd = models.DecimalField(max_digits=14, decimal_places=6, null=True)
    source = models.CharField(max_length=200)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["kind", "name", "model", "-since"]
        constraints = [models.UniqueConstraint(fields=["kind", "name", "model", "since"], name="price_once_a_day")]

    def __str__(self) -> str:
        return f"{self.name} {self.model} since {self.since}"


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
