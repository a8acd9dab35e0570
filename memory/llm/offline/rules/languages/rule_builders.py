"""Builders of rules for languages other than English: one function for each kind of statement.

Keys are English in every language ("Hund" is a `dog`); values stay in the operator's language.
"""

from collections.abc import Mapping

from memory.llm.offline.rules.grammar import Fields, Rule, kinds, words

_KINDS = kinds("""
    dog: hund hündin chien chienne perro perra hunden cane hond hondje cachorro
    dog: cachorra cão cadela koirani koiramme koira
    cat: katze kater chat chatte gato gata katt katten gatto gatta kat poes kissani kissamme kissa
    puppy: welpe chiot perrito perrita cagnolino cagnolina cucciolo cucciola valp
    kitten: kätzchen chaton gatito gatita gattino gattina kattunge kitten
    horse: pferd cheval caballo häst cavallo paard cavalo hevoseni
    rabbit: kaninchen lapin conejo kanin coniglio konijn coelho
    spouse: frau mann femme mari esposa mujer esposo marido fru moglie vrouw man vaimoni mieheni
    daughter: tochter fille hija dotter figlia dochter filha tyttäreni tyttäremme
    son: sohn fils hijo figlio zoon filho poikani poikamme
    sister: schwester sœur soeur hermana syster sorella zus irmã siskoni
    brother: bruder frère hermano bror fratello broer irmão veljeni
    mother: mutter mère madre mamma moeder mãe äitini
    father: vater père padre pappa vader pai isäni
    girlfriend: freundin novia vriendin
    friend: freund ystäväni
    partner: partnerin sambo
    boss: chefin chef
    boat: boot bateau barco båt barca veneeni veneemme
    colleague: kollege kollegin kollegani
    boyfriend: novio
    neighbour: naapurini
""")
_WHO = "|".join(sorted((kind for kind in _KINDS), key=len, reverse=True))
_FINNISH = (
    r"koirani|koiramme|kissani|kissamme|vaimoni|mieheni|tyttäreni|tyttäremme|poikani|poikamme|siskoni|veljeni"
    r"|äitini|isäni|veneeni|veneemme|hevoseni|kollegani|ystäväni|naapurini"
)
_MANY = frozenset({"colleague", "friend", "neighbour"})
_WORDS = {"WHO": rf"(?P<who>{_WHO})", "FINNISH": rf"(?P<who>{_FINNISH})"}
_NO_NAMES = words("""
    ich mein meine der die das ein eine je le la un une yo el mi jag min en io il ik de het eu o a minä und et y
    och e en ja
""")


def _is_name(fields: Fields) -> bool:
    name = fields.get("name", "").casefold()
    return len(name) > 1 and name.split()[0] not in _NO_NAMES


def own_names(*patterns: str) -> list[Rule]:
    return [Rule(pattern, "user.name", "{name}", 0.95, any_time=True, holds=_is_name) for pattern in patterns]


def introduced(*patterns: str) -> list[Rule]:
    """A name after a greeting: "Hola, soy Pedro"."""
    return [
        Rule(
            pattern + r"(?=$|[,.!]| (?:et|y|och|e|en|ja)\b)",
            "user.name",
            "{name}",
            0.75,
            only_after_greeting=True,
            holds=_is_name,
        )
        for pattern in patterns
    ]


def _is_of_many(fields: Fields) -> bool:
    return _is_name(fields) and _KINDS.get(fields["who"].casefold()) in _MANY


def _is_of_one(fields: Fields) -> bool:
    return _is_name(fields) and not _is_of_many(fields)


# Not shared with the English rules in `people`: these patterns name persons and things by words of their own.
def named(*patterns: str, confidence: float = 0.95, anywhere: bool = False) -> list[Rule]:
    return [
        Rule(
            pattern,
            key,
            "{name}",
            confidence,
            any_time=True,
            anywhere=anywhere,
            presupposed=anywhere,
            holds=holds,
            words=_WORDS,
            kinds=_KINDS,
        )
        for pattern in patterns
        for key, holds in (("{who}.name", _is_of_one), ("{who}.{name}", _is_of_many))
    ]


def home(pattern: str) -> Rule:
    return Rule(pattern, "address.city", "{place}", 0.95, spelled=_FINNISH_TOWNS)


def moved(pattern: str) -> Rule:
    return Rule(pattern, "address.city", "{place}", 0.9, any_time=True, spelled=_FINNISH_TOWNS)


def allergic(*patterns: str) -> list[Rule]:
    return [Rule(pattern, "health.allergy.{thing}", "{thing}", 0.95, each=True) for pattern in patterns]


def diet(pattern: str) -> Rule:
    return Rule(pattern, "diet.type", "{diet}", 0.95)


