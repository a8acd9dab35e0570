"""A question to memory, read once: its words, the days it speaks of, and its vector."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from datetime import time as clock_time
from functools import cached_property
from zoneinfo import ZoneInfo

from django.conf import settings

from memory.llm import Vectors
from memory.recall.explicit.words import Words
from memory.recall.hybrid.dates import DatePhrase, DateRange, date_phrases
from memory.recall.relevant_facts.question import SWITCHED_OFF
from memory.recall.retrieval import embed_message
from memory.text.lines import one_line

MAX_QUESTION_CHARS = 2_000
"""How much of a question is read."""

_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」')
_FIRST, _LAST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Question:
    """What is asked. `text`: the question on one line; `content`: the same without its dates.

    `since`, `until`: the first and the last local day that count, whatever else fits; `vectors`: the content's vector,
    or why there is none. `deadline` (`time.monotonic`): until when vectors of facts may be made. `quoted`: what stands
    in quotation marks; `days`: its words for single days ("Thursday"), which a text may say, too.
    """

    text: str
    content: str
    ranges: Sequence[DateRange]
    since: date | None
    until: date | None
    vectors: Vectors | str
    now: datetime
    zone: ZoneInfo
    deadline: float
    quoted: Sequence[str] = ()
    days: str = ""

    @cached_property
    def words(self) -> Words:
        """The words that are looked for."""
        return Words.of(self.content, is_about_days=bool(self.ranges))

    def words_in(self, text: str) -> list[str]:
        """Which of the question's words a text has; those of its dates ("Thursday") count only beside others."""
        return self._all_words.in_text(text) if self.words.share(text) else []

    @cached_property
    def _all_words(self) -> Words:
        return Words.of(f"{self.content} {self.days}") if self.days else self.words

    @property
    def is_only_dates(self) -> bool:
        """Whether it names days and nothing else."""
        return bool(self.ranges) and not self.words.terms

    def day_of(self, moment: datetime) -> date:
        """The local day of a moment; the nearest there is at the ends of time."""
        return min(max(moment, _FIRST), _LAST).astimezone(self.zone).date()

    def may_be_of(self, moment: datetime) -> bool:
        """Whether something of that moment is inside `since` and `until`."""
        day = self.day_of(moment)
        return (self.since is None or day >= self.since) and (self.until is None or day <= self.until)

    def is_dated(self, moment: datetime) -> bool:
        """Whether that moment is of the days that the question names."""
        day = self.day_of(moment)
        return any(one.first <= day <= one.last for one in self.ranges)

    @cached_property
    def between(self) -> tuple[datetime, datetime] | None:
        """The moments from which and to which things count, both inside; None where all do."""
        if self.since is None and self.until is None:
            return None
        return self.moments(self.since or _FIRST.date(), self.until or _LAST.date())

    def moments(self, first: date, last: date) -> tuple[datetime, datetime]:
        """The first and the last moment of these local days."""
        begin = datetime.combine(max(first, _FIRST.date()), clock_time.min, tzinfo=self.zone)
        end = datetime.combine(min(last, _LAST.date()), clock_time.max, tzinfo=self.zone)
        return begin.astimezone(UTC), end.astimezone(UTC)


def ask(
    query: str,
    *,
    since: date | None = None,
    until: date | None = None,
    now: datetime,
    zone: ZoneInfo,
    patience_seconds: float | None = None,
) -> Question:
    """Read a question, of any length and content, and have it embedded. Never raises.

    `patience_seconds`: how long vectors may take, of the question and then of facts; None: as long as in a turn.
    """
    semantic = settings.CAESAR.semantic
    seconds = patience_seconds or semantic.timeout_seconds
    text = one_line(query[:MAX_QUESTION_CHARS])
    phrases = date_phrases(text, today=now.astimezone(zone).date())
    ranges = list(dict.fromkeys(one.range for one in phrases))
    content = one_line(_without(text, phrases))
    vectors: Vectors | str = SWITCHED_OFF
    if semantic.enabled:
        vectors = embed_message(content, seconds)
    deadline = time.monotonic() + seconds
    return Question(
        text=text,
        content=content,
        ranges=ranges,
        since=since,
        until=until,
        vectors=vectors,
        now=now,
        zone=zone,
        deadline=deadline,
        quoted=["".join(match.groups(default="")).strip() for match in _QUOTED.finditer(content)],
        days=" ".join(text[one.start : one.end] for one in phrases if one.range.days == 1),
    )


def _without(text: str, phrases: Sequence[DatePhrase]) -> str:
    """A text without these phrases of it."""
    kept, end = list[str](), 0
    for phrase in phrases:
        if phrase.start >= end:
            kept.append(text[end : phrase.start])
            end = phrase.end
    return " ".join([*kept, text[end:]])
