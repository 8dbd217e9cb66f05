"""The seat of the agent `gguf`: the model file of this machine behind the agent's protocol."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from arena.agents.gguf.agent import Gguf
from arena.agents.gguf.model import Message, ModelFailed, ModelSlow, Unwanted, Written
from arena.errors import Invalid
from policy.judges.gguf import file
from policy.judges.gguf.file import ModelFile, NoModel
from policy.judges.gguf.server import Server, ServerFault, shared
from policy.judges.http import loopback

AGENT = JUDGE = "gguf"
PATH = "/v1/chat/completions"
REPEAT_PENALTY = 1.15
TOO_LONG = "exceed"


class ModelChanged(Exception):
    """The file is not the one that the run was started with; the sentence says so."""


def digest(*, agent: str, judge: str) -> str:
    """SHA-256 of the model file where the agent or the judge needs one, else blank; raises `Invalid` where none is."""
    if agent != AGENT and judge != JUDGE:
        return ""
    try:
        return file.found().sha256
    except NoModel as missing:
        raise Invalid(f"{_who(agent)} gguf cannot work: {missing}") from missing


def refuse_another(sha256: str) -> None:
    """Raises `Invalid` where the file of an old run is not the one of today: the same again is not possible."""
    try:
        same(sha256)
    except ModelChanged as changed:
        raise Invalid(f"{changed} Start a new comparison instead.") from changed


def same(sha256: str) -> ModelFile | None:
    """The file of today where it has this digest, None where the digest is blank; raises `ModelChanged`."""
    if not sha256:
        return None
    try:
        model = file.found()
    except NoModel as missing:
        raise ModelChanged(f"The model file of this run is not here any more. {missing}") from missing
    if model.sha256 != sha256:
        raise ModelChanged(
            f"The model file has changed since the run was started: it was {sha256[:12]}, now it is "
            f"{model.sha256[:12]} ({model.name})."
        )
    return model


def seat(sha256: str) -> Gguf:
    """The agent with the model that the run was started with; raises `ModelChanged`."""
    model = same(sha256)
    if model is None:
        raise ModelChanged("The run was started without a model file.")
    return Gguf(FileModel(model, shared()))


class FileModel:
    """A `LocalModel` over the server of this process."""

    def __init__(self, model: ModelFile, server: Server) -> None:
        self.name = model.name
        self._model, self._server = model, server

    def write(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        max_tokens: int,
        timeout_s: float,
        cancelled: Callable[[], bool],
    ) -> Generator[str, None, Written]:
        """See `LocalModel`: deterministic (temperature 0), and streamed so that a stop is heard between tokens."""
        body = request(messages, schema=schema, max_tokens=max_tokens)
        try:
            return (yield from self._read(body, timeout_s, cancelled))
        except loopback.Called as called:
            raise Unwanted from called
        except loopback.OutOfTime as slow:
            raise ModelSlow from slow
        except loopback.Refused as refused:
            raise _refusal(refused, self.name) from refused
        except (loopback.LoopbackFault, ServerFault) as fault:
            raise ModelFailed(f"The model {self.name} gave no answer: {fault}".rstrip(".") + ".") from fault

    def _read(
        self, body: Mapping[str, Any], timeout_s: float, cancelled: Callable[[], bool]
    ) -> Generator[str, None, Written]:
        text, finish, usage = "", None, None
        for event in self._server.stream(self._model, PATH, body, timeout_s=timeout_s, cancelled=cancelled):
            usage = event.get("usage") or usage
            for choice in event.get("choices") or ():
                finish = choice.get("finish_reason") or finish
                piece = (choice.get("delta") or {}).get("content") or ""
                text += piece
                if piece:
                    yield piece
        return Written(text, finish == "length", *_counts(usage or {}))


def request(messages: Sequence[Message], *, schema: Mapping[str, Any] | None, max_tokens: int) -> dict[str, Any]:
    """The body of one request to the server, in the OpenAI-like form that llama.cpp reads."""
    body: dict[str, Any] = {
        "messages": list(messages),
        "temperature": 0,
        "max_tokens": max_tokens,
        "cache_prompt": True,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if schema is None:
        # Small models say one sentence until their tokens are used up.
        body["repeat_penalty"] = REPEAT_PENALTY
    else:
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": "step", "schema": schema}}
    return body


def _who(agent: str) -> str:
    return "The agent" if agent == AGENT else "The judge"


def _counts(usage: Mapping[str, Any]) -> tuple[int | None, int | None, int | None]:
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens")
    return usage.get("prompt_tokens"), cached, usage.get("completion_tokens")


def _refusal(refused: loopback.Refused, name: str) -> ModelFailed:
    if TOO_LONG in str(refused):
        return ModelFailed(f"Task, menu and results do not fit into the context of {name}: {refused}.", "context")
    return ModelFailed(f"The server of {name} refused the request: {refused}.", "refused")
