"""What a comparison keeps: snapshots of its inputs, the run, its lanes, and every event."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from arena import ids
from arena.approvals.models import Approval as Approval  # a model of this app
from arena.own_cases.models import OwnCase as OwnCase
from arena.servers.models import OwnCatalog as OwnCatalog


class Snapshot(models.Model):
    """An input of runs as it was, by digest: the files are the master, this is the copy that a run used."""

    class Kind(models.TextChoices):
        CASE = "case", "Case"
        WORLD = "world", "World"
        CATALOG = "catalog", "Catalog"

    kind = models.CharField(max_length=12, choices=Kind)
    digest = models.CharField(max_length=64)
    content = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "digest"], name="snapshot_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.digest[:8]}"


class RunState(models.TextChoices):
    QUEUED = "queued", "queued"
    ROUTING = "routing", "routing"
    RUNNING = "running", "running"
    STOPPING = "stopping", "stopping"
    SETTLING = "settling", "settling"
    COMPLETE = "complete", "complete"
    PARTIAL = "partial", "partial"
    FAILED = "failed", "failed"
    STOPPED = "stopped", "stopped"
    ABANDONED = "abandoned", "abandoned"


RUN_FINAL = frozenset({RunState.COMPLETE, RunState.PARTIAL, RunState.FAILED, RunState.STOPPED, RunState.ABANDONED})


class LaneState(models.TextChoices):
    WAITING = "waiting", "waiting"
    STARTING = "starting", "starting"
    WORKING = "working", "working"
    CALLING = "calling", "calling"
    ASKING = "asking", "waiting for you"
    ANSWERING = "answering", "answering"
    COMPLETED = "completed", "completed"
    FAILED = "failed", "failed"
    STOPPED = "stopped", "stopped"
    ABANDONED = "abandoned", "abandoned"
    WITHHELD = "withheld", "withheld"


LANE_FINAL = frozenset(
    {LaneState.COMPLETED, LaneState.FAILED, LaneState.STOPPED, LaneState.ABANDONED, LaneState.WITHHELD}
)


class Arm(models.TextChoices):
    FULL = "full", "Full menu"
    SELECTED = "selected", "Selected menu"
    SHADOW = "shadow", "Full menu, selection in shadow"
    BM25 = "bm25", "Ranked by shared words"
    EMBEDDING = "embedding", "Ranked by sentence vectors"
    RANDOM = "random", "Drawn at random"
    ORACLE = "oracle", "Just what the case needs"

    @property
    def sees_everything(self) -> bool:
        """Whether its menu is the whole menu of the run."""
        return self in (Arm.FULL, Arm.SHADOW)

    @property
    def follows_size(self) -> bool:
        """A control as large as the selected menu of the same run: without a selection it has no size."""
        return self in (Arm.BM25, Arm.EMBEDDING, Arm.RANDOM)

    @property
    def is_control(self) -> bool:
        """Whether its menu is made without the judge's answer, to see what that answer is worth."""
        return self.follows_size or self == Arm.ORACLE

    @property
    def asks_judge(self) -> bool:
        """Whether a run with this arm needs a selection, to obey, to look at or to take its size."""
        return self not in (Arm.FULL, Arm.ORACLE)


class Claimed(models.Model):
    """A row that one worker owns for a while: the token fences late writes, the lease is by the database's clock."""

    owner = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True)
    attempt = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class Run(Claimed):
    """One comparison: two or more lanes on the same task and setup."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.run_id)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="runs")
    origin = models.CharField(max_length=12, help_text="page, api, command or first")
    state = models.CharField(max_length=12, choices=RunState, default=RunState.QUEUED)
    message = models.TextField(blank=True, help_text="Why the run is in a state that is not complete.")
    case_id = models.CharField(max_length=64)
    case_title = models.CharField(max_length=200)
    case_snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="+")
    world_snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="+")
    catalog_snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="+")
    setup = models.JSONField()
    setup_digest = models.CharField(max_length=64)
    selection = models.JSONField(null=True, help_text="The receipt of the selection, null where no judge was asked.")
    outcome = models.CharField(max_length=24, blank=True)
    seq = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    queued_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    stop_requested_at = models.DateTimeField(null=True)
    archived_at = models.DateTimeField(null=True, help_text="Put away: lists leave it out unless asked.")
    retry_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="retries")
    continues = models.OneToOneField(
        "self",
        null=True,
        on_delete=models.SET_NULL,
        related_name="continued_by",
        help_text="The run whose question this one goes on with, answered.",
    )
    left_open_at = models.DateTimeField(null=True, help_text="When a person said that its question gets no answer.")

    class Meta:
        ordering = ["-id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["state", "id"], name="run_state"),
            models.Index(fields=["case_id", "id"], name="run_case"),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def number(self) -> int:
        """What people call the run: 131."""
        return self.pk

    @property
    def is_final(self) -> bool:
        return self.state in RUN_FINAL


class Lane(Claimed):
    """One arm of a run: one agent with one menu."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.lane_id)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="lanes")
    position = models.PositiveSmallIntegerField()
    arm = models.CharField(max_length=12, choices=Arm)
    state = models.CharField(max_length=12, choices=LaneState, default=LaneState.WAITING)
    message = models.TextField(blank=True)
    gate = models.CharField(max_length=8, default="off", help_text="off, shadow or enforce: before every call.")
    began = models.BooleanField(
        default=False, help_text="The agent has taken its first step; never run again silently."
    )
    menu = models.JSONField(null=True, help_text="[{id, role, probability}], null until routed.")
    ending = models.CharField(max_length=12, blank=True)
    answer = models.TextField(blank=True)
    metrics = models.JSONField(default=dict)
    check_result = models.JSONField(null=True)
    passed = models.BooleanField(null=True)
    queued_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["run", "position"], name="lane_position_once")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.letter} {self.arm}"

    @property
    def letter(self) -> str:
        """A, B, C: by position in the run."""
        return "ABCDEFGH"[self.position]

    @property
    def is_final(self) -> bool:
        return self.state in LANE_FINAL


class Event(models.Model):
    """One thing that happened, append-only; `seq` is the order of a run and the cursor of every reader."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    lane = models.ForeignKey(Lane, null=True, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=32)
    at = models.DateTimeField()
    payload = models.JSONField()

    class Meta:
        ordering = ["run", "seq"]
        constraints = [models.UniqueConstraint(fields=["run", "seq"], name="event_seq_once")]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.seq} {self.kind}"


# The rows of the rooms beside this one; Django finds models here.
from arena.annotations.models import Annotation, AnnotationEdit, Assignment, Unblinding  # noqa: E402, F401
from arena.codex.models import CodexAccess  # noqa: E402, F401
from arena.listing.models import RunTag  # noqa: E402, F401
