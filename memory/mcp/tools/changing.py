"""Tools that change memory. What a model adds waits for the operator; only a key that may manage edits and deletes."""

from typing import Annotated, Final, Literal

from django.db import transaction
from pydantic import BaseModel, Field

from memory.mcp.calls import Call
from memory.mcp.memories import Id
from memory.mcp.tools.tool import Arguments, Hints, Tool, ToolRefused
from memory.models import (
    AuditRow,
    EpisodeSummary,
    FactConflict,
    MemoryRevision,
    PersonalFact,
    SuggestionState,
    WaitingFact,
)
from memory.models.learned.fact import LearnedFact
from memory.text.lines import encodable
from memory.text.normalising import MAX_KEY_CHARS, MAX_VALUE_CHARS, TextRefused, is_secret

# Somewhat longer than what is kept: the domain's own refusal says more than a schema's.
Value = Annotated[str, Field(min_length=1, max_length=4 * MAX_VALUE_CHARS)]
FactId = Annotated[str, Field(min_length=1, max_length=2 * MAX_KEY_CHARS)]

_CHANGED: Final = "The fact had changed meanwhile."
_BROKEN: Final = "\N{REPLACEMENT CHARACTER}"


class AddMemory(Arguments):
    """What to remember."""

    key: FactId
    """What it is about, as a dotted name in English: dog.name, food.allergy, work.employer."""
    value: Value
    """What is true of it, in a few words: Beans; peanuts. No secrets."""


class Added(BaseModel):
    """What became of it. Nothing is remembered before the operator has accepted it on the page `review_url`."""

    status: SuggestionState
    message: str
    key: str
    value: str
    waiting_id: int | None
    review_url: str


_BECAME: Final[dict[SuggestionState, str]] = {
    "waiting": "It waits for the user's review and is not remembered before they accept it. Tell them so.",
    "waits_already": "It waits for the user's review already. Tell them so.",
    "known": "It is remembered already. Nothing was changed.",
    "declined": "The user declined this before, so it was not added. Do not add it again.",
    "full": "Too many suggestions wait for review. Ask the user to go through them first.",
}


def _add(call: Call, asked: AddMemory) -> Added:
    _check("key", asked.key)
    _check("value", asked.value)
    try:
        suggestion = WaitingFact.objects.suggest(encodable(asked.key), encodable(asked.value), now=call.now)
    except TextRefused as refused:
        raise ToolRefused(str(refused)) from None
    if suggestion.state == "full":
        raise ToolRefused(_BECAME["full"])
    claim = suggestion.claim
    return Added(
        status=suggestion.state,
        message=_BECAME[suggestion.state],
        key=claim.key if claim else asked.key,
        value=claim.value if claim else asked.value,
        waiting_id=claim.pk if claim else None,
        review_url=f"{call.page('facts')}#facts-waiting",
    )


ADD_MEMORY = Tool(
    name="add_memory",
    title="Suggest a memory",
    description=(
        "Suggests one lasting fact about the user to be remembered. It waits until the user accepts it on the "
        "dashboard: say so, and do not claim that it is remembered. One fact a call; nothing that holds for today only."
    ),
    scopes=("record", "manage"),
    takes=AddMemory,
    gives=Added,
    run=_add,
    hints=Hints(reads_only=False),
)


class UpdateMemory(Arguments):
    """Which fact, and what it is to say."""

    id: FactId
    """The fact's id or key: fact:dog.name."""
    value: Value
    """What it is to say from now on."""
    expected: Annotated[str, Field(max_length=4 * MAX_VALUE_CHARS)] = ""
    """What it says now, as you read it: where it says something else by then, nothing is changed."""


class Updated(BaseModel):
    """The fact as it is now. `event_id`: the row that can be undone; null where it said so already."""

    id: str
    key: str
    value: str
    sentence: str
    event_id: int | None
    undo: str


def _update(call: Call, asked: UpdateMemory) -> Updated:
    fact = _fact(asked.id)
    _check("value", asked.value, key=fact.key)
    try:
        row = fact.edit(encodable(asked.value), now=call.now, expected=encodable(asked.expected) or None)
    except TextRefused as refused:
        raise ToolRefused(str(refused)) from None
    except FactConflict as conflict:
        raise _changed_meanwhile(call, conflict.current) from None
    return Updated(
        id=str(Id("fact", fact.key)),
        key=fact.key,
        value=fact.value,
        sentence=fact.sentence,
        event_id=row.pk if row else None,
        undo=_undo(call, row) if row else "",
    )


