"""What was tried: a column of the table for each model or mode."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

Case = TypeVar("Case")
Outcome = TypeVar("Outcome")


@dataclass
class Column(Generic[Case, Outcome]):
    """Where the questions went, and what became of the cases so far. `total`: how many there are."""

    route: str = ""
    total: int = 0
    read: list[tuple[Case, Outcome]] = field(default_factory=list)
