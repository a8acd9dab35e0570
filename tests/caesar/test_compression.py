"""Pages are compressed; answers of the API, and above all what it streams, are not."""

import gzip
from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from caesar.middleware import PageGZipMiddleware
from tests.dashboard.helpers import find_elements

GZIP = {"Accept-Encoding": "gzip"}
LONG = "<p>words</p>" * 100


def answered(response: HttpResponse | StreamingHttpResponse) -> HttpResponse | StreamingHttpResponse:
    request: HttpRequest = RequestFactory().get("/", headers=GZIP)
    return PageGZipMiddleware(lambda _: response)(request)


def test_it_works() -> None:
    packed = answered(HttpResponse(LONG))
    assert isinstance(packed, HttpResponse)
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content).decode() == LONG
    assert len(packed.content) < len(LONG) / 2
    assert "Accept-Encoding" in packed["Vary"]


def test_answers_of_the_api_stay_as_they_are() -> None:
    assert "Content-Encoding" not in answered(HttpResponse('{"a": 1}' * 100, content_type="application/json"))


@pytest.mark.parametrize("kind", ["text/event-stream", "text/html"])
def test_what_is_streamed_comes_piece_by_piece(kind: str) -> None:
    sent: list[int] = []

    def pieces() -> Iterator[bytes]:
        for number in range(3):
            sent.append(number)
            yield b"data: word\n\n" * 50

    response = answered(StreamingHttpResponse(pieces(), content_type=kind))
    assert isinstance(response, StreamingHttpResponse)
    assert "Content-Encoding" not in response
    stream = iter(response.streaming_content)
    next(stream)
    assert sent == [0], "the second piece is not made before the first has gone"


@pytest.mark.django_db
def test_a_page_is_compressed_and_its_token_is_another_each_time(operator: Client) -> None:
    pages = [operator.get("/dashboard/facts", headers=GZIP) for _ in range(2)]
    assert [page["Content-Encoding"] for page in pages] == ["gzip", "gzip"]
    plain = [HttpResponse(gzip.decompress(page.content)) for page in pages]
    tokens = {find_elements(page, "input", name="csrfmiddlewaretoken")[0]["value"] for page in plain}
    assert len(tokens) == 2, "so that no length of an answer gives it away"
