"""LangChain: a stream, a tool there and back, a picture. Prints what each answered, as JSON."""

import json
import sys

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

url, key, question, errand, picture = sys.argv[1:]


@tool
def look(at: str) -> str:
    """Look at a thing of the house."""
    return "21 degrees"


model = ChatOpenAI(model="caesar", base_url=url, api_key=key)
streamed = "".join(str(chunk.content) for chunk in model.stream(question))
with_tools = model.bind_tools([look])
said: list[AnyMessage] = [HumanMessage(errand)]
said.append(with_tools.invoke(said))
for call in said[-1].tool_calls:
    said.append(ToolMessage(look.invoke(call["args"]), tool_call_id=call["id"]))
told = with_tools.invoke(said).content
seen = model.invoke(
    [HumanMessage([{"type": "text", "text": "And this?"}, {"type": "image_url", "image_url": {"url": picture}}])]
)
print(json.dumps({"stream": streamed, "tools": told, "images": seen.content}))
