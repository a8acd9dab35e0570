"""English rules for names: the operator's own, their family, friends, pets and things; and who they live with."""

import re

from memory.llm.rules_grammar import Clause, Fields, Rule

_PETS = (
    r"dog|puppy|hound|cat|kitten|kitty|rabbit|bunny|hamster|guinea pig|parrot|budgie|canary|bird|horse|pony|donkey|goat|sheep|cow|pig"
    r"|tortoise|turtle|snake|lizard|gecko|fish|goldfish|ferret|rat|mouse|hen|rooster|chicken|duck|goose|llama|alpaca|pet|terrier|beagle"
    r"|labrador|poodle|spaniel|retriever|dachshund|corgi|greyhound|husky|collie|cockatiel|hedgehog|chinchilla"
)
_FAMILY = (
    r"wife|husband|hubby|spouse|partner|girlfriend|boyfriend|fiancée?|mother|mum|mom|mama|father|dad|papa|son|daughter|baby|toddler"
    r"|brother|sister|twin(?: brother| sister)?|grandmother|grandma|granny|gran|grandfather|grandpa|grandson|granddaughter|stepson"
    r"|stepdaughter|stepmother|stepfather|mother-in-law|father-in-law|sister-in-law|brother-in-law|son-in-law|daughter-in-law|boss|manager"
    r"|doctor|dentist|therapist|landlord|landlady|teacher|nanny|vet|coach"
)
_FRIENDS = (
    r"(?:best )?friend|colleague|co-?worker|workmate|neighbou?r|flatmate|roommate|housemate|classmate|teammate|cousin|uncle|aunt|auntie"
    r"|nephew|niece|godson|goddaughter|godfather|godmother|mentor|student|pupil|assistant|apprentice"
)
_THINGS = (
    r"boat|ship|yacht|sailboat|canoe|dinghy|car|van|truck|camper|campervan|bike|bicycle|motorbike|scooter|house|cabin|cottage|farm|company"
    r"|business|shop|bakery|caf[eé]|restaurant|band|choir|team|club|blog|podcast|channel|robot|vacuum|sourdough starter|plant|newsletter"
)
_KINDS = {
    "puppy": "dog", "hound": "dog", "terrier": "dog", "beagle": "dog", "labrador": "dog", "poodle": "dog", "spaniel": "dog",
    "retriever": "dog", "dachshund": "dog", "corgi": "dog", "greyhound": "dog", "husky": "dog", "collie": "dog", "kitten": "cat",
    "kitty": "cat", "bunny": "rabbit", "wife": "spouse", "husband": "spouse", "hubby": "spouse", "fiancé": "fiance", "fiancée": "fiance",
    "mum": "mother", "mom": "mother", "mama": "mother", "dad": "father", "papa": "father", "grandma": "grandmother",
    "granny": "grandmother", "gran": "grandmother", "grandpa": "grandfather", "coworker": "colleague", "co_worker": "colleague",
    "workmate": "colleague", "neighbor": "neighbour", "best_friend": "friend", "auntie": "aunt", "sailing_boat": "boat",
    "sailboat": "boat", "kids": "children", "boys": "sons", "girls": "daughters", "bicycle": "bike", "café": "cafe",
}  # fmt: skip
_COLOURED = (
    r"(?:(?:little|big|older|younger|elder|eldest|oldest|youngest|middle|twin|dear|lovely|new|newborn|old|good|close|beloved|beautiful|sweet|tiny"
    r"|rescue|black|white|grey|gray|ginger|brown|tabby|golden|grumpy|lazy|clever|crazy|adorable|sailing|pet|foster|adopted|robot|three-year-old"
    r"|\w+[- ]year[- ]old|lab|border|french|german|welsh|cocker|shetland|jack russell|golden) )*"
)
_WORDS = {
    "WHO": rf"(?P<who>{_PETS}|{_FAMILY}|{_THINGS})",
    "KIN": rf"(?P<who>{_FAMILY}|{_FRIENDS})",
    "PET": rf"(?P<who>{_PETS})",
    "FRIEND": rf"(?P<who>{_FRIENDS})",
    "THAT": rf"(?P<who>{_PETS}|{_THINGS}|\w+)",
    "LIKE": _COLOURED,
    "ANYONE": r"(?P<who>[^\W\d_]+)",
    "PAIR": r"(?P<names>(?-i:[^\W\d_a-z])[\w-]+(?:, (?-i:[^\W\d_a-z])[\w-]+)*,? and (?-i:[^\W\d_a-z])[\w-]+)",
    "KIDS": r"(?P<who>kids|children|sons|daughters|boys|girls|cats|dogs|horses|rabbits|brothers|sisters|siblings|grandchildren)",
}

