"""Every key that the offline rules can make reads as a sentence in the prompt."""

import re

import pytest

from memory.llm.offline import rules
from memory.llm.offline.rules import people
from memory.llm.offline.rules.languages import LANGUAGES
from memory.text.wording import sentence

GROUPS = {"children", "kids", "sons", "daughters", "cats", "dogs", "brothers", "sisters", "siblings"}
ANY = dict.fromkeys(("thing", "what", "drink", "act", "game"), "x")


def named(*patterns: str) -> set[str]:
    """The words of the keys for the plain words in these patterns."""
    found = {word for pattern in patterns for word in pattern.split("|") if re.fullmatch("[a-z -]+", word)}
    slugs = {re.sub("[ -]", "_", word) for word in found}
    return {people._KINDS.get(slug, slug) for slug in slugs}


def keys() -> set[str]:
    """All keys of all rules: one for each word that `{who}` can be, and `x` for what the operator says."""
    kin = named(people._FAMILY)
    everyone = kin | named(people._PETS, people._FRIENDS, people._THINGS)
    made = set()
    for rule in rules._ENGLISH:
        subjects = everyone if rule.key.endswith(".name") else GROUPS if rule.key.endswith(("names", "count")) else kin
        made |= {rule.key.format(who=one, **ANY) for one in subjects}
    for language in LANGUAGES:
        for rule in (*language.affirming, *language.denying, *language.in_passing):
            subjects = set(rule.kinds.values())
            subjects &= GROUPS if rule.key.endswith(("names", "count")) else subjects - GROUPS
            made |= {rule.key.format(who=one, **ANY) for one in subjects}
    return made


@pytest.mark.parametrize("key", sorted(keys()))
def test_a_key_has_a_sentence(key: str) -> None:
    assert sentence(key, "v") != f"{key}: v"


@pytest.mark.parametrize("subject", sorted(rules._OF_MANY))
def test_one_of_many_has_a_sentence(subject: str) -> None:
    assert sentence(f"{subject}.sam", "Sam") == f"Your {subject}, sam: Sam."
