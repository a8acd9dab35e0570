"""What each refusal is turned into: the kind of error, its wait, and a text without keys."""

import html
import json
from base64 import b64encode
from datetime import UTC, datetime
from urllib.parse import quote

import httpx
import pytest

from memory.llm import errors
from memory.llm.errors import scrubbed
from memory.llm.http import client
from memory.llm.http.error_mapping import retry_after_seconds
from tests.memory.llm.http.posting import KEY, post

ODD_KEY = 'plain"words"&no/shape'

# --- statuses ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, errors.RequestRefused),
        (401, errors.AccessDenied),
        (402, errors.AccessDenied),
        (403, errors.AccessDenied),
        (404, errors.NotFound),
        (405, errors.NotFound),
        (408, errors.TooSlow),
        (409, errors.RequestRefused),
        (413, errors.RequestRefused),
        (422, errors.RequestRefused),
        (429, errors.RateLimited),
        (500, errors.ServerFault),
        (503, errors.ServerFault),
        (529, errors.ServerFault),
        (307, errors.NotFound),
    ],
)
def test_each_status_is_one_kind_of_error(status: int, kind: type[errors.LLMError]) -> None:
    with pytest.raises(errors.LLMError) as raised:
        post(httpx.Response(status, json={"error": {"message": "No.", "code": None}}))
    assert type(raised.value) is kind
    assert raised.value.status == status
    assert raised.value.provider == "openai"
    assert str(raised.value).startswith(f"openai at llm.test answered {status}: No. ")


def test_outages_hold_and_the_rest_is_permanent() -> None:
    assert not errors.Outage.permanent
    outages = (
        errors.NotConfigured,
        errors.Unreachable,
        errors.ConnectionLost,
        errors.TooSlow,
        errors.RateLimited,
        errors.ServerFault,
        errors.AccessDenied,
        errors.NotFound,
    )
    assert all(issubclass(kind, errors.Outage) and not kind.permanent for kind in outages)
    assert all(kind.permanent for kind in (errors.RequestRefused, errors.BadAnswer, errors.Truncated))
    assert issubclass(errors.Truncated, errors.BadAnswer)


@pytest.mark.parametrize(
    ("error", "kind", "status"),
    [
        ({"message": "Rate limit exceeded: free-models-per-day", "code": 429}, errors.RateLimited, 429),
        ({"message": "slow down", "code": "429"}, errors.RateLimited, 429),
        ({"message": "quota", "type": "insufficient_quota", "code": None}, errors.RateLimited, 429),
        ({"message": "who are you", "code": "invalid_api_key"}, errors.AccessDenied, 401),
        ({"message": "broken", "code": 502}, errors.ServerFault, 502),
        ({"message": "too long", "code": "context_length_exceeded"}, errors.RequestRefused, 400),
        ({"message": "odd", "code": "purple"}, errors.ServerFault, 200),
        ({"odd": True}, errors.ServerFault, 200),
        ("it broke", errors.ServerFault, 200),
        (["it broke"], errors.ServerFault, 200),
    ],
)
def test_an_error_inside_a_200_counts_by_the_code_inside(
    error: object, kind: type[errors.LLMError], status: int
) -> None:
    with pytest.raises(errors.LLMError) as raised:
        post(httpx.Response(200, json={"error": error, "choices": None}))
    assert type(raised.value) is kind
    assert raised.value.status == status
    assert "answered 200 with an error inside" in str(raised.value)


