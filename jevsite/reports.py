"""What an error report may say: where it broke, never what the variables and the fields of a form held."""

from __future__ import annotations

from collections.abc import ItemsView
from types import FrameType
from typing import Any

from django.http import HttpRequest
from django.views.debug import SafeExceptionReporterFilter


class NothingSecret(SafeExceptionReporterFilter):
    """Django's own filter lets everything through while it is debugging; this one never does."""

    def is_active(self, request: HttpRequest | None) -> bool:
        return True

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        return {} if request is None else dict.fromkeys(request.POST, self.cleansed_substitute)

    def get_traceback_frame_variables(self, request: Any, tb_frame: FrameType) -> ItemsView[str, Any]:
        return {}.items()
