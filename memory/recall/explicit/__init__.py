"""What somebody finds who asks memory a question: facts, conversations, and the words of chats.

It uses the best there is, without the threshold, the gate, the window and the decay of what a turn is given, and it is
no recall: nothing is counted, and a search writes nothing. `searching.py` is the way through, `question.py` reads what
is asked; `facts.py`, `conversations.py`, `summaries.py` and `messages.py` look, `corrections.py` says what was put
right since, `reasons.py` why each was found. `noting.py` writes down that somebody asked.
"""

from memory.recall.explicit.noting import note
from memory.recall.explicit.question import MAX_QUESTION_CHARS, Question, ask
from memory.recall.explicit.results import KINDS, Found, Kind, SearchResults
from memory.recall.explicit.searching import answer, answer_by_kind, search

__all__ = [
    "KINDS",
    "MAX_QUESTION_CHARS",
    "Found",
    "Kind",
    "Question",
    "SearchResults",
    "answer",
    "answer_by_kind",
    "ask",
    "note",
    "search",
]
