"""A server over HTTP in this process, with any provider behind it: the tests of clients' packages need no more."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from memory.models import SCOPES, ApiKey
from tests.clients.standins.providers import Behind, llm_settings
from tests.clients.standins.upstream import Upstream, upstream


@pytest.fixture(scope="session")
def every_model() -> Iterator[Upstream]:
    """A model server that speaks every provider's shape."""
    with upstream() as running:
        yield running


@pytest.fixture
def behind(every_model: Upstream, live_server: Any, settings: Any) -> Callable[[str], Behind]:
    """The server, by the name of the provider that its chats go to from now on."""
    key = ApiKey.objects.issue("package", scopes=SCOPES).secret
    for seen in (every_model.requests, every_model.headers, every_model.refusals):
        seen.clear()

    def get(name: str) -> Behind:
        settings.CAESAR = settings.CAESAR.model_copy(update={"llm": llm_settings(name, every_model.url)})
        return Behind(str(live_server.url), key, every_model, name)

    return get
