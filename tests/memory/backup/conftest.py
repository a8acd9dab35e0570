"""What tests of backups share: a little of memory, and nothing left behind of what a restore has kept."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, connections
from pytest_django.fixtures import Settings as SettingsWrapper

from memory.models import AuditRow, Embedded, EpisodeSummary, PersonalFact
from memory.text.normalising import Claim
from tests.memory.chat_helpers import record_chat


@pytest.fixture(autouse=True)
def own_var(settings: SettingsWrapper, tmp_path: Path) -> Path:
    """A folder in the place of `var/`, with a signing key."""
    settings.VAR_DIR = tmp_path
    (tmp_path / "secret_key").write_text("signs this")
    return tmp_path


@pytest.fixture
def lived(transactional_db: None, now: datetime) -> AuditRow:
    """A chat, a fact and an episode; the chat."""
    chat = record_chat("My dog's name is Beans", now=now)
    PersonalFact.objects.learn([Claim("dog.name", "Beans", 1.0)], chat=chat, now=now)
    EpisodeSummary.objects.summarise(chat, "A dog.", Embedded([0.6, 0.8], "m"), now=now)
    return chat


@pytest.fixture(autouse=True)
def nothing_kept(transactional_db: None) -> Iterator[None]:
    """The databases that a restore has kept go after the test."""
    yield
    if connection.vendor == "sqlite":
        path = Path(connection.settings_dict["NAME"])
        for kept in path.parent.glob(f"{path.name}.before-restore-*"):
            kept.unlink()
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'before\\_restore\\_%%'")
        for (name,) in cursor.fetchall():
            cursor.execute(f'DROP SCHEMA "{name}" CASCADE')


def folder() -> Path:
    """Where backups are made in this test."""
    path: Path = settings.CAESAR.backup.path
    return path


def close_connections() -> None:
    """As a process that ends does."""
    connections.close_all()
