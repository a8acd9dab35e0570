"""Connecting a client: keys are made, seen once and revoked; the calls to copy run as they are printed."""

import html
import json
import re
import shlex
import sys
from datetime import datetime, timedelta
from types import ModuleType
from typing import Any

import httpx
import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory.models import ApiKey, AuditRow
from tests.conftest import ApiClient, Configure
from tests.dashboard.helpers import find_elements, get_page, htmx_headers, visible_text

pytestmark = pytest.mark.django_db

CONNECT = "/dashboard/connect"
KEYS = "/dashboard/connect/keys"
HTMX = htmx_headers(CONNECT)
CALLS = 8  # curl, two in Python, Open WebUI, LibreChat, Home Assistant, two of MCP


def copied(response: Any) -> list[str]:
    """What stands in each box that can be copied, as the browser has it."""
    return [
        html.unescape(text)
        for text in re.findall(r"<pre[^>]*data-copy[^>]*>(.*?)</pre>", response.content.decode(), re.S)
    ]


def made(operator: Client, label: str = "kitchen tablet", **headers: Any) -> Any:
    response = operator.post(KEYS, {"label": label}, **headers)
    assert response.status_code == 200
    return response


def test_it_works(operator: Client) -> None:
    response = made(operator)
    secret = copied(response)[0]
    key = ApiKey.objects.get()
    assert (key.label, secret.startswith(key.prefix)) == ("kitchen tablet", True)
    assert ApiClient(secret).post("/v1/memory/context", json={"message": "hi"}).status_code == 200
    assert find_elements(response, "a", aria_current="page")[0]["href"] == CONNECT
    assert "kitchen tablet" in visible_text(get_page(operator, CONNECT))


def test_a_key_is_shown_once_and_kept_nowhere(operator: Client) -> None:
    secret = copied(made(operator))[0]
    assert secret not in get_page(operator, CONNECT).content.decode()
    assert "YOUR_KEY" in get_page(operator, CONNECT).content.decode()
    for model in apps.get_models():
        assert secret not in repr(list(model._default_manager.values())), model
    assert not [cookie for cookie in operator.cookies.values() if secret in cookie.value]
    assert "no-store" in made(operator)["Cache-Control"]


def test_the_new_key_stands_in_every_call(operator: Client) -> None:
    secret, *calls = copied(made(operator))
    assert len(calls) == CALLS
    for call in calls:
        assert call.count(secret) == 1
        assert "YOUR_KEY" not in call


def test_with_script_keys_and_calls_are_swapped_together(operator: Client) -> None:
    response = made(operator, headers=HTMX)
    assert not find_elements(response, "html")
    assert len(find_elements(response, "div", id="connect")) == 1
    assert copied(response)[0] in copied(response)[1]
    assert find_elements(response, "section", class_="sheet new-key", tabindex="-1"), "it gets the focus"


@pytest.mark.parametrize("label", ["", "  \n "])
def test_a_key_without_a_label_is_refused_at_the_field(operator: Client, label: str) -> None:
    response = operator.post(KEYS, {"label": label})
    assert response.status_code == 422
    field = find_elements(response, "input", name="label")[0]
    assert (field["aria-invalid"], field["aria-describedby"]) == ("true", "label-error")
    assert "Give the key a label" in visible_text(response)
    assert not ApiKey.objects.exists()


def test_reloading_the_answer_by_its_address_makes_no_key(operator: Client) -> None:
    assert operator.get(KEYS)["Location"] == CONNECT
    assert not ApiKey.objects.exists()


def test_a_label_is_text(operator: Client) -> None:
    response = made(operator, "<img src=x> \0 \U0001f511")
    assert not find_elements(response, "img")
    assert "<img src=x> \U0001f511" in visible_text(response)


def test_a_revoked_key_is_refused_and_still_listed(operator: Client, now: datetime) -> None:
    secret = copied(made(operator))[0]
    key = ApiKey.objects.get()
    revoking = find_elements(get_page(operator, CONNECT), "form", action=f"{KEYS}/{key.pk}/revoke", method="post")
    assert len(revoking) == 1
    assert operator.post(revoking[0]["action"])["Location"] == CONNECT
    assert ApiClient(secret).get("/v1/memory/facts").status_code == 401
    response = get_page(operator, CONNECT)
    assert "Revoked kitchen tablet. Whoever uses it is refused from now on." in visible_text(response)
    assert "1 revoked kitchen tablet" in visible_text(response)
    assert not find_elements(response, "form", action=revoking[0]["action"])
    assert operator.post(f"{KEYS}/{key.pk}/revoke", headers=HTMX).status_code == 200, "twice changes nothing"
    key.refresh_from_db()
    assert key.revoked_at == now


