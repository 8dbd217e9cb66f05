"""Hosts with a router of their own: drivers that call it once and turn whatever it does into a receipt."""

from __future__ import annotations

import logging
from collections.abc import Generator
from typing import Protocol, TypeVar

from policy.engine.failures import Failure, FailureCode
from policy.engine.routing.questions import RoutingRequest

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Steps = Generator[RoutingRequest, object, Result]


class ToolRouter(Protocol):
    """Returns unchecked evidence for a request, which it cannot change."""

    def review(self, request: RoutingRequest, /) -> object: ...


class AsyncToolRouter(Protocol):
    """The same promise, awaited."""

    async def review(self, request: RoutingRequest, /) -> object: ...


def run(steps: Steps[Result], router: ToolRouter) -> Result:
    """Drive a routing or a preparation with this router; whatever it raises becomes a failure without its text."""
    try:
        request = next(steps)
        while True:
            request = steps.send(_reviewed(router, request))
    except StopIteration as end:
        result: Result = end.value
        return result


async def run_async(steps: Steps[Result], router: AsyncToolRouter) -> Result:
    """The same for an awaited router."""
    try:
        request = next(steps)
        while True:
            request = steps.send(await _reviewed_async(router, request))
    except StopIteration as end:
        result: Result = end.value
        return result


def _reviewed(router: ToolRouter, request: RoutingRequest) -> object:
    try:
        return router.review(request)
    except Exception as error:  # the edge to a host's code: its fault must not end the caller
        return _failed(error)


async def _reviewed_async(router: AsyncToolRouter, request: RoutingRequest) -> object:
    try:
        return await router.review(request)
    except Exception as error:  # as in `_reviewed`
        return _failed(error)


def _failed(error: Exception) -> Failure:
    """The kind of error only: its text may hold a key or a body."""
    logger.warning("a tool router failed with %s", type(error).__name__)
    return Failure(FailureCode.UNKNOWN, f"the tool router failed with {type(error).__name__}")
