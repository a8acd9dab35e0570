"""Writes a small database with a row in every table, as this version's migrations and code leave it.

    python -m tests.upgrade.write_fixture NAME

once a release, before the next migration is made, with `CAESAR_DB__URL` at an empty database: on SQLite it becomes
`tests/data/databases/NAME.sqlite3.gz`, on PostgreSQL (`pg_dump` has to be installed) `NAME.postgresql.sql.gz`. A file
that is there is not written over: what was released does not change.
"""

import gzip
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import django

FOLDER = Path(__file__).resolve().parents[1] / "data" / "databases"
NOW = datetime(2026, 5, 20, 9, 0, tzinfo=UTC)


def main(name: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "caesar.settings")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    fill()
    empty = sorted(table for table, count in row_counts() if not count)
    if empty:
        sys.exit(f"These tables have no row yet, so an upgrade of theirs would not be tested: {', '.join(empty)}")
    print(f"Wrote {dump(name)}")


def row_counts() -> Iterator[tuple[str, int]]:
    """Every table of a model of any app, and how many rows it has."""
    from django.apps import apps

    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:
            yield model._meta.db_table, model._default_manager.count()


def fill() -> None:
    """A row at least in every table, by the verbs that write them where there are some."""
    accounts()
    turns()
    second_edition()
    queue_tables()


def accounts() -> None:
    """Accounts with everything that Django and django-axes keep of them."""
    from axes.models import AccessAttempt, AccessAttemptExpiration, AccessFailureLog, AccessLog
    from django.contrib.admin.models import CHANGE, LogEntry
    from django.contrib.auth.models import Group, Permission, User
    from django.contrib.contenttypes.models import ContentType
    from django.contrib.sessions.backends.db import SessionStore

    operator = User.objects.create_superuser("operator", password="a long enough password")
    group = Group.objects.create(name="readers")
    group.permissions.add(Permission.objects.all()[0])
    operator.groups.add(group)
    operator.user_permissions.add(Permission.objects.all()[1])
    session = SessionStore()
    session["seen"] = "yes"
    session.create()
    LogEntry.objects.create(
        user=operator, content_type=ContentType.objects.get_for_model(User), object_id="1", action_flag=CHANGE
    )
    whose = {"username": "stranger", "ip_address": "127.0.0.9", "user_agent": "test", "path_info": "/login"}
    attempt = AccessAttempt.objects.create(get_data="", post_data="", failures_since_start=2, **whose)
    AccessAttemptExpiration.objects.create(access_attempt=attempt, expires_at=NOW + timedelta(days=1))
    AccessLog.objects.create(**whose)
    AccessFailureLog.objects.create(**whose)


def turns() -> None:
    """Chats, what was learned from them and what the operator did with it, keys, and the workers' rows."""
    from memory import chat as chats
    from memory import events
    from memory.events import Message
    from memory.models import (
        ApiKey,
        AskAgain,
        AuditRow,
        Embedded,
        EpisodeSummary,
        ExtractCursor,
        IdempotencyKey,
        LearningSwitch,
        PersonalFact,
        SummariseCursor,
        WorkerHeartbeat,
    )
    from memory.text.normalising import Claim
    from tests.turns import compose_turn, record_turn

    def told(words: str, *, days: int) -> AuditRow:
        at = NOW - timedelta(days=days)
        said = [Message(role="user", content=words)]
        recorded = record_turn(said, "Noted.", now=at, conversation_id=f"c{days}")
        return AuditRow.objects.get(pk=recorded.audit_log_id)

    dog = told("My dog's name is Beans, and I live in Käse.", days=40)
    claims = [Claim("dog.name", "Bean", 0.8), Claim("address.city", "Käse", 0.9), Claim("tea", "green", 0.7)]
    PersonalFact.objects.learn(claims, chat=dog, now=NOW - timedelta(days=40))
    PersonalFact.objects.get(key="dog.name").edit("Beans", now=NOW - timedelta(days=39))
    PersonalFact.objects.get(key="tea").forget(now=NOW - timedelta(days=38))
    embedded = Embedded([0.6, 0.8, 0.0], "embedded/test")
    EpisodeSummary.objects.summarise(dog, "The operator told of Beans.", embedded, now=NOW - timedelta(days=40))
    EpisodeSummary.objects.skip(told("Thanks", days=3), reason="trivial", now=NOW - timedelta(days=3))
    later = [Message(role="user", content="What should I feed my dog?")]
    chats.serve(compose_turn(later, now=NOW))
    AuditRow.objects.record(
        events.ExtractAbandoned(error="too long", attempts=5, reason="bad_answer"), now=NOW, chat=dog
    )
    AskAgain.objects.create(chat=dog, job="memory.extract")
    for cursor in (ExtractCursor, SummariseCursor):
        cursor.current()
        cursor._default_manager.update(last_audit_id=dog.pk, attempts=1, last_error="the provider was away")
    LearningSwitch.objects.update(paused_at=NOW)
    WorkerHeartbeat.objects.create(task="memory.extract", at=NOW)
    key = ApiKey.objects.issue("kitchen tablet").row
    ApiKey.objects.issue("old phone").row.revoke(now=NOW)
    IdempotencyKey.objects.create(api_key=key, key="k-1", request_hash="0" * 64, status=200, body='{"a": 1}')


