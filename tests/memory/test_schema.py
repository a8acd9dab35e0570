"""A database that a newer version has brought up to date: whoever uses it says so, and names the cure."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from memory import schema, tasks
from memory.models import WorkerHeartbeat
from tests.dashboard.helpers import get_page, visible_text

pytestmark = pytest.mark.django_db

LATER = "9999_later"


@pytest.fixture
def newer(db: None) -> None:
    """As after an upgrade by a newer version."""
    MigrationRecorder(connection).record_applied("memory", LATER)


def test_it_works() -> None:
    assert schema.newer(schema.applied()) == ""
    schema.refuse_newer()
    assert schema.waiting() == []
    assert schema.last(schema.applied()) == schema.last(schema.known())


@pytest.mark.usefixtures("newer")
def test_it_is_refused_with_the_cure() -> None:
    with pytest.raises(schema.NewerSchema, match=f"it has {LATER}.* Start the newer version"):
        schema.refuse_newer()


@pytest.mark.usefixtures("newer")
def test_a_worker_does_nothing_in_it() -> None:
    assert "A newer version of CAESAR" in tasks.extract()
    assert not WorkerHeartbeat.objects.exists()
    assert "A newer version of CAESAR" in tasks.backup() or "switched off" in tasks.backup()


@pytest.mark.usefixtures("newer")
@pytest.mark.parametrize("command", ["migrate", "bootstrap", "backup"])
def test_commands_do_nothing_in_it(command: str) -> None:
    with pytest.raises(CommandError, match="A newer version of CAESAR"):
        call_command(command, stdout=StringIO())


def test_a_process_that_runs_on_says_so(newer: None, operator: Client) -> None:
    answer = operator.get("/readyz")
    assert answer.status_code == 503
    assert "Restart it." in answer.json()["checks"]["migrations"]["detail"]
    text = visible_text(get_page(operator, "/dashboard/"))
    assert "Restart the server: it was upgraded" in text
    assert "The database was upgraded while this server ran." in text or "Nothing is remembered yet." in text
