"""What calibrating keeps: sets of fixtures, measurements with every answer, saved profiles, checks for drift."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from policy import ids


class FixtureSet(models.Model):
    """A named set; `digest` is that of its rows as they are now, `version` counts imports under this name."""

    public_id = models.CharField(max_length=20, unique=True, default=ids.set_id)
    name = models.CharField(max_length=100)
    version = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, db_index=True)
    source = models.CharField(max_length=200, blank=True, help_text="The file that it came from.")
    size = models.PositiveIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["name", "version"], name="fixture_set_version_once")]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


class FixtureRow(models.Model):
    """One fixture as a line of JSON: a text, because a JSON column of PostgreSQL would change the order of its keys."""

    set = models.ForeignKey(FixtureSet, on_delete=models.CASCADE, related_name="rows")
    position = models.PositiveIntegerField()
    fixture_id = models.CharField(max_length=200)
    kind = models.CharField(max_length=20)
    title = models.CharField(max_length=200, help_text="The label in a word.")
    digest = models.CharField(max_length=64)
    asked = models.CharField(max_length=64, help_text="SHA-256 of what is asked: the row without its label.")
    line = models.TextField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["set", "fixture_id"], name="fixture_once"),
            models.UniqueConstraint(fields=["set", "position"], name="fixture_position_once"),
        ]

    def __str__(self) -> str:
        return self.fixture_id


class LabelChange(models.Model):
    """One edit of a label, with what it was and why it changed; the digests are the set's before and after."""

    row = models.ForeignKey(FixtureRow, on_delete=models.CASCADE, related_name="changes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    previous = models.TextField()
    label = models.TextField()
    reason = models.TextField()
    set_before = models.CharField(max_length=64)
    set_after = models.CharField(max_length=64)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.row_id}: {self.previous} -> {self.label}"


class MeasurementState(models.TextChoices):
    QUEUED = "queued", "Queued"
    MEASURING = "measuring", "Measuring"
    COMPLETE = "complete", "Complete"
    PARTIAL = "partial", "Partial"
    FAILED = "failed", "Failed"
    STOPPED = "stopped", "Stopped"


ENDED = frozenset(
    {MeasurementState.COMPLETE, MeasurementState.PARTIAL, MeasurementState.FAILED, MeasurementState.STOPPED}
)


class Measurement(models.Model):
    """One judge asked about one set. `done` counts readings, `failed` those without a usable answer among them.

    `requests` left for the judge, `reused` answers were there already. A worker owns the row for as long as its lease.
    """

    public_id = models.CharField(max_length=20, unique=True, default=ids.measurement_id)
    set = models.ForeignKey(FixtureSet, on_delete=models.PROTECT, related_name="measurements")
    set_digest = models.CharField(max_length=64, help_text="The set's digest when the measurement began.")
    judge = models.CharField(max_length=40)
    endpoint = models.CharField(max_length=200, blank=True)
    requested_model = models.CharField(max_length=120, blank=True)
    answered_model = models.CharField(max_length=200, blank=True)
    kinds = models.JSONField(help_text="The kinds that are measured.")
    question_sets = models.JSONField(help_text="SHA-256 of the fixed question texts, by kind.")
    options = models.JSONField()
    orders = models.JSONField(help_text="The orders of options: forward, and reversed and shuffled where checked.")
    repeats = models.PositiveIntegerField(default=1)
    seed = models.PositiveIntegerField(default=1)
    fresh = models.BooleanField(default=False, help_text="Asks again whatever was answered before.")
    only = models.JSONField(null=True, help_text="The ids of a sample's fixtures; null: all.")
    state = models.CharField(max_length=12, choices=MeasurementState, default=MeasurementState.QUEUED)
    message = models.TextField(blank=True)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0)
    reused = models.PositiveIntegerField(default=0)
    worked_ms = models.FloatField(default=0.0)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    origin = models.CharField(max_length=16)
    created_at = models.DateTimeField(auto_now_add=True)
    queued_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    stop_requested_at = models.DateTimeField(null=True)
    retried_at = models.DateTimeField(null=True, help_text="What was lost before may be asked again.")
    owner = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True)
    attempt = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0, help_text="Workers lost in a row without a new reading.")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.public_id}: {self.judge} {self.state}"

    @property
    def is_final(self) -> bool:
        return self.state in ENDED

    @property
    def asked_nobody(self) -> bool:
        """Whether all readings were logged by others or decided without a judge."""
        return self.done > 0 and not (self.requests or self.reused or self.failed or self.answered_model)


