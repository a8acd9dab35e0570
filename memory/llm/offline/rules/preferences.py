"""English rules for likes and dislikes, diet, and lasting wishes about the answers.

A value has to make sense in "You prefer ...": a dislike is stored as "no coriander", never as "coriander".
"""

import re

from memory.llm.offline.rules.grammar import Clause, Fields, Rule, rules_of, words

_NO_THINGS = words("""
    it that this these those you your him her them his how what when where who why which if everyone everything
    anything nothing something someone my our me us myself one ones two both another any all each either neither
    being such there here up down out about an a
""")
_NO_JOY = words("taxes traffic meetings queues paperwork homework chores deadlines spam bills bureaucracy waiting")
_THINGS_WITH_THE = words("""
    sea ocean mountains countryside outdoors theatre theater cinema cold heat rain snow beach forest opera
    ballet dark sun smell taste sound of window aisle
""")
_NO_ACTIVITIES = words("""
    think know ask see say hear believe imagine point add thank admit break tell bother interrupt be have do get
""")
_NO_GERUNDS = words("""
    talking chatting learning being working having getting doing asking hearing seeing waiting
""")


def _is_taste(fields: Fields) -> bool:
    """Whether a like names a thing, and not "it when ...", "your answer" or "the second option"."""
    words = fields["thing"].casefold().split()
    if not words or words[0] in _NO_THINGS | _NO_GERUNDS:
        return False
    if words[0] == "to":
        return len(words) > 1 and words[1] not in _NO_ACTIVITIES
    if _NO_JOY & set(words):
        return False
    return words[0] != "the" or (len(words) > 1 and words[1] in _THINGS_WITH_THE)


def _is_disliked(fields: Fields) -> bool:
    return _is_taste(fields) and not fields["thing"].casefold().startswith("to ")


_NO_FOODS = words("much enough breakfast lunch dinner out at in after before more well right")


def _is_food(fields: Fields) -> bool:
    return _is_disliked(fields) and fields["thing"].casefold().split()[0] not in _NO_FOODS


_SERVED = (
    r"(?:morning )?(?:coffee|tea|espresso|latte|cappuccino|toast|eggs?|steak|burger|pizza|porridge|whisky|gin|water"
    r"|pasta|bread|curry|salad|sandwich|chocolate|milk|cereal|fish|chips|fries)"
)
_STYLE = r"(?:[\w'%-]+ ?){1,5}(?:, (?:no|with|without|and) [\w'% -]{2,30}| and (?:no|without) [\w'% -]{2,30})*"

_DRINK_STYLE = r"(?:black|white|strong|weak|hot|iced|with|without)"

_STANDING = (
    r"(?:(?:from now on|in future|in the future|always|generally|as a rule|whenever possible),? )?(?:please "
    r")?(?:always )?"
)
_OUTPUT = (
    r"(?P<what>(?:recipes|answers|replies|responses|explanations|summaries|messages|emails|suggestions|meals"
    r"|dinners|lunches|texts|lists|recommendations))"
)


def _is_served(fields: Fields) -> bool:
    return fields["drink"].casefold() not in {"dog", "job", "time", "new", "own", "lunch", "friends", "work"}


