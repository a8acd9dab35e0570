"""`manage.py up`: web and worker start together and end together; whatever happens, nothing lives on."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory.management.commands.up import shown_address
from tests.conftest import Configure
from tests.memory.commands.own_server import OwnServer, eventually

pytestmark = [
    pytest.mark.real_processes,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for left-over processes in /proc"),
]

Up = tuple[OwnServer, subprocess.Popen[bytes]]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[OwnServer]:
    server = OwnServer(tmp_path)
    yield server
    server.end_all()


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that is ready."""
    server = OwnServer(tmp_path_factory.mktemp("made-once"))
    assert server.run("bootstrap").returncode == 0
    return server.file


@pytest.fixture
def up(server: OwnServer, made_once: Path) -> Iterator[Up]:
    """A server that answers, with a worker that is ready. An interval is longer than when its database was made."""
    server.environ["CAESAR_MEMORY__FACTS_EXTRACT__INTERVAL_SECONDS"] = "120"
    shutil.copy(made_once, server.file)
    process = server.start("up")
    assert eventually(lambda: _is_ready(server) or process.poll() is not None)
    assert process.poll() is None, server.printed()
    yield server, process
    if process.poll() is None:
        process.terminate()
        process.wait(60)


def _is_ready(server: OwnServer) -> bool:
    return "CAESAR is at" in server.printed() and "running." in server.printed()


def the(server: OwnServer, word: str) -> int:
    """The parent process of the web server or the worker."""
    return min(pid for pid, command in server.processes().items() if word in command)


def test_it_works(up: Up) -> None:
    server, process = up
    assert f"CAESAR is at http://127.0.0.1:{server.port}/ (Ctrl-C stops it).\n" in server.printed()
    assert server.answers()
    schedules = server.query("SELECT name, minutes FROM django_q_schedule ORDER BY name")
    assert schedules == [
        ("memory.backup", 1440),
        ("memory.backup_drill", 10080),
        ("memory.extract", 2),
        ("memory.sweep", 1440),
    ], "as the settings say"
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    assert server.processes() == {}
    assert "Traceback" not in server.printed()
    assert not server.file.with_name("rows.sqlite3-wal").exists(), "a copy of the file alone has all"


def test_a_signal_to_the_whole_group_is_no_different(up: Up) -> None:
    server, process = up
    os.killpg(process.pid, signal.SIGTERM)
    assert process.wait(30) == 0
    assert server.processes() == {}


def test_a_signal_while_it_starts_ends_it_too(server: OwnServer) -> None:
    process = server.start("up", "--bootstrap")
    assert eventually(lambda: any("gunicorn" in command for command in server.processes().values()))
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    assert server.processes() == {}


@pytest.mark.parametrize(
    ("word", "line"),
    [("gunicorn", "The web server was ended by SIGKILL. Stopping."), ("qcluster", "The worker was ended by SIGKILL.")],
)
def test_one_that_dies_ends_the_other(up: Up, word: str, line: str) -> None:
    server, process = up
    os.kill(the(server, word), signal.SIGKILL)
    assert process.wait(30) == 1
    assert line in server.printed()
    assert server.processes() == {}


def test_nothing_lives_on_when_it_is_killed(up: Up) -> None:
    server, process = up
    process.kill()
    process.wait(30)
    assert eventually(lambda: server.processes() == {}, seconds=30), server.processes()


def start_task_that_sleeps(server: OwnServer, *, seconds: int) -> None:
    """Have the worker run a task of that length; returns when it has begun."""
    slow = f"from django_q.tasks import async_task; async_task('time.sleep', {seconds})"
    assert server.run("shell", "--verbosity", "0", "--command", slow).returncode == 0
    assert eventually(lambda: "'time.sleep'" in server.printed()), server.printed()


def test_a_closed_terminal_ends_it_when_the_task_that_runs_is_finished(up: Up) -> None:
    server, process = up
    start_task_that_sleeps(server, seconds=3)
    process.send_signal(signal.SIGHUP)
    assert process.wait(30) == 0
    assert server.processes() == {}
    assert server.query("SELECT success FROM django_q_task WHERE func = 'time.sleep'") == [(1,)]
    assert server.query("SELECT count(*) FROM django_q_ormq") == [(0,)]


def test_a_second_ctrl_c_does_not_wait(up: Up) -> None:
    server, process = up
    start_task_that_sleeps(server, seconds=25)
    process.send_signal(signal.SIGINT)
    insist: Callable[[], bool] = lambda: process.send_signal(signal.SIGINT) or process.poll() is not None  # noqa: E731
    assert eventually(insist, seconds=15)
    assert server.processes() == {}


def test_a_taken_port_is_one_line_before_anything_is_made(server: OwnServer) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", server.port))
        other.listen()
        done = server.run("up", "--bootstrap")
    assert done.returncode == 2
    cure = "Stop the other server or set CAESAR_SERVER__PORT."
    assert done.stderr == f"127.0.0.1:{server.port}: Address already in use. {cure}\n"
    assert done.stdout == ""
    assert not server.file.exists()


def test_an_empty_database_is_refused_with_the_cure(server: OwnServer) -> None:
    done = server.run("up")
    assert done.returncode == 2
    assert done.stderr == "The database is not up to date. Run `manage.py bootstrap`, then try again.\n"


def test_a_host_that_does_not_exist_is_one_line(tmp_path: Path) -> None:
    done = OwnServer(tmp_path, SERVER__HOST="no.such.host.invalid").run("up")
    assert done.returncode == 2
    assert "Correct CAESAR_SERVER__HOST.\n" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    server = OwnServer(tmp_path)
    server.environ["CAESAR_DB__URL"] = "postgresql://nobody:sesame@127.0.0.1:9/nowhere"
    done = server.run("up")
    assert done.returncode == 2
    assert done.stderr.startswith("The database cannot be used: ")
    assert done.stderr.count("\n") == 1
    assert "sesame" not in done.stderr


def test_a_wrong_triggers_file_is_one_line_before_anything_is_made(tmp_path: Path) -> None:
    file = tmp_path / "triggers.yaml"
    file.write_text("- name: morning\n  cron: 0 7 * *\n  prompt: Good morning.\n")
    server = OwnServer(tmp_path, PROACTIVE__TRIGGERS_PATH=str(file))
    done = server.run("up", "--bootstrap")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{file}, line 2: cron '0 7 * *' has not five fields. ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert not server.file.exists()


def test_settings_that_contradict_each_other_stop_the_start(tmp_path: Path) -> None:
    done = OwnServer(tmp_path, MEMORY__EPISODES_SUMMARISE__ENABLED="true", SEMANTIC__ENABLED="false").run("up")
    assert done.returncode == 1
    assert "caesar.E002" in done.stderr


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("0.0.0.0", "http://localhost:8000/"),  # noqa: S104
        ("::", "http://localhost:8000/"),
        ("::1", "http://[::1]:8000/"),
        ("box", "http://box:8000/"),
    ],
)
def test_the_address_shown_is_one_that_a_browser_here_can_open(host: str, address: str, configure: Configure) -> None:
    configure(server__host=host)
    assert shown_address() == address
