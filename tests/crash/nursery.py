"""A process that has Django loaded and no connection open, and forks one child for each deed it is asked for.

Starting Django takes a second, a fork some milliseconds. Run as `python -m tests.crash.nursery`. Lines of JSON: in
`{"deed": "work", "given": {...}}`, out `{"pid": 7, "born": true}`, then what the child says, then
`{"pid": 7, "ended": -9}`. It has no threads, so that a fork copies no lock that somebody holds.
"""

import json
import os
import selectors
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

import django

from tests.ends_with_us import end_with

_IN, _OUT = 0, 1


def main() -> None:
    """Fork for each line until there are no more; the children end with this process."""
    django.setup()
    from tests.crash import deeds

    deeds.warm()
    selector = selectors.DefaultSelector()
    selector.register(_IN, selectors.EVENT_READ, None)
    rest = b""
    while True:
        for key, _ in selector.select():
            if key.data is None:
                received = os.read(_IN, 65536)
                if not received:
                    return
                *lines, rest = (rest + received).split(b"\n")
                for line in lines:
                    pid = _fork(json.loads(line), deeds.DEEDS)
                    selector.register(os.pidfd_open(pid), selectors.EVENT_READ, pid)
            else:
                selector.unregister(key.fd)
                os.close(key.fd)
                _say(key.data, ended=os.waitstatus_to_exitcode(os.waitpid(key.data, 0)[1]))


def _fork(asked: dict[str, Any], deeds: dict[str, Callable[..., None]]) -> int:
    parent, pid = os.getpid(), os.fork()
    if pid:
        _say(pid, born=True)
        return pid
    ending = 1
    try:
        end_with(parent, signal.SIGKILL)
        deeds[asked["deed"]](lambda **words: _say(os.getpid(), **words), **asked["given"])
        ending = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(ending)


def _say(pid: int, **words: Any) -> None:
    """One line, by one write: short ones of several children do not mix."""
    os.write(_OUT, json.dumps({"pid": pid, **words}).encode() + b"\n")


if __name__ == "__main__":
    main()
