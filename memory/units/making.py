"""The units of a chat, for recall by content: what was said, embedded window by window, beside its summary."""

import logging
from collections.abc import Sequence

import numpy as np
from django.conf import settings

from memory.conversation import Conversation
from memory.events import ChatCompleted
from memory.llm import LLMError, embedding
from memory.llm.bulk_embedding import BATCH_SIZE, vectors_of
from memory.models import AuditQuerySet, AuditRow, EpisodeUnits, GeneralVectors, Units
from memory.ranking import Matrix
from memory.units import general
from memory.units.packing import pack, turn_terms, units_of
from memory.units.turns import spoken_turns
from memory.units.windows import ChatWindows, chat_windows

logger = logging.getLogger(__name__)

_MOST_BEGINNINGS = 500


def are_wanted() -> bool:
    """Whether units are made: only recall by content reads them, and each window costs an embedding."""
    return settings.CAESAR.memory.episodes_recall.mode == "hybrid"


def windows_of(completed: ChatCompleted) -> ChatWindows:
    """The windows of a recorded chat."""
    return chat_windows(spoken_turns(completed))


def make(chat: AuditRow, windows: ChatWindows) -> Units | None:
    """A chat's units, its windows embedded; None where hardly a word was said. `chat`: the first row of its turn.

    Asks the embedder, so it is called outside any transaction. Raises `LLMError` for an outage; a text that cannot be
    embedded is found by its words alone.
    """
    if not any(turn_terms(turn.text, language="en").size > 1 for turn in windows.turns if turn.by_operator):
        return None
    vectors = _vectors(windows.texts)
    prepare_general_vectors(length=0 if vectors is None else vectors.shape[1])
    return units_of(windows, conversation=_conversation(chat), model=embedding.embedder_model(), vectors=vectors)


def prepare_general_vectors(*, length: int = 0) -> None:
    """Have the general messages embedded once for the embedder in use, and again where its vectors have another
    `length` now (0: nobody knows). Raises `LLMError`."""
    made = GeneralVectors._default_manager.filter(model=embedding.embedder_model(), digest=general.DIGEST)
    if (made.filter(dimensions=length) if length else made).exists():
        return
    vectors = embedding.embed(general.MESSAGES, timeout_seconds=settings.CAESAR.llm.timeout_seconds)
    packed = pack(vectors.rows)
    row = {"digest": general.DIGEST, "dimensions": packed.numbers.shape[1]}
    stored = {"vectors": packed.numbers.tobytes(), "scales": packed.scales.astype("<f4").tobytes()}
    GeneralVectors._default_manager.update_or_create(model=vectors.model, defaults={**row, **stored})


def _vectors(texts: Sequence[str]) -> Matrix | None:
    """One row for each text, zeros where one cannot be embedded; None where none can."""
    found = [one for start in range(0, len(texts), BATCH_SIZE) for one in vectors_of(texts[start : start + BATCH_SIZE])]
    length = next((one.size for one in found if not isinstance(one, LLMError)), 0)
    failed = [one for one in found if isinstance(one, LLMError)]
    if failed:
        logger.warning("%d of a chat's %d windows have no vector: %s", len(failed), len(found), failed[0])
    if not length:
        return None
    return np.stack([np.zeros(length, dtype=np.float32) if isinstance(one, LLMError) else one for one in found])


def _conversation(chat: AuditRow) -> int:
    """The id of a conversation's first chat: of the chats with its client's id, else of those that it goes on with."""
    earlier = AuditRow.objects.get_queryset().chats().filter(pk__lt=chat.pk, conversation_id=chat.conversation_id)
    if chat.conversation_id:
        made = EpisodeUnits.objects.filter(episode__audit_log__in=earlier).order_by("pk")
        known = made.values_list("conversation", flat=True).first()  # its first chat may have been swept since
        return known or earlier.order_by("pk").values_list("pk", flat=True).first() or chat.pk
    parent = _longest_beginning(chat, earlier)
    if parent is None:
        return chat.pk
    made = EpisodeUnits.objects.filter(episode__audit_log=parent)
    return made.values_list("conversation", flat=True).first() or parent


def _longest_beginning(chat: AuditRow, earlier: AuditQuerySet) -> int | None:
    """The newest of the chats that have the longest recorded beginning of this one; None where none was recorded."""
    said = Conversation(chat.completed.messages)
    lengths = {
        fingerprint: length
        for ways in (said.fingerprints, said.exact_fingerprints)
        for length, fingerprint in enumerate(ways[:-1], 1)
    }
    rows = earlier.filter(fingerprint__in=lengths).order_by("-pk").values_list("fingerprint", "pk")[:_MOST_BEGINNINGS]
    return max(((lengths[fingerprint or ""], pk) for fingerprint, pk in rows), default=(0, None))[1]
