"""What the operator plainly says is no longer true, by hand-written rules: "I no longer live in Portland".

Most such sentences are turned into the plain statement they take back ("I live in Portland"), which the rules of
`rules` read; what they find ends. The rest names a kind of key: a job that was quit, an animal that died. Only known
keys end, never by likeness, and the value that ended goes along where the sentence names one, so that another value
under the same key stays. Pure; prefers silence to a guess.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.llm.offline import rules
from memory.llm.offline.rules import Turn
from memory.llm.offline.rules.english.clauses import starts_role_play
from memory.llm.offline.rules.grammar import words

_MAX_SENTENCE_CHARS = 300
_MAX_SENTENCES = 200
_NAME = r"(?P<name>(?-i:[A-ZÀ-ÖØ-Þ])[\w'’-]+)"
_THING = r"(?P<name>(?-i:[A-ZÀ-ÖØ-Þ])[\w&.'’-]*(?: (?-i:[A-ZÀ-ÖØ-Þ])[\w&.'’-]*){0,3})"
_ANIMAL = "dog|cat|rabbit|hamster|guinea pig|parrot|budgie|horse|fish|turtle|puppy|kitten"
_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]?")
_LEAD = re.compile(
    r"(?:(?:oh|well|so|and|but|also|btw|by the way|unfortunately|sadly|actually|hey|hi|hello|ok|okay|please"
    r"|leider|übrigens|also|und|bitte|malheureusement|s'il te plaît|au fait|lamentablemente|por favor|por cierto"
    r"|purtroppo|per favore)\b[\s,:]*)+",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"\s*(?:[,;:(–—]| - | but | and (?:I|we) | aber | mais | pero | però | ma ).*", re.DOTALL)


@dataclass(frozen=True)
class Ended:
    """A known key that ends. `value`: what ended, "" where the sentence does not say. `asked`: to be forgotten."""

    key: str
    value: str
    quote: str
    asked: bool = False


@dataclass(frozen=True)
class _TakenBack:
    """A pattern, and the plain statement that it takes back, with the pattern's groups in braces."""

    pattern: re.Pattern[str]
    statement: str
    asked: bool = False


def _taken_back(pattern: str, statement: str, *, asked: bool = False) -> _TakenBack:
    return _TakenBack(re.compile(pattern, re.IGNORECASE), statement, asked)


_REWRITTEN = (
    # English
    _taken_back(r"(?P<who>I|we) no longer (?P<rest>.+)", "{who} {rest}"),
    _taken_back(r"(?P<who>I am|I'm|we are|we're) no longer (?P<rest>.+)", "{who} {rest}"),
    _taken_back(
        r"(?P<who>I|we) (?:don't|do not) (?P<rest>.+?) (?:any ?more|any longer)(?P<on>\b.*)", "{who} {rest}{on}"
    ),
    _taken_back(r"(?P<who>I am|I'm|we are|we're) not (?P<rest>.+?) (?:any ?more|any longer)\b.*", "{who} {rest}"),
    _taken_back(rf"(?P<who>I|we)(?:'ve| have)? moved (?:out of|away from) {_THING}(?: .+)?", "{who} live in {name}"),
    _taken_back(rf"(?P<who>I|we)(?:'ve| have)? left {_THING} for good", "{who} live in {name}"),
    _taken_back(r"(?:it's|it is) (?:no longer true|not true any ?more) that (?P<rest>.+)", "{rest}"),
    _taken_back(r"(?:you can |just |now )?forget (?:about it )?that (?P<rest>.+)", "{rest}", asked=True),
    # German
    _taken_back(r"(?P<who>ich|wir) (?P<verb>\w+) nicht mehr (?P<rest>.+)", "{who} {verb} {rest}"),
    _taken_back(r"(?P<who>ich|wir) (?P<verb>\w+) keine?[nmrs]? (?P<rest>.+?) mehr$", "{who} {verb} {rest}"),
    _taken_back(r"(?P<who>ich) (?P<verb>bin) (?:kein|keine) (?P<rest>.+?) mehr$", "{who} {verb} {rest}"),
    _taken_back(r"vergiss,? dass (?P<who>ich|wir) (?P<rest>.+) (?P<verb>\w+)$", "{who} {verb} {rest}", asked=True),
    # French
    _taken_back(r"je n'(?P<verb>\w+) plus (?P<rest>.+)", "j'{verb} {rest}"),
    _taken_back(r"je (?:ne )?(?P<verb>\w+) plus (?P<rest>.+)", "je {verb} {rest}"),
    _taken_back(r"oublie(?:z)? que (?P<rest>.+)", "{rest}", asked=True),
    # Spanish
    _taken_back(r"(?:yo )?ya no (?P<rest>.+)", "{rest}"),
    _taken_back(r"olvid[ae](?:te)?(?: de)? que (?P<rest>.+)", "{rest}", asked=True),
    # Italian
    _taken_back(r"(?:io )?non (?P<verb>(?:mi )?\w+) più (?P<rest>.+)", "{verb} {rest}"),
    _taken_back(r"dimentica(?:ti)? che (?P<rest>.+)", "{rest}", asked=True),
)