class Answer(models.Model):
    """A judge's answer to one request, kept once; `take` is empty but for repeats and fresh measurements."""

    judge = models.CharField(max_length=40)
    endpoint = models.CharField(max_length=200, blank=True)
    requested_model = models.CharField(max_length=120, blank=True)
    answered_model = models.CharField(max_length=200)
    request_digest = models.CharField(max_length=64)
    take = models.CharField(max_length=40, blank=True)
    body = models.TextField(help_text="The reply as it came.")
    totals = models.CharField(max_length=12, help_text="The tolerance for totals that the host grants this judge.")
    latency_ms = models.FloatField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["judge", "endpoint", "requested_model", "answered_model", "request_digest", "take"],
                name="answer_once",
            )
        ]
        indexes = [models.Index(fields=["request_digest", "judge"], name="answer_by_request")]

    def __str__(self) -> str:
        return f"{self.judge} {self.request_digest[:12]}"


class Reading(models.Model):
    """What one fixture measured: numbers in `values`, or the failure; `requests` are the digests that it took."""

    measurement = models.ForeignKey(Measurement, on_delete=models.CASCADE, related_name="readings")
    row = models.ForeignKey(FixtureRow, on_delete=models.CASCADE, related_name="readings")
    order = models.CharField(max_length=10)
    repeat = models.PositiveIntegerField()
    values = models.JSONField(null=True)
    failure_code = models.CharField(max_length=24, blank=True)
    failure_message = models.TextField(blank=True)
    requests = models.JSONField()
    latency_ms = models.FloatField(null=True, help_text="Of the judge, for all requests together.")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["measurement", "row", "order", "repeat"], name="reading_once"),
        ]

    def __str__(self) -> str:
        return f"{self.row_id} {self.order} {self.repeat}"


class SavedProfile(models.Model):
    """A version of a profile with the passport of what it was chosen on; never changed once saved."""

    name = models.CharField(max_length=100)
    version = models.PositiveIntegerField()
    document = models.JSONField(help_text="The profile in the engine's form.")
    digest = models.CharField(max_length=64)
    passport = models.JSONField()
    measurement = models.ForeignKey(Measurement, null=True, on_delete=models.SET_NULL, related_name="profiles")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["name", "version"], name="profile_version_once")]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


class GuaranteeLook(models.Model):
    """One look at the guarantee of a set under a judge: `rows` is the digest of the unsafe rows that it saw.

    The set counts by its name, since a next version is the same labels with some more; so do all measurements of it.
    """

    set_name = models.CharField(max_length=100)
    judge = models.CharField(max_length=40)
    endpoint = models.CharField(max_length=200, blank=True)
    answered_model = models.CharField(max_length=200, blank=True)
    kind = models.CharField(max_length=20)
    rows = models.CharField(max_length=64, help_text="SHA-256 of the requests and values of all unsafe rows.")
    number = models.PositiveIntegerField(help_text="From 1; the first fixes the path.")
    missing = models.FloatField(help_text="The path: missing information at this threshold.")
    match = models.FloatField(help_text="The path: task match at this threshold.")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["set_name", "judge", "endpoint", "answered_model", "kind", each], name=f"look_{each}_once"
            )
            for each in ("rows", "number")
        ]

    def __str__(self) -> str:
        return f"{self.set_name} {self.judge}: look {self.number}"


class DriftRecord(models.Model):
    """One check of a saved profile against a fresh sample."""

    profile = models.ForeignKey(SavedProfile, on_delete=models.CASCADE, related_name="drift")
    measurement = models.ForeignKey(Measurement, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=20)
    document = models.JSONField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["profile", "measurement"], name="drift_concluded_once")]

    def __str__(self) -> str:
        return f"{self.profile_id}: {self.verdict}"
