"""The matrix is as fresh as the rows, whoever changes them and whenever, and no larger than it has to be."""

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings

from memory.models import AuditRow, Embedded, EpisodeSummary, MemoryRevision
from memory.recall import index
from memory.recall.index import SearchResult
from tests.memory.recall import reference_recall as reference
from tests.memory.recall.reference_recall import DAY, MODEL, NOW, add, assert_as_expected, found_ids, query

committing = pytest.mark.django_db(transaction=True)


def is_read_of_vectors(sql: str) -> bool:
    """Whether it fills the matrix; finalists are read by their ids."""
    return sql.split()[0] == "SELECT" and "embedding" in sql and "e.id IN" not in sql


@committing
def test_an_unchanged_matrix_takes_two_queries_and_no_vector() -> None:
    for _ in range(20):
        add([0.0, 1.0])
    wanted = query([1.0, 0.0], threshold=0.9)
    index.search(wanted)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        index.search(wanted)
    assert len(captured) == 2
    assert not [one["sql"] for one in captured if "embedding" in one["sql"]]


@committing
def test_what_is_loaded_beforehand_is_not_read_again() -> None:
    assert index.preload(MODEL, max_age_days=90, now=NOW) == 0, "no vector, no length to load"
    ids = [add([0.0, 1.0], age=number * DAY) for number in (0, 1, 89, 91)]
    add([0.0, 1.0, 0.0], age=100 * DAY)
    add([0.0, 1.0], model="another")
    assert index.preload(MODEL, max_age_days=90, now=NOW) == 3
    with CaptureQueriesContext(connection) as captured:
        found = index.search(query([0.0, 1.0], now=NOW + DAY / 24))
    assert found_ids(found) == ids[:3]
    assert len(captured) == 2
    assert not [one["sql"] for one in captured if is_read_of_vectors(one["sql"])]


@committing
def test_what_was_read_is_read_again_once_it_is_forgotten() -> None:
    id_ = add([0.0, 1.0])
    index.search(query([0.0, 1.0]))
    index.forget()
    with CaptureQueriesContext(connection) as captured:
        found = index.search(query([0.0, 1.0]))
    assert found_ids(found) == [id_]
    assert len(captured) > 2, "an unchanged matrix takes two"


@committing
def test_a_new_episode_is_read_alone() -> None:
    for _ in range(20):
        add([0.0, 1.0])
    index.search(query([1.0, 0.0]))
    new = add([1.0, 0.0], age=-DAY)
    with CaptureQueriesContext(connection) as captured:
        found = index.search(query([1.0, 0.0]))
    assert found_ids(found) == [new]
    (read,) = [one["sql"] for one in captured if is_read_of_vectors(one["sql"])]
    assert " id > " in read


@committing
def test_a_new_row_from_before_the_window_takes_no_place() -> None:
    for _ in range(100):  # so many that one would not be packed away again
        add([1.0, 0.0])
    index.search(query([1.0, 0.0]))
    add([1.0, 0.0], age=100 * DAY)
    index.search(query([1.0, 0.0]))
    assert index.matrix_bytes()[1] == 100


@committing
def test_episodes_get_visible_in_the_order_of_their_ids() -> None:
    """Who inserts holds the revision row first, so that no lower id is committed after a higher one was read."""
    source = reference.chat()
    MemoryRevision.current()
    with CaptureQueriesContext(connection) as captured:
        EpisodeSummary.objects.summarise(source, "A chat.", Embedded([1.0, 0.0], MODEL), now=NOW)
    writes = [one["sql"].split('"')[1] for one in captured if one["sql"].startswith(("UPDATE", "INSERT"))]
    assert writes[:2] == ["memory_revision", "episode_summaries"]


@committing
def test_a_change_reads_no_vector_that_is_known() -> None:
    ids = [add([1.0, 0.0]) for _ in range(20)]
    index.search(query([1.0, 0.0]))
    EpisodeSummary.objects.get(pk=ids[0]).forget(now=NOW)
    with CaptureQueriesContext(connection) as captured:
        found = index.search(query([1.0, 0.0]))
    assert found_ids(found) == ids[1:4]
    (read,) = [one["sql"] for one in captured if is_read_of_vectors(one["sql"])]
    assert f" id > {ids[-1]} " in read


