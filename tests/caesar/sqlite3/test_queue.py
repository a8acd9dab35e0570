"""Who writes next within a process: first come, first served, and a place is given back however its writing ends."""

import os
import threading
from collections.abc import Callable
from time import monotonic

from caesar.sqlite3.queue import Place, WriteQueue

LONG = 60.0


def when(condition: Callable[[], bool]) -> None:
    """Wait for what another thread does."""
    ends = monotonic() + LONG
    while not condition():
        assert monotonic() < ends
        threading.Event().wait(0.001)


def taken(queue: WriteQueue, *, seconds: float = LONG) -> Place:
    place = queue.take(monotonic() + seconds)
    assert place is not None
    return place


def test_it_works() -> None:
    queue = WriteQueue()
    queue.leave(taken(queue))
    assert len(queue) == 0


def test_who_came_first_is_served_first() -> None:
    queue, order = WriteQueue(), list[int]()
    mine = taken(queue)

    def write(number: int) -> None:
        place = taken(queue)
        order.append(number)
        queue.leave(place)

    threads = []
    for number in range(20):
        threads.append(threading.Thread(target=write, args=[number]))
        threads[-1].start()
        when(lambda: len(queue) == len(threads) + 1)
    queue.leave(mine)
    for thread in threads:
        thread.join(LONG)
    assert order == list(range(20))


def test_a_turn_that_does_not_come_in_time_leaves_no_trace() -> None:
    queue = WriteQueue()
    mine = taken(queue)
    assert queue.take(monotonic()) is None
    assert len(queue) == 1
    queue.leave(mine)
    queue.leave(taken(queue))


def test_a_thread_that_died_with_its_place_holds_nobody_up() -> None:
    queue = WriteQueue()
    dead = threading.Thread(target=taken, args=[queue])
    dead.start()
    dead.join(LONG)
    assert len(queue) == 1
    queue.leave(taken(queue))
    assert len(queue) == 0


def test_a_place_can_be_given_back_twice() -> None:
    queue = WriteQueue()
    first = taken(queue)
    queue.leave(first)
    second = taken(queue)
    queue.leave(first)
    assert len(queue) == 1
    queue.leave(second)


def test_a_forked_process_begins_with_an_empty_queue() -> None:
    """Of all threads only the one that forked is in the child; nobody there would give the place back."""
    from caesar.sqlite3.queue import queue_of

    queue = queue_of("a database of this test")
    mine = taken(queue)
    try:
        with queue._lock:  # another thread may be at it while one forks
            child = os.fork()
            if child == 0:
                os._exit(0 if queue.take(monotonic()) is not None else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        queue.leave(mine)
