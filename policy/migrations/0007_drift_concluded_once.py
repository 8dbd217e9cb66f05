"""One record of a drift check: of those that came in at once before, the first stays."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models


def keep_the_first(apps: Any, schema_editor: Any) -> None:
    records = apps.get_model("policy", "DriftRecord").objects
    seen: set[tuple[int, int]] = set()
    for pk, *pair in records.order_by("id").values_list("id", "profile_id", "measurement_id"):
        if tuple(pair) in seen:
            records.filter(pk=pk).delete()
        seen.add((pair[0], pair[1]))


class Migration(migrations.Migration):
    dependencies = [("policy", "0006_calibration")]

    operations = [
        migrations.RunPython(keep_the_first, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name="driftrecord",
            constraint=models.UniqueConstraint(fields=("profile", "measurement"), name="drift_concluded_once"),
        ),
    ]
