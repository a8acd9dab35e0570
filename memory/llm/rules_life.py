"""English rules for the plain facts of a life: home, origin, age, work, study, health, languages, things, habits."""

import re

from memory.llm.rules_grammar import Clause, Fields, Rule

_COUNTRIES = frozenset(
    "finland sweden norway denmark iceland estonia latvia lithuania germany austria switzerland france belgium netherlands luxembourg "
    "spain portugal italy greece malta cyprus ireland scotland wales england uk britain poland czechia slovakia hungary romania bulgaria "
    "croatia slovenia serbia bosnia montenegro albania kosovo ukraine russia turkey israel egypt morocco tunisia kenya nigeria ghana "
    "ethiopia india pakistan bangladesh nepal china japan korea taiwan thailand vietnam malaysia indonesia philippines australia canada "
    "usa america mexico brazil argentina chile peru colombia uruguay deutschland österreich schweiz suomi sverige norge danmark españa "
    "italia belgique suisse nederland belgië brasil saksa ruotsi europe".split()
)
_NOT_PLACES = frozenset(
    "i january february march april may june july august september october november december monday tuesday wednesday thursday friday "
    "saturday sunday english finnish swedish german french spanish italian python java rust go javascript excel word christmas easter "
    "god hell heaven narnia hogwarts it hr pr ok".split()
)


def _is_town(fields: Fields) -> bool:
    place = fields["place"].casefold()
    return bool(place) and place.split()[0] not in _NOT_PLACES and not _is_country(fields)


def _is_country(fields: Fields) -> bool:
    place = fields["place"].casefold().removeprefix("the ")
    return place in _COUNTRIES or place in {"new zealand", "south africa", "sri lanka", "united states", "united kingdom", "costa rica"}


def _is_place(fields: Fields) -> bool:
    return _is_town(fields) or _is_country(fields)


_HERE = r"(?: (?:the|a|an) (?:\w+ ){0,2}(?:city|town|village|centre|center|suburbs?|heart|middle|north|south|east|west|outskirts|part)(?: \w+)? of)?"


def _home(pattern: str, confidence: float = 0.95, *, whenever: bool = False) -> list[Rule]:
    """A rule for where the operator lives, as a town and as a country."""
    town = Rule(pattern, "address.city", "{place}", confidence, whenever=whenever, holds=_is_town)
    country = Rule(pattern, "address.country", "{place}", confidence, whenever=whenever, holds=_is_country)
    return [town, country]


_FOR_GOOD = r"(?!.*\b(?:when|then|back|left|as a|before|after)\b)"

