"""What answers and vectors cost: tokens as the providers report them, and texts, added up while a meter is open."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Meter:
    """The answers that were given, also those that could not be used, and their tokens.

    `unreported`: how many of the answers came without a count. They are missing from the tokens. `embedded`: the texts
    that got a vector.
    """

    answers: int = 0
    unreported: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    embedded: int = 0


_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metered() -> Iterator[Meter]:
    """A meter of every answer that this thread is given while the context is open. A meter inside counts alone."""
    meter = Meter()
    token = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(token)


def note(input_tokens: int | None, output_tokens: int | None) -> None:
    """Add one answer to the open meter, if there is one. None: the provider gave no count."""
    meter = _meter.get()
    if meter is None:
        return
    meter.answers += 1
    meter.unreported += input_tokens is None or output_tokens is None
    meter.input_tokens += input_tokens or 0
    meter.output_tokens += output_tokens or 0


def note_embedded(texts: int) -> None:
    """Add so many texts to the open meter, if there is one."""
    meter = _meter.get()
    if meter is not None:
        meter.embedded += texts


def pass_on(meter: Meter) -> None:
    """Add what an inner meter has counted to the open one, if there is one."""
    outer = _meter.get()
    if outer is None:
        return
    outer.answers += meter.answers
    outer.unreported += meter.unreported
    outer.input_tokens += meter.input_tokens
    outer.output_tokens += meter.output_tokens
    outer.embedded += meter.embedded
