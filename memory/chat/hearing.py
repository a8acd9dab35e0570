"""What of a conversation is heard for the first time, sentence by sentence, and how old the rest is (decisions 1, 25).

Clients send history again: whole or its tail, with a time stamp more or less, cut, merged into the newest message. So
what counts is what was said, not the message it came in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from memory import transcript
from memory.chat.turn import Turn
from memory.conversation import Conversation, OperatorMessage
from memory.events import EarlierMessage, HeardSpan, Message
from memory.models import AuditRow, HeardMessage, HeardWords
from memory.text import sentences
from memory.text.sentences import Sentence

_MAX_COMPARED = 200
"""How many messages of one request are compared sentence by sentence, newest first."""
_MAX_HASHES = 20_000
"""How many hashes of words are kept of one chat."""
_TOLD_IN_RETROSPECT = timedelta(hours=1)
_LEAST_SAME_CHARS = 20


@dataclass(frozen=True)
class Hearing:
    """What a chat adds to what was heard.

    `teaching`: indices of the messages with new words. `heard`: the pieces of them that are not new. `earlier`: those
    of them that were said before this turn. `continues`: the chat whose turn goes on with this one.
    """

    is_replay: bool = False
    continues: int | None = None
    teaching: Sequence[int] = ()
    heard: Sequence[HeardSpan] = ()
    earlier: Sequence[EarlierMessage] = ()
    message_hashes: Sequence[str] = ()
    word_hashes: Sequence[int] = ()

    def remember(self, chat: AuditRow) -> None:
        """Note what was heard in this chat; in the chat's own transaction."""
        HeardMessage.objects.remember(self.message_hashes, chat=chat)
        HeardWords.objects.remember(self.word_hashes, chat=chat)


NOTHING_HEARD = Hearing()


def listen(turn: Turn, stored: Sequence[Message], *, went_on: bool = False) -> Hearing:
    """What of a turn's conversation is new. Ask in the transaction that records the chat, holding the chats' order.

    `stored`: the messages as they are written down. `went_on`: the client hung up, and has said all this again since.
    """
    spoken = turn.conversation.operator_messages
    if turn.proactive or not spoken:
        return NOTHING_HEARD
    first_chats = HeardMessage.objects.first_chats(chain(*(said.hashes for said in spoken)))
    return _Listener(turn, stored, first_chats).listen(went_on)


def continued_chat(turn: Turn) -> int | None:
    """The chat whose turn goes on with this request: it was recorded with all that the operator says (decision 26).

    None for a single message that is said anew, more than an hour later.
    """
    conversation = turn.conversation
    if turn.proactive or not conversation.operator_messages:
        return None
    last = conversation.operator_messages[-1]
    whole = [last.fingerprint, last.exact_fingerprint]
    begun_by = AuditRow.objects.turn_of(whole, conversation_id=conversation.id)
    return None if begun_by is None or _is_said_anew(conversation, said_at=turn.said_at) else begun_by


def _is_said_anew(conversation: Conversation, *, said_at: datetime) -> bool:
    """Whether a single message that was recorded is said once more, later than an hour after."""
    if len(conversation.operator_messages) > 1:
        return False
    (said,) = conversation.operator_messages
    whole = [said.fingerprint, said.exact_fingerprint]
    return not AuditRow.objects.was_said_lately(whole, said_at=said_at)


