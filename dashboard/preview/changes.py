"""What other settings would change about a prompt, in one sentence. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.preview.line_diff import Item, diff_items
from memory.text.lines import one_line, shorten

_NAMED = 2
_NAME_CHARS = 44


@dataclass(frozen=True)
class NamedItems:
    """The first few of some items by name, and how many `more` there are."""

    names: Sequence[str] = ()
    more: int = 0


@dataclass(frozen=True)
class PromptChange:
    """What drops out of the prompt, what comes in, and how many items only change places."""

    dropped: NamedItems
    brought: NamedItems
    moved: int

    @property
    def is_none(self) -> bool:
        """Whether the prompt stays as it is."""
        return not (self.dropped.names or self.brought.names or self.moved)


def describe_change(before: Sequence[Item], after: Sequence[Item], names: Mapping[Item, str]) -> PromptChange:
    """The change from the items `before` to those `after`, each of which has its name."""
    marks = list(diff_items(before, after))
    return PromptChange(
        dropped=_named([names[item] for item, mark in marks if mark == "removed"]),
        brought=_named([names[item] for item, mark in marks if mark == "added"]),
        moved=sum(mark == "moved" for _, mark in marks),
    )


def _named(names: Sequence[str]) -> NamedItems:
    shown = [shorten(one_line(name).rstrip("."), _NAME_CHARS) for name in names[:_NAMED]]
    return NamedItems(shown, max(0, len(names) - _NAMED))
