"""What the operator was heard to say, as hashes: outlives the chats it was said in, and tells none of it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from django.db import models

from memory.models.audit import AuditRow

Hash = TypeVar("Hash", int, str)

_HASHES_AT_A_TIME = 1_000  # databases take a limited number of parameters


class HeardMessageManager(models.Manager["HeardMessage"]):
    """Messages that were heard before, by hash."""

    def first_chats(self, hashes: Iterable[str]) -> dict[str, int]:
        """Those of `hashes` that were heard before, each with the chat it was first heard in."""
        return {
            hash_: chat_id
            for some in _in_batches(hashes)
            for hash_, chat_id in self.filter(hash__in=some).values_list("hash", "first_chat_id")
        }

    def remember(self, hashes: Iterable[str], *, chat: AuditRow) -> None:
        """Note that these were heard. The first chat is kept; call it in the chat's own transaction."""
        rows = [self.model(hash=hash_, first_chat_id=chat.pk) for hash_ in dict.fromkeys(hashes)]
        self.bulk_create(rows, ignore_conflicts=True, batch_size=_HASHES_AT_A_TIME)


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

    def chats_of(self, hashes: Iterable[int]) -> Mapping[int, Sequence[int]]:
        """Those of `hashes` that were heard before, each with the chats it was heard in, the first one first."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for some in _in_batches(hashes):
            for hash_, chat_id in self.filter(hash__in=some).order_by("chat_id").values_list("hash", "chat_id"):
                found[hash_].append(chat_id)
        return found

    def remember(self, hashes: Iterable[int], *, chat: AuditRow) -> None:
        """Note that these were heard in a chat; call it in the chat's own transaction."""
        rows = (self.model(hash=hash_, chat_id=chat.pk) for hash_ in dict.fromkeys(hashes))
        self.bulk_create(rows, ignore_conflicts=True, batch_size=_HASHES_AT_A_TIME)


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


def _in_batches(hashes: Iterable[Hash]) -> Iterator[list[Hash]]:
    """The hashes, each once, as many at a time as a statement takes."""
    each = list(dict.fromkeys(hashes))
    for start in range(0, len(each), _HASHES_AT_A_TIME):
        yield each[start : start + _HASHES_AT_A_TIME]
