"""The statements of a turn's end write what the ORM would."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import events
from memory.models import AuditRow, EpisodeSummary, HeardWords
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


# --- look-ups that do not grow with the log --------------------------------------------------------------------------


def steps(work: Callable[[], object]) -> int:
    """How many steps of its own language SQLite takes for `work`."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    connection.connection.set_progress_handler(count, 1)
    try:
        work()
    finally:
        connection.connection.set_progress_handler(None, 1)
    return taken


def add_chats(count: int, *, now: datetime) -> None:
    """Chats with other words each, in which the words 1 and 2 were heard."""
    chats = AuditRow.objects.bulk_create(
        AuditRow(ts=now, event_type=events.ChatCompleted.name, fingerprint=f"{now:%f}-{number}")
        for number in range(count)
    )
    HeardWords.objects.bulk_create(HeardWords(hash=hash_, chat_id=chat.pk) for chat in chats for hash_ in (1, 2))


only_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="counts the steps of SQLite")


@only_sqlite
@pytest.mark.parametrize("conversation_id", [None, "c-1"])
def test_the_turn_of_words_is_looked_up_in_a_long_log_as_in_a_short_one(
    now: datetime, conversation_id: str | None
) -> None:
    def look() -> None:
        assert AuditRow.objects.turn_of(["new", "NEW"], conversation_id=conversation_id) is None

    add_chats(20, now=now)
    few = steps(look)
    add_chats(2_000, now=now + timedelta(microseconds=1))
    assert steps(look) <= 2 * few


@only_sqlite
def test_words_that_every_chat_holds_are_one_look_up_each(now: datetime) -> None:
    def look() -> None:
        HeardWords.objects.first_chats([1, 2, 3])

    add_chats(20, now=now)
    few = steps(look)
    add_chats(2_000, now=now + timedelta(microseconds=1))
    assert steps(look) <= 2 * few


def test_the_first_chat_of_words_is_the_first_of_all(now: datetime) -> None:
    add_chats(3, now=now)
    ids = list(AuditRow.objects.order_by("id").values_list("pk", flat=True))
    assert HeardWords.objects.first_chats([3, 2, 1]) == {1: ids[0], 2: ids[0]}
    assert HeardWords.objects.first_chats([]) == {}
    assert HeardWords.objects.chats_of([2, 3]) == {2: ids}


def test_the_turn_is_that_of_the_newest_chat_of_its_own_conversation(now: datetime) -> None:
    def chat(conversation_id: str | None, *, begun_by: AuditRow | None = None) -> AuditRow:
        event = events.ChatCompleted(reply="ok")
        return AuditRow.objects.record(
            event, now=now, fingerprint="said", conversation_id=conversation_id, chat=begun_by
        )

    first, named, unnamed = chat("c-1"), chat("c-2"), chat(None)
    chat("c-1", begun_by=first)
    found = [AuditRow.objects.turn_of(["other", "said"], conversation_id=name) for name in ("c-1", "c-2", None, "c-3")]
    assert found == [first.pk, named.pk, unnamed.pk, None]
    assert AuditRow.objects.turn_of(["other"], conversation_id=None) is None
