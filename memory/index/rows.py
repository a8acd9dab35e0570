"""The SQL of the index. Times cross this line as microseconds since the epoch, vectors as float64 rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import batched
from typing import NamedTuple, TypeAlias

import numpy as np
from django.db import connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.functions import Cast
from pydantic_core import from_json

from memory import ranking
from memory.index.blocks import BLOCK_ROWS
from memory.models import EpisodeSummary, MemoryRevision
from memory.ranking import Ints, Scores

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_IDS_AT_A_TIME = 500  # SQLite takes 999 parameters in its oldest version in use


class Revision(NamedTuple):
    """What `memory_revision` says about episodes."""

    added: int
    changed: int
    replaced: int


_REVISION = "episodes_added, episodes_changed, vectors_replaced"
