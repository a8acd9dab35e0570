"""Facts from plain first-person statements, found by hand-written rules: how the offline provider learns.

    turns -> clauses that may teach (english/clauses) -> claims (the rule tables) -> known spelling of keys

The rules prefer silence to a guess. Only the operator's new words teach, never the assistant's. Pure, linear in the
length of the text, and safe for any string.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from memory.llm.offline.rules import habits, health, home, people, preferences, work
from memory.llm.offline.rules.english.clauses import clauses_in, meant_sentences, starts_role_play
from memory.llm.offline.rules.english.placeholders import is_figure, is_placeholder
from memory.llm.offline.rules.grammar import Clause, Rule, slug, words
from memory.llm.offline.rules.languages import LANGUAGES
from memory.text.normalising import Claim

__all__ = ["Claim", "Turn", "facts_in"]

_MAX_CLAIMS = 12
_MAX_SENTENCES = 400
_MAX_VALUE_CHARS = 120
_NUMBER_OR_TOKEN = re.compile(r"(?:\d[ -]?){6}|\S{30}")
_SURELY_ENGLISH = words("I'm I've I'd I'll i'm the My Our")
_ENGLISH_WORDS = words("I my and you are have what our can this it a was with live work love")
_RULES: tuple[Rule, ...] = (
    *people.RULES,
    *home.RULES,
    *work.RULES,
    *health.RULES,
    *habits.RULES,
    *preferences.RULES,
)
_OF_MANY = words("""
    friend colleague flatmate roommate housemate classmate teammate mentor student pupil assistant apprentice
""")


@dataclass(frozen=True)
class Turn:
    """One message of a chat as plain text; `is_new` if it was not read before."""

    speaker: Literal["operator", "assistant"]
    text: str
    is_new: bool


def facts_in(turns: Sequence[Turn], known_keys: Sequence[str]) -> list[Claim]:
    """The claims that the operator's new turns plainly state: at most twelve, and for each key the last one.

    A key of `known_keys` is used again where it means the same. A role-play teaches nothing.
    """
    said = [turn for turn in turns if turn.speaker == "operator"]
    if any(starts_role_play(turn.text) for turn in said):
        return []
    claims: dict[str, Claim] = {}
    for claim in filter(_is_presentable, _claims(said)):
        key = known_spelling(_own_key(claim), known_keys)
        claims[key] = replace(claim, key=key)
    return list(claims.values())[:_MAX_CLAIMS]


def _is_presentable(claim: Claim) -> bool:
    """Whether a value is a short phrase, and not a placeholder, a long number or a token that may be a secret."""
    if is_placeholder(claim.value) and claim.key.endswith((".name", ".city", ".employer")):
        return False
    if claim.key == "user.name" and is_figure(claim.value):
        return False
    return len(claim.value) <= _MAX_VALUE_CHARS and not _NUMBER_OR_TOKEN.search(claim.value)


def _own_key(claim: Claim) -> str:
    """The key, with the name in it for one of many: a second friend does not overwrite the first."""
    subject, _, attribute = claim.key.partition(".")
    return f"{subject}.{slug(claim.value)}" if attribute == "name" and subject in _OF_MANY else claim.key


def _claims(said: Sequence[Turn]) -> Iterator[Claim]:
    before = sentence_before = ""
    budget = _MAX_SENTENCES
    for turn in said:
        sentences, place = meant_sentences(turn.text)[:budget], 0
        budget -= len(sentences) if turn.is_new else 0
        for sentence in sentences:
            clauses = clauses_in(sentence, before)
            before = clauses[-1].text if clauses else before
            for claim in _claims_of(sentence, clauses, sentence_before) if turn.is_new else ():
                written, place = _as_written(sentence, turn.text, place)
                yield replace(claim, quote=written)
            sentence_before = sentence


def _claims_of(sentence: str, clauses: Sequence[Clause], before: str) -> Iterator[Claim]:
    """The claims of one sentence: the English ones of its clauses, else those of the other languages."""
    yield from chain.from_iterable(_english_claims(clause) for clause in clauses)
    spoken = set(sentence.split())
    if _SURELY_ENGLISH.isdisjoint(spoken) and len(_ENGLISH_WORDS & spoken) < 2:
        kinships = [(language, language.kinship(sentence)) for language in LANGUAGES]
        closest = max(kinship for _, kinship in kinships)
        for language, kinship in kinships:
            if 2 * kinship >= closest or not language.hints:
                yield from language.claims(sentence, before)


def _english_claims(clause: Clause) -> Iterator[Claim]:
    for spelled_out in (people.with_owner_named, preferences.with_thing_named, home.with_town_named):
        clause = replace(clause, text=spelled_out(clause))
    return chain.from_iterable(rule.claims(clause) for rule in _RULES)


def _as_written(sentence: str, text: str, start: int) -> tuple[str, int]:
    """The words of a sentence as they stand in `text` from `start` on, and where; "" where they were put together."""
    said = re.compile(r"\W+".join(re.findall(r"\w+", sentence)) + r"[.!?…。！？]*").search(text, start)
    return (said[0], said.start()) if said else ("", start)


_SAME_MEANING: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "address.city home.city location.city residence.city user.city city address.town home.town location",
        "address.country home.country location.country residence.country country",
        "user.name name operator.name self.name own.name name.first",
        "spouse.name wife.name husband.name",
        "job.title job occupation profession work.title work.role job.role user.job work.job career",
        "job.employer work.employer employer work.company job.company",
        "work.area work.city job.area work.location",
        "diet.type diet preference.diet food.diet",
        "user.birthday birthday birth.date date.birthday birthday.self",
        "user.age age",
        "children.count child.count family.children kids.count children",
        "language.spoken languages.spoken languages language",
        "health.smoking habit.smoking smoking health.smoker",
        "origin.nationality nationality user.nationality",
        "relationship.status marital.status family.status",
        "mother.name mum.name mom.name",
        "father.name dad.name",
        "colleague.name coworker.name",
    )
)
_TASTES = ("preference", "food", "diet", "drink", "like", "likes", "dislike", "dislikes")


def known_spelling(key: str, known_keys: Sequence[str]) -> str:
    """The known key that means the same as `key`, or `key` itself."""
    if key in known_keys:
        return key
    space, _, thing = key.partition(".")
    same = next((group for group in _SAME_MEANING if key in group), frozenset())
    if space in _TASTES and thing:
        same = same | {f"{taste}.{thing}" for taste in _TASTES}
    if key.startswith("health.allergy."):
        same = same | {
            f"{start}{key.removeprefix('health.allergy.')}" for start in ("allergy.", "allergies.", "health.allergies.")
        }
    return next((known for known in known_keys if known in same), key)
