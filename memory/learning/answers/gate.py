"""The one gate for what an extractor's answer claims: which entries may become facts, and why the others may not.

What is refused is refused entry by entry (decision 5) and counted by reason. Pure: the database is not asked.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from memory.text import normalising, placeholders, unknown_values
from memory.text.normalising import Claim

Refusal = Literal["malformed", "secret", "unknown_value", "placeholder", "prompt_example", "too_many"]
"""Why an entry may not become a fact.

malformed: no key and value of a usable shape, or a confidence that is no number. secret: it has the shape of one.
unknown_value: it says that nothing is known. placeholder: a template that was not filled in, or an echo of the schema.
prompt_example: copied from the prompt. too_many: an answer may teach only so much, and others were more certain.
"""

EARLIER_EXAMPLES = ("coffee black, no sugar",)
"""Values that the prompt of an earlier edition showed; models that were tuned on its answers may still give them."""

_QUOTED = re.compile(r"\"([^\"\n]{2,120})\"")
_WORD = re.compile(r"[^\W_]+")
_ALWAYS_THERE = frozenset(
    {"name", "full_name", "first_name", "last_name", "surname", "age", "birthday", "city", "title"}
)
"""What everybody has: "none" is no statement about it."""


@dataclass(frozen=True)
class Passed:
    """The claims that may become facts, in the answer's order, and how many entries were refused for which reason."""

    claims: Sequence[Claim]
    refused: Mapping[Refusal, int] = field(default_factory=dict)


def check(entries: Iterable[JsonValue], *, prompt: str, said: Sequence[str], max_facts: int) -> Passed:
    """The entries of an answer that may become facts.

    `prompt`: the text that the model was given, whose examples are no facts. `said`: the operator's new words, which
    make an example, or a bare "none", their own statement. Of more than `max_facts` the most confident pass.
    """
    examples = _examples_in(prompt)
    heard = _words(" ".join(said))
    denied = unknown_values.denies(said)
    claims: list[Claim] = []
    refused: Counter[Refusal] = Counter()
    for entry in entries:
        claim = normalising.parse_claim(entry)
        reason = normalising.why_no_claim(entry) if claim is None else _refusal(claim, examples, heard, denied=denied)
        if claim is None or reason:
            refused[reason or "malformed"] += 1
        else:
            claims.append(claim)
    kept = _most_confident(claims, max_facts)
    refused["too_many"] += len(claims) - len(kept)
    return Passed(kept, {reason: count for reason, count in sorted(refused.items()) if count})


def _refusal(claim: Claim, examples: Sequence[Sequence[str]], heard: Sequence[str], *, denied: bool) -> Refusal | None:
    if placeholders.is_placeholder(claim.key, claim.value):
        return "placeholder"
    if unknown_values.says_nothing(claim.value):
        is_said = unknown_values.may_be_name(claim.value) and claim.value.casefold() in heard
        return None if is_said else "unknown_value"
    if unknown_values.is_none(claim.value) and not _is_statement(claim, denied=denied):
        return "unknown_value"
    return "prompt_example" if _is_example(claim.value, examples, heard) else None


def _is_statement(claim: Claim, *, denied: bool) -> bool:
    """Whether a bare "none" or "no" states something: a "no" does, a "none" where the operator denied something."""
    if claim.key.rpartition(".")[2] in _ALWAYS_THERE:
        return False
    return denied or unknown_values.is_no(claim.value)


def _most_confident(claims: Sequence[Claim], most: int) -> list[Claim]:
    """At most so many claims, in their order; of two equally confident ones the first."""
    places = sorted(range(len(claims)), key=lambda place: -claims[place].confidence)[:most]
    return [claims[place] for place in sorted(places)]


# --- the prompt's own examples --------------------------------------------------------------------------------------


def _examples_in(prompt: str) -> list[list[str]]:
    """Everything that a prompt shows in quotation marks, as words: its examples, whatever they are at the time."""
    return [words for text in (*_QUOTED.findall(prompt), *EARLIER_EXAMPLES) if (words := _words(text))]


def _is_example(value: str, examples: Sequence[Sequence[str]], heard: Sequence[str]) -> bool:
    """Whether a value is an example of the prompt, or holds one of several words, that the operator did not say."""
    words = _words(value)
    own = set(heard)
    return any(
        words == list(example) or (len(example) > 1 and _holds(words, example))
        for example in examples
        if not all(word in own for word in _telling(example))
    )


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(list(words[start : start + len(part)]) == list(part) for start in range(len(words) - len(part) + 1))


def _telling(words: Sequence[str]) -> Sequence[str]:
    """The words that tell something: all of more than two letters, or all where there is none."""
    return [word for word in words if len(word) > 2] or words


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
