"""The statements of a turn's end write what the ORM would."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import events
from memory.models import AuditRow, EpisodeSummary
from memory.models.turn_sql import AuditValues
from tests.memory.recall import reference_recall as reference

pytestmark = pytest.mark.django_db


def test_it_works(now: datetime) -> None:
    drafts = [
        AuditRow.objects.draft(events.FactUserAdded(key="dog.name", value="Käse"), now=now, decision_id="d1"),
        AuditRow.objects.draft(
            events.ChatCompleted(reply="ok", learn=True, new_messages=[0]),
            now=now + timedelta(microseconds=1),
            decision_id=None,
            fingerprint="f" * 64,
            conversation_id="c-1",
        ),
    ]
    with CaptureQueriesContext(connection) as captured:
        AuditRow.objects.write(drafts)
    assert len(captured) == 1
    assert [row.pk for row in drafts] == list(AuditRow.objects.order_by("id").values_list("pk", flat=True))
    for draft in drafts:
        row = AuditRow.objects.get(pk=draft.pk)
        assert [getattr(row, name) for name in AuditValues._fields] == [
            getattr(draft, name) for name in AuditValues._fields
        ]


def test_every_column_is_written() -> None:
    assert {"id", *AuditValues._fields} == {field.attname for field in AuditRow._meta.concrete_fields}


def test_a_written_row_cannot_be_saved_again(now: datetime) -> None:
    row = AuditRow.objects.draft(events.FactUserAdded(key="dog.name", value="x"), now=now, decision_id=None)
    AuditRow.objects.write([row])
    with pytest.raises(TypeError):
        row.save()


def test_no_rows_are_no_statement() -> None:
    with CaptureQueriesContext(connection) as captured:
        AuditRow.objects.write([])
        assert EpisodeSummary.objects.bump([], now=reference.NOW) == 0
    assert len(captured) == 0


def test_many_rows_keep_their_order_and_their_chat(now: datetime) -> None:
    chat = AuditRow.objects.record(events.ChatCompleted(reply="ok"), now=now)
    event = events.EpisodeRecalled(
        audit_log_id=chat.pk, summary="", cosine=0.5, freshness=1.0, recall_weight=1.0, score=0.5
    )
    drafts = [
        AuditRow.objects.draft(
            event.model_copy(update={"summary": f"number {number}"}), now=now, decision_id="d", chat_id=chat.pk
        )
        for number in range(250)
    ]
    AuditRow.objects.write(drafts)
    written = AuditRow.objects.filter(chat=chat).order_by("id")
    assert [row.payload["summary"] for row in written] == [f"number {number}" for number in range(250)]
    assert [row.pk for row in written] == [row.pk for row in drafts]


def test_a_long_string_is_cut_wherever_it_stands(now: datetime) -> None:
    long = "x" * 20_000
    for event in (
        events.EpisodeSummarised(audit_log_id=1, summary=long, model="m"),
        events.ChatPassedThrough(reason="task_prompt", usage=events.Usage(), beginning=long),
    ):
        payload = AuditRow.objects.draft(event, now=now, decision_id=None).payload
        assert payload["truncated"] is True
        assert max(len(value) for value in payload.values() if isinstance(value, str)) == 16_384
    short = events.EpisodeSummarised(audit_log_id=1, summary="x" * 16_384, model="m")
    assert AuditRow.objects.draft(short, now=now, decision_id=None).payload == {
        "audit_log_id": 1,
        "summary": "x" * 16_384,
        "model": "m",
    }


def test_a_bump_counts_those_that_exist() -> None:
    one, two, other = reference.add([1.0, 0.0]), reference.add([1.0, 0.0], recalls=3), reference.add([1.0, 0.0])
    later = reference.NOW + timedelta(microseconds=7)
    assert EpisodeSummary.objects.bump([one, two, 10**9], now=later) == 2
    recalled = {row.pk: (row.recall_count, row.last_recalled_at) for row in EpisodeSummary.objects.all()}
    assert recalled == {one: (1, later), two: (4, later), other: (0, None)}