_NOTHING = words("""
    la il lo le el los las gli jou jullie sinua dig idea idée idee respuesta risposta antwort es das dich dir
    wenn dass ça cela quand que te lo eso cuando esto questo quello det när dig het dat dit als je isso isto
    quando você sitä tätä se
""")


def _is_thing(fields: Fields) -> bool:
    return fields["thing"].casefold().split()[0] not in _NOTHING


def liked(*patterns: str) -> list[Rule]:
    return [Rule(pattern, "preference.{thing}", "{thing}", 0.9, each=True, holds=_is_thing) for pattern in patterns]


def disliked(no: str, *patterns: str) -> list[Rule]:
    return [
        Rule(pattern, "preference.{thing}", f"{no} {{thing}}", 0.9, each=True, holds=_is_thing) for pattern in patterns
    ]


def avoided(no: str, *patterns: str) -> list[Rule]:
    return [Rule(pattern, "diet.{thing}", f"{no} {{thing}}", 0.9, each=True, holds=_is_thing) for pattern in patterns]


def works(*patterns: str) -> list[Rule]:
    return [Rule(pattern, "job.title", "{job}", 0.9, holds=_is_job) for pattern in patterns]


def intolerant(pattern: str) -> Rule:
    return Rule(pattern, "health.intolerance.{what}", "{what}", 0.9)


def condition(pattern: str) -> Rule:
    return Rule(pattern, "health.{what}", "{what}", 0.9)


def non_smoker(pattern: str, *, any_time: bool = False) -> Rule:
    return Rule(pattern, "health.smoking", "non-smoker", any_time=any_time)


def drink(pattern: str, *, kinds: Mapping[str, str]) -> Rule:
    """How a drink is taken; `kinds` has the English word for each drink."""
    return Rule(pattern, "preference.{drink}", "{drink} {how}", 0.95, kinds=kinds)


def childless(pattern: str) -> Rule:
    return Rule(pattern, "children.count", "none", 0.9)


_NO_JOBS = words("""
    anfänger vegetarier vegetarierin veganer veganerin raucher nichtraucher gewinner verlierer sieger vater
    mutter bruder schwester besitzer deutscher österreicher schweizer engländer italiener spanier amerikaner
    berliner wiener münchner hamburger kölner europäer ausländer träumer einer seiner deiner meiner immer leider
    sehr mehr hier sicher bereiter première premier dernier végétarien végétarienne italien italienne parisien
    parisienne norvégien chrétien chrétienne fumeur heureux heureuse bien rien amateur amoureuse amatrice
""")
_JOB_ENDINGS = tuple(
    words("""
    er erin ist istin arzt ärztin eur euse ier ière ien ienne iste trice ent entin ant antin koch köchin
    krankenschwester pfleger frau mann or orin prof professeur professeure médecin avocat avocate infirmier
    boulangère boulanger dor dora tor tora ero era ista médico médica abogado abogada profesor profesora
    enfermera ingeniero ogo oga maestro maestra lärare läkare ör are sköterska ekonom jurist infermiere
    infermiera insegnante medico avvocato iere iera tore aio leraar arts verpleegkundige kundige eiro eira ora
    enfermeiro professora advogado advogada arquiteto opettaja hoitaja ja jä ari äri insinööri kokki
""")
)


def _is_job(fields: Fields) -> bool:
    words = fields["job"].casefold().split()
    return bool(words) and words[0] not in _NO_JOBS and words[-1] not in _NO_JOBS


def _ends_like_a_job(fields: Fields) -> bool:
    words = fields["job"].casefold().split()
    return _is_job(fields) and len(words[0]) > 3 and words[0].endswith(_JOB_ENDINGS)


def occupation(pattern: str) -> Rule:
    """A rule for "I am a ...", where only the ending tells an occupation."""
    return Rule(pattern, "job.title", "{job}", 0.85, holds=_ends_like_a_job)


_FINNISH_TOWNS = {
    "Helsingi": "Helsinki",
    "Turu": "Turku",
    "Lahde": "Lahti",
    "Seinäjoe": "Seinäjoki",
    "Rovanieme": "Rovaniemi",
    "Tamperee": "Tampere",
    "Joensuu": "Joensuu",
    "Kirkkonumme": "Kirkkonummi",
    "Riihimäe": "Riihimäki",
    "Hyvinkää": "Hyvinkää",
    "Raahe": "Raahe",
    "Naantali": "Naantali",
    "Vantaa": "Vantaa",
    "Lontoo": "Lontoo",
}
TRADE = r"(?P<job>[^\W\d_][\w-]+(?: (?:de|d'|du|di|da|des) ?[^\W\d_]\w+)?)"
FOOD = r"(?P<thing>[^\W\d_][\w'-]*(?: (?!und\b|et\b|y\b|och\b|e\b|en\b|ja\b)[\w'-]+){0,2})"
