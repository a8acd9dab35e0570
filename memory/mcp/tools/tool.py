"""What a tool is: its words for a model, the shapes of what it takes and gives, its hints, and what it does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

from memory.mcp.calls import Call
from memory.mcp.jsonrpc import JsonObject
from memory.models import Scope

Taken = TypeVar("Taken", bound=BaseModel)


class ToolRefused(Exception):
    """What was asked cannot be done. The message tells the model what to do about it.

    `noted`: what the row says instead, where the message holds what a fact says: the row would outlive the fact.
    """

    def __init__(self, message: str, *, noted: str = "") -> None:
        super().__init__(message)
        self.noted = noted or message


class Arguments(BaseModel):
    """What a tool takes. An argument that it does not know is refused: the model meant something by it."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class _PlainSchema(GenerateJsonSchema):
    """Without the titles that repeat each field's name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema_of(shape: type[BaseModel], mode: JsonSchemaMode) -> JsonObject:
    """A shape as JSON Schema. `mode`: whether it is read or written."""
    schema: JsonObject = shape.model_json_schema(mode=mode, schema_generator=_PlainSchema)
    schema.pop("title", None)
    return schema


@dataclass(frozen=True)
class Hints:
    """What a client may go by before it lets a model call the tool: what it does to memory. The defaults: it reads."""

    reads_only: bool = True
    destroys: bool = False
    may_repeat: bool = True

    def as_json(self, title: str) -> JsonObject:
        """As `annotations` of a tool."""
        return {
            "title": title,
            "readOnlyHint": self.reads_only,
            "destructiveHint": self.destroys,
            "idempotentHint": self.may_repeat,
            "openWorldHint": False,
        }


@dataclass(frozen=True)
class Tool(Generic[Taken]):
    """One tool. A key needs one of its `scopes` to see and call it.

    `run` raises `ToolRefused`. `leaves_own_row`: the row of what it does says who asked what, so there is no other.
    """

    name: str
    title: str
    description: str
    scopes: tuple[Scope, ...]
    takes: type[Taken]
    gives: type[BaseModel]
    run: Callable[[Call, Taken], BaseModel]
    hints: Hints = Hints()
    leaves_own_row: bool = False

    def as_json(self) -> JsonObject:
        """As `tools/list` has it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema_of(self.takes, "validation"),
            "outputSchema": schema_of(self.gives, "serialization"),
            "annotations": self.hints.as_json(self.title),
        }

    def call(self, call: Call, arguments: JsonObject) -> BaseModel:
        """Do it. Raises `ToolRefused` with what is wrong with the arguments, or with what they ask for."""
        try:
            taken = self.takes.model_validate(arguments)
        except ValidationError as error:
            raise ToolRefused(self._what_is_wrong(error)) from None
        return self.run(call, taken)

    def _what_is_wrong(self, error: ValidationError) -> str:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(step)[:50] for step in first["loc"]) or "The arguments"
        known = ", ".join(self.takes.model_fields)
        return f"{place}: {first['msg']}. {self.name} takes {known}."
