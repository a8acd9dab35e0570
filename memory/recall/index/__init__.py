"""The exact search over episodes: a float32 matrix in each process, as fresh as the rows (decision 36).

`search.py` reads top to bottom. `snapshots.py` keeps the matrix as fresh as the rows, `blocks.py` is the matrix,
`scan.py` goes through it, `rows.py` holds the SQL.
"""

from memory.recall.index.results import Found, Hit, Miss, Query
from memory.recall.index.search import load, search
from memory.recall.index.snapshots import matrix_bytes

__all__ = ["Found", "Hit", "Miss", "Query", "load", "matrix_bytes", "search"]
