"""Answers without a model: facts by hand-written rules, a summary made of quotations, and a fixed chat reply.

Its answers are recognisable: the model id is `offline`, and the chat reply says that no model is connected.
"""

from collections.abc import Sequence

from memory.events import Message
from memory.llm.types import Completion, Request
from memory.text import wording

MODEL = "offline"


class OfflineCompletion:
    """How the provider `offline` completes."""

    def complete(self, request: Request) -> Completion:
        """The rules' answer. Raises `BadAnswer` where a memory task's request holds no conversation document."""
        text = chat_reply(request.messages) if request.task == "chat" else _by_rules(request)
        return Completion(text, MODEL, "offline", "stop", None, None)


def _by_rules(request: Request) -> str:
    # The rules take most of a second to be compiled: no process pays for them that never reads a chat by them.
    from memory.llm.offline import memory_tasks

    read = memory_tasks.facts if request.task == "memory_extract" else memory_tasks.summary
    return read(request.messages)


def chat_reply(messages: Sequence[Message]) -> str:
    """The reply to a chat: no model is connected, how many lines memory added to the prompt, and the cure."""
    count = sum(_memory_lines(message.content) for message in messages if message.role == "system")
    return (
        "No language model is connected (CAESAR_LLM__PROVIDER=offline), so this is a fixed reply. Your message is on "
        f"record, and memory works: the prompt of this turn held {count} remembered line{'' if count == 1 else 's'}. "
        "For real answers set CAESAR_LLM__PROVIDER, its key and CAESAR_LLM__MODEL."
    )


def _memory_lines(content: object) -> int:
    """How many lines memory put into a system prompt."""
    headings = (wording.FACTS_HEADING, wording.EPISODES_HEADING)
    count, in_block = 0, False
    for line in content.split("\n") if isinstance(content, str) else ():
        in_block = line in headings or (in_block and line.startswith("  - "))
        count += in_block and line not in headings
    return count
