"""The stream of an answer in the shape of OpenAI's Responses: chunks of chat completions in, their events out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal

from pydantic import JsonValue

from memory.api.errors import ApiError
from memory.api.event_stream import event
from memory.api.openai_responses import answer
from memory.api.openai_responses.request import ResponsesRequest
from memory.api.requests import JsonObject
from memory.llm.answers.json_fields import content_text, objects_in, token_count

Kind = Literal["text", "refusal", "reasoning", "call"]

_ID_OF: Mapping[Kind, str] = {"text": "msg", "refusal": "msg", "reasoning": "rs", "call": "fc"}
_PIECE_OF: Mapping[Kind, str] = {
    "text": "output_text",
    "refusal": "refusal",
    "reasoning": "reasoning_summary_text",
    "call": "function_call_arguments",
}
_PART_OF: Mapping[Kind, str] = {
    "text": "content_part",
    "refusal": "content_part",
    "reasoning": "reasoning_summary_part",
}


@dataclass
class _Item:
    """An item of the answer with what came of it so far. `name`, `call_id`: of the function that it calls."""

    kind: Kind
    id: str
    index: int
    name: str = ""
    call_id: str = ""
    texts: list[str] = field(default_factory=list)
    status: str = "in_progress"

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def as_item(self) -> JsonObject:
        """The item as it stands in the answer."""
        if self.kind == "call":
            call: JsonObject = {"call_id": self.call_id, "name": self.name, "arguments": self.text}
            return answer.call_item(self.id, call, status=self.status)
        if self.kind == "reasoning":
            return answer.reasoning_item(self.id, [self.text], status=self.status)
        return answer.message_item(self.id, [self.part], status=self.status)

    def as_begun(self) -> JsonObject:
        """The item when it begins: empty."""
        if self.kind == "call":
            return self.as_item()
        return {**self.as_item(), "summary" if self.kind == "reasoning" else "content": []}

    @property
    def part(self) -> JsonObject:
        """Its part of a message or of a summary."""
        if self.kind == "reasoning":
            return {"type": "summary_text", "text": self.text}
        return answer.refusal_part(self.text) if self.kind == "refusal" else answer.text_part(self.text)

    @property
    def place(self) -> JsonObject:
        """Where in the answer its pieces belong."""
        place: JsonObject = {"item_id": self.id, "output_index": self.index}
        if self.kind == "call":
            return place
        return {**place, "summary_index" if self.kind == "reasoning" else "content_index": 0}

    @property
    def whole(self) -> JsonObject:
        """What the event at the end of its pieces says."""
        if self.kind == "call":
            return {"name": self.name, "arguments": self.text}
        if self.kind == "refusal":
            return {"refusal": self.text}
        return {"text": self.text, **({"logprobs": []} if self.kind == "text" else {})}


class ResponseEvents:
    """The encoding of one stream: what its events look like, and what came so far.

    A text, a refusal or a piece of reasoning is closed as soon as something else comes; calls stay open until the end,
    since their pieces may come by turns.
    """

    def __init__(self, asked: ResponsesRequest) -> None:
        self._envelope = answer.Envelope(asked)
        self._sequence = 0
        self._items: list[_Item] = []
        self._open: _Item | None = None
        self._calls: dict[int, _Item] = {}
        self._finish_reason: JsonValue = None
        self._model: JsonValue = None
        self._usage: JsonValue = None

    def chunk(self, chunk: JsonObject) -> Iterator[bytes]:
        """The events for one `chat.completion.chunk`, of which the first choice counts."""
        self._model = chunk.get("model") or self._model
        self._usage = chunk.get("usage") or self._usage
        yield from self._begin()
        for choice in objects_in(chunk.get("choices")):
            if not token_count(choice, "index"):
                self._finish_reason = choice.get("finish_reason") or self._finish_reason
                delta = choice.get("delta") or choice.get("message")
                yield from self._delta(delta) if isinstance(delta, dict) else ()

    def error(self, error: ApiError) -> Iterator[bytes]:
        """`error`, at which OpenAI's own clients raise, and `response.failed` for the others."""
        yield from self._begin()
        told: JsonObject = {"code": error.code, "message": error.message, "param": error.param}
        yield self._event("error", {**told, "error": {"type": error.kind, **told}})
        code = "rate_limit_exceeded" if error.status == HTTPStatus.TOO_MANY_REQUESTS else "server_error"
        yield self._event("response.failed", self._response("failed", error={"code": code, "message": error.message}))

    def end(self) -> Iterator[bytes]:
        """What is open is closed; then the whole answer."""
        yield from self._begin()
        status, reason = answer.ending(self._finish_reason)
        if not self._items:
            yield from self._opened("text")
        yield from self._close(status)
        for call in self._calls.values():
            yield from self._done(call, status)
        yield self._event(f"response.{status}", self._response(status, reason=reason))

    # --- what comes --------------------------------------------------------------------------------------------------

    def _begin(self) -> Iterator[bytes]:
        if not self._sequence:
            for name in ("response.created", "response.in_progress"):
                yield self._event(name, self._response("in_progress"))

    def _delta(self, delta: JsonObject) -> Iterator[bytes]:
        yield from self._piece("reasoning", answer.reasoning_in(delta))
        yield from self._piece("text", _text_in(delta.get("content")))
        yield from self._piece("refusal", _text_in(delta.get("refusal")))
        for piece in objects_in(delta.get("tool_calls")):
            yield from self._call_piece(piece)

    def _piece(self, kind: Kind, text: str) -> Iterator[bytes]:
        if not text:
            return
        if self._open is None or self._open.kind != kind:
            yield from self._close("completed")
            yield from self._opened(kind)
        if self._open is not None:
            yield self._grown(self._open, text)

    def _call_piece(self, piece: JsonObject) -> Iterator[bytes]:
        name, arguments = answer.function_in(piece)
        call = self._call_of(piece)
        if call is None:
            yield from self._close("completed")
            call = self._new("call", name=name, call_id=_text_in(piece.get("id")) or answer.new_id("call"))
            self._calls[_key_of(piece, self._calls)] = call
            yield self._added(call)
        if arguments:
            yield self._grown(call, arguments)

    def _call_of(self, piece: JsonObject) -> _Item | None:
        """The call that a piece goes on with; None for a new one. Some servers count calls, others only name them."""
        if token_count(piece, "index") is not None:
            return self._calls.get(_key_of(piece, self._calls))
        given = _text_in(piece.get("id"))
        latest = next(reversed(self._calls.values()), None)
        return latest if latest and given in ("", latest.call_id) else None

    # --- the events of an item ---------------------------------------------------------------------------------------

    def _new(self, kind: Kind, *, name: str = "", call_id: str = "") -> _Item:
        item = _Item(kind, answer.new_id(_ID_OF[kind]), len(self._items), name, call_id)
        self._items.append(item)
        return item

    def _opened(self, kind: Kind) -> Iterator[bytes]:
        """A new item that is not a call, with its one part."""
        self._open = item = self._new(kind)
        yield self._added(item)
        yield self._event(f"response.{_PART_OF[kind]}.added", {**item.place, "part": item.part})

    def _added(self, item: _Item) -> bytes:
        return self._event("response.output_item.added", {"output_index": item.index, "item": item.as_begun()})

    def _grown(self, item: _Item, text: str) -> bytes:
        item.texts.append(text)
        extra: JsonObject = {"logprobs": []} if item.kind == "text" else {}
        return self._event(f"response.{_PIECE_OF[item.kind]}.delta", {**item.place, "delta": text, **extra})

    def _close(self, status: str) -> Iterator[bytes]:
        """Close what is open and no call."""
        if self._open is not None:
            yield from self._done(self._open, status)
            self._open = None

    def _done(self, item: _Item, status: str) -> Iterator[bytes]:
        item.status = status
        yield self._event(f"response.{_PIECE_OF[item.kind]}.done", {**item.place, **item.whole})
        if item.kind != "call":
            yield self._event(f"response.{_PART_OF[item.kind]}.done", {**item.place, "part": item.part})
        yield self._event("response.output_item.done", {"output_index": item.index, "item": item.as_item()})

    # --- the answer --------------------------------------------------------------------------------------------------

    def _response(self, status: str, *, reason: str = "", error: JsonObject | None = None) -> JsonObject:
        items = [item.as_item() for item in self._items]
        whole = self._envelope.response(
            items, status=status, model=self._model, reason=reason, usage=self._usage, error=error
        )
        return {"response": whole}

    def _event(self, kind: str, fields: JsonObject) -> bytes:
        numbered: JsonObject = {"type": kind, "sequence_number": self._sequence, **fields}
        self._sequence += 1
        return event(numbered, name=kind)


def _text_in(content: JsonValue) -> str:
    """A text as it came: the other half of a character may be in the next chunk. The texts of a list of parts."""
    return content if isinstance(content, str) else content_text(content)


def _key_of(piece: JsonObject, calls: Mapping[int, _Item]) -> int:
    index = token_count(piece, "index")
    return len(calls) if index is None else index
