"""What was said in a recorded chat, turn by turn, for recall by content."""

from dataclasses import dataclass

from caesar.conf import OFFLINE
from memory import transcript
from memory.conversation import Piece, said_pieces
from memory.events import ChatCompleted
from memory.llm.answers.reasoning import without_reasoning


@dataclass(frozen=True)
class SpokenTurn:
    """One message of the operator or the assistant, in their own words, and whether this chat adds it."""

    by_operator: bool
    text: str
    is_new: bool


def spoken_turns(completed: ChatCompleted) -> list[SpokenTurn]:
    """The turns of a chat in order, its reply last. From the operator's first new words on, all of it is new.

    Of a message with old words in it, only the new ones count. No system messages, tool output, pasted matter or memory
    block, nothing that the assistant only thought, and no answer that was given without a model.
    """
    said, turns = said_pieces(completed), list[SpokenTurn]()
    has_begun = False
    for index, message in enumerate(completed.messages):
        if index in said:
            has_begun = has_begun or any(piece.is_new for piece in said[index])
            turns.append(SpokenTurn(True, _words(said[index]), has_begun))
        elif transcript.is_assistant(message):
            turns.append(SpokenTurn(False, without_reasoning(transcript.own_words(message)).strip(), has_begun))
    if completed.provider != OFFLINE:
        turns.append(SpokenTurn(False, without_reasoning(completed.reply).strip(), has_begun))
    return [turn for turn in turns if turn.text]


_LEFT_BEHIND = ",;:.-–—) "
"""What stands before a piece whose beginning was heard before."""


def _words(pieces: list[Piece]) -> str:
    """The new words of a message; all of them where none is new."""
    new = [piece for piece in pieces if piece.is_new]
    return " ".join(piece.text.strip().lstrip(_LEFT_BEHIND) for piece in new or pieces)
