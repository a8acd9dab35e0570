"""What is counted in this server's processes, for Prometheus, by its client library.

After `share` a process counts in files of its own in a folder that all processes of the host share, and whoever is
asked adds them up (the library's multi-process mode). Without it, as in tests, counts stay in the process. The library
reads its mode when it is first imported, so Django's settings call it.
"""

import fcntl
import logging
import os
import re
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

logger = logging.getLogger(__name__)

Stage = Literal["context", "embed", "recall", "model", "first_chunk", "record", "extract", "summarise"]
"""Parts of a turn (`embed` and `recall` are within `context`; `first_chunk` of a streamed answer), and the answer that
a worker waits for about one chat."""
Index = Literal["summaries", "units"]

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the library's name
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_OF_PROCESS = re.compile(r"(?P<kind>[a-z_]+)_(?P<process>\d+)\.db")
_ALL_WHO_ENDED = "0"  # no process has this id


def share(folder: Path) -> None:
    """Count in files below this folder from now on. Call it before anything imports the library, as django-q2 does."""
    with suppress(OSError):  # where there is no place for files, a process counts for itself
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.environ[_FOLDER] = str(folder)


def tidy() -> None:
    """Add up what ended processes counted. For the start of a process; whoever reads the numbers does it, too."""
    folder = os.environ.get(_FOLDER)
    if folder is not None:
        with suppress(OSError), _alone(Path(folder)):
            _add_up_ended(Path(folder))


def count_event(name: str) -> None:
    """One row of the audit log was written."""
    with _whatever_happens():
        _instruments().events.labels(name).inc()


def count_injected(*, facts: int, episodes: int) -> None:
    """A prompt was given so many facts and episodes."""
    with _whatever_happens():
        injected = _instruments().injected
        injected.labels("facts").inc(facts)
        injected.labels("episodes").inc(episodes)


def count_near_miss(reason: str) -> None:
    """An episode was considered for a prompt and left out."""
    with _whatever_happens():
        _instruments().near_misses.labels(reason).inc()


def note_index(name: Index, *, size_bytes: int, entries: int) -> None:
    """This process holds an index of that size."""
    with _whatever_happens():
        _instruments().index_bytes.labels(name).set(size_bytes)
        _instruments().index_entries.labels(name).set(entries)


@contextmanager
def timed(stage: Stage) -> Iterator[None]:
    """Measure one stage, whether it succeeds or not."""
    began = time.perf_counter()
    try:
        yield
    finally:
        with _whatever_happens():
            _instruments().stages.labels(stage).observe(time.perf_counter() - began)


@contextmanager
def _whatever_happens() -> Iterator[None]:
    """Count, but never fail: a full disk, or a folder of another account, is no reason to refuse a turn."""
    try:
        yield
    except OSError as error:
        logger.debug("Not counted: %s", error)


@contextmanager
def registry() -> "Iterator[CollectorRegistry]":
    """What all processes of this host counted, while open."""
    from prometheus_client import REGISTRY, CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    folder = os.environ.get(_FOLDER)
    if folder is None:
        yield REGISTRY
        return
    with _alone(Path(folder)):
        _add_up_ended(Path(folder))
        found = CollectorRegistry()
        MultiProcessCollector(found, path=folder)  # type: ignore[no-untyped-call]
        yield found


# --- files ----------------------------------------------------------------------------------------------------------


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time reads and tidies."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _add_up_ended(folder: Path) -> None:
    """Keep what ended processes counted in one file of each kind; what they held is gone with them.

    The library keeps a file of every process for ever, and a worker's processes are replaced all day long.
    """
    for path in sorted(folder.glob("*.db")):
        found = _OF_PROCESS.fullmatch(path.name)
        if found is None or found["process"] == _ALL_WHO_ENDED or _lives(int(found["process"])):
            continue
        if found["kind"] in ("counter", "histogram"):
            _add_up(path, folder / f"{found['kind']}_{_ALL_WHO_ENDED}.db")
        path.unlink(missing_ok=True)


def _add_up(path: Path, whole: Path) -> None:
    from prometheus_client.mmap_dict import MmapedDict

    ended: Any = MmapedDict(str(whole))  # type: ignore[no-untyped-call]
    try:
        for key, value, stamp, _ in ended.read_all_values_from_file(str(path)):
            ended.write_value(key, ended.read_value(key)[0] + value, stamp)
    except (RuntimeError, ValueError, struct.error) as error:  # cut short, as by a full disk: nobody can read it
        logger.warning("What an ended process counted cannot be read: %s: %s", path, error)
    finally:
        ended.close()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


# --- instruments ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Instruments:
    events: "Counter"
    injected: "Counter"
    near_misses: "Counter"
    stages: "Histogram"
    index_bytes: "Gauge"
    index_entries: "Gauge"


@cache
def _instruments() -> _Instruments:
    """Made when something is first counted."""
    from prometheus_client import Counter, Gauge, Histogram

    return _Instruments(
        events=Counter("caesar_events", "Rows written to the audit log, by event.", ["event"]),
        injected=Counter("caesar_injected", "Facts and episodes put into prompts.", ["part"]),
        near_misses=Counter("caesar_near_misses", "Episodes left out of a prompt, by reason.", ["reason"]),
        stages=Histogram("caesar_stage_seconds", "How long stages took.", ["stage"], buckets=_SECONDS),
        index_bytes=Gauge("caesar_index_bytes", "Memory of all indexes.", ["index"], multiprocess_mode="livesum"),
        index_entries=Gauge("caesar_index_entries", "Entries of an index.", ["index"], multiprocess_mode="livemax"),
    )
