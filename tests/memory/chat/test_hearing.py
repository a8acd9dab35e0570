"""What of a conversation is new, whatever a client sends of it again (decisions 1, 25, 26)."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from memory import chat
from memory.conversation import said_pieces
from memory.events import Message
from memory.models import AuditRow, HeardMessage, HeardWords, PersonalFact
from memory.text import normalising
from tests.conftest import Configure
from tests.turns import IMAGE, assistant, record_turn, user

pytestmark = pytest.mark.django_db

PORTLAND = "I live in Portland."
COOK = "What should I cook tonight?"


def recorded(*messages: Message, now: datetime, **options: object) -> AuditRow:
    return AuditRow.objects.get(pk=record_turn(messages, "ok", now=now, **options).audit_log_id)  # type: ignore[arg-type]


def new_words(row: AuditRow) -> list[str]:
    said = said_pieces(row.completed)
    return [piece.text.strip() for index in said for piece in said[index] if piece.is_new]


# --- the newest message ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "join",
    [
        "{old}\n\n{new}",
        "{old}\n{new}",
        "{old}\r\n\r\n{new}",
        "{old}\u2028{new}",
        "{old} {new}",
        "> {old}\n\n{new}",
        "[09:00] {old}\n[15:00] {new}",
        "User: {old}\nUser: {new}",
        "**{old}** {new}",
        "{new}\n\n{old}",
        "  {old}  \n\n\n{new} (edited)",
    ],
)
def test_old_words_merged_into_a_new_message_are_not_new(join: str, now: datetime) -> None:
    first = recorded(user(PORTLAND), now=now)
    row = recorded(user(join.format(old=PORTLAND, new=COOK)), now=now + timedelta(hours=6))
    said = " ".join(new_words(row))
    assert "What should I cook tonight?" in said
    assert "Portland" not in said
    assert {span.chat_id for span in row.completed.heard} <= {first.pk}  # a quoted line is not the operator's word


@pytest.mark.parametrize(
    "rest", [" What should I cook tonight", ", and what to cook?", " - what should I cook tonight"]
)
def test_a_sentence_glued_to_another_is_known_again(rest: str, now: datetime) -> None:
    recorded(user("i live in portland"), now=now)
    row = recorded(user(f"I live in Portland{rest}"), now=now + timedelta(hours=6))
    assert new_words(row) == [rest.strip()]


@pytest.mark.parametrize(
    ("heard", "said"),
    [
        ("I live in Portland.", "It is not true that I live in Portland"),
        ("I like coffee.", "I can no longer say that I like coffee."),
        ("I like coffee.", "I like coffee no more these days"),
        ("New York", "I have just moved to New York."),
        ("东京", "我下个月搬到东京"),
        ("12:30 Lunch with Ana every day", "13:30 Lunch with Ana every day"),
        ("Gym (Tue 18:00)", "Gym (Thu 19:00)"),
        ("My flight [on the 12th]", "My flight [on the 13th]"),
        ("मेरा बेटा है", "मेरी बेटी है"),
        ("I have 50 €", "I have 50 $"),
    ],
)
def test_what_only_holds_heard_words_is_new(heard: str, said: str, now: datetime) -> None:
    recorded(user(heard), now=now)
    assert new_words(recorded(user(said), now=now + timedelta(minutes=3))) == [said]


def test_the_end_of_a_very_long_message_is_compared_as_well(now: datetime) -> None:
    recorded(user(PORTLAND), now=now)
    long = "\n".join(f"line {number} of many" for number in range(3_000))
    row = recorded(user(f"{long}\n{PORTLAND}\n{COOK}"), now=now + timedelta(hours=6))
    assert PORTLAND not in " ".join(new_words(row))


def test_words_behind_the_cut_of_a_long_message_stay_heard(now: datetime, configure: Configure) -> None:
    configure(memory__chat_max_chars=400)
    recorded(user(PORTLAND), now=now)
    row = recorded(user(f"{'x ' * 900}\n{PORTLAND}\n{COOK}"), now=now + timedelta(hours=6))
    assert row.completed.truncated
    assert PORTLAND not in " ".join(new_words(row))


def test_the_same_answer_another_day_is_said_anew(now: datetime) -> None:
    asked = assistant("What did you weigh today?")
    recorded(asked, user("I weigh 82 kilos today."), now=now)
    row = recorded(asked, user("I weigh 82 kilos today."), now=now + timedelta(days=2))
    assert (row.completed.continues, new_words(row)) == (None, ["I weigh 82 kilos today."])


def test_a_conversation_begun_in_the_same_words_another_day_is_another_turn(now: datetime) -> None:
    opening = [user("Hi, my friend."), assistant("Hi"), user(COOK)]
    recorded(*opening, now=now)
    assert recorded(*opening, now=now + timedelta(days=30)).completed.continues is None


def test_the_rest_of_a_merged_message_teaches(now: datetime) -> None:
    recorded(user(PORTLAND), now=now)
    row = recorded(user(f"{PORTLAND}\n\nMy cat is Zoé."), now=now + timedelta(hours=6))
    assert new_words(row) == ["My cat is Zoé."]
    assert row.completed.new_messages == [0]


def test_two_parts_of_one_message(now: datetime) -> None:
    recorded(user(PORTLAND), now=now)
    parts = [{"type": "text", "text": PORTLAND}, {"type": "text", "text": "And tomorrow?"}]
    assert new_words(recorded(user(parts), now=now + timedelta(hours=6))) == ["And tomorrow?"]


@pytest.mark.parametrize(
    ("heard", "said"), [("And I live in Portland.", PORTLAND), (PORTLAND, "And I live in Portland.")]
)
def test_a_joining_word_makes_no_other_sentence(heard: str, said: str, now: datetime) -> None:
    recorded(user(f"My cat is Zoé. {heard}"), now=now)
    assert new_words(recorded(user(f"{said} {COOK}"), now=now + timedelta(hours=6))) == [COOK]


def test_a_word_that_contradicts_does(now: datetime) -> None:
    recorded(user(PORTLAND), now=now)
    row = recorded(user(f"But I live in Portland. {COOK}"), now=now + timedelta(hours=6))
    assert new_words(row) == [f"But I live in Portland. {COOK}"]


def test_a_message_of_old_pieces_alone_teaches_nothing(now: datetime) -> None:
    recorded(user(PORTLAND), now=now)
    recorded(user(COOK), now=now)
    row = recorded(user(f"{PORTLAND}\n{COOK}"), now=now + timedelta(hours=6))
    assert row.completed.new_messages == []


def test_a_piece_cut_out_of_a_long_sentence_is_known_again(now: datetime) -> None:
    recorded(user("I live in Portland with my two dogs and a parrot."), now=now)
    row = recorded(user(f"live in Portland with my two dogs\n\n{COOK}"), now=now + timedelta(hours=6))
    assert new_words(row) == [COOK]


def test_a_statement_made_of_words_of_two_others_is_new(now: datetime) -> None:
    recorded(user("My dog's name is Rex. My cat's name is Tom."), now=now)
    row = recorded(user("My dog's name is Tom. Hello there."), now=now + timedelta(hours=6))
    assert new_words(row) == ["My dog's name is Tom. Hello there."]


def test_a_longer_statement_that_begins_like_an_old_one_is_new(now: datetime) -> None:
    recorded(user("I have a dog"), now=now)
    assert new_words(recorded(user("I have a dog named Rex"), now=now)) == ["I have a dog named Rex"]


def test_one_word_is_an_old_piece_only_beside_what_was_said_with_it(now: datetime) -> None:
    recorded(user("Portland. It rains a lot here."), now=now)
    assert new_words(recorded(user("Portland. I moved back."), now=now)) == ["Portland. I moved back."]
    row = recorded(user("Portland. It rains a lot here. And you?"), now=now + timedelta(hours=6))
    assert new_words(row) == ["And you?"]


def test_a_whole_message_said_again_later_is_new(now: datetime) -> None:
    recorded(user(PORTLAND), now=now)
    row = recorded(user(f"{PORTLAND}\n\n[Current time: 15:00]"), now=now + timedelta(hours=6))
    assert (row.completed.new_messages, row.completed.heard) == ([0], [])
    later = recorded(user("Hi"), assistant("Hello"), user(PORTLAND), now=now + timedelta(days=2))
    assert later.completed.new_messages == [0, 2]


def test_a_message_of_a_time_alone_is_an_answer(now: datetime) -> None:
    row = recorded(user("When to wake you?"), assistant("?"), user("At 6:30."), now=now)
    assert row.completed.new_messages == [0, 2]


def test_a_picture_teaches_nothing(now: datetime) -> None:
    assert recorded(user([IMAGE]), user("  "), now=now).completed.new_messages == []


# --- history --------------------------------------------------------------------------------------------------------

Change = Callable[[str], str]
CHANGES: list[tuple[str, str]] = [
    (f"{PORTLAND}\n\n[Current time: 09:00]", PORTLAND),
    (PORTLAND, f"[09:00] {PORTLAND}"),
    (f"{PORTLAND} " + "And a long story follows. " * 40, f"{PORTLAND} And a long story"),
    (PORTLAND, f"{PORTLAND} (edited)"),
    (PORTLAND, f"> {PORTLAND}"),
    (PORTLAND, "i live in portland"),
    (PORTLAND, "I live in Port"),
    (PORTLAND, f"About me: {PORTLAND} Remember it."),
]


@pytest.mark.parametrize(("first", "resent"), CHANGES)
@pytest.mark.parametrize("undone", ["edited", "deleted"])
def test_history_a_little_changed_undoes_nothing(first: str, resent: str, undone: str, now: datetime) -> None:
    learn(recorded(user(first), now=now), now)
    fact = PersonalFact.objects.get(key="address.city")
    noon = now + timedelta(hours=3)
    fact.edit("Bend", now=noon) if undone == "edited" else fact.forget(now=noon)
    later = now + timedelta(hours=6)
    row = recorded(user(resent), assistant("Nice."), user(COOK), now=later)
    learn(row, later)
    assert list(PersonalFact.objects.values_list("value", flat=True)) == (["Bend"] if undone == "edited" else [])


def learn(row: AuditRow, now: datetime) -> None:
    """What a model says that believes every word."""
    from memory.learning.extraction import EXTRACTION, Answer

    question = EXTRACTION.prepare(row)
    said = "Portland" in " ".join(new_words(row)) or "Port" in " ".join(new_words(row))
    claims = [normalising.Claim("address.city", "Portland", 0.9)] if question and said else []
    EXTRACTION.store(row, Answer(claims), now=now)


def test_a_long_history_from_elsewhere_teaches_what_is_not_known(now: datetime) -> None:
    row = recorded(user(PORTLAND), assistant("Nice."), user(COOK), now=now)
    assert row.completed.new_messages == [0, 2]
    assert [(one.message, one.said_after) for one in row.completed.earlier] == [(0, None)]
    learn(row, now)
    assert PersonalFact.objects.get().value == "Portland"


def test_words_after_a_message_that_was_heard_are_at_least_as_new(now: datetime) -> None:
    recorded(user("Good morning, my friend."), now=now)
    history = [user("Good morning, my friend."), assistant("Hi"), user(PORTLAND), assistant("Nice."), user(COOK)]
    row = recorded(*history, now=now + timedelta(hours=6))
    assert [(one.message, one.said_after) for one in row.completed.earlier] == [(2, now)]


def test_an_import_is_as_old_as_the_client_says(now: datetime) -> None:
    history = [user(PORTLAND), assistant("Nice."), user(COOK)]
    row = recorded(*history, now=now, occurred_at=now - timedelta(days=9))
    assert row.completed.earlier == []


def test_what_was_heard_by_an_earlier_version_stays_heard(now: datetime) -> None:
    HeardMessage.objects.create(hash=normalising.message_hash("I live in Portland!"), first_chat_id=1)
    row = recorded(user("I live in Portland!"), assistant("Nice."), user(COOK), now=now)
    assert row.completed.new_messages == [2]


# --- one turn -------------------------------------------------------------------------------------------------------


def test_another_answer_to_the_same_words_continues_the_turn(now: datetime) -> None:
    first = recorded(user("Which colour for the hall?"), now=now)
    again = recorded(user("Which colour for the hall?"), now=now + timedelta(minutes=1))
    assert (again.completed.continues, again.chat_id, again.completed.replay) == (first.pk, first.pk, True)
    third = recorded(user("Which colour for the hall?"), now=now + timedelta(minutes=2))
    assert third.completed.continues == first.pk


def test_a_step_of_a_tool_continues_the_turn(now: datetime) -> None:
    question = user("Find a luthier near Cremona.")
    call = assistant(None, tool_calls=[{"id": "1"}])
    first = recorded(question, now=now)
    step = recorded(question, call, Message(role="tool", content="Bottega A"), now=now)
    assert (step.completed.continues, step.completed.new_messages) == (first.pk, [])


def test_an_answer_made_anew_behind_a_changed_history_teaches_nothing(now: datetime) -> None:
    first = recorded(user("Hello my friend."), assistant("Hello, how are you today?"), user(PORTLAND), now=now)
    changed = [user("Hello my friend, again."), assistant("Hello, how are you today?"), user(PORTLAND)]
    row = recorded(*changed, now=now + timedelta(hours=6))
    assert row.completed.continues == first.pk
    assert PORTLAND not in new_words(row)


def test_a_tail_made_anew_continues_the_turn(now: datetime) -> None:
    first = recorded(user("Hello my friend."), assistant("Hello, how are you today?"), user(PORTLAND), now=now)
    row = recorded(assistant("Hello, how are you today?"), user(PORTLAND), now=now + timedelta(hours=6))
    assert (row.completed.continues, row.completed.new_messages) == (first.pk, [])


def test_the_same_words_in_another_conversation_are_another_turn(now: datetime) -> None:
    recorded(user("Hello my friend."), now=now, conversation_id="one")
    row = recorded(user("Hello my friend."), now=now, conversation_id="two")
    assert (row.completed.continues, row.completed.replay, row.completed.new_messages) == (None, True, [])


def test_a_trigger_continues_nothing(now: datetime) -> None:
    recorded(user("Good morning"), now=now)
    row = recorded(user("Good morning"), now=now, proactive="morning")
    assert row.completed.continues is None
    assert HeardMessage.objects.count() == 1


# --- what is kept ---------------------------------------------------------------------------------------------------


def test_only_hashes_are_kept_and_once(now: datetime) -> None:
    recorded(user(f"{PORTLAND} {COOK}"), now=now)
    count = HeardWords.objects.count()
    recorded(user(f"{PORTLAND} {COOK}"), now=now + timedelta(hours=6))
    recorded(user(PORTLAND), assistant("Nice."), user("Thanks a lot for that."), now=now)
    assert count > 0
    chats = HeardWords.objects.values_list("chat_id", flat=True).distinct()
    assert len(chats) == 2


def test_with_learning_off_words_are_heard_all_the_same(now: datetime) -> None:
    recorded(user(PORTLAND), now=now, use=chat.MemoryUse(learn=False))
    row = recorded(user(f"{PORTLAND} {COOK}"), now=now + timedelta(hours=6))
    assert new_words(row) == [COOK]