@committing
def test_a_transaction_that_is_undone_leaves_no_trace() -> None:
    stays = add([1.0, 0.0])
    wanted = query([1.0, 0.0])
    assert found_ids(index.search(wanted)) == [stays]
    with transaction.atomic():
        inside = add([1.0, 0.0])
        EpisodeSummary.objects.bump([inside], now=NOW)
        assert found_ids(index.search(wanted)) == [inside, stays]
        transaction.set_rollback(True)
    assert found_ids(index.search(wanted)) == [stays]
    after = add([1.0, 0.0])
    assert found_ids(index.search(wanted)) == [stays, after]


@committing
def test_bumps_inside_a_transaction_that_is_undone_leave_no_trace() -> None:
    first, second = add([1.0, 0.0]), add([1.0, 0.0])
    wanted = query([1.0, 0.0], top_k=1)
    assert found_ids(index.search(wanted)) == [first]
    with transaction.atomic():
        EpisodeSummary.objects.bump([second], now=NOW)
        assert found_ids(index.search(wanted)) == [second]
        transaction.set_rollback(True)
    assert found_ids(index.search(wanted)) == [first]
    EpisodeSummary.objects.bump([second], now=NOW)
    assert found_ids(index.search(wanted)) == [second]


@committing
def test_an_emptied_database_is_noticed() -> None:
    add([1.0, 0.0])
    wanted = query([1.0, 0.0])
    assert index.search(wanted).hits
    EpisodeSummary.objects.all().delete()
    MemoryRevision.objects.all().delete()
    assert index.search(wanted).hits == []
    assert index.search(query([1.0, 0.0, 0.0])).hits == []


@committing
def test_a_bump_dated_at_the_beginning_of_a_long_turn_counts() -> None:
    near, often = add([1.0, 0.0]), add([0.8, 0.6])
    wanted = query([1.0, 0.0], top_k=1)
    assert found_ids(index.search(wanted)) == [near]
    for _ in range(20):
        EpisodeSummary.objects.bump([often], now=NOW - timedelta(minutes=50))
    assert found_ids(index.search(wanted)) == [often]


def meanwhile(change: Callable[[], object]) -> AbstractContextManager[None]:
    """Let `change` happen once in the middle of a search: just before it reads its finalists."""
    waiting = [change]

    def run(execute: Callable[..., object], sql: str, params: object, many: bool, context: object) -> object:
        if waiting and "e.summary" in sql:
            waiting.pop()()
        return execute(sql, params, many, context)

    return connection.execute_wrapper(run)


@committing
def test_what_changes_during_a_search_is_in_its_answer() -> None:
    near, often, last = add([1.0, 0.0]), add([0.8, 0.6]), add([0.7, 0.7])
    wanted = query([1.0, 0.0], top_k=1)
    assert found_ids(index.search(wanted)) == [near]

    def bump() -> None:
        for id_ in (near, *[often] * 20):
            EpisodeSummary.objects.bump([id_], now=NOW)

    with meanwhile(bump):
        assert found_ids(index.search(wanted)) == [often]
    with meanwhile(lambda: EpisodeSummary.objects.get(pk=often).forget(now=NOW)):
        assert found_ids(index.search(wanted)) == [near]
    with meanwhile(lambda: EpisodeSummary.objects.get(pk=near).forget(now=NOW)):
        assert found_ids(index.search(wanted)) == [last]
    with meanwhile(lambda: add([1.0, 0.0], recalls=5)):
        assert found_ids(index.search(wanted)) == [last + 1]


