"""The languages other than English: each is one table, and one engine reads them all.

A line of a table is `field: value`; a line that is indented goes on where the one before ended, after a space. A field
that names a kind of statement (`home`, `job`, `like`, ...) holds one frame, a regular expression with the tokens of
`grammar` and of this module in capitals: `home: ich wohne in PLACE`. Frames of one kind make the same claim in every
language. The other fields say how the language works:

- `hints`: words of which a sentence holds at least one; without it, every sentence is read.
- `and`, `but`: the words that join two clauses; `subject`: what a clause after them leaves out, where the operator is
  still spoken of: since a clause with a word of `own`, or a sentence that opens with one of `opens`, and up to one that
  begins with one of `others` or goes on about somebody with a word of `relative`.
- `lead`: words that may stand before a statement; `filler`: words that may stand anywhere in it and say nothing.
- `stop`: words that end a thing or a job; `not`: words that turn a statement round; `ask`: words that open a question.
- `never`: a sentence with one of these is a doubt, a condition, somebody else's, past, or for a while.
- `wants`: a clause with one of these is a wish or a plan, and what follows it too; what stands before it is not.
- `soon`: a clause with one of these is about one day, and states nothing from there on, but may name somebody
  in passing ("tomorrow my wife Anna ...").
- `resumes`: what follows a joining word where a negation ends there; left out where every joining word ends it.
- `inverts`: "yes" where a word of `own` stands after the verb in a question, even one without its mark.
- `verb`: how «V» in a frame is spelled out, with its subject: `(?:ich (?:V)|(?:V) ich)`.
- `pretend`: what is said from here on is play, fiction or a thought experiment.
- `my`: of the operator; `who`: words of the keys, each with the language's words for it; `jobs`: how a job ends.
- `allergic`, `allergic_to`, `without`: how one is allergic to something named before, the same with `_` for the thing,
  and after which words it was named.
- `there`, `live_in`, `places`: how one lives "there", the same with `_` for the town, the prepositions before a town.
- `nor`: what joins things that are all denied ("ni viande ni poisson").
- `no`: how a thing is denied, with `_` for the thing; `plain`: inflected values and their plain form, as `Turu=Turku`.
- `clipped`: "yes" where a verb may lose its last "e" in speech ("ich nehm").
- `the`: the article before an animal whose name follows in brackets; `the_named`: before one whose name just follows.
- `have`: "I have" and "we have", in any order of words
- `with_me`: "and I", where the verb shows that two are spoken of.
- `final`: "yes" where the verb of saying stands behind what is said.
- `plurals`: "no" where a noun stays as it is after a number; `spaced`: "no" for a script without spaces.

Keys are English in every language ("Hund" is a `dog`); values stay in the operator's language.
"""

import re
from collections.abc import Iterator, Mapping

from memory.llm.offline.rules.grammar import Rule, joined_rows, slug, words
from memory.llm.offline.rules.international import BREEDS, DRUG, ILL, NOT_OF, PETS, RIDE_BY_DRIVER, RIDE_OF_A_MAKE
from memory.llm.offline.rules.languages.checks import CHECKS, always, is_job
from memory.llm.offline.rules.languages.language import Language, Reference