def test_there_is_no_such_key(operator: Client) -> None:
    response = operator.post(f"{KEYS}/7/revoke")
    assert response.status_code == 404
    assert "There is no such key." in visible_text(response)


def test_last_use_is_told(operator: Client, now: datetime) -> None:
    made(operator)
    assert "just now 0 tokens never" in visible_text(get_page(operator, CONNECT))
    ApiKey.objects.update(last_used_at=now - timedelta(hours=3), created_at=now - timedelta(days=9))
    assert "last week 0 tokens 3 hours ago" in visible_text(get_page(operator, CONNECT))


def test_only_the_operator_makes_keys(operator: Client, client: Client) -> None:
    for address in (KEYS, f"{KEYS}/1/revoke"):
        assert client.post(address)["Location"].startswith("/login")
    assert client.get(CONNECT)["Location"].startswith("/login")
    assert operator.get(f"{KEYS}/1/revoke").status_code == 405
    guarded = Client(enforce_csrf_checks=True)
    guarded.cookies = operator.cookies
    assert guarded.post(KEYS, {"label": "x"}).status_code == 403
    assert not ApiKey.objects.exists()


def test_eleven_queries_are_enough(operator: Client) -> None:
    for number in range(20):
        ApiKey.objects.issue(f"client {number}")
    with CaptureQueriesContext(connection) as queries:
        get_page(operator, CONNECT)
    assert len(queries) <= 11


# --- the calls --------------------------------------------------------------------------------------------------------


