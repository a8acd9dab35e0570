"""`/metrics`: who may read it, and that what happened is in it."""

import re
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from memory.models import ApiKey, WorkerHeartbeat
from tests.conftest import ApiClient, Configure
from tests.memory.chat_helpers import record_chat
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db

TOKEN = "let-me-measure"


def read(client: Client, **headers: str) -> dict[str, float]:
    response = client.get("/metrics", headers=headers)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain; version=")
    lines = [line for line in response.content.decode().splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


@pytest.mark.parametrize(
    ("token", "address", "headers", "status"),
    [
        (None, "127.0.0.1", {}, 200),
        (None, "::1", {}, 200),
        (None, "192.168.1.9", {}, 401),
        (None, "", {}, 401),
        (None, "127.0.0.1", {"X-Forwarded-For": "192.168.1.9"}, 401),
        (None, "127.0.0.1", {"Forwarded": "for=192.168.1.9"}, 401),
        (None, "127.0.0.1", {"X-Real-IP": "192.168.1.9"}, 401),
        (TOKEN, "192.168.1.9", {"Authorization": f"Bearer {TOKEN}"}, 200),
        (TOKEN, "127.0.0.1", {}, 401),
        (TOKEN, "127.0.0.1", {"Authorization": "Bearer é"}, 401),
    ],
)
def test_who_may_read_it(
    client: Client, configure: Configure, token: str | None, address: str, headers: dict[str, str], status: int
) -> None:
    configure(metrics__token=token)
    response = client.get("/metrics", headers=headers, REMOTE_ADDR=address)
    assert response.status_code == status
    assert status == 200 or "CAESAR_METRICS__TOKEN" in response.content.decode()
    assert client.post("/metrics").status_code == 405


def test_a_key_of_the_api_is_no_token(client: Client, configure: Configure) -> None:
    configure(metrics__token=TOKEN)
    secret = ApiKey.objects.issue("kitchen").secret
    assert client.get("/metrics", headers={"Authorization": f"Bearer {secret}"}).status_code == 401


def test_a_turn_is_in_it_and_none_of_its_words(client: Client, api: ApiClient) -> None:
    before = read(client)
    with scripted_llm("Beans is a fine name."):
        api.post("/v1/chat", json={"messages": [{"role": "user", "content": "My dog is called Beans."}]})
    after = read(client)

    def grew(name: str) -> float:
        return after[name] - before.get(name, 0.0)

    assert grew('caesar_events_total{event="chat.completed"}') == 1
    assert grew('caesar_events_total{event="memory.context.served"}') == 1
    for stage in ("context", "model", "record"):
        assert grew(f'caesar_stage_seconds_count{{stage="{stage}"}}') == 1
    assert grew('caesar_model_answers_total{task="chat"}') == 1
    assert after['caesar_unread_chats{task="memory.extract"}'] == 1
    assert "Beans" not in client.get("/metrics").content.decode()


def test_how_far_a_worker_is_behind(client: Client) -> None:
    now = timezone.now()
    record_chat("One", now=now - timedelta(hours=2))
    record_chat("Two", now=now - timedelta(hours=1))
    WorkerHeartbeat.beat("memory.extract", now=now - timedelta(minutes=5))
    found = read(client)
    assert found['caesar_unread_chats{task="memory.extract"}'] == 2
    assert found['caesar_oldest_unread_chat_seconds{task="memory.extract"}'] == pytest.approx(7200, abs=60)
    assert found['caesar_heartbeat_age_seconds{task="memory.extract"}'] == pytest.approx(300, abs=60)
    assert found["caesar_database_up"] == 1
    assert found["caesar_database_bytes"] > 0


def test_a_database_that_is_gone_is_said_and_the_rest_stays(client: Client) -> None:
    with patch.object(connection, "cursor", side_effect=OperationalError("gone")):
        response = client.get("/metrics")
    assert response.status_code == 200
    assert re.search(r"^caesar_database_up 0\.0$", response.content.decode(), re.MULTILINE)
