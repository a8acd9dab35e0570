"""A deleted episode is out of recall at once, can be brought back as it was, and leaves nothing after the sweep."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from memory import events, retention
from memory.learning import reembedding
from memory.models import (
    AuditRow,
    DeletedEpisode,
    Embedded,
    EpisodeGone,
    EpisodeSummary,
    EpisodeUnits,
    ExtractCursor,
    MemoryRevision,
    SummariseCursor,
)
from memory.recall import index
from memory.recall.hybrid import snapshots
from memory.recall.hybrid.search import search
from memory.units import catching_up
from tests.conftest import Configure
from tests.memory.chat_helpers import past_chat, past_episode, record_chat
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.memory.recall import reference_recall
from tests.memory.recall.hybrid import stores

pytestmark = pytest.mark.django_db(transaction=True)

SLEEP = "We discussed the operator's sleep trouble."
X = [1.0, 0.0]


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    snapshots.forget()
    index.forget()
    yield
    snapshots.forget()
    index.forget()


def state(episode: EpisodeSummary) -> dict[str, Any]:
    """Everything stored of an episode, its units too."""
    row = EpisodeSummary.objects.filter(pk=episode.pk).values().get()
    units = EpisodeUnits.objects.filter(pk=episode.pk).first()
    return row | {"units": units and units.units}


def deleted(episode: EpisodeSummary, now: datetime) -> AuditRow:
    deletion = episode.forget(now=now)
    assert deletion is not None
    return deletion


def restored_rows() -> list[AuditRow]:
    return list(AuditRow.objects.get_queryset().of_type(events.EpisodeUserRestored))


def test_it_works(now: datetime) -> None:
    episode = past_episode(SLEEP, now - timedelta(days=3))
    EpisodeSummary.objects.bump([episode.pk], now=now - timedelta(days=1))
    before = state(episode)
    deletion = deleted(episode, now)
    assert state(episode)["summary"] == ""
    back = EpisodeSummary.objects.restore(deletion, now=now)
    assert back.pk == episode.pk
    assert state(episode) == before
    assert (before["recall_count"], before["dimensions"]) == (1, 2)
    (row,) = restored_rows()
    assert row.payload == {"audit_log_id": episode.audit_log_id, "summary": SLEEP, "restored_from": deletion.pk}
    assert (row.chat_id, row.ts) == (episode.audit_log_id, now)
    assert not DeletedEpisode.objects.exists()


def test_a_second_undo_writes_nothing(now: datetime) -> None:
    episode = past_episode(SLEEP, now)
    deletion = deleted(episode, now)
    EpisodeSummary.objects.restore(deletion, now=now)
    assert EpisodeSummary.objects.restore(deletion, now=now).summary == SLEEP
    assert len(restored_rows()) == 1


def test_it_can_be_deleted_and_brought_back_again(now: datetime) -> None:
    episode = past_episode(SLEEP, now)
    EpisodeSummary.objects.restore(deleted(episode, now), now=now)
    second = deleted(episode, now)
    assert EpisodeSummary.objects.restore(second, now=now).summary == SLEEP
    assert [row.payload["restored_from"] for row in restored_rows()][-1] == second.pk


def test_another_row_is_no_deletion(now: datetime) -> None:
    with pytest.raises(ValueError, match="no deletion"):
        EpisodeSummary.objects.restore(past_chat(now), now=now)


# --- recall ---------------------------------------------------------------------------------------------------------


def test_by_record_it_is_gone_at_once_and_back_at_once() -> None:
    now = reference_recall.NOW
    ids = [reference_recall.add(X), reference_recall.add([1.0, 0.1])]
    wanted = reference_recall.query(X)
    assert reference_recall.found_ids(index.search(wanted)) == ids
    deletion = deleted(EpisodeSummary.objects.get(pk=ids[0]), now)
    assert reference_recall.found_ids(index.search(wanted)) == ids[1:]
    EpisodeSummary.objects.restore(deletion, now=now)
    assert reference_recall.found_ids(index.search(wanted)) == ids
    index.forget()
    assert reference_recall.found_ids(index.search(wanted)) == ids


def test_by_content_it_is_gone_at_once_and_back_at_once_without_a_summary_too() -> None:
    one, other = stores.remember("apple", vectors=[X]), stores.remember("river", vectors=[[0.0, 1.0]])
    before = state(one)
    assert before["units"] is not None
    assert stores.found_ids("apple", X)[0] == one.pk
    deletion = deleted(one, stores.NOW)
    assert stores.found_ids("apple", X) == [other.pk]
    assert not EpisodeUnits.objects.filter(pk=one.pk).exists()
    EpisodeSummary.objects.restore(deletion, now=stores.NOW)
    assert state(one) == before
    assert stores.found_ids("apple", X)[0] == one.pk
    assert search(stores.query("apple", X)).coverage > 0, "its words count again"


def test_both_verbs_tell_every_process(now: datetime) -> None:
    episode = past_episode(SLEEP, now)
    moved = [MemoryRevision.current().episodes_changed]
    deletion = deleted(episode, now)
    moved.append(MemoryRevision.current().episodes_changed)
    EpisodeSummary.objects.restore(deletion, now=now)
    moved.append(MemoryRevision.current().episodes_changed)
    assert moved == sorted(set(moved))


# --- workers --------------------------------------------------------------------------------------------------------


def test_a_later_answer_replaces_what_is_back_and_not_what_is_gone(now: datetime) -> None:
    episode = past_episode(SLEEP, now)
    reply, new = past_chat(now), Embedded([1.0], "m")
    deletion = deleted(episode, now)
    assert not EpisodeSummary.objects.replace(episode.audit_log, "Anew.", new, reply=reply, now=now)
    assert EpisodeSummary.objects.is_settled(episode.audit_log, reply=reply)
    EpisodeSummary.objects.restore(deletion, now=now)
    assert not EpisodeSummary.objects.is_settled(episode.audit_log, reply=reply)
    assert EpisodeSummary.objects.replace(episode.audit_log, "Anew.", new, reply=reply, now=now)


def test_reembed_leaves_the_deleted_alone_and_takes_up_what_is_back(now: datetime, configure: Configure) -> None:
    with scripted_embedder() as embedder:
        episode = past_episode(SLEEP, now)  # of another embedder
        deletion = deleted(episode, now)
        assert [one.total for one in reembedding.run()] == [0]
        assert not [text for text in embedder.texts if text == SLEEP], "what is deleted is sent to nobody"
        EpisodeSummary.objects.restore(deletion, now=now)
        assert [one.embedded for one in reembedding.run()][-1] == 1


def test_a_chat_without_a_summary_gets_units_again_once_it_is_back(now: datetime, configure: Configure) -> None:
    configure(memory__episodes_recall__mode="hybrid")
    with scripted_embedder():
        episode = stores.remember("apple", "river", vectors=[X])  # of another embedder
        assert list(catching_up.waiting(0)) == [episode]
        deletion = deleted(episode, now)
        assert not catching_up.waiting(0).exists()
        EpisodeSummary.objects.restore(deletion, now=now)
        assert list(catching_up.waiting(0)) == [episode]


# --- the sweep ------------------------------------------------------------------------------------------------------


def everything_was_read() -> None:
    newest = AuditRow.objects.order_by("-id").values_list("id", flat=True)[0]
    for cursor in (ExtractCursor, SummariseCursor):
        cursor.current()
        cursor.objects.update(last_audit_id=newest)


def tables_with(word: str) -> list[str]:
    """The tables in which a word stands, in any column; the index of words has no rows to look at."""
    found = []
    for table in connection.introspection.table_names():
        if table.startswith("audit_fts"):
            continue
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 (a name from the schema)
            found += [table] * any(word in str(row) for row in cursor.fetchall())
    return found


def test_the_sweep_of_the_chat_takes_what_could_bring_it_back(now: datetime) -> None:
    for _ in range(10):
        record_chat("Good morning to you", now)
    episode = past_episode("The zanzibar affair.", now - timedelta(days=91))
    deletion = deleted(episode, now - timedelta(days=91))
    assert "deleted_episodes" in tables_with("zanzibar")
    everything_was_read()
    retention.sweep(now=now)
    assert not DeletedEpisode.objects.exists()
    assert tables_with("zanzibar") == []
    with pytest.raises(EpisodeGone):
        EpisodeSummary.objects.restore(deletion, now=now)


def test_units_go_by_the_sweep_too() -> None:
    episode = stores.remember("apple", vectors=[X])
    deleted(episode, stores.NOW)
    stores.sweep(AuditRow.objects.get_queryset().filter(pk=episode.audit_log_id))
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM deleted_episode_units")
        assert cursor.fetchone() == (0,)


def test_the_sweep_of_the_deletion_takes_it_where_the_chat_stays(now: datetime) -> None:
    episode = past_episode(SLEEP, now)
    deletion = deleted(episode, now)
    stores.sweep(AuditRow.objects.get_queryset().filter(pk=deletion.pk))
    assert not DeletedEpisode.objects.exists()
    assert EpisodeSummary.objects.filter(pk=episode.pk).exists()
    with pytest.raises(EpisodeGone, match="no longer kept"):
        EpisodeSummary.objects.restore(deletion, now=now)


def test_one_deleted_before_anything_was_kept_stays_gone(now: datetime) -> None:
    episode = past_episode(SLEEP, now)
    deletion = deleted(episode, now)
    DeletedEpisode.objects.all().delete()
    with pytest.raises(EpisodeGone, match="no longer kept"):
        EpisodeSummary.objects.restore(deletion, now=now)
    assert restored_rows() == []
