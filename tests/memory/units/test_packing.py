"""Units as bytes and back."""

import numpy as np
import pytest

from memory.text import terms
from memory.units import ChatWindows, SpokenTurn, pack, units_of, unpack_vectors
from memory.units.packing import MAX_TURN_TERMS, turn_terms, whole_numbers

RNG = np.random.default_rng(1)


def test_a_cosine_is_off_by_less_than_a_four_thousandth_part_of_two() -> None:
    vectors = RNG.standard_normal((200, 512)).astype(np.float32) * 7
    packed = pack(vectors)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    near = units + 0.02 * RNG.standard_normal(units.shape)
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    right = (units * near).sum(axis=1)
    found = (packed.numbers * packed.scales[:, np.newaxis] * near).sum(axis=1)
    assert right.max() > 0.85
    assert np.abs(found - right).max() < 0.004


def test_zeros_stay_zeros() -> None:
    packed = pack(np.array([[0.0, 0.0], [0.0, -3.0]], dtype=np.float32))
    assert packed.numbers.tolist() == [[0, 0], [0, -127]]
    assert packed.scales.tolist() == pytest.approx([0.0, 1 / 127])


def test_what_is_packed_is_unpacked() -> None:
    packed = pack(RNG.standard_normal((5, 8)).astype(np.float32))
    again = unpack_vectors(packed.numbers.tobytes(), packed.scales.astype("<f4").tobytes(), 8)
    assert np.array_equal(again.numbers, packed.numbers)
    assert np.array_equal(again.scales, packed.scales)


@pytest.mark.parametrize(
    ("numbers", "scales", "dimensions"),
    [
        (b"\1", b"\0\0\0\0", 2),
        (b"\1\1", b"\0\0\0", 2),
        (b"\1\1", np.array([np.nan], "<f4").tobytes(), 2),
        (b"\1\1", np.array([-1.0], "<f4").tobytes(), 2),
        (b"\1\1", np.array([1.0], "<f4").tobytes(), 2),
        (b"\1\1", b"\0\0\0\0", -2),
    ],
)
def test_bytes_that_are_no_unit_vectors_are_none(numbers: bytes, scales: bytes, dimensions: int) -> None:
    found = unpack_vectors(numbers, scales, dimensions)
    assert (len(found.numbers), found.scales.size) == (0, 0)


def test_bytes_that_are_no_whole_numbers_are_none() -> None:
    assert whole_numbers(b"\1\0\0\0\2\0\0\0").tolist() == [1, 2]
    assert whole_numbers(b"\1\0\0\0\2").tolist() == []


def test_words_are_kept_turn_by_turn_in_their_order() -> None:
    spoken = [SpokenTurn(True, "The green lantern is broken.", True), SpokenTurn(False, "The lantern?", True)]
    made = units_of(ChatWindows(spoken, 1, []), conversation=7, model="m", vectors=None)
    words = [*turn_terms("green lantern broken", language="en"), *turn_terms("lantern", language="en")]
    assert np.frombuffer(made.turn_lengths, "<u4").tolist() == [3, 1]
    assert np.frombuffer(made.terms, "<u4").tolist() == words
    assert (made.conversation, made.context, made.model, made.vectors, made.dimensions) == (7, 1, "", b"", 0)


def test_a_pasted_book_keeps_its_first_words() -> None:
    text = " ".join(f"w{number}" for number in range(5_000))
    found = turn_terms(text, language="en")
    assert found.size == MAX_TURN_TERMS
    assert found[-1] == terms.hashed([f"w{MAX_TURN_TERMS - 1}"])[0]
