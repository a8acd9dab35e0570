"""Patterns for clauses: where a sentence is split, how a clause begins, and how contractions are written out.

The same joining words stand in several patterns, each time with others beside them.
"""

import re

from memory.llm.offline.rules.english.sentence_patterns import any_of

_SUBJECT = "I|we|my|our|he|she|they|you|it|this|that|there|his|her|their|your"
_ASKING = (
    r"what|what's|which|who|who's|whom|whose|where|where's|when|why|how|how's|is|are|am|was|were|do|does|did|can"
    r"|could|would|will|shall|should|may|has|have|had|any|got|isn't|aren't|don't|doesn't|can't|won't"
)
_TURNING = (
    r"but|so|because|since|as|though|although|however|while|whereas|yet|not|please|if|when|unless|given"
    r"|considering|always|never|now|just|who|which|thanks|right|correct|plus"
)
TELLING_VERB = (
    r"work|am|live|have|speak|play|love|like|hate|own|drive|prefer|keep|study|teach|enjoy|cannot|do not|don't|can't"
    r"|ride|cycle|run"
)
ELISIONS = tuple(
    (
        re.compile(rf"{subject}\b", re.IGNORECASE),
        re.compile(rf"(?<=\w),? (and|but) (?=(?:{verbs})\b)", re.IGNORECASE),
        rf" \1 {subject} ",
    )
    for subject, verbs in (
        ("I", TELLING_VERB),
        ("we", "live|have|love|like|hate|own|drive|keep|speak|work"),
    )
)
BOUNDARY = re.compile(
    rf"[;()]| [-–—] |—|…|, (?=(?:(?:and|or|{_TURNING}) )?(?:{_SUBJECT}|{_ASKING})\b)"
    rf"|, (?=(?:{_TURNING}|{TELLING_VERB})\b)"
    r"| (?=(?:and|but|so|because|although|though|since|while|whereas|if|unless) "
    r"(?:now )?(?:I|we|my|our|he|she|they|you|it|his|her|please|that)\b)",
    re.IGNORECASE,
)
QUESTION_OPENING = re.compile(rf"(?:(?:so|and|but|then|now|also) )?(?:{_ASKING})\b", re.IGNORECASE)
QUESTION_TAG = any_of(
    r"right | correct | yes | no | or not | remember | innit | huh | eh | yeah "
    r"| (?:is|are|am|ai|was|were|do|does|did|have|has|can|could|will|wo|would|should)(?:n't| not)? "
    r"(?:i|we|it|he|she|they|you|that)(?: not| so| right| correct| the case| true)?",
    before="^",
    after=r"\W*$",
)
GRANTED = any_of(
    r"since | because | given | considering | seeing | as (?:I|my|we)",
    before="^(?:and |but )?",
)
REQUEST = any_of(
    r"(?:can|could|would|will) you | please | kindly | I would like you to | I want you to | I need you to",
    before="^",
    after=r"(?: also| just)?(?: please)? ",
)
GREETING = re.compile(
    r"(?:hey|hi|hello|hiya|good (?:morning|evening|afternoon|day)|greetings)(?: (?:there|again|caesar|everyone|all))?"
    r"(?:[,.!]+ ?|$| (?=I am\b|my name))",
    re.IGNORECASE,
)
ANNOUNCING = any_of(
    r"""
    by the way | btw | fyi | (?:a |one )?(?:quick|small|random|last|other) (?:one|thing|fact|detail|info)
    (?:a )?(?:quick |small )?(?:note|reminder|correction|update|context|background)
    (?:a (?:bit|little) )?about (?:me|myself)
    (?:quick |short |brief )?intro(?:duction)? | (?:quick )?facts about me
    (?:please )?(?:remember|note|do not forget)(?: this)? | note to self
    for context | (?:good |big )?news | fun fact | one (?:more )?thing | also | sorry
    (?:that is |that's )?(?:wrong|not right) | you got (?:it|that) wrong | ps | p\.s
    (?:I|we) have (?:switched|changed) jobs | change of plans? | (?:I|we) have (?:some |big |good )?news
    my mistake | (?:I )?mistyped | typo | for the record
""",
    before="^",
    after=r"\.?$",
)
LISTING = re.compile(r"(?:I|we) (?:have|speak|like|love|hate|own|play|am|cannot)\b", re.IGNORECASE)

