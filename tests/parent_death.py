"""Runs a program that ends when its parent dies: `python parent_death.py NUMBER PID PROGRAM ARGUMENT...`.

On Linux the kernel sends signal NUMBER to the program when the process PID, its parent, dies (PR_SET_PDEATHSIG): a
killed pytest leaves no server behind. It is a program of its own because code between fork and exec is unsafe in a
process with threads, such as pytest-xdist's. Other systems have no such call; there the program just runs.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def command(*arguments: str, number: int = signal.SIGTERM) -> list[str]:
    """The command line that runs these arguments, to end by `number` when this process does."""
    return [sys.executable, __file__, str(int(number)), str(os.getpid()), *arguments]


def end_with(parent: int, number: int) -> None:
    """Have this process ended by `number` when `parent` dies; at once where that has happened already."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os.kill(os.getpid(), number)


if __name__ == "__main__":
    end_with(int(sys.argv[2]), int(sys.argv[1]))
    os.execvp(sys.argv[3], sys.argv[3:])  # noqa: S606 (the tests' own programs)