HOME: tuple[Rule, ...] = (
    *_home(rf"WE live (?:here )?(?:in|at){_HERE} PLACE"),
    *_home(rf"WE (?:am|are) (?:based|living|settled|resident) (?:here )?in{_HERE} PLACE"),
    *_home(rf"WE have (?:lived|been living) in{_HERE} PLACE(?=.*\b(?:since|for|all my life|my whole life|always)\b)", whenever=True),
    *_home(rf"WE (?:have )?(?:moved|relocated)(?: house| home| here| over| back| away| all the way)?(?: from [^,]{{2,40}}?)? to{_HERE} PLACE{_FOR_GOOD}", whenever=True),
    *_home(r"WE (?:have )?settled (?:down )?in PLACE", 0.9),
    *_home(r"WE reside in PLACE"),
    *_home(r"(?:my|our) (?:home|house|flat|apartment|place) is in PLACE", 0.85),
    *_home(r"home is (?:in )?PLACE", 0.85),
    *_home(r"my (?:home )?(?:city|town|address|village|place of residence) is (?:now )?PLACE", 0.85),
    Rule(r"WE live (?P<how>near|outside|close to|not far from|just outside|north of|south of|east of|west of) PLACE", "address.area", "{how} {place}", holds=_is_town),
    Rule(r"my home ?town is PLACE", "origin.hometown", "{place}", holds=_is_place),
    Rule(r"I (?:am (?:originally )?|come |came |originally come )from PLACE(?!')", "origin.place", "{place}", holds=_is_place),
    Rule(r"I was (?:born and (?:raised|bred)|raised|brought up) in PLACE", "origin.place", "{place}", whenever=True, holds=_is_place),
    Rule(r"I grew up in PLACE", "origin.childhood", "{place}", whenever=True, holds=_is_place),
    Rule(r"I was born in PLACE", "birth.place", "{place}", whenever=True, holds=_is_place),
    Rule(
        r"I am (?:half[- ])?(?:an? )?(?P<people>finnish|finn|swedish|swede|norwegian|danish|dane|icelandic|estonian|latvian|lithuanian|german|austrian"
        r"|swiss|french|belgian|dutch|spanish|spaniard|portuguese|italian|greek|irish|scottish|scot|welsh|english|british|brit|polish|pole|czech|slovak"
        r"|hungarian|romanian|bulgarian|croatian|slovenian|serbian|albanian|ukrainian|russian|turkish|turk|israeli|egyptian|moroccan|kenyan|nigerian"
        r"|indian|pakistani|chinese|japanese|korean|thai|vietnamese|filipino|australian|canadian|american|mexican|brazilian|argentin(?:e|ian)|chilean"
        r"|peruvian|colombian)(?: citizen| national)?(?=$|[,.!]| and | but | by )",
        "origin.nationality", "{people}",
    ),
    Rule(r"(?:my|our) (?:local )?time ?zone is (?P<zone>[A-Z][\w/+:-]{1,30})", "timezone", "{zone}"),
    Rule(r"I am (?:in|on) the (?P<zone>[A-Z][\w/+:-]{1,30}) time ?zone", "timezone", "{zone}"),
)  # fmt: skip

DATES: tuple[Rule, ...] = (
    Rule(r"my birthday (?:is|falls) (?:on )?DATE", "user.birthday", "{date}", 0.95, whenever=True),
    Rule(r"I was born on (?:the )?DATE", "user.birthday", "{date}", 0.95, whenever=True),
    Rule(r"I was born in YEAR", "birth.year", "{year}", 0.95, whenever=True),
    Rule(r"(?:my|our) (?:wedding )?anniversary is (?:on )?DATE", "anniversary", "{date}", 0.95),
    Rule(r"I am (?P<age>1\d|[2-9]\d|10\d)(?: years? old| years? of age| yo)?END", "user.age", "{age}", 0.9),
)

_TRADES = frozenset(
    "nurse chef cook pilot judge clerk coach guide vet midwife architect surgeon physician mechanic paramedic barista attendant agent "
    "diplomat scientist monk priest nun pastor actress waitress seamstress nanny freelancer founder ceo cto artist poet luthier "
    "sommelier courier shepherd steward stewardess apprentice intern trainee servant dj model analyst potter smith wright blacksmith "
    "locksmith goldsmith silversmith playwright student undergraduate postgraduate pharmacist accountant consultant assistant "
    "sergeant lieutenant merchant statistician policeman policewoman fireman postman fisherman craftsman salesman tradesman seaman "
    "businessman businesswoman chairwoman dean principal deputy secretary notary apothecary magistrate bailiff auctioneer engineer "
    "volunteer scout receptionist tech lead technologist graduate researcher stage-hand handyman astronaut athlete cellist "
    "paralegal midshipman chaplain rabbi imam vicar deacon cartographer herbalist chiropractor homemaker housewife househusband".split()
)
_TRADE_ENDINGS = ("er", "or", "ist", "ian", "man", "woman", "smith", "wright", "eer", "ologist", "grapher", "ant")
_NO_TRADES = frozenset(
    "lover loser beginner smoker mother father brother sister member believer sinner foreigner teenager newcomer outsider stranger "
    "supporter user customer follower listener reader riser sleeper hater drinker eater owner learner survivor speaker winner number "
    "vegetarian christian pacifist optimist pessimist perfectionist minimalist feminist humanitarian libertarian monster liar quitter "
    "thinker planner procrastinator helper doer joker gamer person man woman human killer dreamer wanderer traveller traveler visitor "
    "tourist voter realist idealist atheist pescatarian flexitarian fruitarian presbyterian mess giant elephant infant worrier fighter "
    "twitcher starter subscriber commuter passenger neighbour neighbor taxpayer homeowner bachelor elder senior junior fiancé watcher "
    "bookworm racist egoist narcissist masochist romantic bother wonder danger sucker stickler hoarder spender latecomer buyer "
    "adopter binger admirer tenant participant descendant immigrant slowpoke better later never ever other another over pushover "
    "mentor debtor creditor contributor spectator administrator admin".split()
)
_JUDGING = frozenset(
    "big huge good bad great terrible slow fast better worse real true total complete bit little lot fan keen avid quick poor natural "
    "born proud happy first second third light heavy early late strong weak hopeless lousy decent fellow former ex new-born would-be".split()
)


