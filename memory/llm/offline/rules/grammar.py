"""The small grammar in which the offline rules are written: a rule is one line of a table.

A pattern is a regular expression with capitalised tokens for what recurs: `I live in PLACE`. `PLACE`, `NAME`, `THING`
and the like become named groups (`place`, `name`, `thing`), and a rule's key and value name these groups in braces.
Patterns are matched from the start of a clause, so "he says I live in Graz" can never pass for "I live in Graz".

Rows of the tables often have the same shape. They stay written out, row by row and language by language, so that each
statement can be read and changed by itself.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from memory.text.normalising import Claim

Stance = Literal["stated", "requested", "asked", "unsure"]


@dataclass(frozen=True)
class Clause:
    """One simple statement of the operator, and how it was meant.

    `text` starts with its subject or verb: greetings and lead-ins such as "by the way" are removed, contractions are
    written out. `before` is the previous clause, for pronouns. `is_temporary`: it holds only for a while ("until
    Sunday") or no longer. `after_greeting`: it follows a "hello". `is_lower`: it was typed without any capital.
    """

    text: str
    before: str = ""
    stance: Stance = "stated"
    is_temporary: bool = False
    after_greeting: bool = False
    is_lower: bool = False


_CAPITALS = "".join(chr(code) for code in range(0x41, 0x530) if chr(code).isupper())
_CAPITALISED = rf"(?-i:[{_CAPITALS}])(?:[^\W_]|['’-](?!s\b)(?=\w))*"
_NAME = rf"(?P<name>(?:(?:Dr|Mr|Mrs|Ms)\.? )?{_CAPITALISED}(?: (?:van |de |von )?{_CAPITALISED}){{0,2}})"
_PLACE = (
    rf"(?P<place>(?:(?:the|la|le|den|el|st\.?) "
    rf")?{_CAPITALISED}(?:[ -](?:(?:am|an der|upon|sur|de|de la|del|la|do|da|of) )?{_CAPITALISED}){{0,2}})"
)
_AND = r"(?:and|or|und|oder|et|y|e|och|eller|en|of|ja|ou|o|og)"
_ITEM = rf"[^\W_][\w'’-]*(?: (?!{_AND}\b)[\w'’%+-]+){{0,4}}"
_LIST = rf"{_ITEM}(?:(?:, {_ITEM}){{0,6}},? {_AND} (?!I\b|we\b){_ITEM})?"
_NUMBER = r"(?P<number>two|three|four|five|six|seven|eight|nine|ten|\d{1,2})"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_WHEN = (
    rf"(?P<when>(?:(?:every|each) (?:other |second |single )?(?:{_DAY}|day|morning|evening|night|afternoon|week"
    rf"|weekend|month|summer|winter|spring|autumn|weekday)|(?:on |most )?{_DAY}s\b|on weekdays|on weekends|at "
    rf"weekends|weekly|daily|in the (?:morning|evening|afternoon)s|(?:once|twice|\w+ times) (?:a|per) "
    rf"(?:day|week|month|year)|on (?:{_DAY} )(?:mornings|evenings|nights|afternoons)|most "
    rf"(?:days|mornings|evenings|nights|weekends)).*)"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DATE = (
    rf"(?P<date>(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b(?:,? \d{{4}})?|{_MONTH} "
    rf"(?:the )?\d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?"
    r"|halloween|christmas(?: day| eve)?|new year's (?:eve|day)|valentine's day|leap day"
    r"|\d{1,2}[./]\d{1,2}\.?(?:[./]?\d{2,4})?|\d{4}-\d\d-\d\d)"
)
_TOKENS = {
    "WE": r"(?:I|we|(?:my|our) \w+(?: (?-i:[A-Z])\w+)? and I)",
    "NAME": _NAME,
    "PLACE": _PLACE,
    "THING": rf"(?P<thing>{_LIST})",
    "NUMBER": _NUMBER,
    "WHEN": _WHEN,
    "DATE": _DATE,
    "DAY": _DAY,
    "YEAR": r"(?P<year>(?:19|20)\d\d)",
    "END": r"(?=\s*(?:[,.!?;]|$))",
}
_PART_ENDS = r"(?=[ .!?]*$|,| (?:and|und|et|y|e|en|och|og|i|but|aber|mais|pero|ma|mas|maar|men|ale) )"
_LOWER_TOKENS = {
    **_TOKENS,
    "NAME": rf"(?P<name>[^\W\d_]{{2,20}}){_PART_ENDS}",
    "PLACE": r"(?P<place>[^\W\d_]{3,20}(?: (?!(?:and|und|but|aber|mais|pero|maar|och|men|ale)\b)[^\W\d_]{3,20})?)"
    + _PART_ENDS,
}

Fields = Mapping[str, str]


def words(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())


def kinds(table: str) -> dict[str, str]:
    """Word to the key's word for it, from lines such as `dog: puppy hound`."""
    lines = (line.split(": ") for line in table.strip().splitlines())
    return {word: kind.strip() for kind, words in lines for word in words.split()}


Check = Callable[[Fields], bool]


@dataclass(frozen=True)
class Rule:
    """One line of a rule table: a pattern, and the claim that it makes of a clause.

    `key` and `value` are templates over the groups of `pattern`; in a key a group is written as a slug. A group called
    `rest` may be empty.

    - `anywhere`: the pattern may match in the middle of a clause.
    - `presupposed`: the clause takes the claim for granted, so a question, a doubt or a time word does not matter
      ("what should I buy for my dog Beans?").
    - `any_time`: time words alone do not matter ("we moved to Zagreb last month").
    - `only_after_greeting`: the clause must follow a "hello".
    - `each`: the value is a list, and each item makes a claim of its own.
    - `holds`: a condition on the groups; a match that fails it is ignored.
    - `words`: further tokens for the pattern.
    - `kinds`: the word that a key uses for a thing ("puppy" -> "dog").
    - `plain`: the plain form of an inflected value ("Turu" -> "Turku").
    - `joint`: what stands between the items of a list.
    """

    pattern: str
    key: str
    value: str
    confidence: float = 0.9
    anywhere: bool = False
    presupposed: bool = False
    any_time: bool = False
    stance: Stance = "stated"
    each: bool = False
    holds: Check = lambda fields: True
    only_after_greeting: bool = False
    words: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    plain: Mapping[str, str] = field(default_factory=dict)
    joint: str = rf",(?: {_AND} )?| {_AND} "

    @cached_property
    def _cased(self) -> re.Pattern[str]:
        return _compiled(self.pattern, {**_TOKENS, **self.words})

    @cached_property
    def _lower(self) -> re.Pattern[str] | None:
        """The pattern for writers who use no capitals, where it has a name or a place."""
        wants_capitals = re.search("NAME|PLACE", self.pattern) and not (self.anywhere or self.only_after_greeting)
        return _compiled(self.pattern, {**_LOWER_TOKENS, **self.words}) if wants_capitals else None

    def claims(self, clause: Clause) -> Iterator[Claim]:
        """The claims that this rule finds in `clause`; most of the time none."""
        if not self._applies_to(clause):
            return
        for match, confidence in self._matches(clause):
            fields: dict[str, str] = {}
            for name, text in match.groupdict(default="").items():
                base = name.partition("__")[0]
                fields[base] = fields.get(base) or self.plain.get(tidy(text), tidy(text))
            if "when" in fields:
                fields["when"] = re.sub(r"^(?:Every|Each|On|Most|Once|Twice|In|At)\b", _lowered, fields["when"])
            if all(fields[name] for name in self._needed(fields)) and self.holds(fields):
                yield from self._worded(fields, confidence)

    def _applies_to(self, clause: Clause) -> bool:
        if self.only_after_greeting and not clause.after_greeting:
            return False
        if self.presupposed:
            return True
        is_meant = clause.stance == self.stance or (clause.stance == "stated" and self.stance == "requested")
        return is_meant and (self.any_time or not clause.is_temporary)

    def _matches(self, clause: Clause) -> Iterator[tuple[re.Match[str], float]]:
        text = clause.text
        if text.isupper():
            return
        found = list(self._cased.finditer(text)) if self.anywhere else [self._cased.match(text)]
        lower = self._lower if clause.is_lower and not any(found) else None
        if lower:
            match = lower.match(text)
            if match and not _is_plain_word(match):
                yield match, min(self.confidence, 0.7)
        yield from ((match, self.confidence) for match in found if match)

    def _needed(self, fields: Fields) -> list[str]:
        return [name for name in fields if name != "rest" and f"{{{name}}}" in self.key + self.value]

    def _worded(self, fields: Fields, confidence: float) -> Iterator[Claim]:
        items = listed(fields["thing"], self.joint) if self.each else [fields.get("thing", "")]
        for item in items:
            filled = {**fields, "thing": item}
            slugs = {name: slug(text) for name, text in filled.items()}
            key = self.key.format(**{name: self.kinds.get(part, part) for name, part in slugs.items()})
            yield Claim(key, " ".join(self.value.format(**filled).split()), confidence)


_OPTIONS = frozenset(("any_time", "each", "anywhere", "presupposed", "requested", "greeted"))


def joined_rows(table: str) -> list[str]:
    """The rows of a table. A line indented by two goes on after a space where the one before ended, by four without."""
    return table.strip().replace("\n    ", "").replace("\n  ", " ").splitlines()


def rules_of(
    table: str,
    checks: Mapping[str, Check] = MappingProxyType({}),
    tokens: Mapping[str, str] = MappingProxyType({}),
    kinds: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Rule, ...]:
    """The rules of a table with rows `key = value @confidence option +check: pattern`.

    Confidence (0.9 where left out), options (the flags of `Rule`, and `requested`, `greeted`) and check may be missing.
    """
    return tuple(_rule(row, checks, tokens, kinds) for row in joined_rows(table))


def _rule(row: str, checks: Mapping[str, Check], tokens: Mapping[str, str], kinds: Mapping[str, str]) -> Rule:
    head, pattern = row.split(": ", 1)
    key, *given = head.split(" ")
    options = [word for word in given[1:] if word in _OPTIONS or word[0] in "@+"]
    return Rule(
        pattern,
        key,
        " ".join(word for word in given[1:] if word not in options),
        next((float(word[1:]) for word in options if word[0] == "@"), 0.9),
        any_time="any_time" in options,
        each="each" in options,
        anywhere="anywhere" in options,
        presupposed="presupposed" in options,
        stance="requested" if "requested" in options else "stated",
        only_after_greeting="greeted" in options,
        holds=next((checks[word[1:]] for word in options if word[0] == "+"), lambda fields: True),
        words=tokens,
        kinds=kinds,
    )


def _compiled(pattern: str, tokens: Mapping[str, str]) -> re.Pattern[str]:
    """The pattern with its tokens spelled out. Groups are numbered, so that a token may stand in it more than once."""
    token = "|".join(sorted(tokens, key=len, reverse=True))
    spelled = pattern
    for _ in range(2):  # a token may be spelled with others
        spelled = re.sub(token, lambda found: tokens[found[0]], spelled)
    count: Counter[str] = Counter()

    def numbered(group: re.Match[str]) -> str:
        count[group[1]] += 1
        return f"(?P<{group[1]}__{count[group[1]]}>"

    return re.compile(re.sub(r"\(\?P<(\w+)>", numbered, spelled), re.IGNORECASE)


_PLAIN_WORDS = words("""
    a an the my your not no now so very too quite really just also called named still hope fear peace sin hiding
    exile harmony poverty debt town bed love pain agony denial comfort luxury style limbo misery darkness chaos
    squalor secret hard long short funny weird silly stupid unusual difficult easy common rare great nice good
    bad cute perfect pretty important irrelevant unknown private confidential hidden old new boring awful
    terrible beautiful similar different there here that this it what who me him her them back later again
    tomorrow today maybe crazy names after like home finnish swedish german french english spanish italian dutch
    danish norwegian russian polish greek ok okay one
    apartamento appartamento appartement piso casa haus wohnung huis maison campo campagna campagne côté centro centre
    centrum città ciudad cidade ville stadt stad dorf dorp pueblo paese village villaggio quartiere barrio bairro
    banlieue affitto miete colocation coloc provincia province montagna montagne mare playa praia
""")


def _lowered(match: re.Match[str]) -> str:
    return match[0].lower()


def _is_plain_word(match: re.Match[str]) -> bool:
    """Whether a lower-case name or place is only an everyday word: "my name is long", "in eternal winter".

    Two words count as a place only where the first often begins the name of a town, as in "san diego".
    """
    groups = match.groupdict(default="")
    first_word, *others = (groups.get("name__1") or groups["place__1"]).casefold().split()
    return first_word in _PLAIN_WORDS or (bool(others) and first_word not in _TOWNS_BEGIN)


_TOWNS_BEGIN = words("""
    san santa santo saint st los las la le les el den the port porto puerto fort cape hong kuala buenos rio são sao
    tel bad great north south east west upper lower nueva nova novi nizhny mount lake salt abu addis ho phnom palo
    ciudad villa belo kansas oklahoma mexico panama quebec baton des little long grand green big cedar colorado
    palm beverly virginia newcastle stoke milton royal aix mar ban banja
""")


_TRAILING = re.compile(
    r"(?:^| )(?:so|because|since|but|as|when|whenever|which|that|who|although|though|while|please|if|unless|anyway"
    r"|by the way|btw|now|too|as well|also|very much|a lot|so much|more than anything|these days|nowadays|at all"
    r"|any ?more|either|right now|at the moment|myself|again|lately|though|yet|for (?:years|ages|\w+ years)|since "
    r"\d{4}|darum|deshalb|deswegen|aber|weil|sehr|donc|mais|parce que|così|quindi|perché|però|porque|pero|así que"
    r"|entonces|därför|eftersom|dus|omdat|então|por isso|portanto|joten|koska|mutta|siksi|car (?:je|j'|c'|il|elle)"
    r"|men (?:jag|vi|det|inte)|want (?:ik|het|dat)|mas (?:eu|não))(?: .*)?$",
    re.IGNORECASE,
)


def tidy(text: str) -> str:
    """`text` without a trailing remark ("tea these days" -> "tea") and without punctuation around it."""
    return _TRAILING.sub("", " ".join(text.split())).strip(" ,.;:!?-'’\"")


def listed(text: str, joint: str) -> list[str]:
    """The items of a spoken list: "nuts, soy and eggs" -> ["nuts", "soy", "eggs"]."""
    parts = re.split(joint, text)
    return [part for part in map(tidy, parts) if part][:4]


def slug(text: str) -> str:
    """`text` as a part of a key: lower case, no article, at most three words and no "in ...", joined by `_`."""
    text = re.sub(r"(?<=\w) (?:in|on|at|with|without|for|from|over|to|when|under) .*", "", text)
    words = re.findall(r"[^\W_]+", text.casefold())
    if len(words) > 1 and words[0] in {"the", "a", "an", "my", "our", "to", "some"}:
        words = words[1:]
    return "_".join(words[:3])
