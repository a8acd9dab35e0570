"""Whatever a client sends again, what the operator did stands, and what is truly new is learned (decisions 2, 25).

Random conversations go through random habits of clients, with edits, deletions and retirements in between. A model
that believes every word it is shown as new answers the extractor's request, with quotes or without.
"""

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction

from memory.events import Message
from memory.learning.extraction import EXTRACTION, parse_answer
from memory.models import AuditRow, PersonalFact
from tests.turns import assistant, record_turn, user

pytestmark = pytest.mark.django_db

CONVERSATIONS = int(os.environ.get("RANDOM_CONVERSATIONS", "300"))
AT_A_TIME = 50

CITIES = ["Portland", "Bend", "Oslo", "Lyon", "Cremona", "Bergen"]
NAMES = ["Beans", "Rex", "Tom", "Olaf", "Nala", "Pixel"]
STATEMENTS: dict[str, tuple[str, list[str]]] = {
    "address.city": ("I live in {}.", CITIES),
    "dog.name": ("My dog's name is {}.", NAMES),
    "cat.name": ("My cat's name is {}.", NAMES),
    "job.place": ("These days I work at the bakery in {}.", CITIES),
}
ENDINGS: dict[str, str] = {
    "address.city": "I no longer live in {}.",
    "dog.name": "Our dog {} is no longer with us.",
    "cat.name": "Our cat {} is no longer with us.",
    "job.place": "I no longer work at the bakery in {}.",
}
SMALL_TALK = [
    "What should I cook tonight?",
    "Thanks, that helps a lot!",
    "Tell me about tides and the moon, please.",
    "Do you know a good joke about otters?",
    "It rains again.",
    "Hello!",
]


@dataclass
class World:
    """One conversation with its operator, its client, and what must be known at every moment."""

    pick: random.Random
    now: datetime = datetime(2026, 5, 20, 9, tzinfo=UTC)
    said: list[str] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)
    heard: set[str] = field(default_factory=set)
    story: list[str] = field(default_factory=list)
    quotes: bool = True

    def later(self) -> None:
        self.now += timedelta(minutes=self.pick.randint(61, 400))

    def speak(self, *, may_repeat: bool) -> str:
        """The operator's next message; notes what it teaches."""
        if self.quotes and self.known and self.pick.random() < 0.2:
            return self.take_back()
        key = self.pick.choice(list(STATEMENTS))
        pattern, values = STATEMENTS[key]
        value = self.pick.choice(values)
        statement = pattern.format(value)
        talk = self.pick.choice(SMALL_TALK)
        alone = self.pick.random() < 0.4
        if statement in self.heard and not (alone and may_repeat and statement in self.said):
            return talk  # half of a message that was said before is not new; only the whole of it is, said anew
        self.heard.add(statement)
        self.known[key] = value
        if alone:
            return statement
        return self.pick.choice(["{0} {1}", "{1} {0}", "{1}\n\n{0}", "{0}\n{1}"]).format(statement, talk)

    def take_back(self) -> str:
        """The operator says that something is no longer true; said before, it takes nothing back."""
        key = self.pick.choice(sorted(self.known))
        statement = ENDINGS[key].format(self.known[key])
        if statement in self.heard:
            return self.pick.choice(SMALL_TALK)
        self.heard.add(statement)
        del self.known[key]
        return self.pick.choice(["{0}", "{0} {1}", "{1}\n{0}"]).format(statement, self.pick.choice(SMALL_TALK))

    def correct(self) -> None:
        """The operator edits or deletes something on the page."""
        fact = self.pick.choice(list(PersonalFact.objects.filter(retired_at=None).order_by("key")) or [None])
        if fact is None:
            return
        self.now += timedelta(minutes=1)
        if self.pick.random() < 0.5:
            fact.edit("Mended", now=self.now)
            self.known[fact.key] = "Mended"
        else:
            fact.forget(now=self.now)
            del self.known[fact.key]
        self.story.append(f"{self.now:%d %H:%M} page: {fact.key} -> {self.known.get(fact.key)}")


Habit = Callable[[World, str], list[Message]]


def whole(world: World, new: str) -> list[Message]:
    return [*history(world, world.said, world.replies), user(new)]


def tail(world: World, new: str) -> list[Message]:
    size = world.pick.randint(1, 3)
    return [*history(world, world.said[-size:], world.replies[-size:]), user(new)]


