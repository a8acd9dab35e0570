"""What every test may ask for: a fixed moment, changed settings, a logged-in operator, an API client."""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client
from pydantic import JsonValue
from pytest_django.fixtures import Settings as SettingsWrapper

from memory.models import SCOPES, ApiKey
from tests.caesar.settings_helper import changed

Configure = Callable[..., None]
WriteTriggers = Callable[[str], Path]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One more run for what needs a real server or a real browser, on a machine whose speed nobody knows.

    The summary names it. None for the crash tests: what fails there by chance is a fault that was found.
    """
    for item in items:
        if item.get_closest_marker("real_processes") and "crash" not in item.path.parts:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture
def now() -> datetime:
    """The moment most tests take place at."""
    return datetime(2026, 5, 20, 9, 0, tzinfo=UTC)


@pytest.fixture
def configure(settings: SettingsWrapper) -> Configure:
    """Change `settings.CAESAR` for this test: `configure(memory__facts__max_chars=100)`."""

    def apply(**dotted: object) -> None:
        settings.CAESAR = changed(settings.CAESAR, **dotted)

    return apply


@pytest.fixture
def write_triggers(tmp_path: Path, configure: Configure) -> WriteTriggers:
    """Write a triggers file and put it into the settings: `write_triggers("- name: morning ...")`; its path."""

    def write(text: str) -> Path:
        path = tmp_path / "triggers.yaml"
        path.write_text(text)
        configure(proactive__triggers_path=path)
        return path

    return write


_numbers = count()


@pytest.fixture(autouse=True)
def memory_on(configure: Configure, tmp_path_factory: pytest.TempPathFactory) -> None:
    """All of memory switched on, as `.env.example` has it, but for the embedder: a test that recalls asks for one.

    Turns that the database refuses wait in a folder of this test's own.
    """
    turns = tmp_path_factory.getbasetemp() / f"turns-{next(_numbers)}"
    configure(
        memory__facts__enabled=True,
        memory__facts_extract__enabled=True,
        semantic__enabled=False,
        db__spool_path=turns,
    )


@pytest.fixture(autouse=True)
def quick_passwords(settings: SettingsWrapper) -> None:
    """Passwords of tests are hashed without the slowness that protects real ones."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def operator(db: None) -> Client:
    """A browser in which the operator is logged in."""
    user = get_user_model().objects.create_superuser("operator", password="a long enough password")
    client = Client()
    client.force_login(user)
    return client


class ApiClient:
    """A chat backend: sends JSON with a Bearer key."""

    def __init__(self, key: str) -> None:
        self.headers = {"Authorization": f"Bearer {key}"}
        self.client = Client(raise_request_exception=False)

    def get(self, path: str, *, headers: Mapping[str, str] = {}) -> HttpResponse:
        return self._send("get", path, None, headers)

    def post(self, path: str, *, json: JsonValue = None, headers: Mapping[str, str] = {}) -> HttpResponse:
        return self._send("post", path, json, headers)

    def put(self, path: str, *, json: JsonValue = None, headers: Mapping[str, str] = {}) -> HttpResponse:
        return self._send("put", path, json, headers)

    def delete(self, path: str, *, headers: Mapping[str, str] = {}) -> HttpResponse:
        return self._send("delete", path, None, headers)

    def _send(self, method: str, path: str, body: JsonValue, headers: Mapping[str, str]) -> HttpResponse:
        sent = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        response: HttpResponse = getattr(self.client, method)(path, headers=self.headers | dict(headers), **sent)
        return response


@pytest.fixture
def api(db: None) -> ApiClient:
    """A chat backend with a valid key, made so long ago that its audit row was swept: the log is empty."""
    secret = "caesar_" + "t" * 43
    key_hash = hashlib.sha256(secret.encode()).hexdigest()
    ApiKey.objects.create(label="test", key_hash=key_hash, prefix=secret[:13], scopes=" ".join(SCOPES))
    return ApiClient(secret)
