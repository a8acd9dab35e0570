"""Requests in Anthropic's own shape, where the task `chat` is routed to a server that speaks it."""

from dataclasses import dataclass

from django.conf import settings

from caesar import metrics
from memory.llm.answers.json_fields import objects_in
from memory.llm.anthropic import native
from memory.llm.anthropic.memory_block import with_memory
from memory.llm.anthropic.native import ClientHeaders
from memory.llm.chat_completions.responses import Relayed, RelayedStream
from memory.llm.gateway import chosen_route, with_one_retry
from memory.llm.http.client import JsonObject
from memory.llm.relay import route_of
from memory.text import wording

__all__ = ["ClientHeaders", "NativeMessages", "provider_of_chats", "speaks_messages"]


def provider_of_chats() -> str:
    """The name of the provider that chats go to. Does not raise."""
    return chosen_route("chat").provider


def speaks_messages() -> bool:
    """Whether chats go to a server that speaks Anthropic's messages API. Does not raise."""
    return provider_of_chats() == "anthropic"


@dataclass(frozen=True)
class NativeMessages:
    """The messages API as a client speaks it: its requests go out as they are, the answers come back as they are.

    Every method raises `LLMError`. A request may name a `model`; without one the route's is used.
    """

    headers: ClientHeaders = ClientHeaders()

    def relay(self, body: JsonObject) -> Relayed:
        """The server's message. A failure is retried by the rule of `complete`."""
        route = route_of(body)
        with metrics.timed("model"):
            return with_one_retry(lambda: native.relay_message(body, route, self.headers))

    def relay_stream(self, body: JsonObject) -> RelayedStream:
        """The server's events. Returns when the first one is there, so that a refusal is raised here."""
        route = route_of(body)
        with metrics.timed("first_chunk"):
            return with_one_retry(lambda: native.stream_message(body, route, self.headers))

    def count_tokens(self, body: JsonObject) -> JsonObject:
        """The server's count of the tokens in a request."""
        route = route_of(body)
        return with_one_retry(lambda: native.count_tokens(body, route, self.headers))

    def with_memory(self, body: JsonObject, block: str) -> JsonObject:
        """The request with a memory block, and with the configured prompt where the client sent no system prompt."""
        tree = settings.CAESAR
        position = tree.memory.injection.position
        messages = objects_in(body.get("messages"))
        own = "" if any(one.get("role") == "system" for one in messages) else tree.llm.system_prompt
        prompt = wording.join_prompt(own, block, position=position)
        return with_memory(body, block, prompt=prompt, position=position)
