"""A provider on this machine that answers as a test says, and what must be closed after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from django.conf import LazySettings

from policy.services import health, judges
from tests.policy.judges.http.far_side import Act, FarSide, far_side

Provider = Callable[..., FarSide]


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    health.forget_news()
    yield
    judges.close_all()


@pytest.fixture
def provider(settings: LazySettings) -> Iterator[Provider]:
    """`provider(says(401))` is the address of TypeSafe and of the site's compatible server from then on."""
    with ExitStack() as stack:

        def start(*acts: Act) -> FarSide:
            side = stack.enter_context(far_side(*acts))
            settings.JUDGE_ADDRESSES = {"typesafe": side.url, "compatible": side.url}
            return side

        yield start