@committing
def test_time_takes_episodes_out_of_the_matrix() -> None:
    for day in range(40):
        add([1.0, 0.0], age=day * DAY)
    wanted = query([1.0, 0.0], max_age_days=50)
    index.search(wanted)
    assert index.matrix_bytes()[1] == 40
    later = replace(wanted, now=NOW + 30 * DAY)
    add([1.0, 0.0])
    with CaptureQueriesContext(connection) as captured:
        index.search(later)
    assert index.matrix_bytes()[1] == 22  # the new one, and ages 0 to 20 days, now 30 to 50
    assert len([one for one in captured if is_read_of_vectors(one["sql"])]) == 1
    assert_as_expected(wanted)  # a clock that is put back reads all again
    assert index.matrix_bytes()[1] == 41


@pytest.fixture
def hurried_threads() -> Iterator[None]:
    """Threads that interrupt each other all the time."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@committing
@pytest.mark.usefixtures("hurried_threads")
def test_threads_search_while_others_write() -> None:
    add([1.0, 0.0])
    index.search(query([1.0, 0.0]))
    done = threading.Event()

    def searching() -> None:
        try:
            seen = 0
            while not done.is_set():
                hits = found_ids(index.search(query([1.0, 0.0], top_k=100)))
                assert hits == sorted(set(hits)), "equal scores: by id"
                assert len(hits) >= seen, "never fewer than before"
                seen = len(hits)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        searches = [pool.submit(searching) for _ in range(4)]
        try:
            for _ in range(40):
                add([1.0, 0.0])
        finally:
            done.set()
    for search in searches:
        search.result()
    assert len(index.search(query([1.0, 0.0], top_k=100)).hits) == 41
    assert index.matrix_bytes()[1] == 41


@committing
def test_one_thread_refreshes_and_others_wait_for_it() -> None:
    add([1.0, 0.0])
    index.search(query([1.0, 0.0]))
    add([1.0, 0.0])
    other_looked = threading.Event()
    reads: list[str] = []

    def refresh(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if is_read_of_vectors(sql):
            reads.append(sql)
            other.start()
            assert other_looked.wait(30)
        return execute(sql, *rest)

    def look(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if is_read_of_vectors(sql):
            reads.append(sql)
        result = execute(sql, *rest)
        if "last_recalled_at" in sql:
            other_looked.set()
        return result

    def searching() -> None:
        with connection.execute_wrapper(look):
            found.append(index.search(query([1.0, 0.0])))
        connection.close()

    found: list[SearchResult] = []
    other = threading.Thread(target=searching)
    with connection.execute_wrapper(refresh):
        found.append(index.search(query([1.0, 0.0])))
    other.join()
    assert [len(one.hits) for one in found] == [2, 2]
    assert len(reads) == 1


@committing
def test_memory_stays_near_the_size_of_the_vectors() -> None:
    rng = np.random.default_rng(1)
    chats = AuditRow.objects.bulk_create([AuditRow(ts=NOW, event_type="chat.completed") for _ in range(2500)])
    EpisodeSummary.objects.bulk_create(
        EpisodeSummary(
            audit_log=chat, summary="S.", model=MODEL, created_at=NOW, embedding=rng.random(512).round(3).tolist()
        )
        for chat in chats[:2000]
    )
    wanted = query([1.0] * 512)
    index.search(wanted)
    for chat in chats[2000:]:
        EpisodeSummary.objects.create(
            audit_log=chat, summary="S.", model=MODEL, created_at=NOW, embedding=rng.random(512).round(3).tolist()
        )
        if chat.pk % 10 == 0:
            MemoryRevision.move("episodes_added")
            index.search(wanted)
    MemoryRevision.move("episodes_added")
    index.search(wanted)
    taken, count = index.matrix_bytes()
    assert count == 2500
    assert taken <= 1.05 * 4 * 512 * count + 4 * 512 * 2500 / 8  # a small matrix has an eighth of free room at most


@committing
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(reference.histories())
def test_after_any_history_it_equals_the_reference(history: list[reference.Chapter]) -> None:
    for chapter in history:
        reference.take_steps(chapter)
        assert_as_expected(reference.asked(chapter))
    reference.empty()
