"""Terms of scripts in which words are not to be told apart, or end in particles: pieces of a few characters.

Chinese and Japanese: pairs of neighbours, and each ideograph alone, since many are words ("狗", dog); hiragana,
katakana and ideographs apart, which leaves most Japanese particles behind. Korean: pairs of a word without its
particle. Thai: three in a row, as most of its words have three characters or more and two are in every sentence; words
such as "what" and "is" are cut out before. The lists for Chinese and Japanese are one: a short message does not say
which of them it is.
"""

import re
from functools import cache

from memory.text import cjk
from memory.text.terms.folding import compatible
from memory.text.terms.stop_words import stop_words

_JAPANESE_RUN = re.compile(
    r"(?P<hiragana>[\u3041-\u309f][\u3041-\u309f\u30fc]*)|(?P<katakana>[\u30a1-\u30ff\u31f0-\u31ff]+)|.[^\u3041-\u30ff]*"
)
_PARTICLES = tuple(
    "에서는 에서도 에서 에게 한테 으로 까지 부터 보다 처럼 하고 이랑 라고"  # noqa: SIM905
    " 은 는 이 가 을 를 에 의 도 만 와 과 로 랑 야".split()
)
_SURE_PARTICLES = ("은", "는", "를", "에")  # hardly a noun of two syllables ends in these
_THAI_CHARACTERS = 3
_TWO_SPELLINGS = ("\u0e4d\u0e32", "\u0e33")  # sara am as two characters and as one


def cjk_terms(run: str) -> list[str]:
    """Pairs of a run of Chinese or Japanese characters, and its ideographs."""
    return [term for part in _JAPANESE_RUN.finditer(compatible(run)) for term in _script_terms(part)]


def _script_terms(part: re.Match[str]) -> list[str]:
    run, stops = part[0], _cjk_stop_words()
    pairs = [pair for pair in cjk.pairs(run) if pair not in stops]
    if part.lastgroup == "hiragana":
        return [pair for pair in pairs if len(pair) > 1]
    if part.lastgroup == "katakana" or len(run) == 1:
        return pairs
    return pairs + [character for character in run if character not in stops]


@cache
def _cjk_stop_words() -> frozenset[str]:
    """The stop words of both languages, and all pairs of those that are one character."""
    words = stop_words("zh") | stop_words("ja")
    characters = [word for word in words if len(word) == 1]
    return words | {first + second for first in characters for second in characters}


def korean_terms(run: str) -> list[str]:
    """Pairs of syllables of a Korean word, its particle left out."""
    stops = stop_words("ko")
    if run in stops:
        return []
    return [pair for pair in cjk.pairs(_without_particle(run)) if pair not in stops]


def _without_particle(run: str) -> str:
    if len(run) == 2:
        return run[0] if run.endswith(_SURE_PARTICLES) else run
    particle = next((end for end in _PARTICLES if run.endswith(end) and len(run) >= len(end) + 2), "")
    return run.removesuffix(particle)


def thai_terms(run: str) -> list[str]:
    """Threes of characters between the stop words of a Thai run; what is shorter as it is."""
    stops = stop_words("th")
    pieces = _thai_stop_words().split(run.replace(*_TWO_SPELLINGS))
    return [three for piece in pieces if piece and piece not in stops for three in _threes(piece)]


def _threes(piece: str) -> list[str]:
    return [piece[start : start + _THAI_CHARACTERS] for start in range(max(len(piece) - _THAI_CHARACTERS + 1, 1))]


@cache
def _thai_stop_words() -> re.Pattern[str]:
    """Stop words that are long enough not to stand inside every other word, the longest first."""
    words = sorted((word for word in stop_words("th") if len(word) >= _THAI_CHARACTERS), key=len, reverse=True)
    return re.compile("|".join(words))
