"""Answers without a model: facts by hand-written rules, a summary made of quotations, and a fixed chat reply.

Its answers are recognisable: the model id is `offline`, and the chat reply says that no model is connected.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from pydantic import BaseModel, Field, JsonValue, ValidationError

from memory.events import Message
from memory.llm.errors import BadAnswer
from memory.llm.offline import endings, rules
from memory.llm.offline.rules import Turn
from memory.llm.types import Completion, Request
from memory.text import wording
from memory.text.lines import one_line, shorten, with_plain_breaks
from memory.text.normalising import is_secret

MODEL = "offline"
MAX_QUOTED_CHARS = 160
_MAX_READ_CHARS = 20_000


class OfflineCompletion:
    """How the provider `offline` completes."""

    def complete(self, request: Request) -> Completion:
        """The rules' answer. Raises `BadAnswer` where a memory task's request holds no conversation document."""
        if request.task == "chat":
            text = chat_reply(request.messages)
        elif request.task == "memory_extract":
            text = _facts(_document_in(request.messages))
        else:
            text = summary_of(_document_in(request.messages).turns())
        return Completion(text, MODEL, "offline", "stop", None, None)


class _Line(BaseModel):
    speaker: Literal["operator", "assistant"]
    status: Literal["earlier", "new"] = "new"
    text: str


class _Document(BaseModel):
    """The parts that the rules read of the document in a memory task's last user message."""

    known_keys: list[str] = Field(default_factory=list)
    ended_keys: list[str] = Field(default_factory=list)
    conversation: list[_Line]

    def turns(self) -> list[Turn]:
        """The conversation as the rules take it."""
        return [
            Turn(speaker=line.speaker, text=with_plain_breaks(line.text), is_new=line.status == "new")
            for line in self.conversation
        ]


def _document_in(messages: Sequence[Message]) -> _Document:
    asked = next((message.content for message in reversed(messages) if message.role == "user"), None)
    try:
        return _Document.model_validate_json(asked if isinstance(asked, str) else "")
    except ValidationError:
        raise BadAnswer(
            "offline reads a memory task's conversation document only, and the request holds none.", provider="offline"
        ) from None


def _facts(document: _Document) -> str:
    claims = rules.facts_in(document.turns(), [*document.known_keys, *document.ended_keys])
    found: list[dict[str, JsonValue]] = [
        {"key": claim.key, "value": claim.value, "confidence": claim.confidence, "quote": claim.quote}
        for claim in claims
    ]
    found += [_ended(one) for one in endings.endings_in(document.turns(), document.known_keys)]
    return json.dumps(found, ensure_ascii=False)


def _ended(one: endings.Ended) -> dict[str, JsonValue]:
    entry: dict[str, JsonValue] = {"key": one.key, "ends": True, "quote": one.quote}
    return entry | ({"value": one.value} if one.value else {}) | ({"forget": True} if one.asked else {})


# --- chat -------------------------------------------------------------------------------------------------------


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


# --- summary ----------------------------------------------------------------------------------------------------

_SENTENCE_END = re.compile(r"(?<=[.!?\N{HORIZONTAL ELLIPSIS}])\s+|[\r\n]+")
_WORD = re.compile(r"\w")
_GREETING = re.compile(
    r"(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|night|day)|how are you(?: doing)?|bye|goodbye|see you|"
    r"thanks?|thank you|thx|cheers|ok|okay|yes|no|sure|fine|great|cool|nice|perfect|good|please|test|ping|"
    r"hallo|guten (?:tag|morgen|abend)|danke|bonjour|bonsoir|salut|merci|hola|buenos días|gracias|ciao|buongiorno|"
    r"grazie|hej|tack|moi|hei|kiitos|olá|bom dia|obrigad[oa]|dank je|"
    r"there|caesar|again|today|all|everyone|so much|very much|a lot|later|soon|you too|for (?:that|this|your help|now))"
    r"(?!\w)[\s,.!?]*+)+",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?:please |can you |could you |tell me )*(?:what(?:'s| is)?|which) (?:the )?(?:current )?"
    r"(?:time|date|day|year|month)(?: of the week)?(?: is it| is today| is it today)?"
    r"(?: now| right now| today| in [\w ]{1,30})?[ ?.!]*",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"(?:please |can you |what(?:'s| is) |how much is |calculate |compute )*(?=\D{0,3}\d)"
    r"(?:[\d.,\s()+*/x\N{MULTIPLICATION SIGN}\N{DIVISION SIGN}^%=-]|plus|minus|times|divided by|squared)+[?.! ]*",
    re.IGNORECASE,
)


def summary_of(turns: Sequence[Turn]) -> str:
    """One sentence about what is new in a chat, in quotations; "" where the chat is trivial.

    It quotes the operator's first new sentence that is more than a greeting, a question for the time or a sum, and the
    first such sentence of the answer to it. A plain fact is not quoted: the operator may correct it as a fact, and an
    old version would live on in the summary.
    """
    for place, turn in enumerate(turns):
        said = _first_sentence(turn.text, leave_out=_states_a_fact) if _is_new_from_operator(turn) else ""
        if said:
            verb = "asked" if said.endswith("?") else "wrote"
            answer = _answer_to(turns[place + 1 :])
            return f'The operator {verb}: "{said}"' + (f'; the assistant answered: "{answer}"' if answer else "")
    return ""


def _answer_to(following: Sequence[Turn]) -> str:
    answers = (_first_sentence(turn.text) for turn in following if turn.speaker == "assistant")
    return next(answers, "")


def _is_new_from_operator(turn: Turn) -> bool:
    return turn.is_new and turn.speaker == "operator"


def _states_a_fact(sentence: str) -> bool:
    return bool(rules.facts_in([Turn("operator", sentence, True)], []))


def _first_sentence(text: str, *, leave_out: Callable[[str], bool] = is_secret) -> str:
    """The first sentence worth quoting, on one line and without double quotes; "" where all are trivial or secret."""
    candidates = (one for one in _sentences(text) if not (_is_trivial(one) or is_secret(one) or leave_out(one)))
    sentence = next(candidates, "")
    return shorten(sentence.replace('"', "'"), MAX_QUOTED_CHARS)


def _sentences(text: str) -> Iterator[str]:
    return map(one_line, _SENTENCE_END.split(text[:_MAX_READ_CHARS]))


def _is_trivial(sentence: str) -> bool:
    if not _WORD.search(sentence):
        return True
    return len(sentence) <= 120 and any(shape.fullmatch(sentence) for shape in (_GREETING, _CLOCK, _SUM))
