"""The basic statements in German, Swedish and Dutch (Danish and Norwegian where they look alike)."""

from memory.llm.offline.rules.grammar import Rule
from memory.llm.offline.rules.languages import rule_builders as make
from memory.llm.offline.rules.languages.rule_builders import FOOD, TRADE

GERMAN = (
    *make.own_names(r"(?:mein name ist|ich hei(?:ß|ss)e) NAME", r"(?:du kannst mich|nenn mich|nennen sie mich) NAME"),
    *make.named(
        r"(?:mein|unser|der|die|das)e? (?:\w+ )?WHO hei(?:ß|ss)t NAME",
        r"der name (?:meines|meiner|unseres|unserer) (?:\w+ )?WHO(?:e?s)? ist NAME",
    ),
    *make.named(r"(?:ich habe|wir haben) eine?n? (?:\w+ )?WHO(?:,? (?:namens|der|die|das)) (?:heißt )?NAME"),
    *make.named(r"(?<![\w'])(?:mein|unser)(?:e[nrm]?)? WHO NAME", confidence=0.85, anywhere=True),
    make.home(r"(?:ich|wir) (?:wohnen?|leben?)(?: jetzt| nun| schon lange| seit [\w ]{2,20}?)? in PLACE"),
    make.moved(
        r"(?:ich bin|wir sind)(?: jetzt| gerade| letzten monat| letztes jahr)?(?: von \w+)? nach PLACE (?:um)?gezogen"
    ),
    *make.allergic(
        r"ich bin (?:(?!nicht|niet|inte|ikke|ikkje|pas)\w+ )?allergisch (?:gegen|auf) THING",
        r"ich habe eine (?:\w+ )?(?P<thing>\w{3,20}?)(?:n|en)?[- ]?allergie",
    ),
    *make.avoided("kein", r"ich (?:esse|trinke|vertrage|darf) keine?n? " + FOOD),
    make.intolerant(r"ich bin (?P<what>laktose\w*|gluten\w*|fruktose\w*)"),
    make.diet(r"ich (?:bin|lebe|esse|ernähre mich) (?P<diet>vegetarier(?:in)?|veganer(?:in)?|vegan|vegetarisch)"),
    *make.liked(
        r"ich (?:mag|liebe|esse gerne?|trinke gerne?) (?!keine?n?\b|nicht\b)" + FOOD,
        r"mein(?:e)? lieblings\w+ ist " + FOOD,
    ),
    *make.disliked(
        "kein",
        r"ich mag keine?n? " + FOOD,
        r"ich (?:hasse|verabscheue) " + FOOD,
    ),
    *make.disliked("kein", r"ich mag (?P<thing>[^\W\d_][\w-]+) (?:überhaupt |gar )?nicht"),
    make.drink(
        r"ich trinke (?:meinen )?(?P<drink>kaffee|tee) (?P<how>(?:immer )?(?:schwarz|ohne|mit)[\w ]{0,30})",
        kinds={"kaffee": "coffee", "tee": "tea"},
    ),
    *make.works(rf"ich arbeite (?:\w+ )?als {TRADE}", rf"ich bin {TRADE} von beruf", rf"von beruf bin ich {TRADE}"),
    make.occupation(rf"ich bin (?:eine? )?{TRADE}(?= in | bei | und |[,.!]|$)"),
    make.childless(r"(?:ich habe|wir haben) keine kinder"),
    Rule(
        r"ich (?:gehe|spiele|mache|habe|trainiere) (?P<when>jeden \w+"
        r"|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s) "
        r"(?:(?:abends?|morgens?|zum|zur|ins|in die) )?(?P<act>\w+)END",
        "schedule.{act}",
        "{act} {when}",
        0.85,
    ),
    Rule(r"ich spreche (?P<tongue>[A-ZÄÖÜ]\w+(?:(?:,| und) [A-ZÄÖÜ]\w+)*)", "language.spoken", "{tongue}"),
    make.non_smoker(r"ich (?:rauche nicht|bin nichtraucher(?:in)?)"),
)