_NOT_NAMES = frozenset(
    "i ok okay god jesus monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december christmas easter what can could is the this that my our he she it they we you how why "
    "which who where when if please thanks yes no not english finnish swedish german french spanish italian dutch danish "
    "norwegian russian polish greek american british irish scottish welsh chinese japanese covid tv pc usb diy id".split()
)
_NOT_NAMED = frozenset(
    "character password wifi network protagonist hero heroine villain user username login account variable function class file "
    "server database table column code secret avatar persona wizard knight king queen friends friend colleague neighbour "
    "neighbor coworker cousin uncle aunt nephew niece error problem condition method".split()
)


def _is_name(fields: Fields) -> bool:
    """Whether the name is one, and not a day, a language or the "I" of the next clause."""
    first_word = fields.get("name", "").split()[0].casefold() if fields.get("name") else ""
    return len(first_word) > 1 and first_word not in _NOT_NAMES and fields.get("who", "").casefold() not in _NOT_NAMED


def _is_friend_name(fields: Fields) -> bool:
    return _is_name({"name": fields["name"]})


def _named(pattern: str, *, confidence: float = 0.95, anywhere: bool = False, always: bool = False) -> list[Rule]:
    """A rule for who there is one of (`dog.name`), and its twin for who there are many of (`colleague.farid`)."""
    one = Rule(
        pattern, "{who}.name", "{name}", confidence, anywhere=anywhere, always=always, whenever=True, holds=_is_name,
        words=_WORDS, kinds=_KINDS,
    )  # fmt: skip
    many = Rule(
        re.sub("WHO|ANYONE", "FRIEND", pattern), "{who}.{name}", "{name}", confidence, anywhere=anywhere,
        always=always, whenever=True, holds=_is_friend_name, words=_WORDS, kinds=_KINDS,
    )  # fmt: skip
    return [one, many]


def _own_name(pattern: str, confidence: float = 0.95, *, greeted: bool = False, requested: bool = False) -> Rule:
    stance = "requested" if requested else "stated"
    return Rule(pattern, "user.name", "{name}", confidence, whenever=True, greeted=greeted, stance=stance, holds=_is_name)


def _counted(pattern: str, key: str, value: str, confidence: float = 0.9) -> Rule:
    return Rule(pattern, key, value, confidence, words=_WORDS, kinds=_KINDS)


_GONE = r"(?! (?:was|were|had|used|died|would)\b)"

