"""What recall by content searches is as fresh as the rows, whoever changes them and whenever."""

import random
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from memory.models import AuditRow, Embedded, EpisodeSummary, EpisodeUnits, MemoryRevision
from memory.recall.hybrid import search as hybrid
from memory.recall.hybrid import snapshots
from tests.memory.recall.hybrid import stores
from tests.memory.recall.hybrid.reference_hybrid import assert_as_expected
from tests.memory.recall.hybrid.stores import DAY, MODEL, NOW, embed_again, found_ids, query, remember, units

pytestmark = pytest.mark.django_db(transaction=True)

X, Y = [1.0, 0.0], [0.0, 1.0]


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    snapshots.forget()


def elsewhere(change: Callable[[], object]) -> None:
    """Let a change happen on a connection of its own, as another process has one."""

    def run() -> object:
        try:
            return change()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(run).result()


def is_read_of_units(sql: str) -> bool:
    return "SELECT" in sql and '"episode_units"."vectors"' in sql


def test_what_another_connection_adds_and_deletes_is_seen_at_once() -> None:
    first = remember("apple", vectors=[X])
    assert found_ids("apple", X) == [first.pk]
    elsewhere(lambda: remember("apple", vectors=[X], age=DAY))
    assert len(found_ids("apple", X)) == 2
    elsewhere(lambda: stores.sweep(AuditRow.objects.get_queryset().filter(pk=first.audit_log_id)))
    assert first.pk not in found_ids("apple", X)
    elsewhere(stores.empty)
    assert found_ids("apple", X) == []


def test_new_units_are_read_alone() -> None:
    for _ in range(20):
        remember("apple", vectors=[X])
    found_ids("apple", X)
    new = remember("apple", vectors=[X], age=-DAY)
    with CaptureQueriesContext(connection) as captured:
        assert found_ids("apple", X)[0] == new.pk
    (read,) = [one["sql"] for one in captured if is_read_of_units(one["sql"])]
    assert f'"episode_id" > {new.pk - 1} ' in read


def test_a_removal_reads_no_vector() -> None:
    chats = [remember("apple", vectors=[X], age=number * DAY) for number in range(20)]
    found_ids("apple", X)
    chats[0].forget(now=NOW)
    with CaptureQueriesContext(connection) as captured:
        assert found_ids("apple", X) == [chat.pk for chat in chats[1:4]]
    reads = [one["sql"] for one in captured if is_read_of_units(one["sql"])]
    assert [f'"episode_id" > {chats[-1].pk} ' in sql for sql in reads] == [True], "only what is behind the last one"


def test_what_the_operator_forgets_leaves_nothing_behind() -> None:
    """Its words weigh nothing any more, its vectors have no part in the spread, its conversation none of its cosine."""
    kept = remember("apple", vectors=[Y], age=2 * DAY)
    gone = remember("zebra lantern", vectors=[X], conversation=kept.units.conversation)
    remember("river", vectors=[[0.5, 0.5]], age=DAY)
    wanted = query("zebra lantern apple", X)
    assert found_ids("zebra lantern", X)[0] == gone.pk
    gone.forget(now=NOW)
    assert_as_expected(wanted)
    (hit,) = [hit for hit in hybrid.search(wanted).hits if hit.episode_id == kept.pk]
    assert hit.cosine == pytest.approx(0, abs=1e-6)
    assert not EpisodeUnits.objects.filter(pk=gone.pk).exists()


def test_a_forgotten_conversation_is_no_near_miss_of_the_day_it_took_place() -> None:
    chats = [remember("apple", vectors=[X], age=1.1 * DAY) for _ in range(2)]
    for number in range(6):
        remember("river", vectors=[[1.0, number]], age=30 * DAY)
    found_ids("zebra", X)
    chats[1].forget(now=NOW)
    found = hybrid.search(query("what was it yesterday?", X))
    assert found.hits[0].episode_id == chats[0].pk
    assert {miss.reason for miss in found.near_misses} == {"cap"}


