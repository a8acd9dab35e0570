"""Every refusal in one shape, what never reaches the API included; request ids."""

import logging
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import OperationalError
from django.test import Client

from memory import chat
from memory.api import errors
from tests.conftest import ApiClient

KEYS = {"message", "type", "param", "code"}
HELLO = {"messages": [{"role": "user", "content": "Hi"}]}


def error_of(response: Any) -> dict[str, Any]:
    assert response["Content-Type"].startswith("application/json")
    assert set(response.json()) == {"error"}
    assert set(response.json()["error"]) == KEYS
    assert int(response.get("Content-Length", len(response.content))) == len(response.content)
    error: dict[str, Any] = response.json()["error"]
    return error


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/", "/v1/memory/facts/", "/v1/chat/", "/v1/%00"])
def test_an_unknown_address_is_404(api: ApiClient, path: str) -> None:
    response = api.get(path)
    assert response.status_code == 404
    assert "/v1/docs" in error_of(response)["message"]


def test_a_client_that_takes_compressed_answers_can_read_it(api: ApiClient) -> None:
    """The page in whose place it stands is compressed for such a client; packages of most languages are one."""
    response = api.get("/v1/nothing", headers={"Accept-Encoding": "gzip, deflate"})
    assert not response.has_header("Content-Encoding")
    assert "/v1/docs" in error_of(response)["message"]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/v1/chat/completions",
        "/chat/completions",
        "/chat/completions/",
        "/api/v1/chat/completions",
        "/v1/v1/models",
        "/models",
    ],
)
def test_a_chat_clients_wrong_base_url_is_named_with_its_cure(db: None, path: str) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"X-Request-Id": "call-7"})
    for method in (strict.get, strict.post):
        response = method(path)
        assert (response.status_code, response["X-Request-Id"]) == (404, "call-7")
        assert "base URL ends in /v1" in error_of(response)["message"]


ADDRESSES = [
    ("POST /v1/chat/completions/", "The address is /v1/chat/completions, without a slash at its end."),
    ("POST /v1/responses/", "The address is /v1/responses, without a slash"),
    ("POST /v1/embeddings/", "The address is /v1/embeddings, without a slash"),
    ("GET /v1/models/", "The address is /v1/models, without a slash"),
    ("POST /responses", "The address is /v1/responses. A chat client's base URL ends in /v1"),
    ("POST /v1/v1/responses", "The address is /v1/responses. A chat client's base URL ends in /v1"),
    ("POST /v1/v1/embeddings", "The address is /v1/embeddings. A chat client's base URL ends in /v1"),
    ("POST /v1/chat/completions/responses", "The address is /v1/responses."),
    ("POST /v1/completions", "POST /v1/chat/completions"),
    ("POST /completions", "POST /v1/chat/completions"),
    ("POST /api/chat", "POST /v1/chat/completions"),
    ("POST /api/generate", "POST /v1/chat/completions"),
    ("POST /api/embeddings", "/v1/embeddings"),
    ("POST /api/embed", "POST /v1/embeddings"),
    ("GET /api/tags", "GET /v1/models"),
    ("POST /api/show", "GET /v1/models"),
    ("POST /messages", "/v1/"),
    ("POST /v1/v1/messages", "/v1/"),
    ("GET /v1/responses/resp_1", "send the earlier items in input"),
    ("DELETE /v1/responses/resp_1", "send the earlier items in input"),
    ("GET /v1/responses/resp_1/input_items", "No answer is kept here"),
    ("POST /v1/responses/resp_1/cancel", "No answer is kept here"),
    ("POST /v1beta/models/gemini:generateContent", "POST /v1/chat/completions"),
    ("POST /v1/audio/speech", "chat completions, responses, embeddings and models"),
    ("POST /v1/conversations", "chat completions, responses, embeddings and models"),
]


@pytest.mark.parametrize(("call", "words"), ADDRESSES)
def test_a_wrong_address_names_the_right_one(db: None, call: str, words: str) -> None:
    method, path = call.split(" ")
    response = Client(enforce_csrf_checks=True).generic(method, path)
    assert response.status_code == 404
    error = error_of(response)
    assert (error["code"], words in error["message"]) == ("not_found", True)
    assert f"There is nothing at {path}. " in error["message"]


@pytest.mark.parametrize("path", ["/v1/completions", "/v1/chat/completions/", "/v1/embeddings/"])
def test_a_call_that_there_is_not_says_nothing_of_the_base_url(db: None, path: str) -> None:
    assert "base URL" not in error_of(Client().post(path))["message"]


@pytest.mark.parametrize("path", ["/v1/responses", "/v1/embeddings", "/v1/chat/completions"])
def test_the_right_address_with_another_method_says_which(api: ApiClient, path: str) -> None:
    response = api.get(path)
    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert "Use POST" in error_of(response)["message"]


