"""A backup or a restore that is killed, at whichever step, leaves the old or the new whole, and the next one works.

A child of this process counts the steps of our own code and kills itself at one of them. Nothing of it is patched.
"""

import os
import signal
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import FrameType

from django.db import connection, connections

from memory.backup import archive, files, making, sqlite_files
from memory.backup.restoring import restore as restoring
from memory.models import AuditRow, PersonalFact
from tests.memory.backup.conftest import close_connections, folder

OURS = str(Path(making.__file__).parent)


def steps_of(work: Callable[[], object], *, kill_at: int | None, of: str = OURS) -> int:
    """Run `work` in a child; how many steps it had, or 0 where it was killed at `kill_at`. `of`: whose steps count."""
    close_connections()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _count_and_die(work, writing, kill_at, of)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return int(said or b"0")


def _count_and_die(work: Callable[[], object], writing: int, kill_at: int | None, of: str) -> None:
    steps = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal steps
        if frame.f_code.co_filename.startswith(of):
            steps += 1
            if steps == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

    code = 1
    try:
        sys.setprofile(count)
        work()
        sys.setprofile(None)
        os.write(writing, str(steps).encode())
        connections.close_all()
        code = 0
    finally:
        os._exit(code)


def spread(steps: int, count: int) -> list[int]:
    """That many of the steps, evenly, the first and the last among them."""
    return sorted({1 + round(number * (steps - 1) / (count - 1)) for number in range(count)})


def assert_whole() -> str:
    """The value of the fact, in a database that is sound and has the rows of that state, and their index."""
    if connection.vendor == "sqlite":
        sqlite_files.look_through(Path(connection.settings_dict["NAME"]))
    value = PersonalFact.objects.get().value
    edited = AuditRow.objects.filter(event_type="memory.fact.user_edited").exists()
    assert (value, edited) in (("Beans", False), ("Bowser", True))
    assert AuditRow.objects.get_queryset().search("Beans").exists()
    close_connections()
    return value


def test_a_killed_restore_leaves_the_old_or_the_new(lived: AuditRow, now: datetime) -> None:
    """At steps of all of it, and at more of them where one database takes the place of the other."""
    backup = making.make("command", now=now).path
    fact = PersonalFact.objects.get()

    def work() -> None:
        restoring.restore(backup, now=now, force=True)

    fact.edit("Bowser", now=now)
    later = making.make("command", now=now).path
    seen = set()
    for part in (OURS, OURS + "/restoring/swap"):
        steps = steps_of(work, kill_at=None, of=part)
        for point in spread(steps, 8 if connection.vendor == "sqlite" else 3 if part != OURS else 2):
            if assert_whole() == "Beans":
                restoring.restore(later, now=now, force=True)
            steps_of(work, kill_at=point, of=part)
            seen.add(assert_whole())
    assert seen == {"Beans", "Bowser"}, "some of the points should be before, some after the swap"
    restoring.restore(backup, now=now, force=True)
    assert assert_whole() == "Beans"


def test_a_killed_backup_leaves_no_half_file(lived: AuditRow, now: datetime) -> None:
    def work() -> None:
        making.make("command", now=now)

    steps = steps_of(work, kill_at=None)
    for point in spread(steps, 6):
        steps_of(work, kill_at=point)
    for path in files.listed():
        archive.opened(path)
    making.make("command", now=now)
    assert all(path.stat().st_mode & 0o77 == 0 for path in folder().iterdir())
