"""The tool `search_memory`, which a chat client's turn may offer to the model (decision 31).

The model's calls of it are answered here and never reach the client, in three rounds at most; then the tool is
withdrawn, and the model answers with what it has. Where it calls the client's own tools in the same answer, those go on
to the client, without ours. One call of the client's stays one turn, with the tokens of all rounds.

`rounds.py` is the way through, `streams.py` the same chunk by chunk with `round_view.py`; `tool.py` answers, `calls.py`
reads what is called.
"""

from memory.chat.memory_tool.rounds import MAX_ROUNDS, relay
from memory.chat.memory_tool.streams import Upstream, relay_stream
from memory.chat.memory_tool.tool import MemoryTool, tool_for

__all__ = ["MAX_ROUNDS", "MemoryTool", "Upstream", "relay", "relay_stream", "tool_for"]
