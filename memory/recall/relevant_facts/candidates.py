"""The facts that a prompt may have, with their words at hand: made once per change of memory, and kept."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from memory.models import PersonalFact, RankedFact
from memory.recall.relevant_facts.vectors import MAX_KEPT
from memory.recall.relevant_facts.words import WordIndex, WordMatch
from memory.text.terms import language_of, terms


class Candidates:
    """Facts by importance, the `MAX_KEPT` most important of them, and the texts they are found by.

    A text is the fact's key in plain words, and the sentence as the prompt has it: "address city: You live in Ghent."
    """

    def __init__(self, ranked: Sequence[RankedFact]) -> None:
        self.source = ranked
        self.ranked = ranked[:MAX_KEPT]
        self.texts = words_of_facts(item.fact for item in self.ranked)
        self._words_by_language: dict[str, WordIndex] = {}

    def match(self, message: str) -> WordMatch:
        """The message's words in these facts, both by the rules of the message's language."""
        language = language_of(message)
        index = self._words_by_language.get(language)
        if index is None:
            index = WordIndex([terms(text, language=language) for text in self.texts])
            self._words_by_language[language] = index
        return index.match(terms(message, language=language))


def candidates_at(now: datetime) -> Candidates:
    """The facts that a prompt may have now. One query; three after a change of memory."""
    global _latest
    ranked = PersonalFact.objects.prompt_candidates(now)
    known = _latest
    if known is None or known.source is not ranked:
        _latest = known = Candidates(ranked)
    return known


_latest: Candidates | None = None


def words_of_facts(facts: Iterable[PersonalFact]) -> list[str]:
    """The texts that facts are found by."""
    return [f"{fact.key.replace('.', ' ').replace('_', ' ')}: {fact.sentence}" for fact in facts]
