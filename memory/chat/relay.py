"""A chat client's call in OpenAI's shape: memory in, the model's answer handed on as it comes, the turn written down.

A call in Anthropic's own shape goes to Anthropic the same way, untranslated (`Call.native`).

A call is a conversation or an errand of the client's (a title, tags, follow-up questions). An errand is handed on
untouched: nothing is put into it, nothing is learned from it.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from django.conf import settings
from pydantic import JsonValue

from memory import events, llm
from memory.actor import acting
from memory.chat import errands, memory_tool
from memory.chat.context import Context, compose
from memory.chat.finishing import finish, finish_passed
from memory.chat.passing import NO_MEMORY, passed_event, without_provider_text
from memory.chat.recording import Outcome, record_failure
from memory.chat.turn import Reply, Turn
from memory.events import Message
from memory.text import lines

OWN_MODEL = "caesar"
"""What a client may call the configured model, whatever that is."""

_SHOWN_CHARS = 120
_READ_CHARS = 2_000


@dataclass(frozen=True)
class Call:
    """A client's call: its `body` as it was sent, and the turn that it asks for.

    `is_conversation`: the client says that it is no errand, whatever it looks like. `native`: the body is a request in
    Anthropic's own shape, which goes out as it is, and so does the answer; None for OpenAI's shape.
    """

    body: dict[str, JsonValue]
    turn: Turn
    is_conversation: bool = False
    native: llm.NativeMessages | None = None

    @property
    def model(self) -> str:
        """The model the client asks for; "" for the configured one."""
        wanted = self.body.get("model")
        return wanted if isinstance(wanted, str) and wanted != OWN_MODEL else ""

    def body_with(self, messages: Sequence[Message]) -> dict[str, JsonValue]:
        """What goes to the model: the client's body with these messages in it."""
        return {**self.plain_body, "messages": [message.as_sent() for message in messages]}

    @property
    def plain_body(self) -> dict[str, JsonValue]:
        """The client's body, without a name for the model that only means the configured one."""
        rest = {name: value for name, value in self.body.items() if name != "model"}
        return {"model": self.model, **rest} if self.model else rest


@dataclass(frozen=True)
class Completed:
    """The whole answer, as OpenAI's `chat.completion` (or Anthropic's message, to a native call), and how its turn was
    written down."""

    answer: dict[str, JsonValue]
    recorded: Outcome


def complete(call: Call) -> Completed:
    """The answer, and the turn written down.

    Raises `llm.LLMError`; the turn is then written down as failed.
    """
    handling = _handling_of(call)
    try:
        relayed = call.native.relay(handling.body) if call.native else memory_tool.relay(handling.body, handling.tool)
    except llm.LLMError as error:
        _fail(call, error)
        raise
    return Completed(relayed.answer, handling.finish(relayed.completion))


def stream(call: Call) -> "Stream":
    """The answer chunk by chunk, from the first one on. Raises `llm.LLMError` where there is none to begin with."""
    handling = _handling_of(call)
    try:
        upstream = (
            call.native.relay_stream(handling.body)
            if call.native
            else memory_tool.relay_stream(handling.body, handling.tool)
        )
    except llm.LLMError as error:
        _fail(call, error)
        raise
    return Stream(call, handling, upstream)


def body_of(call: Call) -> dict[str, JsonValue]:
    """What would go to the model for a call, memory in it. Asks nobody, and writes nothing down."""
    return _handling_of(call).body


