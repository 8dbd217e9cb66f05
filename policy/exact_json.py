"""A column for JSON as it was written: names in their order, numbers as they came."""

from __future__ import annotations

import json
from typing import Any

from django.db import models


class ExactJson(models.TextField):  # type: ignore[type-arg]
    """JSON as a text. PostgreSQL sorts the names of its own kind of JSON, and a digest over it would be another one."""

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False)

    def from_db_value(self, value: str | None, *rest: object) -> Any:
        return None if value is None else json.loads(value)
