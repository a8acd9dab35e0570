"""English rules for languages, possessions, hobbies and regular appointments."""

from memory.llm.offline.rules.grammar import Fields, Rule, words

_NO_VEHICLES = words("""
    lot bit few lie secret car-free hard bargain point fine line crazy me you
""")


_VEHICLES = words("""
    van truck hatchback hybrid pickup motorbike motorcycle scooter moped suv estate bike bicycle tandem car tractor
""")


def _is_vehicle(fields: Fields) -> bool:
    """Whether "I drive a ..." names a vehicle: a make, a year, or a common kind."""
    ride = fields["ride"].split()
    is_named = any(word[0].isupper() or word[0].isdigit() or word in _VEHICLES for word in ride)
    return is_named and ride[0].casefold() not in _NO_VEHICLES


_RIDE = r"(?P<ride>[\w-]+(?: (?!in\b|to\b|and\b|for\b)[\w-]+){0,3})"
_LANGUAGE = (
    r"(?:arabic|basque|bengali|bulgarian|cantonese|catalan|chinese|croatian|czech|danish|dutch|english|estonian"
    r"|farsi|finnish|flemish|french|galician|gaelic|georgian|german|greek|hebrew|hindi|hungarian|icelandic"
    r"|indonesian|irish|italian|japanese|korean|latin|latvian|lithuanian|luxembourgish|malay|mandarin|norwegian"
    r"|persian|polish|portuguese|punjabi|romanian|russian|s[aá]mi|serbian|sign language|slovak|slovene|slovenian"
    r"|somali|spanish|swahili|swedish|swiss german|tagalog|tamil|thai|turkish|ukrainian|urdu|vietnamese|welsh"
    r"|yiddish)"
)
_SOME = r"(?:(?:some|fluent|a little|a bit of|basic|native|both|only) )?"
_TONGUE = rf"(?P<tongue>{_SOME}{_LANGUAGE}(?:(?:,| and|, and| plus| with) {_SOME}{_LANGUAGE})*)\b"

THINGS: tuple[Rule, ...] = (
    Rule(rf"WE (?:can )?(?:speak|am fluent in|am bilingual in|know) {_TONGUE}", "language.spoken", "{tongue}"),
    Rule(
        rf"(?:my|our) (?:mother tongue|native language|first language|native tongue) is {_TONGUE}",
        "language.native",
        "{tongue}",
        0.95,
    ),
    Rule(rf"I am a native (?:speaker of )?{_TONGUE}", "language.native", "{tongue}", 0.95),
    Rule(rf"(?:I am|I have been|we are) learning {_TONGUE}", "language.learning", "{tongue}"),
    Rule(
        rf"WE drive an? (?:old |new |electric |second-hand |used )?{_RIDE}",
        "car.model",
        "{ride}",
        0.9,
        holds=_is_vehicle,
    ),
    Rule(rf"(?:my|our) car is an? (?:old |new )?{_RIDE}", "car.model", "{ride}", 0.9, holds=_is_vehicle),
    Rule(rf"I (?:ride|cycle) an? (?:old |new )?{_RIDE}", "vehicle.ride", "{ride}", 0.85, holds=_is_vehicle),
    Rule(
        r"WE (?:own|have bought) an? (?P<what>(?!lot|bit|share|copy)(?:[\w-]+ ){0,2}[\w-]+)END",
        "owns.{what}",
        "{what}",
        0.85,
    ),
    Rule(
        r"WE have (?:got )?an? (?P<what>(?:[\w-]+ ){0,2}?(?:e-?bike|bike|bicycle|car|van|motorbike|motorcycle|moped|scooter|boat"
        r"|kayak|camper(?:van)?|caravan|piano|guitar|garden|allotment|greenhouse|cabin|cottage|telescope|sauna|pool|loom"
        r"|kiln|sewing machine|3d printer|record player))END",
        "owns.{what}",
        "{what}",
        0.8,
    ),
    Rule(
        r"I (?:drink|have) (?:an? )?(?:(?:cup|glass|pot|mug|pint) of )?(?P<drink>(?:[\w-]+ )?(?:coffee|tea|milk|water|wine|beer"
        r"|juice|espresso|matcha|cocoa|smoothie|whisky)) (?P<when>(?:before|after|with|at|in the) .{2,30})",
        "preference.{drink}",
        "{drink} {when}",
        0.8,
    ),
    Rule(
        r"in my (?:spare|free) time,? I (?:like to |enjoy |love to |love )?(?P<game>(?!work|sleep)[a-z][\w'-]*(?: [\w'-]+){0,4})",
        "hobby.{game}",
        "{game}",
        0.85,
        any_time=True,
    ),
    Rule(
        r"I am an? (?:keen|avid|passionate|amateur|hobby|enthusiastic) (?P<game>[a-z][\w'-]*(?: [\w'-]+)?)END",
        "hobby.{game}",
        "{game}",
        0.85,
    ),
    Rule(r"I am learning (?:to play )?the (?P<game>[a-z]\w+(?: [a-z]\w+)?)END", "hobby.{game}", "learns {game}", 0.85),
    Rule(
        r"WE do not (?:own|have) a (?P<what>car|bike|bicycle|tv|television|dishwasher|microwave|freezer|garden"
        r"|printer|smartphone|licence|driving licence|driver's license|mixer|blender|oven)\b",
        "owns.{what}",
        "no {what}",
        0.9,
    ),
    Rule(
        r"WE have no (?P<what>car|bike|bicycle|tv|television|dishwasher|microwave|freezer|garden|oven|balcony)\b",
        "owns.{what}",
        "no {what}",
        0.9,
    ),
    Rule(r"I (?:cannot|do not) (?P<what>drive|swim)END", "ability.{what}", "does not {what}", 0.85),
)

