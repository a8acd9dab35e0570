"""Who may compute: so many threads at a time, the one whose request came first before the others."""

import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import monotonic

import pytest

from caesar.processor_time import Places

LONG = 60.0
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def after(condition: Callable[[], bool]) -> None:
    """Wait for what another thread does."""
    ends = monotonic() + LONG
    while not condition():
        assert monotonic() < ends
        threading.Event().wait(0.001)


def test_it_works() -> None:
    places = Places(1)
    with places.taken(NOON):
        pass
    with places.taken(NOON):
        assert places.waiting_threads == 0


def test_no_more_than_there_are_places_for() -> None:
    places, inside, may_end = Places(2), list[int](), threading.Event()

    def compute(number: int) -> None:
        with places.taken(NOON):
            inside.append(number)
            may_end.wait(LONG)

    threads = [threading.Thread(target=compute, args=[number]) for number in range(5)]
    for thread in threads:
        thread.start()
    after(lambda: places.waiting_threads == 3)
    assert len(inside) == 2
    may_end.set()
    for thread in threads:
        thread.join(LONG)
    assert sorted(inside) == [0, 1, 2, 3, 4]


def test_the_oldest_request_goes_first_whenever_it_asks() -> None:
    places, order, threads = Places(1), list[int](), list[threading.Thread]()

    def compute(minutes: int) -> None:
        with places.taken(NOON + timedelta(minutes=minutes)):
            order.append(minutes)

    with places.taken(NOON):
        for minutes in (3, 1, 2, 1):
            threads.append(threading.Thread(target=compute, args=[minutes]))
            threads[-1].start()
            after(lambda: places.waiting_threads == len(threads))
    for thread in threads:
        thread.join(LONG)
    assert order == [1, 1, 2, 3]


def test_who_waits_for_something_else_holds_no_place() -> None:
    places, entered, may_end = Places(1), threading.Event(), threading.Event()

    def compute() -> None:
        with places.taken(NOON):
            entered.set()
            may_end.wait(LONG)

    other = threading.Thread(target=compute)
    with places.taken(NOON):
        with places.waiting():
            other.start()
            assert entered.wait(LONG)
            may_end.set()
        other.join(LONG)
        entered.clear()
        third = threading.Thread(target=compute)
        third.start()
        after(lambda: places.waiting_threads == 1)
        assert not entered.is_set()
    third.join(LONG)
    assert entered.is_set()


def test_a_thread_that_has_one_needs_no_second() -> None:
    places = Places(1)
    with places.taken(NOON), places.taken(NOON):
        pass
    with places.taken(NOON):
        pass


def test_waiting_without_a_place_takes_none() -> None:
    places = Places(1)
    with places.waiting():
        pass
    with places.taken(NOON):
        pass


def test_an_error_gives_the_place_back() -> None:
    places = Places(1)
    with pytest.raises(ValueError, match="no"), places.taken(NOON):
        raise ValueError("no")
    with pytest.raises(ValueError, match="no"), places.taken(NOON), places.waiting():
        raise ValueError("no")
    with places.taken(NOON):
        assert places.waiting_threads == 0


def test_a_forked_process_begins_with_all_places_free() -> None:
    from caesar.processor_time import PLACES, places

    inside = threading.Semaphore(0)
    may_end = threading.Event()

    def compute() -> None:
        with places.taken(NOON):
            inside.release()
            may_end.wait(LONG)

    threads = [threading.Thread(target=compute) for _ in range(PLACES)]
    for thread in threads:
        thread.start()
        assert inside.acquire(timeout=LONG)
    try:
        child = os.fork()
        if child == 0:
            os._exit(0 if places._free == PLACES else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        may_end.set()
        for thread in threads:
            thread.join(LONG)


def test_so_many_are_allowed() -> None:
    places, inside, may_end = Places(4), threading.Semaphore(0), threading.Event()
    places.allow(1)

    def compute() -> None:
        with places.taken(NOON):
            inside.release()
            may_end.wait(LONG)

    threads = [threading.Thread(target=compute) for _ in range(2)]
    for thread in threads:
        thread.start()
    after(lambda: places.waiting_threads == 1)
    may_end.set()
    for thread in threads:
        thread.join(LONG)
    assert inside.acquire(timeout=LONG)
    assert inside.acquire(timeout=LONG)


def test_who_breaks_off_in_the_line_leaves_it() -> None:
    places = Places(1)
    with places.taken(NOON):
        me = places._queue(NOON)
        assert me is not None
        places._leave(me)
        assert places.waiting_threads == 0
        late = places._queue(NOON)
        assert late is not None
    assert late.may_go.is_set()
    places._leave(late)
    assert places._free == 1, "a place that came at the last moment is given on"
