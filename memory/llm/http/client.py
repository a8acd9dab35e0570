"""JSON over HTTP to a model server: one client per process, a deadline for the whole answer, one mapping of errors.

Nothing but `LLMError` leaves `post_json` and `get_json`. Tests put their own transport in place with
`transport(...)`, the one seam.
"""

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx
from pydantic import JsonValue

from memory.llm.errors import ConnectionLost, LLMError, NotConfigured, ServerFault, TooSlow, Unreachable
from memory.llm.http import error_mapping
from memory.llm.http.deadline import Watch, keep_to_deadlines
from memory.llm.http.error_mapping import Server
from memory.llm.types import Route

JsonObject = dict[str, JsonValue]

MAX_ANSWER_BYTES = 16 * 1024 * 1024
CONNECT_SECONDS = 10.0
SAID_BYTES = 65_536
_NO_HEADERS: Mapping[str, str] = {}


# --- the client -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Seam:
    """What a test puts in place of the network and of waiting."""

    client: httpx.Client
    sleep: Callable[[float], None]


_clients: dict[int, httpx.Client] = {}
_making = threading.Lock()
_seams: list[_Seam] = []


@contextmanager
def transport(instead: httpx.BaseTransport, *, sleep: Callable[[float], None] = lambda seconds: None) -> Iterator[None]:
    """While open, every call of this process goes through `instead`, and pauses go to `sleep` (default: none)."""
    with httpx.Client(transport=instead) as client:
        seam = _Seam(client, sleep)
        _seams.append(seam)
        try:
            yield
        finally:
            _seams.remove(seam)


def pause(seconds: float) -> None:
    """Wait before a call is repeated; in tests, whatever the open `transport` says."""
    (_seams[-1].sleep if _seams else time.sleep)(seconds)


def shared_client() -> httpx.Client:
    """The process's one client, made on first use: making one costs about 40 ms of CPU.

    By process id, since connections must not be shared across a fork; a parent's client is left alone, not closed.
    """
    if _seams:
        return _seams[-1].client
    with _making:
        if os.getpid() not in _clients:
            _clients[os.getpid()] = _new_client()
        return _clients[os.getpid()]


def _new_client() -> httpx.Client:
    """A client that passes by the environment's proxies on the way to this machine, where local model servers are."""
    client = httpx.Client(
        mounts=dict.fromkeys(("all://localhost", "all://127.0.0.1", "all://[::1]")),
        follow_redirects=False,
        headers={"User-Agent": "caesar-memory"},
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),  # the web server's threads are a bound
    )
    keep_to_deadlines(client)
    return client


def _open_lock() -> None:
    """A fork may happen while another thread holds the lock; in the child nobody would ever open it."""
    global _making
    _making = threading.Lock()


os.register_at_fork(after_in_child=_open_lock)


# --- one call ---------------------------------------------------------------------------------------------------


def post_json(
    url: str,
    *,
    headers: Mapping[str, str],
    body: JsonObject,
    timeout_seconds: float,
    provider: str,
    connect_seconds: float = CONNECT_SECONDS,
) -> JsonObject:
    """The JSON object a server answers to `body`, whole and within `timeout_seconds`. Raises `LLMError`.

    Keys travel in `headers`; their values are scrubbed from every error text.
    """
    call = Call(server_at(url, headers, provider=provider), Limits(timeout_seconds, connect_seconds))
    payload = call.answer("POST", url, {"Content-Type": "application/json", **headers}, encoded(body))
    if not isinstance(payload, dict):
        raise error_mapping.no_json(call.server, json.dumps(payload))
    return payload


def get_json(
    url: str,
    *,
    headers: Mapping[str, str],
    timeout_seconds: float,
    provider: str,
    connect_seconds: float = CONNECT_SECONDS,
) -> JsonValue:
    """The JSON object or list a server has at `url`, on the terms of `post_json`."""
    call = Call(server_at(url, headers, provider=provider), Limits(timeout_seconds, connect_seconds))
    return call.answer("GET", url, headers)


def ask(route: Route, path: str, *, headers: Mapping[str, str], body: JsonObject) -> JsonObject:
    """The JSON object a route's server answers to `body` at `path`, on the terms of `post_json`."""
    return post_json(
        route.base_url + path,
        headers=headers,
        body=body,
        timeout_seconds=route.timeout_seconds,
        connect_seconds=route.connect_seconds,
        provider=route.provider,
    )


def look(route: Route, path: str, *, headers: Mapping[str, str]) -> JsonValue:
    """The JSON object or list a route's server has at `path`, on the terms of `post_json`."""
    return get_json(
        route.base_url + path,
        headers=headers,
        timeout_seconds=route.timeout_seconds,
        connect_seconds=route.connect_seconds,
        provider=route.provider,
    )


def server_at(url: str, headers: Mapping[str, str], *, provider: str) -> Server:
    """Whom a call asks, with the keys in its headers as secrets."""
    return Server(provider, _host(url), frozenset(value.rpartition(" ")[2] for value in headers.values()))


