"""The rows of annotations. The tables themselves keep two raters from taking the same place."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

MAX_RATERS = 9


class Verdict(models.TextChoices):
    """What a person says about one lane."""

    MEETS = "meets", "Meets the task"
    PARTLY = "partly", "Partly"
    DOES_NOT = "does_not", "Does not"
    CANNOT_TELL = "cannot_tell", "Cannot tell"


class Assignment(models.Model):
    """One of the places of a run, held by one rater until it is submitted or its time is up."""

    run = models.ForeignKey("arena.Run", on_delete=models.CASCADE, related_name="assignments")
    number = models.PositiveSmallIntegerField(help_text="From 1 to the raters that a run gets.")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    taken_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="An unsubmitted place can be taken by another rater from then on.")
    submitted_at = models.DateTimeField(null=True)
    blind = models.BooleanField(null=True, help_text="Null until submitted; false where the rater had seen the run.")
    next_experiment = models.TextField(blank=True)
    tags = models.JSONField(default=list)

    class Meta:
        app_label = "arena"
        ordering = ["run", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "number"], name="assignment_place_once"),
            models.UniqueConstraint(fields=["run", "rater"], name="assignment_rater_once"),
            models.CheckConstraint(
                condition=models.Q(number__gte=1, number__lte=MAX_RATERS), name="assignment_number_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run_id} place {self.number}"


class Annotation(models.Model):
    """What one rater says about one lane, as it stands now."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="annotations")
    lane = models.ForeignKey("arena.Lane", on_delete=models.CASCADE, related_name="annotations")
    verdict = models.CharField(max_length=12, choices=Verdict)
    note = models.TextField(blank=True)

    class Meta:
        app_label = "arena"
        ordering = ["assignment", "lane"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["assignment", "lane"], name="annotation_lane_once")
        ]

    def __str__(self) -> str:
        return f"{self.lane_id} {self.verdict}"


class AnnotationEdit(models.Model):
    """What an annotation said before a change, who changed it, when and why; append-only."""

    annotation = models.ForeignKey(Annotation, on_delete=models.CASCADE, related_name="edits")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    verdict_before = models.CharField(max_length=12, choices=Verdict)
    note_before = models.TextField(blank=True)
    reason = models.TextField()

    class Meta:
        app_label = "arena"
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.annotation_id} was {self.verdict_before}"


class Unblinding(models.Model):
    """The first time that a person saw which lane of a run had which arm."""

    run = models.ForeignKey("arena.Run", on_delete=models.CASCADE, related_name="unblindings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    how = models.CharField(max_length=12, help_text="page, api or started")

    class Meta:
        app_label = "arena"
        ordering = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "user"], name="unblinding_once")
        ]

    def __str__(self) -> str:
        return f"{self.run_id} seen by {self.user_id}"
