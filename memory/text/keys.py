"""Which keys are one key in other letters, and which keys contradict each other. Pure, on keys in normal form.

A key is never rewritten: whatever spelling is stored is found under every other one, and stays as it is.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice, product


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_IRREGULAR = {
    "child": "children",
    "person": "people",
    "wife": "wives",
    "mouse": "mice",
    "goose": "geese",
    "grandchild": "grandchildren",
    "stepchild": "stepchildren",
    "housewife": "housewives",
    "activity": "activities",
}
_PLURALS = _IRREGULAR | {plural: single for single, plural in _IRREGULAR.items()}
_COLLECTIONS = _words("""
    allergy allergies hobby hobbies pet pets interest interests preference preferences like likes dislike
    dislikes language languages skill skills medication medications intolerance intolerances diet diets
    sport sports instrument instruments child children kid kids sibling siblings
""")
"""Names that are a collection also where they end a key: `health.allergies` is `health.allergy`."""

ONE_OF_MANY = _words("""
    friend best_friend classmate teammate roommate flatmate housemate neighbour neighbor colleague coworker
    aunt uncle niece nephew cousin godson goddaughter godfather godmother mentor student pupil assistant
    apprentice
""")
"""Of these one has several, so each may be named by a key of their own: `aunt.sirpa`."""

_FOLDED_PARTS = 2
_MOST_SPELLINGS = 160
_MOST_SEPARATORS = 2
_NAME_CHARS = 128


def other_spellings(key: str) -> list[str]:
    """Every key that means the same: hyphen, space or underscore between words, singular or plural of a namespace.

    At most 160, the key itself not among them. Whatever it lists lists the key in turn.
    """
    spelled = dict.fromkeys(islice((other for form in _folded(key) for other in _separated(form)), _MOST_SPELLINGS))
    spelled.pop(key, None)
    return list(spelled)


def _folded(key: str) -> Iterator[str]:
    """The key in singular and plural: of its first two namespaces, and of its last part where that is a collection."""
    *namespaces, name = key.split(".")
    forms = [_numbers(part) if place < _FOLDED_PARTS else [part] for place, part in enumerate(namespaces)]
    forms.append([form for form in _numbers(name) if form in _COLLECTIONS] if name in _COLLECTIONS else [name])
    return (".".join(form) for form in product(*forms))


def _numbers(part: str) -> list[str]:
    """A name in singular and plural, as far as rules can tell; forms that are no word find no key."""
    forms = [part, _PLURALS.get(part, ""), f"{part}s"]
    if part.endswith("s"):
        forms.append(part[:-1])
    if part.endswith("ies"):
        forms.append(f"{part[:-3]}y")
    elif part.endswith("y"):
        forms.append(f"{part[:-1]}ies")
    if part.endswith(("ses", "xes", "zes", "ches", "shes")):
        forms.append(part[:-2])
    elif part.endswith(("s", "x", "z", "ch", "sh")):
        forms.append(f"{part}es")
    return [form for form in dict.fromkeys(forms) if form]


def _separated(key: str) -> Iterator[str]:
    """The key with `_`, `-` and spaces between words: each in its place, all alike where there are many places."""
    pieces = re.split(r"[_ -]", key)
    yield "_".join(pieces)
    if len(pieces) - 1 <= _MOST_SEPARATORS:
        for marks in islice(product("_-", repeat=len(pieces) - 1), 1, None):
            yield "".join(piece + mark for piece, mark in zip(pieces, [*marks, ""], strict=True))
    elif len(pieces) > 1:
        yield "-".join(pieces)
    if len(pieces) > 1:
        yield " ".join(pieces)


def as_key_part(value: str) -> str:
    """A value as a part of a key: "Sirpa L." -> sirpa_l."""
    return "_".join(re.findall(r"[^\W_]+", value[:_NAME_CHARS].casefold()))


def other_naming(key: str, value: str) -> str | None:
    """The other key that may name the same person: of `aunt.name` and `aunt.sirpa`, where the value is Sirpa."""
    who, _, rest = key.partition(".")
    name = as_key_part(value)
    if who not in ONE_OF_MANY or not name:
        return None
    if rest == "name" and name != "name":
        return f"{who}.{name}"
    return f"{who}.name" if rest == name else None


# --- what is worth keeping ------------------------------------------------------------------------------------------

_VITAL_NAMESPACES = _words("health medical medication medications allergy allergies intolerance intolerances emergency")
_VITAL_WORDS = _words("""
    allergy allergies allergic anaphylaxis intolerance intolerances medication medications emergency epilepsy diabetes
    blood_type blood_group pacemaker organ_donor
