"""A fake at the wire: a scripted model server for everybody's tests.

with scripted_llm('[{"key": "dog.name", "value": "Beans"}]') as llm:
    run_the_worker()
assert llm.requests[0]["model"] == "scripted"
"""

import json
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from django.conf import settings
from django.test import override_settings

from caesar.conf import LLMSettings, OpenAISettings
from memory.llm.http import client

BASE_URL = "http://llm.test/v1"
MODEL = "scripted"

Answer = str | httpx.Response | Exception | Callable[[dict[str, Any]], "Answer"]


def completion(text: str | None, *, finish_reason: str | None = "stop", **message: Any) -> dict[str, Any]:
    """The JSON of one chat completion; further arguments are fields of its message."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": MODEL,
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


class ScriptedLLM:
    """An OpenAI-compatible server that answers from a queue.

    An answer is a text (a whole completion with it), an `httpx.Response`, an exception to raise, or a function from
    the request's JSON to one of these. `requests` are the JSON bodies, `sent` the requests themselves, `pauses` the
    seconds that were not slept before a repeat.
    """

    def __init__(self, *answers: Answer) -> None:
        self.answers = deque(answers)
        self.requests: list[dict[str, Any]] = []
        self.sent: list[httpx.Request] = []
        self.pauses: list[float] = []

    def add(self, *answers: Answer) -> None:
        """Put answers at the end of the queue."""
        self.answers.extend(answers)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content or b"{}")
        self.sent.append(request)
        self.requests.append(body)
        if not self.answers:
            raise AssertionError(f"The scripted model was asked once more than it has answers: {body}")
        return self._response(self.answers.popleft(), body)

    def _response(self, answer: Answer, body: dict[str, Any]) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, httpx.Response):
            return answer
        if isinstance(answer, str):
            return httpx.Response(200, json=completion(answer))
        return self._response(answer(body), body)

    def last_document(self) -> dict[str, Any]:
        """The conversation document of the last request's last message."""
        document: dict[str, Any] = json.loads(self.requests[-1]["messages"][-1]["content"])
        return document


@contextmanager
def scripted_llm(*answers: Answer, **changes: Any) -> Iterator[ScriptedLLM]:
    """A scripted model that every task is routed to while open; `changes` are fields of `settings.CAESAR.llm`."""
    model = ScriptedLLM(*answers)
    fields = {"provider": "openai", "model": MODEL, "openai": OpenAISettings(base_url=BASE_URL), **changes}
    with llm_settings(**fields), client.transport(httpx.MockTransport(model), sleep=model.pauses.append):
        yield model


@contextmanager
def llm_settings(**fields: Any) -> Iterator[None]:
    """`settings.CAESAR.llm` made of these fields and defaults while open."""
    # `semantic_settings` does the same with a section of another type.
    tree = settings.CAESAR.model_copy(update={"llm": LLMSettings(**fields)})
    with override_settings(CAESAR=tree):
        yield
