"""The reaper of measurements: what a lost worker held goes on with the next one, what nobody claimed is published."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.conf import settings
from django.db.models import F
from django.db.models.functions import Now

from policy.measurements import dispatch
from policy.measurements.jobs import ACTIVE, BY_A_PERSON
from policy.measurements.models import Measurement, MeasurementState

logger = logging.getLogger("jev.reaper")
_MOST_LOST = 3
LOST_TOO_OFTEN = (
    f"Its worker was lost {_MOST_LOST} times in a row at the same place; the log of the worker may say why."
)


def reap() -> int:
    """One pass, harmless at any time and in several processes; returns how many rows it had to touch."""
    return _free() + _end_stopped() + _end_hopeless() + _publish_again()


def _free() -> int:
    """A measurement is safe to go on with: no request of it is sent twice."""
    lost = Measurement.objects.filter(lease_until__lt=Now(), state__in=ACTIVE).exclude(owner="")
    freed = 0
    for pk in list(lost.values_list("pk", flat=True)):
        if lost.filter(pk=pk).update(owner="", lease_until=None, queued_at=Now(), lost=F("lost") + 1):
            logger.warning("measurement freed by the reaper", extra={"pk": pk})
            dispatch.publish(pk)
            freed += 1
    return freed


def _end_stopped() -> int:
    asked = Measurement.objects.filter(state__in=ACTIVE, owner="", stop_requested_at__isnull=False)
    return asked.update(state=MeasurementState.STOPPED, message=BY_A_PERSON, finished_at=Now(), queued_at=None)


def _end_hopeless() -> int:
    hopeless = Measurement.objects.filter(state__in=ACTIVE, owner="", lost__gte=_MOST_LOST)
    return hopeless.update(state=MeasurementState.FAILED, message=LOST_TOO_OFTEN, finished_at=Now(), queued_at=None)


def _publish_again() -> int:
    old = Now() - timedelta(seconds=settings.REPUBLISH_AFTER_S)
    waiting = Measurement.objects.filter(state__in=ACTIVE, owner="", queued_at__lt=old)
    for pk in list(waiting.values_list("pk", flat=True)):
        dispatch.publish(pk)
    return waiting.update(queued_at=Now())
