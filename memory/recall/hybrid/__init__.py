"""Recall by content: what was said, found by meaning, words and dates (decision 31).

`search.py` is the way through, top to bottom. `snapshots.py` keeps what is searched fresh, `segments.py` is its form,
`words.py` and `meaning.py` compare a message with it, `scoring.py` weighs what they find, `quotation.py` puts it into
words.
"""
