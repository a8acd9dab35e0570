"""LlamaIndex: a stream, a tool there and back, a picture. Prints what each answered, as JSON."""

import json
import sys

from llama_index.core.llms import ChatMessage, ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike

url, key, question, errand, picture = sys.argv[1:]


def look(at: str) -> str:
    """Look at a thing of the house."""
    return "21 degrees"


model = OpenAILike(model="caesar", api_base=url, api_key=key, is_chat_model=True, is_function_calling_model=True)
streamed = "".join(part.delta or "" for part in model.stream_chat([ChatMessage(role="user", content=question)]))
tool = FunctionTool.from_defaults(look)
said = [ChatMessage(role="user", content=errand)]
asked = model.chat_with_tools([tool], chat_history=said)
said.append(asked.message)
for call in model.get_tool_calls_from_response(asked):
    told = str(tool(**call.tool_kwargs))
    said.append(ChatMessage(role="tool", content=told, additional_kwargs={"tool_call_id": call.tool_id}))
told = model.chat_with_tools([tool], chat_history=said).message.content
seen = model.chat([ChatMessage(role="user", blocks=[TextBlock(text="And this?"), ImageBlock(url=picture)])])
print(json.dumps({"stream": streamed, "tools": told, "images": seen.message.content}))