RULES: tuple[Rule, ...] = (
    # The operator's own name
    _own_name(r"my (?:full |first |real |given |own )?name is NAME"),
    _own_name(r"I am called NAME"),
    _own_name(r"I (?:go by|answer to) (?:the name )?(?:of )?NAME"),
    _own_name(r"(?:people|everyone|everybody|most people|friends|my friends|my family) calls? me NAME", 0.9),
    _own_name(r"(?:you can |you may )?call me NAMEEND", 0.9, requested=True),
    _own_name(r"I am NAME(?=$|[,.!]| and | from | by the way)", 0.75, greeted=True),
    # Names of others, said outright
    *_named(r"(?:my|our|the) LIKEANYONE's name is NAME"),
    *_named(r"the name of (?:my|our) LIKEANYONE is NAME"),
    *_named(r"(?:my|our|the) LIKEWHO (?:is|are) (?:called|named) NAME"),
    *_named(r"(?:my|our) LIKEANYONE is (?:called|named) NAME"),
    *_named(r"(?:my|our) LIKEWHO (?:goes by|answers to|is) (?:the name )?(?:of )?NAMEEND", confidence=0.85),
    *_named(r"WE (?:have|own|got|have got|bought|adopted|have adopted|have bought) an? LIKEWHO(?:,| (?:called|named|by the name of)) NAME"),
    *_named(r"WE (?:have )?(?:re)?(?:named|christened|baptised) (?:the|our|my) LIKEWHO NAME"),
    *_named(r"WE have (?:renamed|named|christened) (?:the|our|my) LIKEWHO NAME"),
    # Names in passing: "what should I get for my dog Beans?"
    *_named(rf"(?<![\w'])(?:my|our) LIKEWHO,? NAME{_GONE}", confidence=0.85, anywhere=True, always=True),
    *_named(r"(?<=,) NAME,? is (?:my|our) LIKEWHOEND", confidence=0.85),
    # Many at once
    _counted(r"WE have (?:NUMBER )?KIDS(?:,| called| named| -)? PAIR", "{who}.names", "{names}"),
    _counted(r"(?:my|our) (?:NUMBER )?KIDS(?:'s?)?(?: are(?: called| named)?|,| names are)? PAIR", "{who}.names", "{names}"),
    _counted(r"WE have NUMBER (?:\w+ )?KIDS", "{who}.count", "{number}"),
    _counted(r"WE have NUMBER (?:adult |small |young |grown-up |teenage )?KIDS", "{who}.count", "{number}"),
    _counted(r"(?:I am|I have) an? (?:mother|father|mum|mom|dad|parent) of NUMBER\b", "children.count", "{number}"),
    _counted(r"I am a (?:mother|father|mum|mom|dad|parent) of NUMBER\b", "children.count", "{number}"),
    _counted(r"WE (?:do not have|have no|have not got)(?: any)? (?:children|kids)", "children.count", "none"),
    _counted(r"I am (?:childless|child-?free)END", "children.count", "none"),
    _counted(r"WE (?:do not have|have no|have not got)(?: any)? (?P<who>pets|siblings|cats|dogs)", "{who}.count", "none"),
    _counted(r"I am an only childEND", "siblings.count", "none"),
    # Family life
    Rule(r"I am (?:happily )?married to (?:an? \w+ called )?NAME", "spouse.name", "{name}", 0.95, holds=_is_name),
    Rule(r"I am (?:happily )?(?P<state>single|married|divorced|widowed|engaged|separated)END", "relationship.status", "{state}"),
    Rule(r"WE live (?P<how>alone|on my own|by myself|with my (?:\w+ and (?:my )?)?\w+)END", "household", "{how}", 0.8),
    # What belongs to another, under their own key
    Rule(r"(?:my|our) LIKEKIN(?: (?-i:[A-Z])\w+)? lives in PLACE", "{who}.city", "{place}", 0.8, words=_WORDS, kinds=_KINDS),
    Rule(
        r"(?:my|our) LIKEKIN(?: (?-i:[A-Z])\w+)? is (?:(?:\w+ly|very) )?allergic to THING", "{who}.allergy", "{thing}", 0.9,
        words=_WORDS, kinds=_KINDS,
    ),  # fmt: skip
    Rule(
        r"(?:my|our) LIKEKIN(?: (?-i:[A-Z])\w+)? has an? (?P<thing>\w+) allergy", "{who}.allergy", "{thing}", 0.9,
        words=_WORDS, kinds=_KINDS,
    ),  # fmt: skip
    Rule(r"(?:my|our) LIKEKIN's birthday is (?:on )?DATE", "{who}.birthday", "{date}", 0.95, words=_WORDS, kinds=_KINDS),
)