_OWN = r"(?= (?:that )?(?:I|my|we|our)\b)"
_MENTION = r"(?:mention|say|tell you|add|point out|note)"
LEAD_IN = any_of(
    rf"""
    by the way | btw | fyi | also | and | but | so | plus | well | oh | ah | hm+ | ok | okay | yes | yeah | yep
    no(?=[,.!]) | nope | nah | ha(?:ha)* | lol | wow | actually | anyway
    just | first | firstly | second | secondly | finally | lastly | then
    (?:please )?(?:remember|note|know|keep in mind|bear in mind|do not forget|be aware|mind){_OWN}
    as you (?:may |might |already |should |probably )?(?:know|remember|recall)
    you (?:already |may |should |probably |must )?(?:know|remember){_OWN}
    as (?:I|we) (?:said|mentioned|told you)(?: (?:before|earlier|already))? | like I (?:said|mentioned)
    I (?:already |have )?(?:told you|mentioned|meant|said|forgot){_OWN}
    I mean
    I (?:should|must|have to|need to|forgot to|wanted to|want to|would like to)(?: also| probably| just)? {_MENTION}
    you should know
    (?:just )?so you know | for the record | for (?:your|some)? ?(?:information|context|reference|background)
    (?:a (?:bit|little) )?about (?:me|myself) | since | because | given
    considering | seeing | as(?= I\b| my\b| we\b) | though | in fact | to be (?:clear|precise|exact|honest|fair)
    honestly | frankly | sadly | unfortunately | luckily | happily | fortunately
    (?:the )?thing is | (?:it )?turns out | fun fact | good news | big news | correction | update | reminder
    personally | in general | generally | as a rule | sorry | my mistake
    (?:that is|that's) wrong | thanks | thank you | now | nowadays | these days | currently | at home | wait
    listen | great | good | nice | perfect | cool | lovely | before I forget | not quite
    guess what | let me (?:add|tell you|say|mention) | whereas | the truth is | to start | you see
    """,
    before="^",
    after=r"(?: that)?(?:[,.!] ?| |$)",
)
THAT_OWN = re.compile(r"that (?=(?:I|my|we|our)\b)", re.IGNORECASE)

_FILLER = (
    r"(?:also|really|actually|just|still|now|currently|only|absolutely|totally|truly|mostly|mainly|generally"
    r"|personally|always|usually|normally|definitely|simply|finally|recently|very|so|both|honestly|sadly|already"
    r"|strictly|severely|badly|highly|deathly|quite)"
)
_WRITTEN_OUT = (
    (r"\bI'm\b|^im\b(?= [a-z])|(?<=, )im\b(?= [a-z])", "I am"),
    (r"^been (?=an? |type [12] |living |working |learning |playing )", "I have been "),
    (r"^(?=born (?:(?:and (?:raised|bred) )?in |(?:on )?(?:the )?\d))", "I was "),
    (r"(?:^|(?<=\? ))(?:just |recently )?(?=moved (?:here )?(?:to|from) )", "I have "),
    (r"^(?=(?:can't|cannot|cant) (?:stand|eat|have|drink) [^?]*$)", "I "),
    (r"^(?:currently |severely )?(?=(?:based|living) in [^?]*$|allergic to [^?]*$)", "I am "),
    (r"^(as an? [\w' -]{3,40}), (?=I )", r"\1 "),
    (r"^(?=originally from )", "I am "),
    (r"\bI've\b|^ive\b(?= [a-z])", "I have"),
    (r"\bI'll\b", "I will"),
    (r"\bI'd\b", "I would"),
    (r"\bwe're\b", "we are"),
    (r"\bwe've\b", "we have"),
    (r"\b(he|she|it|we|they)'ll\b", r"\1 will"),
    (r"\b(he|she|it|that)'s\b", r"\1 is"),
    (r"\bthey're\b", "they are"),
    (r"\bcan't\b|\bcant\b|\bcan not\b", "cannot"),
    (r"\bdon't\b|\bdont\b", "do not"),
    (r"\bdoesn't\b", "does not"),
    (r"\bhaven't\b", "have not"),
    (r"\b(name|birthday)'s (?!name\b)", r"\1 is "),
    (r"\b(\w+)'s (?=(?:called|named)\b)", r"\1 is "),
    (r"\b(my|our) (\w+)s (?=name is\b)", r"\1 \2's "),
    (
        r"(?:^|(?<=\band )|(?<=\bbut )|(?<=\bso )|(?<=, )|(?<=because )|(?<=since )|(?<=way )|(?<=know )"
        r"|(?<=that ))i(?= [a-z])",
        "I",
    ),
    (rf"\b((?:I|we)(?: am| are| have| do(?: not)?| cannot)?) (?:{_FILLER} )+", r"\1 "),
    (r"^((?:on|every|each|most|at|in the) [\w ]{3,25}), (?=(?:I|we)\b)", r"\1 "),
    (r"\blive and work in\b", "live in"),
    (r"\bI do (like|love|hate|prefer|enjoy|live|work|speak|play)\b", r"I \1"),
)
WRITTEN_OUT = tuple((re.compile(pattern, re.IGNORECASE), written) for pattern, written in _WRITTEN_OUT)