def test_what_is_embedded_again_is_found_by_its_new_vectors_alone() -> None:
    one, other = remember("apple", vectors=[X], age=DAY), remember("apple", vectors=[Y])
    assert found_ids("zebra", X)[0] == one.pk
    embed_again(one, units(["apple"], [[-1.0, 0.1]], conversation=one.audit_log_id))
    assert found_ids("zebra", X)[0] == other.pk
    assert_as_expected(query("apple", X))
    embed_again(one, units(["apple"], [[1.0, 0.0, 0.0]], conversation=one.audit_log_id, model="embed-large"))
    assert found_ids("zebra", [1.0, 0.0, 0.0], model="embed-large")[0] == one.pk
    assert_as_expected(query("apple", X))


def test_a_later_answer_replaces_the_units() -> None:
    one, other = remember("apple", "river", vectors=[X], age=DAY), remember("candle", vectors=[Y])
    assert found_ids("river", X)[0] == one.pk
    new = units(["apple", "mountain"], [Y], conversation=one.audit_log_id)
    later = stores.chat("apple", "mountain")
    embedded = Embedded([1.0], MODEL)
    assert EpisodeSummary.objects.replace(one.audit_log, "S.", embedded, reply=later, now=NOW, units=new)
    assert found_ids("mountain", X)[0] == one.pk
    assert hybrid.search(query("river", X)).coverage == 0
    assert [hit.cosine for hit in hybrid.search(query("river", X)).hits] == pytest.approx([0, 0], abs=1e-6)
    assert_as_expected(query("apple mountain", X))
    assert EpisodeSummary.objects.replace(one.audit_log, "S.", embedded, reply=later, now=NOW, units=None)
    assert found_ids("apple", X) == [other.pk]


def test_an_empty_row_gets_units_later() -> None:
    """A chat was skipped before others were read; its later answer gives it units."""
    row = stores.chat("apple")
    EpisodeSummary.objects.skip(row, reason="nothing_new", now=NOW)
    other = remember("river", vectors=[Y])
    assert found_ids("apple", X) == [other.pk]
    new = units(["apple"], [X], conversation=row.pk)
    EpisodeSummary.objects.replace(row, "S.", Embedded([1.0], MODEL), reply=stores.chat("apple"), now=NOW, units=new)
    assert found_ids("apple", X) == [row.episode.pk, other.pk]


def test_a_transaction_that_is_undone_leaves_no_trace() -> None:
    stays = remember("apple", vectors=[X], age=DAY)
    assert found_ids("apple", X) == [stays.pk]
    with transaction.atomic():
        inside = remember("apple", vectors=[X])
        assert found_ids("apple", X) == [inside.pk, stays.pk]
        transaction.set_rollback(True)
    assert found_ids("apple", X) == [stays.pk]
    with transaction.atomic():
        stays.forget(now=NOW)
        assert found_ids("apple", X) == []
        transaction.set_rollback(True)
    assert found_ids("apple", X) == [stays.pk]
    after = remember("apple", vectors=[X])
    assert found_ids("apple", X) == [after.pk, stays.pk]


def test_an_emptied_database_is_noticed() -> None:
    remember("apple", vectors=[X])
    assert found_ids("apple", X)
    EpisodeSummary.objects.all().delete()
    MemoryRevision.objects.all().delete()
    assert found_ids("apple", X) == []


def test_units_get_visible_in_the_order_of_their_ids() -> None:
    """Who inserts holds the revision row first, so that no lower id is committed after a higher one was read."""
    row = stores.chat("apple")
    MemoryRevision.current()
    with CaptureQueriesContext(connection) as captured:
        EpisodeSummary.objects.skip(row, reason="trivial", now=NOW, units=units(["apple"], [X], conversation=row.pk))
    writes = [one["sql"].split('"')[1] for one in captured if one["sql"].startswith(("UPDATE", "INSERT"))]
    assert [name for name in writes if name != "episode_units"][:2] == ["memory_revision", "episode_summaries"]


