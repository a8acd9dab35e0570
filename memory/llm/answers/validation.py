"""Whether an answer can be used: one judgement on what every provider reads out of its own wire format.

Also the error texts about an answer that all providers share.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import JsonValue

from memory.llm import usage
from memory.llm.answers.json_fields import clean_text, objects_in
from memory.llm.errors import BadAnswer, ServerFault, Truncated
from memory.llm.http import error_mapping
from memory.llm.types import Completion, Request, Route

_RAISE_LIMIT = "Raise {limit}."
_CURE_BY_CUT_REASON: Mapping[str, str] = {
    "length": _RAISE_LIMIT,
    "max_tokens": _RAISE_LIMIT,
    "model_length": _RAISE_LIMIT,
    "model_context_window_exceeded": "Choose a model that reads more.",
}
_FILTER_REASONS = frozenset({"content_filter", "safety", "refusal"})
_NORMAL_REASONS = frozenset({"stop", "end_turn", "stop_sequence", "eos", "eos_token"})


@dataclass(frozen=True, kw_only=True)
class ModelAnswer:
    """A model's answer, read out of its provider's format but not yet judged.

    `stop_reason` is the provider's word for why the model stopped, and `stop_field` the name of the field that held it.
    `refusal` is a refusal that stood in a field of its own. `reasoning_field` names the field that held reasoning; it
    is "" where there was none.
    """

    text: str
    model: str
    stop_reason: str
    stop_field: str
    input_tokens: int | None
    output_tokens: int | None
    refusal: str = ""
    calls_tool: bool = False
    reasoning_field: str = ""


def completion_from(answer: ModelAnswer, request: Request) -> Completion:
    """The completion, or the error for an answer that cannot be used (`BadAnswer`, `Truncated`).

    Reasoning is never taken as the answer. A chat shows whatever text there is, even a refusal or a text that was cut
    short; the memory's tasks accept whole answers only. Either way its tokens go to the meter that is open.
    """
    usage.note(answer.input_tokens, answer.output_tokens)
    text = answer.text or (answer.refusal if request.task == "chat" else "")
    if not (request.task == "chat" and text.strip()):
        _check_whole(answer, request)
        if problem := _problem_with(answer, request):
            raise bad_answer(request.route, problem)
    return Completion(
        text=text,
        model=answer.model or request.route.model,
        provider=request.route.provider,
        finish_reason=finish_reason(answer.stop_reason),
        input_tokens=answer.input_tokens,
        output_tokens=answer.output_tokens,
    )


def finish_reason(stop_reason: str) -> str:
    """A provider's word for why a model stopped, with "length" for every kind of cut."""
    return "length" if stop_reason.lower() in _CURE_BY_CUT_REASON else stop_reason


def _check_whole(answer: ModelAnswer, request: Request) -> None:
    """Raises `Truncated` where the answer was cut by a token limit."""
    cure = _CURE_BY_CUT_REASON.get(answer.stop_reason.lower())
    if cure:
        limit = "CAESAR_LLM__MAX_TOKENS" if request.task == "chat" else "CAESAR_LLM__TASK_MAX_TOKENS"
        problem = f"cut by the token limit ({answer.stop_field} {answer.stop_reason}). {cure.format(limit=limit)}"
        error = Truncated(_sentence(request.route, problem), provider=request.route.provider)
        error.needs_room = limit in str(error)
        raise error


def _problem_with(answer: ModelAnswer, request: Request) -> str:
    """What makes an answer unusable for a task that needs a whole one; "" where nothing does."""
    reason = answer.stop_reason.lower()
    if reason in _FILTER_REASONS:
        return f"stopped by the provider's content filter ({answer.stop_field} {answer.stop_reason})"
    if answer.refusal:
        return f"that refuses: {server_of(request.route).scrubbed(answer.refusal)}"
    if answer.text.strip():
        return ""
    if answer.calls_tool:
        return "that calls a tool and says nothing"
    if request.task == "memory_summarise" and reason in _NORMAL_REASONS and not answer.reasoning_field:
        return ""
    return "that is empty" + (f", though its {answer.reasoning_field} is not" if answer.reasoning_field else "")


def model_names(listed: JsonValue, *, field: str, route: Route) -> list[str]:
    """The names in a server's list of models, each once, in order. Raises `ServerFault` where it is not a list."""
    if not isinstance(listed, list):
        raise ServerFault(
            f"{server_of(route)} answered 200, but no list of models. Check the base URL.",
            provider=route.provider,
            status=200,
        )
    names = {clean_text(entry.get(field)).strip() for entry in objects_in(listed)}
    return sorted(names - {""}, key=lambda name: (name.casefold(), name))


def server_of(route: Route) -> error_mapping.Server:
    """The server that a route asks, for error texts."""
    return error_mapping.Server(route.provider, urlsplit(route.base_url).netloc, frozenset({route.api_key or ""}))


def bad_answer(route: Route, problem: str) -> BadAnswer:
    """The error for an answer that cannot be used."""
    return BadAnswer(_sentence(route, problem), provider=route.provider)


def _sentence(route: Route, problem: str) -> str:
    return f"{server_of(route)} ({route.model}) gave an answer {problem.rstrip('.')}."
