"""What was found, as the page shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.search.query_parameters import SearchChoice
from dashboard.shared.addresses import address
from dashboard.shared.highlights import TextSegment, mark_search
from memory.recall.explicit import Found, Kind, SearchResults

_HEADINGS: Mapping[Kind, str] = {"fact": "Facts", "conversation": "Conversations", "message": "Words of chats"}


@dataclass(frozen=True)
class Hit:
    """One thing that was found, its text with the words of the question marked, and the page it leads to."""

    found: Found
    pieces: Sequence[TextSegment]
    address: str


@dataclass(frozen=True)
class Section:
    """What was found of one kind. `is_full`: there may be more."""

    kind: Kind
    heading: str
    hits: Sequence[Hit]
    is_full: bool


def sections(by_kind: Mapping[Kind, SearchResults], *, limit: int) -> list[Section]:
    """One section for each kind that was looked for, in the page's order."""
    return [
        Section(kind, _HEADINGS[kind], [_hit(one) for one in results.found], len(results.found) >= limit)
        for kind, results in by_kind.items()
    ]


def _hit(found: Found) -> Hit:
    words = " ".join(found.words)
    pieces = mark_search(found.text, words) if words else [TextSegment(found.text)]
    return Hit(found, pieces, _address(found))


def _address(found: Found) -> str:
    """The page of the fact, or of the chat; "" where there is none any more."""
    if found.kind == "fact":
        return address("fact", key=found.key)
    return address("event", found.chat_id) if found.chat_id is not None else ""


def kind_choices(choice: SearchChoice) -> list[tuple[str, str, bool]]:
    """Value, label and whether it is chosen, of each kind and of all."""
    names = [("", "everything"), *((kind, heading.lower()) for kind, heading in _HEADINGS.items())]
    return [(value, label, value == choice.kind) for value, label in names]
