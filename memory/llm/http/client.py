"""JSON over HTTP to a model server: one client per process, a deadline for the whole answer, one mapping of errors.

`post` and `get` raise nothing but `LLMError`. Tests replace the network with `transport(...)`.
"""

import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx
from pydantic import JsonValue

from caesar.processor_time import places
from memory.llm.errors import ConnectionLost, LLMError, NotConfigured, ServerFault, TooSlow, Unreachable
from memory.llm.http import error_mapping
from memory.llm.http.deadline import Deadline, enforce_deadlines
from memory.llm.http.error_mapping import Server
from memory.llm.types import Route
from memory.text.lines import without_surrogates

JsonObject = dict[str, JsonValue]

MAX_ANSWER_BYTES = 16 * 1024 * 1024
MAX_REASON_BYTES = 65_536
_STREAM_TYPES = frozenset({"text/event-stream", "application/x-ndjson", "application/jsonl", "application/x-jsonlines"})
_EVENT_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:data|event|id|retry)?:")
_NO_HEADERS: Mapping[str, str] = {}


# --- the client -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _TestDouble:
    """What replaces the network and the pauses in tests."""

    client: httpx.Client
    sleep: Callable[[float], None]


_clients: dict[int, httpx.Client] = {}
_making = threading.Lock()
_doubles: list[_TestDouble] = []


@contextmanager
def transport(instead: httpx.BaseTransport, *, sleep: Callable[[float], None] = lambda seconds: None) -> Iterator[None]:
    """While open, every call of this process goes through `instead`, and pauses call `sleep`, which returns at once."""
    with httpx.Client(transport=instead) as client:
        double = _TestDouble(client, sleep)
        _doubles.append(double)
        try:
            yield
        finally:
            _doubles.remove(double)


def pause(seconds: float) -> None:
    """Wait before a call is retried; in tests, whatever the open `transport` says."""
    with places.waiting():
        (_doubles[-1].sleep if _doubles else time.sleep)(seconds)


def shared_client() -> httpx.Client:
    """The one client of this process, made on first use: making one takes about 40 ms of CPU.

    Kept by process id, because connections must not be shared across a fork. A child does not close its parent's.
    """
    if _doubles:
        return _doubles[-1].client
    with _making:
        if os.getpid() not in _clients:
            _clients[os.getpid()] = _new_client()
        return _clients[os.getpid()]


def _new_client() -> httpx.Client:
    """A client that ignores the environment's proxies for this machine, where local model servers run."""
    client = httpx.Client(
        mounts=dict.fromkeys(("all://localhost", "all://127.0.0.1", "all://[::1]")),
        follow_redirects=False,
        headers={"User-Agent": "caesar-memory"},
        limits=httpx.Limits(
            max_connections=None, max_keepalive_connections=20
        ),  # the web server's threads are the limit
    )
    enforce_deadlines(client)
    return client


def _new_lock() -> None:
    """Another thread may hold the lock when the process forks; in the child nobody would ever release it."""
    global _making
    _making = threading.Lock()


os.register_at_fork(after_in_child=_new_lock)


# --- one call ---------------------------------------------------------------------------------------------------


def post(
    route: Route,
    path: str,
    *,
    headers: Mapping[str, str],
    body: JsonObject,
    put_together: Callable[[bytes, "Call"], JsonObject] | None = None,
) -> JsonObject:
    """The JSON object that a route's server answers to `body`, whole and within the route's time. Raises `LLMError`.

    Keys travel in `headers`; their values are removed from every error text. `put_together` makes one answer of the
    stream of a server that knows nothing else; without it, a stream raises `ServerFault`.
    """
    url = route.base_url + path
    call = _call(url, headers, route)
    payload = call.answer("POST", url, {"Content-Type": "application/json", **headers}, encoded(body), put_together)
    if not isinstance(payload, dict):
        raise error_mapping.not_json(call.server, json.dumps(payload))
    return payload


def get(route: Route, path: str, *, headers: Mapping[str, str]) -> JsonValue:
    """The JSON object or list that a route's server has at `path`. Raises `LLMError`."""
    url = route.base_url + path
    return _call(url, headers, route).answer("GET", url, headers)


def bearer_headers(route: Route) -> Mapping[str, str]:
    """The route's key as OpenAI and most others take it; no header where there is no key."""
    return {"Authorization": f"Bearer {route.api_key}"} if route.api_key else {}


def _call(url: str, headers: Mapping[str, str], route: Route) -> "Call":
    timeouts = Timeouts(route.timeout_seconds, route.connect_seconds, total_setting=route.timeout_setting)
    return Call(server_at(url, headers, provider=route.provider), timeouts)


def server_at(url: str, headers: Mapping[str, str], *, provider: str) -> Server:
    """The server that a call asks, with the keys in its headers as secrets."""
    keys = (value.rpartition(" ")[2] for name, value in headers.items() if _CARRIES_KEY.search(name))
    return Server(provider, _host(url), frozenset(keys))


_CARRIES_KEY = re.compile("auth|key|token", re.IGNORECASE)


