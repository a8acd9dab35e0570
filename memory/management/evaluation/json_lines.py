"""Files of one JSON object a line, read strictly: the first bad line is named, with its field and the cure."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import ValidationError

from memory.management.evaluation.chats import Named

Line = TypeVar("Line", bound=Named)


class BadFile(Exception):
    """The file cannot be used. The message names the line and the cure."""


@dataclass(frozen=True)
class Shape(Generic[Line]):
    """What a line is. `thing`: what it is called ("case"); `needs`: what each has; `docs`: the page that shows some."""

    model: type[Line]
    thing: str
    needs: str
    docs: str

    def read(self, path: Path, *, limit: int | None = None) -> list[Line]:
        """The lines of a file, at most `limit` of them. Blank ones are left out. Raises `BadFile`."""
        found: list[Line] = []
        lines_by_id: dict[str, int] = {}
        for number, text in _lines(path):
            if len(found) == limit:
                break
            line = self._parsed(text, where=f"{path}, line {number}")
            if line.id in lines_by_id:
                earlier = lines_by_id[line.id]
                raise BadFile(
                    f"{path}, line {number}: the id {line.id!r} is that of line {earlier}. Give each line its own."
                )
            lines_by_id[line.id] = number
            found.append(line)
        if not found:
            raise BadFile(f"{path} holds no {self.thing}. Write one JSON object a line; {self.docs} shows the shape.")
        return found

    def _parsed(self, text: str, *, where: str) -> Line:
        try:
            return self.model.model_validate_json(text)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
        if first["type"] == "json_invalid":
            raise BadFile(f"{where}: no JSON ({first['ctx']['error']}). Write the whole object on one line.")
        place = ".".join(str(part) for part in first["loc"])
        if first["type"] == "missing":
            raise BadFile(f"{where}: {place} is missing. {self.needs}")
        problem = first["msg"].removeprefix("Value error, ").replace("Input should", "must", 1)
        raise BadFile(f"{where}: {place or 'the line'}: {problem}. Correct that line.")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror}. Name a file of JSON lines.") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadFile(f"{path}, line {line}: not UTF-8 text. Save the file as UTF-8.") from None
    yield from ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
