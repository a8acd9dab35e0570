"""Which lines and sentences of a turn are somebody else's words, or are taken back by what follows them.

    own_lines(text)       without what stands under a heading, a speaker's label or "Tom writes", or before "said Tom"
    not_taken_back(...)   without what "no wait", "wrong chat" or "just testing" takes back

Both prefer silence. Linear in the length of the text.
"""

import re

from memory.llm.offline.rules.english import joints
from memory.llm.offline.rules.english.cues import cue

_MAX_FRAME_CHARS = 120
_SAYING = (
    r"(?:says?|said|writes?|wrote|asks?|asked|tells?|told|posts?|posted|texts?|texted|replies|replied|reads|adds?|added"
    r"|states?|stated|goes|answers|answered|shouts|shouted|sings|sang|schreibt|schrieb|sagt|sagte|écrit|dit|dice|dijo"
    r"|escribe|escribió|skriver|skrev|säger|sade|scrive|schrijft|zegt|diz|disse|kirjoittaa|kirjoitti|sanoo|sanoi)"
)
_ATTRIBUTED = re.compile(
    rf"^(?!(?:I|we)\b)[^\W\d_][\w.' ,-]{{1,60}}? {_SAYING}"
    r"(?: (?:me|us|to me|to us|this|that|it|back|here|today|yesterday|the following|on \w+|in \w+|in (?:the"
    r"|an?) [\w ]{1,20})){0,4}"
    r" ?[:,.…-]*$"
    r"|^(?:this|that|here|the following|below)(?:'s| is| was| are)? (?:what |how )?[\w.' ]{1,40} "
    rf"{_SAYING}\b[^?]{{0,30}}$",
    re.IGNORECASE,
)
_ATTRIBUTED_AFTER = re.compile(
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
_SIGNED = re.compile(r"^[-–—~*]{1,3} ?(?-i:[A-Z])[\w.'-]+(?: [A-Z][\w.'-]+)?\W*$")
_PARTING = re.compile(
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
_SALUTED = re.compile(
    r"^(?:dear|liebe[rs]?|sehr geehrte\w*|cher|chère|querid[oa]|estimad[oa]|kära|bäste|caro|cara|beste|lieve"
    r"|hyvä|rakas)"
    r" (?!caesar\b|assistant\b|ai\b|chat\w*\b|bot\b)[\w.' -]{1,40}(?:[,:!]|$)",
    re.IGNORECASE,
)
_SAID_ALOUD = re.compile(
    rf"^(?!(?:I|we|please|can|could|now|just|also)\b)[^\W\d_][\w.' -]{{1,60}} {_SAYING}(?: \w{{1,15}}){{0,3}}: \S",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^[*_]{0,2}(?P<label>[A-Z][\w.'-]{0,20}(?: [A-Z][\w.'-]{0,20}| \d{1,3}){0,2}(?: \([^()]{1,30}\))?)[*_]{0,2}"
    r"(?::[*_]{0,2} | (?:[-–—>]|->) (?=(?:hi|hello|hey|I|I'm|I've|my|we|our)\b))"
    r"(?P<said>.*)$"
)
_OWN_LABEL = cue(
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
    """`text` without the lines that are shown to be somebody else's, those in the same breath included."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    kept: list[str] = []
    for position, line in enumerate(lines):
        after = lines[position + 1] if position + 1 < len(lines) else ""
        is_short = len(line) <= _MAX_FRAME_CHARS
        if is_short and kept and 0 < len(after) <= 40 and _PARTING.match(line):
            return ""
        if is_short and (_ATTRIBUTED_AFTER.match(line) or (not after and _is_signature(line, kept[-1:]))):
            kept.clear()
        elif _is_labelled(line) or _SALUTED.match(line) or (is_short and after and _opens_anothers(line, after)):
            break
        else:
            kept.append(line)
    return "\n".join(kept)


def _is_signature(line: str, before: list[str]) -> bool:
    """Whether a last line is a name after a dash, and not the last item of a list."""
    return bool(_SIGNED.match(line)) and not any(one.endswith(":") or _SIGNED.match(one[:200]) for one in before)


def _opens_anothers(line: str, after: str) -> bool:
    """Whether a line is a heading ("Verse 1") or says who wrote what comes after; mail quoted with ">" is cut later."""
    return not after.startswith(">") and bool(_HEADING.match(line) or _ATTRIBUTED.match(line))


def _is_labelled(line: str) -> bool:
    """Whether a line opens with the label of a speaker: "Tom: Hi!", but not "Note: ..." or "Hi Caesar - I ..."."""
    if _SAID_ALOUD.match(line):
        return True
    found = _LABEL.match(line[:500])
    if not found:
        return False
    label = found["label"]
    is_own = _OWN_LABEL.match(label) or joints.ANNOUNCING.match(label) or joints.LEAD_IN.match(label + " ")
    return not (is_own or joints.GREETING.match(label + ",") or re.match(r"(?:I|My|Our|We|Hi|Hey|Hello)\b", label))


# Taken back

_LEAD = (
    r"^(?:(?:oh|oops|ops|whoops|ah|er|erm|um|uh|hm+|sorry|ha(?:ha)*|lol|well|okay?|but|and|god|damn|argh|no|nah|wait)"
    r"\b\W{0,4}){0,5}"
)
_KIN = (
    r"(?:(?:best |older |younger |big |little |twin |ex-?)*(?:brother|sister|friend|mate|wife|husband|partner"
    r"|girlfriend"
    r"|boyfriend|mum|mom|mother|dad|father|son|daughter|cousin|uncle|aunt|boss|colleague|neighbou?r|flatmate|roommate"
    r"|twin|ex|character|client|customer|patient|student|grandma|grandpa|nephew|niece))"
)
_BACK_ALL = cue(
    rf"""
    no,? wait\b(?!,? (?:I|we|my|our)\b) | wait,? (?:no|that|this|not|what|wrong|sorry) | (?:hang|hold) on,? (?:that|no)
    scratch that | strike that | never ?mind(?! the| that it| about) | cancel that | undo that | correction,? that
    (?:that was |this was |this is |it's |that's |in )?(?:the )?wrong (?:chat|window|thread|tab|person|conversation
    |app|channel|group|room|box|place|bot|number)
    (?:I (?:was |am )|I'm |we're |we were |that was |it was |was |am )?(?:just |only |obviously ){{0,3}}(?:joking
    |kidding|testing|messing|teasing|trolling|bluffing|pretending|lying|fooling|playing with you|pulling your leg
    |having you on)
    jk | j/k | psych | psyche | sike | syke | gotcha | april fools?.* | fooled you | made you look | as if
    not really | not true | not actually | none of (?:that|this|it) | (?:that|this|it)(?:'s| is| was) (?:not true|untrue
    |a lie|a joke|false|made up|fake|nonsense|sarcasm|bait|wrong|not (?:me|mine|real|right|about me))
    my bad | mea culpa | or am I | or do I | yeah,? right | jokes | nope(?=\W*$) | (?:no,? )?I(?:'m| am) not(?=\W*$)
    I mixed (?:that|this|it|things) up | my cat walked | autocorrect | I lied | I made (?:that|it|this) up
    not me | not mine
    (?:please )?(?:ignore|disregard|forget|delete|discard) (?:that|this|it|me|the above|what I|my last|the last
    |everything|all)
    (?:please )?do(?:n't| not) (?:remember|save|store|keep|note|believe) (?:that|this|it|any)
    (?:that|this|it|the above)(?:'s| is| was| were)? (?:meant|intended|supposed|for (?:someone|somebody|my|another))
    (?:that|this|it|he|she)(?:'s| is| was| would be) (?:actually )?(?:my {_KIN} | (?:someone|somebody) else)
    I (?:meant|mean|was (?:talking|thinking) (?:about|of)) my {_KIN}
    spaß | war (?:nur )?ein (?:witz|scherz|test) | quatsch | falscher chat | nur ein test | nein,? warte | blödsinn
    je (?:plaisante|rigole|blague) | c'est une blague | mauvaise conversation | es broma | era broma | mentira
    chat equivocado | skojar | jag skojade | fel chatt | scherzo | scherzavo | grapje | geintje | brincadeira
    vitsi | eiku | väärä chatti
""".replace("\n    |", "|"),
    before=_LEAD,
)
_NOT = re.compile(r"^\W*not\W*$", re.IGNORECASE)
_A_TEST = re.compile(
    r"^(?:\W*(?:this|it|that)(?:'s| is| was| will be) (?:just |only )?(?:an? "
    r"|the )?(?:\w+ )?test\b(?! (?:result|drive))"
    r"|\W*(?:just |only )?(?:an? )?(?:quick |memory |simple )?test(?:ing)?(?: message| prompt| run| data| text| input)?"
    r"(?:[\s,]+[\d\s,]+)?\W*(?:$|[:.,!-])"
    r"|\W*(?:just )?(?:checking|seeing|trying) (?:if|whether|how) (?:this|it|you|the \w+) (?:works?|remembers?)\b"
    r"|\W*(?:does|will|is) (?:this|it)(?: thing)? (?:work|working|on)\W*$"
    r"|\W*(?:testing,? testing|(?:I'm|I am) (?:just |only )?testing(?: (?:you|your|this|the (?:memory|bot|app"
    r"|system)|things"
    r"|something|it|if|whether|how)\b.*)?\W*$))",
    re.IGNORECASE,
)
_LAUGH = r"(?:lol|lmao|rofl|lmfao|jk|j/k|ha(?:ha)+h?|he(?:he)+|hihi|xd|mdr|ptdr|jaja\w*|kkk+|:-?[pd])"
_LAUGHS = re.compile(rf"^\W*(?:{_LAUGH}\b\W*)+$|^[\s😂🤣😜😉]+$|^\W{{0,3}};-?\)$", re.IGNORECASE)
_ENDS_LAUGHING = re.compile(rf"(?:(?:^|[\s,.!?]){_LAUGH}|[\s,.!?]/s|[😂🤣😜😉]|;-?\))[\s.!?)]{{0,9}}$", re.IGNORECASE)
_BACK_INSIDE = re.compile(
    r"(?:[,;(…]|[-–—]) ?(?:oh |but |or |well )?(?:no,? wait|wait,? no|just kidding|not really|wrong chat|jk|psych|sike"
    r"|(?:just|only) (?:testing|joking|kidding)|scratch that|actually no|not!)(?:\W|$)",
    re.IGNORECASE,
)
_THE_ABOVE = r"(?:this|that|it|the above|the text|my text|the whole thing|mine|these|the following)"
_ON_THE_TEXT = re.compile(
    r"^\W{0,3}\^"
    rf"|\b(?:make|making|get|have|let) {_THE_ABOVE}\b(?: \w+){{0,3}}? (?:sound|read|look|flow|seem|nicer|friendlier"
    r"|politer|polite|formal|informal|professional|concise|catchy|catchier|grammatical|shorter|clearer"
    r"|smoother|warmer)\b"
    rf"|\b(?:does|do|would|will|did|is) {_THE_ABOVE}\b(?: \w+)? (?:sound|read|look|seem|come across|flow"
    rf"|make sense|correct"
    r"|grammatical|right|ok|okay|good English|clear|polite|natural)\b"
    rf"|\bhow (?:does|do|would|can|could|should) (?:{_THE_ABOVE}|I|you) (?:sound|read|look|phrase|word|put|say) ?"
    rf"(?:{_THE_ABOVE}|better|nicer|to you)?\W*$"
    r"|\b(?:any|spot|find|fix|check for|are there)(?: (?:any|the|my|all))? (?:typos?|mistakes?|errors?)\b"
    r"|^(?:please |can you |could you |now )?(?:rate|fix|tweak|tidy up|clean up|polish|smarten up|tone down"
    r"|spice up|beautify"
    rf"|shorten|improve|check|correct|rewrite) {_THE_ABOVE}\b"
    r"|^(?:please |can you |could you |now )?(?:rate|fix|improve|polish|correct|rewrite|proofread|shorten)\W*$"
    r"|\b(?:above|preceding|previous) (?:text|message|letter|mail|e-?mail|paragraph|lines?|note|part)\b"
    r"|\bthe above\W*$",
    re.IGNORECASE,
)


def not_taken_back(sentences: list[str]) -> list[str]:
    """`sentences` without those that a later one takes back, laughs off, or asks to have mended as a text."""
    kept: list[str] = []
    for sentence in sentences:
        if _A_TEST.search(sentence) or (kept and _ON_THE_TEXT.search(sentence)):
            return []
        if _LAUGHS.match(sentence) or _NOT.match(sentence):
            del kept[-1:]
        elif _BACK_ALL.search(sentence):
            kept = [sentence]
        elif _ATTRIBUTED_AFTER.match(sentence):
            kept.clear()
        elif not (_ENDS_LAUGHING.search(sentence) or _BACK_INSIDE.search(sentence)):
            kept.append(sentence)
    return kept


_PLACEHOLDERS = re.compile(
    r"(?:test(?:er|ing)?(?: ?user| ?name| ?person)?\w{0,3}|(?:john|jane|joe) (?:doe|bloggs|q public)"
    r"|foo(?: ?bar)?|bar|baz"
    r"|asdf\w*|qwerty\w*|xxx+|yyy+|lorem(?: ipsum)?|max mustermann|erika mustermann|user(?: name)?|username"
    r"|your name|name"
    r"|sample(?: \w+)?|example(?: \w+)?|placeholder)",
    re.IGNORECASE,
)


def is_placeholder(value: str) -> bool:
    """Whether a value stands for any other: "Test User", "John Doe", "foo"."""
    return bool(_PLACEHOLDERS.fullmatch(value))
