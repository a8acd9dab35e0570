"""The registries: what can be chosen in the settings is there, and nothing else."""

from typing import get_args

from caesar.conf import EmbedderProvider, LLMProvider
from memory.llm.embedders import EMBEDDERS
from memory.llm.providers import PROVIDERS


def test_every_provider_of_the_settings_is_registered() -> None:
    assert set(PROVIDERS) == set(get_args(LLMProvider))


def test_every_embedder_of_the_settings_is_registered() -> None:
    assert set(EMBEDDERS) == set(get_args(EmbedderProvider))
