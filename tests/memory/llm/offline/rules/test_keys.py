"""Every key that the offline rules can make reads as a sentence in the prompt."""

import re

import pytest

from memory.llm.offline import rules
from memory.llm.offline.rules import people
from memory.llm.offline.rules.languages import LANGUAGES
from memory.text.wording import sentence

ENGLISH_WORDS = re.findall(r"[a-z_-]{3,}", people._PETS + people._FAMILY + people._THINGS)
ANY = dict.fromkeys(("thing", "what", "drink", "act", "game"), "x")


def keys() -> set[str]:
    """All keys of all rules: one for each word that `{who}` can be, and `x` for what the operator says."""
    made: set[str] = set()
    everyone = {people._KINDS.get(word.replace("-", "_"), word) for word in ENGLISH_WORDS if "_" not in word}
    tables = [(rules._ENGLISH, everyone - {"sourdough", "starter", "guinea", "law", "twin"})]
    tables += [((*one.affirming, *one.denying, *one.in_passing), set()) for one in LANGUAGES]
    for table, words in tables:
        for rule in table:
            groups = set(rule.kinds.values()) & {"children", "sons", "daughters", "cats", "dogs"}
            who = groups if rule.key.endswith(("names", "count")) else set(rule.kinds.values()) | words
            made |= {rule.key.format(who=one, **ANY) for one in who or {"x"}}
    return made


@pytest.mark.parametrize("key", sorted(keys()))
def test_a_key_has_a_sentence(key: str) -> None:
    assert sentence(key, "v") != f"{key}: v"


@pytest.mark.parametrize("subject", sorted(rules._OF_MANY))
def test_one_of_many_has_a_sentence(subject: str) -> None:
    assert sentence(f"{subject}.sam", "Sam") == f"Your {subject}: Sam."
