"""How each vendor's stream looks, and what its types say about a request. Streams are built of the SDKs' own types."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anthropic.types.beta.message_create_params import MessageCreateParamsStreaming
from google.genai import types as google
from openai.types import responses
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call in a reply; `arguments` is the text of them, malformed where a test wants it so."""

    tool: str
    arguments: str

    @classmethod
    def of(cls, tool: str, **arguments: Any) -> Call:
        return cls(tool, json.dumps(arguments))


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens of one reply as a provider counts them: the cached ones are part of the input."""

    input: int = 120
    output: int = 20
    cached: int = 64
    reasoning: int = 5
    cache_write: int = 8


@dataclass(frozen=True, slots=True)
class Vendor:
    """`stream` makes the bytes of one reply, `check` refuses a request that the vendor's types would refuse."""

    name: str
    prefix: str
    path: str
    stream: Callable[..., bytes]
    check: Callable[[str, Mapping[str, Any]], None]
    malformed: bool = True


def _sse(events: Iterable[tuple[str, Any]], *, named: bool = False, done: bool = False) -> bytes:
    lines = []
    for name, event in events:
        data = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
        lines.append((f"event: {name}\n" if named else "") + f"data: {data}\n\n")
    return ("".join(lines) + ("data: [DONE]\n\n" if done else "")).encode()


def _drained(value: Any) -> Any:
    """Iterables of typed dictionaries are checked while they are read."""
    if isinstance(value, Mapping):
        return {name: _drained(each) for name, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_drained(each) for each in value]
    return value


def _typed(params: Any) -> Callable[[Mapping[str, Any]], None]:
    adapter = TypeAdapter(params)
    known = params.__required_keys__ | params.__optional_keys__

    def check(body: Mapping[str, Any]) -> None:
        unknown = body.keys() - known
        assert not unknown, f"unknown fields {sorted(unknown)}"
        _drained(adapter.validate_python(dict(body)))

    return check


_chat_params = _typed(CompletionCreateParamsStreaming)
_responses_params = _typed(ResponseCreateParamsStreaming)
_event: TypeAdapter[Any] = TypeAdapter(responses.ResponseStreamEvent)
_anthropic_params = _typed(MessageCreateParamsStreaming)


# OpenAI Chat Completions -------------------------------------------------------------------------------------------


