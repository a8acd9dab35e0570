"""Which request and which turn a log line belongs to: noted at the door, read where a line is written as JSON."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

_NOTHING: Mapping[str, str] = MappingProxyType({})
_noted: ContextVar[Mapping[str, str]] = ContextVar("noted", default=_NOTHING)


def current() -> Mapping[str, str]:
    """`request_id` and `decision_id`, as far as they are known now."""
    return _noted.get()


def note(**ids: str) -> None:
    """Name what log lines are about, until the surrounding `forgotten` ends."""
    _noted.set({**_noted.get(), **ids})


@contextmanager
def forgotten() -> Iterator[None]:
    """Begin with nothing noted, and leave nothing behind: threads serve one request after the other."""
    token = _noted.set(_NOTHING)
    try:
        yield
    finally:
        _noted.reset(token)
