"""How the process in the sandbox tells of its work: one JSON object a line."""

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

MOST_FAILURES_IN_A_ROW = 3


class Judged(Protocol):
    """An outcome, which may be a failure. `failure`: why, "" where it is none."""

    @property
    def failure(self) -> str:
        """Why this one failed."""


Outcome = TypeVar("Outcome", bound=BaseModel)
Failing = TypeVar("Failing", bound=Judged)


class Line(BaseModel, Generic[Outcome]):
    """One line of the report: at first the route, then an outcome for each case, or the error that ends it all."""

    route: str = ""
    outcome: Outcome | None = None
    error: str = ""


class ModelFailed(Exception):
    """The model does not answer, or not usably. The message is its error."""


def up_to_failures(outcomes: Iterable[Failing], *, called: str) -> Iterator[Failing]:
    """The outcomes as they come. Raises `ModelFailed` after three failures in a row; `called`: "cases"."""
    in_a_row = 0
    for outcome in outcomes:
        in_a_row = in_a_row + 1 if outcome.failure else 0
        yield outcome
        if in_a_row == MOST_FAILURES_IN_A_ROW:
            raise ModelFailed(f"{in_a_row} {called} in a row could not be read. The last one: {outcome.failure}")


def as_lines(
    route: str, outcomes: Callable[[], Iterable[Outcome]], line: type[Line[Outcome]]
) -> Iterator[Line[Outcome]]:
    """A line with the route, then one for each outcome. The last one is an error where it does not go on."""
    yield line(route=route)
    try:
        yield from (line(outcome=outcome) for outcome in outcomes())
    except ModelFailed as error:
        yield line(error=str(error))
