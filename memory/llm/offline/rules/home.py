"""English rules for where the operator lives and comes from, and for the dates of their life."""

from memory.llm.offline.rules.grammar import Fields, Rule, words

_COUNTRIES = words("""
    finland sweden norway denmark iceland estonia latvia lithuania germany austria switzerland france belgium
    netherlands luxembourg spain portugal italy greece malta cyprus ireland scotland wales england uk britain
    poland czechia slovakia hungary romania bulgaria croatia slovenia serbia bosnia montenegro albania kosovo
    ukraine russia turkey israel egypt morocco tunisia kenya nigeria ghana ethiopia india pakistan bangladesh
    nepal china japan korea taiwan thailand vietnam malaysia indonesia philippines australia canada usa america
    mexico brazil argentina chile peru colombia uruguay deutschland österreich schweiz suomi sverige norge
    danmark españa italia belgique suisse nederland belgië brasil saksa ruotsi europe
""")
_NOT_PLACES = words("""
    i january february march april may june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday english finnish swedish german french spanish italian python java
    rust go javascript excel word christmas easter god hell heaven narnia hogwarts it hr pr ok vim emacs linux
    mars venus jupiter saturn pluto neptune uranus mercury krypton asgard wakanda atlantis gotham mordor moon earth
    space planet another outer dreamland neverland wonderland heaven oz windows mac macos github
    gitlab postgres plan slack notion teams chrome firefox android aws azure sql accounting marketing sales finance legal
    engineering support work school home logistics procurement management
""")

_IDIOMS = words("""
    constant pain fear chaos agony denial dread terror misery squalor poverty luxury comfort silence solitude exile
    sin harmony peace hope darkness limbo suspense shame regret sorrow grief despair anxiety panic secrecy style
    bliss ecstasy debt dreams clouds sweatpants pants jeans pyjamas pajamas leggings hoodies slippers shorts
    sneakers boots uniform moment past future present shadow bubble cave mess hell paradise total complete utter
    perpetual permanent sheer absolute blissful
""")
_ABSTRACT_ENDINGS = ("ness", "tion", "ment", "ism", "ship", "hood", "pants")

_ROADS = words("""
    street st road avenue lane drive square close alley boulevard court terrace floor
""")


def is_town(fields: Fields) -> bool:
    place = fields["place"].casefold()
    words = place.split()
    if not _IDIOMS.isdisjoint(words) or place.endswith(_ABSTRACT_ENDINGS):
        return False
    return bool(words) and words[0] not in _NOT_PLACES and words[-1] not in _ROADS and not is_country(fields)


def is_country(fields: Fields) -> bool:
    place = fields["place"].casefold().removeprefix("the ")
    return place in _COUNTRIES or place in {
        "new zealand",
        "south africa",
        "sri lanka",
        "united states",
        "united kingdom",
        "costa rica",
    }


def is_place(fields: Fields) -> bool:
    return is_town(fields) or is_country(fields)


_HERE = (
    r"(?: (?:the|a|an) (?:\w+ ){0,2}(?:city|town|village|centre|center|suburbs?|heart|middle|north|south|east|west"
    r"|outskirts|part)(?: \w+)? of)?"
)


def _home(pattern: str, confidence: float = 0.95, *, any_time: bool = False) -> list[Rule]:
    """A rule for where the operator lives, as a town and as a country."""
    town = Rule(pattern, "address.city", "{place}", confidence, any_time=any_time, holds=is_town)
    country = Rule(pattern, "address.country", "{place}", confidence, any_time=any_time, holds=is_country)
    return [town, country]


_FOR_GOOD = r"(?!.*\b(?:when|then|back|left|as a|before|after|for (?:a|an|the|one|two|three|four|six|\d+|some))\b)"