_NOT_PLAYED = words("""
    role part game fool safe it around along dumb nice dead devil's victim with for by with a an on against
""")
_NOT_DONE = words("""
    work think love want need hate feel wish see hear say get am was have do know like forget lose fail try cry
    wonder ask hope believe mean use used will would could
""")


def _is_played(fields: Fields) -> bool:
    return not _NOT_PLAYED & set(fields["game"].casefold().split())


def _is_done(fields: Fields) -> bool:
    return fields["act"].casefold().split()[0] not in _NOT_DONE and "headache" not in fields["act"]


_WEEKLY = (
    r"(?P<when>(?:on |every (?:other |second )?|each )(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: "
    r"(?:mornings?|evenings?|nights?|afternoons?))?|(?:morning|evening|night|week|day|weekend)|weekdays"
    r"|weekends))"
)
_ACT = r"(?P<act>[a-z][\w'-]*(?: [\w'-]+){0,4}?)"

HABITS: tuple[Rule, ...] = (
    Rule(
        r"I (?:play|have played|have been playing) (?:the )?(?P<game>[^\W\d_][\w'-]*(?: "
        r"(?!in\b|at\b|on\b|every\b|for\b|since\b|with\b|and\b|well\b|\w+ly\b|a\b)[^\W\d_][\w'-]*)?)(?!.*\b(?:every|each"
        r"|days)\b)",
        "hobby.{game}",
        "plays {game}",
        0.85,
        holds=_is_played,
    ),
    Rule(
        r"WE keep (?P<game>bees|chickens|hens|ducks|goats|sheep|pigeons|alpacas|horses|rabbits|quails?)\b",
        "hobby.{game}",
        "keeps {game}",
        0.9,
    ),
    Rule(
        r"I (?P<act>collect|knit|crochet|whittle|brew|sew|paint|carve|restore|photograph|juggle|fence|sail|surf"
        r"|climb|ski) (?P<game>(?!it|this|that|the|my|your|a\b|for\b)[\w'-]+(?: [\w'-]+)?)END",
        "hobby.{game}",
        "{act} {game}",
        0.8,
    ),
    Rule(
        r"I (?P<game>knit|crochet|whittle|juggle|sail|surf|fence|paint|sew|do "
        r"(?:yoga|pilates|karate|judo|ballet|crossfit|archery|pottery|calligraphy))(?: in my (?:free|spare) time| "
        r"as a hobby)?END",
        "hobby.{game}",
        "{game}",
        0.85,
    ),
    Rule(r"I sing in (?:a|the|our) (?P<game>(?:\w+ )?choir|band)", "hobby.singing", "sings in a {game}", 0.9),
    Rule(
        r"(?:my|one of my) (?:main |favou?rite )?(?:hobby|hobbies|pastime|passion) (?:is|are|include) (?P<game>[\w' -]{3,50})",
        "hobby.{game}",
        "{game}",
        0.9,
    ),
    Rule(rf"WE go (?:to (?:the |my |our )?)?{_ACT} WHEN", "schedule.{act}", "{act} {when}", 0.9, holds=_is_done),
    Rule(rf"WE have (?:an? |my |our |the )?{_ACT} WHEN", "schedule.{act}", "{act} {when}", 0.9, holds=_is_done),
    Rule(
        rf"WE (?!go |have )(?:do |attend |take )?(?:my |our |the )?{_ACT} WHEN",
        "schedule.{act}",
        "{act} {when}",
        0.85,
        holds=_is_done,
    ),
    Rule(
        rf"{_WEEKLY} WE (?:go (?:to (?:the |my )?)?|have (?:an? |my |our )?|do |attend |take "
        rf")?{_ACT}(?P<rest>(?: (?:at|from|after|before|with) [\w: ]{{1,25}})?)END",
        "schedule.{act}",
        "{act} {when} {rest}",
        0.9,
        holds=_is_done,
    ),
    Rule(
        r"(?:my|our) (?P<act>(?:\w+ )?(?:band|team|choir|club|class|course|group|orchestra)) "
        r"(?:rehearses|practises|practices|trains|meets|plays|gathers) WHEN",
        "schedule.{act}",
        "{act} {when}",
        0.85,
    ),
    Rule(
        rf"(?:my|our) {_ACT} (?:is|are|takes place|falls) WHEN", "schedule.{act}", "{act} {when}", 0.85, holds=_is_done
    ),
    Rule(
        r"I (?P<act>get up|wake up|go to bed|go to sleep|start work|finish work|have (?:lunch|dinner|breakfast)"
        r"|eat (?:lunch|dinner|breakfast)) (?P<when>(?:at|around|before|by) "
        r"(?:about |around )?(?:\d|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|one|two|three|four"
        r"|half)[\w:. ]{0,25})",
        "schedule.{act}",
        "{act} {when}",
        0.85,
    ),
)


RULES: tuple[Rule, ...] = (*THINGS, *HABITS)
