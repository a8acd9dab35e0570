"""How the process in the sandbox tells of its work: one JSON object a line."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from memory import llm

_MOST_FAILURES_IN_A_ROW = 3
_NOT_WORTH_GOING_ON = frozenset(
    error.__name__ for error in (llm.NotConfigured, llm.Unreachable, llm.AccessDenied, llm.NotFound)
)

Outcome = TypeVar("Outcome", bound=BaseModel)


class Line(BaseModel, Generic[Outcome]):
    """One line of the report: at first the route, then an outcome for each case, or the error that ends it all."""

    route: str = ""
    outcome: Outcome | None = None
    error: str = ""


class ModelFailed(Exception):
    """The model does not answer, or not usably. The message is its error."""


def give_up_if_hopeless(kind: str, error: str) -> None:
    """Raises `ModelFailed` for a failure that every other case would have, too. `kind`: the name of its class."""
    if kind in _NOT_WORTH_GOING_ON:
        raise ModelFailed(error)


@dataclass
class FailuresInARow:
    """Ends an evaluation that does not get on. `called`: what is counted, "cases"."""

    called: str
    count: int = 0

    def take(self, failure: str) -> None:
        """Count one more, "" for a success. Raises `ModelFailed` at the third failure in a row."""
        self.count = self.count + 1 if failure else 0
        if self.count == _MOST_FAILURES_IN_A_ROW:
            raise ModelFailed(f"{self.count} {self.called} in a row could not be read. The last one: {failure}")


def as_lines(
    route: str, outcomes: Callable[[], Iterable[Outcome]], line: type[Line[Outcome]]
) -> Iterator[Line[Outcome]]:
    """A line with the route, then one for each outcome. The last one is an error where it does not go on."""
    yield line(route=route)
    try:
        yield from (line(outcome=outcome) for outcome in outcomes())
    except ModelFailed as error:
        yield line(error=str(error))
