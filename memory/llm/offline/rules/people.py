"""English rules for names: the operator's own, their family, friends, pets and things; and who they live with."""

import re

from memory.llm.offline.rules.grammar import Clause, Fields, Rule, kinds, rules_of, words

_PETS = (
    r"dog|puppy|hound|cat|kitten|kitty|rabbit|bunny|hamster|guinea pig|parrot|budgie|canary|bird|horse|pony|donkey"
    r"|goat|sheep|cow|pig|tortoise|turtle|snake|lizard|gecko|fish|goldfish|ferret|rat|mouse|hen|rooster|chicken"
    r"|duck|goose|llama|alpaca|pet|terrier|beagle|labrador|poodle|spaniel|retriever|dachshund|corgi|greyhound|husky"
    r"|collie|cockatiel|hedgehog|chinchilla|lurcher|cockapoo|labradoodle|goldendoodle|whippet|pug|chihuahua|bulldog"
    r"|schnauzer|rottweiler|vizsla|pointer|setter|malamute|samoyed|ragdoll|maine coon|sphynx|siamese|bengal"
)
_FAMILY = (
    r"wife|husband|hubby|spouse|partner|girlfriend|boyfriend|fiancée?|mother|mum|mom|mama|father|dad|papa|son"
    r"|daughter|kid|child|baby|toddler|brother|sister|twin(?: brother| sister)?|grandmother|grandma|granny|gran"
    r"|grandfather|grandpa|grandson|granddaughter|stepson|stepdaughter|stepmother|stepfather|mother-in-law|father-in-law"
    r"|sister-in-law|brother-in-law|son-in-law|daughter-in-law|boss|manager|doctor|dentist|therapist|teacher|nanny|vet|coach|cousin|uncle|aunt|auntie|nephew|niece|eldest|oldest|youngest|godson|goddaughter|godfather"
    r"|godmother"
)
_FRIENDS = (
    r"(?:best )?friend|colleague|co-?worker|workmate|flatmate|roommate|housemate|classmate|teammate"
    r"|mentor|student|pupil|assistant|apprentice"
)
_THINGS = (
    r"boat|ship|yacht|sailboat|canoe|dinghy|car|van|truck|camper|campervan|bike|bicycle|motorbike|scooter|house"
    r"|cabin|cottage|farm|company|business|shop|bakery|caf[eé]|restaurant|band|choir|team|club|blog|podcast|channel"
    r"|robot|vacuum|sourdough starter|plant|newsletter"
)
_KINDS = kinds("""
    dog: hound lurcher cockapoo labradoodle goldendoodle whippet pug chihuahua bulldog
    dog: schnauzer rottweiler vizsla pointer setter malamute samoyed beagle labrador poodle spaniel retriever
    dog: dachshund corgi greyhound husky collie
    cat: ragdoll maine_coon sphynx siamese bengal
    kitten: kitty
    rabbit: bunny
    spouse: wife husband hubby
    fiance: fiancé fiancée
    mother: mum mom mama
    father: dad papa
    grandmother: grandma granny gran
    grandfather: grandpa
    colleague: coworker co_worker workmate
    friend: best_friend
    aunt: auntie
    child: eldest oldest youngest
    boat: sailing_boat sailboat
    children: kids
    sons: boys
    daughters: girls
    bike: bicycle
    cafe: café
""")
_ADJECTIVES = (
    r"(?:(?:little|big|older|younger|elder|eldest|oldest|youngest|middle|twin|dear|lovely|new|newborn|old|good"
    r"|close|beloved|beautiful|sweet|tiny|rescue|black|white|grey|gray|ginger|brown|tabby|golden|grumpy|lazy|clever"
    r"|crazy|adorable|sailing|pet|foster|adopted|robot|three-year-old|\w+[- ]year[- ]old|lab|border|french|german"
    r"|welsh|cocker|shetland|jack russell|golden) )*"
)
_WORDS = {
    "WHO": rf"(?P<who>{_PETS}|{_FAMILY}|{_FRIENDS}|{_THINGS})",
    "PETS": rf"(?P<who>{_PETS})",
    "BREED": r"(?P<who>lurcher|cockapoo|labradoodle|goldendoodle|whippet|pug|chihuahua|bulldog|schnauzer|rottweiler"
    r"|vizsla|malamute|samoyed|beagle|labrador|poodle|spaniel|retriever|dachshund|corgi|greyhound|husky|collie|ragdoll"
    r"|maine coon|sphynx|siamese|bengal)",
    "ANYONE": r"(?P<who>[^\W\d_]+)",
    "KIN": rf"(?P<who>{_FAMILY})",
    "LIKE": _ADJECTIVES,
    "PAIR": r"(?P<names>(?-i:[^\W\d_a-z])[\w-]+(?:, (?-i:[^\W\d_a-z])[\w-]+)*,? and (?-i:[^\W\d_a-z])[\w-]+)",
    "KIDS": r"(?P<who>kids|children|sons|daughters|boys|girls|cats|dogs|horses|rabbits|brothers|sisters|siblings"
    r"|grandchildren|twins|hens|ferrets|guinea_pigs|goats|sheep|birds)",
}