_NOTHING = r"(?!)"
_CLAIMS: dict[str, tuple[str, str, float]] = {
    "name": ("user.name", "{name}", 0.95),
    "introduced": ("user.name", "{name}", 0.75),
    "home": ("address.city", "{place}", 0.95),
    "country": ("address.country", "{place}", 0.95),
    "from": ("origin.place", "{place}", 0.9),
    "born": ("birth.place", "{place}", 0.9),
    "nation": ("origin.nationality", "{what}", 0.9),
    "age": ("user.age", "{number}", 0.9),
    "birthday": ("user.birthday", "{date}", 0.95),
    "birthyear": ("birth.year", "{year}", 0.9),
    "job": ("job.title", "{job}", 0.9),
    "am": ("job.title", "{job}", 0.85),
    "employer": ("job.employer", "{employer}", 0.85),
    "studies": ("study.subject", "{thing}", 0.85),
    "status": ("job.status", "{what}", 0.85),
    "called": ("{who}.name", "{name}", 0.95),
    "passing": ("{who}.name", "{name}", 0.85),
    "passing_breed": ("{who}.breed", "{who}", 0.8),
    "passing_allergy": ("{who}.allergy", "{thing}", 0.85),
    "their_allergy": ("{who}.allergy", "{thing}", 0.9),
    "passing_medication": ("health.medication", "{what}", 0.85),
    "passing_address": ("preference.address", "{style}", 0.85),
    "passing_answers": ("preference.answers", "{style}", 0.85),
    "passing_name": ("user.name", "{name}", 0.85),
    "passing_birthday": ("user.birthday", "{date}", 0.9),
    "passing_without": ("preference.{thing}", "{no} {thing}", 0.85),
    "passing_own_allergy": ("health.allergy.{thing}", "{thing}", 0.85),
    "passing_avoid": ("diet.{thing}", "{no} {thing}", 0.85),
    "passing_hobby": ("hobby.{thing}", "{thing}", 0.8),
    "passing_format": ("preference.format", "{style}", 0.85),
    "never_offer": ("preference.{thing}", "{no} {thing}", 0.85),
    "anniversary": ("anniversary", "{date}", 0.9),
    "passing_names": ("{who}.names", "{names}", 0.85),
    "passing_ill": ("health.{what}", "{what}", 0.85),
    "passing_car": ("car.model", "{ride}", 0.85),
    "passing_home": ("address.city", "{place}", 0.8),
    "names": ("{who}.names", "{names}", 0.9),
    "count": ("{who}.count", "{number}", 0.85),
    "none": ("children.count", "none", 0.9),
    "married": ("relationship.status", "{what}", 0.85),
    "allergy": ("health.allergy.{thing}", "{thing}", 0.95),
    "intolerance": ("health.intolerance.{what}", "{what}", 0.9),
    "condition": ("health.{what}", "{what}", 0.9),
    "medication": ("health.medication", "{what}", 0.85),
    "smoke": ("health.smoking", "non-smoker", 0.9),
    "diet": ("diet.type", "{what}", 0.95),
    "avoid": ("diet.{thing}", "{no} {thing}", 0.9),
    "like": ("preference.{thing}", "{thing}", 0.9),
    "dislike": ("preference.{thing}", "{no} {thing}", 0.9),
    "favourite": ("preference.{what}", "{thing} ({what})", 0.9),
    "hate": ("preference.{thing}", "{no} {thing}", 0.9),
    "taken": ("preference.{drink}", "{drink} {how}", 0.9),
    "hobby": ("hobby.{thing}", "{thing}", 0.85),
    "speaks": ("language.spoken", "{tongue}", 0.9),
    "native": ("language.native", "{tongue}", 0.9),
    "learning": ("language.learning", "{tongue}", 0.9),
    "schedule": ("schedule.{act}", "{act} {when}", 0.85),
    "wake": ("schedule.get_up", "{when}", 0.85),
    "car": ("car.model", "{ride}", 0.85),
}
_LISTED = ("allergy", "their_allergy", "passing_allergy", "never_offer", "avoid", "like", "dislike", "hate", "hobby")
_TONGUE = (
    r"(?:english|angl|ingl|engl|angiel|deuts|alem|allem|tedes|duits|niemi|tysk|fran|espa|spag|spans|spaans|span|hiszp|ital"
    r"|włos|portu|russ|rusk|rosyj|chin|kines|manda|canto|kanto|jap|kore|corea|corée|coré|arab|turc|türk|turk|polon|polac|poln"
    r"|pools|polsk|holand|niederl|nederl|néerl|oland|neerl|sueco|suéd|sved|schwed|szwed|zweed|svensk|dan[eoiq]|dansk|dän|duńs"
    r"|norsk|norw|norv|nor[uv]e|finn|finl|finsk|suom|finés|griech|grec|greg|gries|grie|hebr|hind|ukra|tschech|czes|tchè|chec|cec"
    r"|catal|katal|bas[qk]|vasco|euskera|galle|galeg|ungar|węg|húng|hongr|hung|roman|rumä|rumun|rumen|roum|ruman|latein|latín"
    r"|latino|flam|vlaams|viet|thai|swah|suah|persi|farsi|urdu|esper|isländ|isla[n]|irisch|irland|gaéli|bulg|serb|kroat|croat"
    r"|croa|slow|slov|eston|estn|lit[ao]u|alban|gebärden|langue des signes|lengua de señas|libras|gallois|fries"
    r"|fris|frison|śląsk|siles|zaza|kurd|sard|friul|breton|occit|armen|tamil|bengal|somal|luxemb|lëtz"
    r"|немец|англ|франц|испан|итал|русск|китай|япон|укра|поль|турец|по-\w)\w*"
)
_PLURALS = {
    "child": "children", "daughter": "daughters", "son": "sons", "cat": "cats", "dog": "dogs", "sister": "sisters",
    "brother": "brothers", "twin": "twins", "hen": "hens", "ferret": "ferrets", "rabbit": "rabbits",
    "guinea_pig": "guinea_pigs", "bird": "birds", "goat": "goats", "sheep": "sheep", "horse": "horses",
}  # fmt: skip
_IN_PASSING = tuple(kind for kind in _CLAIMS if kind.startswith("passing"))
_OF_THE_DAY = ("colleague", "boss")
"""Who is often named only because of what happened, and is nobody to remember: "my colleague Ed is late"."""
_SAYING_NO = ("avoid", "dislike", "intolerance", "none", "smoke", "never_offer")
_EVERYWHERE = r"""
passing: (?<![\w'])MY (?:\w+ )?WHO \(NAME(?=[,)])
passing: (?<![\w'])(?:MY|THENAMED) PET \(?NAME(?=[ ,.!?)]|$)
passing_names: (?<![\w'])HAVE (?:\w+ )?GROUP(?: \(|, |: )NAMES(?=[).,!?]|$)
passing: (?<![\w'])MY (?:\w+ )?BREED \(?NAME(?=[ ,.!?)]|$)
passing: (?<![\w'])(?:(?:O|A|Il|La|Le|De|El|Der|Die) )?NAME(?: \(|, )MY (?:WHO|BREED)(?=[,)]| \w+\))
passing: (?<![\w'])MY WHO (?P<name>[^\W\d_]{3,12}) WITHME
passing: (?<![\w'])THE PET \(NAME(?=[,)])
passing_breed: (?<![\w'])MY (?:\w+ )?BREED \(?NAME(?=[ ,.!?)]|$)
passing_breed: (?<![\w'])(?:(?:O|A|Il|La|Le|De|El|Der|Die) )?NAME(?: \(|, )MY BREED(?=[,)]| \w+\))
"""
"""Frames that every language has which puts a space between words."""


