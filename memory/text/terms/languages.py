"""In which of the embedder's languages a text is, by its script, its stop words and its letters."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from memory.text.lines import one_line
from memory.text.terms.folding import small
from memory.text.terms.runs import Script, runs, script_of
from memory.text.terms.stop_words import stop_words

_LOOKED_AT = 4_000  # characters
_DEFAULT = "en"
_LATIN = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr")
_BY_SCRIPT: dict[Script, str] = {"cyrillic": "ru", "arabic": "ar", "hangul": "ko", "thai": "th"}
_LETTERS_A_CHARACTER: dict[Script, int] = {"cjk": 3, "hangul": 2}
_LEAST_KANA = 0.1  # of the characters of a Japanese text
_LETTERS = {
    "de": "äöüß",
    "fr": "àâçèéêëîïôùûœ",
    "es": "áéíñóú¿¡",
    "it": "àèéìòù",
    "pt": "àáâãçéêíóôõú",
    "nl": "éëï",
    "pl": "ąćęłńóśźż",
    "tr": "çğışöü",
}
_ENGLISH_ENDINGS = frozenset(("s", "t", "re", "ve", "ll", "d", "m"))


def language_of(text: str) -> str:
    """The ISO code of a text's language: ar, de, en, es, fr, it, ja, ko, nl, pl, pt, ru, th, tr or zh.

    The script with most letters decides; between languages in Latin script the stop words and letters, each counting
    less the more languages have it. "en" where nothing tells. Looks at the first 4,000 characters.
    """
    beginning = text[:_LOOKED_AT]
    found = runs(small(beginning, language=""))
    letters: Counter[Script] = Counter()
    for run in found:
        if not run[0].isdigit():
            letters[script_of(run)] += len(run) * _LETTERS_A_CHARACTER.get(script_of(run), 1)
    script: Script = max(letters, key=letters.__getitem__, default="latin")
    if script == "cjk":
        return _chinese_or_japanese(found)
    if script == "latin":
        return _latin_language(beginning, found)
    return _BY_SCRIPT.get(script, _DEFAULT)


def _chinese_or_japanese(found: Sequence[str]) -> str:
    characters = "".join(run for run in found if script_of(run) == "cjk")
    kana = sum("\u3041" <= character <= "\u30ff" for character in characters)
    return "ja" if kana >= _LEAST_KANA * len(characters) else "zh"


def _latin_language(text: str, found: Sequence[str]) -> str:
    scores = dict.fromkeys(_LATIN, 0.0)
    for run in found:
        _add(scores, _hints_of_words(), _parts(run))
        if "'" in run and run.rpartition("'")[2] in _ENGLISH_ENDINGS:
            scores["en"] += 1
    if not text.isascii():
        _add(scores, _hints_of_letters(), one_line(text).lower())
    return max(scores, key=scores.__getitem__)  # the first of equals


def _parts(run: str) -> Sequence[str]:
    """A word, or what stands before and behind its apostrophe; single letters behind it are in many languages."""
    if "'" not in run:
        return (run,)
    *before, last = run.split("'")
    return before if last in _ENGLISH_ENDINGS else (*before, last)


def _add(scores: dict[str, float], hints: Mapping[str, Sequence[str]], seen: Sequence[str]) -> None:
    for sign in seen:
        languages = hints.get(sign, ())
        for language in languages:
            scores[language] += 1 / len(languages)


@cache
def _hints_of_words() -> dict[str, tuple[str, ...]]:
    """Stop word -> the languages that have it."""
    return _turned({language: stop_words(language) for language in _LATIN})


@cache
def _hints_of_letters() -> dict[str, tuple[str, ...]]:
    return _turned({language: frozenset(letters) for language, letters in _LETTERS.items()})


def _turned(signs: Mapping[str, frozenset[str]]) -> dict[str, tuple[str, ...]]:
    every = frozenset().union(*signs.values())
    return {sign: tuple(language for language in signs if sign in signs[language]) for sign in every}