_NOT_NAMES = words("""
    i ok okay god jesus monday tuesday wednesday thursday friday saturday sunday january february march april
    may june july august september october november december christmas easter what can could is the this that my
    our he she it they we you how why which who where when if please thanks yes no not english finnish swedish
    german french spanish italian dutch danish is was are has had does did will and or but to in on at for of
    with from about never always not likes loves goes norwegian russian polish greek american british irish
    scottish welsh chinese japanese covid tv pc usb diy id
""")


_NOT_NAMED = words("""
    character password wifi network protagonist hero heroine villain user username login account variable function class
    file server database table column code secret avatar persona wizard knight king queen error problem condition method
""")


def _is_named_thing(fields: Fields) -> bool:
    """Whether it is the name of something that may be told as the operator's: not of a file, a login or a hero."""
    return _is_name(fields) and fields.get("who", "").casefold() not in _NOT_NAMED


def _is_name(fields: Fields) -> bool:
    """Whether it is a name, and not a day, a language or the "I" of the next clause."""
    first_word = fields.get("name", "").split()[0].casefold() if fields.get("name") else ""
    return len(first_word) > 1 and first_word not in _NOT_NAMES


_NAMING_VERBS = ("name", "naming", "call", "calling", "christen", "christening", "baptise")
_NOT_AFTER_NAMING_VERBS = "".join(f"(?<!{verb} )" for verb in _NAMING_VERBS)
_NOT_IN_THE_PAST = r"(?! (?:was|were|had|used|died|would)\b)"
_WORDS |= {"NOTNAMING": _NOT_AFTER_NAMING_VERBS, "NOTPAST": _NOT_IN_THE_PAST}

