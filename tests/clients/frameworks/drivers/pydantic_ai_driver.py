"""pydantic-ai: a stream, a tool there and back, a picture. Prints what each answered, as JSON."""

import asyncio
import json
import sys
from base64 import b64decode

from pydantic_ai import Agent, BinaryContent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

url, key, question, errand, picture = sys.argv[1:]
model = OpenAIChatModel("caesar", provider=OpenAIProvider(base_url=url, api_key=key))
agent = Agent(model)
handy = Agent(model)


@handy.tool_plain
def look(at: str) -> str:
    """Look at a thing of the house."""
    return "21 degrees"


async def streamed() -> str:
    async with agent.run_stream(question) as answer:
        return "".join([piece async for piece in answer.stream_text(delta=True)])


async def main() -> None:
    image = BinaryContent(b64decode(picture.partition(",")[2]), media_type="image/png")
    told = {
        "stream": await streamed(),
        "tools": (await handy.run(errand)).output,
        "images": (await agent.run(["And this?", image])).output,
    }
    print(json.dumps(told))


asyncio.run(main())
