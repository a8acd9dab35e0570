"""Bearer keys: needed everywhere but for health and the documentation."""

from datetime import datetime

import pytest
from django.test import Client

from memory.models import ApiKey
from tests.conftest import ApiClient

CALLS = [
    ("post", "/v1/chat"),
    ("post", "/v1/memory/context"),
    ("post", "/v1/memory/chats"),
    ("get", "/v1/memory/facts"),
    ("get", "/v1/memory/facts/dog.name"),
    ("put", "/v1/memory/facts/dog.name"),
    ("delete", "/v1/memory/facts/dog.name"),
    ("get", "/v1/audit"),
]


@pytest.mark.parametrize(("method", "path"), CALLS)
@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Bearer caesar_wrong", "Basic YTpi", "Bearer k\xe9y"]
)
def test_without_a_good_key_nothing_is_done(db: None, method: str, path: str, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    response = getattr(Client(), method)(path, headers=headers)
    assert response.status_code == 401
    assert response["WWW-Authenticate"].startswith("Bearer")
    error = response.json()["error"]
    assert (error["type"], error["code"]) == ("authentication_error", "invalid_api_key")
    assert "manage.py create_api_key" in error["message"]


def test_a_revoked_key_is_refused(api: ApiClient, now: datetime) -> None:
    assert api.get("/v1/audit").status_code == 200
    ApiKey.objects.get().revoke(now=now)
    assert api.get("/v1/audit").status_code == 401


def test_a_good_key_in_any_case_of_the_scheme(api: ApiClient) -> None:
    key = api.headers["Authorization"].removeprefix("Bearer ")
    assert api.get("/v1/audit", headers={"Authorization": f"bearer {key}"}).status_code == 200
    assert api.get("/v1/audit", headers={"Authorization": f"Bearer  {key} "}).status_code == 200


def test_the_key_is_in_no_answer(api: ApiClient) -> None:
    key = api.headers["Authorization"].removeprefix("Bearer ")
    response = api.get("/v1/audit", headers={"Authorization": f"Bearer {key}x"})
    assert response.status_code == 401
    assert key not in response.text


def test_a_browsers_session_is_no_key(operator: Client) -> None:
    assert operator.get("/v1/audit").status_code == 401
