"""Whom a measurement asks: the judge of the person who began it, with the key in force; no key is in any row."""

from __future__ import annotations

from django.conf import settings

from policy.calibration.passport import Judged
from policy.engine.judge import Judge
from policy.engine.profile import InvalidConfig
from policy.errors import Invalid
from policy.judges import registry
from policy.measurements.models import Measurement
from policy.people.models import Purpose, User
from policy.services import judges
from policy.services.judges import Chosen


def chosen(*, by: User) -> Chosen:
    """What the person set for calibration in Settings; `local` where nothing is set."""
    return judges.chosen(Purpose.CALIBRATION, by=by)


def judge(name: str, *, model: str = "", by: User) -> Judge:
    """A judge ready to be asked; a blank model is the one set for calibration, else the recommended one.

    Raises `UnknownJudge`, and `Invalid` where a key, an address or an account is missing.
    """
    if name in judges.ADAPTERS:
        try:
            return judges.judge(name, by=by, purpose=Purpose.CALIBRATION, model=model.strip())
        except InvalidConfig as missing:
            raise Invalid(f"The judge {name} cannot be asked: {missing}.") from missing
    if name not in {each.name for each in registry.available()}:
        raise judges.unknown(name)
    # The model of a judge of this machine is not for choosing.
    return registry.get(name, cache_dir=settings.VECTORS_DIR)


def again(measurement: Measurement) -> Judge:
    """The judge that a measurement began with; raises `Invalid` where it is no longer the same, or has no key now."""
    name = measurement.judge
    model = measurement.requested_model if name in judges.ADAPTERS else ""
    found = judge(name, model=model, by=measurement.by)
    now = Judged.of(found).endpoint
    if name in judges.ADAPTERS and now != measurement.endpoint:
        raise Invalid(
            f"The judge {name} is at {now} now, and was at {measurement.endpoint} when this measurement began. "
            "Set the old address again, or measure anew."
        )
    return found
