"""Which chats are the conversation that is going on, which recall must not bring back (decision 12)."""

from collections.abc import Collection
from datetime import datetime, timedelta

from memory import transcript
from memory.conversation import Conversation
from memory.models import AuditQuerySet, AuditRow, HeardMessage
from memory.text import normalising, sentences

RECENT = timedelta(hours=24)
_LEAST_WORDS = 3
_MOST_ROUNDS = 3
_MOST_REPLIES = 5


def ongoing_chats(conversation: Conversation, *, now: datetime) -> frozenset[int]:
    """The chats (`audit_log_id`) of the conversation that is going on.

    They have the same conversation id, or their operator messages are the beginning of this conversation's. For a
    client that sends neither, but only its last turns, they are the recent chats in which those were said.
    """
    beginnings = [*conversation.fingerprints, *conversation.exact_fingerprints]
    chats = AuditRow.objects.get_queryset().of_conversation(beginnings, conversation_id=conversation.id)
    found = set(chats.values_list("pk", flat=True))
    if not found and conversation.id is None and len(conversation.messages) > 1:
        found = _said_in(conversation, since=now - RECENT)
    return frozenset(found)


def _said_in(conversation: Conversation, *, since: datetime) -> set[int]:
    """The recent chats in which the earlier turns of a request were said, and those whose turns these repeat."""
    found: set[int] = set()
    looked_at = [conversation]
    for _ in range(_MOST_ROUNDS):
        chats = {chat for one in looked_at for chat in _first_chats(one)} - found
        rows = list(_recent(since).filter(pk__in=chats))
        found |= {row.pk for row in rows}
        looked_at = [Conversation(row.completed.messages) for row in rows]
    return found or _that_answered(conversation, since=since)


def _first_chats(conversation: Conversation) -> Collection[int]:
    """The chats in which a conversation's earlier messages were first said. A word or two is said in many."""
    earlier = [
        said
        for said in conversation.operator_messages[:-1]
        if said.has_words and len(sentences.words_of(said.text)) >= _LEAST_WORDS
    ]
    return HeardMessage.objects.first_chats(hash_ for said in earlier for hash_ in said.hashes).values()


def _that_answered(conversation: Conversation, *, since: datetime) -> set[int]:
    """The newest chats whose reply the request holds."""
    said = [transcript.own_words(message) for message in conversation.messages if transcript.is_assistant(message)]
    said = [text for text in said if len(sentences.words_of(text)) >= _LEAST_WORDS]
    if not said:
        return set()
    replies = _recent(since).order_by("-id").values_list("pk", "payload__reply")[:_MOST_REPLIES]
    return {pk for pk, reply in replies if normalising.is_one_of(reply or "", said)}


def _recent(since: datetime) -> AuditQuerySet:
    return AuditRow.objects.get_queryset().chats().filter(ts__gte=since)
