"""The words of a chat that taught something: marked where the row says they are, each with its fact."""

from datetime import datetime

from django.test import Client

from dashboard.chats.conversation import Conversation
from dashboard.chats.taught import TaughtFact, mark_taught, taught_fact
from memory import events
from memory.events import ChatCompleted, Message
from memory.models import AuditRow
from tests.dashboard.helpers import find_elements, get_page, record_chat, visible_text

CITY = TaughtFact(1, "address.city", "You live in Porto.", "Porto")


def chat(*said: str) -> ChatCompleted:
    messages = [Message(role="user", content=words) for words in said]
    return ChatCompleted(messages=messages, reply="Porto!", new_messages=list(range(len(said))))


def heard(words: str, *, value: str = "the neighbour", message: int = 0, at: int) -> events.Event:
    return events.FactAdded(
        key="dog.sitter",
        value=value,
        confidence=0.7,
        said_at=datetime(2026, 5, 20),  # noqa: DTZ001
        quote=words,
        message=message,
        start=at,
        end=at + len(words),
    )


def marked(conversation: Conversation) -> list[list[tuple[str, list[int]]]]:
    """Of each turn the marked parts, each with the numbers of its facts."""
    return [
        [(piece.text, [fact.number for fact in piece.facts]) for piece in turn.pieces if piece.facts]
        for turn in conversation.turns
    ]


def conversation_of(said: ChatCompleted, *learned: events.Event) -> Conversation:
    facts = [taught_fact(event, number) for number, event in enumerate(learned, 1)]
    return Conversation.of(said, [fact for fact in facts if fact is not None])


def test_it_works() -> None:
    said = chat("Pack for when he stays with the neighbour. The neighbour is kind.")
    quote = "he stays with the neighbour"
    shown = conversation_of(said, heard(quote, at=14))
    assert marked(shown) == [[(quote, [1])], []], "the words of the quote, and not each place of the value"
    assert shown.marked == {1}


def test_of_the_same_words_twice_the_right_ones_are_marked() -> None:
    said = chat("tea, or tea, or tea")
    (pieces, _) = (turn.pieces for turn in conversation_of(said, heard("tea", at=8)).turns)
    assert [piece.text for piece in pieces] == ["tea, or ", "tea", ", or tea"]
    assert [bool(piece.facts) for piece in pieces] == [False, True, False]


def test_only_the_message_that_taught_is_marked() -> None:
    shown = conversation_of(chat("I live in Porto.", "Porto, yes."), heard("Porto", value="Porto", message=1, at=0))
    assert marked(shown) == [[], [("Porto", [1])], []]


def test_words_that_taught_two_facts_bear_both_numbers() -> None:
    said = chat("We are in Porto with Beans.")
    shown = conversation_of(said, heard("in Porto with Beans", at=7), heard("Porto", at=10))
    assert marked(shown)[0] == [("in ", [1]), ("Porto", [1, 2]), (" with Beans", [1])]
    ends = [(piece.text, [fact.number for fact in piece.ends]) for piece in shown.turns[0].pieces if piece.ends]
    assert ends == [("Porto", [2]), (" with Beans", [1])], "each number stands where its words end"


def test_a_row_without_its_words_is_looked_for_by_its_value() -> None:
    old = events.FactUpdated(
        key="address.city",
        old_value="Lisbon",
        new_value="Porto",
        old_confidence=1.0,
        confidence=1.0,
        said_at=datetime(2026, 5, 20),  # noqa: DTZ001
    )
    assert marked(conversation_of(chat("PORTO now, not Lisbon."), old)) == [[("PORTO", [1])], []]


def test_a_message_that_is_not_as_it_was_is_looked_through() -> None:
    shown = conversation_of(chat("Well. He stays with the neighbour."), heard("he stays with the neighbour", at=0))
    assert marked(shown)[0] == [("He stays with the neighbour", [1])]
    shown = conversation_of(chat("Ask the neighbour."), heard("he stays there", at=0))
    assert marked(shown)[0] == [("the neighbour", [1])], "then by the value"


def test_what_taught_nothing_is_one_piece() -> None:
    assert [piece.text for piece in mark_taught("plain", [])] == ["plain"]
    assert mark_taught("", []) == []
    assert taught_fact(events.EpisodeSkipped(audit_log_id=1, reason="trivial"), 1) is None


def test_marks_are_bounded() -> None:
    text = "Porto " * 5_000
    pieces = mark_taught(text, [((6 * n, 6 * n + 5), CITY) for n in range(5_000)])
    assert sum(bool(piece.facts) for piece in pieces) == 500
    assert "".join(piece.text for piece in pieces) == text


def test_each_mark_leads_to_the_fact_it_taught(operator: Client, now: datetime) -> None:
    row = record_chat("He stays with <b>the neighbour</b>.", now=now)
    AuditRow.objects.record(heard("stays", at=3), now=now, chat=row)
    response = get_page(operator, f"/dashboard/audit/{row.pk}")
    (link,) = find_elements(response, "a", class_="taught")
    assert link["href"] == "#taught-1"
    assert link["title"] == "dog.sitter: the neighbour"
    assert find_elements(response, "li", id="taught-1")
    assert "He stays taught: dog.sitter: the neighbour 1 with <b>the neighbour</b>." in visible_text(response)
    assert not find_elements(response, "b")
