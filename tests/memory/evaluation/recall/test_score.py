"""The figures of recall, worked out by hand, and how sure they are."""

from typing import Any

import pytest

from memory.management.evaluation.recall import tables
from memory.management.evaluation.recall.conversations import Conversation
from memory.management.evaluation.recall.intervals import interval
from memory.management.evaluation.recall.outcome import Answered, Cost, Outcome
from memory.management.evaluation.recall.score import Score
from memory.management.evaluation.recall.tables import Column
from memory.management.evaluation.shares import Share

NAMES = ("c1", "c2", "c3", "c4", "c5", "c6")


def conversation(name: str, **evidence: list[str]) -> Conversation:
    """With a question for each keyword, its kind being the name without the digit at its end."""
    said = [{"role": "user", "content": "Hello."}]
    chats = [{"id": chat, "at": "2026-03-02T18:20:00Z", "messages": said} for chat in NAMES]
    questions = [
        {"id": key, "message": f"About {key}?", "evidence": chats, "kind": key[:-1]} for key, chats in evidence.items()
    ]
    return Conversation.model_validate(
        {"id": name, "chats": chats, "questions": questions, "unrelated": ["One?", "Two?"]}
    )


def answered(name: str, *found: str, **fields: Any) -> Answered:
    return Answered(id=name, found={size: list(found[:size]) for size in (1, 3, 5)}, **fields)


FIRST = conversation("first", said1=["c1"], said2=["c2"], date1=["c1", "c3"])
SECOND = conversation("second", said1=["c4"], date1=["c5", "c6"])
FIRST_OUTCOME = Outcome(
    id="first",
    answered=[
        answered("said1", "c1", "c2", "c3"),  # at 1
        answered("said2", "c1", "c3", "c4", "c2"),  # at 5
        answered("date1", "c2", "c3", "c4", "c5", "c1"),  # one at 3, both at 5
    ],
    injected=[True, False],
    learning=Cost(count=6, seconds=0.3, embedded=6),
    searching=Cost(count=11, seconds=0.022, embedded=11),
)
SECOND_OUTCOME = Outcome(
    id="second",
    answered=[answered("said1", failure="too slow"), answered("date1", "c6", "c1")],  # never; one at 1
    injected=[False, False],
    unsearched=1,
    learning=Cost(count=6, seconds=0.9, embedded=6),
    searching=Cost(count=8, seconds=0.016, embedded=8),
)
SCORE = Score([(FIRST, FIRST_OUTCOME), (SECOND, SECOND_OUTCOME)])


@pytest.mark.parametrize(
    ("measure", "kind", "right", "total"),
    [
        ("recall@1", None, 2, 5),
        ("recall@3", None, 3, 5),
        ("recall@5", None, 4, 5),
        ("all@5", None, 3, 5),
        ("recall@1", "said", 1, 3),
        ("recall@5", "said", 2, 3),
        ("recall@1", "date", 1, 2),
        ("recall@3", "date", 2, 2),
        ("all@5", "date", 1, 2),
    ],
)
def test_recall_is_counted_as_by_hand(measure: str, kind: str | None, right: int, total: int) -> None:
    share = SCORE.figure(measure, kind=kind).share
    assert (share.right, share.total) == (right, total)


def test_each_size_is_judged_by_its_own_search() -> None:
    given = conversation("a", said1=["c1"])
    found = Answered(id="said1", found={1: ["c2"], 3: ["c1"], 5: ["c2", "c3"]})
    score = Score([(given, Outcome(id="a", answered=[found]))])
    rights = [score.figure(measure).share.right for measure in ("recall@1", "recall@3", "recall@5", "all@5")]
    assert rights == [0, 1, 0, 0]


def test_unrelated_messages_and_costs_are_added_up() -> None:
    assert (SCORE.injected.share.right, SCORE.injected.share.total) == (1, 4)
    assert (SCORE.unsearched, SCORE.unread) == (1, 0)
    assert (SCORE.learning.count, SCORE.searching.embedded) == (12, 19)


def test_the_interval_is_over_conversations() -> None:
    # Of two conversations, one of three right and one of none of one, a quarter of the draws holds only the one, a
    # quarter only the other: both ends are theirs.
    found = interval([Share(1, 3), Share(0, 1)])
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.0, 1 / 3))


def test_the_interval_is_the_same_each_time_and_narrower_with_more() -> None:
    few = [Share(place % 3, 3 + place % 5) for place in range(7)]
    many = few * 20
    assert interval(few) == interval(few)
    narrow, wide = interval(many), interval(few)
    assert narrow is not None
    assert wide is not None
    assert narrow.high - narrow.low < (wide.high - wide.low) / 2


def test_conversations_that_hold_nothing_of_it_say_nothing() -> None:
    assert interval([Share(1, 2), Share(0, 0)]) is None
    assert interval([]) is None


def test_a_single_conversation_has_the_interval_of_its_questions() -> None:
    alone = Score([(FIRST, FIRST_OUTCOME)]).figure("recall@1")
    assert (alone.share.right, alone.share.total) == (1, 3)
    assert alone.interval == interval([Share(1, 1), Share(0, 1), Share(0, 1)])


def test_the_table_has_a_column_a_mode_and_rows_by_kind() -> None:
    columns = [Column("record", 2, list(SCORE.read)), Column("other", 2, [(FIRST, FIRST_OUTCOME)])]
    header, *lines = tables.table(columns).splitlines()
    places = [header.index(mode) for mode in ("record", "other")]
    cells = {
        line[: places[0]].strip(): (line[places[0] : places[1]].strip(), line[places[1] :].strip()) for line in lines
    }
    assert cells["conversations read"] == ("2", "1")
    assert cells["recall@1"][0].startswith("40.0 % (2 of 5), 33.3 to 50.0")
    assert cells["date, all@5"][1] == "100.0 % (1 of 1)"
    assert cells["unrelated, yet something came"][0].startswith("25.0 % (1 of 4), ")
    assert cells["messages not looked for"] == ("1", "0")
    assert cells["ms a chat"] == ("100.0", "50.0")
    assert cells["ms a message"] == ("2.0", "2.0")
    assert cells["texts embedded a chat"] == ("1.0", "1.0")


def test_mistakes_say_what_was_expected_and_what_came() -> None:
    assert list(tables.mistakes(Column("record", 2, list(SCORE.read)))) == [
        "first, unrelated: something came: One?",
        "second, said1 (said): expected c4; came too slow: About said1?",
        "second, date1 (date): expected c5, c6; came c6, c1: About date1?",
    ]


def test_json_has_every_figure_and_says_what_is_not_complete() -> None:
    (mode,) = tables.as_json([Column("record", 3, list(SCORE.read))])  # type: ignore[misc]
    assert (mode["mode"], mode["complete"]) == ("record", False)
    assert mode["recall_at_1"] == {"right": 2, "of": 5, "share": 0.4, "interval": [0.3333, 0.5]}
    assert mode["kinds"]["date"]["all_at_5"]["right"] == 1
    assert mode["unrelated_injected"]["share"] == 0.25
    assert mode["conversations"][0]["answered"][0]["found"] == {
        "1": ["c1"],
        "3": ["c1", "c2", "c3"],
        "5": ["c1", "c2", "c3"],
    }