def _host(url: str) -> str:
    """The host and port in an address, for error texts; "" where it is no address."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""


def encoded(body: JsonObject) -> bytes:
    """`body` as UTF-8 JSON; half of a surrogate pair becomes U+FFFD, since no encoding takes it."""
    return encodable(json.dumps(body, ensure_ascii=False)).encode()


def encodable(text: str) -> str:
    """`text` with surrogate pairs made one character and half pairs U+FFFD, so that it encodes as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


@dataclass(frozen=True)
class Limits:
    """How long one call may take as a whole, to its connection, and in silence (None: as long as the whole)."""

    whole_seconds: float
    connect_seconds: float = CONNECT_SECONDS
    silence_seconds: float | None = None

    def timeout(self) -> httpx.Timeout:
        """The same as httpx has it: its bounds are for each connect, write and read alone."""
        silence = min(self.silence_seconds or self.whole_seconds, self.whole_seconds)
        return httpx.Timeout(silence, connect=min(self.connect_seconds, self.whole_seconds))


@dataclass(frozen=True)
class _Response:
    """What came back."""

    status: int
    headers: httpx.Headers
    body: bytes


class Call:
    """One call, from now on: whom it asks, and how long it may take."""

    def __init__(self, server: Server, limits: Limits) -> None:
        self.server = server
        self.limits = limits
        self.watch = Watch(limits.whole_seconds)

    def answer(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None = None) -> JsonValue:
        """The JSON object or list in the server's answer. Raises `LLMError`."""
        with self.mapping_errors(), self.watch.on_duty():
            response = self._send(method, url, headers, content)
        return payload_in(response.body, self.server, status=response.status, headers=response.headers)

    def _send(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> _Response:
        """The server's answer, read until the deadline at most."""
        timeout = self.limits.timeout()
        with shared_client().stream(method, url, content=content, headers=headers, timeout=timeout) as response:
            return _Response(response.status_code, response.headers, self.body_of(response))

    def body_of(self, response: httpx.Response) -> bytes:
        """The whole body of an answer, up to a bound."""
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MAX_ANSWER_BYTES:
                raise self.too_long()
        return bytes(body)

    def refusal(self, response: httpx.Response, body: bytes) -> LLMError:
        """The error for an answer that is none."""
        text = body[:SAID_BYTES].decode("utf-8", "replace")
        return error_mapping.refusal(
            self.server, status=response.status_code, headers=response.headers, payload=parsed(body), text=text
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
            raise self._cannot_ask() from None
        except httpx.DecodingError:
            raise error_mapping.no_json(self.server, "a body that does not decompress") from None
        except httpx.RequestError:
            raise self.lost() from None

    def too_long(self, what: str = "") -> ServerFault:
        """The error for an answer past every bound."""
        return ServerFault(
            f"{self.server} answered more than {MAX_ANSWER_BYTES >> 20} MiB{what}. Check the base URL.",
            provider=self.server.provider,
            status=200,
        )

    def lost(self) -> ConnectionLost:
        """The error for an answer that broke off."""
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
        """The error for the bound that was passed: of a stream the silence or the whole, of an answer the whole."""
        limits = self.limits
        if limits.silence_seconds is None:
            problem = f"gave no whole answer within {limits.whole_seconds:g} seconds. Raise CAESAR_LLM__TIMEOUT_SECONDS"
        elif self.watch.is_over:
            problem = f"was not done within {limits.whole_seconds:g} seconds. Raise CAESAR_LLM__STREAM_SECONDS"
        else:
            problem = f"sent nothing for {limits.silence_seconds:g} seconds. Raise CAESAR_LLM__FIRST_BYTE_SECONDS"
        return TooSlow(f"{self.server} {problem}, or choose a faster model.", provider=self.server.provider)

    def _cannot_ask(self) -> NotConfigured:
        return NotConfigured(
            f"{self.server} cannot be asked: the base URL is no http(s) address, or the key holds characters that "
            "no header takes. Check both.",
            provider=self.server.provider,
        )


def payload_in(
    body: bytes, server: Server, *, status: int = 200, headers: Mapping[str, str] = _NO_HEADERS
) -> JsonValue:
    """The JSON object or list of a 2xx; raises what anything else stands for, an error inside a 200 included."""
    payload, text = parsed(body), body[:SAID_BYTES].decode("utf-8", "replace")
    if not 200 <= status < 300 or error_mapping.complaint_in(payload):
        raise error_mapping.refusal(server, status=status, headers=headers, payload=payload, text=text)
    if not isinstance(payload, dict | list):
        raise error_mapping.no_json(server, text)
    return payload


def parsed(body: bytes | str) -> JsonValue:
    """The JSON in a body, control characters inside its texts allowed; None where it holds none."""
    try:
        payload: JsonValue = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None
    return payload
