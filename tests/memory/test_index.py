"""The index finds what a plain reading of ADR-0034 over the rows finds, whatever happens to them."""

import math
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings

from memory import index
from memory.index import Found, Query
from memory.models import AuditRow, EpisodeSummary, MemoryRevision
from tests.cases import Case, of_kind
from tests.memory import plain_recall as plain
from tests.memory.plain_recall import DAY, MODEL, MOMENT, NOW, add, query

committing = pytest.mark.django_db(transaction=True)


def found_ids(found: Found) -> list[int]:
    return [hit.episode_id for hit in found.hits]


def assert_as_expected(wanted: Query) -> None:
    found = index.search(wanted)
    expected = plain.expected(wanted, plain.rows())
    assert found_ids(found) == [id_ for id_, _ in expected]
    assert [hit.score for hit in found.hits] == pytest.approx([value for _, value in expected], abs=1e-6)
    for hit in found.hits:
        assert hit.score == pytest.approx(hit.cosine * hit.freshness * hit.recall_weight)
    assert not {miss.audit_log_id for miss in found.near_misses} & {hit.audit_log_id for hit in found.hits}
    assert len(found.near_misses) <= 5


@pytest.mark.django_db
def test_it_works() -> None:
    add([0.0, 1.0])
    near = add([0.8, 0.6], age=30 * DAY, recalls=3)

    found = index.search(query([1.0, 0.0]))

    (hit,) = found.hits
    assert hit.episode_id == near
    assert hit.summary == EpisodeSummary.objects.get(pk=near).summary
    assert (hit.created_at, hit.recall_count) == (NOW - 30 * DAY, 3)
    assert hit.cosine == pytest.approx(0.8)
    assert hit.freshness == pytest.approx(math.exp(-1))
    assert hit.recall_weight == pytest.approx(1 + 0.25 * math.log(4))
    assert hit.score == pytest.approx(0.8 * math.exp(-1) * (1 + 0.25 * math.log(4)))


@pytest.mark.django_db
def test_no_episodes_find_nothing() -> None:
    assert index.search(query([1.0, 0.0])) == Found([], [])


@pytest.mark.parametrize("vector", [[0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0], [], [[1.0, 0.0]]])
@pytest.mark.django_db
def test_a_query_without_a_direction_finds_nothing(vector: list[float]) -> None:
    add([1.0, 0.0])
    assert index.search(query(vector)) == Found([], [])


@pytest.mark.django_db
def test_top_k_zero_finds_nothing() -> None:
    add([1.0, 0.0])
    assert index.search(query([1.0, 0.0], top_k=0)) == Found([], [])


@pytest.mark.parametrize(
    ("age", "is_found"),
    [(90 * DAY, True), (90 * DAY + MOMENT, False), (90 * DAY - MOMENT, True), (-5 * DAY, True), (2000 * DAY, False)],
)
@pytest.mark.django_db
def test_the_window_includes_its_edge_and_has_no_end(age: timedelta, is_found: bool) -> None:
    id_ = add([1.0, 0.0], age=age)
    hits = index.search(query([1.0, 0.0])).hits
    assert [hit.episode_id for hit in hits] == [id_] * is_found
    assert all(hit.freshness == math.exp(-max(age / DAY, 0) / 30) for hit in hits)


@pytest.mark.parametrize(("threshold", "is_found"), [(0.6, True), (0.6 + 1e-9, False), (0.6 - 1e-9, True)])
@pytest.mark.django_db
def test_a_cosine_that_equals_the_threshold_passes(threshold: float, is_found: bool) -> None:
    add([3.0, 4.0])
    assert bool(index.search(query([1.0, 0.0], threshold=threshold)).hits) == is_found


@pytest.mark.django_db
def test_what_float32_cannot_tell_apart_is_settled_in_float64() -> None:
    worse = [add([1.0, 1.0001e-4]) for _ in range(3)]
    better = [add([1.0, 1e-4]) for _ in range(3)]
    assert np.float32(plain.cosine([1, 0], [1.0, 1e-4])) == np.float32(plain.cosine([1, 0], [1.0, 1.0001e-4]))
    assert found_ids(index.search(query([1.0, 0.0], top_k=4))) == [*better, worse[0]]


