"""What every test may ask for: a fixed moment, changed settings, a logged-in operator, an API client."""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client
from pydantic import JsonValue
from pytest_django.fixtures import Settings as SettingsWrapper

from caesar.conf import Settings
from memory.models import SCOPES, ApiKey
from tests.caesar.settings_helper import changed

Configure = Callable[..., None]
WriteTriggers = Callable[[str], Path]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs a real server or browser: one more run, for nobody knows the speed of the machine, and one worker.

    The summary names a rerun. None for the crash tests: what fails there by chance is a fault that was found. With
    `--dist loadgroup` all tests of such a server run in one process, so that it is started once.
    """
    for item in items:
        if item.get_closest_marker("real_processes") and "crash" not in item.path.parts:
            item.add_marker(pytest.mark.flaky(reruns=1))
            room = item.path.parent if "browser" in item.path.parts else item.path
            item.add_marker(pytest.mark.xdist_group(str(room.relative_to(item.config.rootpath))))


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
def memory_on(settings: SettingsWrapper, tmp_path_factory: pytest.TempPathFactory) -> None:
    """All of memory switched on, as `.env.example` has it, but for the embedder: a test that recalls asks for one. No
    backup is made by itself.

    Turns that the database refuses wait in a folder of this test's own, and backups are there.
    """
    folder, number = tmp_path_factory.getbasetemp(), next(_numbers)
    tree = _memory_on()
    changes = {
        "db": tree.db.model_copy(update={"spool_path": folder / f"turns-{number}"}),
        "backup": tree.backup.model_copy(update={"path": folder / f"backups-{number}"}),
    }
    settings.CAESAR = tree.model_copy(update=changes)


@cache
def _memory_on() -> Settings:
    return changed(
        django_settings.CAESAR,
        memory__facts__enabled=True,
        memory__facts_extract__enabled=True,
        semantic__enabled=False,
        backup__enabled=False,
        backup__least_free_megabytes=0,
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
