"""English rules for languages, possessions, hobbies and regular appointments."""

from memory.llm.offline.rules.grammar import Fields, Rule, rules_of, words
from memory.llm.offline.rules.international import RIDE_OF_A_MAKE

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

RULES: tuple[Rule, ...] = rules_of(
    r"""
language.spoken = {tongue}: WE (?:can )?(?:speak|am fluent in|am bilingual in|know) TONGUE
language.native = {tongue} @0.95: (?:my|our) (?:mother tongue|native language|first language|native tongue) is TONGUE
language.native = {tongue} @0.95: I am a native (?:speaker of )?TONGUE
language.learning = {tongue}: (?:I am|I have been|we are) learning TONGUE
car.model = {ride} +vehicle: WE drive an? (?:old |new |electric |second-hand |used )?RIDE
car.model = {ride} +vehicle: (?:my|our) car is an? (?:old |new )?RIDE
car.model = {ride} @0.85 any_time anywhere presupposed: (?<![\w'])(?<!sold )(?<!scrapped )(?<!crashed )(?<!miss
  )(?<!missed )(?:my|our)
  (?:old |new |trusty |little )?MAKE
vehicle.ride = {ride} @0.85 +vehicle: I (?:ride|cycle) an? (?:old |new )?RIDE
owns.{what} = {what} @0.85: WE (?:own|have bought) an? (?P<what>(?!lot|bit|share|copy)(?:[\w-]+ ){0,2}[\w-]+)END
owns.{what} = {what} @0.8: WE have (?:got )?an? (?P<what>(?:[\w-]+
  ){0,2}?(?:e-?bike|bike|bicycle|car|van|motorbike|motorcycle|moped|scooter|boat|kayak|camper(?:van)?|caravan|piano
    |guitar|garden|allotment|greenhouse|cabin|cottage|telescope|sauna|pool|loom|kiln|sewing machine|3d printer|record
  player))END
preference.{drink} = {drink} {when} @0.8: I (?:drink|have) (?:an? )?(?:(?:cup|glass|pot|mug|pint) of
  )?(?P<drink>(?:[\w-]+ )?(?:coffee|tea|milk|water|wine|beer|juice|espresso|matcha|cocoa|smoothie|whisky))
  (?P<when>(?:before|after|with|at|in the) .{2,30})
hobby.{game} = {game} @0.85 any_time: in my (?:spare|free) time,? I (?:like to |enjoy |love to |love
  )?(?P<game>(?!work|sleep)[a-z][\w'-]*(?: [\w'-]+){0,4})
hobby.{game} = {game} @0.85: I am an? (?:keen|avid|passionate|amateur|hobby|enthusiastic) (?P<game>[a-z][\w'-]*(?:
  [\w'-]+)?)END
hobby.{game} = learns {game} @0.85: I am learning (?:to play )?the (?P<game>[a-z]\w+(?: [a-z]\w+)?)END
owns.{what} = no {what}: WE do not (?:own|have) a (?P<what>car|bike|bicycle|tv|television|dishwasher|microwave|freezer
    |garden|printer|smartphone|licence|driving licence|driver's license|mixer|blender|oven)\b
owns.{what} = no {what}: WE have no (?P<what>car|bike|bicycle|tv|television|dishwasher|microwave|freezer|garden|oven
    |balcony)\b
hobby.{game} = plays {game} @0.85 +played: I (?:play|have played|have been playing) (?:the
  )?(?P<game>[^\W\d_][\w'-]*(?: (?!in\b|at\b|on\b|every\b|for\b|since\b|with\b|and\b|well\b|\w+ly\b
    |a\b)[^\W\d_][\w'-]*)?)(?!.*\b(?:every|each|days)\b)
hobby.{game} = keeps {game}: WE keep (?P<game>bees|chickens|hens|ducks|goats|sheep|pigeons|alpacas|horses|rabbits
    |quails?)\b
hobby.{game} = {act} {game} @0.8: I (?P<act>collect|knit|crochet|whittle|brew|sew|paint|carve|restore|photograph
    |juggle|fence|sail|surf|climb|ski) (?P<game>(?!it|this|that|the|my|your|a\b|for\b)[\w'-]+(?: [\w'-]+)?)END
hobby.{game} = {game} @0.85: I (?P<game>knit|crochet|whittle|juggle|sail|surf|fence|paint|sew|do
  (?:yoga|pilates|karate|judo|ballet|crossfit|archery|pottery|calligraphy))(?: in my (?:free|spare) time| as a
  hobby)?END
hobby.singing = sings in a {game}: I sing in (?:a|the|our) (?P<game>(?:\w+ )?choir|band)
hobby.{game} = {game}: (?:my|one of my) (?:main |favou?rite )?(?:hobby|hobbies|pastime|passion) (?:is|are|include)
  (?P<game>[\w' -]{3,50})
schedule.{act} = {act} {when} +done: WE go (?:to (?:the |my |our )?)?ACT WHEN
schedule.{act} = {act} {when} +done: WE have (?:an? |my |our |the )?ACT WHEN
schedule.{act} = {act} {when} @0.85 +done: WE (?!go |have )(?:do |attend |take )?(?:my |our |the )?ACT WHEN
schedule.{act} = {act} {when} {rest} +done: WEEKLY WE (?:go (?:to (?:the |my )?)?|have (?:an? |my |our )?|do |attend
  |take )?ACT(?P<rest>(?: (?:at|from|after|before|with) [\w: ]{1,25})?)END
schedule.{act} = {act} {when} @0.85: (?:my|our) (?P<act>(?:\w+
  )?(?:band|team|choir|club|class|course|group|orchestra))
  (?:rehearses|practises|practices|trains|meets|plays|gathers) WHEN
schedule.{act} = {act} {when} @0.85 +done: (?:my|our) ACT (?:is|are|takes place|falls) WHEN
schedule.{act} = {act} {when} @0.85: I (?P<act>get up|wake up|go to bed|go to sleep|start work|finish work|have
  (?:lunch|dinner|breakfast)|eat (?:lunch|dinner|breakfast)) (?P<when>(?:at|around|before|by) (?:about |around
  )?(?:\d|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|one|two|three|four|half)[\w:. ]{0,25})
""",
    {"vehicle": _is_vehicle, "played": _is_played, "done": _is_done},
    {"RIDE": _RIDE, "MAKE": RIDE_OF_A_MAKE.replace("Golf|", ""), "TONGUE": _TONGUE, "WEEKLY": _WEEKLY, "ACT": _ACT},
)
