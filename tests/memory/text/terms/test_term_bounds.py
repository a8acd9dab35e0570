"""Terms of any text in linear time, and the same from many threads at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from snowballstemmer.english_stemmer import EnglishStemmer

from memory.text.terms import hashed, language_of, terms
from tests.growth import LINEAR_AT_MOST, growth, of_unit

UNITS = [
    "a",
    "a'",
    "ä",
    "a\u0301\u0323",
    "\u0323\u0301",
    "1'",
    "犬",
    "の",
    "ｶﾞ",
    "\uff9e",
    "집",
    "ไ",
    "ที่",
    "ก\u0e48\u0e38",
    "\u0e48\u0e38",
    "я",
    "م\u064e\u0651",
    "i\u0307",
    "\u200d",
    "_",
    "ﷺ",
]


@pytest.mark.parametrize("unit", UNITS)
def test_any_text_takes_linear_time(unit: str) -> None:
    def read(text: str) -> object:
        return terms("x" + text, language="tr"), language_of("x" + text)

    read(unit * 100)  # what is made once
    assert growth(read, of_unit(unit), size=25_000) < LINEAR_AT_MOST


def test_stems_are_the_same_from_many_threads() -> None:
    endings = ["ing", "ed", "s", "ers", "ations"]
    # Words that no other test has: each is stemmed here.
    words = [f"{first}{second}alk{end}" for first in "bcdfghjklm" for second in "bcdfghjklm" for end in endings]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda turn: terms(" ".join(words[turn::8]), language="en"), range(8)))
    stemmer = EnglishStemmer()
    assert together == [[stemmer.stemWord(word) for word in words[turn::8]] for turn in range(8)]


def test_hashes_are_the_same_everywhere() -> None:
    # CRC-32 of "123456789" is the check value of the standard; the others were worked out with gzip.
    found = hashed(["123456789", "", "thermostat", "犬", "thermostat"])
    assert found.tolist() == [0xCBF43926, 0, 0xB69BDDD0, 0x4DE08035, 0xB69BDDD0]
    assert found.dtype.name == "uint32"
    assert found.shape == (5,)


def test_no_words_have_no_hashes() -> None:
    assert hashed([]).shape == (0,)
