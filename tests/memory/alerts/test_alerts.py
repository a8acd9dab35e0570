"""Messages about what needs somebody: once when it begins, once when it is over, by webhook and mail."""

import json
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from memory import alerts
from memory.models import ExtractCursor, SummariseCursor, ToldAlert, WorkerHeartbeat
from tests.conftest import Configure
from tests.memory.chat_helpers import record_chat

pytestmark = pytest.mark.django_db

WORDS = "My dog is called Beans."


class Hook:
    """A webhook on loopback: what it was sent, and the status that it answers."""

    def __init__(self) -> None:
        self.sent: list[dict[str, str]] = []
        self.status = 204
        self.url = ""


@pytest.fixture
def hook() -> Iterator[Hook]:
    found = Hook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # noqa: N802 (the name is the library's)
            found.sent.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(found.status)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Nothing is printed."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield found
    server.shutdown()
    server.server_close()


@pytest.fixture
def well(configure: Configure, now: datetime) -> None:
    """Everything is well at `now`, and at the moments of these tests."""
    configure(alerts__least_free_megabytes=0, backup__enabled=False)
    configure(memory__facts_extract__enabled=False, memory__episodes_summarise__enabled=False)


def stuck(now: datetime) -> None:
    """A chat has failed for an hour."""
    record_chat(WORDS, now=now - timedelta(hours=1))
    ExtractCursor.objects.update(last_error=f"The model answered: {WORDS}", attempts=3)


def settle(now: datetime) -> None:
    ExtractCursor.objects.update(last_error="", attempts=0, last_audit_id=10**9)


def test_a_problem_is_told_once_and_its_end_once(well: None, configure: Configure, hook: Hook, now: datetime) -> None:
    ExtractCursor.current(), SummariseCursor.current()
    configure(alerts__webhook_url=hook.url)
    assert alerts.watch(now) == "0 problems, 0 messages"
    stuck(now)
    for minutes in range(3):
        alerts.watch(now + timedelta(minutes=minutes))
    settle(now)
    for minutes in range(3):
        alerts.watch(now + timedelta(hours=1, minutes=minutes))
    assert [(one["kind"], one["state"]) for one in hook.sent] == [
        ("memory.extract.stuck", "began"),
        ("memory.extract.stuck", "ended"),
    ]
    assert hook.sent[0]["since"] == now.isoformat()
    assert "overview" in hook.sent[0]["text"]
    assert not any("Beans" in json.dumps(one) for one in hook.sent), "no word of a chat"
    assert not ToldAlert.objects.exists()


def test_a_refused_message_is_sent_again(well: None, configure: Configure, hook: Hook, now: datetime) -> None:
    configure(alerts__webhook_url=hook.url)
    ExtractCursor.current()
    stuck(now)
    hook.status = 503
    with pytest.raises(alerts.AlertNotSent, match="^post: the address answered 503$"):
        alerts.send_test(now)  # without the address, which may hold a secret
    hook.sent.clear()
    assert alerts.watch(now) == "1 problems, 0 messages"
    hook.status = 200
    assert alerts.watch(now) == "1 problems, 1 messages"
    assert alerts.watch(now) == "1 problems, 0 messages"


def test_a_short_failure_is_nobodys_business(well: None, now: datetime) -> None:
    ExtractCursor.current()
    record_chat(WORDS, now=now - timedelta(minutes=5))
    ExtractCursor.objects.update(last_error="out", attempts=1)
    assert alerts.problems(now) == {}


def test_by_mail(well: None, configure: Configure, now: datetime) -> None:
    configure(alerts__mail_to=("me@example.com", "you@example.com"), alerts__mail_from="memory@example.com")
    ExtractCursor.current()
    stuck(now)
    alerts.watch(now)
    [message] = mail.outbox
    assert message.to == ["me@example.com", "you@example.com"]
    assert message.from_email == "memory@example.com"
    assert message.subject == "CAESAR memory needs you: memory.extract.stuck"
    assert WORDS not in message.body


def test_what_else_is_a_problem(configure: Configure, now: datetime) -> None:
    configure(
        alerts__least_free_megabytes=100_000_000,
        backup__enabled=True,
        memory__facts_extract__enabled=True,
        memory__episodes_summarise__enabled=False,
    )
    record_chat(WORDS, now=now - timedelta(days=4))
    WorkerHeartbeat.beat("memory.extract", now=now - timedelta(hours=2))
    found = alerts.problems(now)
    assert set(found) == {"memory.extract", "backup old", "disk"}
    assert "manage.py qcluster" in found["memory.extract"]
    assert "manage.py backup" in found["backup old"]


def test_the_command_says_what_is_wrong_and_sends_a_test(
    well: None, configure: Configure, hook: Hook, now: datetime
) -> None:
    said = StringIO()
    call_command("alerts", stdout=said)
    assert said.getvalue() == "All is well.\n"
    with pytest.raises(CommandError, match="CAESAR_ALERTS__WEBHOOK_URL"):
        call_command("alerts", "--test")
    configure(alerts__webhook_url=hook.url)
    call_command("alerts", "--test", stdout=said)
    assert [one["state"] for one in hook.sent] == ["test"]
    configure(alerts__least_free_megabytes=100_000_000)
    with pytest.raises(SystemExit, match="1"):
        call_command("alerts", stdout=said)
