"""Which lines of a turn are somebody else's words: quoted, labelled with a speaker, signed, or under a heading.

Prefers silence to a guess. Linear in the length of the text.
"""

import re

from memory.llm.offline.rules.english import clause_patterns
from memory.llm.offline.rules.english.sentence_patterns import any_of

_MAX_ATTRIBUTION_CHARS = 120
_SAYING = (
    r"(?:says?|said|writes?|wrote|asks?|asked|tells?|told|posts?|posted|texts?|texted|replies|replied|reads|adds?|added"
    r"|states?|stated|goes|answers|answered|shouts|shouted|sings|sang|schreibt|schrieb|sagt|sagte|écrit|dit|dice|dijo"
    r"|escribe|escribió|skriver|skrev|säger|sade|scrive|schrijft|zegt|diz|disse|kirjoittaa|kirjoitti|sanoo|sanoi"
    r"|pisze|napisał\w*|powiedział\w*|пишет|написал\w*|сказал\w*|yazdı|dedi)"
)
_ATTRIBUTES_WHAT_FOLLOWS = re.compile(
    rf"^(?!(?:I|we)\b)[^\W\d_][\w.' ,-]{{1,60}}? {_SAYING}"
    r"(?: (?:me|us|to me|to us|this|that|it|back|here|today|yesterday|heute|gestern|hier|ayer|ieri|ontem|gisteren"
    r"|wczoraj|вчера|the following|on \w+|in \w+|in (?:the"
    r"|an?) [\w ]{1,20})){0,4}"
    r" ?[:,.…-]*$"
    r"|^(?:this|that|here|the following|below)(?:'s| is| was| are)? (?:what |how )?[\w.' ]{1,40} "
    rf"{_SAYING}\b[^?]{{0,30}}$"
    r"|^\[?(?:[^\W\d_][\w.' -]{1,40},? \[?\d{1,2}[:.]\d\d\]?|\d{1,2}[:.]\d\d\]? [^\W\d_][\w.' -]{1,40})$",
    re.IGNORECASE,
)
ATTRIBUTES_WHAT_CAME_BEFORE = re.compile(
    r"^[\W_]*(?:so )?(?:said|says|writes|wrote|quoth|signed|schrieb|sagte|dijo|skrev|sade|zei|disse|sanoi|kirjoitti)"
    r" (?:(?-i:[A-Z])[\w.'-]+|(?:my|the|our|a) [\w.'-]+|he|she|they)(?: [\w.'-]+){0,4}\W*$"
    r"|^[\W_]*(?:as |quoted? )?(?:written |said |told |sent |posted )?(?:by|from) (?:my |the |our )?(?-i:[A-Z])[\w.'-]+"
    r"(?: [\w.'-]+){0,4}\W*$"
    r"|^\((?-i:[A-Z])[\w.'-]+(?:,? [\w.'-]+){0,5}\)$"
    r"|^(?:that|this|which|it|those|these)(?:'s| is| was| are| were)? (?:(?:all )?(?:what|how)"
    r"|(?:the )?words of|(?:an? )?quote)"
    r"\b(?! (?:I|we)\b).{0,60}$"
    r"|^(?:his|her|their|not my|(?:my|the) [\w' ]{1,30}'s) (?:own )?words\b.{0,40}$",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(r"^[-–—~*]{1,3} ?(?-i:[A-Z])[\w.'-]+(?: [A-Z][\w.'-]+)?\W*$")
_CLOSING_FORMULA = re.compile(
    r"^(?:best(?: wishes| regards)?|all the best|yours|love|lots of love|xo+|xoxo|warmly|cheers|hugs|greetings"
    r"|viele grüße|liebe grüße|cordialement|saludos|hälsningar|terveisin),?$",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"^[\W_]*(?:(?:(?:my|an?|the|open|cover|love|sample|short|old|fan|first|second|third) ){0,3}"
    r"(?:letter|postcard|mail|e-?mail|note|message) (?:to|from|for)\b"
    r"|(?:verse|chorus|bridge|refrain|hook|intro|outro|stanza|strophe|couplet|vers|refrän|estribillo|verso)\b"
    r"|(?:exercise|worksheet|lesson|drill|homework|quiz|exam|reading|listening|gap text|fill in|textbook|übung|aufgabe"
    r"|exercice|ejercicio|övning|esercizio|oefening|exercício|harjoitus|tehtävä)\b"
    r"|(?:dialogue?|scene|act|chapter|episode|prologue|epilogue|script|screenplay|monologue|speech|skit|sketch|lyrics"
    r"|song|poem|haiku|ballad|story|tale|fable|diary|journal|memoir|novel)\b"
    r"|(?:page|line|paragraph|section|part|panel|slide|card|item|question|sentence) \d{1,4}\b|according to\b"
    r"|(?:taken |copied |quoted )?from (?:the|a|an|my) (?:book|novel|story|song|film|movie|play|poem|script"
    r"|game|article|text|web)"
    r"|(?:text|passage|excerpt|extract|transcript|quote|quotation|example|sample|template|draft|cover letter|essay"
    r"|letter|profile|testimonial|review|interview|advert|ad|bio|obituary|caption|prompt|case|patient|customer|client"
    r"|applicant|candidate|witness|speaker|student|user)\b)"
    r"[^.!?,:]{0,40}[\W_]*$",
    re.IGNORECASE,
)
_SALUTATION = re.compile(
    r"^(?:dear|liebe[rs]?|sehr geehrte\w*|cher|chère|querid[oa]|estimad[oa]|kära|bäste|caro|cara|beste|lieve"
    r"|hyvä|rakas)"
    r" (?!caesar\b|assistant\b|ai\b|chat\w*\b|bot\b)[\w.' -]{1,40}(?:[,:!]|$)",
    re.IGNORECASE,
)
_SPOKEN_LINE = re.compile(
    rf"^(?!(?:I|we|please|can|could|now|just|also)\b)[^\W\d_][\w.' -]{{1,60}} {_SAYING}(?: \w{{1,15}}){{0,3}}: \S",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^[*_]{0,2}(?P<label>[A-Z][\w.'-]{0,20}(?: [A-Z][\w.'-]{0,20}| \d{1,3}){0,2}(?: \([^()]{1,30}\))?)[*_]{0,2}"
    r"(?::[*_]{0,2} | (?:[-–—>]|->) (?=(?:hi|hello|hey|I|I'm|I've|my|we|our)\b))"
    r"(?P<said>.*)$"
)
_OWN_LABEL = any_of(
    r"""
    (?:quick |small |short |important |side |extra |follow-?up )?(?:question|request|task|problem|situation|goal|idea
    |plan|note|answer|info|information|reminder|update|context|background|correction|fact|facts|remember|todo|wish|issue
    |topic|preference|preferences|diet|allergies|allergy|profile|summary|warning|edit|news|aim|budget
    |constraints?|location
    |notes?|thoughts?|addition|addendum|details?)s?
    me | about me | myself | ps | p\.s | pps | btw | fyi | q | tl;?dr | nb | n\.b | also | sorry | thanks | caesar
    merke? | notiz | frage | achtung | erinnerung | rappel | recuerda | nota | pregunta | muista | huom | obs | kom ihåg
""".replace("\n    |", "|"),
    before="^",
    after=r"$",
)


