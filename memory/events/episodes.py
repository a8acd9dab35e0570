"""Events of episodes: chats summed up, skipped or failed, and what was recalled."""

from typing import Literal

from memory.events.base import Event, ScoreParts


class _EpisodeEvent(Event):
    audit_log_id: int


class EpisodeSummarised(_EpisodeEvent):
    """A chat was summed up."""

    name = "memory.episode.summarised"
    label = "Summed up"
    holds_speech = True

    summary: str
    model: str


class EpisodeReplaced(EpisodeSummarised):
    """A turn was summed up anew, for a later answer. `replaced`: the summary that made way; "" where there was none."""

    name = "memory.episode.replaced"
    label = "Summed up anew"

    replaced: str = ""


class EpisodeSkipped(_EpisodeEvent):
    """A chat was not worth a summary: trivial, a replay, or nothing new in it. Its empty row marks it as seen."""

    name = "memory.episode.summarise_skipped"
    label = "Not summed up"

    reason: Literal["trivial", "replay", "nothing_new"]


class EpisodeFailed(_EpisodeEvent):
    """A chat could not be summed up. The worker went on; the operator can have it done again."""

    name = "memory.episode.summarise_failed"
    label = "Summary failed"
    holds_speech = True

    error: str
    kind: str


class EpisodeRecalled(_EpisodeEvent):
    """An episode was put into a prompt: score = cosine x freshness x recall_weight (ADR-0034 §4, §6)."""

    name = "memory.episode.recalled"
    label = "Recalled"
    holds_speech = True

    summary: str
    cosine: float
    freshness: float
    recall_weight: float
    score: float
    parts: ScoreParts | None = None


class EpisodeUserDeleted(_EpisodeEvent):
    """The operator deleted an episode. Its row stays, emptied, so that the chat is not summed up again."""

    name = "memory.episode.user_deleted"
    label = "You deleted an episode"
    holds_speech = True

    summary: str


class EpisodeUserRestored(_EpisodeEvent):
    """The operator took the deletion of an episode back: it is recalled again. `restored_from`: the deletion's row."""

    name = "memory.episode.user_restored"
    label = "You brought an episode back"
    holds_speech = True

    summary: str
    restored_from: int


class EpisodeAsked(_EpisodeEvent):
    """Somebody asked for a chat to be summed up again: a stuck one at once, or one that had been `given_up`."""

    name = "memory.episode.summarise_asked"
    label = "Summary asked again"

    given_up: bool