def language(table: str) -> Language:
    """The language that a table describes. Raises `KeyError` where a field that every language has is missing."""
    fields: dict[str, list[str]] = {}
    for line in joined_rows(table):
        name, value = line.split(": ", 1)
        fields.setdefault(name, []).append(value.strip())
    spoken = {name: " ".join(values) for name, values in fields.items()}
    is_spaced = spoken.get("spaced") != "no"
    for line in joined_rows(_EVERYWHERE) if is_spaced and "my" in spoken else ():
        name, value = line.split(": ", 1)
        fields.setdefault(name, []).append(value)
    rules = list(_rules(fields, spoken, is_spaced=is_spaced))
    edge = r"\b" if is_spaced else ""
    joint = rf" (?:{_choice(spoken['and'])}|{spoken['but']}) " if is_spaced else "，|。|、(?=私|うち|妻|夫|猫|犬|名前)"
    return Language(
        affirming=tuple(rule for kind, rule in rules if kind not in (*_SAYING_NO, *_IN_PASSING)),
        denying=tuple(rule for kind, rule in rules if kind in _SAYING_NO),
        in_passing=tuple(rule for kind, rule in rules if kind in _IN_PASSING),
        hints=_hints(spoken),
        starts=re.compile(rf"[,;:] |[;；、，,]| [-–—] ?|[()…] ?|{joint}", re.IGNORECASE),
        lead=re.compile(rf"^(?:(?:{_choice(spoken['lead'])}){edge}[\s,.!:，、]*)+", re.IGNORECASE),
        filler=_any(spoken.get("filler", _NOTHING), edge),
        denial=_any(spoken.get("not", _NOTHING), edge),
        never=_any(spoken["never"], edge),
        wants=_any(spoken.get("wants", _NOTHING), edge),
        soon=_any(spoken.get("soon", _NOTHING), edge),
        contrast=re.compile(rf" (?:{spoken['but']}) " if is_spaced else "但是?|不过", re.IGNORECASE),
        negation_ends=re.compile(rf"[,;、，]{_resuming(spoken) if is_spaced else ''}", re.IGNORECASE),
        joined=re.compile(rf"[,;、，]|{joint}", re.IGNORECASE),
        asking=re.compile(rf"(?:{_choice(spoken['ask'])}){edge}", re.IGNORECASE),
        subject=spoken.get("subject", ""),
        own=_any(spoken.get("own", _NOTHING), edge),
        opens=_any(spoken.get("opens", _NOTHING), edge),
        others=_any(spoken.get("others", _NOTHING), edge),
        relative=_any(spoken.get("relative", _NOTHING), edge),
        script=re.compile(spoken.get("script", r"[^\W\d_]")),
        is_verb_final="final" in spoken,
        references=tuple(_references(spoken, edge)),
        pretend=rf"{edge}(?:{_choice(spoken['pretend'])}){edge}",
        space=" " if is_spaced else "",
        inverts=re.compile(rf"\w+ (?:{_choice(spoken['own'])})\b", re.IGNORECASE) if "inverts" in spoken else None,
    )