class Stream:
    """An answer under way. However it ends, the turn is written down once: whole, cut off, or failed.

    Iterate it once, and close it in the end: a client that hung up is noticed by that alone.
    """

    def __init__(self, call: Call, handling: "_Handling", upstream: memory_tool.Upstream) -> None:
        self._call, self._handling, self._upstream = call, handling, upstream
        self._is_settled = False
        self.recorded: Outcome | None = None
        """How the turn was written down, as soon as it was."""

    def __iter__(self) -> Iterator[dict[str, JsonValue]]:
        """OpenAI's `chat.completion.chunk` objects, or the events of a native call. The turn is written down before the
        iteration ends.

        Raises `llm.LLMError` where the model's server gives up in between; the turn is then written down as failed.
        """
        try:
            yield from self._upstream
        except llm.LLMError as error:
            self._is_settled = True
            with self._in_its_name():
                _fail(self._call, error)
            raise
        self._is_settled = True
        with self._in_its_name():
            self.recorded = self._handling.finish(self._upstream.completion)

    def close(self) -> None:
        """Let go of the model's server. Where the answer was not whole by now, the client hung up: cut off."""
        self._upstream.close()
        if self._is_settled:
            return
        self._is_settled = True
        with self._in_its_name():
            self.recorded = self._handling.finish(self._upstream.completion, cut_off=True)

    def _in_its_name(self) -> AbstractContextManager[None]:
        """Act for whoever asked: Django ends the request, and with it the actor, before the stream is read."""
        return acting(lambda: self._call.turn.asked_by)


def _fail(call: Call, error: llm.LLMError) -> None:
    is_off = call.turn.kept_out is not None or call.turn.use == NO_MEMORY
    record_failure(call.turn, without_provider_text(error) if is_off else error, model=call.model)


# --- the two kinds of calls -------------------------------------------------------------------------------------------


class _Handling(Protocol):
    """What is sent to the model for a call, and what is written down of its answer."""

    @property
    def body(self) -> dict[str, JsonValue]: ...

    @property
    def tool(self) -> memory_tool.MemoryTool | None: ...

    def finish(self, completion: llm.Completion, *, cut_off: bool = False) -> Outcome: ...


def _handling_of(call: Call) -> _Handling:
    reason = _pass_reason(call)
    if reason:
        return _PassedThrough(call, reason)
    tool = None if call.native else memory_tool.tool_for(call.turn, call.body)
    return _ConversationTurn(call, compose(call.turn), tool)


def _pass_reason(call: Call) -> events.PassReason | None:
    if call.turn.kept_out is not None:
        return call.turn.kept_out
    if call.turn.use == NO_MEMORY:
        return "memory_off"
    if call.is_conversation:
        return None
    is_errand = errands.is_errand(call.turn.conversation, beginnings=settings.CAESAR.proxy.beginnings)
    return "task_prompt" if is_errand or errands.is_probe(call.body) else None


@dataclass(frozen=True)
class _ConversationTurn:
    """A turn between the operator and the model."""

    call: Call
    context: Context
    tool: memory_tool.MemoryTool | None = None

    @property
    def body(self) -> dict[str, JsonValue]:
        if self.call.native is None:
            return self.call.body_with(self.context.messages)
        return self.call.native.with_memory(self.call.plain_body, self.context.receipt.block)

    def finish(self, completion: llm.Completion, *, cut_off: bool = False) -> Outcome:
        context = self.context.with_searches(self.tool.searches if self.tool else ())
        return finish(self.call.turn, Reply.of(completion, cut_off=cut_off), context=context)


@dataclass(frozen=True)
class _PassedThrough:
    """A call that memory keeps out of."""

    call: Call
    reason: events.PassReason
    tool: None = None

    @property
    def body(self) -> dict[str, JsonValue]:
        if self.call.native is not None:
            return self.call.plain_body
        return self.call.body_with(self.call.turn.conversation.messages)

    def finish(self, completion: llm.Completion, *, cut_off: bool = False) -> Outcome:
        begins = errands.task_prompt(self.call.turn.conversation) if self.reason == "task_prompt" else ""
        passed = passed_event(
            Reply.of(completion, cut_off=cut_off),
            reason=self.reason,
            beginning=lines.shorten(lines.one_line(begins[:_READ_CHARS]), _SHOWN_CHARS),
        )
        return finish_passed(self.call.turn, passed, reply=completion.text)
