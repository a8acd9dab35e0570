"""The moment of the tests is the moment of the pages."""

from collections.abc import Iterator
from datetime import datetime

import pytest
import time_machine


@pytest.fixture(autouse=True)
def clock(now: datetime) -> Iterator[None]:
    """Every page is looked at at `now`."""
    with time_machine.travel(now, tick=False):
        yield
