"""One installation for each provider, started when the first test asks for it and shared by all of them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.clients.providers import Behind, provider
from tests.clients.upstream import upstream
from tests.servers import running


@pytest.fixture(scope="session")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Behind]]:
    """The installation with this provider behind it. What one test taught it, others find there."""
    started: dict[str, Behind] = {}
    with ExitStack() as stack:

        def get(name: str) -> Behind:
            if name not in started:
                model = stack.enter_context(upstream())
                settings = provider(name, model.url)
                server = stack.enter_context(running(tmp_path_factory.mktemp(name), **settings))
                started[name] = Behind(server, model, name)
            return started[name]

        yield get