HOME: tuple[Rule, ...] = (
    *_home(rf"WE live (?:here )?(?:in|at|on){_HERE} PLACE"),
    *_home(rf"WE (?:am|are) (?:based|living|settled|resident) (?:here )?(?:in|out of){_HERE} PLACE"),
    *_home(
        rf"WE have (?:lived|been living) in{_HERE} PLACE(?=.*\b(?:since|for|all my life|my whole life|always)\b)",
        any_time=True,
    ),
    *_home(
        rf"WE (?:have )?(?:moved|relocated)(?: house| home| here| over| back| away| all the way)?(?: from "
        rf"[^,]{{2,40}}?)? to{_HERE} PLACE{_FOR_GOOD}",
        any_time=True,
    ),
    *_home(r"WE (?:have )?settled (?:down )?in PLACE", 0.9),
    *_home(r"WE reside in PLACE"),
    *_home(r"(?:my|our) (?:home|house|flat|apartment|place) is in PLACE", 0.85),
    *_home(r"home (?:for me )?is (?:in )?PLACE", 0.85),
    *_home(r"WE live in an? [\w ]{2,25}? (?:called|named) PLACE", 0.9),
    *_home(r"(?:I|we) call PLACE home", 0.85),
    *_home(
        r"WE have (?:just )?bought (?:an?|our first|our|my first) (?:house|flat|apartment|home|place) in PLACE",
        0.8,
        any_time=True,
    ),
    *_home(r"my (?:home )?(?:city|town|address|village|place of residence) is (?:now )?PLACE", 0.85),
    Rule(
        r"WE live (?P<how>near|outside|close to|not far from|just outside|north of|south of|east of|west of) PLACE",
        "address.area",
        "{how} {place}",
        holds=is_town,
    ),
    Rule(
        r"WE live (?:in|on) an? [\w ]{2,25}? (?P<how>near|outside|close to|just outside) PLACE",
        "address.area",
        "{how} {place}",
        holds=is_town,
    ),
    Rule(r"my home ?town is PLACE", "origin.hometown", "{place}", holds=is_place),
    Rule(
        r"I (?:am (?:originally )?|come |came |originally come )from PLACE(?!')",
        "origin.place",
        "{place}",
        holds=is_place,
    ),
    Rule(
        r"I was (?:born and (?:raised|bred)|raised|brought up) in PLACE",
        "origin.place",
        "{place}",
        any_time=True,
        holds=is_place,
    ),
    Rule(r"I grew up in PLACE", "origin.childhood", "{place}", any_time=True, holds=is_place),
    Rule(r"I was born in PLACE", "birth.place", "{place}", any_time=True, holds=is_place),
    Rule(
        r"I am (?:half[- ])?(?:an? )?(?P<people>finnish|finn|swedish|swede|norwegian|danish|dane|icelandic|estonian"
        r"|latvian|lithuanian|german|austrian|swiss|french|belgian|dutch|spanish|spaniard|portuguese|italian|greek"
        r"|irish|scottish|scot|welsh|english|british|brit|polish|pole|czech|slovak|hungarian|romanian|bulgarian"
        r"|croatian|slovenian|serbian|albanian|ukrainian|russian|turkish|turk|israeli|egyptian|moroccan|kenyan"
        r"|nigerian|indian|pakistani|chinese|japanese|korean|thai|vietnamese|filipino|australian|canadian|american"
        r"|mexican|brazilian|argentin(?:e|ian)|chilean|peruvian|colombian)(?: citizen| national)?(?=$|[,.!]| and | "
        r"but | by )",
        "origin.nationality",
        "{people}",
    ),
    Rule(r"(?:my|our) (?:local )?time ?zone is (?P<zone>[A-Z][\w/+:-]{1,30})", "timezone", "{zone}"),
    Rule(r"I am (?:in|on) the (?P<zone>[A-Z][\w/+:-]{1,30}) time ?zone", "timezone", "{zone}"),
)

DATES: tuple[Rule, ...] = (
    Rule(r"my birthday (?:is|falls) (?:on )?DATE", "user.birthday", "{date}", 0.95, any_time=True),
    Rule(r"I was born on (?:the )?DATE", "user.birthday", "{date}", 0.95, any_time=True),
    Rule(r"I was born in YEAR", "birth.year", "{year}", 0.95, any_time=True),
    Rule(r"(?:my|our) (?:wedding )?anniversary is (?:on )?DATE", "anniversary", "{date}", 0.95),
    Rule(r"I am (?P<age>1\d|[2-9]\d|10\d)(?: years? old| years? of age| yo)?END", "user.age", "{age}", 0.9),
)

RULES: tuple[Rule, ...] = (*HOME, *DATES)
