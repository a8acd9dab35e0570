import os
import threading
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler

import httpx
import pytest

from memory.llm.errors import (
    AccessDenied,
    BadAnswer,
    ConnectionLost,
    LLMError,
    NotConfigured,
    NotFound,
    Outage,
    RateLimited,
    RequestRefused,
    ServerFault,
    TooSlow,
    Truncated,
    Unreachable,
    scrubbed,
)
from memory.llm.http import client
from memory.llm.http.client import JsonObject
from memory.llm.http.error_mapping import retry_after_seconds
from tests.memory.llm.local_server import local_server
from tests.memory.llm.routes import route_to

KEY = "sk-live-0123456789abcdefghij"


def post(answer: httpx.Response | Exception, *, key: str = KEY) -> JsonObject:
    """What `client.post` makes of one answer."""

    def handle(request: httpx.Request) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    with client.transport(httpx.MockTransport(handle)):
        return post_to("http://llm.test/v1/x", key=key)


def post_to(url: str, *, key: str = KEY, timeout_seconds: float = 5.0) -> JsonObject:
    route = route_to(url, timeout_seconds=timeout_seconds)
    return client.post(route, "", headers={"Authorization": f"Bearer {key}"}, body={"a": "b"})


def test_it_works() -> None:
    assert post(httpx.Response(200, json={"a": [1, None]})) == {"a": [1, None]}


def test_what_is_got_may_be_a_list() -> None:
    with client.transport(httpx.MockTransport(lambda request: httpx.Response(200, json=[request.method]))):
        assert client.get(route_to("http://llm.test/v1"), "/x", headers={}) == ["GET"]


def test_what_is_got_is_refused_as_what_is_posted() -> None:
    refusal = httpx.Response(401, json={"error": {"message": f"no such key: {KEY}"}})
    with client.transport(httpx.MockTransport(lambda request: refusal)), pytest.raises(AccessDenied) as raised:
        client.get(route_to("http://llm.test/v1", provider="anthropic"), "/x", headers={"x-api-key": KEY})
    assert KEY not in str(raised.value)


# --- statuses ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, RequestRefused),
        (401, AccessDenied),
        (402, AccessDenied),
        (403, AccessDenied),
        (404, NotFound),
        (405, NotFound),
        (408, TooSlow),
        (409, RequestRefused),
        (413, RequestRefused),
        (422, RequestRefused),
        (429, RateLimited),
        (500, ServerFault),
        (503, ServerFault),
        (529, ServerFault),
        (307, NotFound),
    ],
)
def test_each_status_is_one_kind_of_error(status: int, kind: type[LLMError]) -> None:
    with pytest.raises(LLMError) as raised:
        post(httpx.Response(status, json={"error": {"message": "No.", "code": None}}))
    assert type(raised.value) is kind
    assert raised.value.status == status
    assert raised.value.provider == "openai"
    assert str(raised.value).startswith(f"openai at llm.test answered {status}: No. ")


def test_outages_hold_and_the_rest_is_permanent() -> None:
    assert not Outage.permanent
    outages = (NotConfigured, Unreachable, ConnectionLost, TooSlow, RateLimited, ServerFault, AccessDenied, NotFound)
    assert all(issubclass(kind, Outage) and not kind.permanent for kind in outages)
    assert all(kind.permanent for kind in (RequestRefused, BadAnswer, Truncated))
    assert issubclass(Truncated, BadAnswer)


@pytest.mark.parametrize(
    ("error", "kind", "status"),
    [
        ({"message": "Rate limit exceeded: free-models-per-day", "code": 429}, RateLimited, 429),
        ({"message": "slow down", "code": "429"}, RateLimited, 429),
        ({"message": "quota", "type": "insufficient_quota", "code": None}, RateLimited, 429),
        ({"message": "who are you", "code": "invalid_api_key"}, AccessDenied, 401),
        ({"message": "broken", "code": 502}, ServerFault, 502),
        ({"message": "too long", "code": "context_length_exceeded"}, RequestRefused, 400),
        ({"message": "odd", "code": "purple"}, ServerFault, 200),
        ({"odd": True}, ServerFault, 200),
        ("it broke", ServerFault, 200),
        (["it broke"], ServerFault, 200),
    ],
)
def test_an_error_inside_a_200_counts_by_the_code_inside(error: object, kind: type[LLMError], status: int) -> None:
    with pytest.raises(LLMError) as raised:
        post(httpx.Response(200, json={"error": error, "choices": None}))
    assert type(raised.value) is kind
    assert raised.value.status == status
    assert "answered 200 with an error inside" in str(raised.value)


