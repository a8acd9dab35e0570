"""A relay to OpenAI, and streams that a test controls."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from caesar.conf import OpenAISettings
from memory import llm
from memory.llm import (
    LLMError,
)
from tests.memory.llm.scripted import llm_settings, scripted_llm
from tests.memory.llm.servers.model_server import ModelServer, stream_server
from tests.memory.llm.servers.stream_pieces import chunk

KEY = "sk-live-0123456789abcdefghij"
ASK: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}]}
START, HELLO, STOP = chunk(role="assistant", content=""), chunk(content="Hello"), chunk(finish_reason="stop")


@contextmanager
def openai_at(url: str, **fields: Any) -> Iterator[None]:
    server = OpenAISettings(base_url=f"{url}/v1", api_key=KEY)
    with llm_settings(provider="openai", model="gpt-small", openai=server, **fields):
        yield


@contextmanager
def upstream(status: int = 200, **fields: Any) -> Iterator[ModelServer]:
    """A server whose stream the test controls, and the route to it."""
    with stream_server(status) as server, openai_at(server.url, **fields):
        yield server


def read(content: bytes | Iterator[bytes], **headers: str) -> tuple[list[dict[str, Any]], llm.RelayedStream]:
    """Every chunk of these bytes, and the stream they came by."""
    pieces = iter([content]) if isinstance(content, bytes) else content
    with scripted_llm(httpx.Response(200, content=pieces, headers=headers)):
        stream = llm.relay_stream(ASK)
        return list(stream), stream


def problem_with(content: bytes) -> str:
    """What the error says that these bytes end in; "" where they end well."""
    try:
        read(content)
    except LLMError as error:
        return str(error)
    return ""


def wait_for(happens: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=happens, daemon=True)
    thread.start()
    return thread
