"""What refuses an operator's change to a fact."""

from memory.models.learned.fact import LearnedFact


class FactConflict(Exception):
    """An operator's change that met another one. `current` is the fact as it stands, None where it is gone."""

    def __init__(self, message: str, *, wanted: str, current: LearnedFact | None) -> None:
        super().__init__(message)
        self.wanted = wanted
        self.current = current


class TooManyKept(Exception):
    """One fact more than may be kept. The message names the cure."""