def test_an_error_that_is_null_is_no_error() -> None:
    assert post(httpx.Response(200, json={"error": None, "choices": []})) == {"error": None, "choices": []}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"error": {"message": "API key not valid. Please pass one.", "status": "INVALID_ARGUMENT"}}, AccessDenied),
        ([{"error": {"message": "Quota exceeded", "code": 400, "status": "RESOURCE_EXHAUSTED"}}], RateLimited),
        ({"error": {"message": "no such model", "type": "model_not_found"}}, NotFound),
        ({"error": {"message": "try again", "code": "rate_limit_exceeded"}}, RateLimited),
        ({"error": {"message": "server_error", "code": 500}}, RequestRefused),
        ({"detail": "messages: field required"}, RequestRefused),
    ],
)
def test_a_400_about_the_account_is_an_outage_and_costs_no_row_an_attempt(body: object, kind: type[LLMError]) -> None:
    with pytest.raises(LLMError) as raised:
        post(httpx.Response(400, json=body))
    assert type(raised.value) is kind


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (httpx.Response(404, json={"detail": "Not Found"}), "Not Found. Check the base URL"),
        (httpx.Response(422, json={"detail": [{"loc": ["body"], "msg": "odd"}]}), '"msg":"odd"'),
        (httpx.Response(500, json={"message": "out of memory"}), "out of memory."),
        (httpx.Response(500, text=""), "no reason given."),
        (httpx.Response(502, html="<!doctype html><title>Bad Gateway</title><p>nginx"), "an HTML page (Bad Gateway)."),
        (httpx.Response(503, html="<html><body>down"), "an HTML page."),
        (httpx.Response(500, content=b"\xff\xfe broken \x00"), "answered 500"),
        (httpx.Response(308, headers={"location": "https://llm.test/v1"}), "a redirect to https://llm.test/v1"),
        (httpx.Response(500, json=["a", "b"]), '["a","b"]'),
        (httpx.Response(500, json={"error": {"code": "odd"}}), "500: odd."),
    ],
)
def test_the_message_says_what_the_server_said(response: httpx.Response, words: str) -> None:
    with pytest.raises(LLMError) as raised:
        post(response)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, html="<html><title>Sign in</title></html>"),
        httpx.Response(200, text="data: {}\n\n"),
        httpx.Response(200, text='{"choices": ['),
        httpx.Response(200, text=""),
        httpx.Response(200, json=["a"]),
        httpx.Response(200, json=None),
        httpx.Response(200, text="[" * 100_000),
        httpx.Response(204),
    ],
)
def test_a_200_without_a_json_object_is_a_server_fault(response: httpx.Response) -> None:
    with pytest.raises(ServerFault, match=r"no JSON object: .*Check the base URL"):
        post(response)


def test_an_answer_that_does_not_decompress_is_a_server_fault() -> None:
    response = httpx.Response(200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(b"not gzip"))
    with pytest.raises(ServerFault):
        post(response)


def test_an_endless_answer_is_given_up() -> None:
    response = httpx.Response(200, stream=httpx.ByteStream(b" " * (client.MAX_ANSWER_BYTES + 1)))
    with pytest.raises(ServerFault, match="more than 16 MiB"):
        post(response)


# --- retry-after ------------------------------------------------------------------------------------------------

NOW = datetime(2026, 5, 20, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        (" 0.5 ", 0.5),
        ("999999", 3600.0),
        ("Wed, 20 May 2026 09:00:30 GMT", 30.0),
        ("Wed, 20 May 2026 08:00:00 GMT", 0.0),
        ("Wed, 20 May 2026 09:00:30", 30.0),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("\u0667", None),
        (None, None),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_bounded(header: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(header, now=NOW) == seconds


def test_retry_after_comes_with_the_error() -> None:
    with pytest.raises(RateLimited) as raised:
        post(httpx.Response(429, headers={"Retry-After": "12"}, json={}))
    assert raised.value.retry_after_seconds == 12


# --- secrets ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"Incorrect API key provided: {KEY}.",
        f"Authorization: Bearer {KEY}",
        f'{{"headers": {{"authorization": "Bearer {KEY}"}}}}',
        "bearer abc.def",
        "You sent sk-proj-abc123",
        "wrong key sk-ab***********wxyz",
        "api_key=hunter2hunter2&x=1",
        '"x-api-key": "hunter2hunter2"',
        "token: hunter2hunter2",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9abc in the log",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "https://user:hunter2hunter2@llm.test/v1",
    ],
)
def test_keys_are_scrubbed_from_what_a_server_says(text: str) -> None:
    clean = scrubbed(text)
    for secret in (KEY, "abc.def", "abc123", "wxyz", "hunter2", "eyJ", "9f86"):
        assert secret not in clean
    assert "[removed]" in clean


def test_plain_words_are_not_scrubbed() -> None:
    said = "Rate limit exceeded for model llama-3.1-70b-instruct: max_tokens 1024, try again in 20s. Key question: why?"
    assert scrubbed(said).startswith("Rate limit exceeded for model llama-3.1-70b-instruct: max_tokens 1024, try again")


def test_the_key_that_was_sent_is_in_no_error() -> None:
    odd_key = "plainwordsonlywithoutanyshape"
    response = httpx.Response(401, json={"error": {"message": f"We do not know {odd_key}"}})
    with pytest.raises(AccessDenied) as raised:
        post(response, key=odd_key)
    assert str(raised.value).startswith("openai at llm.test answered 401: We do not know [removed].")


