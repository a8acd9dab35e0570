"""JSON over HTTP to a model server: one client per process, a deadline for the whole answer, one mapping of errors.

Nothing but `LLMError` leaves `post_json` and `get_json`. Tests put their own transport in place with
`transport(...)`, the one seam.
"""

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx
from pydantic import JsonValue

from memory.llm import failures
from memory.llm.errors import ConnectionLost, NotConfigured, ServerFault, TooSlow, Unreachable
from memory.llm.failures import Server

JsonObject = dict[str, JsonValue]

MAX_ANSWER_BYTES = 16 * 1024 * 1024
CONNECT_SECONDS = 10.0


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
    here = dict.fromkeys(("all://localhost", "all://127.0.0.1", "all://[::1]"))
    return httpx.Client(mounts=here, follow_redirects=False, headers={"User-Agent": "caesar-memory"})


def _open_lock() -> None:
    """A fork may happen while another thread holds the lock; in the child nobody would ever open it."""
    global _making
    _making = threading.Lock()


os.register_at_fork(after_in_child=_open_lock)


# --- one call ---------------------------------------------------------------------------------------------------


def post_json(
    url: str, *, headers: Mapping[str, str], body: JsonObject, timeout_seconds: float, provider: str
) -> JsonObject:
    """The JSON object a server answers to `body`, whole and within `timeout_seconds`. Raises `LLMError`.

    Keys travel in `headers`; their values are scrubbed from every error text.
    """
    call = _call(url, headers, timeout_seconds=timeout_seconds, provider=provider)
    payload = call.answer("POST", url, {"Content-Type": "application/json", **headers}, encoded(body))
    if not isinstance(payload, dict):
        raise failures.no_json(call.server, json.dumps(payload))
    return payload


def get_json(url: str, *, headers: Mapping[str, str], timeout_seconds: float, provider: str) -> JsonValue:
    """The JSON object or list a server has at `url`, on the terms of `post_json`."""
    return _call(url, headers, timeout_seconds=timeout_seconds, provider=provider).answer("GET", url, headers)


def _call(url: str, headers: Mapping[str, str], *, timeout_seconds: float, provider: str) -> "_Call":
    secrets = frozenset(value.rpartition(" ")[2] for value in headers.values())
    return _Call(Server(provider, _host(url), secrets), timeout_seconds, time.monotonic() + timeout_seconds)


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
class _Response:
    """What came back."""

    status: int
    headers: httpx.Headers
    body: bytes


@dataclass(frozen=True)
class _Call:
    """One call: whom it asks, and until when (`deadline` on the monotonic clock)."""

    server: Server
    timeout_seconds: float
    deadline: float

    def answer(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None = None) -> JsonValue:
        """The JSON object or list in the server's answer. Raises `LLMError`."""
        with self.mapping_errors():
            response = self.send(method, url, headers, content)
        return _payload_in(response, self.server)

    def send(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> _Response:
        """The server's answer, read until the deadline at most."""
        timeout = httpx.Timeout(self.timeout_seconds, connect=min(CONNECT_SECONDS, self.timeout_seconds))
        with (
            shared_client().stream(method, url, content=content, headers=headers, timeout=timeout) as response,
            _hung_up_at(self.deadline, response),
        ):
            return _Response(response.status_code, response.headers, self._body_of(response))

    def _body_of(self, response: httpx.Response) -> bytes:
        """The body, piece by piece: a read timeout alone lets a server that drips bytes go on for ever."""
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if self._is_over():
                break
            if len(body) > MAX_ANSWER_BYTES:
                raise ServerFault(
                    f"{self.server} answered more than {MAX_ANSWER_BYTES >> 20} MiB. Check the base URL.",
                    provider=self.server.provider,
                    status=response.status_code,
                )
        if self._is_over():  # asked after the end as well: a body of unknown length seems to end when we hang up
            raise self._too_slow()
        return bytes(body)

    def _is_over(self) -> bool:
        return time.monotonic() >= self.deadline

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
            raise failures.no_json(self.server, "a body that does not decompress") from None
        except httpx.RequestError:
            raise self._too_slow() if self._is_over() else self._lost() from None

    def _unreachable(self, error: httpx.RequestError) -> Unreachable:
        reason = self.server.scrubbed(str(error)) or "no connection in time"
        return Unreachable(
            f"{self.server} cannot be reached: {reason}. Check that it runs, and the base URL.",
            provider=self.server.provider,
        )

    def _too_slow(self) -> TooSlow:
        return TooSlow(
            f"{self.server} gave no whole answer within {self.timeout_seconds:g} seconds. "
            "Raise CAESAR_LLM__TIMEOUT_SECONDS, or choose a faster model.",
            provider=self.server.provider,
        )

    def _cannot_ask(self) -> NotConfigured:
        return NotConfigured(
            f"{self.server} cannot be asked: the base URL is no http(s) address, or the key holds characters that "
            "no header takes. Check both.",
            provider=self.server.provider,
        )

    def _lost(self) -> ConnectionLost:
        return ConnectionLost(
            f"{self.server} closed the connection before the answer was whole. Try again later; if it stays, look "
            "into the server's log.",
            provider=self.server.provider,
        )


@contextmanager
def _hung_up_at(deadline: float, response: httpx.Response) -> Iterator[None]:
    """While open, the connection is cut at the deadline: else silence after a first byte gets a read timeout more."""
    stream = response.extensions.get("network_stream")
    timer = threading.Timer(
        max(deadline - time.monotonic(), 0.0), _hang_up, [stream and stream.get_extra_info("socket")]
    )
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _hang_up(connection: socket.socket | None) -> None:
    """Wakes the reading thread with an end of file. The plain socket's method: TLS's would drop its state under it."""
    if connection is not None:
        with suppress(OSError):
            socket.socket.shutdown(connection, socket.SHUT_RDWR)


def _payload_in(response: _Response, server: Server) -> JsonValue:
    """The JSON object or list of a 2xx; raises what anything else stands for, an error inside a 200 included."""
    payload, text = _parsed(response.body), response.body[:65_536].decode("utf-8", "replace")
    if not 200 <= response.status < 300 or failures.complaint_in(payload):
        raise failures.refusal(server, status=response.status, headers=response.headers, payload=payload, text=text)
    if not isinstance(payload, dict | list):
        raise failures.no_json(server, text)
    return payload


def _parsed(body: bytes) -> JsonValue:
    """The JSON in a body; None where it holds none."""
    try:
        payload: JsonValue = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return payload
