"""Whether an answer can be used: one judgement for what every provider reads out of its own wire format.

Also the few words about an answer that all of them say alike, and the plain values in one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import JsonValue

from memory.llm.errors import BadAnswer, ServerFault, Truncated
from memory.llm.http import client, error_mapping
from memory.llm.http.client import JsonObject
from memory.llm.types import Completion, Request, Route

_RAISE = "Raise CAESAR_LLM__MAX_TOKENS."
_CUT: Mapping[str, str] = {
    "length": _RAISE,
    "max_tokens": _RAISE,
    "model_length": _RAISE,
    "model_context_window_exceeded": "Choose a model that reads more.",
}
_FILTERED = frozenset({"content_filter", "safety", "refusal"})
_NORMAL_STOPS = frozenset({"stop", "end_turn", "stop_sequence", "eos", "eos_token"})


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a model said, taken out of its provider's format, as it came.

    `stop` is the provider's word for why the model stopped and `stop_name` the field it stood in, `refusal` a refusal
    in words of its own beside the text, `thought_in` the name of the place where it thought, "" where it did not.
    """

    text: str
    model: str
    stop: str
    stop_name: str
    input_tokens: int | None
    output_tokens: int | None
    refusal: str = ""
    calls_tool: bool = False
    thought_in: str = ""


def completion_from(said: Said, request: Request) -> Completion:
    """The completion, or the error for an answer that cannot be used (`BadAnswer`, `Truncated`).

    What was thought is never the answer. A chat shows what there is, a refusal and a cut text too; the memory's
    tasks take whole answers only.
    """
    text = said.text or (said.refusal if request.task == "chat" else "")
    if not (request.task == "chat" and text.strip()):
        _check_whole(said, request)
        if problem := _unusable(said, request):
            raise bad_answer(request.route, problem)
    return Completion(
        text=text,
        model=said.model or request.route.model,
        provider=request.route.provider,
        finish_reason=finish_reason(said.stop),
        input_tokens=said.input_tokens,
        output_tokens=said.output_tokens,
    )


def finish_reason(stop: str) -> str:
    """A provider's word for why a model stopped, with one word for every kind of cut."""
    return "length" if stop.lower() in _CUT else stop


def _check_whole(said: Said, request: Request) -> None:
    """Nothing, or `Truncated`."""
    cure = _CUT.get(said.stop.lower())
    if cure:
        problem = f"cut by the token limit ({said.stop_name} {said.stop}). {cure}"
        raise Truncated(_problem(request.route, problem), provider=request.route.provider)


def _unusable(said: Said, request: Request) -> str:
    """What is wrong with an answer that nobody will read as it is; "" where nothing is."""
    reason = said.stop.lower()
    if reason in _FILTERED:
        return f"stopped by the provider's content filter ({said.stop_name} {said.stop})"
    if said.refusal:
        return f"that refuses: {server(request.route).scrubbed(said.refusal)}"
    if said.text.strip():
        return ""
    if said.calls_tool:
        return "that calls a tool and says nothing"
    if request.task == "memory_summarise" and reason in _NORMAL_STOPS and not said.thought_in:
        return ""
    return "that is empty" + (f", though its {said.thought_in} is not" if said.thought_in else "")


# --- words ------------------------------------------------------------------------------------------------------


def server(route: Route) -> error_mapping.Server:
    """Whom a route asks, for error texts."""
    return error_mapping.Server(route.provider, urlsplit(route.base_url).netloc, frozenset({route.api_key or ""}))


def bad_answer(route: Route, what: str) -> BadAnswer:
    """The error for an answer that is of no use; `what` is wrong with it."""
    return BadAnswer(_problem(route, what), provider=route.provider)


def _problem(route: Route, what: str) -> str:
    return f"{server(route)} ({route.model}) gave an answer {what.rstrip('.')}."


# --- values -----------------------------------------------------------------------------------------------------


def plain(value: JsonValue) -> str:
    """A string as every encoding and database takes it; "" for anything else."""
    return client.encodable(value).replace("\0", "") if isinstance(value, str) else ""


def text_of(content: JsonValue) -> str:
    """The text of a message's content: a string, or the text parts of a list, one after the other."""
    if isinstance(content, list):
        return "".join(map(_text_of_part, content))
    return plain(content)


def _text_of_part(part: JsonValue) -> str:
    if isinstance(part, dict):
        return plain(part.get("text")) if part.get("type", "text") in ("text", "output_text") else ""
    return plain(part)


def count(holder: JsonValue, name: str) -> int | None:
    """A token count in an object, or None where it holds none."""
    number = holder.get(name) if isinstance(holder, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) and number >= 0 else None


def objects(value: JsonValue) -> list[JsonObject]:
    """The objects in a list; none where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def model_names(listed: JsonValue, *, field: str, route: Route) -> list[str]:
    """The names in a server's list of models, each once, in order. Raises `ServerFault` where it is no list."""
    if not isinstance(listed, list):
        raise ServerFault(
            f"{server(route)} answered 200, but no list of models. Check the base URL.",
            provider=route.provider,
            status=200,
        )
    names = {plain(entry.get(field)).strip() for entry in objects(listed)}
    return sorted(names - {""}, key=lambda name: (name.casefold(), name))