@dataclass(frozen=True)
class _Kind:
    """A pattern, and the keys that end by it: those of which one part is among `parts` and the last is `last`."""

    pattern: re.Pattern[str]
    parts: frozenset[str]
    last: frozenset[str]
    asked: bool = False


def _kind(pattern: str, parts: str, last: str = "", *, asked: bool = False) -> _Kind:
    return _Kind(re.compile(pattern, re.IGNORECASE), frozenset(parts.split()), frozenset(last.split()), asked)


_JOB, _EMPLOYER = "job work employer company", "employer company job work"
_KINDS = (
    # A job
    _kind(
        rf"(?:I|we)(?:'ve| have)? (?:just )?(?:quit|left|lost) my (?:old )?job(?: (?:at|with) {_THING})?",
        _JOB,
        _EMPLOYER,
    ),
    _kind(rf"I(?:'ve| have)? (?:just )?(?:resigned from|quit working (?:at|for)) {_THING}", _JOB, _EMPLOYER),
    _kind(
        rf"I (?:was|got|have been|'ve been) (?:just )?(?:fired|laid off|made redundant)(?: (?:from|by|at) {_THING})?",
        _JOB,
        _EMPLOYER,
    ),
    _kind(rf"ich arbeite nicht mehr (?:bei|für) (?:der |dem )?{_THING}", _JOB, _EMPLOYER),
    _kind(
        rf"ich habe (?:meinen job |meine (?:stelle|arbeit) )?(?:bei (?:der |dem )?{_THING} )?gekündigt", _JOB, _EMPLOYER
    ),
    _kind(rf"je ne travaille plus (?:chez|pour|à) {_THING}", _JOB, _EMPLOYER),
    _kind(
        rf"j'ai (?:quitté mon (?:travail|emploi|boulot)|démissionné)(?: (?:chez|de chez|à) {_THING})?", _JOB, _EMPLOYER
    ),
    _kind(rf"ya no trabajo (?:en|para) {_THING}", _JOB, _EMPLOYER),
    _kind(rf"(?:dejé|he dejado|renuncié a) mi (?:trabajo|empleo)(?: en {_THING})?", _JOB, _EMPLOYER),
    _kind(rf"non lavoro più (?:da|per|in|alla|al|presso) {_THING}", _JOB, _EMPLOYER),
    _kind(
        rf"(?:ho lasciato il (?:mio )?lavoro|mi sono licenziat[oa])(?: (?:da|alla|al|in) {_THING})?", _JOB, _EMPLOYER
    ),
    # Smoking
    _kind(r"I(?:'ve| have)? (?:stopped|quit|given up|gave up) smoking", "smoking smoker", "smoking smoker"),
    _kind(r"ich rauche nicht mehr|je ne fume plus|ya no fumo|non fumo più", "smoking smoker", "smoking smoker"),
    # Where somebody lives or works, and names, to be forgotten
    _kind(r"forget where I live", "address home location city", "city country town street home location", asked=True),
    _kind(r"forget where I work", _JOB, _EMPLOYER, asked=True),
    _kind(r"I(?:'ve| have)? sold (?:my|the|our) car", "car vehicle", "model car name"),
)

