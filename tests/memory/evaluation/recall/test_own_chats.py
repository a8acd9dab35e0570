"""Questions made from one's own chats, without a model."""

import stat
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memory import chat
from memory.management.evaluation.json_lines import BadFile
from memory.management.evaluation.recall import conversations, own_chats
from memory.management.evaluation.recall.conversations import Question
from memory.models import AuditRow
from tests.turns import assistant, record_turn, user

pytestmark = pytest.mark.django_db

SLUGS = "Something ate every single lettuce seedling on my plot overnight, with silvery trails."
MAXIMS = "Try nematodes from Koppertinen."


def said(now: datetime, days: float, *texts: str, reply: str = "ok", learn: bool = True) -> str:
    """The id of a chat in which the operator and the assistant take turns, the reply last."""
    messages = [assistant(text) if place % 2 else user(text) for place, text in enumerate(texts)]
    use = chat.MemoryUse(learn=learn)
    return str(record_turn(messages, reply, now=now + timedelta(days=days), use=use).audit_log_id)


def made(kind: str) -> list[Question]:
    return [question for question in own_chats.make(200).questions if question.kind == kind]


def test_it_works(now: datetime) -> None:
    slugs = said(now, 0, SLUGS, reply=MAXIMS)
    shop = said(now, 9, "Where do I buy koppertinen nematodes?")
    given = own_chats.make(200)
    assert [one.id for one in given.chats] == [slugs, shop]
    assert given.chats[0].reply == MAXIMS
    (reworded, named) = given.questions
    assert (reworded.kind, reworded.evidence, reworded.at) == ("reworded", [slugs], now + timedelta(days=7))
    assert (named.kind, named.evidence, named.message) == ("named", [slugs], "Where do I buy koppertinen nematodes?")
    assert named.at is not None
    assert now < named.at < now + timedelta(days=9)
    assert len(given.unrelated) == 40


def test_every_third_word_is_left_out_and_the_halves_change_places() -> None:
    assert own_chats.reworded(["a", "b", "c", "d", "e", "f", "g", "h"]) == "e g h a b d"


def test_the_longest_sentence_of_the_operators_own_new_words_is_reworded(now: datetime) -> None:
    said(now, 0, "Good day. " + SLUGS)
    said(now, 1, "Good day. " + SLUGS, "Slugs like lettuce of any sort and age and come back each night.", "And bread?")
    (question,) = made("reworded")
    assert question.message == "on my overnight, with trails. Something ate single lettuce"


def test_a_word_that_several_conversations_share_names_none(now: datetime) -> None:
    said(now, 0, "My greenhouse leaks water.")
    said(now, 1, "A greenhouse needs water, too.")
    said(now, 2, "How much water does a greenhouse take?")
    said(now, 3, "I saw a silver zeppelin today.", reply="How nice.")
    said(now, 4, "Who built the silver zeppelin?")
    (question,) = made("named")
    assert question.message == "Who built the silver zeppelin?"


def test_one_shared_word_is_too_few_and_the_most_decide(now: datetime) -> None:
    said(now, 0, "I saw a silver zeppelin above Friedrichshafen.")
    said(now, 1, "My oboe has a cracked reed holder.")
    said(now, 2, "I need a holder for my telephone.")
    named = said(now, 3, "A cracked reed on a zeppelin, silver, above Friedrichshafen?")
    (question,) = made("named")
    assert (question.id, question.evidence) == (f"named {named}", [str(int(named) - 3)])


def test_only_what_opens_a_conversation_is_such_a_question(now: datetime) -> None:
    said(now, 0, "I saw a silver zeppelin today.")
    said(now, 1, "Good morning, I am in the museum.", "Enjoy.", "Who built the silver zeppelin?")
    with pytest.raises(own_chats.TooFewChats, match="of 2 chats"):
        own_chats.make(200)


def test_chats_kept_out_of_memory_and_repetitions_are_left_out(now: datetime) -> None:
    turns = (SLUGS, "Slugs, I suppose.", "What helps against those on an allotment without any poison?")
    kept = said(now, 0, *turns)
    said(now, 1, SLUGS.upper() + " Nobody may know of this.", learn=False)
    said(now, 0.01, *turns)
    said(now, 2, *turns)
    assert [one.id for one in own_chats.make(200).chats] == [kept]


def test_only_the_newest_are_taken(now: datetime) -> None:
    said(now, 0, SLUGS)
    newest = said(now, 1, "My left knee hurts since I have tried to run for an hour each day.")
    assert [one.id for one in own_chats.make(1).chats] == [newest]


def test_an_empty_log_says_what_to_do() -> None:
    with pytest.raises(own_chats.TooFewChats, match="No question could be made of 0 chats. Chat for a while"):
        own_chats.make(200)


def test_nothing_is_written_to_the_log(now: datetime) -> None:
    said(now, 0, SLUGS)
    before = list(AuditRow.objects.values_list("pk", "payload"))
    own_chats.make(200)
    assert list(AuditRow.objects.values_list("pk", "payload")) == before


def test_the_saved_file_is_read_back_and_private(now: datetime, tmp_path: Path) -> None:
    said(now, 0, SLUGS, reply=MAXIMS)
    given, path = own_chats.make(200), tmp_path / "mine.jsonl"
    own_chats.save(given, path)
    assert conversations.read(path) == [given]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(BadFile, match="File exists. Name a file that is not there yet"):
        own_chats.save(given, path)


def test_it_says_how_far_it_can_be_trusted(now: datetime) -> None:
    said(now, 0, SLUGS, reply=MAXIMS)
    said(now, 9, "Where do I buy koppertinen nematodes?")
    words = own_chats.trust(own_chats.make(200))
    assert words.startswith("Made from 2 of your chats: 1 reworded sentences, 1 messages that name")
    assert "flatter" in words
