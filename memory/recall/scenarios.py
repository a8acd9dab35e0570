"""What a message brings back under given settings at a given moment, as a preview shows it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from caesar.conf import EpisodesRecallSettings
from memory import events


@dataclass(frozen=True)
class Scenario:
    """What episodes are scored by: the settings of recall, and the moment from which their age is counted."""

    recall_settings: EpisodesRecallSettings
    now: datetime


@dataclass(frozen=True)
class ScoredEpisode:
    """An episode that came near. `reason`: why it is left out, None where it goes into the prompt.

    Numbers are None where it was not scored; in mode `hybrid` the score is made of `parts`, and not of freshness and
    recall weight. "later": it took place after the scenario's moment.
    """

    audit_log_id: int
    summary: str
    created_at: datetime
    when: str
    reason: events.MissReason | Literal["later"] | None
    cosine: float | None = None
    freshness: float | None = None
    recall_weight: float | None = None
    score: float | None = None
    short_by: float | None = None
    parts: events.ScoreParts | None = None


@dataclass(frozen=True)
class ScenarioEpisodes:
    """What came near in one scenario, those that go into the prompt first. `content`: how it was searched for in mode
    `hybrid`."""

    episodes: Sequence[ScoredEpisode] = ()
    content: events.ContentRecall | None = None


@dataclass(frozen=True)
class Comparison:
    """What came near in each scenario; or, for all of them, why nothing did."""

    by_scenario: Sequence[ScenarioEpisodes]
    empty_reason: str = ""