SWEDISH = (
    *make.own_names(
        r"(?:jag heter|mitt namn är|mitt namn er|jeg heter|jeg hedder|mit navn er|navnet mitt er) NAME",
        r"kalla mig NAME",
    ),
    *make.named(
        r"(?:min|vår|mitt|vårt|vores) (?:\w+ )?WHO (?:heter|hedder) NAME",
        r"WHO (?:min|vår|mi) heter NAME",
        r"min WHOs namn är NAME",
    ),
    *make.named(r"(?:jag|vi) har en (?:\w+ )?WHO som heter NAME"),
    *make.named(r"(?<![\w'])(?:min|vår|mitt|vårt) WHO,? NAME", confidence=0.85, anywhere=True),
    make.home(r"(?:jag|vi|jeg) bor (?:nu |nå |numera )?i PLACE"),
    make.moved(r"(?:jag|vi) (?:har )?flytta(?:de|t) (?:från \w+ )?till PLACE"),
    *make.allergic(
        r"(?:jag|jeg) (?:är|er) (?:(?!nicht|niet|inte|ikke|ikkje|pas)\w+ )?allergisk (?:mot|over for|for) THING",
        r"jag har (?P<thing>\w{3,20})allergi",
        r"jag tål inte THING",
    ),
    make.condition(r"jag är (?P<what>laktosintolerant|glutenintolerant|diabetiker|astmatiker)"),
    make.diet(r"(?:jag|jeg) (?:är|er) (?P<diet>vegetarian|vegetar|vegetarianer|vegan|veganer)"),
    *make.liked(r"jag (?:gillar|älskar|tycker om) (?!inte\b)" + FOOD),
    *make.disliked(
        "ingen",
        r"jag (?:hatar|avskyr) " + FOOD,
        r"jag (?:gillar|tycker) inte (?:om )?" + FOOD,
    ),
    *make.works(rf"(?:jag|jeg) (?:jobbar|arbetar|jobber|arbejder) som {TRADE}"),
    make.occupation(rf"jag är {TRADE}(?= i | på | och |[,.!]|$)"),
    *make.avoided("ingen", r"jag (?:äter|dricker) (?:inte|aldrig) " + FOOD),
    make.childless(r"(?:jag|vi) har inga barn"),
    make.drink(
        r"jag dricker (?:mitt )?(?P<drink>kaffe|te)t? (?P<how>(?:svart|utan|med)[\w ]{0,30})",
        kinds={"kaffe": "coffee", "te": "tea"},
    ),
    make.non_smoker(r"jag röker inte"),
)

DUTCH = (
    *make.own_names(r"(?:ik heet|mijn naam is) NAME", r"noem (?:me|mij) (?:maar )?NAME"),
    *make.named(
        r"(?:mijn|onze?|de) (?:\w+ )?WHO heet NAME",
        r"de naam van (?:mijn|onze) WHO is NAME",
        r"(?:ik heb|we hebben|wij hebben) een (?:\w+ )?WHO (?:die|genaamd|met de naam) (?:heet )?NAME",
    ),
    *make.named(r"(?:ik heb|we hebben) een (?:\w+ )?WHO die NAME heet"),
    *make.named(r"(?<![\w'])(?:mijn|onze?) WHO,? NAME", confidence=0.85, anywhere=True),
    make.home(r"(?:ik|we|wij) wo(?:on|nen)(?: nu| tegenwoordig| al \w+ jaar)? in PLACE"),
    make.moved(r"(?:ik ben|we zijn|wij zijn)(?: \w+)? (?:van \w+ )?naar PLACE verhuisd"),
    *make.allergic(
        r"ik ben (?:(?!nicht|niet|inte|ikke|ikkje|pas)\w+ )?allergisch (?:voor|tegen) THING",
        r"ik heb een (?P<thing>\w{3,20}?)(?:en)?allergie",
    ),
    make.condition(r"ik ben (?P<what>lactose-?intolerant|gluten-?intolerant|diabeet|astmatisch)"),
    make.diet(r"ik ben (?P<diet>vegetariër|vegetarisch|veganist|veganistisch|vegan)"),
    *make.liked(r"ik hou(?:d)? (?:erg |heel veel |veel )?van (?!niet\b)" + FOOD, r"ik (?:eet|drink) graag " + FOOD),
    *make.disliked(
        "geen",
        r"ik hou(?:d)? (?:helemaal )?niet van " + FOOD,
        r"ik (?:haat|verafschuw) " + FOOD,
    ),
    *make.works(rf"ik werk als {TRADE}"),
    make.occupation(rf"ik ben (?:een )?{TRADE}(?= in | bij | en |[,.!]|$)"),
    *make.avoided("geen", r"ik (?:lust|eet|drink) geen " + FOOD),
    make.childless(r"(?:ik heb|we hebben|wij hebben) geen kinderen"),
    make.drink(
        r"ik drink mijn (?P<drink>koffie|thee) (?P<how>(?:altijd )?(?:zwart|zonder|met)[\w ]{0,30})",
        kinds={"koffie": "coffee", "thee": "tea"},
    ),
    make.non_smoker(r"ik rook niet"),
)

RULES: tuple[Rule, ...] = (*GERMAN, *SWEDISH, *DUTCH)
