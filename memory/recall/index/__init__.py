"""The exact search over episodes: a float32 matrix in each process, as fresh as the rows (decision 36).

`search.py` is the way through, top to bottom. `snapshots.py` keeps the matrix fresh, `blocks.py` is the matrix,
`scan.py` compares a message with it, `rescoring.py` scores the finalists exactly, `rows.py` holds the SQL.
"""

from memory.recall.index.results import ROUNDING_TOLERANCE, Hit, NearMiss, Query, SearchResult
from memory.recall.index.search import count, preload, search
from memory.recall.index.snapshots import forget, matrix_bytes

__all__ = [
    "ROUNDING_TOLERANCE",
    "Hit",
    "NearMiss",
    "Query",
    "SearchResult",
    "count",
    "forget",
    "matrix_bytes",
    "preload",
    "search",
]
