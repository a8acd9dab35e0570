"""OpenAI's own package: a stream, a tool there and back, a picture. Prints what each answered, as JSON."""

import json
import sys
from functools import partial

from openai import OpenAI

url, key, question, errand, picture = sys.argv[1:]
ask = partial(OpenAI(base_url=url, api_key=key).chat.completions.create, model="caesar")
schema = {"type": "object", "properties": {"at": {"type": "string"}}}
tools = [{"type": "function", "function": {"name": "look", "parameters": schema}}]

chunks = ask(messages=[{"role": "user", "content": question}], stream=True)
streamed = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
said = [{"role": "user", "content": errand}]
message = ask(messages=said, tools=tools).choices[0].message
said.append(message.model_dump(exclude_none=True))
for call in message.tool_calls:
    said.append({"role": "tool", "tool_call_id": call.id, "content": "21 degrees"})
told = ask(messages=said, tools=tools).choices[0].message.content
parts = [{"type": "text", "text": "And this?"}, {"type": "image_url", "image_url": {"url": picture}}]
seen = ask(messages=[{"role": "user", "content": parts}]).choices[0].message.content
print(json.dumps({"stream": streamed, "tools": told, "images": seen}))
