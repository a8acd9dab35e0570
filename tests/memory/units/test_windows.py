"""Which turns are one window: the same ones, whether a conversation was recorded whole or turn by turn."""

import pytest

from memory.units import ChatWindows, SpokenTurn, chat_windows
from memory.units.windows import MAX_WINDOW_CHARS, MAX_WINDOWS


def turns(count: int, *, new_from: int = 0) -> list[SpokenTurn]:
    """So many turns, by the operator and the assistant in turn: t0, t1, ..."""
    return [SpokenTurn(place % 2 == 0, f"t{place}", place >= new_from) for place in range(count)]


def windows(count: int, *, new_from: int = 0) -> list[str]:
    return [text.replace("\n", " ") for text in chat_windows(turns(count, new_from=new_from)).texts]


def test_it_works() -> None:
    made = chat_windows(turns(7))
    assert [text.split() for text in made.texts] == [
        ["t0", "t1", "t2", "t3"],
        ["t2", "t3", "t4", "t5"],
        ["t4", "t5", "t6"],
    ]
    assert (len(made.turns), made.context) == (7, 0)


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, []),
        (1, ["t0"]),
        (2, ["t0"]),
        (3, ["t0 t1 t2"]),
        (4, ["t0 t1 t2 t3"]),
        (5, ["t0 t1 t2 t3", "t2 t3 t4"]),
        (6, ["t0 t1 t2 t3", "t2 t3 t4 t5"]),
    ],
)
def test_windows_of_four_turns_every_second_begins_one(count: int, expected: list[str]) -> None:
    assert windows(count) == expected


@pytest.mark.parametrize("operator_first", [True, False])
def test_one_exchange_has_the_vector_of_the_operators_message_alone(operator_first: bool) -> None:
    """Whoever spoke first, and no more than 1,200 characters of it; the words of the answer's beginning beside it."""
    answer = SpokenTurn(False, "reply " * 1_000, True)
    long = SpokenTurn(True, "word " * 1_000, True)
    made = chat_windows([long, answer] if operator_first else [answer, long])
    assert [turn.by_operator for turn in made.turns] == [True, False]
    (text,) = made.texts
    assert 1_150 < len(text) <= 1_200
    assert text.startswith("word word")
    assert 350 < len(made.turns[1].text) <= 400


def test_two_messages_of_the_operator_are_no_single_exchange() -> None:
    made = chat_windows([SpokenTurn(True, "one", True), SpokenTurn(True, "two", True)])
    assert made.texts == ["one\ntwo"]


def test_a_chat_without_a_new_turn_has_no_window() -> None:
    assert chat_windows(turns(6, new_from=6)) == ChatWindows((), 0, ())


@pytest.mark.parametrize("count", range(4, 30, 2))
def test_a_conversation_recorded_turn_by_turn_has_the_windows_of_the_whole(count: int) -> None:
    """And the first message alone beside them: nobody knew then that it would go on."""
    grown = [text for known in range(0, count, 2) for text in windows(known + 2, new_from=known)]
    assert sorted(grown) == sorted(["t0", *windows(count)])


@pytest.mark.parametrize("count", range(3, 16))
def test_windows_hold_every_new_turn_and_begin_where_the_whole_has_them(count: int) -> None:
    for known in range(count):
        whole, made = windows(count), windows(count, new_from=known)
        assert set(made) <= set(whole)
        assert {f"t{place}" for place in range(known, count)} <= set(" ".join(made).split())


def words_counted(made: ChatWindows) -> list[str]:
    return [turn.text for turn in made.turns[made.context :]]


@pytest.mark.parametrize("count", [2, 4, 6, 12])
def test_every_turn_counts_once_in_a_conversation_that_grows(count: int) -> None:
    steps = [chat_windows(turns(known + 2, new_from=known)) for known in range(0, count, 2)]
    assert sum(map(words_counted, steps), []) == words_counted(chat_windows(turns(count)))


def test_what_is_kept_of_earlier_turns_is_what_the_windows_need() -> None:
    made = chat_windows(turns(12, new_from=10))
    assert [turn.text for turn in made.turns] == ["t8", "t9", "t10", "t11"]
    assert (made.context, list(made.ranges)) == (2, [range(4)])


def test_a_long_chat_has_wider_windows_not_more() -> None:
    for count in (1_000, 1_030, 5_000, 60_000):
        made = chat_windows(turns(count))
        assert len(made.ranges) <= MAX_WINDOWS
        assert {index for indices in made.ranges for index in indices} == set(range(count))


def test_each_turn_of_a_long_window_is_cut_to_its_share() -> None:
    long = [SpokenTurn(place % 2 == 0, f"begin{place} " + "x" * 5_000, True) for place in range(4)]
    (text,) = chat_windows(long).texts
    assert len(text) <= MAX_WINDOW_CHARS + 3
    assert [f"begin{place}" in text for place in range(4)] == [True] * 4
