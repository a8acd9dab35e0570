"""The fork server: a process with Django loaded and no connection open, which forks one child for each action.

Starting Django takes a second, a fork some milliseconds. Run as `python -m tests.crash.processes.fork_server`. It
reads lines of JSON such as `{"action": "work", "arguments": {...}}` and writes `{"pid": 7, "started": true}`, then the
child's own messages, then `{"pid": 7, "ended": -9}`. It has no threads, so that no fork copies a lock that another
thread holds.
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

from tests.parent_death import end_with

_IN, _OUT = 0, 1


def main() -> None:
    """Fork for each line until there are no more; the children end with this process."""
    django.setup()
    from tests.crash.processes import actions

    actions.preload()
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
                    pid = _fork(json.loads(line), actions.ACTIONS)
                    selector.register(os.pidfd_open(pid), selectors.EVENT_READ, pid)
            else:
                selector.unregister(key.fd)
                os.close(key.fd)
                _report(key.data, ended=os.waitstatus_to_exitcode(os.waitpid(key.data, 0)[1]))


def _fork(asked: dict[str, Any], actions: dict[str, Callable[..., None]]) -> int:
    parent, pid = os.getpid(), os.fork()
    if pid:
        _report(pid, started=True)
        return pid
    ending = 1
    try:
        end_with(parent, signal.SIGKILL)
        actions[asked["action"]](lambda **message: _report(os.getpid(), **message), **asked["arguments"])
        ending = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(ending)


def _report(pid: int, **message: Any) -> None:
    """One line, by one write: short ones of several children do not mix."""
    os.write(_OUT, json.dumps({"pid": pid, **message}).encode() + b"\n")


if __name__ == "__main__":
    main()
