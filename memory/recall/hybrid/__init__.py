"""Recall by content: what was said, found by meaning, words and dates (decision 31).

`search.py` is the way through, top to bottom. `snapshots.py` keeps what is searched fresh, `rows.py` reads it,
`segments.py` is its form; `words.py`, `meaning.py` and `dates/` compare a message with it, `scoring.py` weighs what
they find. `recalling.py` makes a turn's episodes of it, in the words of `quotation.py`, `weighing.py` a preview's.
"""
