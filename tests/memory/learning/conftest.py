"""The clock of the worker loop's tests."""

from datetime import datetime

import pytest

from tests.memory.learning.loop_helpers import Clock


@pytest.fixture
def clock(now: datetime) -> Clock:
    return Clock(now)
