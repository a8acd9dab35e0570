"""The WSGI door: a body that comes in chunks is read like one that comes with its length, up to the limit."""

import io
import json
import socket
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from caesar.server.client_socket import ClientSocket
from caesar.server.receiving import Deadlines, WaitingPlaces
from caesar.server.request import Request
from caesar.wsgi import application
from tests.conftest import Configure

# A request's start and end look after the connections, even where no row is read.
pytestmark = pytest.mark.django_db


@csrf_exempt
def echo(request: HttpRequest) -> HttpResponse:
    """The size of the body; 413 where Django refuses to read it, as the API answers."""
    try:
        return JsonResponse({"size": len(request.body), "start": request.body[:10].decode()})
    except RequestDataTooBig:
        return HttpResponse(status=413)


@csrf_exempt
def who(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.META["REMOTE_ADDR"])


urlpatterns = [path("echo", echo), path("v1/echo", echo), path("who", who)]


class OneChunkAtATime(io.BytesIO):
    """A request body as gunicorn hands it on; remembers how much was asked for."""

    asked = 0

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size >= 0, "a body of unknown length is never read to its end"
        self.asked += size
        return super().read(size)


@pytest.fixture(autouse=True)
def _echo_server(settings: LazySettings) -> None:
    settings.ROOT_URLCONF = __name__
    settings.ALLOWED_HOSTS = ["localhost"]
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    settings.MIDDLEWARE = []


def post(body: io.BytesIO, **environ: Any) -> tuple[int, bytes]:
    """Status and body of the application's answer."""
    statuses: list[str] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        statuses.append(status)

    request: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/echo",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_TYPE": "application/json",
        "wsgi.input": body,
        "wsgi.errors": io.StringIO(),
        "wsgi.url_scheme": "http",
        **environ,
    }
    answer = application(request, start_response)
    return int(statuses[0].split()[0]), b"".join(answer)


def test_it_works() -> None:
    status, answer = post(io.BytesIO(b"hello"), CONTENT_LENGTH="5")
    assert (status, json.loads(answer)) == (200, {"size": 5, "start": "hello"})


@pytest.mark.parametrize("coding", ["chunked", "Chunked", "gzip, chunked"])
@pytest.mark.parametrize("length", [{}, {"CONTENT_LENGTH": ""}])
def test_a_chunked_body_arrives(coding: str, length: dict[str, str]) -> None:
    status, answer = post(OneChunkAtATime(b"x" * 1_000), HTTP_TRANSFER_ENCODING=coding, **length)
    assert status == 200
    assert json.loads(answer)["size"] == 1_000


def test_a_chunked_body_over_the_limit_is_413_and_not_read_to_its_end() -> None:
    body = OneChunkAtATime(b"x" * 100_000)
    status, _ = post(body, HTTP_TRANSFER_ENCODING="chunked")
    assert status == 413
    assert body.asked == 1_001


def test_a_body_over_the_limit_with_its_length_is_413_unread() -> None:
    body = OneChunkAtATime(b"x" * 1_001)
    status, _ = post(body, CONTENT_LENGTH="1001")
    assert (status, body.asked) == (413, 0)


def test_a_length_is_believed_where_there_is_one() -> None:
    status, answer = post(io.BytesIO(b"hello, world"), CONTENT_LENGTH="5", HTTP_TRANSFER_ENCODING="chunked")
    assert (status, json.loads(answer)["size"]) == (200, 5)


def test_an_empty_chunked_body_is_empty() -> None:
    status, answer = post(OneChunkAtATime(b""), HTTP_TRANSFER_ENCODING="chunked")
    assert (status, json.loads(answer)["size"]) == (200, 0)


def test_a_page_takes_less_than_the_api(configure: Configure, settings: LazySettings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000
    configure(server__max_form_bytes=2_000)
    body = {"CONTENT_LENGTH": "2001"}
    assert post(io.BytesIO(b"x" * 2_001), **body)[0] == 413
    assert post(io.BytesIO(b"x" * 2_001), PATH_INFO="/v1/echo", **body)[0] == 200


def test_forms_arrive_in_chunks_too() -> None:
    part = '--b\r\nContent-Disposition: form-data; name="words"\r\n\r\nhello\r\n--b--\r\n'
    request = Request(
        {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": "/echo",
            "CONTENT_TYPE": "multipart/form-data; boundary=b",
            "HTTP_TRANSFER_ENCODING": "chunked",
            "wsgi.input": OneChunkAtATime(part.encode()),
        }
    )
    assert request.POST["words"] == "hello"


# --- whose address ----------------------------------------------------------------------------------------------------

FORWARDED = {"REMOTE_ADDR": "10.0.0.2", "HTTP_X_FORWARDED_FOR": "1.1.1.1, 203.0.113.7"}


def test_a_trusted_proxy_names_the_client(configure: Configure) -> None:
    configure(server__trusted_proxies=("10.0.0.0/8",))
    assert post(io.BytesIO(), PATH_INFO="/who", **FORWARDED) == (200, b"203.0.113.7")


def test_nobody_else_does() -> None:
    assert post(io.BytesIO(), PATH_INFO="/who", **FORWARDED) == (200, b"10.0.0.2")


# --- an unread body ends its connection -------------------------------------------------------------------------------


class Closing:
    """gunicorn's request."""

    is_closing = False

    def force_close(self) -> None:
        self.is_closing = True


@pytest.mark.parametrize(("size", "is_closing"), [(1_000, False), (1_001, True)])
def test_an_unread_body_ends_its_connection(size: int, is_closing: bool) -> None:
    ours, theirs = socket.socketpair()
    with theirs, ClientSocket(ours, Deadlines(1, 1), WaitingPlaces(2), on_close=lambda: None) as client:
        request = Closing()
        client.begin_answer(request, owes_continue=False)
        post(io.BytesIO(b"x" * size), CONTENT_LENGTH=str(size), **{"gunicorn.socket": client})
        assert request.is_closing is is_closing
