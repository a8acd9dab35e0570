"""What a body may not be: 400 where it is no JSON, 422 with the place where a value has the wrong shape."""

import json
from typing import Any

import pytest

from memory.models import AuditRow
from tests.conftest import ApiClient

MESSAGE = {"role": "user", "content": "Hi"}


def post_raw(api: ApiClient, body: bytes, content_type: str = "application/json") -> tuple[int, dict[str, Any]]:
    response = api.client.post("/v1/chat", data=body, content_type=content_type, headers=api.headers)
    assert response["Content-Type"].startswith("application/json")
    assert set(response.json()["error"]) == {"message", "type", "param", "code"}
    return response.status_code, response.json()["error"]


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "messages"),
        ({"messages": None}, "messages"),
        ({"messages": "Hi"}, "messages"),
        ({"messages": {}}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": ["Hi"]}, "messages[0]"),
        ({"messages": [{"content": "Hi"}]}, "messages[0].role"),
        ({"messages": [{"role": "User", "content": "Hi"}]}, "messages[0].role"),
        ({"messages": [{"role": 1, "content": "Hi"}]}, "messages[0].role"),
        ({"messages": [{"role": "user"}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": None}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": 7}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": {"text": "Hi"}}]}, "messages[0].content"),
        ({"messages": [MESSAGE, {"role": "user", "content": [{"text": "Hi"}, "Hi"]}]}, "messages[1].content[1]"),
        ({"messages": [{"role": "assistant", "content": "Hi"}]}, "messages"),
        ({"messages": [MESSAGE], "model": 7}, "model"),
        ({"messages": [MESSAGE], "model": "m" * 300}, "model"),
        ({"messages": [MESSAGE], "max_tokens": "7"}, "max_tokens"),
        ({"messages": [MESSAGE], "max_tokens": 7.5}, "max_tokens"),
        ({"messages": [MESSAGE], "max_tokens": True}, "max_tokens"),
        ({"messages": [MESSAGE], "max_tokens": 0}, "max_tokens"),
        ({"messages": [MESSAGE], "max_tokens": 10**30}, "max_tokens"),
        ({"messages": [MESSAGE], "memory": "off"}, "memory"),
        ({"messages": [MESSAGE], "memory": {"learn": "false"}}, "memory.learn"),
        ({"messages": [MESSAGE], "memory": {"inject": 0}}, "memory.inject"),
    ],
)
def test_a_wrong_shape_is_422_with_its_place(api: ApiClient, body: Any, param: str) -> None:
    status, error = post_raw(api, json.dumps(body).encode())
    assert (status, error["param"]) == (422, param)
    assert error["message"].startswith(param)
    assert error["type"] == "invalid_request_error"
    assert not AuditRow.objects.exists()


def test_an_unknown_role_is_answered_with_the_list(api: ApiClient) -> None:
    _, error = post_raw(api, json.dumps({"messages": [{"role": "robot", "content": "Hi"}]}).encode())
    assert all(role in error["message"] for role in ("system", "developer", "user", "assistant", "tool"))


@pytest.mark.parametrize("body", [b"[]", b"null", b'"text"', b"7", b"true", b'[{"messages": []}]'])
def test_a_body_that_is_no_object_is_422(api: ApiClient, body: bytes) -> None:
    status, error = post_raw(api, body)
    assert (status, error["param"]) == (422, None)
    assert "object" in error["message"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"messages": [}', "line 1, column 15"),
        (b'{"messages":\n[1 2]}', "line 2, column 4"),
        (b'{"a": 1,}', "column"),
        (b"{'a': 1}", "column 2"),
        (b'{"messages": []} and more', "column 18"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "Infinity"),
        (b'{"a": 1e999}', "1e999 is too large"),
        (b'{"a": "raw\nline"}', "column"),
        (b"[" * 100_000, "deep"),
        (b'{"a":' * 500 + b"1" + b"}" * 500, "deep"),
        (b'{"a": ' + b"[" * 64 + b"]" * 64 + b"}", "deep"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "digits"),
        (b'{"a": "\xff"}', "UTF-8 at byte 7"),
        ('{"a": "é"}'.encode("utf-16"), "UTF-8"),
        (b"\x00", "column 1"),
        (b"   ", "column"),
    ],
)
def test_a_body_that_is_no_json_is_400_and_says_where(api: ApiClient, body: bytes, said: str) -> None:
    status, error = post_raw(api, body)
    assert (status, error["code"]) == (400, "invalid_json")
    assert said in error["message"]
    assert "Error" not in error["message"]
    assert "Traceback" not in error["message"]


def test_an_empty_body_is_400(api: ApiClient) -> None:
    status, error = post_raw(api, b"")
    assert (status, error["code"]) == (400, "empty_body")
    response = api.post("/v1/chat")
    assert response.status_code in (400, 415)


def test_deep_but_sane_nesting_passes(api: ApiClient) -> None:
    body = b'{"messages": [{"role": "user", "content": "Hi", "x": ' + b"[" * 50 + b"]" * 50 + b"}]}"
    response = api.client.post("/v1/chat", data=body, content_type="application/json", headers=api.headers)
    assert response.status_code == 200


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON", ""]
)
def test_json_or_nothing_is_the_content_type(api: ApiClient, content_type: str) -> None:
    body = json.dumps({"messages": [MESSAGE]}).encode()
    response = api.client.generic("POST", "/v1/chat", body, content_type=content_type, headers=api.headers)
    assert response.status_code == 200


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml"],
)
def test_another_content_type_is_415(api: ApiClient, content_type: str) -> None:
    body = json.dumps({"messages": [MESSAGE]}).encode()
    status, error = post_raw(api, body, content_type=content_type)
    assert status == 415
    assert "application/json" in error["message"]


def test_a_byte_order_mark_is_no_harm(api: ApiClient) -> None:
    body = json.dumps({"messages": [MESSAGE]}).encode("utf-8-sig")
    response = api.client.post("/v1/chat", data=body, content_type="application/json", headers=api.headers)
    assert response.status_code == 200


def test_a_body_over_the_limit_is_413(api: ApiClient, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    status, error = post_raw(api, json.dumps({"messages": [{"role": "user", "content": "a" * 2_000}]}).encode())
    assert (status, error["code"]) == (413, "body_too_large")
    assert "CAESAR_API__MAX_BODY_BYTES" in error["message"]
    assert not AuditRow.objects.exists()
