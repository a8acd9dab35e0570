"""A chat client for turns with real transactions."""

import pytest

from memory.models import ApiKey, MemoryRevision
from tests.conftest import ApiClient


@pytest.fixture
def api(transactional_db: None) -> ApiClient:
    MemoryRevision.current()  # the migration's row, which tests with real transactions lose
    return ApiClient(ApiKey.objects.issue("a chat client").secret)