""")
_HABITS = _words("smoking smoker diet sport sports fitness weight")


def is_worth_keeping(key: str) -> bool:
    """Whether a fact with this key is of the kind that should not fade: of health, an allergy, whom to call.

    Pages offer to keep such facts, whatever their value says; they keep none by themselves.
    """
    parts = key.replace("-", "_").replace(" ", "_").split(".")
    if parts[0] in _VITAL_NAMESPACES:
        return len(parts) == 1 or parts[1] not in _HABITS
    words = set(parts) | {word for part in parts for word in part.split("_")}
    return not _VITAL_WORDS.isdisjoint(words)


# --- opposites ------------------------------------------------------------------------------------------------------

_FOR = ("like", "likes", "love", "loves", "enjoy", "enjoys")
_AGAINST = ("dislike", "dislikes", "hate", "hates", "loathe", "detest")
_WANTED, _AVOIDED = ("want", "wants"), ("avoid", "avoids")
_OPPOSITES = {
    one: others
    for group, others in ((_FOR, _AGAINST), (_AGAINST, _FOR), (_WANTED, _AVOIDED), (_AVOIDED, _WANTED))
    for one in group
}
_NEGATION = re.compile(
    r"(?:has_no|has_not|is_not|does_not|do_not|did_not|no_longer|no|not|never|without|non|isnt|doesnt|dont)_(?P<rest>.+)"
)
_AFFIRMATION = re.compile(r"(?:has|have|is|does|with)_(?!no_|not_|no$|not$)(?P<rest>.+)")
_NEGATIONS = ("no_", "not_", "without_", "has_no_", "is_not_", "never_")
_AFFIRMATIONS = ("", "has_", "is_", "have_")


def opposite_keys(key: str) -> list[str]:
    """The keys that say the contrary: `like.x` and `dislike.x`, `allergy.x` and `no_allergy.x`, want and avoid.

    In singular and plural, with underscores or with hyphens.
    """
    parts = key.replace("-", "_").replace(" ", "_").split(".")
    found: dict[str, None] = {}
    for place, part in enumerate(parts):
        for other in _opposites_of(part):
            opposite = ".".join([*parts[:place], other, *parts[place + 1 :]])
            found |= dict.fromkeys(form for folded in _folded(opposite) for form in (folded, folded.replace("_", "-")))
    return list(found)


def is_negative(key: str) -> bool:
    """Whether a key is the denying side of two that contradict: `dislike.x`, `no_allergy.x`, `avoid.x`.

    Of any two that contradict, one is.
    """
    parts = key.replace("-", "_").replace(" ", "_").split(".")
    return any(part in _AGAINST or part in _AVOIDED or _NEGATION.fullmatch(part) for part in parts)


def _opposites_of(part: str) -> Iterable[str]:
    negated = _NEGATION.fullmatch(part)
    if negated:
        yield from (f"{start}{negated['rest']}" for start in _AFFIRMATIONS)
        return
    yield from _OPPOSITES.get(part, ())
    affirmed = _AFFIRMATION.fullmatch(part)
    yield from (f"{start}{affirmed['rest'] if affirmed else part}" for start in _NEGATIONS)
