"""The sweep in a process of its own, as a worker is: `python -m bench.sweeper`, each line of its input one sweep.

A line is how many seconds to sweep for; the answer is a line of JSON: the rows that went, and how long each lock on the
database was held.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_WRITES = ("INSERT", "UPDATE", "DELETE")


@contextmanager
def held_seconds() -> Iterator[list[float]]:
    """How long this process holds SQLite's lock, each time; filled while open."""
    from django.db import connection, transaction

    held: list[float] = []
    began: list[float] = []

    def end() -> None:
        held.append(time.perf_counter() - began.pop())

    def watch(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if began and began[0] < 0:  # the first statement of a transaction, which has the lock by now
            began[0] += 2 * time.perf_counter()
            transaction.on_commit(end)
        before = time.perf_counter()
        result = execute(sql, params, many, context)
        if sql.startswith("BEGIN"):
            began[:] = [-time.perf_counter()]
        elif not began and sql.lstrip().startswith(_WRITES):
            held.append(time.perf_counter() - before)
        return result

    with connection.execute_wrapper(watch):
        yield held


def main() -> None:
    """Sweep as often as is asked."""
    import django

    django.setup()
    from django.utils import timezone

    from memory import retention

    for line in sys.stdin:
        with held_seconds() as held:
            swept = retention.sweep(now=timezone.now(), seconds=float(line))
        print(json.dumps({"rows": swept.rows if swept else 0, "held": held}), flush=True)


if __name__ == "__main__":
    main()