def _host(url: str) -> str:
    """The host and port in an address, for error texts; "" where it is not a valid address."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""


def encoded(body: JsonObject) -> bytes:
    """`body` as UTF-8 JSON; half of a surrogate pair becomes U+FFFD, since it cannot be encoded."""
    return without_surrogates(json.dumps(body, ensure_ascii=False)).encode()


@dataclass(frozen=True)
class Timeouts:
    """How long one call may take as a whole, to connect, and in silence (None: as long as the whole)."""

    total_seconds: float
    connect_seconds: float
    silence_seconds: float | None = None
    total_setting: str = "CAESAR_LLM__TIMEOUT_SECONDS"

    def for_httpx(self) -> httpx.Timeout:
        """The same for httpx, which bounds each connect, write and read by itself."""
        silence = min(self.silence_seconds or self.total_seconds, self.total_seconds)
        return httpx.Timeout(silence, connect=min(self.connect_seconds, self.total_seconds))


@dataclass(frozen=True)
class _Response:
    """An answer that was read to its end."""

    status: int
    headers: httpx.Headers
    body: bytes

    @property
    def is_stream(self) -> bool:
        """Whether this is a stream of events or of lines instead of one JSON value, though nobody asked for one."""
        if not 200 <= self.status < 300 or parse_json(self.body) is not None:
            return False
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        return kind in _STREAM_TYPES or bool(_EVENT_BEGINS.match(self.body))


class Call:
    """One call: the server it asks, and the deadline, which runs from now on."""

    def __init__(self, server: Server, timeouts: Timeouts) -> None:
        self.server = server
        self.timeouts = timeouts
        self.deadline = Deadline(timeouts.total_seconds)

    def answer(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        content: bytes | None = None,
        put_together: Callable[[bytes, "Call"], JsonObject] | None = None,
    ) -> JsonValue:
        """The JSON object or list in the server's answer. Raises `LLMError`. `put_together`: as for `post`."""
        with places.waiting(), self.mapping_errors(), self.deadline.applied():
            response = self._send(method, url, headers, content)
        if response.is_stream:
            if put_together is None:
                raise error_mapping.unasked_stream(self.server)
            return put_together(response.body, self)
        return checked_payload(response.body, self.server, status=response.status, headers=response.headers)

    def _send(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> _Response:
        """The server's answer, read before the deadline."""
        timeout = self.timeouts.for_httpx()
        with shared_client().stream(method, url, content=content, headers=headers, timeout=timeout) as response:
            return _Response(response.status_code, response.headers, self.body_of(response))

    def body_of(self, response: httpx.Response) -> bytes:
        """The whole body of an answer. Raises `ServerFault` where it is longer than 16 MiB."""
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MAX_ANSWER_BYTES:
                raise self.answer_too_long()
        return bytes(body)

    def refusal(self, response: httpx.Response, body: bytes) -> LLMError:
        """The error that an answer with a status outside 2xx stands for."""
        text = body[:MAX_REASON_BYTES].decode("utf-8", "replace")
        return error_mapping.error_for(
            self.server, status=response.status_code, headers=response.headers, payload=parse_json(body), text=text
        )

    @contextmanager
    def mapping_errors(self) -> Iterator[None]:
        """Inside, httpx's errors become ours."""
        try:
            yield
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError) as error:
            raise self._unreachable(error) from None
        except httpx.TimeoutException:
            raise self._too_slow() from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError, UnicodeError):
            raise self._invalid_request() from None
        except httpx.DecodingError:
            raise error_mapping.not_json(self.server, "a body that does not decompress") from None
        except httpx.RequestError:
            raise self.connection_lost() from None

    def answer_too_long(self, what: str = "") -> ServerFault:
        """The error for an answer that exceeds the limit on its size."""
        return ServerFault(
            f"{self.server} answered more than {MAX_ANSWER_BYTES >> 20} MiB{what}. Check the base URL.",
            provider=self.server.provider,
            status=200,
        )

    def connection_lost(self) -> ConnectionLost:
        """The error for an answer that was cut off."""
        return ConnectionLost(
            f"{self.server} closed the connection before the answer was whole. Try again later; if it stays, look "
            "into the server's log.",
            provider=self.server.provider,
        )

    def _unreachable(self, error: httpx.RequestError) -> Unreachable:
        reason = self.server.scrubbed(str(error)) or "no connection in time"
        return Unreachable(
            f"{self.server} cannot be reached: {reason}. Check that it runs, and the base URL.",
            provider=self.server.provider,
        )

    def _too_slow(self) -> TooSlow:
        """The error that names the timeout that was exceeded: a stream has one for silence, too."""
        timeouts = self.timeouts
        if timeouts.silence_seconds is None:
            problem = f"gave no whole answer within {timeouts.total_seconds:g} seconds. Raise {timeouts.total_setting}"
        elif self.deadline.has_passed:
            problem = f"was not done within {timeouts.total_seconds:g} seconds. Raise CAESAR_LLM__STREAM_SECONDS"
        else:
            problem = f"sent nothing for {timeouts.silence_seconds:g} seconds. Raise CAESAR_LLM__FIRST_BYTE_SECONDS"
        return TooSlow(f"{self.server} {problem}, or choose a faster model.", provider=self.server.provider)

    def _invalid_request(self) -> NotConfigured:
        return NotConfigured(
            f"{self.server} cannot be asked: the base URL is no http(s) address, or the key holds characters that "
            "no header takes. Check both.",
            provider=self.server.provider,
        )


def checked_payload(
    body: bytes, server: Server, *, status: int = 200, headers: Mapping[str, str] = _NO_HEADERS
) -> JsonValue:
    """The JSON object or list of a 2xx. Raises the error that anything else stands for, even an error inside a 200."""
    payload, text = parse_json(body), body[:MAX_REASON_BYTES].decode("utf-8", "replace")
    if not 200 <= status < 300 or error_mapping.error_body_in(payload):
        raise error_mapping.error_for(server, status=status, headers=headers, payload=payload, text=text)
    if not isinstance(payload, dict | list):
        raise error_mapping.not_json(server, text)
    return payload


def parse_json(body: bytes | str) -> JsonValue:
    """The JSON in a body, with control characters in its strings allowed; None where it is not JSON."""
    try:
        payload: JsonValue = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None
    return payload