def merged(world: World, new: str) -> list[Message]:
    return [user(world.pick.choice(["\n\n", "\n", "\r\n"]).join([*world.said[-4:], new]))]


def restamped(world: World, new: str) -> list[Message]:
    stamp = f"[Current time: {world.now:%H:%M}]"
    old = [f"[{world.pick.randint(10, 23)}:00] {text}" if world.pick.random() < 0.5 else text for text in world.said]
    return [*history(world, old, world.replies), user(world.pick.choice([f"{new}\n\n{stamp}", f"{stamp} {new}"]))]


def marked(world: World, new: str) -> list[Message]:
    marks = ["> {}", "**{}**", "{} (edited)", "  {}  ", "About me: {} Remember it."]
    old = [world.pick.choice(marks).format(text) for text in world.said]
    return [*history(world, old, world.replies), user(new)]


def cut(world: World, new: str) -> list[Message]:
    old = [text[: world.pick.randint(3, len(text))] for text in world.said]
    return [*history(world, old, world.replies), user(new)]


def only_mine(world: World, new: str) -> list[Message]:
    return [*(user(text) for text in world.said), user(new)]


HABITS: list[Habit] = [whole, tail, merged, restamped, marked, cut, only_mine]


def history(world: World, said: list[str], replies: list[str]) -> list[Message]:
    pairs = zip(said, replies, strict=True)
    return [message for text, reply in pairs for message in (user(text), assistant(reply))]


def send(world: World, messages: list[Message], reply: str) -> None:
    """The turn is recorded, and the worker's model believes all of it that is new."""
    row = AuditRow.objects.get(pk=record_turn(messages, reply, now=world.now).audit_log_id)
    question = EXTRACTION.prepare(row)
    if question is not None:
        document = json.loads(str(question.messages[-1].content))
        new = [turn["text"] for turn in document["conversation"] if turn["status"] == "new"]
        answer = json.dumps([*believed(new, document["known_keys"], quotes=world.quotes)])
        EXTRACTION.store(row, parse_answer(answer, question), now=world.now)
    world.story.append(f"{world.now:%d %H:%M} {[message.content for message in messages]}")


def believed(new: list[str], known_keys: list[str], *, quotes: bool) -> Iterator[dict[str, object]]:
    """The entries of an answer that takes every new sentence at its word, in the order in which they were said."""
    text = "\n".join(new)
    found: list[tuple[int, dict[str, object]]] = []
    for key, (pattern, _) in STATEMENTS.items():
        for match in said(pattern, text):
            found.append((match.start(), {"key": key, "value": match[1], "confidence": 0.9, "quote": match[0]}))
    for key, pattern in ENDINGS.items():
        for match in said(pattern, text) if key in known_keys else ():
            found.append((match.start(), {"key": key, "ends": True, "value": match[1], "quote": match[0]}))
    for _, entry in sorted(found, key=lambda one: one[0]):
        yield entry if quotes else {name: entry[name] for name in entry if name != "quote"}


def said(pattern: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(re.escape(pattern).replace(r"\{\}", r"(\w+)"), text)


def live(seed: int) -> None:
    """One random conversation from its first word to its last."""
    world = World(random.Random(seed), quotes=seed % 3 > 0)
    habit = world.pick.choice(HABITS)
    for number in range(world.pick.randint(2, 6)):
        world.later()
        use = habit if world.pick.random() < 0.7 else world.pick.choice(HABITS)
        new = world.speak(may_repeat=use is not merged)
        messages = use(world, new)
        reply = f"Answer number {number}, with some words in it."
        send(world, messages, reply)
        if world.pick.random() < 0.3:
            world.now += timedelta(minutes=1)
            send(world, messages, reply)
        world.said.append(new)
        world.replies.append(reply)
        assert stored() == world.known, f"seed {seed}, {use.__name__}: " + "\n".join(world.story)
        if world.pick.random() < 0.5:
            world.correct()


def stored() -> dict[str, str]:
    return dict(PersonalFact.objects.filter(retired_at=None).values_list("key", "value"))


@pytest.mark.parametrize("first", range(0, CONVERSATIONS, AT_A_TIME))
def test_no_correction_is_undone_and_nothing_new_is_lost(first: int) -> None:
    for seed in range(first, min(first + AT_A_TIME, CONVERSATIONS)):
        with transaction.atomic():
            live(seed)
            transaction.set_rollback(True)