def own_lines(text: str) -> str:
    """`text` without the lines that are somebody else's words."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    kept: list[str] = []
    for position, line in enumerate(lines):
        after = lines[position + 1] if position + 1 < len(lines) else ""
        is_short = len(line) <= _MAX_ATTRIBUTION_CHARS
        if is_short and kept and 0 < len(after) <= 40 and _CLOSING_FORMULA.match(line):
            return ""
        if is_short and (ATTRIBUTES_WHAT_CAME_BEFORE.match(line) or (not after and _is_signature(line, kept[-1:]))):
            kept.clear()
        elif (
            _is_labelled(line)
            or _SALUTATION.match(line)
            or (is_short and after and _introduces_others_words(line, after))
        ):
            break
        else:
            kept.append(line)
    return "\n".join(kept)


def _is_signature(line: str, before: list[str]) -> bool:
    """Whether a last line is a name after a dash, and not the last item of a list."""
    return bool(_SIGNATURE.match(line)) and not any(one.endswith(":") or _SIGNATURE.match(one[:200]) for one in before)


def _introduces_others_words(line: str, after: str) -> bool:
    """Whether a line is a heading ("Verse 1") or says who wrote what comes after; mail quoted with ">" is cut later."""
    return not after.startswith(">") and bool(_HEADING.match(line) or _ATTRIBUTES_WHAT_FOLLOWS.match(line))


def _is_labelled(line: str) -> bool:
    """Whether a line opens with the label of a speaker: "Tom: Hi!", but not "Note: ..." or "Hi Caesar - I ..."."""
    if _SPOKEN_LINE.match(line):
        return True
    found = _LABEL.match(line[:500])
    if not found:
        return False
    label = found["label"]
    return not (
        _OWN_LABEL.match(label)
        or clause_patterns.ANNOUNCING.match(label)
        or clause_patterns.LEAD_IN.match(label + " ")
        or clause_patterns.GREETING.match(label + ",")
        or re.match(r"(?:I|My|Our|We|Hi|Hey|Hello)\b", label)
    )