def _is_trade(fields: Fields) -> bool:
    """Whether "I'm a ..." names an occupation: by its last word, and by no judging adjective before it."""
    words = fields["job"].casefold().split(" of ")[0].split()
    if not words or words[0] in _JUDGING or words[-1] in _NO_TRADES:
        return False
    head = words[-1].rsplit("-", 1)[-1]
    return head in _TRADES or (len(head) > 4 and head.endswith(_TRADE_ENDINGS) and head not in _NO_TRADES)


def _is_employer(fields: Fields) -> bool:
    return fields["employer"].casefold().split()[0] not in (
        {"night", "home", "least", "most", "all", "once", "hours", "free", "you", "it", "now", "this", "that", "full", "my", "the", "a"}
        if " " not in fields["employer"]
        else {"night", "home", "least", "most", "all", "once", "hours", "you", "it", "this", "that", "full", "my", "two", "three", "weekends"}
    )


_JOB = r"(?P<job>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,3}?)"
_AFTER_JOB = r"(?= (?:at|in|for|with|by|from|who|and|on|working|specialising|based|near|around|now)\b|\s*(?:[,.!]|$))"
_JOBS = {"JOB": _JOB, "JOBEND": _JOB + _AFTER_JOB}
_AREA = r"[^,]{0,40}(?:, (?:mostly|mainly|usually|primarily) [^,]{0,50}?)? (?:in|around|near|across|throughout) PLACE"

