"""What the operator of the demonstration did by hand: added, edited, deleted, restored."""

from dataclasses import dataclass
from typing import Literal

Verb = Literal[
    "add", "edit", "forget", "restore", "forget_episode", "date", "drop", "keep", "confirm", "let_go", "search"
]


@dataclass(frozen=True, kw_only=True)
class Action:
    """One action of the operator, on the fact `key`, or on the episode of the chat that began with `value`.

    `date` sets the fact's last day so many days ahead; `drop` is about a claim that waits; `search` asks memory.
    """

    days: int = 0
    clock: str = ""
    minutes: int = 0
    verb: Verb
    key: str = ""
    value: str = ""


OPERATOR_ACTIONS = (
    Action(days=28, clock="09:05", verb="forget", key="van.fault"),
    Action(days=26, clock="20:00", verb="edit", key="trip.porto", value="two weeks in September, the three of you"),
    Action(days=23, clock="12:00", verb="edit", key="hobby.choir", value="second tenor in a church choir of twenty"),
    Action(days=12, clock="07:55", verb="edit", key="preference.coffee", value="black coffee, never after lunch"),
    Action(days=12, clock="07:58", verb="edit", key="preference.coffee", value="coffee black, no sugar"),
    Action(days=10, clock="18:30", verb="forget", key="garden.pots"),
    Action(days=10, clock="18:31", verb="restore", key="garden.pots"),
    Action(days=6, clock="08:00", verb="add", key="contact.emergency", value="your wife, on the kitchen phone"),
    Action(days=6, clock="08:04", verb="add", key="doctor.hours", value="Thursdays only"),
    Action(days=6, clock="08:01", verb="keep", key="contact.emergency"),
    Action(days=4, clock="07:40", verb="confirm", key="doctor.hours"),
    Action(days=4, clock="07:41", verb="let_go", key="garden.pots"),
    Action(days=3, clock="21:07", verb="forget_episode", value="I grow tomatoes"),
    Action(days=2, clock="13:15", verb="search", value="when does the doctor have time on Thursdays?"),
    Action(days=1, clock="20:30", verb="edit", key="dog.name", value="Bowser"),
    Action(minutes=15, verb="edit", key="trip.porto", value="ten days in October, the three of you"),
    Action(minutes=14, verb="date", key="trip.porto", value="120"),
    Action(minutes=13, verb="drop", key="dog.fear"),
)
