"""A web process loads its episodes at its start, in the background; where it cannot, it serves all the same."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import httpx
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from caesar.environment import ROOT
from caesar.web import load_episodes, load_facts
from memory.llm import embedding
from memory.models import PersonalFact
from tests.conftest import Configure
from tests.memory.commands.own_server import OwnServer, eventually
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.memory.recall import reference_recall as reference

MODEL = "ollama:embed-small"
HOSTED = {"SEMANTIC__ENABLED": "true", "SEMANTIC__PROVIDER": "ollama", "SEMANTIC__MODEL": "embed-small"}


@pytest.fixture
def recalling(configure: Configure) -> None:
    """An embedder that is a server, which nobody asks here."""
    configure(semantic__enabled=True, semantic__provider="ollama", semantic__model="embed-small")
    assert embedding.embedder_model() == MODEL


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("recalling")
def test_it_works(caplog: pytest.LogCaptureFixture, configure: Configure) -> None:
    configure(memory__episodes_recall__max_age_days=36_500)
    reference.add([1.0, 0.0, 0.0], model=MODEL)
    with caplog.at_level(logging.INFO):
        load_episodes()
    assert "Loaded 1 episodes in " in caplog.text


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("recalling")
def test_a_database_that_cannot_be_read_is_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE episode_summaries RENAME TO elsewhere")
    try:
        load_episodes()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE elsewhere RENAME TO episode_summaries")
    (line,) = caplog.records
    assert line.levelno == logging.WARNING
    assert line.message.startswith("Episodes are not loaded yet")


@pytest.mark.django_db(transaction=True)
def test_where_nothing_is_recalled_nothing_is_read(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO), CaptureQueriesContext(connection) as captured:
        load_episodes()
    assert not captured.captured_queries
    assert not caplog.records


@pytest.mark.django_db(transaction=True)
def test_facts_are_embedded_where_prompts_take_them_by_what_is_asked(
    caplog: pytest.LogCaptureFixture, configure: Configure, now: datetime
) -> None:
    for number in range(11):
        PersonalFact.objects.add(f"note.n{number}", f"thing {number}", now=now)
    with scripted_embedder(model="scripted-at-start") as embedder, caplog.at_level(logging.INFO):
        configure(memory__facts__enabled=True, memory__facts__selection="importance")
        load_facts()
        assert not embedder.requests
        configure(memory__facts__selection="mixed")
        load_facts()
    assert "Embedded 11 facts." in caplog.text
    assert {text.split(":")[0] for text in embedder.texts} == {f"note n{number}" for number in range(11)}


@pytest.mark.django_db(transaction=True)
def test_facts_wait_where_the_embedder_is_out(
    caplog: pytest.LogCaptureFixture, configure: Configure, now: datetime
) -> None:
    for number in range(11):
        PersonalFact.objects.add(f"note.n{number}", f"thing {number}", now=now)
    with scripted_embedder(*[httpx.Response(503, text="down")] * 3, model="scripted-out"):
        configure(memory__facts__enabled=True, memory__facts__selection="mixed")
        load_facts()
    assert "Facts are not embedded yet" in caplog.text


# --- in real processes ------------------------------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path: Path) -> Iterator[OwnServer]:
    server = OwnServer(tmp_path, **HOSTED)
    yield server
    server.end_all()


def start(server: OwnServer, *options: str) -> subprocess.Popen[bytes]:
    """gunicorn with two processes, as `manage.py up` runs it."""
    command = [sys.executable, "-m", "gunicorn", "caesar.wsgi", "--config", "python:caesar.web", "--no-control-socket"]
    command += ["--bind", f"127.0.0.1:{server.port}", *options]
    with server.log.open("ab") as log:
        return subprocess.Popen(command, cwd=ROOT, env=server.environ, stdout=log, stderr=subprocess.STDOUT)


@pytest.mark.real_processes
@pytest.mark.parametrize("options", [["--preload"], []])
def test_each_process_loads_them_and_no_connection_is_older_than_it(server: OwnServer, options: list[str]) -> None:
    server.migrate()
    process = start(server, *options)
    try:
        assert eventually(lambda: server.printed().count("Loaded 0 episodes") == 2), server.printed()
        assert eventually(server.answers), server.printed()
        if sys.platform == "linux":
            held = [link.readlink().name for link in Path(f"/proc/{process.pid}/fd").iterdir() if link.is_symlink()]
            assert server.file.name not in held, "the parent has opened the database"
    finally:
        process.terminate()
        process.wait(60)
    assert "Traceback" not in server.printed()


@pytest.mark.real_processes
def test_manage_up_has_them_loaded(server: OwnServer) -> None:
    assert server.run("bootstrap").returncode == 0
    process = server.start("up")
    try:
        assert eventually(lambda: server.printed().count("Loaded 0 episodes") == 2), server.printed()
        process.terminate()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait(60)


@pytest.mark.real_processes
def test_a_server_without_tables_serves(server: OwnServer) -> None:
    process = start(server, "--preload")
    try:
        assert eventually(lambda: server.printed().count("Episodes are not loaded yet") == 2), server.printed()
        assert eventually(lambda: server.answers("/healthz")), server.printed()
    finally:
        process.terminate()
        process.wait(60)


@pytest.mark.real_processes
def test_a_command_loads_nothing(server: OwnServer) -> None:
    server.migrate()
    done = server.run("check")
    assert "Loaded" not in done.stdout + done.stderr