WORK: tuple[Rule, ...] = (
    Rule(rf"I am (?:working as )?an? {_JOB}{_AFTER_JOB}", "job.title", "{job}", holds=_is_trade),
    Rule(rf"I (?:work|am working|am employed|make (?:a|my) living|earn (?:a|my) living) as (?:an? |the )?{_JOB}{_AFTER_JOB}", "job.title", "{job}", 0.95),
    Rule(rf"my (?:job|profession|occupation|trade|work|day job) is (?:being |that of )?(?:an? )?{_JOB}END", "job.title", "{job}", 0.85, holds=_is_trade),
    Rule(rf"I am (?:an? )?{_JOB} by (?:trade|profession|training)", "job.title", "{job}"),
    Rule(rf"I (?:have )?(?:became|become|qualified as|trained as) an? {_JOB}{_AFTER_JOB}", "job.title", "{job}", 0.8, whenever=True, holds=_is_trade),
    Rule(rf"I have (?:got |started |taken )?(?:a )?(?:new )?job as (?:an? |the )?{_JOB}{_AFTER_JOB}", "job.title", "{job}", 0.9),
    Rule(rf"I (?:am|work as|am working as|am employed as) (?:an? )?{_JOB}{_AFTER_JOB}{_AREA}", "work.area", "{place}", 0.8, holds=lambda fields: _is_trade(fields) and _is_place(fields)),
    Rule(r"I work (?:at|for) [^,]{2,50}? in PLACE", "work.area", "{place}", 0.8, holds=_is_place),
    Rule(r"I work (?:mostly |mainly )?in PLACE", "work.area", "{place}", 0.85, holds=_is_place),
    Rule(r"I work (?:at|for) (?P<employer>(?:(?:the|an?) )?[^\W\d_][\w'&.-]*(?: [\w'&.-]+){0,5})", "job.employer", "{employer}", holds=_is_employer),
    Rule(
        r"I work in (?:the )?(?P<field>(?:public |private )?(?:healthcare|health care|it|finance|education|construction|publishing|retail|marketing|sales|insurance|banking"
        r"|hospitality|catering|forestry|agriculture|farming|logistics|advertising|research|academia|hr|tech|software|law|media|film|theatre|tourism|shipping|social work"
        r"|sector|film industry|car industry|music industry|video games?|accounting|customer service|manufacturing))END",
        "job.field", "{field}",
    ),
    Rule(r"I am (?:a )?(?P<status>retired|unemployed|self-employed|freelance|freelancing|between jobs|on (?:parental|maternity|paternity) leave)(?=$|[,.! ])", "job.status", "{status}"),
    Rule(r"I teach (?P<subject>(?!you|him|her|them|myself|people|this|that|it|at\b|in\b)[^\W\d_][\w'-]*(?: [\w'-]+){0,2}?)(?= (?:at|in|to|for)\b|END)", "job.title", "teaches {subject}", 0.85),
    Rule(r"WE (?:run|own and run) an? (?P<shop>(?:\w+ )?(?:bakery|shop|store|caf[eé]|restaurant|bar|pub|farm|studio|business|company|hotel|hostel|school|salon|practice|brewery|bookshop|gallery|workshop|blog|podcast|clinic|garage|kennel|vineyard|nursery))", "job.business", "runs a {shop}", 0.9),
    Rule(r"I (?P<make>build|restore|repair|make|design|tune|sell|write|teach|paint) (?P<craft>[\w' -]{3,40}) for a living", "job.title", "{make}s {craft}", 0.8),
    Rule(r"I work (?P<hours>nights|(?:night|early|late|day|evening|rotating) shifts|shifts|part[- ]time|full[- ]time|weekends|from home|remotely|freelance)(?P<rest>(?: [\w' -]{2,50})?)", "schedule.work", "{hours} {rest}", 0.85),
    Rule(r"I (?:study|am studying) (?P<subject>(?!hard|abroad|every|for\b|at\b|in\b|here|it\b|this|that|you|with|a lot|all)[^\W\d_][\w'-]*(?: (?!at\b|in\b)[\w'-]+){0,3})", "study.subject", "{subject}"),
    Rule(r"I (?:study|am studying|go to school|am a student)(?: [\w' ]{1,30}?)? at (?P<school>(?:the )?(?-i:[A-Z])[\w'.-]*(?: (?:of )?[\w'.-]+){0,4})", "study.school", "{school}"),
)  # fmt: skip

_CONDITIONS = (
    r"asthma|(?:type (?:1|2|one|two) )?diabetes|migraines?|epilepsy|adhd|add|autism|(?:coeliac|celiac|crohn's|parkinson's) disease|coeliac|hay fever|high blood pressure"
    r"|hypertension|arthritis|eczema|psoriasis|insomnia|tinnitus|dyslexia|ibs|endometriosis|gout|glaucoma|anxiety|depression|osteoporosis|sleep apnoea|sleep apnea"
    r"|a (?:pacemaker|heart condition|bad (?:back|knee|hip|shoulder))|bad (?:knees|eyesight)|high cholesterol|scoliosis|vertigo|multiple sclerosis"
)
_EVENLY = r"END"

