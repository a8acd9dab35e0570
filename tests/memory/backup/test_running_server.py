"""Backup and restore under a server that runs: nobody waits, and everybody goes on with the restored memory."""

from pathlib import Path

import pytest
from django.db import connection

from tests.memory.backup.conftest import close_connections
from tests.servers import Installation, eventually, running

pytestmark = [
    pytest.mark.real_processes,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="installations of tests are on SQLite"),
]


def told(server: Installation, words: str) -> int:
    chat = {"messages": [{"role": "user", "content": words}]}
    answer = server.api.post("/v1/chat", json=chat)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["audit_log_id"])


def keys(server: Installation) -> set[str]:
    return {fact["key"] for fact in server.api.get("/v1/memory/facts").json()["data"]}


def refused(server: Installation, *arguments: str) -> str:
    with pytest.raises(AssertionError) as caught:
        server.manage(*arguments)
    return str(caught.value)


def test_it_goes_on_with_the_restored_memory(tmp_path: Path) -> None:
    close_connections()
    with running(tmp_path) as server:
        told(server, "My dog's name is Beans.")
        eventually(lambda: "dog.name" in keys(server))
        backup = server.manage("backup").splitlines()[-1]
        later = told(server, "My cat's name is Miezi.")
        eventually(lambda: "cat.name" in keys(server))

        assert "The database is in use" in refused(server, "restore", backup)
        assert "cat.name" in keys(server)
        assert "It restores" in server.manage("restore", "--check", backup)

        assert "Restored" in server.manage("restore", "--force", backup)
        assert keys(server) == {"dog.name"}
        again = told(server, "My bird's name is Coco.")
        assert again > later, "no chat has the number of one that is gone"
        eventually(lambda: keys(server) == {"dog.name", "bird.name"})
        assert eventually(lambda: server.api.get("/readyz").status_code == 200)
        events = {row["event_type"] for row in server.api.get("/v1/audit").json()["data"]}
        assert "backup.restored" in events

        later_schema = "from django.db import connection; from django.db.migrations.recorder import MigrationRecorder; "
        server.manage("shell", "-c", f"{later_schema}MigrationRecorder(connection).record_applied('memory', '9999_x')")
        said = server.api.get("/readyz").json()["checks"]["migrations"]["detail"]
        assert "Restart it." in said
    assert "A newer version of CAESAR" in refused(server, "up")
    assert "A newer version of CAESAR" in refused(server, "bootstrap")
    assert "Restored" in server.manage("restore", backup), "the way back from a newer version, with no server running"
