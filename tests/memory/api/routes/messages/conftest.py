"""What the tests of the Messages API share: one known fact, and a server of Anthropic's behind it."""

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from caesar.conf import AnthropicSettings
from tests.memory.api.routes.completions.conftest import beans
from tests.memory.llm.scripted import ScriptedLLM, scripted_llm

__all__ = ["beans"]


@pytest.fixture
def claude() -> Iterator[ScriptedLLM]:
    """Anthropic's server, which answers what a test gives it."""
    with scripted_llm(
        provider="anthropic", model="claude-x", anthropic=AnthropicSettings(api_key=SecretStr("k"))
    ) as llm:
        yield llm