def test_an_envelope_in_the_place_of_a_compressed_page_is_readable(db: None) -> None:
    response = Client().get("/v1/messages/batches", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in response
    assert response.json()["error"]["type"] == "not_found_error"
    assert int(response["Content-Length"]) == len(response.content)


def test_a_page_that_is_asked_for_at_such_an_address_stays_one(db: None) -> None:
    assert Client().get("/api/chat")["Content-Type"].startswith("text/html")


def test_a_page_whose_name_a_chat_client_may_call_is_one(db: None) -> None:
    response = Client().get("/dashboard/models")
    assert response.status_code == 302
    assert "X-Request-Id" not in response


def test_an_unknown_address_is_404_while_debugging(api: ApiClient, settings: LazySettings) -> None:
    settings.DEBUG = True
    response = api.get("/v1/nothing")
    assert response.status_code == 404
    error_of(response)


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("path", ["/v1", "/v1/"])
def test_the_root_is_404_whatever_the_method(db: None, settings: LazySettings, path: str, debug: bool) -> None:
    settings.DEBUG = debug
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    for method in (strict.get, strict.post, strict.put, strict.delete):
        response = method(path)
        assert response.status_code == 404
        error_of(response)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("get", "/v1/chat", {"POST"}),
        ("put", "/v1/audit", {"GET"}),
        ("post", "/v1/memory/facts/dog.name", {"GET", "PUT", "DELETE"}),
    ],
)
def test_a_wrong_method_is_405_with_the_right_ones(api: ApiClient, method: str, path: str, allowed: set[str]) -> None:
    response = getattr(api, method)(path)
    assert response.status_code == 405
    assert set(response["Allow"].split(", ")) == allowed
    assert all(word in error_of(response)["message"] for word in allowed)


@pytest.mark.parametrize("path", ["/v1/audit", "/v1/chat", "/healthz", "/v1/docs"])
def test_a_foreign_host_is_400_and_names_the_setting(db: None, path: str) -> None:
    response = Client(headers={"host": "evil.example"}).get(path)
    assert response.status_code == 400
    assert "CAESAR_ALLOWED_HOSTS" in error_of(response)["message"]


def test_a_page_of_the_browser_keeps_its_html(db: None) -> None:
    response = Client().get("/nothing")
    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")
    assert "X-Request-Id" not in response


def test_a_refusal_keeps_the_security_headers(api: ApiClient) -> None:
    response = api.get("/v1/nothing")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "Content-Security-Policy" in response


def test_a_post_without_a_csrf_token_is_no_problem(api: ApiClient) -> None:
    strict = Client(enforce_csrf_checks=True)
    response = strict.post("/v1/chat", data=HELLO, content_type="application/json", headers=api.headers)
    assert response.status_code == 200


def test_too_many_query_fields_is_400(api: ApiClient) -> None:
    response = api.get("/v1/audit?" + "&".join(f"a{number}=1" for number in range(1_100)))
    assert response.status_code == 400
    error_of(response)


# --- what was not foreseen --------------------------------------------------------------------------------------


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> Any:
    def with_error(error: Exception) -> None:
        def broken(*args: object, **kwargs: object) -> None:
            raise error

        monkeypatch.setattr(chat, "answer", broken)

    return with_error


def test_the_unforeseen_is_500_that_tells_nothing(api: ApiClient, breaks: Any, caplog: Any) -> None:
    breaks(RuntimeError("secret inner workings"))
    with caplog.at_level(logging.ERROR):
        response = api.post("/v1/chat", json=HELLO, headers={"X-Request-Id": "turn-7"})
    assert response.status_code == 500
    assert error_of(response)["type"] == "server_error"
    assert "turn-7" in error_of(response)["message"]
    assert "secret" not in response.text
    assert "RuntimeError" not in response.text
    line = next(record for record in caplog.records if record.name == errors.__name__)
    assert "turn-7" in line.getMessage()
    assert line.exc_info is not None


def test_the_unforeseen_tells_nothing_while_debugging(api: ApiClient, breaks: Any, settings: LazySettings) -> None:
    settings.DEBUG = True
    breaks(RuntimeError("secret inner workings"))
    response = api.post("/v1/chat", json=HELLO)
    assert response.status_code == 500
    assert "secret" not in response.text


def test_a_busy_database_is_503_to_be_tried_again(api: ApiClient, breaks: Any) -> None:
    breaks(OperationalError("database is locked"))
    response = api.post("/v1/chat", json=HELLO)
    assert (response.status_code, response["Retry-After"]) == (503, "1")
    assert "locked" not in error_of(response)["message"]


# --- request ids ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", ["turn-7", "a", "x" * 128, "two words"])
def test_a_sane_request_id_is_echoed(api: ApiClient, sent: str) -> None:
    for response in (
        api.post("/v1/chat", json=HELLO, headers={"X-Request-Id": sent}),
        api.get("/v1/nothing", headers={"X-Request-Id": sent}),
        api.get("/v1/audit", headers={"X-Request-Id": sent, "Authorization": "none"}),
        api.get("/healthz", headers={"X-Request-Id": sent}),
    ):
        assert response["X-Request-Id"] == sent


@pytest.mark.parametrize("sent", ["", "x" * 129, "tab\there", "é", " "])
def test_another_request_id_is_replaced(api: ApiClient, sent: str) -> None:
    made = api.get("/v1/audit", headers={"X-Request-Id": sent})["X-Request-Id"]
    assert made != sent
    assert made.isascii()
    assert len(made) == 32
