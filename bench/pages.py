"""The pages with 5,000 facts against the same with 39: each in a process of its own, with its own caches."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

FEW, MANY = 39, 5_000
_ROUNDS = 9
_PROMISED = {
    "facts": ("the facts page", "at most 3x, at most 60,000 bytes"),
    "preview": ("a step of a slider in the preview", "at most 2x"),
    "save": ("a value saved in its row", "at most 2x"),
    "fact": ("the page of one fact", "no promise"),
    "overview": ("the overview", "no promise"),
    "episodes": ("the episodes", "no promise"),
    "timeline": ("the timeline", "no promise"),
    "chat": ("the page of a chat", "no promise"),
    "whole preview": ("the preview", "no promise"),
    "connect": ("Connect", "no promise"),
    "models": ("Models", "no promise"),
    "manual": ("the documentation", "no promise"),
}


@dataclass(frozen=True)
class Answer:
    """How long an answer took, how long it is, plain and gzipped, and how many requests an empty browser makes."""

    seconds: float
    bytes: int
    packed: int
    requests: int


def pages() -> Iterator[str]:
    """Each act of both installations in turn, first one then the other, in alternating order."""
    with ExitStack() as stack:
        few, many = (stack.enter_context(_installation(facts)) for facts in (FEW, MANY))
        for act, (name, promise) in _PROMISED.items():
            pairs = [_pair(few, many, act, is_turned=bool(number % 2)) for number in range(_ROUNDS + 1)][1:]
            middle = statistics.median(large.seconds / small.seconds for small, large in pairs)
            times = [
                statistics.median(answer.seconds for answer in answers) * 1000 for answers in zip(*pairs, strict=True)
            ]
            small, large = pairs[-1]
            yield (
                f"{name}, {MANY:,} facts / {FEW}: {middle:.2f}x ({promise}); {times[1]:.1f} ms, {times[0]:.1f} ms; "
                f"{large.bytes:,} bytes ({large.packed:,} gzipped), {small.bytes:,} ({small.packed:,}); "
                f"{large.requests} requests"
            )


_Ask = Callable[[str], Answer]


def _pair(few: _Ask, many: _Ask, act: str, *, is_turned: bool) -> tuple[Answer, Answer]:
    if is_turned:
        large = many(act)
        return few(act), large
    return few(act), many(act)


@contextmanager
def _installation(facts: int) -> Iterator[_Ask]:
    """A process with its own database of that many facts, and how to ask it for an act."""
    with tempfile.TemporaryDirectory(prefix="caesar-bench-pages-") as folder:
        env: Mapping[str, str] = os.environ | {"CAESAR_DB__URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}"}
        command = [sys.executable, "-m", "bench.page_process", str(facts)]
        with subprocess.Popen(  # noqa: S603 (our own module)
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            to, answers = process.stdin, process.stdout
            assert to is not None  # noqa: S101 (what a pipe was asked for is there)
            assert answers is not None  # noqa: S101

            def ask(act: str) -> Answer:
                to.write(f"{act}\n")
                to.flush()
                return Answer(**json.loads(answers.readline()))

            yield ask
            to.close()


BENCHMARKS: dict[str, Callable[[], Iterator[str]]] = {"pages": pages}
