"""What of a conversation is heard for the first time, sentence by sentence, and how old the rest is (decisions 1, 25).

Clients send history again: whole or its tail, with a time stamp more or less, cut, merged into the newest message. So
what counts is what was said, not the message it came in.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from itertools import chain, islice

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
_MAX_GLUED = 100
"""In how many sentences of a message a glued one is looked for."""
_TOLD_IN_RETROSPECT = timedelta(hours=1)
_A_TURN_LASTS = timedelta(hours=12)
"""How long after its beginning a turn may go on. What is said again later is another one."""
_LEAST_TELLING_WORDS = 3
_LEAST_SAME_CHARS = 20
_BLANKS = " \t\"'“«*_"
_BREAKS = (",", ";", "-", "–", "—", "|", "/")


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
    if begun_by is None or not _is_recent(begun_by, turn.said_at) or _is_said_anew(conversation, said_at=turn.said_at):
        return None
    is_other_document = last.has_pasted and not HeardMessage.objects.first_chats([last.exact_hash])
    return None if is_other_document else begun_by


def _is_recent(chat_id: int, said_at: datetime) -> bool:
    """Whether a turn that this chat began may still go on."""
    began = AuditRow.objects.times_said([chat_id]).get(chat_id)
    return began is not None and abs(said_at - began) <= _A_TURN_LASTS


def _is_said_anew(conversation: Conversation, *, said_at: datetime) -> bool:
    """Whether a single message that was recorded is said once more, later than an hour after."""
    if len(conversation.operator_messages) > 1:
        return False
    (said,) = conversation.operator_messages
    whole = [said.fingerprint, said.exact_fingerprint]
    return not AuditRow.objects.was_said_lately(whole, said_at=said_at)


class Listener:
    """Finds out what of a turn's conversation is new. What takes its time can be prepared before the transaction."""

    def __init__(self, turn: Turn, stored: Sequence[Message]) -> None:
        """`stored`: the messages as they are written down."""
        self._turn, self._stored = turn, stored
        self.conversation = turn.conversation
        self.spoken = [] if turn.proactive else turn.conversation.operator_messages
        self.first_chats: Mapping[str, int] = {}
        self._compared: dict[int, _Comparison] = {}

    def prepare(self) -> None:
        """Split and hash what was not heard by now. Call it outside the transaction; `listen` does what is left."""
        self._look_up()
        unheard = [self._comparison(said) for said in self._unheard() if said.has_words]
        for comparison in unheard[-_MAX_COMPARED:]:
            _ = comparison.hashes  # worked out here
        _hashes_to_keep(unheard)

    def listen(self, *, went_on: bool = False) -> Hearing:
        """What is new. Ask in the transaction that records the chat, holding the chats' order.

        `went_on`: the client hung up, and has said all of this again since.
        """
        if not self.spoken:
            return NOTHING_HEARD
        self._look_up()
        unheard = self._unheard()
        recorded = len(self.spoken) if went_on else self._recorded()
        latest = {said.index for said in self.spoken[recorded:]} & set(self.conversation.latest_indices)
        same = self._said_before(latest)
        if same is not None:
            latest.clear()
        is_replay = recorded == len(self.spoken) or same is not None
        teaching = self._teaching(latest, unheard)
        return Hearing(
            is_replay=is_replay,
            continues=continued_chat(self._turn) or self._turn_of(same) if is_replay else None,
            teaching=[comparison.said.index for comparison in teaching],
            heard=[span for comparison in teaching for span in comparison.heard],
            earlier=self._earlier({one.said.index for one in teaching} - latest),
            message_hashes=[
                hash_ for said in self.spoken for hash_ in said.hashes_to_keep if hash_ not in self.first_chats
            ],
            word_hashes=_hashes_to_keep([self._comparison(said) for said in unheard if said.has_words]),
        )

    def _look_up(self) -> None:
        self.first_chats = HeardMessage.objects.first_chats(chain(*(said.hashes for said in self.spoken)))

    def _unheard(self) -> list[OperatorMessage]:
        return [said for said in self.spoken if self._first_chat(said) is None]

    def _comparison(self, said: OperatorMessage) -> "_Comparison":
        """The message with its sentences, worked out once."""
        if said.index not in self._compared:
            text = transcript.own_words(self._stored[said.index])
            self._compared[said.index] = _Comparison(said, text, is_newest=said is self.spoken[-1])
        return self._compared[said.index]

    def _first_chat(self, said: OperatorMessage) -> int | None:
        return next((chat for hash_ in said.hashes if (chat := self.first_chats.get(hash_))), None)

    def _recorded(self) -> int:
        """How many of the messages a recorded chat begins with. A single one said again after an hour is said anew."""
        if self._first_chat(self.spoken[0]) is None:
            return 0
        recorded = AuditRow.objects.recorded_beginning(
            self.conversation.fingerprints, self.conversation.exact_fingerprints
        )
        if recorded == len(self.spoken) and self._is_about_another_document():
            return recorded - 1
        if recorded == len(self.spoken) and _is_said_anew(self.conversation, said_at=self._turn.said_at):
            return 0
        return recorded

    def _is_about_another_document(self) -> bool:
        """Whether the newest words were said before, but never with what is pasted beside them now."""
        return self.spoken[-1].has_pasted and self.spoken[-1].exact_hash not in self.first_chats

    def _said_before(self, latest: set[int]) -> AuditRow | None:
        """The chat in which the newest words were said in answer to the same: then they are not said anew."""
        newest = self.spoken[-1]
        chat_id = self._first_chat(newest)
        answered = _answered(self.conversation, newest.index)
        if newest.index not in latest or chat_id is None or not answered or self._is_about_another_document():
            return None
        if len(sentences.words_of(newest.text)) < _LEAST_TELLING_WORDS or not _is_recent(chat_id, self._turn.said_at):
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
        new = [self._comparison(said) for said in unheard if said.has_words]
        compared = new[-_MAX_COMPARED:]
        first_chats = HeardWords.objects.first_chats(chain.from_iterable(one.hashes for one in compared))
        doubtful = chain.from_iterable(one.doubtful_hashes(first_chats) for one in compared)
        chats = HeardWords.objects.chats_of(doubtful)
        for comparison in compared:
            comparison.compare(first_chats, chats)
        newest = self._comparison(self.spoken[-1])
        if newest.said.index in latest and newest.said.has_words:
            if newest not in compared[-1:]:
                return [*(one for one in new if one.has_news), newest]  # said anew, the whole of it
            newest.take_as_said_anew_if_single()
        return [one for one in new if one.has_news]

    # --- how old -----------------------------------------------------------------------------------------------------

    def _earlier(self, indices: Collection[int]) -> list[EarlierMessage]:
        """When these were said, at the earliest: after the message before them that was heard, whenever that was.

        Where the client tells of a time long ago, that is the time of all of them.
        """
        if not indices or self._turn.said_at < self._turn.now - _TOLD_IN_RETROSPECT:
            return []
        times = AuditRow.objects.times_said(self.first_chats.values())
        since: datetime | None = None
        found: list[EarlierMessage] = []
        for said in self.spoken:
            chat_id = self._first_chat(said)
            if chat_id is not None:
                since = max(filter(None, [since, times.get(chat_id)]), default=None)
            if said.index in indices:
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


