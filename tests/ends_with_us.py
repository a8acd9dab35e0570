"""Runs a program that ends with whoever started it: `python ends_with_us.py NUMBER PID PROGRAM ARGUMENT...`.

On Linux the kernel sends signal NUMBER to the program when the process PID, its parent, dies: a killed pytest leaves no
server behind. A program of its own in between, since code between fork and exec is no good idea in a process that has
threads, as pytest-xdist's have. Elsewhere there is no such call, and the program just runs.
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
