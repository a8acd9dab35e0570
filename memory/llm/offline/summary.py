"""The summary of a chat without a model: the most telling sentence of each side, quoted. Pure."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from memory.llm.offline import rules
from memory.llm.offline.rules import Turn
from memory.llm.offline.small_talk import is_trivial
from memory.llm.offline.telling import Rarity
from memory.text.lines import one_line, shorten
from memory.text.normalising import is_secret

MAX_QUOTED_CHARS = 160
_MAX_READ_CHARS = 20_000
_MAX_SENTENCES = 1_000

_SENTENCE_END = re.compile(r"(?<=[.!?\N{HORIZONTAL ELLIPSIS}])\s+|(?<=[。！？])|[\r\n]+")


def summary_of(turns: Sequence[Turn]) -> str:
    """One sentence about what is new in a chat, in quotations; "" where the chat is trivial.

    It quotes the most telling of the operator's new sentences, and the most telling of the assistant's after the
    operator's first new turn. Small talk, a question for the time or a sum is never quoted. Nor is a plain fact: the
    operator may correct it as a fact, and an old version would live on in the summary.
    """
    rarity = Rarity(chain.from_iterable(_sentences(turn.text) for turn in turns))
    new = [place for place, turn in enumerate(turns) if turn.is_new and turn.speaker == "operator"]
    said = _most_telling([turns[place] for place in new], rarity, leave_out=_states_a_fact)
    if not said:
        return ""
    answers = [turn for turn in turns[new[0] + 1 :] if turn.speaker == "assistant"]
    answer = _most_telling(answers, rarity)
    verb = "asked" if said.endswith(("?", "？")) else "wrote"
    return f'The operator {verb}: "{said}"' + (f'; the assistant answered: "{answer}"' if answer else "")


def _states_a_fact(sentence: str) -> bool:
    return bool(rules.facts_in([Turn("operator", sentence, True)], []))


def _most_telling(turns: Sequence[Turn], rarity: Rarity, *, leave_out: Callable[[str], bool] = is_secret) -> str:
    """The most telling sentence of these turns, on one line and without double quotes; of equal ones the first.

    "" where all are trivial or secret.
    """
    sentences = list(chain.from_iterable(_sentences(turn.text) for turn in turns))
    quotable = ((rarity.telling(_quoted(one)), one) for one in sentences[:_MAX_SENTENCES] if not is_trivial(one))
    best_first = sorted(quotable, key=lambda scored: -scored[0])
    allowed = (one for _, one in best_first if not (is_secret(one) or leave_out(one)))
    return _quoted(next(allowed, ""))


def _quoted(sentence: str) -> str:
    return shorten(sentence.replace('"', "'"), MAX_QUOTED_CHARS)


def _sentences(text: str) -> Iterator[str]:
    return map(one_line, _SENTENCE_END.split(text[:_MAX_READ_CHARS]))