def _hints(spoken: Mapping[str, str]) -> frozenset[str]:
    """The hints of a language, among them its words for pets."""
    if "hints" not in spoken:
        return frozenset()
    return words(spoken["hints"]) | {word for word, kind in _words_of_keys(spoken)[0].items() if kind in PETS}


def _references(spoken: Mapping[str, str], edge: str) -> Iterator[Reference]:
    if "allergic" in spoken:
        stop = _choice(f"{spoken['stop']} | {spoken['and']} | {spoken['but']}")
        word = rf"(?!(?:{stop}|bitte|graag|svp|por|per|proszę|пожалуйста)\b)[^\W\d_][\w'-]*"
        left_out = rf"(?:{_choice(spoken['without'])}) ?(?P<thing>{word}(?: {word})?)"
        yield Reference(_any(spoken["allergic"], edge), spoken["allergic_to"], _any(left_out, edge))
    if "there" in spoken:
        town = rf"(?:(?:{_choice(spoken['places'])}) |d')(?P<thing>(?-i:[^\W\d_a-zà-öø-ÿа-я])[\w-]+)"
        yield Reference(_any(spoken["there"], edge), spoken["live_in"], _any(town, edge))


def _resuming(spoken: Mapping[str, str]) -> str:
    """What else ends a negation: a joining word, and what the language's `resumes` has behind it."""
    return (
        rf"| (?:{_choice(spoken['and'])}|{spoken['but']})"
        rf" (?:{_choice(spoken.get('resumes', ''))}|(?=[^,]* {spoken['no'].split(' ')[0]}))"
    )


def _joining(spoken: Mapping[str, str]) -> str:
    """What stands between the items of a list, where all of them are denied, too."""
    return _choice(" | ".join(filter(None, (spoken["and"], spoken.get("nor")))))


def _choice(listed: str) -> str:
    return re.sub(r"\s+\|\s+", "|", listed.strip())


def _any(listed: str, edge: str) -> re.Pattern[str]:
    """A pattern for any of the listed words, the longest first."""
    parts = sorted(re.split(r"\s+\|\s+", listed.strip()), key=len, reverse=True)
    return re.compile(rf"{edge}(?:{'|'.join(parts)}){edge}", re.IGNORECASE)