RULES: tuple[Rule, ...] = rules_of(
    r"""
preference.{drink} = {drink} {style} @0.95 +served: I (?:(?:take|drink|have) my (?=SERVED\b)|(?:like|prefer|want) my
  )(?P<drink>(?:morning )?[\w-]+) (?P<style>(?!and\b|to\b|in\b|at\b|from\b|very\b|a
  lot|so\b|too\b|new\b|job\b)(?:STYLE))
preference.{drink} = {drink} {style} @0.95: I (?:always |usually )?(?:take|drink|have|like|prefer)
  (?P<drink>coffee|tea|espresso) (?P<style>DRINKSTYLE[\w' ]*(?:, (?:no|with|without|and) [\w' -]{2,30})*)
preference.{drink} = {drink} with {what} @0.95: I (?:take|have|put|like|drink) (?P<what>(?:no |oat |soy |almond |some
  |two |one )?(?:milk|sugars?|lemon|cream|honey)(?: and (?:no |one |two )?(?:milk|sugars?|honey))?) in my
  (?P<drink>coffee|tea|espresso)
preference.{what} = {thing} as favourite {what} @0.95 +taste: my favou?rite (?P<what>[\w-]+(?: (?!is\b|are\b)[\w-]+)?)
  (?:is|are|has always been|would be) (?P<thing>[^\W_][\w'’-]*(?: [\w'’-]+){0,4})
preference.{what} = {thing} as favourite {what} +taste: (?P<thing>[^\W_][\w'’-]*(?: [\w'’-]+){0,2}) (?:is|are) my
  favou?rite (?P<what>[\w-]+(?: (?!and\b|of\b)[\w-]+)?)END
preference.{thing} = {thing} @0.95 each +taste: I prefer (?!(?:coffee|tea|espresso)
  DRINKSTYLE\b)(?P<thing>[^\W_][\w'’-]*(?: [\w'’-]+){0,7})
preference.{thing} = {thing} each +taste: (?:I|we) (?:have always |do )?(?:love|adore|like|enjoy|am crazy about|am
  fond of|am partial to|cannot get enough of|am into|am mad about|am keen on|have a weakness for|have a soft spot
  for|am obsessed with) THING
preference.{thing} = {thing} @0.85 each +taste: I am a (?:big|huge|great|massive) fan of THING
preference.{what} = being {what} @0.8: I am (?:more of )?(?:an? )?(?P<what>night owl|early bird|early riser|late
  riser|homebody)END
preference.{thing} = {thing} @0.8 each +taste: I (?:mostly |mainly )?listen to THING
preference.{thing} = no {thing} @0.8 each +disliked: I am (?:scared|afraid|terrified|frightened) of THING
preference.{thing} = {thing} @0.75 each +taste: I drink
  (?!to\b|too\b|less\b|more\b|lots\b|a\b|in\b|with\b|from\b|responsibly|socially)THINGEND
preference.{what} = being a {what} person @0.8: I am (?:more of )?an?
  (?P<what>tea|coffee|cat|dog|morning|night|evening|beach|mountain) person
preference.{thing} = no {thing} @0.8 each +disliked: I never (?:use|cook with|order|wear|buy) THING
preference.{thing} = no {thing} each +disliked: (?:I|we) (?:hate|cannot stand|detest|loathe|dislike|cannot
  bear|despise|do not (?:really )?(?:like|care for|enjoy)|am not fond of|am not keen on|am not into|am not partial
  to|am no fan of|am not a (?:big )?fan of|cannot abide) THING
preference.{thing} = no {thing} @0.85 +disliked: no (?P<thing>[^\W\d_][\w'-]*(?: [\w'-]+)?) in (?:anything|any
  of (?:it|them)|my food)(?: please)?END
preference.{thing} = no {thing} @0.85 +disliked: (?P<thing>[^\W\d_][\w'-]*(?: [\w'-]+)?) (?:is|are) (?:not (?:my
  thing|for me)|the devil|vile to me)END
preference.{thing} = no {thing} @0.85 +disliked: I (?:am not a|am no) (?P<thing>[^\W\d_][\w'-]*(?: [\w'-]+)?)
  person
diet.type = {diet} @0.95: (?:I|we) (?:am|are|have been|have gone|have turned|have become|went|turned|became) (?:an?
  )?(?P<diet>(?:lacto-|ovo-)?vegetarian|vegan|pescatarian|pescetarian|flexitarian|halal|kosher|keto|plant-based)(?=$
    |[,.!;]| and\b| now\b| since\b| for\b| so\b| but\b| by\b)
diet.type = {diet}: (?P<diet>vegetarian|vegan|pescatarian) hereEND
diet.type = {diet}: (?:I|we) (?:eat|follow|keep|am on|keep to|stick to) (?:an? |only
  )?(?P<diet>vegetarian|vegan|halal|kosher|keto|low-carb|gluten-free|gluten
  free|plant-based|dairy-free|low-salt|paleo|mediterranean)(?: food| diet)?END
diet.{thing} = no {thing} each +food: (?:I|we) (?:(?:do not|never|must not) (?:eat|touch)|(?:cannot|am not allowed to)
  (?:eat|have|tolerate|digest)) (?:any )?THING
diet.{thing} = no {thing} each +food: I (?:do not|cannot|never|am not allowed to|must not) drink (?:any )?THING
diet.alcohol = no alcohol: (?:I|we) (?:do not|never) drinkEND
diet.alcohol = no alcohol: I am (?:a )?(?:teetotal|teetotaller|teetotaler)
diet.{thing} = no {thing} any_time: I (?:have )?(?:quit|stopped|gave up|given up|cut out) (?:eating |drinking
  )?(?P<thing>meat|sugar|coffee|dairy|gluten|bread|caffeine|fish|milk|wheat)(?: (?:back )?in YEAR| \w+
  (?:months|years) ago)?
preference.{what} = {what} {how} requested: STANDING(?:keep|make|give me|write) (?:all |your |my |the |any )*OUTPUT
  (?P<how>(?!that\b|for\b|to\b|about\b|from\b|i\b|with this)[\w'-]+(?: [\w'-]+){0,5})
preference.{what} = {how} {what} @0.85 requested: STANDING(?:keep|make|give me|write) (?:me
  )?(?P<how>short|brief|long|detailed|simple|vegetarian|vegan|quick|formal|informal|concise) OUTPUT
preference.answers = answers {how} requested: (?:from now on,? |always )(?:please
  )?(?:answer|reply|respond|write|talk|speak)(?: to me)? (?P<how>(?:in|with|using|briefly|formally)\b ?[\w' -]{0,40})
preference.answers = answers {how} requested: (?:please )?(?:answer|reply|respond|write|talk|speak)(?: to me)?
  (?P<how>(?:in|with|using)\b [\w' -]{2,40}?|briefly|formally) (?:from now on|always|every time|in future|in the
  future)
preference.answers = {how} {what}: (?P<how>(?!no\b|the\b|what\b|any\b)[\w;-]+(?: [\w;-]+)?) (?P<what>answers|replies
  |responses) only(?: from now on| please|END)
preference.answers = {how} {what}: (?:only|always) (?P<how>[\w-]+(?: [\w-]+)?) (?P<what>answers|replies|responses)(?:
  from now on| please|END)
preference.address = {how} @0.85 requested: (?:please )?address me (?P<how>formally|informally|as \w+)END
preference.format = no {how} @0.85 requested: (?:please )?(?:do not|never|stop) (?:use|using|put|putting|write
  in|writing in) (?P<how>bold|bullet points|bullets|tables|headings|markdown|all caps)
preference.units = {units} units requested: STANDING(?:use|give me|stick to|prefer|show) (?:the
  )?(?P<units>metric|imperial|celsius|fahrenheit|kilomet(?:re|er)s|miles|kilos|grams)(?: units?| system|
  measurements?)?(?:(?! for)\b|END)
preference.units = {units} units requested: STANDING(?:answer|reply|write|respond|calculate|give (?:me )?\w+) in
  (?P<units>metric|imperial|celsius|fahrenheit)(?: units?)?
preference.{thing} = no {thing} @0.85 requested: (?:please )?(?:never|do not ever)
  (?:suggest|recommend|offer|give|use|show)(?: me)? (?:recipes with |dishes with |anything with |any
  )?(?P<thing>(?!it\b|that\b|this\b|me\b|up\b)[^\W_][\w'-]*(?: [\w'-]+){0,3})
preference.{what} = {what} {how}: I (?:would )?(?:always )?(?:like|want|need) (?:my |all |your
  )(?P<what>recipes|answers|replies|responses|explanations|steaks?|eggs) (?P<how>[\w'-]+(?: [\w'-]+){0,4})
""",
    {"served": _is_served, "taste": _is_taste, "disliked": _is_disliked, "food": _is_food},
    {
        "SERVED": _SERVED,
        "STYLE": _STYLE,
        "DRINKSTYLE": _DRINK_STYLE,
        "STANDING": _STANDING,
        "OUTPUT": _OUTPUT,
    },
)

_LEFT_OUT = re.compile(
    r"(?:no|without|skip|leave out|hold|omit|avoid|forget|not)(?: the| any)? "
    r"(?P<thing>[^\W\d_][\w'-]*(?: [\w'-]+)?)(?: in (?:anything|it|them|there))?[.!?]?$"
    r"|^(?P<bare>(?!yes|no|sure|thanks|really|what|why|who|how)[^\W\d_][\w'-]*)\??$",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"(?P<verb>I (?:hate|cannot stand|detest|loathe|dislike|cannot bear|do not like|am allergic to|cannot eat|do "
    r"not eat|cannot have)) (?:it|them|that|those|the stuff)(?: at all)?[.!]?$"
    r"|(?P<allergic>I am allergic)[.!]?$",
    re.IGNORECASE,
)


def with_thing_named(clause: Clause) -> str:
    """The clause's text with its "it" replaced by what was just ruled out: "no coriander" + "I can't stand it"."""
    refused = _REFUSED.match(clause.text)
    thing = _LEFT_OUT.search(clause.before) if refused else None
    if not refused or not thing:
        return clause.text
    verb = refused["verb"] or f"{refused['allergic']} to"
    return f"{verb} {thing['thing'] or thing['bare']}"
