"""What the tests of the API share."""

from collections.abc import Iterator
from datetime import datetime

import pytest
import time_machine


@pytest.fixture
def frozen_clock(now: datetime) -> Iterator[None]:
    """The clock stands at `now`."""
    with time_machine.travel(now, tick=False):
        yield
