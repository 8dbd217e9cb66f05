"""The work of measuring: a chunk of fixtures under a lease, each reading written before the next one begins."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, field
from itertools import groupby

from django.db import Error as DatabaseFault
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce, Now

from policy import leases
from policy.calibration import measuring
from policy.calibration.fixtures import Fixture
from policy.calibration.measuring import BUDGET_MS, UNASKED, Options
from policy.calibration.passport import Judged
from policy.engine import drive
from policy.engine.bounds import clean_text
from policy.engine.failures import Failure, FailureCode, HostFault
from policy.engine.judge import Judge
from policy.engine.profile import InvalidConfig
from policy.errors import Invalid
from policy.judges.scripted import Script, ScriptedJudge
from policy.measurements import dispatch, whom
from policy.measurements.answers import AnsweredByAnother, AskedOnce, Take
from policy.measurements.jobs import ACTIVE, BY_A_PERSON
from policy.measurements.models import Measurement, MeasurementState, Reading
from policy.measurements.units import Unit, units_of
from policy.models import LedgerEntry

logger = logging.getLogger("jev.measure")
# A chunk ends after so many readings or seconds, so that several measurements share a worker.
CHUNK, CHUNK_S = 200, 20.0
MOST_FAILURES_IN_A_ROW = 20
# The next request would be refused, too.
OF_THE_KEY = frozenset({FailureCode.AUTHENTICATION, FailureCode.PERMISSION})
RESUME = "What was answered is kept; resume the measurement when that is mended."
BROKE = "Measuring broke in our own code; the log of the worker says where."
# Set when this process is told to end: the fixture at hand is measured to its end, then the work is given back.
leaving = threading.Event()


class LeaseLost(Exception):
    """The measurement belongs to another worker: whoever sees this writes nothing more."""


def work(pk: int) -> None:
    """Claim a measurement and measure a chunk of it; a second caller does nothing."""
    free = Measurement.objects.filter(pk=pk, owner="", state__in=ACTIVE)
    owner = leases.claim(
        free, state=MeasurementState.MEASURING, started_at=Coalesce(F("started_at"), Now()), queued_at=None
    )
    if owner is None:
        return
    with leases.held(Measurement, pk, owner, at_most_s=CHUNK_S + 4 * BUDGET_MS / 1000) as lease:
        try:
            _Chunk(Measurement.objects.select_related("set").get(pk=pk), owner, lease).run()
        except (KeyboardInterrupt, SystemExit):
            _give_back(pk, owner)
            raise
        except LeaseLost:
            logger.warning("measurement lost its lease", extra={"pk": pk})
        except (DatabaseFault, HostFault):
            # Left to the reaper: what is written is written, the rest is measured by the next worker.
            logger.exception("measurement lost the database", extra={"pk": pk})
        except Exception:
            # The process edge: a fault of ours fails this measurement with a word.
            logger.exception("measurement broke", extra={"pk": pk})
            _end(pk, owner, MeasurementState.FAILED, BROKE)


@dataclass(slots=True)
class _Chunk:
    measurement: Measurement
    owner: str
    lease: leases.Lease
    began: float = field(default_factory=time.monotonic)
    measured: int = 0
    in_a_row: int = 0

    def run(self) -> None:
        try:
            self._measure()
        except AnsweredByAnother as changed:
            self._changed(changed)

    def _measure(self) -> None:
        try:
            judge = whom.again(self.measurement)
        except Invalid as gone:
            return _end(self.measurement.pk, self.owner, MeasurementState.FAILED, f"{gone.message} {RESUME}")
        done = set(self.measurement.readings.values_list("row_id", "order", "repeat"))
        open_units = (unit for unit in units_of(self.measurement) if unit.key not in done)
        for repeat, units in groupby(open_units, key=lambda unit: unit.repeat):
            take = Take(self.measurement, repeat)
            for unit in units:
                if self._interrupted():
                    return
                failure = self._one(unit, judge, take)
                self.in_a_row = self.in_a_row + 1 if failure is not None and failure.code != UNASKED else 0
                if failure is not None and failure.code in OF_THE_KEY:
                    said = f"Stopped: {clean_text(failure.message[:500]).text.rstrip('.')}. {RESUME}"
                    return _end(self.measurement.pk, self.owner, MeasurementState.FAILED, said)
                if failure is not None and self.in_a_row == MOST_FAILURES_IN_A_ROW:
                    last = f"{failure.code.value}: {failure.message}"
                    said = f"{MOST_FAILURES_IN_A_ROW} failures in a row, the last one {last}"
                    return _end(self.measurement.pk, self.owner, MeasurementState.FAILED, said)
        _finish(self.measurement.pk, self.owner)

    def _interrupted(self) -> bool:
        """Whether the chunk ends here; says why in the row."""
        pk, owner = self.measurement.pk, self.owner
        if self.lease.lost.is_set():
            raise LeaseLost(self.measurement.public_id)
        if Measurement.objects.filter(pk=pk, stop_requested_at__isnull=False).exists():
            _end(pk, owner, MeasurementState.STOPPED, BY_A_PERSON)
            return True
        spent = self.measured >= CHUNK or time.monotonic() - self.began >= CHUNK_S
        if (self.measured and spent) or leaving.is_set():
            _give_back(pk, owner)
            return True
        return False

    def _one(self, unit: Unit, judge: Judge, take: Take) -> Failure | None:
        """Measure one fixture and write its reading; gives the failure, if any."""
        began = time.monotonic()
        fixture = unit.fixture
        reading = Reading(
            measurement=self.measurement, row_id=unit.row, order=unit.order, repeat=unit.repeat, requests=[]
        )
        failure, sent = None, 0
        if not fixture.asks:
            reading.values = {"noul": fixture.row["probability"]}
        else:
            identity = Judged(judge.name, self.measurement.endpoint, self.measurement.requested_model)
            once = AskedOnce(_scripted(judge, fixture), take, order=unit.order, identity=identity)
            failure = self._ask(reading, fixture, once)
            reading.requests, reading.latency_ms, sent = once.digests, once.latency_ms, once.sent
        if failure is not None:
            reading.failure_code, reading.failure_message = failure.code.value, clean_text(failure.message[:2000]).text
        self._write(reading, sent=sent, took_ms=(time.monotonic() - began) * 1000)
        return failure

    def _ask(self, reading: Reading, fixture: Fixture, once: AskedOnce) -> Failure | None:
        options = Options.from_json(self.measurement.options)
        try:
            steps = measuring.steps(fixture, options)
        except InvalidConfig as unusable:
            return Failure(FailureCode.INVALID_CONFIG, str(unusable), unsent=True)
        result = drive.run(steps, once, budget_ms=BUDGET_MS)
        failure: Failure | None = result.failure
        reading.values = measuring.measured(fixture.kind, result) if failure is None else None
        return failure

    def _write(self, reading: Reading, *, sent: int, took_ms: float) -> None:
        with transaction.atomic():
            owned = Measurement.objects.filter(pk=self.measurement.pk, owner=self.owner)
            if not owned.update(
                done=F("done") + 1,
                failed=F("failed") + int(bool(reading.failure_code)),
                requests=F("requests") + sent,
                reused=F("reused") + len(reading.requests) - sent,
                worked_ms=F("worked_ms") + took_ms,
                answered_model=self.measurement.answered_model,
                lost=0,
            ):
                raise LeaseLost(self.measurement.public_id)
            reading.save()
        self.measured += 1

    def _changed(self, changed: AnsweredByAnother) -> None:
        """Kept answers of an older model give way to the one that answers now; a change in mid-course ends it."""
        mine = LedgerEntry.objects.filter(origin_id__startswith=self.measurement.public_id, origin="measurement")
        if mine.filter(answered_model=changed.before[:120]).exists():
            said = (
                f"The judge answered as {changed.now} after it had answered as {changed.before}; two models are never "
                "mixed. What the first one answered is kept. Measure again to measure the other one."
            )
            return _end(self.measurement.pk, self.owner, MeasurementState.FAILED, said)
        with transaction.atomic():
            owned = Measurement.objects.filter(pk=self.measurement.pk, owner=self.owner)
            if owned.update(done=0, failed=0, reused=0, answered_model=changed.now):
                self.measurement.readings.all().delete()
        _give_back(self.measurement.pk, self.owner)


def _scripted(judge: Judge, fixture: Fixture) -> Judge:
    """The scripted judge plays the answers that stand in the fixture."""
    answers = fixture.row.get("answers")
    return ScriptedJudge(Script(answers)) if isinstance(judge, ScriptedJudge) and answers else judge


def _finish(pk: int, owner: str) -> None:
    row = Measurement.objects.get(pk=pk)
    usable = row.readings.exclude(values=None).exists()
    state = MeasurementState.COMPLETE if not row.failed else MeasurementState.PARTIAL
    said = "" if not row.failed else f"{row.failed} of {row.done} have no usable answer and are in no denominator."
    _end(pk, owner, state if usable else MeasurementState.FAILED, said)


def _end(pk: int, owner: str, state: MeasurementState, message: str) -> None:
    Measurement.objects.filter(pk=pk, owner=owner).update(
        state=state, message=message, owner="", lease_until=None, finished_at=Now(), queued_at=None
    )


def _give_back(pk: int, owner: str) -> None:
    """Let the next worker go on."""
    with transaction.atomic():
        if Measurement.objects.filter(pk=pk, owner=owner).update(owner="", lease_until=None, queued_at=Now()):
            dispatch.publish(pk)