@pytest.mark.django_db
def test_what_float32_puts_in_the_wrong_order_is_settled_in_float64() -> None:
    rng = np.random.default_rng(5)
    middle = rng.standard_normal(64)
    for row in middle + 1e-3 * rng.standard_normal((60, 64)):
        add(row.tolist())
    assert_as_expected(query(middle.tolist()))
    assert_as_expected(query(middle.tolist(), top_k=1))


@pytest.mark.django_db
def test_ties_go_to_the_newer_then_to_the_lower_id() -> None:
    first, second = add([1.0, 0.0], age=-DAY), add([1.0, 0.0], age=-DAY)
    newest = add([2.0, 0.0], age=-2 * DAY)
    assert found_ids(index.search(query([1.0, 0.0]))) == [newest, first, second]


@pytest.mark.parametrize("vector", [[], [0.0, 0.0], [1.0], [1.0, 0.0, 0.0], ["1", "0"], [None, 1.0], {"a": 1}, "x", 7])
@pytest.mark.django_db
def test_rows_that_cannot_be_compared_are_skipped(vector: Any) -> None:
    EpisodeSummary.objects.create(
        audit_log=plain.chat(), summary="Broken.", embedding=vector, model=MODEL, created_at=NOW
    )
    good = add([1.0, 0.0])
    assert found_ids(index.search(query([1.0, 0.0]))) == [good]


@pytest.mark.parametrize("size", [1e-200, 1e-30, 1.0, 1e30, 1e200])
@pytest.mark.django_db
def test_vectors_of_any_length_are_compared(size: float) -> None:
    add([3 * size, 4 * size])
    (hit,) = index.search(query([1.0, 0.0])).hits
    assert hit.cosine == pytest.approx(0.6)


@pytest.mark.django_db
def test_empty_summaries_and_the_conversation_itself_are_left_out() -> None:
    EpisodeSummary.objects.skip(plain.chat(), reason="trivial", now=NOW)
    EpisodeSummary.objects.create(audit_log=plain.chat(), summary="", embedding=[1.0, 0.0], model=MODEL, created_at=NOW)
    here, there = add([1.0, 0.0]), add([1.0, 0.0])
    left_out = {EpisodeSummary.objects.get(pk=here).audit_log_id}

    found = index.search(query([1.0, 0.0], left_out=left_out))

    assert found_ids(found) == [there]
    assert [(miss.reason, miss.episode_id) for miss in found.near_misses] == [("same_conversation", here)]


# --- near misses ------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_near_misses_say_why() -> None:
    ids = {
        "cap": add([1.0, 0.0], age=20 * DAY),
        "same_conversation": add([1.0, 0.0], age=DAY),
        "below_threshold": add([0.4, math.sqrt(1 - 0.16)]),
        "too_old": add([1.0, 0.0], age=90 * DAY + timedelta(minutes=5)),
        "other_model": add([1.0, 0.0], model="embed-large"),
    }
    hits = [add([1.0, 0.0], age=timedelta(hours=hours)) for hours in range(3)]
    left_out = [EpisodeSummary.objects.get(pk=ids["same_conversation"]).audit_log_id]

    found = index.search(query([1.0, 0.0], left_out=left_out))

    assert found_ids(found) == hits
    misses = {miss.reason: miss for miss in found.near_misses}
    assert {reason: miss.episode_id for reason, miss in misses.items()} == ids
    assert misses["below_threshold"].cosine == pytest.approx(0.4, abs=1e-6)
    assert misses["cap"].score == pytest.approx(math.exp(-20 / 30), abs=1e-6)
    assert (misses["other_model"].cosine, misses["other_model"].score) == (None, None)
    assert all(miss.summary == f"Chat {miss.audit_log_id}." for miss in found.near_misses)


@pytest.mark.django_db
def test_the_five_nearest_below_the_threshold_where_nothing_passes() -> None:
    ids = {number: add([number / 20, math.sqrt(1 - (number / 20) ** 2)]) for number in range(9)}
    found = index.search(query([1.0, 0.0]))
    assert found.hits == []
    assert [miss.episode_id for miss in found.near_misses] == [ids[number] for number in (8, 7, 6, 5, 4)]
    assert {miss.reason for miss in found.near_misses} == {"below_threshold"}


