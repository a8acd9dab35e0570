"""The OpenAPI document as a page shows it: calls in their groups, and the shapes of what they take and give."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

Json = Mapping[str, JsonValue]
_JSON = "application/json"
_FIRST_REFUSAL = 400


@dataclass(frozen=True)
class Piece:
    """A piece of text; `is_code`: it stood between backticks. `shape`: the shape it names, "" for none."""

    text: str
    is_code: bool = False
    shape: str = ""


@dataclass(frozen=True)
class Field:
    """A parameter, or a field of a shape. `where`: path, query or header; "" in a shape."""

    name: str
    type: Sequence[Piece]
    is_required: bool
    says: Sequence[Piece]
    where: str = ""


@dataclass(frozen=True)
class Answer:
    """What a call answers where it succeeds: the status and the shape."""

    status: str
    type: Sequence[Piece]


@dataclass(frozen=True)
class Call:
    """One call. `body` is its shape and an example of it, both empty where it takes none."""

    ident: str
    method: str
    path: str
    title: str
    says: Sequence[Piece]
    fields: Sequence[Field]
    body: Sequence[Piece]
    example: str
    answers: Sequence[Answer]
    refusals: Sequence[str]

    @property
    def example_line(self) -> str:
        """The example on one line, for a shell's single quotes."""
        return json.dumps(json.loads(self.example), ensure_ascii=False).replace("'", "'\\''") if self.example else ""


@dataclass(frozen=True)
class Group:
    """The calls on one subject."""

    title: str
    calls: Sequence[Call]


@dataclass(frozen=True)
class Shape:
    """A JSON object that calls take or give."""

    name: str
    says: Sequence[Piece]
    fields: Sequence[Field]


def groups(document: Json) -> list[Group]:
    """Every call, by its tag, in the document's order."""
    found: dict[str, list[Call]] = {}
    for path, operations in _objects(document["paths"]):
        for method, operation in _objects(operations):
            tags = cast("list[str]", operation.get("tags") or ["Other"])
            found.setdefault(tags[0], []).append(_call(document, path, method, operation))
    return [Group(title, calls) for title, calls in found.items()]


def shapes(document: Json) -> list[Shape]:
    """Every shape, by name."""
    named = sorted(_objects(_at(document, "components", "schemas")))
    return [Shape(name, pieces(_text(schema, "description")), _fields(schema)) for name, schema in named]


def pieces(text: str) -> list[Piece]:
    """A text with its `code` apart. A single line break in it is a space."""
    parts = re.sub(r"(?<!\n)\n(?!\n)", " ", text).split("`")
    return [Piece(part, is_code=bool(number % 2)) for number, part in enumerate(parts) if part]


def _call(document: Json, path: str, method: str, operation: Json) -> Call:
    body = _at(operation, "requestBody", "content", _JSON, "schema")
    answers, refusals = [], []
    for status, response in sorted(_objects(operation["responses"])):
        if int(status) < _FIRST_REFUSAL:
            answers.append(Answer(status, _type(_at(response, "content", _JSON, "schema"))))
        else:
            refusals.append(status)
    parameters = cast("list[Json]", operation.get("parameters") or [])
    return Call(
        ident=f"{method}{path}".replace("/", "-").replace("{", "").replace("}", ""),
        method=method.upper(),
        path=path,
        title=_text(operation, "summary"),
        says=pieces(_text(operation, "description")),
        fields=[_parameter(parameter) for parameter in parameters],
        body=_type(body) if body else [],
        example=_example(document, body),
        answers=answers,
        refusals=refusals,
    )


def _parameter(parameter: Json) -> Field:
    schema = _at(parameter, "schema")
    says = _text(parameter, "description") or _text(schema, "description")
    required = bool(parameter.get("required"))
    return Field(_text(parameter, "name"), _type(schema), required, pieces(says), where=_text(parameter, "in"))


def _fields(schema: Json) -> list[Field]:
    required = cast("list[str]", schema.get("required") or [])
    return [
        Field(name, _type(field), name in required, pieces(_text(field, "description")))
        for name, field in _objects(schema.get("properties") or {})
    ]


def _type(schema: Json) -> list[Piece]:
    """What a schema allows, in words; shapes by their names."""
    if "$ref" in schema:
        name = _text(schema, "$ref").rpartition("/")[2]
        return [Piece(name, shape=name)]
    for either in ("anyOf", "oneOf", "allOf"):
        if either in schema:
            return _joined([_type(each) for each in cast("list[Json]", schema[either])], " or ")
    if "enum" in schema:
        return _joined([[Piece(json.dumps(each), is_code=True)] for each in cast("list[JsonValue]", schema["enum"])])
    if "const" in schema:
        return [Piece(json.dumps(schema["const"]), is_code=True)]
    if schema.get("type") == "array":
        return [Piece("list of "), *_type(_at(schema, "items"))]
    return [Piece(_text(schema, "type") or "anything")]


def _joined(parts: Sequence[Sequence[Piece]], between: str = " or ") -> list[Piece]:
    joined: list[Piece] = []
    for number, part in enumerate(parts):
        joined += [*([Piece(between)] if number else []), *part]
    return joined


def _example(document: Json, body: Json) -> str:
    """The first example of a body as indented JSON, "" where there is none."""
    schema = body
    if "$ref" in body:
        schema = _at(document, "components", "schemas", _text(body, "$ref").rpartition("/")[2])
    examples = cast("list[JsonValue]", schema.get("examples") or [])
    return json.dumps(examples[0], indent=2, ensure_ascii=False) if examples else ""


def _at(document: Json, *names: str) -> Json:
    """The object under these names, empty where there is none."""
    for name in names:
        document = cast("Json", document.get(name) or {})
    return document


def _objects(found: JsonValue | Json) -> Iterator[tuple[str, Json]]:
    yield from cast("Mapping[str, Json]", found).items()


def _text(document: Json, name: str) -> str:
    found = document.get(name)
    return found if isinstance(found, str) else ""