UPDATE_MEMORY = Tool(
    name="update_memory",
    title="Correct a fact",
    description=(
        "Corrects what a remembered fact says, in the user's name. Only when the user asked for it. Read the fact "
        "first and pass its value as expected. The change can be undone."
    ),
    scopes=("manage",),
    takes=UpdateMemory,
    gives=Updated,
    run=_update,
    hints=Hints(reads_only=False, destroys=True),
)


class DeleteMemory(Arguments):
    """Which memory is to go."""

    id: FactId
    """The id of a fact or an episode: fact:dog.name, episode:12."""
    expected: Annotated[str, Field(max_length=4 * MAX_VALUE_CHARS)] = ""
    """What the fact says now, as you read it: where it says something else by then, it stays."""


class Deleted(BaseModel):
    """What is gone, and how to bring it back."""

    id: str
    kind: Literal["fact", "episode"]
    event_id: int
    undo: str


def _delete(call: Call, asked: DeleteMemory) -> Deleted:
    wanted = Id.of(encodable(asked.id))
    if wanted.kind == "chat":
        raise ToolRefused("A chat is not deleted: it goes with the retention. Delete its episode, or a fact of it.")
    if wanted.kind == "episode":
        return _delete_episode(call, wanted)
    with transaction.atomic():
        MemoryRevision.hold()
        fact = _fact(asked.id)
        if asked.expected and fact.value != asked.expected:
            raise _says_otherwise(fact.key)
        row = fact.forget(now=call.now)
    if row is None:
        raise _gone(asked.id)
    return Deleted(id=str(Id("fact", fact.key)), kind="fact", event_id=row.pk, undo=_undo(call, row))


def _delete_episode(call: Call, wanted: Id) -> Deleted:
    episode = EpisodeSummary.objects.filter(pk=wanted.number).first() if wanted.number else None
    row = episode.forget(now=call.now) if episode else None
    if episode is None or row is None:
        raise _gone(str(wanted))
    undo = (
        f"The user can bring it back on {call.page('event', episode.audit_log_id)}, or a program by POST "
        f"/v1/memory/episodes/{episode.audit_log_id}/restore."
    )
    return Deleted(id=str(wanted), kind="episode", event_id=row.pk, undo=undo)


DELETE_MEMORY = Tool(
    name="delete_memory",
    title="Delete a memory",
    description=(
        "Deletes a fact, or an episode (what one conversation was about), in the user's name. Only when the user asked "
        "for it. It can be undone: the answer says how."
    ),
    scopes=("manage",),
    takes=DeleteMemory,
    gives=Deleted,
    run=_delete,
    hints=Hints(reads_only=False, destroys=True),
)


def _check(name: str, text: str, *, key: str = "") -> None:
    """Raises where what a model would have remembered holds a broken character, or looks like a secret."""
    if _BROKEN in text:  # as the parser writes half a surrogate pair, too
        raise ToolRefused(f"The {name} holds half a character (a lone surrogate). Send it again, whole.")
    if is_secret(text, key=key):
        raise ToolRefused(f"The {name} looks like a secret. Secrets are not remembered: leave it out.")


def _fact(id_: str) -> PersonalFact:
    wanted = Id.of(encodable(id_))
    fact = PersonalFact.objects.by_key(wanted.name) if wanted.kind == "fact" else None
    if fact is None:
        raise _gone(id_)
    return fact


def _gone(id_: str) -> ToolRefused:
    return ToolRefused(f"There is no such memory as {encodable(id_)[:100]}. get_memories lists the facts.")


def _changed_meanwhile(call: Call, fact: LearnedFact | None) -> ToolRefused:
    if fact is None:
        return ToolRefused("The fact was deleted meanwhile. Nothing was changed.")
    if not call.may("read"):
        return _says_otherwise(fact.key)
    return ToolRefused(
        f"Nothing was changed: {fact.key} says “{fact.value}” now. Ask the user, and call again with that as expected.",
        noted=_CHANGED,
    )


def _says_otherwise(key: str) -> ToolRefused:
    return ToolRefused(f"Nothing was changed: {key} says something else now. Ask the user first.", noted=_CHANGED)


def _undo(call: Call, row: AuditRow) -> str:
    return f"The user can undo it on {call.page('event', row.pk)}, or a program by POST /v1/audit/{row.pk}/undo."