def _rules(
    fields: Mapping[str, list[str]], spoken: Mapping[str, str], *, is_spaced: bool
) -> Iterator[tuple[str, Rule]]:
    """(kind, rule) for each frame of a table; where someone lives makes two, for a town and for a country."""
    kinds, groups = _words_of_keys(spoken)
    tokens = _tokens(spoken, kinds, groups, is_spaced=is_spaced)
    joint = _joining(spoken)
    jobs = tuple(spoken["jobs"].split())
    for kind, frame in ((kind, frame) for kind, frames in fields.items() if kind in _CLAIMS for frame in frames):
        for made in ("home", "country") if kind == "home" else (kind,):
            key, value, confidence = _CLAIMS[made]
            rule = Rule(
                _spelled(kind, frame, spoken),
                key,
                value.replace("{no} {thing}", spoken["no"].replace("_", "{thing}")),
                confidence,
                anywhere=kind in _IN_PASSING,
                presupposed=kind in _IN_PASSING,
                only_after_greeting=kind == "introduced",
                each=kind in _LISTED,
                holds=is_job(jobs, needs_ending=kind == "am") if "JOB" in frame else CHECKS.get(made, always),
                words=tokens,
                kinds={
                    slug(word): one for word, one in ({**BREEDS, **(groups if "GROUP" in frame else kinds)}).items()
                },
                plain=dict(pair.split("=") for pair in spoken.get("plain", "").split()),
                joint=rf",(?: (?:{joint}) )?| (?:{joint}) " if is_spaced else joint,
            )
            yield kind, rule


def _spelled(kind: str, frame: str, spoken: Mapping[str, str]) -> str:
    """The frame with the subjects of its verbs; who is named in passing must be near to the operator."""
    frame = frame.replace("WHO", "NEAR") if kind == "passing" else frame
    ending = "e?" if "clipped" in spoken else "e"
    return re.sub(
        "«([^»]*)»",
        lambda found: spoken["verb"].replace("V", re.sub(r"(?<=\w\w)e(?=\||$| )", ending, found[1])),
        frame,
    )