def test_an_error_that_is_null_is_no_error() -> None:
    assert post(httpx.Response(200, json={"error": None, "choices": []})) == {"error": None, "choices": []}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (
            {"error": {"message": "API key not valid. Please pass one.", "status": "INVALID_ARGUMENT"}},
            errors.AccessDenied,
        ),
        ([{"error": {"message": "Quota exceeded", "code": 400, "status": "RESOURCE_EXHAUSTED"}}], errors.RateLimited),
        ({"error": {"message": "no such model", "type": "model_not_found"}}, errors.NotFound),
        ({"error": {"message": "try again", "code": "rate_limit_exceeded"}}, errors.RateLimited),
        ({"error": {"message": "server_error", "code": 500}}, errors.RequestRefused),
        ({"detail": "messages: field required"}, errors.RequestRefused),
    ],
)
def test_a_400_about_the_account_is_an_outage_and_costs_no_row_an_attempt(
    body: object, kind: type[errors.LLMError]
) -> None:
    with pytest.raises(errors.LLMError) as raised:
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
    with pytest.raises(errors.LLMError) as raised:
        post(response)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, html="<html><title>Sign in</title></html>"),
        httpx.Response(200, text='{"choices": ['),
        httpx.Response(200, text=""),
        httpx.Response(200, json=["a"]),
        httpx.Response(200, json=None),
        httpx.Response(200, text="[" * 100_000),
        httpx.Response(204),
    ],
)
def test_a_200_without_a_json_object_is_a_server_fault(response: httpx.Response) -> None:
    with pytest.raises(errors.ServerFault, match=r"no JSON object: .*Check the base URL"):
        post(response)


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="data: {}\n\n"),
        httpx.Response(200, text=": ping\n\nevent: x\ndata: 1\n\n"),
        httpx.Response(200, headers={"content-type": "text/event-stream; charset=utf-8"}, text="retry: 3\n\n"),
        httpx.Response(200, headers={"content-type": "application/x-ndjson"}, text='{"a": 1}\n{"a": 2}\n'),
    ],
)
def test_a_stream_nobody_asked_for_is_named_as_one(response: httpx.Response) -> None:
    with pytest.raises(errors.ServerFault, match="streams although it was asked for one whole answer") as raised:
        post(response)
    assert "base URL" not in str(raised.value)


def test_an_answer_that_does_not_decompress_is_a_server_fault() -> None:
    response = httpx.Response(200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(b"not gzip"))
    with pytest.raises(errors.ServerFault):
        post(response)


def test_an_endless_answer_is_given_up() -> None:
    response = httpx.Response(200, stream=httpx.ByteStream(b" " * (client.MAX_ANSWER_BYTES + 1)))
    with pytest.raises(errors.ServerFault, match="more than 16 MiB"):
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
    with pytest.raises(errors.RateLimited) as raised:
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
    with pytest.raises(errors.AccessDenied) as raised:
        post(response, key=odd_key)
    assert str(raised.value).startswith("openai at llm.test answered 401: We do not know [removed].")


@pytest.mark.parametrize(
    "written",
    [quote(ODD_KEY, safe=""), json.dumps(ODD_KEY)[1:-1], html.escape(ODD_KEY), b64encode(ODD_KEY.encode()).decode()]
    + [ODD_KEY[:8], ODD_KEY[-8:], "pla...ape", b64encode(f"user:{ODD_KEY}".encode()).decode()],
)
def test_nor_is_it_in_another_form_or_in_part(written: str) -> None:
    for status, answer in ((401, {"error": {"message": f"We do not know {written}"}}), (500, f"Boom: {written}")):
        response = (
            httpx.Response(status, json=answer) if isinstance(answer, dict) else httpx.Response(status, text=answer)
        )
        with pytest.raises(errors.LLMError) as raised:
            post(response, key=ODD_KEY)
        assert written not in str(raised.value)
        assert "[removed]" in str(raised.value)


def test_a_header_that_is_no_key_may_be_named() -> None:
    server = client.server_at("http://llm.test", {"anthropic-version": "2023-06-01"}, provider="anthropic")
    assert server.scrubbed("use 2023-06-01") == "use 2023-06-01"


def test_a_long_body_is_cut_after_it_was_scrubbed() -> None:
    assert len(scrubbed("word " * 100_000)) <= 303
    assert KEY[:8] not in scrubbed("x" * 296 + " " + KEY)
    assert scrubbed("a\n\tb") == "a b"