@pytest.fixture
def hurried_threads() -> Iterator[None]:
    """Threads that interrupt each other all the time."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hurried_threads")
def test_threads_search_while_others_write() -> None:
    remember("apple", vectors=[X], age=100 * DAY)
    found_ids("apple", X)
    done = threading.Event()

    def searching() -> None:
        try:
            seen = 0
            while not done.is_set():
                hits = found_ids("apple", X, top_k=100)
                assert len(hits) == len(set(hits))
                assert len(hits) >= seen, "never fewer than before"
                seen = len(hits)
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        searches = [pool.submit(searching) for _ in range(3)]
        try:
            for number in range(25):
                remember("apple", vectors=[X], age=number * DAY)
        finally:
            done.set()
    for search in searches:
        search.result()
    assert len(found_ids("apple", X, top_k=100)) == 26
    assert snapshots.memory_bytes()[1] == 26, "none is held twice"


def test_one_thread_reads_and_others_wait_for_it() -> None:
    remember("apple", vectors=[X])
    found_ids("apple", X)
    remember("apple", vectors=[X])
    has_looked = threading.Event()
    reads: list[str] = []
    found: list[list[int]] = []

    def refresh(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if is_read_of_units(sql):
            reads.append(sql)
            other.start()
            assert has_looked.wait(30)
        return execute(sql, *rest)

    def look(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if is_read_of_units(sql):
            reads.append(sql)
        result = execute(sql, *rest)
        has_looked.set()
        return result

    def searching() -> None:
        with connection.execute_wrapper(look):
            found.append(found_ids("apple", X))
        connection.close()

    other = threading.Thread(target=searching)
    with connection.execute_wrapper(refresh):
        found.append(found_ids("apple", X))
    other.join()
    assert [len(one) for one in found] == [2, 2]
    assert len(reads) == 1


@pytest.mark.parametrize("seed", range(8))
def test_after_any_history_it_equals_the_formula(seed: int) -> None:
    """Segments grow, are joined, and lose rows; what is found is the same as from the rows alone."""
    rng = random.Random(seed)
    chats: list[EpisodeSummary] = []
    for _ in range(60):
        take_step(rng, chats)
        if chats and rng.random() < 0.4:
            excluded = [rng.choice(chats).audit_log_id] if rng.random() < 0.3 else []
            assert_as_expected(query(some_words(rng, 4), some_vector(rng), excluded_chats=excluded, gate=None))


def some_words(rng: random.Random, most: int) -> str:
    return " ".join(rng.choices(["apple", "river", "candle", "lantern", "marble"], k=rng.randint(0, most)))


def some_vector(rng: random.Random) -> list[float]:
    return [rng.gauss(0, 1) for _ in range(3)]


def take_step(rng: random.Random, chats: list[EpisodeSummary]) -> None:
    """One change; most of them add a chat."""
    if not chats or rng.random() < 0.6:
        number = rng.choice(chats).units.conversation if chats and rng.random() < 0.4 else None
        turns = [some_words(rng, 5) for _ in range(rng.randint(1, 5))]
        vectors = [some_vector(rng) for _ in range(rng.randint(0, 3))]
        chats.append(remember(*turns, vectors=vectors, age=rng.uniform(0, 60) * DAY, conversation=number))
        return
    chat = chats[rng.randrange(len(chats))]
    match rng.choice(["forget", "sweep", "again"]):
        case "forget":
            chats.remove(chat)
            chat.forget(now=NOW)
        case "sweep":
            chats.remove(chat)
            stores.sweep(AuditRow.objects.get_queryset().filter(pk=chat.audit_log_id))
        case "again":
            model = rng.choice([MODEL, MODEL, "embed-large"])
            new = units([some_words(rng, 5)], [some_vector(rng)], conversation=chat.units.conversation, model=model)
            embed_again(chat, new)
            chat.refresh_from_db()