RULES: tuple[Rule, ...] = rules_of(
    r"""
user.name = {name} @0.95 any_time +name: my (?:full |first |real |given |own )?name is NAME(?![\w'])
user.name = {name} @0.95 any_time +name: I am called NAME(?![\w'])
user.name = {name} @0.95 any_time +name: I (?:go by|answer to) (?:the name )?(?:of )?NAME
user.name = {name} any_time +name: (?:people|everyone|everybody|most people|friends|my friends|my family|they)(?:
  \w+ly| all| just| tend to)? calls? me NAME
user.name = {name} any_time requested +name: (?:you can |you may )?call me NAMEEND
user.name = {name} @0.8 any_time greeted +name: NAME hereEND
user.name = {name} @0.85 any_time +name: I am NAME(?=, an? [a-z])
user.name = {name} @0.75 any_time greeted +name: I am NAME(?=$|[,.!]| and | from | by the way)
{who}.name = {name} @0.95 any_time +name: (?:my|our|the) LIKEWHO's name is NAME
{who}.name = {name} @0.95 any_time +anyone: (?:my|our) LIKEANYONE(?:'s name is| is called| is named) NAME
{who}.name = {name} @0.95 any_time +name: the name of (?:my|our) LIKEWHO is NAME
{who}.name = {name} @0.95 any_time +name: (?:my|our|the) LIKEWHO (?:is|are) (?:called|named) NAME
{who}.name = {name} @0.95 any_time +name: (?:my|our) LIKEWHO is (?:called|named) NAME
{who}.name = {name} @0.85 any_time +name: (?:my|our) LIKEWHO (?:goes by|answers to|is) (?:the name )?(?:of )?NAMEEND
{who}.name = {name} @0.95 any_time +name: WE (?:have|own|got|have got|bought|adopted|have adopted|have bought)
  (?:[^,]{3,25} and )?(?:only )?(?:an?|the|our)
  LIKEWHO(?:,| (?:called|named|by the name of)) NAME
{who}.name = {name} @0.95 any_time +name: WE (?:call|(?:have )?(?:re)?(?:named|christened|baptised)) (?:the|our|my)
  LIKEWHO NAME
{who}.name = {name} @0.85 any_time anywhere presupposed +name: (?<![\w'])NOTNAMING(?:(?:my|our) LIKEWHO NAME|(?<!\bof
  )(?:my|our) LIKEWHO, NAME)NOTPAST
{who}.name = {name} @0.85 any_time anywhere presupposed +name: (?<![\w'])(?:my|our) LIKEWHO \(NAME(?=[,)])
{who}.name = {name} @0.8 any_time anywhere presupposed +name: (?<![\w'])the LIKEPETS,? \(?NAME(?=[,)])
{who}.name = {name} @0.85 any_time anywhere presupposed +name: (?<![\w'])NAME(?: \(|, )(?:my|our) LIKEWHO(?=[,)]|$)
{who}.name = {name} @0.8 any_time anywhere presupposed: (?<![\w'])my LIKEKIN (?P<name>[a-z]{3,12}) and I (?=are|am|have
  (?:been|got)|live|want|need|love)
{who}.breed = {who} @0.8 any_time anywhere presupposed: (?<![\w'])(?:my|our) LIKEBREED (?-i:[A-Z])
{who}.birthday = {date} @0.85 any_time: (?:my|our) LIKEKIN(?: (?-i:[A-Z])\w+)? (?:turns|is|will be) \w+ on DATE
user.name = {name} @0.85 any_time +name: (?:it is|I am|my name is) (?-i:[A-Z])\w+ but (?:literally |pretty much
  )?(?:everyone|everybody|people|friends|most people|all my friends)(?: just)? (?:says?|calls? me|uses) NAME
{who}.names = {names}: WE have (?:got )?(?:NUMBER )?KIDS(?:,| called| named| -)? PAIR
{who}.names = {names} any_time: (?:both |both of |all )?(?:my|our) (?:NUMBER )?KIDS(?:'s?)?(?: are(?: called|
  named)?|,| names
  are)? PAIR
{who}.count = {number}: WE have (?:got )?NUMBER (?:\w+ )?KIDS
children.count = {number}: I am an? (?:mother|father|mum|mom|dad|parent) of NUMBER\b
children.count = none: WE (?:do not have|have no|have not got)(?: any)? (?:children|kids)\b(?!')
children.count = none: I am (?:childless|child-?free)END
{who}.count = none: WE (?:do not have|have no|have not got)(?: any)? (?P<who>pets|siblings|cats|dogs)
siblings.count = none: I am an only childEND
fiance.name = {name} +name: I am engaged to NAME
spouse.name = {name} @0.95 +name: I am (?:happily )?married to (?:an? \w+ called )?NAME
relationship.status = {state}: I am (?:happily )?(?P<state>single|married|divorced|widowed|engaged|separated|in a
  relationship)(?:END| with | and )
relationship.status = {state} any_time: I have been (?P<state>married|divorced|widowed|single) (?:for|since)\b
household = {how} @0.8: WE live (?P<how>alone|on my own|by myself|with my (?:\w+ and (?:my )?)?\w+)END
{who}.city = {place} @0.8: (?:my|our) LIKEKIN(?: (?-i:[A-Z])\w+)? lives in PLACE
{who}.allergy = {thing}: (?:my|our) LIKEKIN(?: (?-i:[A-Z])\w+)? is (?:(?:\w+ly|very) )?allergic to THING
{who}.allergy = {thing}: (?:my|our) LIKEKIN(?: (?-i:[A-Z])\w+)? has an? (?P<thing>\w+) allergy
{who}.birthday = {date} @0.95: (?:my|our) LIKEKIN's birthday is (?:on )?DATE
""",
    {"name": _is_name, "anyone": _is_named_thing},
    _WORDS,
    _KINDS,
)

# Pronouns and answers that refer to something said before. `preferences` does the same for things.

_OWNED = re.compile(
    r"(?:\b(?:my|our)|\b(?:I|we) (?:have|got|have got|own|adopted|have adopted|bought|have bought|picked up) "
    r"(?:an?|the|our|my)) "
    rf"{_ADJECTIVES}(?P<who>{_PETS}|{_FAMILY}|{_FRIENDS}|{_THINGS})\b(?!'s?\b| with| of| at)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?:(?P<owner>his|her|its|their)(?= name is\b)|(?:he|she|it|they)(?= (?:is|are) (?:called|named)\b))",
    re.IGNORECASE,
)


def with_owner_named(clause: Clause) -> str:
    """The clause's text with its pronoun replaced by what it refers to: "he is called X" -> "my dog is called X"."""
    pronoun = _PRONOUN.match(clause.text)
    owned = _OWNED.search(clause.before) if pronoun else None
    if not pronoun or not owned:
        return clause.text
    subject = f"my {owned['who']}" + ("'s" if pronoun["owner"] else "")
    return subject + clause.text[pronoun.end() :]
