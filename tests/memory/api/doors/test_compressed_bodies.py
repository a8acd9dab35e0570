"""`Content-Encoding` on a request: gzip and deflate are read, what is not is told so in words of encodings."""

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest

from caesar.server.request import Request
from memory.api import api as memory_api
from memory.api.parsing import StrictJSON
from memory.models import AuditRow
from tests.conftest import ApiClient

BODY = json.dumps({"messages": [{"role": "user", "content": "I live in Narvik."}], "reply": "ok"}).encode()


def send(api: ApiClient, body: bytes, encoding: str) -> Any:
    headers = api.headers | {"Content-Encoding": encoding}
    return api.client.post("/v1/memory/chats", data=body, content_type="application/json", headers=headers)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [("gzip", gzip.compress(BODY, mtime=0)), ("deflate", zlib.compress(BODY)), ("identity", BODY)],
    ids=["gzip", "deflate", "identity"],
)
def test_it_works(api: ApiClient, encoding: str, body: bytes) -> None:
    assert send(api, body, encoding).status_code == 201
    assert AuditRow.objects.get().payload["reply"] == "ok"


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip"])
def test_another_encoding_is_415_and_names_the_header(api: ApiClient, encoding: str) -> None:
    response = send(api, BODY, encoding)
    assert response.status_code == 415
    assert f"Content-Encoding: {encoding}" in response.json()["error"]["message"]
    assert response["Accept-Encoding"] == "gzip, deflate"


def test_a_body_that_is_not_what_it_says_is_400_and_names_the_header(api: ApiClient) -> None:
    for body in (BODY, gzip.compress(BODY)[:-3], b""):
        response = send(api, body, "gzip")
        assert response.status_code == 400
        assert body == b"" or "Content-Encoding" in response.json()["error"]["message"]


def test_the_limit_counts_the_unpacked_body(api: ApiClient, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100_000
    response = send(api, gzip.compress(b" " * 100_000 + BODY), "gzip")
    assert response.status_code == 413
    assert "CAESAR_API__MAX_BODY_BYTES" in response.json()["error"]["message"]
    assert not AuditRow.objects.exists()


def calls_with_a_body() -> Iterator[tuple[str, str]]:
    """Each call of the API that takes JSON, as its own document has them: method and path."""
    for path, calls in memory_api.get_openapi_schema()["paths"].items():
        yield from ((method, re.sub(r"{\w+}", "1", path)) for method, call in calls.items() if "requestBody" in call)


def test_every_call_that_takes_a_body_unpacks_it_and_refuses_what_it_cannot(api: ApiClient, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100_000
    calls = list(calls_with_a_body())
    assert len(calls) >= 6
    bodies = {
        415: ("zstd", BODY),
        400: ("gzip", gzip.compress(BODY)[:-9]),
        413: ("gzip", gzip.compress(b" " * 100_001)),
    }
    for method, path in calls:
        for status, (encoding, body) in bodies.items():
            headers = api.headers | {"Content-Encoding": encoding}
            response = api.client.generic(method, path, body, content_type="application/json", headers=headers)
            assert (response.status_code, path) == (status, path)
            assert ("Content-Encoding" if status != 413 else "MAX_BODY_BYTES") in response.json()["error"]["message"]
        headers = api.headers | {"Content-Encoding": "gzip"}
        read = api.client.generic(
            method, path, gzip.compress(b'["no object"]'), content_type="application/json", headers=headers
        )
        in_its_shape = 400 if path.startswith("/v1/messages") else 422  # Anthropic has no other for a body
        assert (read.status_code, path) == (in_its_shape, path)
    assert not AuditRow.objects.exists()


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("path", ["/v1/memory/chats", "/mcp"])
def test_our_own_server_unpacks_while_it_receives(settings: Any, chunked: bool, path: str) -> None:
    packed = gzip.compress(BODY + b" " * 1_000_000)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "CONTENT_TYPE": "application/json",
        "HTTP_CONTENT_ENCODING": "gzip",
        "wsgi.input": BytesIO(packed),
    }
    environ |= {"HTTP_TRANSFER_ENCODING": "chunked"} if chunked else {"CONTENT_LENGTH": str(len(packed))}
    request = Request(environ)
    assert StrictJSON().parse_body(request) == json.loads(BODY)
    assert request._held_bytes == len(BODY) + 1_000_000, "it counts as a large body"
    request.close()
    assert request._held_bytes == 0
