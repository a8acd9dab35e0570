"""Messages with documents in them are known again by the operator's own words, and as they were once recorded."""

from datetime import datetime, timedelta

import pytest

from memory.conversation import Conversation
from memory.models import AuditRow, HeardMessage, HeardWords
from memory.recall.ongoing import ongoing_chats
from tests.turns import assistant, record_turn, user

pytestmark = pytest.mark.django_db

OWN = "I live in Portland."
WITH = f"<context>Tides come twice a day.</context>\n{OWN}"
OTHER = f"<context>The moon pulls.</context>\n{OWN}"


def teaching(*said: object, now: datetime) -> list[int]:
    messages = [user(text) if place % 2 == 0 else assistant(text) for place, text in enumerate(said)]
    chat = record_turn(messages, "ok", now=now)
    return list(AuditRow.objects.get(pk=chat.audit_log_id).payload["new_messages"])


def recorded_before(*said: str, now: datetime) -> AuditRow:
    """A chat as it was recorded when a message was known by the whole of its text."""
    messages = [user(text) for text in said]
    whole = Conversation(messages).operator_messages
    recorded = record_turn(messages, "ok", now=now)
    HeardMessage.objects.all().delete()
    HeardWords.objects.all().delete()
    row = AuditRow.objects.get(pk=recorded.audit_log_id)
    AuditRow.objects.filter(pk=row.pk)._raw_delete(using="default")
    row.fingerprint = whole[-1].exact_fingerprint
    AuditRow.objects.write([row])
    HeardMessage.objects.remember([message.exact_hash for message in whole], chat=row)
    return row


def test_it_works(now: datetime) -> None:
    assert teaching(WITH, now=now) == [0]
    assert teaching(OWN, "Nice.", "And now?", now=now) == [2]


@pytest.mark.parametrize("again", [WITH, OTHER, OWN])
def test_words_resent_with_other_documents_or_none_were_heard(now: datetime, again: str) -> None:
    teaching(WITH, now=now)
    assert teaching(again, "Nice.", "And now?", now=now + timedelta(minutes=5)) == [2]


def test_a_retry_with_the_same_documents_is_a_replay(now: datetime) -> None:
    teaching(WITH, now=now)
    assert teaching(WITH, now=now + timedelta(minutes=5)) == []
    assert teaching(OWN, now=now + timedelta(minutes=5)) == [], "and so is one without them"


def test_the_same_question_about_another_document_is_a_chat_of_its_own(now: datetime) -> None:
    teaching(WITH, now=now)
    assert teaching(OTHER, now=now + timedelta(minutes=5)) == [0]


def test_documents_alone_are_told_apart(now: datetime) -> None:
    one, other = (Conversation([user(f"<context>{text}</context>")]) for text in "ab")
    assert one.fingerprints != other.fingerprints
    assert one.question == ""
    assert teaching("<context>a</context>", now=now) == []


@pytest.mark.parametrize("again", [WITH, f"{WITH}  "])
def test_messages_recorded_by_their_whole_text_are_still_known(now: datetime, again: str) -> None:
    recorded_before(WITH, now=now)
    assert teaching(again, "Nice.", "And now?", now=now + timedelta(minutes=5)) == [2]
    assert teaching(OWN, "Nice.", "Well?", now=now + timedelta(minutes=9)) == [2], "by now it is known either way"


def test_a_retry_of_a_chat_recorded_before_is_a_replay(now: datetime) -> None:
    recorded_before(WITH, now=now)
    assert teaching(WITH, now=now + timedelta(minutes=5)) == []
    assert teaching(WITH, now=now + timedelta(hours=3)) == [0], "said anew after an hour"


def test_the_conversation_that_goes_on_is_found_by_either_name(now: datetime) -> None:
    before = recorded_before(WITH, now=now)
    now_recorded = record_turn([user(OTHER)], "ok", now=now + timedelta(minutes=1)).audit_log_id
    going_on = Conversation([user(WITH), assistant("ok"), user("And now?")])
    assert ongoing_chats(going_on, now=now) == {before.pk, now_recorded}