_HAS_DIED = (
    r"(?: has| just|,? sadly,?)? (?:died|passed away|is dead|is no longer with us|had to be put (?:down|to sleep))"
)
_DIED = (
    rf"(?:we|I)(?:'ve)? had to put (?:(?:my|our) )?(?P<animal>{_ANIMAL}) (?:down|to sleep)",
    rf"(?:we|I)(?:'ve)? had to put {_NAME} (?:down|to sleep)",
    rf"(?:my|our) (?P<animal>{_ANIMAL})(?: {_NAME})?{_HAS_DIED}",
    rf"{_NAME}{_HAS_DIED}",
    rf"(?:wir|ich) mussten? {_NAME} (?:leider )?einschläfern(?: lassen)?",
    rf"{_NAME} (?:ist (?:leider )?(?:gestorben|tot|verstorben)|lebt (?:leider )?nicht mehr)",
    rf"(?:nous avons|on a|j'ai) dû (?:faire )?(?:euthanasier|piquer|endormir) {_NAME}",
    rf"{_NAME} (?:est morte?|est décédée?|n'est plus)",
    rf"(?:tuvimos|tuve) que (?:sacrificar|dormir) a {_NAME}",
    rf"{_NAME} (?:ha muerto|murió|falleció)",
    rf"(?:abbiamo|ho) dovuto (?:far )?(?:sopprimere|addormentare) {_NAME}",
    rf"{_NAME} è mort[oa]",
)
_DEATHS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _DIED)
_NOBODY = words("it he she that this i we they es er sie das il elle ça eso esto lui lei")
_OWN_NAMES = words("user own self operator job company employer project app business")
_VALUE_IN_KEY = ("preference.", "health.allergy.", "hobby.", "schedule.", "likes.", "allergy.", "health.smoking")
_PLACES = ("address.city", "address.country", "home.city", "location", "city")


def endings_in(turns: Sequence[Turn], known_keys: Sequence[str]) -> list[Ended]:
    """What the operator's new turns plainly take back, each key once. A role-play ends nothing."""
    said = [turn for turn in turns if turn.speaker == "operator"]
    if not known_keys or any(starts_role_play(turn.text) for turn in said):
        return []
    ended: dict[str, Ended] = {}
    for turn in said:
        if turn.is_new:
            for sentence in _sentences(turn.text):
                ended.update({one.key: one for one in _ended_by(sentence, known_keys)})
    return list(ended.values())


def _sentences(text: str) -> Iterator[str]:
    """The operator's own statements: no questions, no pasted lines, no code, nothing in quotation marks."""
    fenced = False
    count = 0
    for line in text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced or line.lstrip().startswith((">", "|", "<", '"', "“", "«", "„", "```", "~~~")):
            continue
        for match in _SENTENCE.finditer(line):
            count += 1
            if count > _MAX_SENTENCES:
                return
            sentence = match.group().strip()
            if not sentence.endswith("?") and len(sentence) <= _MAX_SENTENCE_CHARS:
                yield _LEAD.sub("", sentence, count=1) if _LEAD.match(sentence) else sentence


def _ended_by(sentence: str, known_keys: Sequence[str]) -> Iterator[Ended]:
    whole = sentence.rstrip(" .!")
    clause = _CLAUSE_END.sub("", whole)
    told = whole if sentence.lower().startswith("vergiss") else clause
    yield from _by_statement(told, known_keys)
    yield from _by_kind(clause, known_keys)
    yield from _by_death(clause, known_keys)


def _by_statement(clause: str, known_keys: Sequence[str]) -> Iterator[Ended]:
    for rule in _REWRITTEN:
        if match := rule.pattern.fullmatch(clause):
            statement = rule.statement.format(**{name: text or "" for name, text in match.groupdict().items()})
            for claim in rules.facts_in([Turn("operator", statement, True)], known_keys):
                value = "" if claim.key.startswith(_VALUE_IN_KEY) else claim.value
                keys = {claim.key, *(_PLACES if claim.key in _PLACES else ())}
                yield from (Ended(key, value, clause, rule.asked) for key in known_keys if key in keys)


def _by_kind(clause: str, known_keys: Sequence[str]) -> Iterator[Ended]:
    for kind in _KINDS:
        if match := kind.pattern.match(clause):
            name = match.groupdict().get("name") or ""
            for key in known_keys:
                parts = key.split(".")
                if not kind.parts.isdisjoint(parts) and parts[-1] in kind.last:
                    yield Ended(key, name, clause, kind.asked)


def _by_death(clause: str, known_keys: Sequence[str]) -> Iterator[Ended]:
    for pattern in _DEATHS:
        match = pattern.match(clause)
        if match is None:
            continue
        named = match.groupdict()
        name, animal = named.get("name") or "", (named.get("animal") or "").lower()
        if name.lower() in _NOBODY:
            continue
        for key in known_keys:
            parts = key.split(".")
            is_name = parts[-1] == "name" and len(parts) > 1 and _OWN_NAMES.isdisjoint(parts)
            if is_name and (not animal or animal.replace(" ", "_") in parts):
                yield Ended(key, name, clause)