def test_a_long_body_is_cut_after_it_was_scrubbed() -> None:
    assert len(scrubbed("word " * 100_000)) <= 303
    assert KEY[:8] not in scrubbed("x" * 296 + " " + KEY)
    assert scrubbed("a\n\tb") == "a b"


# --- the way out ------------------------------------------------------------------------------------------------


def test_half_a_surrogate_pair_is_replaced_on_the_way_out() -> None:
    assert client.encoded({"a": "weather \ud83c today"}) == '{"a": "weather \ufffd today"}'.encode()
    assert client.encoded({"a": "\ud83d\ude00"}) == '{"a": "\U0001f600"}'.encode()


# --- foreign errors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx.ConnectError("[Errno 111] Connection refused"), Unreachable),
        (httpx.ConnectTimeout("slow"), Unreachable),
        (httpx.PoolTimeout("full"), Unreachable),
        (httpx.ProxyError("no"), Unreachable),
        (httpx.ReadTimeout("slow"), TooSlow),
        (httpx.WriteTimeout("slow"), TooSlow),
        (httpx.ReadError("reset"), ConnectionLost),
        (httpx.RemoteProtocolError("Server disconnected"), ConnectionLost),
        (httpx.LocalProtocolError("Illegal header value"), NotConfigured),
    ],
)
def test_each_failure_of_the_wire_is_one_kind_of_error(error: Exception, kind: type[LLMError]) -> None:
    with pytest.raises(LLMError) as raised:
        post(error)
    assert type(raised.value) is kind
    assert "openai at llm.test" in str(raised.value)


@pytest.mark.parametrize("url", ["llm.test/v1", "ftp://llm.test", "http://[broken", "http://a b/"])
def test_an_address_that_is_none_is_a_configuration_error(url: str) -> None:
    with pytest.raises(LLMError) as raised:
        post_to(url, timeout_seconds=0.2)
    assert isinstance(raised.value, NotConfigured | Unreachable)


# --- a real server ----------------------------------------------------------------------------------------------


def _answer(body: bytes, *, status: int = 200) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    return answer


def test_a_real_server_is_asked_and_read() -> None:
    with local_server(_answer(b'\xef\xbb\xbf\n\n{"a": "\xc3\xa9"}')) as url:
        assert post_to(url) == {"a": "\xe9"}
        assert post_to(url) == {"a": "\xe9"}


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with local_server(_answer(b"{}")) as url:
        pass
    with pytest.raises(Unreachable, match=r"cannot be reached: .*refused"):
        post_to(url)


def test_a_server_that_says_nothing_is_too_slow() -> None:
    done = threading.Event()
    with local_server(lambda request: None if done.wait(5) else None) as url:
        with pytest.raises(TooSlow, match=r"within 0\.1 seconds"):
            post_to(url, timeout_seconds=0.1)
        done.set()


@pytest.mark.parametrize("drips", [True, False])
@pytest.mark.parametrize("header", ["Content-Length: 1000000", "X-Length: unknown"])
def test_an_answer_that_never_gets_whole_ends_at_the_deadline(drips: bool, header: str) -> None:
    gone = threading.Event()

    def drip(request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        request.wfile.write(f"HTTP/1.1 200 OK\r\n{header}\r\nConnection: close\r\n\r\n".encode())
        while not gone.wait(0.02):
            request.wfile.write(b" " if drips else b"")

    started = datetime.now(UTC)
    with local_server(drip) as url:
        with pytest.raises(TooSlow):
            post_to(url, timeout_seconds=0.3)
        gone.set()
    assert (datetime.now(UTC) - started).total_seconds() < 1.5


def test_a_connection_closed_in_the_middle_is_lost() -> None:
    def hang_up(request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")

    with local_server(hang_up) as url, pytest.raises(ConnectionLost):
        post_to(url)


def test_a_connection_closed_without_a_word_is_lost() -> None:
    def hang_up(request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True

    with local_server(hang_up) as url, pytest.raises(ConnectionLost):
        post_to(url)


def test_a_redirect_is_not_followed_with_the_key() -> None:
    asked: list[str] = []

    def redirect(request: BaseHTTPRequestHandler) -> None:
        asked.append(request.path)
        request.send_response(302)
        request.send_header("Location", "/elsewhere")
        request.send_header("Content-Length", "0")
        request.end_headers()

    with local_server(redirect) as url, pytest.raises(NotFound, match="a redirect to /elsewhere"):
        post_to(f"{url}/here")
    assert asked == ["/here"]


# --- the client -------------------------------------------------------------------------------------------------


def test_threads_share_one_client() -> None:
    found: list[httpx.Client] = []
    threads = [threading.Thread(target=lambda: found.append(client.shared_client())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(client) for client in found}) == 1


def test_a_forked_process_makes_its_own_client() -> None:
    parents = client.shared_client()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os._exit(0 if client.shared_client() is not parents else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert client.shared_client() is parents


def test_the_test_transport_is_gone_after_its_block() -> None:
    with client.transport(httpx.MockTransport(lambda request: httpx.Response(200))):
        inside = client.shared_client()
    assert client.shared_client() is not inside
