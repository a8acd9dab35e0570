"""The groups of events by which the timeline can be filtered, one chip for each."""

from dataclasses import dataclass

from memory import events


@dataclass(frozen=True)
class EventFamily:
    """A group of events. Without `kinds` it is all of them."""

    name: str
    label: str
    kinds: tuple[type[events.Event], ...]

    def has(self, event_type: str) -> bool:
        """Whether the event with this name is listed in it."""
        return any(kind.name == event_type for kind in self.kinds)


EVERYTHING = EventFamily("", "everything", ())
"""All events, but for sweeps that found nothing: those are under "sweeps"."""
FACT_CHANGES = EventFamily(
    "facts",
    "facts",
    (
        events.FactAdded,
        events.FactUpdated,
        events.FactConfirmed,
        events.FactUserEdited,
        events.FactUserAdded,
        events.FactUserDeleted,
        events.FactRetired,
        events.FactUserConfirmed,
        events.FactUserKept,
        events.FactUserUnkept,
        events.FactUserLetGo,
        events.FactUserDated,
        events.FactWaiting,
        events.FactUserDropped,
    ),
)
EVENT_FAMILIES = (
    EVERYTHING,
    EventFamily("chats", "chats", (events.ChatCompleted, events.ChatFailed)),
    FACT_CHANGES,
    EventFamily(
        "episodes",
        "episodes",
        (
            events.EpisodeSummarised,
            events.EpisodeReplaced,
            events.EpisodeSkipped,
            events.EpisodeFailed,
            events.EpisodeRecalled,
            events.EpisodeUserDeleted,
            events.EpisodeUserRestored,
        ),
    ),
    EventFamily("served", "memory served", (events.ContextServed, events.MemorySearched)),
    EventFamily(
        "failures",
        "failures",
        (
            events.ChatFailed,
            events.ExtractFailed,
            events.ExtractAbandoned,
            events.ExtractRecovered,
            events.ExtractShortened,
            events.ClaimsRefused,
            events.ExtractAsked,
            events.EpisodeFailed,
            events.EpisodeAsked,
        ),
    ),
    EventFamily("passed", "passed through", (events.ChatPassedThrough,)),
    EventFamily(
        "switches",
        "keys and switches",
        (
            events.KeyCreated,
            events.KeyChanged,
            events.KeyRevoked,
            events.LearningPaused,
            events.LearningResumed,
            events.SweepAllowed,
            events.ModelTried,
        ),
    ),
    EventFamily("sweeps", "sweeps", (events.RetentionSweep, events.SweepAllowed)),
)


def find_family(name: str, event_type: str) -> EventFamily:
    """The family with this name; without one, the family of the event type; else `EVERYTHING`."""
    named = next((family for family in EVENT_FAMILIES if family.name == name), EVERYTHING)
    if not event_type or named.has(event_type):
        return named
    return next((family for family in EVENT_FAMILIES if family.has(event_type)), EVERYTHING)
