"""A message's words in short texts: BM25, and how much of the message stands together."""

import math

import pytest

from memory.recall.relevant_facts.words import WordIndex


def test_it_works() -> None:
    match = WordIndex([["dog", "name", "bowser"], ["cat", "name", "miso"]]).match(["dog"])
    assert match.scores.tolist() == [1.0, 0.0]
    assert match.together == 1.0


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    match = WordIndex([["name", "bowser"], ["name", "miso"], ["name", "tea"]]).match(["name", "miso"])
    common, rare = math.log(1 + 0.5 / 3.5), math.log(1 + 2.5 / 1.5)
    assert match.scores.tolist() == pytest.approx([common / (common + rare), 1.0, common / (common + rare)])


def test_the_shorter_text_and_the_repeated_word_score_higher() -> None:
    match = WordIndex([["tea"], ["tea", "a", "b", "c"], ["tea", "tea", "b", "c"]]).match(["tea"])
    averages = (1 / 3, 4 / 3, 4 / 3)
    lengths = [0.25 + 0.75 * average for average in averages]
    raw = [times * 2.2 / (times + 1.2 * length) for times, length in zip((1, 1, 2), lengths, strict=True)]
    assert match.scores.tolist() == pytest.approx([score / max(raw) for score in raw])


def test_a_word_that_no_text_has_is_the_rarest() -> None:
    match = WordIndex([["dog"], ["cat"]]).match(["dog", "zebra"])
    assert match.together == pytest.approx(math.log(2) / (math.log(2) + math.log(6)))


def test_words_found_here_and_there_do_not_stand_together() -> None:
    index = WordIndex([["dog"], ["cat"], ["dog", "cat"]])
    assert index.match(["dog", "cat"]).together == 1.0
    assert WordIndex([["dog"], ["cat"]]).match(["dog", "cat"]).together == pytest.approx(0.5)


def test_a_word_said_twice_counts_once() -> None:
    index = WordIndex([["dog", "x"], ["cat", "x"]])
    once, twice = index.match(["dog", "cat"]), index.match(["dog", "dog", "cat"])
    assert once.scores.tolist() == twice.scores.tolist()
    assert once.together == twice.together


@pytest.mark.parametrize(("texts", "words"), [([], ["dog"]), ([["dog"]], []), ([["dog"]], ["cat"]), ([[], []], ["a"])])
def test_nothing_found_is_nothing(texts: list[list[str]], words: list[str]) -> None:
    match = WordIndex(texts).match(words)
    assert match.scores.tolist() == [0.0] * len(texts)
    assert match.together == 0.0
