"""The table of clients says what tests saw, for all clients that there are, and no more."""

import json
from pathlib import Path

import pytest

from tests.clients import table


def test_it_works() -> None:
    """The page's own table: all clients, in order, each able to do all that was asked of it."""
    rows = table.rows(table.PAGE.read_text(encoding="utf-8"))
    assert list(rows) == [client.name for client in table.CLIENTS]
    for client in table.CLIENTS:
        version, door, *cells = rows[client.name]
        assert version, f"{client.name} was never tried: make clients"
        assert door == client.door
        assert cells == ["-" if column in client.leaves_out else "yes" for column in table.COLUMNS]


PAGE = "before\n\n| client | tried with |\n\nafter\n"


def test_a_row_without_notes_stays_as_it_was() -> None:
    once = table.with_notes(PAGE, {"litellm": ("litellm 1", ["plain", "tools"])})
    twice = table.with_notes(once, {"LangChain": ("langchain-openai 2", ["plain"])})
    assert table.rows(twice)["litellm"] == ["litellm 1", table.CHAT_COMPLETIONS, "yes", "no", "yes", "no", "no", "no"]
    assert table.rows(twice)["LangChain"][:3] == ["langchain-openai 2", table.CHAT_COMPLETIONS, "yes"]
    assert twice.startswith("before\n")
    assert twice.endswith("\nafter\n")


def test_notes_of_several_tests_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLIENTS_NOTES", str(tmp_path))
    table.note("litellm", "plain", version="litellm 1")
    table.note("litellm", "stream", "tools", version="litellm 1")
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text())["columns"] == ["plain", "stream", "tools"]
    with pytest.raises(AssertionError, match="is no row"):
        table.note("nobody", "plain", version="1")
