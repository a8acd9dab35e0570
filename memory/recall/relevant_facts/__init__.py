"""Which facts a message asks for: the selection `mixed` of facts for a prompt.

`selection.py` is the way through, `candidates.py` holds the facts to choose from, `words.py` finds a message's words in
them, `vectors.py` keeps the vectors of their sentences in this process: never in the database, nor in the index of
episodes (ADR-0033 §6).
"""

from memory.models import BY_IMPORTANCE, BY_MESSAGE, most_facts
from memory.recall.relevant_facts.candidates import Candidates, candidates_at, words_of_facts
from memory.recall.relevant_facts.question import Question, ask
from memory.recall.relevant_facts.selection import (
    SelectedFact,
    Selection,
    by_rank,
    cosines_of,
    important_places,
    kept_at_head,
    preload,
    select,
)

__all__ = [
    "BY_IMPORTANCE",
    "BY_MESSAGE",
    "Candidates",
    "Question",
    "SelectedFact",
    "Selection",
    "ask",
    "by_rank",
    "candidates_at",
    "cosines_of",
    "important_places",
    "kept_at_head",
    "most_facts",
    "preload",
    "select",
    "words_of_facts",
]
