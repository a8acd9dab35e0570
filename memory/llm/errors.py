"""The errors of language models and embedders. Every failure of the gateway is one of these.

    LLMError
    |-- Outage                  holds: the provider or the configuration is at fault, not this chat
    |   |-- NotConfigured       no model, no key, no such provider               (API: 503)
    |   |-- Unreachable         no connection was made                           (API: 502)
    |   |-- ConnectionLost      the connection broke before the answer was whole (API: 502)
    |   |-- TooSlow             no whole answer in time                          (API: 504)
    |   |-- RateLimited         429, or an exhausted quota; `retry_after_seconds` (API: 502)
    |   |-- ServerFault         5xx, or an answer that no model server gives     (API: 502)
    |   |-- AccessDenied        401, 402, 403, 407                               (API: 502)
    |   `-- NotFound            404, 405, a redirect: wrong address or model     (API: 502)
    |-- RequestRefused          400, 413, 422 and every other 4xx; permanent
    `-- BadAnswer               empty, not JSON, unusable; permanent
        `-- Truncated           cut by the token limit

`permanent` is False where waiting can help: a worker holds. It is True where this one request is at fault: a worker
counts the attempt and in the end gives the row up (decision 7).
"""

import re
from collections.abc import Collection
from typing import ClassVar, Self

from memory.text.secrets.key_scrubbing import REMOVED, without_keys

MAX_REASON_CHARS = 300
_SCRUBBED_CHARS = 65_536


class LLMError(Exception):
    """A call of a language model failed. The message names the provider, the status and the cure.

    `status` is the HTTP status, or the code inside an error body where that is more precise. `http_status` is always
    the HTTP status. Both are None where there was no answer.
    """

    permanent: ClassVar[bool] = False

    def __init__(
        self, message: str, *, provider: str = "", status: int | None = None, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(message)
        self.provider = provider
        self.status = self.http_status = status
        self.retry_after_seconds = retry_after_seconds

    def with_message(self, message: str) -> Self:
        """The same error in other words."""
        error = type(self)(
            message, provider=self.provider, status=self.status, retry_after_seconds=self.retry_after_seconds
        )
        error.http_status = self.http_status
        return error


class Outage(LLMError):
    """The provider or the configuration is at fault. The same request may succeed later."""


class NotConfigured(Outage):
    """A provider lacks something it needs: a key, a model or a valid address."""


class Unreachable(Outage):
    """No connection could be made, so nothing was asked and nothing paid."""


class ConnectionLost(Outage):
    """The connection broke after the request was sent. The answer may have been paid for."""


class TooSlow(Outage):
    """No whole answer within the time allowed. The answer may have been paid for."""


class RateLimited(Outage):
    """Too many requests, or the quota is used up."""


class ServerFault(Outage):
    """The server failed, or the address does not belong to a model server."""


class AccessDenied(Outage):
    """The key is missing, wrong or out of credit, or may not use this model."""


class NotFound(Outage):
    """The address or the model does not exist there."""


class RequestRefused(LLMError):
    """The server does not take this request, now or later."""

    permanent = True


class BadAnswer(LLMError):
    """The model answered, and the answer cannot be used."""

    permanent = True


class Truncated(BadAnswer):
    """The answer was cut by the token limit. `needs_room`: a higher limit can help."""

    needs_room = True


_SECRETS = (
    re.compile(r"(?P<kept>\bbearer\s+)[^\s\"',;]+", re.IGNORECASE),
    re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|gh[pousr])[-_][\w*.-]{3,}"),
    re.compile(
        r"(?P<kept>(?<![\w-])[\w-]{0,20}?(?:key|token|secret|password|authorization)[\"']?\s?[=:]\s?[\"']?)"
        r"[^\s\"',;&}]+",
        re.IGNORECASE,
    ),
    re.compile(r"[^\s*]{0,12}\*{3,}[^\s*]{0,12}"),
    re.compile(r"\b(?=[A-Za-z_-]{0,64}\d)[A-Za-z0-9_-]{32,}\b"),
    re.compile(r"(?<=://)[^\s/@]{1,200}@"),
)


def scrubbed(text: str, *, secrets: Collection[str] = ()) -> str:
    """`text` on one line, without `secrets` in any form and without what looks like a key, cut to about 300 characters.

    Scrubbed first and cut afterwards, so that no half of a key remains. Only the first 64 Ki characters are read.
    """
    text = " ".join(text[:_SCRUBBED_CHARS].split())
    text = without_keys(text, secrets)
    for shape in _SECRETS:
        text = shape.sub(_removed, text)
    return text if len(text) <= MAX_REASON_CHARS else text[:MAX_REASON_CHARS].rstrip() + "..."


def _removed(match: re.Match[str]) -> str:
    return (match.groupdict().get("kept") or "") + REMOVED
