"""Asking Ollama's own chat API once, for a whole answer.

It can turn thinking off, take a schema, and let the request set the size of the context; its copy of OpenAI's API
cannot.
"""

import re
from functools import partial

from memory.llm.answers import validation
from memory.llm.answers.json_fields import clean_text, token_count
from memory.llm.answers.validation import ModelAnswer
from memory.llm.errors import NotFound, RequestRefused
from memory.llm.http import client
from memory.llm.http.capability_fallback import CapabilityFallback
from memory.llm.http.client import JsonObject
from memory.llm.ollama.messages import context_tokens, plain_message
from memory.llm.ollama.server import PATH, with_hint
from memory.llm.types import Completion, Request

# Ollama answers 500 where it cannot make a grammar of a schema.
_OPTIONAL_PARAMETERS = {
    "think": re.compile(r"think", re.IGNORECASE),
    "format": re.compile(r"\bformat\b|grammar|json[ _]schema", re.IGNORECASE),
}
_FALLBACK_STATUSES = frozenset({400, 422, 500, 501})


class OllamaCompletion:
    """How the provider `ollama` completes."""

    def __init__(self) -> None:
        super().__init__()
        self._fallback = CapabilityFallback(_OPTIONAL_PARAMETERS, statuses=_FALLBACK_STATUSES)

    def complete(self, request: Request) -> Completion:
        """The server's answer. Raises `LLMError`.

        Where the server refuses `think` or `format`, the request is sent again without it, and later requests leave it
        out.
        """
        is_memory_task = request.task != "chat"
        parameters = [*(["think"] if is_memory_task else []), *(["format"] if request.json_schema else [])]
        try:
            return self._fallback.call(partial(_completion, request), route=request.route, parameters=parameters)
        except (NotFound, RequestRefused) as error:
            raise with_hint(error, request.route, is_memory_task=is_memory_task) from None


def _completion(request: Request, unsupported: frozenset[str]) -> Completion:
    """The server's answer to a request without the parameters that it does not support."""
    route, body = request.route, _body(request, unsupported)
    answer = client.post(route, PATH, headers=client.bearer_headers(route), body=body)
    return validation.completion_from(_model_answer(answer, request), request)


def _body(request: Request, unsupported: frozenset[str]) -> JsonObject:
    """The request as JSON.

    For the memory's tasks the model must read the whole text and should not spend time on thinking. So `truncate` and
    `shift` turn a text that is too long into an error (older servers ignore both), and `think` is off. A chat keeps the
    server's defaults.
    """
    messages = [plain_message(message) for message in request.messages]
    body: JsonObject = {
        "model": request.route.model,
        "messages": list(messages),
        "stream": False,
        "options": {"num_predict": request.max_tokens, "num_ctx": context_tokens(messages, request.max_tokens)},
    }
    if request.task != "chat":
        body |= {"truncate": False, "shift": False}
        if "think" not in unsupported:
            body["think"] = False
    if request.json_schema and "format" not in unsupported:
        body["format"] = dict(request.json_schema)
    return body


def _model_answer(answer: JsonObject, request: Request) -> ModelAnswer:
    """The model's answer without its reasoning (`thinking`)."""
    message = answer.get("message")
    if not isinstance(message, dict):
        raise validation.bad_answer(request.route, "without a message in it")
    # Each provider has names of its own for these fields; only the shape is shared.
    return ModelAnswer(
        text=clean_text(message.get("content")),
        model=clean_text(answer.get("model")),
        stop_reason=clean_text(answer.get("done_reason")),
        stop_field="done_reason",
        input_tokens=token_count(answer, "prompt_eval_count"),
        output_tokens=token_count(answer, "eval_count"),
        calls_tool=bool(message.get("tool_calls")),
        reasoning_field="thinking" if clean_text(message.get("thinking")).strip() else "",
    )
