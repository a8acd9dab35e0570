"""The episodes that were considered for one prompt: which of them went in, and by how much the others missed. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from dashboard.shared.receipts import reasons
from dashboard.shared.score_words import digits_for, gap_words, reached
from memory.events import ContentRecall, MissReason, ScoreParts

Standing = Literal["in", "behind", "out", "aside"]
"""`in` the prompt; near enough, but `behind` the best ones; `out`: not near enough; `aside`: left out whatever its
similarity."""

LeftOutBecause = MissReason | Literal["later"]

_STANDINGS: Mapping[LeftOutBecause, Standing] = {"cap": "behind", "below_threshold": "out", "gate": "out"}
_PLAIN_REASONS: Mapping[LeftOutBecause, str] = {
    "below_threshold": "not near enough",
    "gate": "nothing was near enough to the message",
    "cap": "others were ahead of it",
    "too_old": "too old",
    "later": "it took place after that day",
    "other_model": "its vector is of another embedder, or of another length",
    "same_conversation": "it is this very conversation",
    "switched_off": "recall is switched off",
}


@dataclass(frozen=True)
class WeighedEpisode:
    """An episode that came near, as a receipt or a preview has it. `reason`: why it is left out, None where it is in.

    Numbers are None where it was not scored, or where an older version did not write them down.
    """

    chat_id: int
    summary: str
    reason: LeftOutBecause | None
    when: str = ""
    cosine: float | None = None
    freshness: float | None = None
    recall_weight: float | None = None
    score: float | None = None
    short_by: float | None = None
    parts: ScoreParts | None = None


@dataclass(frozen=True)
class RecallTerms:
    """What decided about the candidates, as far as it is known.

    `lowest_similarity`: the cosine it took in mode `record`. `content`: the search in mode `hybrid`, None in the other
    one. `places`: how many episodes a prompt takes.
    """

    lowest_similarity: float | None = None
    content: ContentRecall | None = None
    places: int | None = None
    max_age_days: int | None = None
    recall_scale: float = 0.0


class Figure(NamedTuple):
    """A number in a column of the list, and what it had to reach; "" where unknown, or where it decided nothing."""

    number: str
    needed: str = ""


@dataclass(frozen=True)
class Candidate:
    """An episode and how it fared.

    `number`: by which the lists and the line name it. `because`: why it is in or left out, in words. `short_by`: by how
    much, None where no number says so. `figure`: the number it was judged by, `needed`: what that had to reach; ""
    where unknown.
    """

    number: int
    episode: WeighedEpisode
    standing: Standing
    because: str = ""
    short_by: float | None = None
    figure: str = ""
    needed: str = ""

    @property
    def at(self) -> float | None:
        """Its place on the axis: the score of mode `hybrid`, else its similarity; None where it has no place there."""
        if self.standing == "aside":
            return None
        return self.episode.cosine if self.episode.parts is None else self.episode.score

    @property
    def similarity(self) -> Figure:
        """How near it is to the message, by its vector. Recall by content has no use for that number."""
        if self._is_by_similarity:
            return Figure(self.figure, self.needed)
        return Figure(_figure(self.episode.cosine) if self.episode.parts is None else "")

    @property
    def score(self) -> Figure:
        """What decides among those that are near enough."""
        return Figure(_figure(self.episode.score)) if self._is_by_similarity else Figure(self.figure, self.needed)

    @property
    def _is_by_similarity(self) -> bool:
        is_out = self.standing == "out" and self.episode.parts is None
        return self.episode.score is None or is_out

    @property
    def has_formula(self) -> bool:
        """Whether its score of mode `record` decided, with all of its factors known."""
        factors = (self.episode.cosine, self.episode.freshness, self.episode.recall_weight)
        return self.standing in ("in", "behind") and self.episode.parts is None and None not in factors


def judge(
    episodes: Sequence[WeighedEpisode], terms: RecallTerms, *, numbers: Mapping[int, int] | None = None
) -> list[Candidate]:
    """The candidates, numbered from 1 in this order. `numbers`: what chats are called already; the others go on."""
    known = dict(numbers or {})
    ruling = _Ruling(terms, _lowest_score_in(episodes))
    candidates: list[Candidate] = []
    for place, episode in enumerate(episodes, 1):
        number = known.setdefault(episode.chat_id, max(known.values()) + 1) if known else place
        candidates.append(ruling.candidate(number, episode))
    return candidates


def _lowest_score_in(episodes: Sequence[WeighedEpisode]) -> float | None:
    """What it took to be among the best: the lowest score of those that its score brought in."""
    return min(
        (
            episode.score
            for episode in episodes
            if episode.reason is None
            and episode.score is not None
            and (episode.parts is None or episode.parts.by == "score")
        ),
        default=None,
    )


@dataclass(frozen=True)
class _Ruling:
    terms: RecallTerms
    lowest_in: float | None

    def candidate(self, number: int, episode: WeighedEpisode) -> Candidate:
        if episode.reason is None:
            return Candidate(number, episode, "in", because=self._why(episode), figure=_figure(episode.score))
        standing = _STANDINGS.get(episode.reason, "aside")
        short_by = self._short_by(episode)
        measured = episode.cosine if standing == "out" and episode.parts is None else episode.score
        digits = 2 if short_by is None else digits_for(short_by)
        to_reach = None if short_by is None or measured is None else measured + short_by
        return Candidate(
            number,
            episode,
            standing,
            because=self._because(episode, short_by),
            short_by=short_by,
            figure=_figure(episode.cosine if measured is None else measured, digits),
            needed="" if episode.reason == "gate" else _figure(to_reach, digits),
        )

    def _why(self, episode: WeighedEpisode) -> str:
        if episode.parts is not None:
            return reasons.by_content(episode.parts)
        scale = self.terms.recall_scale
        return reasons.by_summary(episode.cosine, episode.freshness, episode.recall_weight, scale=scale)

    def _short_by(self, episode: WeighedEpisode) -> float | None:
        """How far it fell short: of the threshold, of the gate, or of the last one that went in; None where unknown."""
        if episode.reason != "cap":
            return episode.short_by
        if episode.score is None or self.lowest_in is None or episode.score > self.lowest_in:
            return None  # places that go by meaning were given regardless of the score
        return self.lowest_in - episode.score

    def _because(self, episode: WeighedEpisode, short_by: float | None) -> str:
        by = "" if short_by is None else f" by {gap_words(short_by)}"
        match episode.reason:
            case "cap" if self.terms.places == 0:
                return "none is let in"
            case "cap" if self.terms.places:
                return f"near enough, behind the best {self.terms.places}{by}"
            case "below_threshold" if episode.parts is not None:
                return "it has too little of what the best one has"
            case "below_threshold":
                return f"not near enough{by}"
            case "gate" if gate := reached(self.terms.content):
                return f"nothing was near enough to the message: reached {gate}"
            case "too_old" if self.terms.max_age_days is not None:
                return f"older than {self.terms.max_age_days} days"
        return _PLAIN_REASONS.get(episode.reason, episode.reason) if episode.reason else ""


def _figure(number: float | None, digits: int = 2) -> str:
    return "" if number is None else f"{number:.{digits}f}"


@dataclass(frozen=True)
class CandidateLists:
    """Candidates as they are listed: those in the prompt, those that just missed, and those left out otherwise."""

    candidates: Sequence[Candidate] = field(default=())

    @property
    def taken(self) -> Sequence[Candidate]:
        """Those that went in."""
        return list(self._of("in"))

    @property
    def missed(self) -> Sequence[Candidate]:
        """Those that just missed."""
        return list(self._of("behind", "out"))

    @property
    def aside(self) -> Sequence[Candidate]:
        """Those left out for another reason than how near they were."""
        return list(self._of("aside"))

    def _of(self, *standings: Standing) -> Iterator[Candidate]:
        return (candidate for candidate in self.candidates if candidate.standing in standings)