# Pronouns and answers that lean on something said before

_OWNED = re.compile(
    r"(?:\b(?:my|our)|\b(?:I|we) (?:have|got|have got|own|adopted|have adopted|bought|have bought|picked up) (?:an?|the|our|my)) "
    rf"{_COLOURED}(?P<who>{_PETS}|{_FAMILY}|{_FRIENDS}|{_THINGS})\b(?!'s?\b| with| of| at)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:(?P<owner>his|her|its|their)(?= name is\b)|(?:he|she|it|they)(?= (?:is|are) (?:called|named)\b))", re.IGNORECASE)


def with_owner_named(clause: Clause) -> str:
    """The clause's text, its pronoun replaced by the one just spoken of: "he is called X" -> "my dog is called X"."""
    pronoun = _PRONOUN.match(clause.text)
    owned = _OWNED.search(clause.before) if pronoun else None
    if not pronoun or not owned:
        return clause.text
    subject = f"my {owned['who']}" + ("'s" if pronoun["owner"] else "")
    return subject + clause.text[pronoun.end() :]


_NAME_SOUGHT = re.compile(
    r"\bnames?(?: ideas?| suggestions?)? for (?:an?|my|our|the|this) (?P<what>(?:[\w-]+ ){0,2}?[\w-]+?)(?= (?:that|who|with|of|in|from|we|i)\b|[?.,!;]|$)"
    r"|\b(?:should|shall|can|could|do) (?:i|we) (?:name|call) (?:my|our|the|this) (?P<whom>(?:[\w-]+ ){0,2}?[\w-]+?)(?=[?.,!;]|$)"
    r"|\b(?:name|naming) (?:my|our|the|this) (?P<who>(?:[\w-]+ ){0,2}?[\w-]+?)(?=[?.,!;]|$)",
    re.IGNORECASE,
)
_FREE_NAMES = re.compile(r"\b(?:variable|function|class|file|character|villain|hero|story|novel|game|product|startup|brand|project)\b", re.IGNORECASE)


def sought_name(text: str) -> str:
    """What the operator asks a name for, as a key part: "a good name for our boat?" -> "boat"; "" for nothing."""
    sought = _NAME_SOUGHT.search(text)
    if not sought or _FREE_NAMES.search(text):
        return ""
    what = next(group for group in sought.groups() if group)
    noun = what.split()[-1].casefold()
    return _KINDS.get(noun, noun)


_CHOICE = tuple(
    re.compile(
        pattern.replace("NAME", r"(?P<name>(?-i:[^\W\d_a-z])[\w'-]+(?: (?-i:[^\W\d_a-z])[\w'-]+)?)"), re.IGNORECASE
    )
    for pattern in (
        r"(?:she|he|it|they)(?: is| are| will be| shall be) (?:called |named )?NAME(?: from now on| then| now| it is)?[.!]*$",
        r"(?:let's|I will|we will|let us) (?:go with|take|pick|choose|use) NAME\b",
        r"(?:I|we) (?:went with|chose|picked|settled on|decided on|have decided on|have chosen|named (?:her|him|it|them)|called (?:her|him|it|them)) NAME\b",
        r"(?:I|we)(?: will)? (?:call|name) (?:her|him|it|them) NAME\b",
        r"(?:her|his|its|the) name is (?:now )?NAME\b",
        r"NAME it is\b",
        r"NAME is (?:perfect|the one|it|what we (?:chose|picked))\b",
    )
)


def chosen_name(text: str) -> str:
    """The name an operator settles on in a clause: "we'll call her Pip" -> "Pip"; "" for none."""
    for pattern in _CHOICE:
        match = pattern.match(text)
        if match and _is_name({"name": match["name"]}):
            return match["name"]
    return ""