def test_the_address_is_the_one_the_page_was_asked_by(operator: Client, configure: Configure, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["memory.example"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    response = operator.get(CONNECT, headers={"Host": "memory.example:8443", "X-Forwarded-Proto": "https"})
    assert [("https://memory.example:8443/" in call) for call in copied(response)] == [True] * CALLS
    assert "testserver" not in response.content.decode()


def test_curl_says_what_it_says(operator: Client) -> None:
    _, curl, *_ = copied(made(operator))
    command, quiet, address, *options = shlex.split(curl.replace("\\\n", " "))
    assert (command, quiet, address) == ("curl", "-s", "http://testserver/v1/chat")
    named = list(zip(options[::2], options[1::2], strict=True))
    headers = dict(value.split(": ", 1) for name, value in named if name == "-H")
    body = next(value for name, value in named if name == "-d")
    answer = Client().post("/v1/chat", body, content_type=headers["Content-Type"], headers=headers)
    assert answer.status_code == 200
    assert json.loads(body)["messages"][0]["content"] in json.dumps(
        AuditRow.objects.get_queryset().chats().get().payload
    )


@pytest.mark.parametrize("number", [2, 3])
def test_python_runs_as_it_is_printed(operator: Client, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    program = copied(made(operator))[number]

    def this_server(request: httpx.Request) -> httpx.Response:
        headers = {"Authorization": request.headers["Authorization"]}
        answer = Client().post(request.url.path, request.content, content_type="application/json", headers=headers)
        return httpx.Response(answer.status_code, content=answer.content)

    class Wired(httpx.Client):
        """The same client, with this server at the other end of the wire."""

        def __init__(self, **options: Any) -> None:
            super().__init__(transport=httpx.MockTransport(this_server), **options)

    stand_in = ModuleType("httpx")
    stand_in.Client = Wired  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "httpx", stand_in)
    exec(compile(program, "copied", "exec"), {})  # noqa: S102
    key_made, receipt, turn = AuditRow.objects.order_by("id")
    kinds = [row.event_type for row in (key_made, receipt, turn)]
    assert kinds == ["access.key_created", "memory.context.served", "chat.completed"]
    assert receipt.decision_id == turn.decision_id, "the chat is tied to what it was given"


def test_without_a_model_the_page_says_what_to_expect(operator: Client, configure: Configure) -> None:
    assert "No model is connected here" in visible_text(get_page(operator, CONNECT))
    configure(llm__provider="openai", llm__model="x", llm__openai__api_key="k")
    assert "No model is connected here" not in visible_text(get_page(operator, CONNECT))


def test_a_key_is_made_with_what_it_may_do(operator: Client) -> None:
    sent = {"limits": "1", "scopes": ["read", "manage"], "last_day": "2030-01-31", "requests_per_minute": "30"}
    operator.post(KEYS, {"label": "phone", **sent})
    key = ApiKey.objects.get()
    assert (list(key.limits.scopes), str(key.last_day), key.requests_per_minute) == (
        ["read", "manage"],
        "2030-01-31",
        30,
    )
    assert "read, manage until 2030-01-31 30 a minute" in visible_text(get_page(operator, CONNECT))


@pytest.mark.parametrize(
    ("sent", "cure"),
    [
        ({}, "Choose what the key may do"),
        ({"scopes": ["read"], "last_day": "soon"}, "Write the last day as"),
        ({"scopes": ["read"], "last_day": "2020-01-01"}, "Choose an end that lies ahead"),
        ({"scopes": ["read"], "requests_per_minute": "0"}, "Choose 1 to 100000 requests a minute"),
    ],
)
def test_limits_that_no_key_can_have_are_refused_with_the_cure(
    operator: Client, sent: dict[str, object], cure: str
) -> None:
    response = operator.post(KEYS, {"label": "phone", "limits": "1", **sent})
    assert response.status_code == 422
    assert cure in visible_text(response)
    assert not ApiKey.objects.exists()


def test_what_a_key_may_do_is_changed(operator: Client) -> None:
    secret = copied(made(operator))[0]
    key = ApiKey.objects.get()
    form = find_elements(get_page(operator, CONNECT), "form", action=f"{KEYS}/{key.pk}/change", method="post")
    assert len(form) == 1
    assert ApiClient(secret).get("/v1/memory/facts").status_code == 403
    assert operator.post(form[0]["action"], {"limits": "1", "scopes": ["read"]})["Location"] == CONNECT
    assert ApiClient(secret).get("/v1/memory/facts").status_code == 200
    assert operator.post(f"{KEYS}/{key.pk}/change", {"limits": "1"}).status_code == 422, "no scope is no change"
    assert ApiClient(secret).get("/v1/memory/facts").status_code == 200


def test_the_timeline_says_which_key_edited(operator: Client) -> None:
    key = ApiKey.objects.issue("kitchen tablet", scopes=["manage"])
    ApiClient(key.secret).put("/v1/memory/facts/dog.name", json={"value": "Beans"})
    assert "Key kitchen tablet added" in visible_text(get_page(operator, "/dashboard/audit"))


def test_a_change_that_holds_no_limits_changes_nothing(operator: Client) -> None:
    key = ApiKey.objects.issue("phone", scopes=["read"], requests_per_minute=5).row
    assert operator.post(f"{KEYS}/{key.pk}/change").status_code == 422
    key.refresh_from_db()
    assert (list(key.limits.scopes), key.requests_per_minute) == (["read"], 5)


@pytest.mark.parametrize("day", ["01/02/2027", "05/06/27", "2027-2-30"])
def test_a_last_day_has_one_way_to_be_written(operator: Client, day: str) -> None:
    response = operator.post(KEYS, {"label": "phone", "limits": "1", "scopes": ["read"], "last_day": day})
    assert response.status_code == 422
    assert "Write the last day as" in visible_text(response)


@pytest.mark.parametrize("label", ["\u200b", "\u202e\u0007", "\u2060 \ufeff"])
def test_a_label_that_shows_nothing_is_none(operator: Client, label: str) -> None:
    assert operator.post(KEYS, {"label": label}).status_code == 422
    assert not ApiKey.objects.exists()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_is_wrong_with_a_change_stands_in_its_row(operator: Client, headers: dict[str, str]) -> None:
    key = ApiKey.objects.issue("phone", scopes=["read"]).row
    other = ApiKey.objects.issue("tablet", scopes=["read"]).row
    sent = {"limits": "1", "scopes": ["read"], "last_day": "soon"}
    response = operator.post(f"{KEYS}/{key.pk}/change", sent, headers=headers)
    assert response.status_code == 422
    page = response.content.decode()
    assert bool(find_elements(response, "html")) == (not headers)
    assert page.count("Write the last day as") == 1
    row = page[page.index(f'action="{KEYS}/{key.pk}/change"') : page.index(f'action="{KEYS}/{key.pk}/revoke"')]
    assert "Write the last day as" in row
    folds = find_elements(response, "details", class_="sure key-change")
    assert sorted("open" in fold.attributes for fold in folds) == [False, True], "its fold is open, the other's is not"
    assert f"{KEYS}/{other.pk}/change" in page
