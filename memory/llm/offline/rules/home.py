"""English rules for where the operator lives and comes from, and for the dates of their life."""

import re

from memory.llm.offline.rules.grammar import Clause, Fields, Rule, rules_of, words

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
    gitlab postgres plan slack notion teams chrome firefox android aws azure sql accounting marketing sales finance
    legal engineering support work school home logistics procurement management
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
_FOR_GOOD = r"(?!.*\b(?:when|then|back|left|as a|before|after|for (?:a|an|the|one|two|three|four|six|\d+|some))\b)"
_TOKENS = {"HERE": _HERE, "FORGOOD": _FOR_GOOD}
_HOMES = r"""
KEY = {place} @0.95 +here: WE live (?:here )?(?:in|at|on)HERE PLACE
KEY = {place} @0.95 +here: WE (?:am|are) (?:based|living|settled|resident) (?:here )?(?:in|out of)HERE PLACE
KEY = {place} @0.95 any_time +here: WE have (?:lived|been living) inHERE PLACE(?=.*\b(?:since|for|all my life|my whole
  life|always)\b)
KEY = {place} @0.95 any_time +here: WE (?:have )?(?:moved|relocated)(?: house| home| here| over| back| away| all the
  way)?(?: from [^,]{2,40}?)? toHERE PLACEFORGOOD
KEY = {place} +here: WE (?:have )?settled (?:down )?in PLACE
KEY = {place} @0.95 +here: WE reside in PLACE
KEY = {place} @0.85 +here: (?:my|our) (?:home|house|flat|apartment|place) is in PLACE
KEY = {place} @0.8 any_time anywhere +here: (?<![\w'])(?:my|our) (?:house|flat) in PLACE
KEY = {place} @0.85 +here: WE (?:am|are) (?:a family of \w+ )?in an? (?:\w+[
  -]){0,3}(?:flat|house|apartment|bungalow|terrace|studio|cottage) in PLACE
KEY = {place} +here: WE live in an? [\w ]{2,25}? (?:called|named|in) PLACE
KEY = {place} @0.85 any_time anywhere presupposed +here: (?<![\w'])(?<!get )(?<!going )(?<!go )(?:back
  (?:at )?home|at home|home) in
  PLACE(?=[ ,.!?)]|$)
KEY = {place} @0.85 any_time anywhere presupposed +here: (?<![\w'])PLACE,? (?:which is )?where (?:I|we)
  (?:live|am based|are
  based)(?!\w)
KEY = {place} @0.85 +here: I am PLACE (?:through and through|born and bred)
KEY = {place} @0.8 any_time +here: WE have (?:just )?bought (?:an?|our first|our|my first)
  (?:house|flat|apartment|home|place) in PLACE
KEY = {place} @0.85 +here: my (?:home )?(?:city|town|address|village|place of residence) is (?:now )?PLACE
"""

RULES: tuple[Rule, ...] = (
    *rules_of(_HOMES.replace("KEY", "address.city"), {"here": is_town}, _TOKENS),
    *rules_of(_HOMES.replace("KEY", "address.country"), {"here": is_country}, _TOKENS),
    *rules_of(
        r"""
address.area = {how} {place} +town: WE live (?P<how>near|outside|close to|not far from|just outside|north of|south
  of|east of|west of) PLACE
address.area = {how} {place} +town: WE live (?:in|on) an? [\w ]{2,25}? (?P<how>near|outside|close to|just outside)
  PLACE
origin.hometown = {place} +place: my home ?town is PLACE
origin.place = {place} +place: I (?:am (?:originally )?|come |came |originally come )from PLACE(?!')
origin.place = {place} any_time +place: I was (?:born and (?:raised|bred)|raised|brought up) in PLACE
origin.childhood = {place} any_time +place: I grew up in PLACE
birth.place = {place} any_time +place: I was born in PLACE
origin.nationality = {people}: I am (?:half[- ])?(?:an?
  )?(?P<people>finnish|finn|swedish|swede|norwegian|danish|dane|icelandic|estonian|latvian|lithuanian|german|austrian
    |swiss|french|belgian|dutch|spanish|spaniard|portuguese|italian|greek|irish|scottish|scot|welsh|english|british
    |brit|polish|pole|czech|slovak|hungarian|romanian|bulgarian|croatian|slovenian|serbian|albanian|ukrainian|russian
    |turkish|turk|israeli|egyptian|moroccan|kenyan|nigerian|indian|pakistani|chinese|japanese|korean|thai|vietnamese
    |filipino|australian|canadian|american|mexican|brazilian|argentin(?:e|ian)|chilean|peruvian|colombian)(?: citizen|
  national)?(?=$|[,.!]| and | but | by )
timezone = {zone}: (?:my|our) (?:local )?time ?zone is (?P<zone>[A-Z][\w/+:-]{1,30})
user.birthday = {date} @0.95 any_time: my birthday (?:is|falls) (?:on )?DATE
user.birthday = {date} @0.95 any_time: I was born (?:on )?(?:the )?DATE
user.age = {age} any_time: I (?:have )?(?:just |recently )?turned (?P<age>[1-9]\d)(?!:|\d| percent|%)
birth.year = {year} @0.95 any_time: I was born in YEAR
anniversary = {date} @0.95: (?:my|our) (?:wedding )?anniversary is (?:on )?DATE
user.age = {age}: I am (?P<age>1\d|[2-9]\d|10\d)(?: years? old| years? of age| yo)?(?:END| and )
""",
        {"town": is_town, "place": is_place},
    ),
)

_LIVE_THERE = re.compile(r"(?P<living>(?i:I|we) (?:live|have lived)) (?:here|there|nearby|round here)\b")
_TOWN_BEFORE = re.compile(r"\b(?:in|from|to|near|around|of) (?P<place>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)")


def with_town_named(clause: Clause) -> str:
    """The clause's text with its "there" replaced by the town that was named last: "is Leeds wet? we live there"."""
    living = _LIVE_THERE.match(clause.text)
    towns = _TOWN_BEFORE.findall(clause.before) if living else []
    return f"{living['living']} in {towns[-1]}" if living and towns else clause.text
