"""What the tests of the settings share."""

import os

import pytest

from tests.caesar.load_helpers import FOREIGN


@pytest.fixture
def empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No `CAESAR_*` variable is set, nor one that serves as a setting of ours."""
    for name in list(os.environ):
        if name.upper().startswith("CAESAR_") or name in FOREIGN:
            monkeypatch.delenv(name)
