"""A server that a test started does not outlive a pytest that is killed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import parent_death
from tests.servers import ROOT, eventually

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells a child of its parent's death")

PARENT = """
import subprocess, sys
from tests import parent_death
child = subprocess.Popen(parent_death.command(sys.executable, "-c", "print('here', flush=True); input()"), stdin=-1)
print(child.pid, flush=True)
child.wait()
"""


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_it_works() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    lines = {parent.stdout.readline().strip() for _ in range(2)}
    (pid,) = lines - {"here"}
    assert is_alive(int(pid))
    parent.kill()
    parent.wait(60)
    parent.stdout.close()
    assert eventually(lambda: not is_alive(int(pid)), seconds=30)


def test_one_whose_parent_died_before_it_could_ask_ends_at_once() -> None:
    command = parent_death.command(sys.executable, "-c", "print('lived')")
    command[3] = "1"  # the parent it is told of is not its parent any more
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == -15
    assert done.stdout == ""
