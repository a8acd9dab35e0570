"""0015: rows that workers had made of a chat get the key of that chat; nothing else is changed."""

from datetime import datetime
from importlib import import_module

import pytest
from django.db import connection

from memory import events
from memory.actor import Actor, acting
from memory.models import ApiKey, AuditQuerySet, AuditRow

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def migration() -> object:
    return import_module("memory.migrations.0015_clients")


def note(migration: object) -> None:
    with connection.schema_editor(atomic=False) as editor:
        migration.note_clients(None, editor)  # type: ignore[attr-defined]


def as_before(row: AuditRow) -> AuditRow:
    """The row as versions before wrote it: without the key of its chat."""
    super(AuditQuerySet, AuditRow.objects.get_queryset().filter(pk=row.pk)).update(api_key=None)
    return row


def test_it_works_and_a_second_time_changes_nothing(migration: object, now: datetime) -> None:
    key = ApiKey.objects.issue("kitchen tablet").row
    with acting(lambda: Actor.client(key.label, key.pk)):
        chat = AuditRow.objects.record(events.ChatCompleted(reply="Hi"), now=now)
    unknown = AuditRow.objects.record(events.ChatCompleted(reply="Hi"), now=now)
    learned = events.FactAdded(key="dog.name", value="Beans", confidence=1.0, said_at=now)
    of_chat = as_before(AuditRow.objects.record(learned, now=now, chat=chat))
    of_unknown = as_before(AuditRow.objects.record(learned, now=now, chat=unknown))
    with acting(lambda: Actor("account operator")):
        edited = AuditRow.objects.record(events.FactUserDeleted(key="dog.name", value="Beans"), now=now, chat=chat)
    recall = events.EpisodeRecalled(
        audit_log_id=chat.pk, summary="We met.", cosine=1, freshness=1, recall_weight=1, score=1
    )
    recalled = as_before(AuditRow.objects.record(recall, now=now, chat=chat))
    for _ in range(2):
        note(migration)
        keys = dict(AuditRow.objects.values_list("pk", "api_key_id"))
        assert keys[chat.pk] == keys[of_chat.pk] == key.pk
        assert not any(keys[row.pk] for row in (unknown, of_unknown, edited, recalled))


def test_it_goes_on_from_batch_to_batch(migration: object, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migration, "ROWS_AT_A_TIME", 2)
    key = ApiKey.objects.issue("kitchen tablet").row
    with acting(lambda: Actor.client(key.label, key.pk)):
        chat = AuditRow.objects.record(events.ChatCompleted(reply="Hi"), now=now)
    skipped = events.EpisodeSkipped(audit_log_id=chat.pk, reason="trivial")
    rows = [as_before(AuditRow.objects.record(skipped, now=now, chat=chat)) for _ in range(7)]
    note(migration)
    assert AuditRow.objects.filter(pk__in=[row.pk for row in rows], api_key=key).count() == 7