@dataclass
class _Listener:
    turn: Turn
    stored: Sequence[Message]
    first_chats: Mapping[str, int]

    @property
    def conversation(self) -> Conversation:
        return self.turn.conversation

    @property
    def spoken(self) -> Sequence[OperatorMessage]:
        return self.conversation.operator_messages

    def listen(self, went_on: bool) -> Hearing:
        unheard = [said for said in self.spoken if self._first_chat(said) is None]
        recorded = len(self.spoken) if went_on else self._recorded()
        latest = {said.index for said in self.spoken[recorded:]} & set(self.conversation.latest_indices)
        same = self._said_before(latest)
        if same is not None:
            latest.clear()
        is_replay = recorded == len(self.spoken) or same is not None
        teaching = self._teaching(latest, unheard)
        return Hearing(
            is_replay=is_replay,
            continues=continued_chat(self.turn) or self._turn_of(same) if is_replay else None,
            teaching=[comparison.said.index for comparison in teaching],
            heard=[span for comparison in teaching for span in comparison.heard],
            earlier=self._earlier([c.said for c in teaching if c.said.index not in latest]),
            message_hashes=[said.hash for said in unheard],
            word_hashes=_hashes_to_keep([self._sentences_to_keep(said) for said in unheard if said.has_words]),
        )

    def _first_chat(self, said: OperatorMessage) -> int | None:
        return next((chat for hash_ in said.hashes if (chat := self.first_chats.get(hash_))), None)

    def _recorded(self) -> int:
        """How many of the messages a recorded chat begins with. A single one said again after an hour is said anew."""
        if self._first_chat(self.spoken[0]) is None:
            return 0
        recorded = max(
            AuditRow.objects.recorded_beginning(self.conversation.fingerprints),
            AuditRow.objects.recorded_beginning(self.conversation.exact_fingerprints),
        )
        if recorded == len(self.spoken) and _is_said_anew(self.conversation, said_at=self.turn.said_at):
            return 0
        return recorded

    def _said_before(self, latest: set[int]) -> AuditRow | None:
        """The chat in which the newest words were said in answer to the same: then they are not said anew."""
        newest = self.spoken[-1]
        chat_id = self._first_chat(newest)
        answered = _answered(self.conversation, newest.index)
        if newest.index not in latest or chat_id is None or not answered:
            return None
        chat = AuditRow.objects.get_queryset().chats().filter(pk=chat_id).first()
        before = Conversation(chat.completed.messages if chat else [])
        same = [said for said in before.operator_messages if set(said.hashes) & set(newest.hashes)]
        return chat if any(_is_same_text(answered, _answered(before, said.index)) for said in same) else None

    def _turn_of(self, chat: AuditRow | None) -> int | None:
        """The first row of the chat's turn; None where it is another conversation by its client's name."""
        if chat is None or chat.conversation_id != self.conversation.id:
            return None
        return chat.chat_id or chat.pk

    # --- what teaches ----------------------------------------------------------------------------------------------

    def _teaching(self, latest: set[int], unheard: Sequence[OperatorMessage]) -> list["_Comparison"]:
        """The messages with new words, in order, each compared with what was heard."""
        newest = self.spoken[-1]
        new = [
            said
            for said in self.spoken
            if said.has_words and (said in unheard or (said is newest and said.index in latest))
        ]
        said_anew = [said for said in new if said not in unheard]
        compared = [_Comparison(said, self._own_words(said)) for said in unheard if said in new][-_MAX_COMPARED:]
        found = HeardWords.objects.chats_of(chain(*(comparison.hashes for comparison in compared)))
        for comparison in compared:
            comparison.compare(found)
        by_index = {comparison.said.index: comparison for comparison in compared}
        each = [by_index.get(said.index) or _Comparison(said, "") for said in new]
        if newest.index in latest and each and each[-1].said is newest:
            each[-1].take_as_said_anew_if_single()
        return [comparison for comparison in each if comparison.said in said_anew or comparison.has_news]

    def _sentences_to_keep(self, said: OperatorMessage) -> "_Kept":
        """The sentences of a message. The last one of history may be cut off: then it is no whole one."""
        text = self._own_words(said)
        found = [sentence for sentence in sentences.split(text) if not sentence.is_mark]
        is_open = bool(found) and said is not self.spoken[-1] and sentences.is_open(text, found[-1])
        return _Kept(whole=found[:-1] if is_open else found, cut=found[-1:] if is_open else [])

    def _own_words(self, said: OperatorMessage) -> str:
        return transcript.own_words(self.stored[said.index])

    # --- how old -----------------------------------------------------------------------------------------------------

    def _earlier(self, messages: Sequence[OperatorMessage]) -> list[EarlierMessage]:
        """When these were said, at the earliest: after the message before them that was heard, whenever that was.

        Where the client tells of a time long ago, that is the time of all of them.
        """
        if not messages or self.turn.said_at < self.turn.now - _TOLD_IN_RETROSPECT:
            return []
        times = AuditRow.objects.times_said(self.first_chats.values())
        since: datetime | None = None
        found: list[EarlierMessage] = []
        for said in self.spoken:
            chat_id = self._first_chat(said)
            if chat_id is not None:
                since = max(filter(None, [since, times.get(chat_id)]), default=None)
            if said in messages:
                found.append(EarlierMessage(message=said.index, said_after=since))
        return found


def _answered(conversation: Conversation, index: int) -> str:
    """What the assistant said last before a message; "" where it said nothing."""
    before = reversed(conversation.messages[:index])
    said = (transcript.own_words(message) for message in before if transcript.is_assistant(message))
    return next((words for text in said if (words := " ".join(sentences.words_of(text)))), "")


