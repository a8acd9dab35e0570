"""A client of every version."""

import pytest

from tests.conftest import ApiClient
from tests.memory.mcp.speaking import VERSIONS, Speaker


@pytest.fixture(params=VERSIONS)
def speaker(api: ApiClient, request: pytest.FixtureRequest) -> Speaker:
    """A client of one version; each test that asks for it runs with all."""
    return Speaker(api, request.param)


@pytest.fixture
def client(api: ApiClient) -> Speaker:
    """A client of the newest version."""
    return Speaker(api)
