"""Both ways of asking, for tests that must hold for each."""

from __future__ import annotations

import pytest


@pytest.fixture(params=[False, True], ids=["blocking", "awaited"])
def awaited(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)