@pytest.mark.django_db
def test_another_length_of_the_same_model_is_a_stranger_too() -> None:
    id_ = add([1.0, 0.0, 0.0])
    (miss,) = index.search(query([1.0, 0.0])).near_misses
    assert (miss.episode_id, miss.reason) == (id_, "other_model")


# --- freshness of the matrix --------------------------------------------------------------------------------------


def is_read_of_vectors(sql: str) -> bool:
    """Whether it fills the matrix; finalists are read together with the revision."""
    return "CAST" in sql and "memory_revision" not in sql


@committing
def test_an_unchanged_matrix_takes_four_queries_and_no_vector() -> None:
    for _ in range(20):
        add([0.0, 1.0])
    wanted = query([1.0, 0.0], threshold=0.9)
    index.search(wanted)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        index.search(wanted)
    assert len(captured) == 4
    assert not [one["sql"] for one in captured if "embedding" in one["sql"]]


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
    assert '"id" > ' in read


@committing
def test_a_change_reads_no_vector_that_is_known() -> None:
    ids = [add([1.0, 0.0]) for _ in range(20)]
    index.search(query([1.0, 0.0]))
    EpisodeSummary.objects.get(pk=ids[0]).forget(now=NOW)
    with CaptureQueriesContext(connection) as captured:
        found = index.search(query([1.0, 0.0]))
    assert found_ids(found) == ids[1:4]
    assert not [one["sql"] for one in captured if is_read_of_vectors(one["sql"])]


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
        if waiting and "JOIN episode_summaries" in sql:
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
    wrong: list[object] = []
    done = threading.Event()

    def searching() -> None:
        try:
            seen = 0
            while not done.is_set():
                hits = found_ids(index.search(query([1.0, 0.0], top_k=100)))
                if hits != sorted(set(hits)) or len(hits) < seen:  # equal scores: by id; and never fewer than before
                    wrong.append(hits)
                seen = len(hits)
        except Exception as error:
            wrong.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=searching) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(40):
            add([1.0, 0.0])
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert not wrong
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

    found: list[Found] = []
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


# --- any history --------------------------------------------------------------------------------------------------


@committing
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plain.histories())
def test_after_any_history_it_equals_the_reference(history: list[plain.Chapter]) -> None:
    for chapter in history:
        plain.take_steps(chapter)
        assert_as_expected(plain.asked(chapter))
    plain.empty()


# --- shared cases ---------------------------------------------------------------------------------------------------


@of_kind("embedding")
@pytest.mark.django_db
def test_the_shared_cases_of_embeddings(case: Case) -> None:
    assert_case(case)


@of_kind("ranking")
@pytest.mark.django_db
def test_the_shared_cases_of_ranking(case: Case) -> None:
    assert_case(case)


def assert_case(case: Case) -> None:
    """Every turn with a vector of its own surfaces what the case says, in its order, with its scores."""
    turns = case.given.get("turns") or [case.given]
    if "episodes_before" not in case.given or not all("query_embedding" in turn for turn in turns):
        pytest.skip("is not about the search")
    numbers = {case_episode(row): row["audit_log_id"] for row in case.given["episodes_before"]}
    named = case.expect.get("surfaced", case.expect.get("surfaced_in_order"))
    scores = case.expect.get("scores", {})
    for turn, surfaced in zip(turns, case.expect.get("surfaced_per_turn", [named]), strict=True):
        hits = index.search(case_query(case, turn["query_embedding"])).hits
        assert [numbers[hit.audit_log_id] for hit in hits] == surfaced
        for hit in hits:
            assert hit.score == pytest.approx(scores.get(str(numbers[hit.audit_log_id]), hit.score), abs=1e-6)


def case_episode(row: dict[str, Any]) -> int:
    source = plain.chat()
    columns = {name: row[name] for name in ("summary", "embedding", "model", "recall_count")}
    EpisodeSummary.objects.create(audit_log=source, **columns, created_at=datetime.fromisoformat(row["created_at"]))
    return source.pk


def case_query(case: Case, vector: list[float]) -> Query:
    names = {"similarity_threshold": "threshold"}
    known = {names.get(name, name): value for name, value in case.given["settings"].items()}
    return query(vector, model=case.given["embedder_model"], now=case.clock, **known)
