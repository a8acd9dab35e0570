"""What a chat waits for while the sweep deletes 60,000 rows: the same recordings with the sweep and without it."""

import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import count

from django.utils import timezone

from bench.measure import empty
from memory import chat, events, retention
from memory.conversation import Conversation
from memory.events import Message
from memory.models import AuditRow

DUE_ROWS = 60_000
ROUNDS = 6
SECONDS = 3.0
_CHUNK = 5_000
_EVERY_SECONDS = 0.02
_numbers = count()

_Sweep = Callable[[], tuple[list[float], int, list[float]]]


def sweep() -> Iterator[str]:
    """Recordings of a chat every 20 ms, in turn for three seconds beside the sweep and for three without."""
    _fill()
    plain: list[float] = []
    beside: list[float] = []
    held: list[float] = []
    swept = 0
    with _sweeper() as recordings_beside_sweep:
        for number in range(ROUNDS):
            plain += [] if number % 2 else _recordings(_until(SECONDS))
            seconds, rows, locks = recordings_beside_sweep()
            beside, swept, held = beside + seconds, swept + rows, held + locks
            plain += _recordings(_until(SECONDS)) if number % 2 else []
    locked = f"the longest {max(held):.3f} s (at most 0.1), in the middle {statistics.median(held):.4f} s"
    yield f"{swept} of {DUE_ROWS} due rows swept in {len(held)} locks: {locked}"
    yield _compared("p99", _p99(beside), _p99(plain))
    yield _compared("slowest", max(beside), max(plain))
    empty()


def _compared(name: str, beside: float, plain: float) -> str:
    return f"{name} recording of a chat, with / without the sweep: {beside / plain:.1f}x; {beside:.3f} s, {plain:.3f} s"


def _p99(seconds: Sequence[float]) -> float:
    return statistics.quantiles(seconds, n=100)[98]


def _recordings(is_over: Callable[[], bool]) -> list[float]:
    """Seconds of each recording of a chat of other words."""
    found: list[float] = []
    while not is_over():
        said = f"Number {next(_numbers)}: the dentist moved my appointment to Thursday, and Beans lost a tooth as well."
        conversation = Conversation([Message(role="user", content=said)], None)
        turn = chat.Turn(conversation=conversation, now=timezone.now())
        began = time.perf_counter()
        chat.record(turn, chat.Reply("Noted."))
        found.append(time.perf_counter() - began)
        time.sleep(_EVERY_SECONDS)
    return found


def _until(seconds: float) -> Callable[[], bool]:
    ends = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= ends


@contextmanager
def _sweeper() -> Iterator[_Sweep]:
    """A process that sweeps when it is asked; while it does, chats are recorded here."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.sweeper"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    if process.stdin is None or process.stdout is None:
        raise SystemExit("sweep: its process cannot be spoken to")
    asked, answers = process.stdin, process.stdout

    def ask(seconds: float) -> tuple[list[float], int, list[float]]:
        lines: list[str] = []
        waiting = threading.Thread(target=lambda: lines.append(answers.readline()))
        print(seconds, file=asked, flush=True)
        waiting.start()
        found = _recordings(lambda: not waiting.is_alive())
        swept = json.loads(lines[0])
        return found, swept["rows"], swept["held"]

    try:
        ask(0.0)  # it has started
        yield lambda: ask(SECONDS)
    finally:
        asked.close()
        process.wait(30)


def _fill() -> None:
    """Chats that are due, and the operator's word that they may go."""
    now = timezone.now()
    then = now - timedelta(days=120)
    for start in range(0, DUE_ROWS, _CHUNK):
        AuditRow.objects.bulk_create(
            AuditRow.objects.draft(_old_chat(number), now=then, decision_id=None, fingerprint=f"due-{number}")
            for number in range(start, min(start + _CHUNK, DUE_ROWS))
        )
    _recordings(_until(0.2))
    _read_everything()
    retention.sweep(now=now)
    if not retention.allow(now=now):
        raise SystemExit("sweep: nothing was held back")


def _old_chat(number: int) -> events.ChatCompleted:
    said = f"Note {number}: the garden at number {number % 977} had frost, the tomatoes moved into room {number % 89}."
    return events.ChatCompleted(messages=[Message(role="user", content=said)], reply=f"I see, {number} it is. " * 4)


def _read_everything() -> None:
    """Move the cursors to the end: chats that a worker has still to read would stay."""
    from memory.models import ExtractCursor, SummariseCursor

    newest = AuditRow.objects.order_by("-id").values_list("pk", flat=True)[0]
    for cursor in (ExtractCursor, SummariseCursor):
        cursor.current()
        cursor.objects.update(last_audit_id=newest)


BENCHMARKS: dict[str, Callable[[], Iterator[str]]] = {"sweep": sweep}
