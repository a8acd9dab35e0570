"""Several hosts with one PostgreSQL: two web servers and three workers, each with a folder and settings of its own.

500 chats come in at both doors; one worker is killed in the middle, one is added. Every chat is learned from once.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from django.db import connection

from memory.models import SCOPES, ApiKey, AuditRow, EpisodeSummary, ExtractCursor, PersonalFact, SummariseCursor
from tests import parent_death
from tests.crash.conftest import environ
from tests.crash.model import CountingModel
from tests.crash.numbered_chats import mark, mark_of, said
from tests.servers import ROOT, free_port

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.real_processes,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="several hosts need PostgreSQL"),
]

CHATS = 500
KILLED_AFTER, ADDED_AFTER = 150, 250
PATIENCE_SECONDS = 300.0
CODE = ("manage.py", "caesar", "memory", "dashboard", "templates", "static", "docs", "README.md", "CHANGELOG.md")
WEB = ("-m", "gunicorn", "--preload", "--config", "python:caesar.web", "caesar.wsgi")
WORKER = ("manage.py", "qcluster")


@dataclass
class Hosts:
    """Processes of hosts that are to be ended, each in a session of its own."""

    folder: Path
    model: CountingModel
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, name: str, *command: str, **settings: str) -> subprocess.Popen[bytes]:
        """A process on a host of its own: the code in a folder, where its `var` is, too."""
        home = self.folder / name
        for part in CODE:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, home / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                home.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / part, home / part)
        env = environ(
            self.model,
            DB__SPOOL_PATH=str(home / "turns"),
            LLM__TIMEOUT_SECONDS="2",
            LLM__TASK_TIMEOUT_SECONDS="2",
            **settings,
        )
        process = subprocess.Popen(
            parent_death.command(sys.executable, *command), cwd=home, env=env, start_new_session=True
        )
        self.running.append(process)
        return process

    def end(self) -> None:
        """Stop all of them, and whatever they started."""
        for process in self.running:
            process.terminate()
        for process in self.running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=15)
            kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """The whole host's processes at once, as by a power cut."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture
def hosts(tmp_path: Path, model: CountingModel) -> Iterator[Hosts]:
    found = Hosts(tmp_path, model)
    yield found
    found.end()


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    ends = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < ends, what
        time.sleep(0.2)  # other processes are at work: there is nothing else to wait for


def answers(url: str) -> bool:
    with suppress(httpx.TransportError):
        return httpx.get(f"{url}/healthz").status_code == 200
    return False


def have_read_all() -> bool:
    last = AuditRow.objects.get_queryset().chats().order_by("-id").values_list("id", flat=True).first()
    return all(cursor.current().last_audit_id == last for cursor in (ExtractCursor, SummariseCursor))


def test_every_chat_is_learned_from_once_though_a_host_dies(hosts: Hosts, model: CountingModel) -> None:
    ports = [str(free_port()) for _ in range(2)]
    doors = [f"http://127.0.0.1:{port}" for port in ports]
    timetable = hosts.start("clock", "manage.py", "sync_schedules")
    assert timetable.wait(timeout=60) == 0
    for number, port in enumerate(ports):
        hosts.start(f"web{number}", *WEB, SERVER__PORT=port, TIME_ZONE=("UTC", "Asia/Tokyo")[number])
    first, *_ = [hosts.start(f"worker{number}", *WORKER, LOG_LEVEL="ERROR") for number in range(3)]
    wait_until(lambda: all(map(answers, doors)), "both web servers answer")
    headers = {"Authorization": f"Bearer {ApiKey.objects.issue('two doors', scopes=SCOPES).secret}"}
    with httpx.Client(headers=headers, timeout=30) as client:
        for number in range(CHATS):
            body = {"messages": [{"role": "user", "content": said(number)}], "reply": "Noted."}
            client.post(f"{doors[number % 2]}/v1/memory/chats", json=body).raise_for_status()
            if number == KILLED_AFTER:
                kill(first)
            if number == ADDED_AFTER:
                hosts.start("worker3", *WORKER)
    wait_until(have_read_all, "every chat is read")
    assert_learned_once(model)


def assert_learned_once(model: CountingModel) -> None:
    chats = list(AuditRow.objects.get_queryset().chats().order_by("id"))
    assert [mark_of(chat) for chat in chats] == [mark(number) for number in range(CHATS)], "in the order of sending"
    once = Counter({chat.pk: 1 for chat in chats})
    facts = PersonalFact.objects.values_list("key", "value", "source_audit_id")
    assert {(key, value) for key, value, _ in facts} == {
        (f"locker.n{number:04d}", f"number {number:04d}") for number in range(CHATS)
    }
    assert Counter(source for *_, source in facts) == once
    assert Counter(EpisodeSummary.objects.values_list("audit_log_id", flat=True)) == once
    for event in ("memory.fact.added", "memory.episode.summarised"):
        rows = AuditRow.objects.filter(event_type=event).order_by("id").values_list("chat_id", flat=True)
        assert list(rows) == [chat.pk for chat in chats], f"{event}: one row for each, in order"
    twice = {question: count for question, count in model.paid.items() if count > 1}
    assert len(twice) <= 2, f"only what the killed worker had asked is asked again: {twice}"
