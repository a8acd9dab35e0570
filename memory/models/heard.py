"""What the operator was heard to say, as hashes: outlives the chats it was said in, and tells none of it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db import connections, models, router
from django.db.backends.base.base import BaseDatabaseWrapper

from memory.models import turn_sql
from memory.models.audit import AuditRow


class HeardMessageManager(models.Manager["HeardMessage"]):
    """Messages that were heard before, by hash."""

    def first_chats(self, hashes: Iterable[str]) -> dict[str, int]:
        """Those of `hashes` that were heard before, each with the chat it was first heard in."""
        return dict(turn_sql.heard(_connection(), "heard_messages", list(dict.fromkeys(hashes))))

    def remember(self, hashes: Iterable[str], *, chat: AuditRow) -> None:
        """Note that these were heard. The first chat is kept; call it in the chat's own transaction."""
        turn_sql.remember(_connection(), "heard_messages", dict.fromkeys(hashes), chat_id=chat.pk)


class HeardMessage(models.Model):
    """A message of the operator that was heard once, so that a client's resent history never teaches again.

    `first_chat_id` is a plain number: the row outlives the chat when retention sweeps it.
    """

    hash = models.CharField(max_length=64, primary_key=True)
    first_chat_id = models.BigIntegerField()

    objects = HeardMessageManager()

    class Meta:
        db_table = "heard_messages"

    def __str__(self) -> str:
        return self.hash[:12]


class HeardWordsManager(models.Manager["HeardWords"]):
    """Sentences and windows of words that were heard, by hash."""

    def first_chats(self, hashes: Iterable[int]) -> Mapping[int, int]:
        """Those of `hashes` that were heard before, each with the chat it was first heard in."""
        return turn_sql.first_chats(_connection(), list(dict.fromkeys(hashes)))

    def chats_of(self, hashes: Iterable[int]) -> Mapping[int, Sequence[int]]:
        """Those of `hashes` that were heard before, each with all chats it was heard in, the first one first.

        Ordinary words were heard in most chats: ask only for what `first_chats` cannot tell.
        """
        found: defaultdict[int, list[int]] = defaultdict(list)
        for hash_, chat_id in turn_sql.heard(_connection(), "heard_words", list(dict.fromkeys(hashes))):
            found[hash_].append(chat_id)
        return found

    def remember(self, hashes: Iterable[int], *, chat: AuditRow) -> None:
        """Note that these were heard in a chat; call it in the chat's own transaction."""
        turn_sql.remember(_connection(), "heard_words", dict.fromkeys(hashes), chat_id=chat.pk)


class HeardWords(models.Model):
    """A sentence, or a window of one, that was heard in a chat (`memory.text.sentences`). Outlives the chat."""

    pk = models.CompositePrimaryKey("hash", "chat_id")
    hash = models.BigIntegerField()
    chat_id = models.BigIntegerField()

    objects = HeardWordsManager()

    class Meta:
        db_table = "heard_words"

    def __str__(self) -> str:
        return f"{self.hash:x} in chat #{self.chat_id}"


def _connection() -> BaseDatabaseWrapper:
    return connections[router.db_for_write(AuditRow)]