def _hashes_to_keep(messages: Sequence["_Comparison"]) -> list[int]:
    """The hashes by which sentences are known again: those of whole ones first, as many as are kept."""
    whole = chain.from_iterable(message.whole_hashes for message in messages)
    windows = chain.from_iterable(chain.from_iterable(message.window_hashes) for message in messages)
    return list(islice(dict.fromkeys(chain(whole, windows)), _MAX_HASHES))


# --- one message, sentence by sentence ---------------------------------------------------------------------------


@dataclass(eq=False)
class _Comparison:
    """A message and which pieces of it were heard before."""

    said: OperatorMessage
    text: str
    is_newest: bool
    heard: list[HeardSpan] = field(default_factory=list)
    _has_new_words: bool = False
    _is_compared: bool = False

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        """Its sentences; its marks only where it holds nothing else."""
        found = sentences.split(self.text)
        return [sentence for sentence in found if not sentence.is_mark] or found

    @cached_property
    def whole_hashes(self) -> Sequence[int]:
        """The hash of each sentence. The last one of history may be cut off: then it is no whole one."""
        may_be_cut = not self.is_newest and self.sentences and sentences.is_open(self.text, self.sentences[-1])
        return self._sentence_hashes[:-1] if may_be_cut else self._sentence_hashes

    @cached_property
    def _sentence_hashes(self) -> Sequence[int]:
        return [sentences.whole_hash(sentence.words) for sentence in self.sentences]

    @cached_property
    def window_hashes(self) -> Sequence[Sequence[int]]:
        """The hashes of the windows of each sentence."""
        return [sentences.window_hashes(sentence.words) for sentence in self.sentences]

    @cached_property
    def hashes(self) -> Sequence[int]:
        """Every hash under which a piece of it may have been heard."""
        windows, edges = map(chain.from_iterable, (self.window_hashes, self._edge_hashes))
        return [*self._sentence_hashes, *windows, *edges]

    @cached_property
    def _edge_hashes(self) -> Sequence[Sequence[int]]:
        """The hash of each beginning and end of those sentences in which a glued one is looked for."""
        return [
            [sentences.whole_hash(one.words[first:end]) for first, end in sentences.edges(one.words)]
            for one in self.sentences[:_MAX_GLUED]
        ]

    @property
    def has_news(self) -> bool:
        """Whether anything in it is new."""
        return self._has_new_words or not self.sentences or not self._is_compared

    def doubtful_hashes(self, first_chats: Mapping[int, int]) -> Iterator[int]:
        """The hashes of which `compare` needs every chat: those of single words, and of windows that were all heard."""
        for place, sentence in enumerate(self.sentences):
            whole, windows = self._sentence_hashes[place], self.window_hashes[place]
            if whole in first_chats:
                yield from [whole] * (len(sentence.words) == 1)
            elif all(hash_ in first_chats for hash_ in windows):
                yield from windows

    def compare(self, first_chats: Mapping[int, int], chats: Mapping[int, Sequence[int]]) -> None:
        """Note the heard pieces. `first_chats`: of each hash that was heard. `chats`: all those of the doubtful."""
        self.heard, self._has_new_words, self._is_compared = [], False, True
        alone: list[tuple[Sentence, Sequence[int]]] = []
        for place, sentence in enumerate(self.sentences):
            chat_id = self._first_chat(place, first_chats, chats)
            if chat_id is not None and len(sentence.words) == 1:
                alone.append((sentence, chats[self._sentence_hashes[place]]))
            elif chat_id is not None:
                self._note(sentence.start, sentence.end, chat_id)
            elif not (place < _MAX_GLUED and self._compare_edges(place, first_chats)):
                self._has_new_words = True
        self._settle_single_words(alone)
        self.heard.sort(key=lambda span: span.start)

    def take_as_said_anew_if_single(self) -> None:
        """A message of one sentence is said anew, even where that was heard as a part of another message."""
        if len(self.sentences) == 1 and not self._has_new_words:
            self.heard.clear()
            self._has_new_words = True

    def _first_chat(self, place: int, first_chats: Mapping[int, int], chats: Mapping[int, Sequence[int]]) -> int | None:
        """The first chat in which a sentence was heard: as a whole, or all of it within a longer one."""
        whole = first_chats.get(self._sentence_hashes[place])
        if whole is not None:
            return whole
        windows = [set(chats.get(hash_, ())) for hash_ in self.window_hashes[place]]
        return min(set.intersection(*windows), default=None) if windows else None

    def _compare_edges(self, place: int, first_chats: Mapping[int, int]) -> bool:
        """Whether a sentence that was heard is glued to the beginning or end of this one."""
        sentence = self.sentences[place]
        for hash_, (first, end) in zip(self._edge_hashes[place], sentences.edges(sentence.words), strict=True):
            chat_id = first_chats.get(hash_)
            span = None if chat_id is None else sentences.locate(self.text, sentence, first, end)
            if chat_id and span and self._is_glued(sentence, span, len(sentence.words) - (end - first)):
                self._note(*span, chat_id)
                self._has_new_words |= len(sentence.words) > end - first
                return True
        return False

    def _is_glued(self, sentence: Sentence, span: tuple[int, int], words_beside: int) -> bool:
        """Whether what stands beside a heard sentence is another one, or a heading before it.

        What stands before it without a mark between may govern it ("it is not true that ..."), and what follows in
        small letters may go on with it, so neither counts.
        """
        before, after = self.text[sentence.start : span[0]].rstrip(_BLANKS), self.text[span[1] : sentence.end].lstrip()
        if before:
            return before.endswith(":") or (words_beside >= sentences.LEAST_GLUED and before.endswith(_BREAKS))
        is_another = after.startswith(_BREAKS) or after[:1].isupper() or after.rstrip().endswith(("?", "？"))
        return is_another and words_beside >= sentences.LEAST_GLUED

    def _settle_single_words(self, alone: Sequence[tuple[Sentence, Sequence[int]]]) -> None:
        """A sentence of one word says nothing by itself: it was heard where what is beside it was heard with it."""
        beside = {span.chat_id for span in self.heard}
        for sentence, chats in alone:
            if beside & set(chats):
                self._note(sentence.start, sentence.end, min(chats))
            else:
                self._has_new_words = True

    def _note(self, start: int, end: int, chat_id: int) -> None:
        self.heard.append(HeardSpan(message=self.said.index, start=start, end=end, chat_id=chat_id))
