"""Who acts: the API key or the account behind what is being done, for the audit rows it leaves.

Set at the door (the API's authentication, a page's request) and read where a row is drafted, so that every row of a
request says whose it is without each verb handing it on. Workers and `manage.py` act for nobody.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

CLIENT = "key "
"""How the name of an actor begins that is a client, by its key."""


@dataclass(frozen=True)
class Actor:
    """`name` is what a row keeps: "key kitchen tablet", "account operator". `key_id`: the row of an API key."""

    name: str
    key_id: int | None = None

    @classmethod
    def client(cls, label: str, key_id: int) -> "Actor":
        """The client with this API key."""
        return cls(f"{CLIENT}{label}", key_id)


Whoever = Callable[[], Actor | None]

_acting: ContextVar[Whoever | None] = ContextVar("acting", default=None)


def current() -> Actor | None:
    """Who acts now; None for workers and `manage.py`."""
    whoever = _acting.get()
    return whoever() if whoever else None


def become(actor: Actor) -> None:
    """Act as `actor` until the surrounding `acting` ends."""
    _acting.set(lambda: actor)


@contextmanager
def acting(whoever: Whoever) -> Iterator[None]:
    """While open, rows are written in the name of what `whoever` returns; it is called only when a row is drafted."""
    token = _acting.set(whoever)
    try:
        yield
    finally:
        _acting.reset(token)
