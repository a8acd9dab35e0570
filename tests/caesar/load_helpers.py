"""Loading the settings under given variables, or the text of their refusal."""

import pytest

from caesar.conf import ConfigurationError, Settings, load_settings

SECRET = "sk-very-secret-0123456789"
FOREIGN = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OLLAMA_HOST")


def loaded(monkeypatch: pytest.MonkeyPatch, **environ: str) -> Settings:
    """The settings under these variables, CAESAR_ left out of their names unless they are another program's."""
    for name, value in environ.items():
        monkeypatch.setenv(name if name in FOREIGN else f"CAESAR_{name}", value)
    return load_settings()


def refusal(monkeypatch: pytest.MonkeyPatch, **environ: str) -> str:
    """The text an operator reads when these variables cannot be used."""
    with pytest.raises(ConfigurationError) as caught:
        loaded(monkeypatch, **environ)
    return str(caught.value)
