"""The table of clients in `docs/clients.md`: what each was seen to do against a real server, as the tests noted it.

`python -m tests.clients.table FOLDER` puts the notes of a folder into the table; a row without any stays as it was.
A further client is one more line in `CLIENTS`, and a test that calls `note` once it has seen a thing work.
"""

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "clients.md"
_TABLE = re.compile(r"^\| client \| tried with .*\n(?:\|.*\n)*", re.MULTILINE)

Column = Literal["plain", "stream", "tools", "images", "memory once", "learned once"]
COLUMNS: Final[tuple[Column, ...]] = get_args(Column)

CHAT_COMPLETIONS: Final = "`/v1/chat/completions`"


@dataclass(frozen=True)
class Client:
    """A row: the client's name as the page has it, the address it asks, and what was never asked of it (a dash)."""

    name: str
    door: str = CHAT_COMPLETIONS
    leaves_out: tuple[Column, ...] = ()


CLIENTS: Final = (
    Client("`openai`"),
    Client("`llm`"),
    Client("LangChain"),
    Client("LlamaIndex"),
    Client("litellm"),
    Client("pydantic-ai"),
    Client("Vercel's AI SDK"),
    Client("Open WebUI", leaves_out=("plain",)),
    Client("Open WebUI, with the filter", door="`/v1/memory/...`", leaves_out=("plain", "tools", "images")),
)


def note(name: str, *columns: Column, version: str) -> None:
    """Note that a client was seen to do these, where `CLIENTS_NOTES` names a folder for it, as `make clients` does."""
    assert name in {client.name for client in CLIENTS}, f"{name} is no row: give it one in tests/clients/table.py"
    if folder := os.environ.get("CLIENTS_NOTES"):
        file = Path(folder) / (re.sub(r"\W+", "-", name).strip("-") + ".json")
        seen = json.loads(file.read_text())["columns"] if file.exists() else []
        file.write_text(json.dumps({"name": name, "version": version, "columns": [*seen, *columns]}))


def rows(page: str) -> dict[str, list[str]]:
    """The table's rows by their client: version, address, and a cell for each column."""
    table = _TABLE.search(page)
    assert table is not None
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table[0].splitlines()]
    return {row[0]: row[1:] for row in cells[2:]}


def with_notes(page: str, notes: Mapping[str, tuple[str, Sequence[str]]]) -> str:
    """The page with a row for each of `CLIENTS`. `notes`: the version and the columns seen, by client."""
    known = rows(page)
    head = ["client", "tried with", "asks", *COLUMNS]
    lines = [head, ["---"] * len(head), *([client.name, *_row(client, known, notes)] for client in CLIENTS)]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return _TABLE.sub(lambda _: table, page)


def _row(client: Client, known: Mapping[str, list[str]], notes: Mapping[str, tuple[str, Sequence[str]]]) -> list[str]:
    if client.name not in notes:
        return known.get(client.name, ["", client.door, *["no"] * len(COLUMNS)])
    version, seen = notes[client.name]
    cells = ["yes" if one in seen else "-" if one in client.leaves_out else "no" for one in COLUMNS]
    return [version, client.door, *cells]


def _notes_in(folder: Path) -> dict[str, tuple[str, Sequence[str]]]:
    found = [json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))]
    return {one["name"]: (one["version"], one["columns"]) for one in found}


if __name__ == "__main__":
    PAGE.write_text(with_notes(PAGE.read_text(encoding="utf-8"), _notes_in(Path(sys.argv[1]))), encoding="utf-8")
