"""What every embedder is: its defaults, what it needs, and one row of numbers for each text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from pydantic import JsonValue

from memory.llm.types import Route
from memory.ranking import Threshold

Matrix: TypeAlias = npt.NDArray[np.float32]
Rows: TypeAlias = Sequence[JsonValue] | Matrix


@dataclass(frozen=True, kw_only=True)
class Defaults:
    """What holds for an embedder unless the settings say otherwise.

    A text is cut to `max_chars` before it is embedded; `threshold` is the lowest cosine that counts as similar
    (decision 14). `base_url` is "" for an embedder in this process. `has_one_model`: settings cannot choose another.
    """

    model: str
    base_url: str
    max_chars: int
    threshold: Threshold = Threshold(0.45)
    has_one_model: bool = False


class Embedder(Protocol):
    """One way to turn texts into vectors."""

    defaults: Defaults

    def check(self, route: Route) -> None:
        """Raises `NotConfigured` where this route lacks what the embedder needs. Asks nobody."""
        ...

    def embed(self, texts: Sequence[str], route: Route) -> Rows:
        """One row for each text, in the same order, asked once and not yet validated. Raises `LLMError`."""
        ...

    def warm(self) -> None:
        """Load what would otherwise load with the first text. Raises `LLMError`."""
        ...
