"""Every key that an offline rule or the extraction prompt's examples can make reads as a sentence."""

import re
from collections.abc import Iterator

import pytest

from memory.learning import extraction
from memory.llm.offline import rules
from memory.llm.offline.rules.grammar import Rule
from memory.text.wording import sentence

_WORDS_IN_PATTERN = re.compile(r"[a-zé][a-zé\- ]+")


def spoken(pattern: str) -> list[str]:
    """The plain alternatives of a group that lists words, optional endings left out."""
    listed = re.sub(r"\(\?P<\w+>|\(\?:[^)]*\)\??|[()]", "", pattern).replace("é?e", "é").replace("?", "")
    return [word for word in listed.split("|") if _WORDS_IN_PATTERN.fullmatch(word)]


def subjects(rule: Rule) -> Iterator[str]:
    """Whom a rule's `{who}` can stand for, as parts of a key: the lists of its pattern, or any noun."""
    lists = [words for name, words in rule.words.items() if name in rule.pattern and "<who>" in words]
    if "(?P<who>pets" in rule.pattern:
        lists.append("pets|siblings|cats|dogs")
    spelled = [word for words in lists for word in spoken(words)] or ["accordion"]
    for word in spelled:
        part = word.replace(" ", "_").replace("-", "_")
        if rule.holds({"who": word, "name": "Sirpa"}):
            yield rule.kinds.get(part, part)


def rule_keys() -> set[str]:
    keys: set[str] = set()
    for rule in rules._RULES:
        whos = subjects(rule) if "{who}" in rule.key else [""]
        keys |= {re.sub(r"\{\w+\}", "sirpa", rule.key.replace("{who}", who)) for who in whos}
    return keys


def prompt_keys() -> set[str]:
    return set(re.findall(r"(?<![\w.])[a-z_]+\.[a-z_]+(?![\w.])", extraction.PROMPT))


@pytest.mark.parametrize("key", sorted(rule_keys()))
def test_a_rules_key_reads_as_a_sentence(key: str) -> None:
    assert sentence(key, "Sirpa").startswith(("Your ", "You ", "The "))


def test_every_key_in_the_prompt_reads_as_a_sentence() -> None:
    keys = prompt_keys()
    assert {"dog.name", "hobby.chess", "preference.coffee"} <= keys
    assert not [key for key in keys if sentence(key, "x") == f"{key}: x"]


def test_the_walk_meets_every_kind_of_subject() -> None:
    keys = rule_keys()
    assert {"kitten.name", "puppy.name", "aunt.name", "children.names", "mother.city", "accordion.name"} <= keys
