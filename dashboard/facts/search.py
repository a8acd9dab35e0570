"""Which facts a search finds, and the namespaces of the facts found. Pure."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dashboard.facts.query_parameters import OTHER

NAMESPACES_SHOWN = 9
NAMESPACES_FOLDED = 60


@dataclass(frozen=True)
class NamespaceChip:
    """A link that chooses a namespace, or all those with one fact.

    `count`: how many of the facts found are in it. `ns`: what the address calls it.
    """

    name: str
    count: int
    is_chosen: bool
    ns: str


@dataclass(frozen=True)
class NamespaceChips:
    """The namespaces of the facts found, the largest first: shown, folded away, and the number of all others.

    Those with one fact stand together in one chip, `OTHER`, at the end.
    """

    shown: Sequence[NamespaceChip]
    folded: Sequence[NamespaceChip]
    left_out: int


def namespace_of(key: str) -> str:
    """The first part of a key in lower case: "dog" of "Dog.name". The whole key where its first part is empty."""
    return (key.partition(".")[0] or key).casefold()


def namespace_chips(namespaces: Iterable[str], *, chosen: str) -> NamespaceChips:
    """The chips for these namespaces, one for each fact. The chosen one is always shown, also where none is in it."""
    chosen = chosen.casefold()
    counts = Counter(namespaces)
    single = lonely_namespaces(counts)
    names = sorted(counts.keys() - single, key=lambda name: (-counts[name], name))
    shown = names[:NAMESPACES_SHOWN]
    if chosen and chosen != OTHER and chosen not in shown:
        shown = [*shown[: NAMESPACES_SHOWN - 1], chosen]
    rest = [name for name in names if name not in shown]
    chips, folded = (
        [NamespaceChip(name, counts[name], name == chosen, name) for name in some] for some in (shown, rest)
    )
    if single:
        chips.append(NamespaceChip("other", len(single), chosen == OTHER, OTHER))
    return NamespaceChips(chips, folded[:NAMESPACES_FOLDED], max(0, len(folded) - NAMESPACES_FOLDED))


def lonely_namespaces(counts: Mapping[str, int]) -> set[str]:
    """The namespaces with one fact; none where there is only one of them, which is shown by its name."""
    single = {name for name, count in counts.items() if count == 1}
    return single if len(single) > 1 else set()


def search_matcher(search: str) -> Callable[[Sequence[str]], bool]:
    """A function that says whether every word of the search occurs in a fact's texts.

    Case is ignored in every script. An accent counts only where it was typed: "cafe" finds "Café", but "café" does not
    find "cafe".
    """
    wanted = [(word, _without_accents(word) == word) for word in _folded(search).split()]

    def matches(texts: Sequence[str]) -> bool:
        folded = _folded("\n".join(texts))
        missing = [is_bare for word, is_bare in wanted if word not in folded]
        if not missing or not all(missing) or folded.isascii():
            return not missing
        bare = _without_accents(folded)
        return all(word in folded or word in bare for word, _ in wanted)

    return matches


def _folded(text: str) -> str:
    """The text in lower case and with letters of normal width."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())


def _without_accents(folded: str) -> str:
    """Folded text with its accents removed."""
    if folded.isascii():
        return folded
    return "".join(letter for letter in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(letter))
