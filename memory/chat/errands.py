"""Which calls are errands of a chat client's own, by what they ask for. Pure."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from memory import transcript
from memory.conversation import Conversation
from memory.text.messages import pasted, task_prompts

_FEW_WORDS = 2


def is_errand(conversation: Conversation, *, beginnings: Sequence[str]) -> bool:
    """Whether a client asks for something of its own: by its newest message, or by its system message at the start.

    `beginnings`: how further errands begin. A question with documents or search results around it is none, though the
    client's heading above it begins like one.
    """
    prompt = task_prompt(conversation)
    if task_prompts.is_task_prompt(prompt) or (prompt.startswith(tuple(beginnings)) and not _has_question(prompt)):
        return True
    is_answered = any(map(transcript.is_assistant, conversation.messages))
    return not is_answered and task_prompts.is_task_role(conversation.system_prompt or "")


def is_probe(body: Mapping[str, JsonValue]) -> bool:
    """Whether a client only tries whether there is a model, and what is left of a quota: one token is no answer."""
    return any(body.get(name) in (0, 1) for name in ("max_tokens", "max_completion_tokens"))


def task_prompt(conversation: Conversation) -> str:
    """The newest message of the operator's role, which the beginning of an answer or a system message may follow."""
    said = (transcript.plain_text(one) for one in reversed(conversation.messages) if transcript.is_operator(one))
    return next(said, "").lstrip()


def _has_question(prompt: str) -> bool:
    """Whether the operator's words stand below a client's template with documents."""
    return pasted.is_filled_template(prompt) and len(pasted.own_words(prompt).split()) > _FEW_WORDS
