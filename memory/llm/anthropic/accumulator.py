"""The completion to record of a message in Anthropic's own shape: a whole one, or event by event."""

from collections.abc import Iterator

from pydantic import JsonValue

from memory.llm.answers import validation
from memory.llm.answers.json_fields import clean_text, objects_in, token_count
from memory.llm.anthropic.stream import finish_reason, usage_of
from memory.llm.http.client import MAX_ANSWER_BYTES, JsonObject
from memory.llm.types import Completion, Route


class MessageAccumulator:
    """Adds up the events of a message, or takes a whole one, and gives the completion so far."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._model = self._stop = ""
        self._texts: list[str] = []
        self._chars = 0
        self._counts: JsonObject = {}
        self.calls_tool = False
        self.has_begun = False

    @property
    def completion(self) -> Completion:
        """The completion so far: the text blocks joined, all input tokens counted, those of the cache too."""
        usage = usage_of(self._counts)
        reason = finish_reason(self._stop, calls_tool=self.calls_tool) if self._stop else ""
        return Completion(
            text=clean_text("".join(self._texts)),
            model=self._model or self._route.model,
            provider=self._route.provider,
            finish_reason=validation.finish_reason(reason),
            input_tokens=token_count(usage, "prompt_tokens"),
            output_tokens=token_count(usage, "completion_tokens"),
        )

    def recording(self, events: Iterator[JsonObject]) -> Iterator[JsonObject]:
        """The same events, each added before it is handed on."""
        for event in events:
            self.add(event)
            yield event

    def add(self, event: JsonObject) -> None:
        """Add one event; those of an unknown kind say nothing."""
        kind = event.get("type")
        if kind == "message_start" and isinstance(message := event.get("message"), dict):
            self.add_message(message)
        elif kind == "content_block_start":
            self._add_block(event.get("content_block"))
        elif kind == "content_block_delta" and isinstance(delta := event.get("delta"), dict):
            self._add_text(delta.get("text"))
        elif kind == "message_delta":
            self._add_counts(event.get("usage"))
            delta = event.get("delta")
            self._stop = (clean_text(delta.get("stop_reason")) if isinstance(delta, dict) else "") or self._stop

    def add_message(self, message: JsonObject) -> None:
        """Add a message, whole or as it begins."""
        self.has_begun = True
        self._model = clean_text(message.get("model")) or self._model
        self._stop = clean_text(message.get("stop_reason")) or self._stop
        self._add_counts(message.get("usage"))
        for block in objects_in(message.get("content")):
            self._add_block(block)

    def _add_block(self, block: JsonValue) -> None:
        if isinstance(block, dict):
            self.calls_tool = self.calls_tool or block.get("type") == "tool_use"
            if block.get("type") == "text":
                self._add_text(block.get("text"))

    def _add_text(self, text: JsonValue) -> None:
        """Add text, uncleaned: the other half of a surrogate pair may be in the next event."""
        if isinstance(text, str) and text and self._chars <= MAX_ANSWER_BYTES:
            self._texts.append(text)
            self._chars += len(text)

    def _add_counts(self, counts: JsonValue) -> None:
        """Add token counts. Later ones are totals, too, but may leave some out."""
        given = counts if isinstance(counts, dict) else {}
        self._counts |= {name: value for name, value in given.items() if value is not None}
