"""Memory that a large body took goes back to the operating system.

glibc keeps freed memory: it learns from the first large block that such blocks are to be kept, and each thread may get
a heap of its own. Elsewhere, and with another allocator, this does nothing.
"""

import ctypes
import gc
import sys
import threading
import time

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # malloc.h
_LARGE_BLOCK = 256 * 1024
_PAUSE_SECONDS = 0.5


def keep_small() -> None:
    """Have blocks from 256 KiB on given back as soon as they are freed, and have few heaps. For each web process."""
    libc = _glibc()
    if libc is not None:
        libc.mallopt(_M_MMAP_THRESHOLD, _LARGE_BLOCK)
        libc.mallopt(_M_TRIM_THRESHOLD, 1024 * 1024)
        libc.mallopt(_M_ARENA_MAX, 2)


class GiveBack:
    """Gives back what requests with large bodies left, in the background and not for each of them anew."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_due = self._runs = False

    def soon(self) -> None:
        """Do it in a moment, when this request is over too."""
        with self._lock:
            self._is_due = True
            if self._runs:
                return
            self._runs = True
        threading.Thread(target=self._run, name="give-back", daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(_PAUSE_SECONDS)
            with self._lock:
                if not self._is_due:
                    self._runs = False
                    return
                self._is_due = False
            gc.collect()  # requests stand in circles
            libc = _glibc()
            if libc is not None:
                libc.malloc_trim(0)


give_back = GiveBack()


def _glibc() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "malloc_trim") else None
