"""What the operator of the demonstration did by hand: corrected, deleted, took back."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class Deed:
    """What the operator did: to the fact `key`, or to the episode of the chat that began with `value`."""

    days: int = 0
    clock: str = ""
    minutes: int = 0
    verb: Literal["add", "edit", "forget", "restore", "forget_episode"]
    key: str = ""
    value: str = ""


DEEDS = (
    Deed(days=28, clock="09:05", verb="forget", key="van.fault"),
    Deed(days=26, clock="20:00", verb="edit", key="trip.porto", value="two weeks in September, the three of you"),
    Deed(days=23, clock="12:00", verb="edit", key="hobby.choir", value="second tenor in a church choir of twenty"),
    Deed(days=12, clock="07:55", verb="edit", key="preference.coffee", value="black coffee, never after lunch"),
    Deed(days=12, clock="07:58", verb="edit", key="preference.coffee", value="coffee black, no sugar"),
    Deed(days=10, clock="18:30", verb="forget", key="garden.pots"),
    Deed(days=10, clock="18:31", verb="restore", key="garden.pots"),
    Deed(days=6, clock="08:00", verb="add", key="contact.emergency", value="your wife, on the kitchen phone"),
    Deed(days=6, clock="08:04", verb="add", key="doctor.hours", value="Thursdays only"),
    Deed(days=3, clock="21:07", verb="forget_episode", value="I grow tomatoes"),
    Deed(days=1, clock="20:30", verb="edit", key="dog.name", value="Bowser"),
    Deed(minutes=15, verb="edit", key="trip.porto", value="ten days in October, the three of you"),
)
