"""One answer made of a stream that nobody asked for: some gateways know streams only."""

from collections.abc import Iterator

from pydantic import JsonValue

from memory.llm.answers.json_fields import clean_text, objects_in, token_count
from memory.llm.answers.json_stream import objects_in_body
from memory.llm.http import error_mapping
from memory.llm.http.client import Call, JsonObject

_TEXT_FIELDS = ("content", "refusal", "reasoning_content", "reasoning")


def put_together(body: bytes, call: Call) -> JsonObject:
    """The whole answer in OpenAI's shape that the chunks in a body add up to. Raises `LLMError`.

    A stream that ends before its answer is whole is a lost connection.
    """
    chunks = list(_chunks(body, call))
    choices = [choice for chunk in chunks for choice in objects_in(chunk.get("choices"))]
    first = [choice for choice in choices if not token_count(choice, "index")]
    if not first:
        raise error_mapping.unasked_stream(call.server)
    reasons = [reason for choice in first if (reason := clean_text(choice.get("finish_reason")))]
    if not reasons:
        raise call.connection_lost()
    answer: JsonObject = {**chunks[0], "object": "chat.completion"}
    answer["usage"] = next((chunk["usage"] for chunk in reversed(chunks) if chunk.get("usage")), None)
    answer["choices"] = [{"index": 0, "message": _message(first), "finish_reason": reasons[-1]}]
    return answer


def _chunks(body: bytes, call: Call) -> Iterator[JsonObject]:
    for chunk in objects_in_body(body, call):
        if chunk is None:
            return
        yield chunk


def _message(choices: list[JsonObject]) -> JsonObject:
    """The message of the first choice: its texts joined, its tool calls completed."""
    deltas = [delta for choice in choices if isinstance(delta := choice.get("delta") or choice.get("message"), dict)]
    message: JsonObject = {"role": "assistant", "content": None}
    for name in _TEXT_FIELDS:
        pieces = [piece for delta in deltas if isinstance(piece := delta.get(name), str)]
        if pieces:
            message[name] = "".join(pieces)
    if calls := _tool_calls(deltas):
        message["tool_calls"] = calls
    return message


def _tool_calls(deltas: list[JsonObject]) -> list[JsonValue]:
    """The tool calls, whose arguments come in pieces."""
    calls: dict[int, JsonObject] = {}
    for piece in (piece for delta in deltas for piece in objects_in(delta.get("tool_calls"))):
        index = token_count(piece, "index") or 0
        given = piece.get("function")
        function = given if isinstance(given, dict) else {}
        call = calls.setdefault(index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
        call["id"] = clean_text(piece.get("id")) or call["id"]
        known = call["function"]
        if isinstance(known, dict):
            known["name"] = clean_text(function.get("name")) or known["name"]
            known["arguments"] = clean_text(known["arguments"]) + clean_text(function.get("arguments"))
    return [calls[index] for index in sorted(calls)]
