"""A migration that was released is never edited: databases that ran it would not be what the code takes them for."""

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "tests" / "data" / "migrations.sha256"
"""In the format of `sha256sum`. A new migration adds its line: `sha256sum memory/migrations/0*.py`."""


def test_a_committed_migration_is_as_it_was() -> None:
    listed = dict(reversed(line.split(maxsplit=1)) for line in LIST.read_text().splitlines())
    there = {
        str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((ROOT / "memory" / "migrations").glob("[0-9]*.py"))
    }
    assert there == listed, "write a new migration instead of changing one, and add its line to migrations.sha256"
