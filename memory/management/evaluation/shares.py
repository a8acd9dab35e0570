"""Shares and tables in print."""

from collections.abc import Sequence
from dataclasses import dataclass

_GAP = "  "


@dataclass
class Share:
    """So many right, of so many."""

    right: int = 0
    total: int = 0

    def count(self, is_right: bool) -> None:
        """Take one more in."""
        self.right += is_right
        self.total += 1

    @property
    def ratio(self) -> float | None:
        """0 to 1; None of none."""
        return self.right / self.total if self.total else None

    def __str__(self) -> str:
        """As "50.0 % (1 of 2)"; "-" of none."""
        return "-" if self.ratio is None else f"{percent(self.ratio)} ({self.right:,} of {self.total:,})"


def percent(ratio: float) -> str:
    """0.5 as "50.0 %"."""
    return f"{ratio:.1%}".replace("%", " %")


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows of the same length as lines, each column as wide as its longest cell."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows)
    return "\n".join(_GAP.join(cells).rstrip() for cells in lines)
