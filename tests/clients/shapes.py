"""How clients speak: each shape of an API by its own package, for the tests of every pair of shape and provider."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import anthropic
import openai

from tests.clients.standins.providers import Behind

PICTURE = "iVBORw0KGgoAAAANSUhEUg=="
SCHEMA = {"type": "object", "properties": {"at": {"type": "string"}}}


class Refused(Exception):
    """The server said that it cannot do this, and why."""


class Shape(Protocol):
    """One shape of client API. Every method asks once or more, and raises `Refused` where the server refuses.

    `name` stands in the table of `docs/clients.md`; `pet` is an animal that no other shape's operator has.
    """

    name: str
    pet: str

    def say(self, behind: Behind, text: str, *, stream: bool = False) -> str:
        """What the model answers."""
        ...

    def use_tool(self, behind: Behind, text: str, *, stream: bool) -> list[str]:
        """The names of the tools that the model called. Gives it their results, and waits for its answer."""
        ...

    def show(self, behind: Behind, text: str) -> None:
        """Show the model a picture (`PICTURE`)."""
        ...


class ChatCompletions:
    """OpenAI's chat completions, by OpenAI's package."""

    name = "chat completions"
    pet = "ferret"

    def say(self, behind: Behind, text: str, *, stream: bool = False) -> str:
        with openai_client(behind) as client:
            create: Any = client.chat.completions.create
            asked = [{"role": "user", "content": text}]
            if not stream:
                return str(create(model="caesar", messages=asked).choices[0].message.content)
            chunks = list(create(model="caesar", messages=asked, stream=True))
        return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)

    def use_tool(self, behind: Behind, text: str, *, stream: bool) -> list[str]:
        tools: Any = [{"type": "function", "function": {"name": "look", "parameters": SCHEMA}}]
        asked: list[Any] = [{"role": "user", "content": text}]
        with openai_client(behind) as client:
            create: Any = client.chat.completions.create
            if stream:
                with client.chat.completions.stream(model="caesar", messages=asked, tools=tools) as events:
                    message: Any = events.get_final_completion().choices[0].message
            else:
                message = create(model="caesar", messages=asked, tools=tools).choices[0].message
            calls = message.tool_calls or []
            if calls:
                made = [{"id": one.id, "type": "function", "function": one.function.model_dump()} for one in calls]
                called = {"role": "assistant", "content": None, "tool_calls": made}
                results = [{"role": "tool", "tool_call_id": one.id, "content": "21 degrees"} for one in calls]
                answer = create(model="caesar", messages=[*asked, called, *results], tools=tools)
                assert answer.choices[0].finish_reason == "stop"
        assert all(json.loads(one.function.arguments) == {"at": "the thermostat"} for one in calls)
        return [one.function.name for one in calls]

    def show(self, behind: Behind, text: str) -> None:
        picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}}
        with openai_client(behind) as client:
            create: Any = client.chat.completions.create
            create(model="caesar", messages=[{"role": "user", "content": [{"type": "text", "text": text}, picture]}])


class Responses:
    """OpenAI's responses, by OpenAI's package."""

    name = "responses"
    pet = "hamster"

    def say(self, behind: Behind, text: str, *, stream: bool = False) -> str:
        with openai_client(behind) as client:
            if not stream:
                return client.responses.create(model="caesar", input=text).output_text
            with client.responses.stream(model="caesar", input=text) as events:
                return "".join(event.delta for event in events if event.type == "response.output_text.delta")

    def use_tool(self, behind: Behind, text: str, *, stream: bool) -> list[str]:
        tool = {"type": "function", "name": "look", "parameters": SCHEMA, "strict": False}
        asked: list[Any] = [{"role": "user", "content": text}]
        options: Any = {"model": "caesar", "tools": [tool]}
        with openai_client(behind) as client:
            if stream:
                with client.responses.stream(input=asked, **options) as events:
                    first: Any = events.get_final_response()
            else:
                first = client.responses.create(input=asked, **options)
            calls = [item for item in first.output if item.type == "function_call"]
            if calls:
                results = [
                    {"type": "function_call_output", "call_id": one.call_id, "output": "21 degrees"} for one in calls
                ]
                answer = client.responses.create(input=[*asked, *first.output, *results], **options)
                assert answer.output_text
        assert all(json.loads(one.arguments) == {"at": "the thermostat"} for one in calls)
        return [one.name for one in calls]

    def show(self, behind: Behind, text: str) -> None:
        picture = {"type": "input_image", "image_url": f"data:image/png;base64,{PICTURE}", "detail": "auto"}
        content: Any = [{"type": "input_text", "text": text}, picture]
        with openai_client(behind) as client:
            client.responses.create(model="caesar", input=[{"role": "user", "content": content}])


class Messages:
    """Anthropic's messages, by Anthropic's package."""

    name = "messages"
    pet = "otter"

    def say(self, behind: Behind, text: str, *, stream: bool = False) -> str:
        with anthropic_client(behind) as client:
            asked: Any = {"model": "caesar", "max_tokens": 50, "messages": [{"role": "user", "content": text}]}
            if not stream:
                return "".join(block.text for block in client.messages.create(**asked).content if block.type == "text")
            with client.messages.stream(**asked) as events:
                return "".join(events.text_stream)

    def use_tool(self, behind: Behind, text: str, *, stream: bool) -> list[str]:
        user: list[Any] = [{"role": "user", "content": text}]
        tools = [{"name": "look", "input_schema": SCHEMA}]
        asked: Any = {"model": "caesar", "max_tokens": 50, "tools": tools}
        with anthropic_client(behind) as client:
            if stream:
                with client.messages.stream(**asked, messages=user) as events:
                    message: Any = events.get_final_message()
            else:
                message = client.messages.create(**asked, messages=user)
            uses = [block for block in message.content if block.type == "tool_use"]
            if uses:
                assert message.stop_reason == "tool_use"
                results = [{"type": "tool_result", "tool_use_id": one.id, "content": "21 degrees"} for one in uses]
                said = [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]
                answer = client.messages.create(**asked, messages=[*user, *said])
                assert answer.stop_reason == "end_turn"
        assert all(one.input == {"at": "the thermostat"} for one in uses)
        return [one.name for one in uses]

    def show(self, behind: Behind, text: str) -> None:
        source = {"type": "base64", "media_type": "image/png", "data": PICTURE}
        content: Any = [{"type": "image", "source": source}, {"type": "text", "text": text}]
        with anthropic_client(behind) as client:
            client.messages.create(model="caesar", max_tokens=50, messages=[{"role": "user", "content": content}])


@contextmanager
def openai_client(behind: Behind) -> Iterator[openai.OpenAI]:
    """OpenAI's package with nothing but the address and the key."""
    with openai.OpenAI(base_url=f"{behind.url}/v1", api_key=behind.key, max_retries=0) as client:
        try:
            yield client
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            raise Refused(str(error)) from error


@contextmanager
def anthropic_client(behind: Behind) -> Iterator[anthropic.Anthropic]:
    """Anthropic's package with nothing but the address and the key."""
    with anthropic.Anthropic(base_url=behind.url, api_key=behind.key, max_retries=0) as client:
        try:
            yield client
        except anthropic.BadRequestError as error:
            raise Refused(str(error)) from error


SHAPES: tuple[Shape, ...] = (ChatCompletions(), Responses(), Messages())
"""The rows of the table, by client. Another shape is a class with these methods, and its place here."""
