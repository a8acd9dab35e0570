"""The tables of each language, and which of them a message is written in. Pure."""

from collections.abc import Sequence

from memory.recall.hybrid.dates.grammar import Grammar
from memory.recall.hybrid.dates.languages.english import ENGLISH
from memory.recall.hybrid.dates.languages.germanic import DUTCH, GERMAN
from memory.recall.hybrid.dates.languages.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH
from memory.recall.hybrid.dates.languages.slavic import POLISH, RUSSIAN
from memory.recall.hybrid.dates.languages.turkish import TURKISH
from memory.recall.hybrid.dates.tokens import Token

GRAMMARS = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, POLISH, RUSSIAN, TURKISH)

__all__ = ["ENGLISH", "GERMAN", "GRAMMARS", "language_of"]

_MAX_TOKENS = 500


def language_of(tokens: Sequence[Token]) -> Grammar | None:
    """The language whose most frequent words stand in a message, by its first tokens. None where there are no such
    words, or two languages have as many."""
    texts = [token.text for token in tokens[:_MAX_TOKENS]]
    counts = [(sum(map(grammar.words("common").__contains__, texts)), grammar) for grammar in GRAMMARS]
    (most, language), (second, _) = sorted(counts, key=lambda count: -count[0])[:2]
    return language if most > second else None
