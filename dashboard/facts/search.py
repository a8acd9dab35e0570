"""Which facts a search finds, and the namespaces they fall into. Pure."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

CHIPS_SHOWN = 8
CHIPS_FOLDED = 60


@dataclass(frozen=True)
class Chip:
    """A namespace to choose, and how many of the facts found are in it."""

    name: str
    count: int
    is_chosen: bool


@dataclass(frozen=True)
class Chips:
    """The namespaces of the facts found, the largest first: those in sight, those folded away, how many are neither."""

    shown: Sequence[Chip]
    folded: Sequence[Chip]
    left_out: int


def namespace(key: str) -> str:
    """The first part of a key, "dog" of "dog.name", whatever its case; the whole key where it has no first part."""
    return (key.partition(".")[0] or key).casefold()


def chips(keys: Iterable[str], *, chosen: str) -> Chips:
    """The namespaces of these keys. The chosen one is always in sight, also where nothing was found in it."""
    chosen = chosen.casefold()
    counts = Counter(namespace(key) for key in keys)
    names = sorted(counts, key=lambda name: (-counts[name], name))
    in_sight = names[:CHIPS_SHOWN]
    if chosen and chosen not in in_sight:
        in_sight = [*in_sight[: CHIPS_SHOWN - 1], chosen]
    rest = [name for name in names if name not in in_sight]
    shown, folded = ([Chip(name, counts[name], name == chosen) for name in some] for some in (in_sight, rest))
    return Chips(shown, folded[:CHIPS_FOLDED], max(0, len(folded) - CHIPS_FOLDED))


def finder(search: str) -> Callable[[Sequence[str]], bool]:
    """A test of a fact's texts: whether each word of the search stands somewhere in them.

    Case never counts, in any script. An accent counts where it was typed: "cafe" finds "Café", "café" not "cafe".
    """
    wanted = [(word, _bare(word) == word) for word in _folded(search).split()]

    def finds(texts: Sequence[str]) -> bool:
        folded = _folded("\n".join(texts))
        missing = [is_bare for word, is_bare in wanted if word not in folded]
        if not missing or not all(missing) or folded.isascii():
            return not missing
        bare = _bare(folded)
        return all(word in folded or word in bare for word, _ in wanted)

    return finds


def _folded(text: str) -> str:
    """The text without regard to case and to the width of its letters."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())


def _bare(folded: str) -> str:
    """Folded text without accents."""
    if folded.isascii():
        return folded
    return "".join(letter for letter in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(letter))