HEALTH: tuple[Rule, ...] = (
    Rule(r"(?:I am|I have been|I am one of those people) (?:(?:\w+ly|very) )?allergic (?:to|against) (?:both |all |any kind of )?THING", "health.allergy.{thing}", "{thing}", 0.95, each=True),
    Rule(r"I (?:have|have got|suffer from) an? (?:\w+ )?allergy to THING", "health.allergy.{thing}", "{thing}", 0.95, each=True),
    Rule(r"I (?:have|have got|suffer from) an? (?:severe |bad |mild |serious )?(?P<thing>(?!new|food|strange)\w+(?: \w+)?) allergy", "health.allergy.{thing}", "{thing}", 0.95),
    Rule(r"I have (?:developed|had) an? (?P<thing>\w+) allergy(?: since.*)?END", "health.allergy.{thing}", "{thing}", 0.9),
    Rule(r"my (?:only )?allerg(?:y is to|ies are(?: to)?|ies include) THING", "health.allergy.{thing}", "{thing}", 0.9, each=True),
    Rule(r"I am (?P<what>lactose|gluten|histamine|fructose|dairy|milk|egg)[- ]intolerant", "health.intolerance.{what}", "{what} intolerant", 0.95),
    Rule(r"I am intolerant (?:to|of) (?P<what>[\w-]+(?: [\w-]+)?)", "health.intolerance.{what}", "{what}", 0.9),
    Rule(r"I have an? (?P<what>lactose|gluten|histamine|fructose|dairy|milk|egg) intolerance", "health.intolerance.{what}", "{what} intolerant", 0.95),
    Rule(rf"I (?:have|have got|suffer from|live with|was diagnosed with|have been diagnosed with|have had)(?: (?:severe|mild|chronic|bad))? (?P<what>{_CONDITIONS})\b", "health.{what}", "{what}", 0.9),
    Rule(r"I am (?:a )?(?P<what>(?:type (?:1|2|one|two) )?diabetic|asthmatic|coeliac|celiac|colou?r[- ]?blind|dyslexic|deaf|hard of hearing|left-handed|epileptic|autistic|short-sighted|near-sighted|far-sighted|in a wheelchair|a wheelchair user)(?=$|[,.! ])", "health.{what}", "{what}"),
    Rule(r"I (?:wear|use) (?P<what>(?:reading )?glasses|contact lenses|contacts|hearing aids|a hearing aid|a wheelchair|a prosthesis)", "health.{what}", "wears {what}", 0.9),
    Rule(r"I (?:do not|never) smoke(?: cigarettes)?END", "health.smoking", "non-smoker", 0.95),
    Rule(r"I am a (?P<what>non-?smoker|smoker)", "health.smoking", "{what}", 0.9),
    Rule(r"I am an? (?:ex|former)[- ]smoker", "health.smoking", "former smoker", 0.9),
    Rule(r"I smoke(?: (?:a pack|cigarettes|cigars|a pipe)[\w ]{0,20})?END", "health.smoking", "smokes", 0.8),
    Rule(r"I (?:have )?(?:quit|stopped|gave up|given up|kicked)(?: smoking| cigarettes| tobacco)(?: (?:back )?in YEAR)?", "health.smoking", "quit in {year}", 0.95, whenever=True),
    Rule(r"I (?:have )?(?:quit|stopped|gave up|given up|kicked)(?: smoking| cigarettes| tobacco)(?!.{0,20}\d{4})", "health.smoking", "quit", 0.9, whenever=True),
    Rule(r"I (?:have )?(?:quit|stopped|gave up|given up)(?: drinking| alcohol)(?: alcohol)?(?: (?:back )?in YEAR)", "diet.alcohol", "no alcohol, quit in {year}", 0.95, whenever=True),
    Rule(r"I (?:have )?(?:quit|stopped|gave up|given up)(?: drinking| alcohol)(?: alcohol)?(?=$|[,.!]| (?:two|three|four|five|six|\w+) (?:months|years) ago)", "diet.alcohol", "no alcohol", 0.9, whenever=True),
    Rule(r"I (?:have )?(?:quit|stopped|gave up|given up) playing (?:the )?(?P<game>[\w-]+(?: (?!in\b)[\w-]+)?)(?: (?:back )?in YEAR)", "hobby.{game}", "gave up in {year}", 0.85, whenever=True),
    Rule(r"I (?:have been|am) sober(?: since YEAR)?(?=$|[,.! ])", "diet.alcohol", "no alcohol", 0.85),
)  # fmt: skip

_USED_UP = frozenset("lot bit few lie secret car-free hard bargain point fine line crazy me you".split())


