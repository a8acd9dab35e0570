"""What recall gives a turn: the episodes of its prompt, what just missed, or why there are none."""

from dataclasses import dataclass, field

from memory import events
from memory.text import wording


@dataclass(frozen=True)
class Recalled:
    """The episodes of one prompt, best first, and what just missed; or why there are none."""

    served: list[events.ServedEpisode] = field(default_factory=list)
    episode_ids: list[int] = field(default_factory=list)
    near_misses: list[events.NearMiss] = field(default_factory=list)
    left_out: list[events.LeftOut] = field(default_factory=list)
    content: events.ContentRecall | None = None

    @property
    def block(self) -> str:
        """The episodes as the prompt shows them; "" where there are none."""
        return wording.episodes_block((episode.when, episode.summary) for episode in self.served)


def nothing_recalled(reason: str) -> Recalled:
    """The result of a turn without episodes, with its reason."""
    return Recalled(left_out=[events.LeftOut(part="episodes", reason=reason)])
