"""Processes that write at the same time take turns: the one that has just written waits for the one that waited."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from caesar.sqlite3 import turnstile
from caesar.sqlite3.turnstile import Turnstile

LONG = 60.0

HOLD = """
import fcntl, os, sys
fcntl.flock(os.open(sys.argv[1], os.O_CREAT | os.O_RDWR), fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another_process(path: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder
        assert holder.stdin is not None
        holder.stdin.close()


def test_it_works(tmp_path: Path) -> None:
    stile, other = Turnstile(str(tmp_path / "stile")), Turnstile(str(tmp_path / "stile"))
    with stile.passing(monotonic() + LONG):
        assert not other._enter(monotonic())
    assert other._enter(monotonic())


def test_who_waits_is_next_when_the_holder_is_through(tmp_path: Path) -> None:
    stile, passed = Turnstile(str(tmp_path / "stile")), threading.Event()

    def wait() -> None:
        with stile.passing(monotonic() + LONG):
            passed.set()

    with held_by_another_process(tmp_path / "stile"):
        waiter = threading.Thread(target=wait)
        waiter.start()
        assert not passed.is_set()
    waiter.join(LONG)
    assert passed.is_set()


def test_a_process_that_was_stopped_there_holds_nobody_up(tmp_path: Path) -> None:
    stile = Turnstile(str(tmp_path / "stile"))
    with held_by_another_process(tmp_path / "stile"):
        began = monotonic()
        with stile.passing(monotonic() + LONG):
            assert monotonic() - began >= turnstile._PATIENCE_SECONDS
        once = monotonic()
        for _ in range(20):
            with stile.passing(monotonic() + LONG):
                pass
        assert monotonic() - once < 20 * turnstile._PATIENCE_SECONDS, "only the first one waits"


def test_one_that_died_there_has_left_it(tmp_path: Path) -> None:
    stile = Turnstile(str(tmp_path / "stile"))
    with held_by_another_process(tmp_path / "stile") as holder:
        holder.kill()
        holder.wait(LONG)
        assert stile._enter(monotonic())


def test_without_a_file_everybody_goes_on(tmp_path: Path) -> None:
    with Turnstile(str(tmp_path / "no folder" / "stile")).passing(monotonic() + LONG):
        pass
    assert not (tmp_path / "no folder").exists()


def test_a_forked_process_does_not_share_its_parents_place(tmp_path: Path) -> None:
    stile = turnstile.turnstile_of(str(tmp_path / "database"))
    with stile.passing(monotonic() + LONG):
        child = os.fork()
        if child == 0:
            os._exit(1 if stile._enter(monotonic()) else 0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
