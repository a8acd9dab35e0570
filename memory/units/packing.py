"""Units as bytes and back: vectors in eight bits a number, words as hashes."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memory import ranking
from memory.models import Units
from memory.ranking import Matrix
from memory.text import terms
from memory.units.windows import ChatWindows

MAX_TURN_TERMS = 2_000
"""Terms of one turn that are kept; a pasted book need not be found by its last page."""

Bytes8 = npt.NDArray[np.int8]
Hashes = npt.NDArray[np.uint32]
_HIGHEST = 127
_HIGHEST_SCALE = 1.001 / _HIGHEST  # of a unit vector with one number


class PackedVectors(NamedTuple):
    """Unit vectors (n, d): `numbers` int8 (n, d) times `scales` float32 (n,). Off by less than .004 in a cosine."""

    numbers: Bytes8
    scales: Matrix


def pack(vectors: Matrix) -> PackedVectors:
    """Vectors (n, d), of any length, at unit length in eight bits a number. Zeros stay zeros, with a scale of 0."""
    numbers, scales = np.zeros(vectors.shape, dtype=np.int8), np.zeros(len(vectors), dtype=np.float32)
    has_direction = vectors.any(axis=1)
    if has_direction.any():
        units = ranking.unit(vectors[has_direction].astype(np.float64))
        scales[has_direction] = np.abs(units).max(axis=1) / _HIGHEST
        numbers[has_direction] = np.rint(units / scales[has_direction, np.newaxis])
    return PackedVectors(numbers, scales)


def unpack_vectors(numbers: bytes, scales: bytes, dimensions: int) -> PackedVectors:
    """Stored vectors; (0, d) where the bytes are no whole rows, or no unit vectors."""
    rows = np.frombuffer(scales if len(scales) % 4 == 0 else b"", dtype="<f4")
    are_whole = len(numbers) == rows.size * dimensions
    if not are_whole or not ((rows >= 0) & (rows <= _HIGHEST_SCALE)).all():
        return PackedVectors(np.empty((0, max(dimensions, 0)), dtype=np.int8), np.empty(0, dtype=np.float32))
    return PackedVectors(np.frombuffer(numbers, dtype=np.int8).reshape(rows.size, dimensions), rows)


def whole_numbers(data: bytes) -> Hashes:
    """Stored lengths or hashes (n,); (0,) where the bytes are no whole numbers."""
    return np.frombuffer(data if len(data) % 4 == 0 else b"", dtype="<u4")


def units_of(windows: ChatWindows, *, conversation: int, model: str, vectors: Matrix | None) -> Units:
    """A chat's units as they are stored. `vectors` (windows, d) of `model`; None leaves it to the words alone."""
    language = terms.language_of("\n".join(turn.text for turn in windows.turns))
    hashes = [turn_terms(turn.text, language=language) for turn in windows.turns]
    packed = pack(vectors) if vectors is not None and len(vectors) else None
    return Units(
        conversation=conversation,
        model=model if packed or not windows.turns else "",
        dimensions=packed.numbers.shape[1] if packed else 0,
        vectors=packed.numbers.tobytes() if packed else b"",
        scales=packed.scales.astype("<f4").tobytes() if packed else b"",
        turn_lengths=np.array([turn.size for turn in hashes], dtype="<u4").tobytes(),
        terms=_joined(hashes).astype("<u4").tobytes(),
        context=windows.context,
    )


def turn_terms(text: str, *, language: str) -> Hashes:
    """The hashes of a turn's terms (n,), in order."""
    return terms.hashed(terms.terms(text, language=language)[:MAX_TURN_TERMS])


def _joined(hashes: Sequence[Hashes]) -> Hashes:
    return np.concatenate(hashes) if hashes else np.empty(0, dtype=np.uint32)
