"""Web pages of other servers: which may call the API, what they may send and read, and that pages of ours stay shut."""

from typing import NoReturn

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings as SettingsWrapper

from memory.api.capacity import SPARE_THREADS, turn_limiter
from tests.conftest import ApiClient, Configure

PAGE = "https://chat.example.com"
ALLOWED = "Access-Control-Allow-Origin"
MIDDLEWARE = "corsheaders.middleware.CorsMiddleware"


@pytest.fixture
def one_origin(settings: SettingsWrapper) -> None:
    """As `CAESAR_API__CORS_ORIGINS=https://chat.example.com` has it at the start of a process."""
    settings.MIDDLEWARE = [MIDDLEWARE, *settings.MIDDLEWARE]
    settings.CORS_ALLOWED_ORIGINS = [PAGE]


def broken_query(*_: object) -> NoReturn:
    raise RuntimeError("unforeseen")


def preflight(path: str, *, origin: str = PAGE, wants: str = "authorization, content-type") -> HttpResponse:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": wants,
    }
    response: HttpResponse = Client().options(path, headers=headers)
    return response


def listed(response: HttpResponse, name: str) -> set[str]:
    return {part.strip().lower() for part in response.headers[name].split(",")}


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages", "/v1/memory/facts", "/v1", "/mcp"])
@pytest.mark.usefixtures("one_origin")
def test_it_works(path: str) -> None:
    """A preflight has no key; it touches no table, and this test has no database."""
    response = preflight(path)
    assert response.status_code == 200
    assert response.headers[ALLOWED] == PAGE
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    named = {"authorization", "content-type", "x-api-key", "anthropic-version", "x-conversation-id", "x-memory"}
    named |= {"x-memory-task", "idempotency-key", "mcp-protocol-version", "mcp-method", "mcp-name", "*"}
    assert named <= listed(response, "Access-Control-Allow-Headers")
    assert "Access-Control-Allow-Credentials" not in response.headers


@pytest.mark.usefixtures("one_origin")
def test_another_origin_is_allowed_nothing() -> None:
    for origin in ("https://chat.example.com.evil.example", "http://chat.example.com", "null", "https://[", ""):
        assert ALLOWED not in preflight("/v1/chat", origin=origin).headers


@pytest.mark.usefixtures("one_origin")
def test_answers_can_be_read_good_and_bad(api: ApiClient) -> None:
    origin, turn = {"Origin": PAGE}, {"messages": [{"role": "user", "content": "good evening"}]}
    good = api.post("/v1/chat/completions", json=turn, headers=origin)
    stream = api.post("/v1/chat/completions", json={**turn, "stream": True}, headers=origin)
    assert b"[DONE]" in b"".join(stream)
    unknown = api.post("/v1/chat/completions", json=turn, headers={**origin, "Authorization": "Bearer wrong"})
    nothing = api.get("/v1/nothing", headers=origin)
    invalid = api.post("/v1/chat", json={}, headers=origin)
    foreign = api.get("/v1/models", headers={**origin, "Host": "elsewhere.example"})
    answers = [good, stream, unknown, nothing, invalid, foreign]
    assert [answer.status_code for answer in answers] == [200, 200, 401, 404, 422, 400]
    for answer in answers:
        assert answer.headers[ALLOWED] == PAGE
        assert {"x-decision-id", "x-memory-recorded", "retry-after", "x-request-id"} <= listed(
            answer, "Access-Control-Expose-Headers"
        )


@pytest.mark.usefixtures("one_origin")
def test_a_server_that_is_full_and_one_that_broke_say_so_to_the_page(api: ApiClient, configure: Configure) -> None:
    configure(server__threads=SPARE_THREADS + 1)
    origin, turn = {"Origin": PAGE}, {"messages": [{"role": "user", "content": "good evening"}]}
    with turn_limiter.slot():
        full = api.post("/v1/chat/completions", json=turn, headers=origin)
    with connection.execute_wrapper(broken_query):
        broken = api.get("/v1/memory/facts", headers=origin)
    assert (full.status_code, broken.status_code) == (503, 500)
    assert (full.headers[ALLOWED], broken.headers[ALLOWED]) == (PAGE, PAGE)


@pytest.mark.usefixtures("one_origin")
def test_pages_are_for_no_script_of_others(client: Client) -> None:
    for path in ("/dashboard/", "/login/", "/admin/login/", "/healthz", "/v1x"):
        assert ALLOWED not in preflight(path).headers
        assert ALLOWED not in client.get(path, headers={"Origin": PAGE}).headers


def test_off_there_is_nothing_of_it(api: ApiClient) -> None:
    assert MIDDLEWARE not in django_settings.MIDDLEWARE
    assert ALLOWED not in preflight("/v1/chat").headers
    response = api.get("/v1/models", headers={"Origin": PAGE})
    assert not {name for name in response.headers if name.lower().startswith("access-control")}
