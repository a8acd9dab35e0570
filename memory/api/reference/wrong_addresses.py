"""Addresses of other APIs, and of ours not quite as they are: what a client means by them, and what to set. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

IsThere = Callable[[str], bool]
"""Whether there is a call at this address."""

CHAT: Final = "/v1/chat/completions"

_BASE_URL = "A chat client's base URL ends in /v1, once and with nothing behind it."
_ROOT_URL = "An Anthropic client's base URL is this server's root: it adds /v1 by itself."
_TO_OPENAI = f"Chat clients ask at POST {CHAT} (OpenAI's chat completions): set your client to that API."
_OLLAMA = "This server does not speak Ollama's API. Set your client to OpenAI's: its base URL ends in /v1."
_STATELESS = (
    "No answer is kept here, so none can be fetched, deleted or gone on with: send the earlier items in input of "
    "POST /v1/responses."
)


@dataclass(frozen=True)
class _Call:
    """A call of ours: how an address ends by which it may be meant, where it is, and what a client is to set."""

    ending: str
    address: str
    cure: str = _BASE_URL
    is_post: bool = False
    """Whether only a POST means it: a page may have that name."""

    def is_meant(self, method: str, path: str) -> bool:
        return (method == "POST" or not self.is_post) and path.endswith(self.ending)


@dataclass(frozen=True)
class _Other:
    """A call of an API that is not offered, and what to do instead."""

    path: re.Pattern[str]
    cure: str
    methods: Sequence[str] = ("GET", "POST", "PUT", "DELETE")

    def is_meant(self, method: str, path: str) -> bool:
        return method in self.methods and bool(self.path.search(path))


_CALLS = (
    _Call("/chat/completions", CHAT),
    _Call("/responses", "/v1/responses"),
    _Call("/embeddings", "/v1/embeddings"),
    _Call("/models", "/v1/models"),
    _Call("/messages", "/v1/messages", _ROOT_URL, is_post=True),
    _Call("/messages/count_tokens", "/v1/messages/count_tokens", _ROOT_URL, is_post=True),
    _Call("/mcp", "/mcp", "An MCP client's address is this server's root with /mcp behind it."),
    _Call("/sse", "/mcp", "The older way with an event stream of its own is not offered: use Streamable HTTP."),
)
_OTHERS = (
    _Other(re.compile(r"^(?:/v1)+/responses/"), _STATELESS),
    _Other(re.compile(r"/api/embed(?:dings)?$"), f"{_OLLAMA} Texts become vectors at POST /v1/embeddings."),
    _Other(re.compile(r"/api/(?:chat|generate)$"), f"{_OLLAMA} {_TO_OPENAI}", ("POST",)),
    _Other(re.compile(r"/api/(?:tags|ps|version)$"), f"{_OLLAMA} GET /v1/models lists the models."),
    _Other(re.compile(r"/api/show$"), f"{_OLLAMA} GET /v1/models lists the models.", ("POST",)),
    _Other(re.compile(r"/completions$"), f"OpenAI's old completions are not offered. {_TO_OPENAI}"),
    _Other(re.compile(r":(?:streamG|g)enerateContent$"), f"Gemini's API is not offered. {_TO_OPENAI}"),
    _Other(re.compile(r"/messages(?:/count_tokens)?$|/v1/chat$"), _TO_OPENAI, ("POST",)),
    _Other(
        re.compile(
            r"^(?:/v1)+/(?:audio|images|files|batches|moderations|fine_tuning|assistants|threads|conversations)\b"
        ),
        f"Of OpenAI's API there are chat completions, responses, embeddings and models here. {_TO_OPENAI}",
    ),
)


def is_clients(method: str, path: str) -> bool:
    """Whether a program asks at this address, and no browser for a page."""
    plain = path.rstrip("/")
    return any(one.is_meant(method, plain) for one in (*_CALLS, *_OTHERS))


def cure_for(method: str, path: str, *, is_there: IsThere) -> str:
    """What to ask at instead of an address that there is not, and what to set; "" where nothing is known of it."""
    plain = path.rstrip("/")
    for call in _CALLS:
        if call.is_meant(method, plain) and is_there(call.address):
            is_slash = plain == call.address
            return f"The address is {call.address}{', without a slash at its end.' if is_slash else f'. {call.cure}'}"
    return next((other.cure for other in _OTHERS if other.is_meant(method, plain)), "")