def _is_vehicle(fields: Fields) -> bool:
    """Whether "I drive a ..." names a vehicle: a make, a year, or a common kind."""
    words = fields["ride"].split()
    kinds = {"van", "truck", "hatchback", "hybrid", "pickup", "motorbike", "motorcycle", "scooter", "moped", "suv", "estate", "car", "tractor", "minibus"}
    return words[0].casefold() not in _USED_UP and any(word[0].isupper() or word[0].isdigit() or word in kinds for word in words)


_RIDE = r"(?P<ride>[\w-]+(?: (?!in\b|to\b|and\b|for\b)[\w-]+){0,3})"
_TONGUE = r"(?P<tongue>(?:(?:some|fluent|a little|a bit of|basic|native|both) )?(?-i:[A-Z])[\w-]+(?:,? (?:(?:and|plus|with) )?(?:(?:some|fluent|a little|a bit of|basic) )?(?-i:[A-Z])[\w-]+)*)"

THINGS: tuple[Rule, ...] = (
    Rule(rf"WE speak {_TONGUE}", "language.spoken", "{tongue}"),
    Rule(rf"(?:my|our) (?:mother tongue|native language|first language|native tongue) is {_TONGUE}", "language.native", "{tongue}", 0.95),
    Rule(rf"I am a native {_TONGUE} speaker|I am a native speaker of {_TONGUE.replace('tongue', 'other')}", "language.native", "{tongue}", 0.95),
    Rule(rf"(?:I am|I have been|we are) learning {_TONGUE}", "language.learning", "{tongue}"),
    Rule(rf"WE drive an? (?:old |new |electric |second-hand |used )?{_RIDE}", "car.model", "{ride}", 0.9, holds=_is_vehicle),
    Rule(rf"(?:my|our) car is an? (?:old |new )?{_RIDE}", "car.model", "{ride}", 0.9, holds=_is_vehicle),
    Rule(rf"I (?:ride|cycle) an? (?:old |new )?{_RIDE}", "vehicle.ride", "{ride}", 0.85, holds=_is_vehicle),
    Rule(r"WE (?:own|have bought) an? (?P<what>(?!lot|bit|share|copy)(?:[\w-]+ )?[\w-]+)END", "owns.{what}", "{what}", 0.85),
    Rule(r"WE do not (?:own|have) a (?P<what>car|bike|bicycle|tv|television|dishwasher|microwave|freezer|garden|printer|smartphone|licence|driving licence|driver's license|mixer|blender|oven)\b", "owns.{what}", "no {what}", 0.9),
    Rule(r"WE have no (?P<what>car|bike|bicycle|tv|television|dishwasher|microwave|freezer|garden|oven|balcony)\b", "owns.{what}", "no {what}", 0.9),
    Rule(r"I (?:cannot|do not) (?P<what>drive|swim)END", "ability.{what}", "does not {what}", 0.85),
)  # fmt: skip

_NOT_PLAYED = frozenset("role part game fool safe it around along dumb nice dead devil's victim with for by with a an on against".split())
_NOT_DONE = frozenset("work think love want need hate feel wish see hear say get am was have do know like forget lose fail try cry wonder ask hope believe mean use used will would could".split())


def _is_played(fields: Fields) -> bool:
    return not _NOT_PLAYED & set(fields["game"].casefold().split())


def _is_done(fields: Fields) -> bool:
    return fields["act"].casefold().split()[0] not in _NOT_DONE and "headache" not in fields["act"]


_WEEKLY = r"(?P<when>(?:on |every |each )(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:mornings?|evenings?|nights?|afternoons?))?|(?:other )?(?:morning|evening|night|week|day|weekend)|weekdays|weekends))"
_ACT = r"(?P<act>[a-z][\w'-]*(?: [\w'-]+){0,4}?)"