def _words_of_keys(spoken: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The language's words for the subjects of keys, and those that may stand for several ("Töchter" -> daughters)."""
    kinds = {word: kind for group in spoken["who"].split(";") for kind, *forms in [group.split()] for word in forms}
    groups = {word: kind for word, kind in kinds.items() if kind in _PLURALS.values()}
    if spoken.get("plurals") == "no":
        groups |= {word: _PLURALS[kind] for word, kind in kinds.items() if kind in _PLURALS}
    return kinds, groups


def _tokens(
    spoken: Mapping[str, str], kinds: Mapping[str, str], groups: Mapping[str, str], *, is_spaced: bool
) -> dict[str, str]:
    tokens = (_spaced_tokens if is_spaced else _unspaced_tokens)(spoken)
    singular = [word for word, kind in kinds.items() if kind not in _PLURALS.values()]
    tokens["WHO"] = rf"(?P<who>{'|'.join(sorted(singular, key=len, reverse=True))})"
    near = [word for word in singular if kinds[word] not in _OF_THE_DAY]
    tokens["NEAR"] = rf"(?P<who>{'|'.join(sorted(near, key=len, reverse=True))})"
    tokens["GROUP"] = rf"(?P<who>{'|'.join(sorted(groups, key=len, reverse=True))})"
    tokens["PET"] = rf"(?P<who>{'|'.join(sorted((w for w in singular if kinds[w] in PETS), key=len, reverse=True))})"
    tokens["BREED"] = rf"(?P<who>{'|'.join(sorted(BREEDS, key=len, reverse=True))})"
    tokens["THE"] = rf"(?:{spoken.get('the', _NOTHING)})"
    tokens["THENAMED"] = rf"(?:{spoken.get('the_named', _NOTHING)})"
    tokens["HAVE"] = rf"(?:{spoken.get('have', _NOTHING)})"
    tokens["WITHME"] = rf"(?:{spoken.get('with_me', _NOTHING)})"
    tokens["DRUG"] = rf"(?P<what>{DRUG})"
    tokens["MY"] = rf"(?:{spoken.get('my', '')})"
    tokens["ILL"] = rf"(?P<what>{ILL})"
    tokens["NOTOF"] = NOT_OF
    tokens["MAKE"], tokens["MAKEANY"] = RIDE_OF_A_MAKE, RIDE_BY_DRIVER
    return tokens | {name.removeprefix("token."): value for name, value in spoken.items() if name.startswith("token.")}


def _spaced_tokens(spoken: Mapping[str, str]) -> dict[str, str]:
    stop = _choice(f"{spoken.get('stop', '(?!)')} | {spoken['and']}")
    joining, nor = _joining(spoken), _choice(spoken.get("nor", _NOTHING))
    item = rf"[^\W\d_][\w'’-]*(?: (?!(?:{stop})\b)[\w'’-]+){{0,3}}"
    name = r"(?-i:[^\W\d_a-zà-öø-ÿа-я])[\w'’-]+"
    return {
        "THING": rf"(?:(?:{nor}) )?(?P<thing>(?!(?:{stop})\b){item}(?:,? (?:{joining}) "
        rf"(?!(?:{stop})\b){item}|, (?!(?:{stop})\b){item}(?=.* (?:{joining}) )){{0,4}})",
        "JOB": rf"(?P<job>(?!(?:{stop})\b)[^\W\d_][\w'’-]+(?: (?!(?:{stop})\b)[\w'’-]+){{0,3}})",
        "JOB1": r"(?P<job>[^\W\d_]{4,}(?: de \w+)?)",
        "WHAT": rf"(?P<what>{item})",
        "STYLE": r"(?P<style>[^\W_][\w'’-]*(?: (?!(?:che|perché|porque|que|weil|denn|parce|omdat|want|bo)\b)"
        r"[\w'’-]+){0,5})",
        "RIDE": rf"(?P<ride>[\w-]+(?: (?!(?:{stop})\b)[\w-]+){{0,2}})",
        "EMPLOYER": r"(?P<employer>(?-i:[^\W\d_a-zà-öø-ÿа-я])[\w&.-]*(?: (?-i:[^\W\d_a-zà-öø-ÿа-я])[\w&.-]*){0,3})",
        "NAMES": rf"(?P<names>{name}(?:, {name})*,? (?:{_choice(spoken['and'])}) {name})",
        "NUMBER": r"(?P<number>\d{1,3})",
        "COUNT": r"(?P<number>\d{1,2}|(?!ein|une?\b|una?\b|uno\b|uma?\b|een\b|e[nt]t?\b)[^\W\d_]{3,9})",
        "DATE": r"(?P<date>\d{1,2}(?:º|er|\.|-?го)? ?(?:de |d')?[^\W\d_]{3,12}(?:,? (?:de )?\d{4})?|\d{1,2}[./]\d{1,2}"
        r"\.?(?:[./]?\d{2,4})?|\d{4}-\d\d-\d\d)",
        "TONGUE": rf"(?P<tongue>{_TONGUE}(?:(?:,| (?:{_choice(spoken['and'])})) [\w' ]{{0,12}}{_TONGUE}){{0,3}})",
        "ACT": rf"(?P<act>[^\W\d_][\w'-]*(?: (?!(?:{stop})\b)[\w'-]+){{0,2}})",
        "END": rf"(?=\s*(?:[,.!?;]|$)| (?:{_choice(spoken['and'])}|{spoken['but']}) )",
    }


def _unspaced_tokens(spoken: Mapping[str, str]) -> dict[str, str]:
    """Tokens for a script without spaces: a part ends where the rest of the frame begins."""
    part = r"[^\W\d_、，,。！？!?\s]"
    return {
        "NAMES": rf"(?P<names>{part}{{1,8}}(?:(?:{_choice(spoken['and'])}){part}{{1,8}}){{1,3}})",
        "NAME": rf"(?P<name>{part}{{1,10}}?)",
        "PLACE": rf"(?P<place>{part}{{1,10}}?)",
        "THING": rf"(?P<thing>{part}{{1,12}}?)",
        "JOB": rf"(?P<job>{part}{{1,14}}?)",
        "WHAT": rf"(?P<what>{part}{{1,12}}?)",
        "EMPLOYER": rf"(?P<employer>{part}{{1,16}}?)",
        "RIDE": r"(?P<ride>[\w ]{1,16}?)",
        "TONGUE": rf"(?P<tongue>{part}{{1,12}}?)",
        "NUMBER": r"(?P<number>[\d０-９]{1,3}|[一二三四五六七八九十]{1,4})",
        "COUNT": r"(?P<number>[\d０-９]{1,2}|[一二两三四五六七八九十]{1,2})",
        "DATE": r"(?P<date>(?:[\d０-９]{4}年)?[\d０-９一二三四五六七八九十]{1,3}月"
        r"[\d０-９一二三四五六七八九十]{1,3}[日号])",
        "ACT": rf"(?P<act>{part}{{1,10}}?)",
        "END": r"(?=\s*(?:[、，,。！!；;]|$))",
    }
