"""OpenRouter's decisions address: names of its own, texts only, confidences that may be left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from policy.engine.judge import JudgeRequest
from policy.engine.profile import InvalidConfig
from policy.judges.http.adapter import Adapter
from policy.judges.http.address import BaseUrl
from policy.judges.keys import Key

PREFIX = "sk-or-"
_VERSION = re.compile(r"jev-(\d+)\.(\d+)\.\d+")


class OpenRouter(Adapter):
    name = "openrouter"
    label = "OpenRouter"
    description = "Jev through OpenRouter, with a key of OpenRouter. May leave out confidences, which we compute then."
    default_base = "https://openrouter.ai"
    path = "/api/alpha/decisions"
    models_path = ""  # lists everything that OpenRouter has

    def root(self, base: BaseUrl) -> str:
        """Its chat models are at `/api/v1`, which is what most people copy; decisions are not there."""
        return super().root(base).removesuffix("/api/v1")

    def check_key(self, key: Key) -> None:
        if not key.reveal().startswith(PREFIX):
            raise InvalidConfig(f"a key of OpenRouter begins with {PREFIX}: this one belongs to somebody else")

    def wire_model(self, model: str) -> str:
        """`jev-latest` moves and is written with a tilde; `jev-1.13.0` is `typesafe/jev-1.13` there."""
        if "/" in model:
            return model
        if model in self.moving:
            return f"~typesafe/{model}"
        version = _VERSION.fullmatch(model)
        return f"typesafe/jev-{version[1]}.{version[2]}" if version else f"typesafe/{model}"

    def encode(self, request: JudgeRequest, model: str) -> Mapping[str, Any]:
        """Criteria are texts there: an option without a description is described by its own label."""
        wire = super().encode(request, model)
        questions = {name: _texts_only(question) for name, question in wire["questions"].items()}
        return {**wire, "questions": questions}


def _texts_only(question: dict[str, Any]) -> dict[str, Any]:
    criteria = question.get("criteria")
    if question["type"] == "choice" and isinstance(criteria, Mapping):
        return {**question, "criteria": {label: label if text is None else text for label, text in criteria.items()}}
    if question["type"] == "noul" and isinstance(criteria, Mapping):
        return {**question, "criteria": {side: text for side, text in criteria.items() if text is not None}}
    return question