def _is_same_text(one: str, other: str) -> bool:
    """Whether two texts are the same, or one is the other cut off."""
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= _LEAST_SAME_CHARS and longer.startswith(shorter))


class _Kept(NamedTuple):
    """The sentences of a message that are whole, and the one that may be cut off."""

    whole: Sequence[Sentence]
    cut: Sequence[Sentence]


def _hashes_to_keep(messages: Sequence[_Kept]) -> list[int]:
    """The hashes by which sentences are known again: those of whole ones first, as many as are kept."""
    whole = (sentences.whole_hash(sentence.words) for message in messages for sentence in message.whole)
    each = (sentence.words for message in messages for sentence in chain(message.whole, message.cut))
    windows = chain.from_iterable(map(sentences.window_hashes, each))
    return list(islice(dict.fromkeys(chain(whole, windows)), _MAX_HASHES))


# --- one message, sentence by sentence ---------------------------------------------------------------------------


@dataclass
class _Comparison:
    """A message and which pieces of it were heard before."""

    said: OperatorMessage
    text: str
    heard: list[HeardSpan] = field(default_factory=list)
    _new_words: int = 0

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        """Its sentences; its marks only where it holds nothing else."""
        found = sentences.split(self.text)
        return [sentence for sentence in found if not sentence.is_mark] or found

    @property
    def hashes(self) -> Iterator[int]:
        """Every hash under which a piece of it may have been heard."""
        for sentence in self.sentences:
            yield sentences.whole_hash(sentence.words)
            yield from sentences.window_hashes(sentence.words)
            for first, end in sentences.edges(sentence.words):
                yield sentences.whole_hash(sentence.words[first:end])

    @property
    def has_news(self) -> bool:
        """Whether anything in it is new."""
        return bool(self._new_words) or not self.sentences

    def compare(self, found: Mapping[int, Sequence[int]]) -> None:
        """Note the heard pieces. `found`: the chats of each hash that was heard."""
        alone: list[tuple[Sentence, Sequence[int]]] = []
        for sentence in self.sentences:
            chats = _chats_of(sentence, found)
            if chats and len(sentence.words) == 1:
                alone.append((sentence, chats))
            elif chats:
                self._note(sentence.start, sentence.end, chats)
            elif not self._compare_edges(sentence, found):
                self._new_words += len(sentence.words)
        self._settle_single_words(alone)
        self.heard.sort(key=lambda span: span.start)

    def take_as_said_anew_if_single(self) -> None:
        """A message of one sentence is said anew, even where that was heard as a part of another message."""
        if len(self.sentences) == 1 and not self._new_words:
            self.heard.clear()
            self._new_words = len(self.sentences[0].words)

    def _compare_edges(self, sentence: Sentence, found: Mapping[int, Sequence[int]]) -> bool:
        """Whether a sentence that was heard is glued to the beginning or end of this one."""
        for first, end in sentences.edges(sentence.words):
            chats = found.get(sentences.whole_hash(sentence.words[first:end]))
            span = sentences.locate(self.text, sentence, first, end) if chats else None
            if chats and span and self._is_glued(sentence, span, len(sentence.words) - (end - first)):
                self._note(*span, chats)
                self._new_words += len(sentence.words) - (end - first)
                return True
        return False

    def _is_glued(self, sentence: Sentence, span: tuple[int, int], words_beside: int) -> bool:
        """Whether what stands beside a heard sentence is another one, or a heading before it."""
        heading = self.text[sentence.start : span[0]].rstrip(" \t\"'“«*_")
        return words_beside >= sentences.LEAST_GLUED or heading.endswith(":")

    def _settle_single_words(self, alone: Sequence[tuple[Sentence, Sequence[int]]]) -> None:
        """A sentence of one word says nothing by itself: it was heard where what is beside it was heard with it."""
        beside = {span.chat_id for span in self.heard}
        for sentence, chats in alone:
            if beside & set(chats):
                self._note(sentence.start, sentence.end, chats)
            else:
                self._new_words += 1

    def _note(self, start: int, end: int, chats: Sequence[int]) -> None:
        self.heard.append(HeardSpan(message=self.said.index, start=start, end=end, chat_id=min(chats)))


def _chats_of(sentence: Sentence, found: Mapping[int, Sequence[int]]) -> Sequence[int]:
    """The chats in which a sentence was heard: as a whole, or all of it within a longer one."""
    whole = found.get(sentences.whole_hash(sentence.words), ())
    if whole:
        return whole
    windows = [set(found.get(hash_, ())) for hash_ in sentences.window_hashes(sentence.words)]
    return sorted(set.intersection(*windows)) if windows else ()