def chat_stream(
    text: str = "",
    calls: Sequence[Call] = (),
    *,
    spent: Spent | None = Spent(),
    model: str = "answering-model-2026",
    finish: str = "",
) -> bytes:
    def chunk(delta: Mapping[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
        made = {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
        }
        return ChatCompletionChunk.model_validate(made).model_dump(exclude_none=True, mode="json") | {"usage": None}

    events = [chunk({"role": "assistant", "content": ""})]
    events += [chunk({"content": word}) for word in _words(text)]
    for index, call in enumerate(calls):
        head = {"index": index, "id": f"call_{index}", "type": "function"}
        events.append(chunk({"tool_calls": [head | {"function": {"name": call.tool, "arguments": ""}}]}))
        for part in _halves(call.arguments):
            events.append(chunk({"tool_calls": [{"index": index, "function": {"arguments": part}}]}))
    events.append(chunk({}, finish or ("tool_calls" if calls else "stop")))
    if spent is not None:
        usage = {
            "prompt_tokens": spent.input,
            "completion_tokens": spent.output,
            "total_tokens": spent.input + spent.output,
            "prompt_tokens_details": {"cached_tokens": spent.cached},
            "completion_tokens_details": {"reasoning_tokens": spent.reasoning},
        }
        events.append(chunk({}) | {"choices": [], "usage": usage})
    return _sse((("", event) for event in events), done=True)


def _check_chat(path: str, body: Mapping[str, Any]) -> None:
    assert path == "/v1/chat/completions", path
    assert body["stream"] is True
    _chat_params(body)


# OpenAI Responses --------------------------------------------------------------------------------------------------


def responses_stream(
    text: str = "",
    calls: Sequence[Call] = (),
    *,
    spent: Spent | None = Spent(),
    model: str = "answering-model-2026",
    finish: str = "",
) -> bytes:
    return _sse(_numbered(_responses_events(text, calls, spent, model, finish)), named=True)


def _numbered(events: Iterable[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
    for number, event in enumerate(events):
        made = event | {"sequence_number": number}
        _event.validate_python(made)
        yield made["type"], made


def _responses_events(
    text: str, calls: Sequence[Call], spent: Spent | None, model: str, finish: str
) -> Iterator[dict[str, Any]]:
    output: list[dict[str, Any]] = []

    def response(status: str, usage: Any = None) -> dict[str, Any]:
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "model": model,
            "status": status,
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": usage,
            "error": None,
            "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        }

    yield {"type": "response.created", "response": response("in_progress")}
    if text:
        message: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "status": "in_progress",
            "content": [],
        }
        yield {"type": "response.output_item.added", "output_index": 0, "item": message}
        where = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        part = {"type": "output_text", "text": "", "annotations": []}
        yield {"type": "response.content_part.added", "part": part, **where}
        for word in _words(text):
            yield {"type": "response.output_text.delta", "delta": word, "logprobs": [], **where}
        yield {"type": "response.output_text.done", "text": text, "logprobs": [], **where}
        full = {"type": "output_text", "text": text, "annotations": []}
        yield {"type": "response.content_part.done", "part": full, **where}
        done = message | {"status": "completed", "content": [full]}
        output.append(done)
        yield {"type": "response.output_item.done", "output_index": 0, "item": done}
    for call in calls:
        index = len(output)
        item = {
            "id": f"fc_{index}",
            "type": "function_call",
            "call_id": f"call_{index}",
            "name": call.tool,
            "arguments": "",
            "status": "in_progress",
        }
        yield {"type": "response.output_item.added", "output_index": index, "item": item}
        where = {"item_id": f"fc_{index}", "output_index": index}
        for piece in _halves(call.arguments):
            yield {"type": "response.function_call_arguments.delta", "delta": piece, **where}
        whole = {"arguments": call.arguments, "name": call.tool}
        yield {"type": "response.function_call_arguments.done", **whole, **where}
        done = item | {"status": "completed", "arguments": call.arguments}
        output.append(done)
        yield {"type": "response.output_item.done", "output_index": index, "item": done}
    usage = None
    if spent is not None:
        usage = {
            "input_tokens": spent.input,
            "input_tokens_details": {"cached_tokens": spent.cached, "cache_write_tokens": 0},
            "output_tokens": spent.output,
            "output_tokens_details": {"reasoning_tokens": spent.reasoning},
            "total_tokens": spent.input + spent.output,
        }
    status = "incomplete" if finish == "length" else "completed"
    yield {"type": f"response.{status}", "response": response(status, usage)}


def _check_responses(path: str, body: Mapping[str, Any]) -> None:
    assert path == "/v1/responses", path
    assert body["stream"] is True
    _responses_params(body)


# Anthropic Messages ------------------------------------------------------------------------------------------------


def anthropic_stream(
    text: str = "",
    calls: Sequence[Call] = (),
    *,
    spent: Spent | None = Spent(),
    model: str = "answering-model-2026",
    finish: str = "",
) -> bytes:
    spent = spent or Spent(0, 0, 0, 0, 0)
    usage = {
        "input_tokens": spent.input - spent.cached - spent.cache_write,
        "output_tokens": 1,
        "cache_read_input_tokens": spent.cached,
        "cache_creation_input_tokens": spent.cache_write,
    }
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}, {"type": "ping"}]
    index = 0
    if text:
        events.append({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
        for word in _words(text):
            delta = {"type": "text_delta", "text": word}
            events.append({"type": "content_block_delta", "index": 0, "delta": delta})
        events.append({"type": "content_block_stop", "index": 0})
        index = 1
    for number, call in enumerate(calls):
        block: dict[str, Any] = {"type": "tool_use", "id": f"toolu_{number}", "name": call.tool, "input": {}}
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        for piece in _halves(call.arguments):
            partial = {"type": "input_json_delta", "partial_json": piece}
            events.append({"type": "content_block_delta", "index": index, "delta": partial})
        events.append({"type": "content_block_stop", "index": index})
        index += 1
    stop = {"length": "max_tokens"}.get(finish, "tool_use" if calls else "end_turn")
    ended = {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}}
    events += [ended | {"usage": {"output_tokens": spent.output}}, {"type": "message_stop"}]
    return _sse(((event["type"], event) for event in events), named=True)


def _check_anthropic(path: str, body: Mapping[str, Any]) -> None:
    assert path.partition("?")[0] == "/v1/messages", path
    assert body["stream"] is True
    # The SDK of 2026 leaves sampling to `extra_body`, for older models that still take it.
    _anthropic_params({name: value for name, value in body.items() if name != "temperature"})


# Google generateContent --------------------------------------------------------------------------------------------


def google_stream(
    text: str = "",
    calls: Sequence[Call] = (),
    *,
    spent: Spent | None = Spent(),
    model: str = "answering-model-2026",
    finish: str = "",
) -> bytes:
    def reply(parts: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
        finish_reason = more.pop("finishReason", None)
        if finish_reason:
            candidate["finishReason"] = finish_reason
        made = {"candidates": [candidate], "modelVersion": model, "responseId": "r1", **more}
        google.GenerateContentResponse.model_validate(made)
        return made

    events = [reply([{"text": word}]) for word in _words(text)]
    if calls:
        made = [{"functionCall": {"name": call.tool, "args": json.loads(call.arguments)}} for call in calls]
        events.append(reply(made))
    counts: dict[str, Any] = {}
    if spent is not None:
        counts["usageMetadata"] = {
            "promptTokenCount": spent.input,
            "candidatesTokenCount": spent.output - spent.reasoning,
            "thoughtsTokenCount": spent.reasoning,
            "cachedContentTokenCount": spent.cached,
            "totalTokenCount": spent.input + spent.output,
        }
    events.append(reply([{"text": ""}], finishReason="MAX_TOKENS" if finish == "length" else "STOP", **counts))
    return _sse(("", event) for event in events)


def _check_google(path: str, body: Mapping[str, Any]) -> None:
    plain, _, query = path.partition("?")
    assert plain.endswith(":streamGenerateContent"), path
    assert query == "alt=sse", path
    known = {"contents", "systemInstruction", "tools", "toolConfig", "generationConfig", "safetySettings"}
    assert not body.keys() - known, sorted(body.keys() - known)
    for content in [*body["contents"], body["systemInstruction"]]:
        google.Content.model_validate(content)
    for tool in body.get("tools", []):
        google.Tool.model_validate(tool)
    google.GenerationConfig.model_validate(body.get("generationConfig", {}))


def _words(text: str) -> list[str]:
    """The text in the pieces in which it is streamed."""
    return [text[at : at + 7] for at in range(0, len(text), 7)]


def _halves(text: str) -> list[str]:
    return [part for part in (text[: len(text) // 2], text[len(text) // 2 :]) if part]


CHAT = Vendor("openai-chat", "/v1", "/chat/completions", chat_stream, _check_chat)
RESPONSES = Vendor("openai", "/v1", "/responses", responses_stream, _check_responses)
ANTHROPIC = Vendor("anthropic", "", "/v1/messages", anthropic_stream, _check_anthropic)
GOOGLE = Vendor("google", "", "/v1beta/models", google_stream, _check_google, malformed=False)
COMPATIBLE = Vendor("compatible", "/v1", "/chat/completions", chat_stream, _check_chat)
OPENROUTER = Vendor("openrouter", "/v1", "/chat/completions", chat_stream, lambda path, body: None)
VENDORS = (RESPONSES, CHAT, ANTHROPIC, GOOGLE, COMPATIBLE)