HABITS: tuple[Rule, ...] = (
    Rule(r"I play (?:the )?(?P<game>[^\W\d_][\w'-]*(?: (?!in\b|at\b|on\b|every\b|for\b|with\b|and\b)[^\W\d_][\w'-]*)?)(?!.*\b(?:every|each|days)\b)", "hobby.{game}", "plays {game}", 0.85, holds=_is_played),
    Rule(r"WE keep (?P<game>bees|chickens|hens|ducks|goats|sheep|pigeons|alpacas|horses|rabbits|quails?)\b", "hobby.{game}", "keeps {game}", 0.9),
    Rule(r"I (?P<act>collect|knit|crochet|whittle|brew|sew|paint|carve|restore|photograph|juggle|fence|sail|surf|climb|ski) (?P<game>(?!it|this|that|the|my|your|a\b|for\b)[\w'-]+(?: [\w'-]+)?)END", "hobby.{game}", "{act} {game}", 0.8),
    Rule(r"I (?P<game>knit|crochet|whittle|juggle|sail|surf|fence|paint|sew|do (?:yoga|pilates|karate|judo|ballet|crossfit|archery|pottery|calligraphy))(?: in my (?:free|spare) time| as a hobby)?END", "hobby.{game}", "{game}", 0.85),
    Rule(r"I sing in (?:a|the|our) (?P<game>(?:\w+ )?choir|band)", "hobby.singing", "sings in a {game}", 0.9),
    Rule(r"(?:my|one of my) (?:main |favou?rite )?(?:hobby|hobbies|pastime) (?:is|are) (?P<game>[\w' -]{3,50})", "hobby.{game}", "{game}", 0.9),
    Rule(rf"WE go (?:to (?:the |my |our )?)?{_ACT} WHEN", "schedule.{act}", "{act} {when}", 0.9, holds=_is_done),
    Rule(rf"WE have (?:an? |my |our |the )?{_ACT} WHEN", "schedule.{act}", "{act} {when}", 0.9, holds=_is_done),
    Rule(rf"WE (?!go |have )(?:do |attend |take )?(?:my |our |the )?{_ACT} WHEN", "schedule.{act}", "{act} {when}", 0.85, holds=_is_done),
    Rule(rf"{_WEEKLY} WE (?:go (?:to (?:the |my )?)?|have (?:an? |my |our )?|do |attend |take )?{_ACT}(?P<rest>(?: (?:at|from|after|before|with) [\w: ]{{1,25}})?)END", "schedule.{act}", "{act} {when} {rest}", 0.9, holds=_is_done),
    Rule(rf"(?:my|our) {_ACT} (?:is|are|takes place|falls) WHEN", "schedule.{act}", "{act} {when}", 0.85, holds=_is_done),
    Rule(r"I (?P<act>get up|wake up|go to bed|go to sleep|start work|finish work|have (?:lunch|dinner|breakfast)|eat (?:lunch|dinner|breakfast)) (?P<when>(?:at|around|before|by) (?:about |around )?(?:\d|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|one|two|three|four|half)[\w:. ]{0,25})", "schedule.{act}", "{act} {when}", 0.85),
)  # fmt: skip

RULES: tuple[Rule, ...] = (*HOME, *DATES, *WORK, *HEALTH, *THINGS, *HABITS)

_FORMER_HABIT = re.compile(r"I used to (?P<habit>smoke|drink|play (?:the )?[\w-]+)(?: a lot| too much| heavily)?[.!]?$", re.IGNORECASE)
_GIVEN_UP = re.compile(r"I (?:have )?(?:quit|stopped|gave (?:it |that )?up|given it up)(?! [a-z]+ing\b)(?P<since>(?: (?:back )?in \d{4}|,? .{0,30})?)$", re.IGNORECASE)
_DOING = {"smoke": "smoking", "drink": "drinking", "play": "playing"}


def with_habit_named(clause: Clause) -> str:
    """The clause's text, what was given up put in: "I used to smoke" + "I quit in 2019" -> "I quit smoking in 2019"."""
    given_up = _GIVEN_UP.match(clause.text)
    former = _FORMER_HABIT.match(clause.before) if given_up else None
    if not given_up or not former:
        return clause.text
    verb, _, rest = former["habit"].partition(" ")
    return " ".join(f"I quit {_DOING[verb.lower()]} {rest} {given_up['since']}".split())
