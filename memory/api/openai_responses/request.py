"""What `POST /v1/responses` takes. What needs something kept on the server, or run there, is refused with the cure."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, JsonValue, Tag, WithJsonSchema

from memory.api.errors import UNION_TAG_PREFIX
from memory.api.openai_responses.items import Item
from memory.api.requests import Body, Bounded, JsonObject, Whole, example, invalid_value

_STATELESS = "cannot be followed: no answer is kept here. Send the earlier items in input"
_NO_TEMPLATES = "cannot be looked up: prompts are not kept here. Send its text in instructions or input"
_NO_BACKGROUND = "cannot be true: answers come while the call is open. Leave it out, and ask for a stream"
_ONLY_FUNCTIONS = "only functions can be offered, which your client runs; use type function"


def _refusing(predicate: str) -> BeforeValidator:
    """Refuses every value but null and "", with these words."""

    def check(value: object) -> None:
        if value not in (None, ""):
            raise invalid_value(predicate)

    return BeforeValidator(check)


def _no_background(value: object) -> object:
    if value is True:
        raise invalid_value(_NO_BACKGROUND)
    return value


def _only_functions(tool: object) -> object:
    """The tool; a refusal that names it where OpenAI's servers would have to run it."""
    kind = tool.get("type") if isinstance(tool, dict) else None
    if isinstance(kind, str) and kind != "function":
        raise invalid_value(f"is the built-in tool {kind[:60]}, which does not exist here: {_ONLY_FUNCTIONS}")
    return tool


_NULL: JsonObject = {"type": "null"}


class FunctionTool(Body):
    """A function that the model may call, and the client runs."""

    type: Literal["function"]
    name: Annotated[str, Field(min_length=1, max_length=256)]
    description: str | None = None
    parameters: dict[str, JsonValue] | None = None
    """The JSON schema of its arguments."""
    strict: bool | None = None


class PlainFormat(Body):
    """Text, or JSON of any shape."""

    type: Literal["text", "json_object"]


class SchemaFormat(Body):
    """JSON of one shape."""

    type: Literal["json_schema"]
    name: Annotated[str, Field(min_length=1)]
    json_schema: Annotated[dict[str, JsonValue], Field(alias="schema")]
    description: str | None = None
    strict: bool | None = None


def _format_kind(given: object) -> str | None:
    kind = given.get("type") if isinstance(given, dict) else getattr(given, "type", None)
    if kind in ("text", "json_object"):
        return UNION_TAG_PREFIX + "plain"
    return UNION_TAG_PREFIX + "schema" if kind == "json_schema" else None


Format = Annotated[
    Annotated[PlainFormat, Tag(UNION_TAG_PREFIX + "plain")] | Annotated[SchemaFormat, Tag(UNION_TAG_PREFIX + "schema")],
    Discriminator(
        _format_kind, custom_error_type="format", custom_error_message="must be text, json_object or json_schema"
    ),
]


class TextOptions(Body):
    """How the answer is written."""

    format: Format | None = None
    verbosity: str | None = None


class ReasoningOptions(Body):
    """How much the model thinks. `summary` is taken and ignored: what a provider tells of its reasoning is told."""

    effort: str | None = None
    summary: str | None = None


def _tool_choice(value: object) -> object:
    """The choice; a refusal of one that is not among functions."""
    if value is None or value in ("auto", "none", "required") or (isinstance(value, dict) and _is_choice(value)):
        return value
    raise invalid_value("must be auto, none, required, a function by its name, or allowed_tools of functions")


def _is_choice(value: JsonObject) -> bool:
    if value.get("type") == "function":
        return _is_named(value)
    tools = value.get("tools")
    is_list = isinstance(tools, list) and bool(tools) and all(map(_is_named, tools))
    return is_list and value.get("type") == "allowed_tools" and value.get("mode") in ("auto", "required")


def _is_named(value: JsonValue) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str) and bool(value["name"])


_NAMED: JsonObject = {"type": "string", "minLength": 1}
_CHOICES: JsonObject = {
    "anyOf": [
        {"enum": ["auto", "none", "required", None]},
        {
            "type": "object",
            "properties": {"type": {"const": "function"}, "name": _NAMED},
            "required": ["type", "name"],
        },
        {
            "type": "object",
            "properties": {
                "type": {"const": "allowed_tools"},
                "mode": {"enum": ["auto", "required"]},
                "tools": {
                    "type": "array",
                    "minItems": 1,
                    "items": {"type": "object", "properties": {"name": _NAMED}, "required": ["name"]},
                },
            },
            "required": ["type", "mode", "tools"],
        },
    ]
}
ToolChoice = Annotated[JsonValue, BeforeValidator(_tool_choice), WithJsonSchema(_CHOICES)]


def _input_kind(given: object) -> str | None:
    if isinstance(given, str):
        return UNION_TAG_PREFIX + "text"
    return UNION_TAG_PREFIX + "items" if isinstance(given, list) else None


Input = Annotated[
    Annotated[str, Tag(UNION_TAG_PREFIX + "text")]
    | Annotated[list[Item], Field(min_length=1), Tag(UNION_TAG_PREFIX + "items")],
    Discriminator(_input_kind, custom_error_type="input", custom_error_message="must be text or a list of items"),
    Bounded,
]


class ResponsesRequest(Body):
    """A turn in the shape of OpenAI's Responses.

    Taken and ignored: `store` (nothing is kept for a later call), `truncation`, `include`, `top_logprobs`,
    `max_tool_calls`, `prompt_cache_key`.
    """

    model_config = ConfigDict(json_schema_extra=example({"model": "caesar", "input": "My dog's name is Beans."}))

    input: Input
    """What is said: a text, or the items of the conversation."""
    model: Annotated[str, Field(max_length=256)] | None = None
    """Model to ask; `caesar`, or none, for the configured one."""
    instructions: str | None = None
    """The client's system prompt. Memory stands beside it."""
    stream: bool | None = None
    """Give the answer event by event, as server-sent events."""
    tools: list[Annotated[FunctionTool, BeforeValidator(_only_functions)]] | None = None
    tool_choice: ToolChoice = None
    parallel_tool_calls: bool | None = None
    text: TextOptions | None = None
    reasoning: ReasoningOptions | None = None
    max_output_tokens: Annotated[int, Field(ge=1, le=1_000_000), Whole] | None = None
    temperature: float | None = None
    top_p: float | None = None
    user: str | None = None
    safety_identifier: str | None = None
    service_tier: str | None = None
    metadata: JsonValue = None
    """Among its fields the client's name for the conversation: `conversation_id`, `chat_id`, ..."""
    truncation: str | None = None
    prompt_cache_key: str | None = None
    previous_response_id: Annotated[None, _refusing(_STATELESS), WithJsonSchema(_NULL)] = None
    conversation: Annotated[None, _refusing(_STATELESS), WithJsonSchema(_NULL)] = None
    prompt: Annotated[None, _refusing(_NO_TEMPLATES), WithJsonSchema(_NULL)] = None
    background: Annotated[bool | None, BeforeValidator(_no_background), WithJsonSchema({"enum": [False, None]})] = None

    @property
    def effort(self) -> str | None:
        """How much the model is to think."""
        return self.reasoning.effort if self.reasoning else None

    @property
    def form(self) -> PlainFormat | SchemaFormat:
        """The form of the answer."""
        return (self.text.format if self.text else None) or PlainFormat(type="text")

    @property
    def verbosity(self) -> str | None:
        """How much the model is to say."""
        return self.text.verbosity if self.text else None