def second_edition() -> None:
    """What came after the first edition: limits of keys, recall by content, undo, review, other people, tokens."""
    from django.contrib.auth.models import User

    from memory.models import (
        ApiKey,
        ApiKeyMinute,
        AuditRow,
        Embedded,
        EmbedderLength,
        EpisodeSummary,
        EpisodeUnits,
        FirstPerson,
        GeneralVectors,
        KeyDay,
        LastLook,
        ModelUsage,
        OperatorId,
        PersonalFact,
        ToldAlert,
        Units,
        WaitingFact,
    )
    from memory.text.normalising import Claim

    chat = AuditRow.objects.get_queryset().chats().earliest("id")
    units = Units(chat.pk, "embedded/test", 3, b"\x7f\x00\x01", b"\0\0\x80?", b"\1\0\0\0", b"\2\0\0\0", 0)
    EpisodeUnits.objects.put(EpisodeSummary.objects.get(audit_log=chat).pk, units)
    other = AuditRow.objects.get_queryset().chats().latest("id")
    EpisodeSummary.objects.filter(audit_log=other).delete()
    EpisodeSummary.objects.summarise(other, "Thanks were given.", Embedded([0.0, 1.0, 0.0], "embedded/test"), now=NOW)
    deleted = EpisodeSummary.objects.get(audit_log=other)
    EpisodeUnits.objects.put(deleted.pk, units)
    deleted.forget(now=NOW)
    GeneralVectors.objects.create(
        model="embedded/test", digest="d", dimensions=3, vectors=b"\1\2\3", scales=b"\0\0\x80?"
    )
    EmbedderLength.objects.create(model="embedded/test", dimensions=3)
    LastLook.look(User.objects.earliest("pk").pk, now=NOW)
    FirstPerson.claim("anna@example.org", now=NOW)
    OperatorId.objects.create(root="anna@example.org", kind="mail", value="anna@example.org", seen_at=NOW)
    ModelUsage.objects.add_one("chat", now=NOW, input_tokens=30, output_tokens=None)
    KeyDay.objects.add(ApiKey.objects.earliest("pk").pk, now=NOW, input_tokens=30, output_tokens=None)
    ToldAlert.objects.note("disk", "There are 5 MB free.", since=NOW)
    WaitingFact.objects.wait([Claim("cat.name", "Miezi", 0.6)], chat=other, now=NOW)
    ApiKeyMinute.objects.add_one(ApiKey.objects.earliest("pk"), NOW)
    PersonalFact.objects.get(key="address.city").keep(now=NOW)


def queue_tables() -> None:
    """The queue's timetable, a waiting task, and one that ended well and one that did not."""
    from django_q.models import OrmQ, Schedule, Task

    Schedule.objects.create(name="memory.extract", func="memory.tasks.extract", schedule_type="I", minutes=1)
    OrmQ.objects.create(key="caesar", payload="", lock=NOW)
    for number, success in enumerate([True, False]):
        Task.objects.create(
            id=f"{number:032d}", name=f"t{number}", func="memory.tasks.sweep", started=NOW, stopped=NOW, success=success
        )


def dump(name: str) -> Path:
    """The database as a file of the fixtures; its connection is closed."""
    from django.db import connection

    target = FOLDER / (name + (".sqlite3.gz" if connection.vendor == "sqlite" else ".postgresql.sql.gz"))
    if target.exists():
        sys.exit(f"{target.name} is there already, and what was released does not change.")
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        with open(database["NAME"], "rb") as source, gzip.open(target, "wb") as packed:
            shutil.copyfileobj(source, packed)
        return target
    connection.close()
    where = ["--host", database["HOST"], "--port", str(database["PORT"]), "--username", database["USER"]]
    command = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", *where, database["NAME"]]
    said = subprocess.run(command, check=True, capture_output=True).stdout  # noqa: S603
    kept = b"".join(line for line in said.splitlines(keepends=True) if not line.startswith(b"\\"))  # psql's own words
    with gzip.open(target, "wb") as packed:
        packed.write(kept)
    return target


if __name__ == "__main__":
    main(sys.argv[1])
