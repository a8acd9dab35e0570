"""The words of a text as a search compares them."""

from functools import lru_cache

from memory.text.secrets.shapes import with_ascii_digits
from memory.text.terms.folding import compatible, folded, small
from memory.text.terms.runs import runs, script_of
from memory.text.terms.stems import stem
from memory.text.terms.stop_words import stop_words
from memory.text.terms.unspaced import cjk_terms, korean_terms, thai_terms

MAX_WORD_CHARS = 64
"""How much of one word counts: what is longer is an address, a key or a picture as text."""

_CACHED_WORDS = 32_768  # some 5 MB
_LATIN = frozenset(("de", "en", "es", "fr", "it", "nl", "pl", "pt", "tr"))
_FOLDED_FIRST = frozenset(("ar", "en"))
_FIRST_UNSPACED = "\u0e01"  # all below has blanks between words
_UNSPACED = {"cjk": cjk_terms, "hangul": korean_terms, "thai": thai_terms}

# Of words with an apostrophe: articles and the like before it, endings behind it.
_BEFORE = frozenset(
    "l d j m t s c n z qu jusqu lorsqu puisqu quoiqu quelqu"  # noqa: SIM905
    " un dell nell sull all dall coll quell quest bell sant gl dov com cos".split()
)
_BEHIND = frozenset("s t re ve ll d m n".split())  # noqa: SIM905


def terms(text: str, *, language: str) -> list[str]:
    """The search terms of a text in their order: in small letters, stemmed, without stop words and accents.

    Words of another script than the language's take the stemmer of theirs: English in a Russian text, Russian in any.
    Numbers stay, addresses fall apart into their words, a word ends after 64 characters. Chinese, Japanese, Korean and
    Thai come in pieces (`unspaced`). A language that has no list here counts as English. Linear in the length.
    """
    found: list[str] = []
    for run in runs(small(text, language=language)):
        if run > _FIRST_UNSPACED and (pieces := _UNSPACED.get(script_of(run))):
            found += pieces(run)
        elif term := _term(run[:MAX_WORD_CHARS], language):
            found.append(term)
    return found


@lru_cache(_CACHED_WORDS)
def _term(word: str, language: str) -> str:
    """A word as a term; "" for a stop word."""
    own = _language_of_word(word, language)
    bare = with_ascii_digits(compatible(_without_apostrophes(word, own)))
    if own in _FOLDED_FIRST:  # no ending of these languages has accents: "résumés" meets "resume"
        bare = folded(bare)
    return "" if bare in stop_words(own) else stem(bare, language=own)


def _language_of_word(word: str, language: str) -> str:
    """Whose stop words and stemmer a word takes; "" for a script that has none here."""
    script = script_of(word)
    if script == "latin":
        return language if language in _LATIN else "en"
    return {"cyrillic": "ru", "arabic": "ar"}.get(script, "")


def _without_apostrophes(word: str, language: str) -> str:
    """A word without what is tied to it by an apostrophe: "anna's" -> anna, "l'eau" -> eau, but "o'brien" -> obrien.

    A contraction that is a stop word as a whole stays whole: "don't" -> dont. Turkish names have all their endings
    behind it: "ankara'dan" -> ankara.
    """
    if "'" not in word:
        return word
    joined = word.replace("'", "")
    if joined in stop_words(language):
        return joined
    first, *others = word.strip("'").split("'")
    if language == "tr":
        return first
    while others and first in _BEFORE:
        first, *others = others
    while others and others[-1] in _BEHIND:
        others.pop()
    return first + "".join(others)
