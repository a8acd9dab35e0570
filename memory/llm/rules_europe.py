"""The basic statements in German, French, Spanish, Swedish, Italian, Dutch, Portuguese and Finnish.

A few solid patterns each: names, home, allergies, diet, likes and dislikes, work, children. Keys stay English, values stay in
the operator's language.
"""

from collections.abc import Sequence

from memory.llm.rules_grammar import Fields, Rule

_KINDS = {
    "hund": "dog", "hündin": "dog", "katze": "cat", "kater": "cat", "pferd": "horse", "kaninchen": "rabbit", "frau": "spouse", "mann": "spouse",
    "tochter": "daughter", "sohn": "son", "schwester": "sister", "bruder": "brother", "mutter": "mother", "vater": "father", "freundin": "girlfriend",
    "freund": "friend", "partnerin": "partner", "chefin": "boss", "chef": "boss", "boot": "boat", "kollege": "colleague", "kollegin": "colleague",
    "chien": "dog", "chienne": "dog", "chat": "cat", "chatte": "cat", "cheval": "horse", "lapin": "rabbit", "femme": "spouse", "mari": "spouse",
    "fille": "daughter", "fils": "son", "sœur": "sister", "soeur": "sister", "frère": "brother", "mère": "mother", "père": "father", "bateau": "boat",
    "perro": "dog", "perra": "dog", "perrito": "dog", "gato": "cat", "gata": "cat", "gatito": "cat", "caballo": "horse", "conejo": "rabbit", "esposa": "spouse",
    "mujer": "spouse", "esposo": "spouse", "marido": "spouse", "hija": "daughter", "hijo": "son", "hermana": "sister", "hermano": "brother", "madre": "mother",
    "padre": "father", "barco": "boat", "novia": "girlfriend", "novio": "boyfriend", "hunden": "dog", "katt": "cat", "katten": "cat", "häst": "horse",
    "kanin": "rabbit", "fru": "spouse", "dotter": "daughter", "syster": "sister", "bror": "brother", "mamma": "mother", "pappa": "father", "båt": "boat",
    "sambo": "partner", "cane": "dog", "cagnolino": "dog", "cagnolina": "dog", "gatto": "cat", "gatta": "cat", "cavallo": "horse", "coniglio": "rabbit",
    "moglie": "spouse", "figlia": "daughter", "figlio": "son", "sorella": "sister", "fratello": "brother", "barca": "boat", "hond": "dog", "hondje": "dog",
    "kat": "cat", "poes": "cat", "paard": "horse", "konijn": "rabbit", "vrouw": "spouse", "man": "spouse", "dochter": "daughter", "zoon": "son", "zus": "sister",
    "broer": "brother", "moeder": "mother", "vader": "father", "vriendin": "girlfriend", "cachorro": "dog", "cachorra": "dog", "cão": "dog", "cadela": "dog",
    "cavalo": "horse", "coelho": "rabbit", "filha": "daughter", "filho": "son", "irmã": "sister", "irmão": "brother", "mãe": "mother", "pai": "father",
    "koirani": "dog", "koiramme": "dog", "koira": "dog", "kissani": "cat", "kissamme": "cat", "kissa": "cat", "vaimoni": "spouse", "mieheni": "spouse",
    "tyttäreni": "daughter", "tyttäremme": "daughter", "poikani": "son", "poikamme": "son", "siskoni": "sister", "veljeni": "brother", "äitini": "mother",
    "isäni": "father", "veneeni": "boat", "veneemme": "boat", "hevoseni": "horse", "kollegani": "colleague", "ystäväni": "friend", "naapurini": "neighbour",
}  # fmt: skip
_WHO = "|".join(sorted((kind for kind in _KINDS), key=len, reverse=True))
_FINNISH = (
    r"koirani|koiramme|kissani|kissamme|vaimoni|mieheni|tyttäreni|tyttäremme|poikani|poikamme|siskoni|veljeni|äitini|isäni|veneeni|veneemme"
    r"|hevoseni|kollegani|ystäväni|naapurini"
)
_MANY = frozenset({"colleague", "friend", "neighbour"})
_WORDS = {"WHO": rf"(?P<who>{_WHO})", "FINNISH": rf"(?P<who>{_FINNISH})"}
_NO_NAMES = frozenset("ich mein meine der die das ein eine je le la un une yo el mi jag min en io il ik de het eu o a minä und et y och e en ja".split())


def _is_name(fields: Fields) -> bool:
    name = fields.get("name", "").casefold()
    return len(name) > 1 and name.split()[0] not in _NO_NAMES


def _own_names(*patterns: str) -> list[Rule]:
    return [Rule(pattern, "user.name", "{name}", 0.95, whenever=True, holds=_is_name) for pattern in patterns]


def _is_of_many(fields: Fields) -> bool:
    return _is_name(fields) and _KINDS.get(fields["who"].casefold()) in _MANY


def _is_of_one(fields: Fields) -> bool:
    return _is_name(fields) and not _is_of_many(fields)


def _named(*patterns: str, confidence: float = 0.95, anywhere: bool = False) -> list[Rule]:
    return [
        Rule(pattern, key, "{name}", confidence, whenever=True, anywhere=anywhere, always=anywhere, holds=holds, words=_WORDS, kinds=_KINDS)
        for pattern in patterns
        for key, holds in (("{who}.name", _is_of_one), ("{who}.{name}", _is_of_many))
    ]  # fmt: skip


def _home(pattern: str) -> Rule:
    return Rule(pattern, "address.city", "{place}", 0.95, spelled=_FINNISH_TOWNS)


def _moved(pattern: str) -> Rule:
    return Rule(pattern, "address.city", "{place}", 0.9, whenever=True, spelled=_FINNISH_TOWNS)


def _allergic(*patterns: str) -> list[Rule]:
    return [Rule(pattern, "health.allergy.{thing}", "{thing}", 0.95, each=True) for pattern in patterns]


def _diet(pattern: str) -> Rule:
    return Rule(pattern, "diet.type", "{diet}", 0.95)


_NOTHING = frozenset("es das dich dir wenn dass ça cela quand que te lo eso cuando esto questo quello det när dig het dat dit als je isso isto quando você sitä tätä se".split())


def _is_thing(fields: Fields) -> bool:
    return fields["thing"].casefold().split()[0] not in _NOTHING


def _liked(*patterns: str) -> list[Rule]:
    return [Rule(pattern, "preference.{thing}", "{thing}", 0.9, each=True, holds=_is_thing) for pattern in patterns]


def _disliked(no: str, *patterns: str) -> list[Rule]:
    return [Rule(pattern, "preference.{thing}", f"{no} {{thing}}", 0.9, each=True, holds=_is_thing) for pattern in patterns]


def _works(*patterns: str) -> list[Rule]:
    return [Rule(pattern, "job.title", "{job}", 0.9, holds=_is_job) for pattern in patterns]


def _childless(pattern: str) -> Rule:
    return Rule(pattern, "children.count", "none", 0.9)


_NO_JOBS = frozenset(
    "anfänger vegetarier vegetarierin veganer veganerin raucher nichtraucher gewinner verlierer sieger vater mutter bruder schwester besitzer"
    " träumer einer seiner deiner meiner immer leider sehr mehr hier sicher bereiter première premier dernier végétarien végétarienne italien"
    " italienne parisien parisienne norvégien chrétien chrétienne fumeur heureux heureuse bien rien amateur amoureuse amatrice".split()
)
_JOB_ENDINGS = (
    "er", "erin", "ist", "istin", "arzt", "ärztin", "eur", "euse", "ier", "ière", "ien", "ienne", "iste", "trice", "ent", "entin", "ant", "antin",
    "koch", "köchin", "krankenschwester", "pfleger", "frau", "mann", "or", "orin", "prof", "professeur", "professeure", "médecin", "avocat", "avocate",
    "infirmier", "boulangère", "boulanger", "dor", "dora", "tor", "tora", "ero", "era", "ista", "médico", "médica", "abogado", "abogada", "profesor",
    "profesora", "enfermera", "ingeniero", "ogo", "oga", "maestro", "maestra", "lärare", "läkare", "ör", "are", "sköterska", "ant", "ekonom", "jurist",
    "infermiere", "infermiera", "insegnante", "medico", "avvocato", "iere", "iera", "tore", "trice", "aio", "leraar", "arts", "verpleegkundige", "kundige",
    "eiro", "eira", "ora", "enfermeiro", "professora", "advogado", "advogada", "arquiteto", "opettaja", "hoitaja", "ja", "jä", "ari", "äri", "insinööri", "kokki",
)  # fmt: skip


def _is_job(fields: Fields) -> bool:
    words = fields["job"].casefold().split()
    return bool(words) and words[0] not in _NO_JOBS and words[-1] not in _NO_JOBS


def _ends_like_a_job(fields: Fields) -> bool:
    words = fields["job"].casefold().split()
    return _is_job(fields) and len(words[0]) > 3 and words[0].endswith(_JOB_ENDINGS)


def _is(pattern: str) -> Rule:
    """A rule for "I am a ...", where only the ending tells an occupation."""
    return Rule(pattern, "job.title", "{job}", 0.85, holds=_ends_like_a_job)


_FINNISH_TOWNS = {
    "Helsingi": "Helsinki", "Turu": "Turku", "Lahde": "Lahti", "Seinäjoe": "Seinäjoki", "Rovanieme": "Rovaniemi", "Tamperee": "Tampere", "Joensuu": "Joensuu",
    "Kirkkonumme": "Kirkkonummi", "Riihimäe": "Riihimäki", "Hyvinkää": "Hyvinkää", "Raahe": "Raahe", "Naantali": "Naantali", "Vantaa": "Vantaa", "Lontoo": "Lontoo",
}  # fmt: skip
_TRADE = r"(?P<job>[^\W\d_][\w-]+(?: (?:de|d'|du|di|da|des) ?[^\W\d_]\w+)?)"
_EAT = r"(?P<thing>[^\W\d_][\w'-]*(?: (?!und\b|et\b|y\b|och\b|e\b|en\b|ja\b)[\w'-]+){0,2})"

GERMAN = (
    *_own_names(r"(?:mein name ist|ich hei(?:ß|ss)e) NAME", r"(?:du kannst mich|nenn mich|nennen sie mich) NAME"),
    *_named(r"(?:mein|unser|der|die|das)e? (?:\w+ )?WHO hei(?:ß|ss)t NAME", r"der name (?:meines|meiner|unseres|unserer) (?:\w+ )?WHO(?:e?s)? ist NAME"),
    *_named(r"(?:ich habe|wir haben) eine?n? (?:\w+ )?WHO(?:,? (?:namens|der|die|das)) (?:heißt )?NAME"),
    *_named(r"(?<![\w'])(?:mein|unser)(?:e[nrm]?)? WHO NAME", confidence=0.85, anywhere=True),
    _home(r"(?:ich|wir) (?:wohnen?|leben?)(?: jetzt| nun| schon lange| seit [\w ]{2,20}?)? in PLACE"),
    _moved(r"(?:ich bin|wir sind)(?: jetzt| gerade| letzten monat| letztes jahr)?(?: von \w+)? nach PLACE (?:um)?gezogen"),
    *_allergic(r"ich bin (?:(?!nicht|niet|inte|ikke|ikkje|pas)\w+ )?allergisch (?:gegen|auf) THING", r"ich habe eine (?:\w+ )?(?P<thing>\w{3,20}?)(?:n|en)?[- ]?allergie"),
    Rule(r"ich (?:vertrage|darf) keine?n? (?P<thing>[\w-]+)", "diet.{thing}", "kein {thing}", 0.9),
    Rule(r"ich bin (?P<what>laktose\w*|gluten\w*|fruktose\w*)", "health.intolerance.{what}", "{what}", 0.9),
    _diet(r"ich (?:bin|lebe|esse|ernähre mich) (?P<diet>vegetarier(?:in)?|veganer(?:in)?|vegan|vegetarisch)"),
    *_liked(r"ich (?:mag|liebe|esse gerne?|trinke gerne?) (?!keine?n?\b|nicht\b)" + _EAT, r"mein(?:e)? lieblings\w+ ist " + _EAT),
    *_disliked("kein", r"ich mag keine?n? " + _EAT, r"ich (?:hasse|verabscheue) " + _EAT, r"ich esse keine?n? " + _EAT, r"ich trinke keine?n? " + _EAT),
    *_disliked("kein", r"ich mag (?P<thing>[^\W\d_][\w-]+) (?:überhaupt |gar )?nicht"),
    Rule(r"ich trinke (?:meinen )?(?P<drink>kaffee|tee) (?P<how>(?:immer )?(?:schwarz|ohne|mit)[\w ]{0,30})", "preference.{drink}", "{drink} {how}", 0.95, kinds={"kaffee": "coffee", "tee": "tea"}),
    *_works(rf"ich arbeite (?:\w+ )?als {_TRADE}", rf"ich bin {_TRADE} von beruf", rf"von beruf bin ich {_TRADE}"),
    _is(rf"ich bin (?:eine? )?{_TRADE}(?= in | bei | und |[,.!]|$)"),
    _childless(r"(?:ich habe|wir haben) keine kinder"),
    Rule(r"ich gehe (?P<when>jeden \w+|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s) (?:\w+ )??(?P<act>\w+en)\b", "schedule.{act}", "{act} {when}", 0.85),
    Rule(r"ich spreche (?P<tongue>[A-ZÄÖÜ]\w+(?:(?:,| und) [A-ZÄÖÜ]\w+)*)", "language.spoken", "{tongue}"),
    Rule(r"ich (?:rauche nicht|bin nichtraucher(?:in)?)", "health.smoking", "non-smoker"),
)  # fmt: skip

FRENCH = (
    *_own_names(r"je m'appelle NAME", r"mon (?:nom|prénom) est NAME", r"(?:appelle|appelez)-moi NAME"),
    *_named(r"(?:mon|ma|notre|le|la) (?:petite? |nouve(?:au|lle) )?WHO s'appelle NAME", r"le nom de (?:mon|ma|notre) WHO est NAME"),
    *_named(r"(?:j'ai|nous avons|on a) une? (?:petite? )?WHO (?:qui s'appelle|nommée?|appelée?) NAME", r"(?:mon|ma|notre) WHO est NAMEEND"),
    *_named(r"(?<![\w'])(?:mon|ma|notre) WHO,? NAME", confidence=0.85, anywhere=True),
    _home(r"(?:j'habite|je vis|nous habitons|nous vivons|on habite)(?: maintenant| désormais)? (?:à|au|en|aux) PLACE"),
    _moved(r"(?:j'ai|nous avons|on a) (?:récemment )?(?:déménagé|emménagé) (?:de \w+ )?(?:à|au|en) PLACE"),
    *_allergic(r"je suis (?:(?!nicht|niet|inte|ikke|ikkje|pas)\w+ )?allergique (?:à la |à l'|aux |au |à )THING", r"j'ai une allergie (?:à la |à l'|aux |au |à )THING"),
    Rule(r"je suis intolérante? (?:à la |à l'|aux |au |à )(?P<what>\w+)", "health.intolerance.{what}", "{what}", 0.9),
    _diet(r"je suis (?:devenue? )?(?P<diet>végétarien(?:ne)?|végétalien(?:ne)?|végane?|vegan|végan)"),
    *_liked(r"(?:j'aime (?:beaucoup |bien )?|j'adore )(?:les |le |la |l')" + _EAT),
    *_disliked("pas de", r"(?:je déteste |je n'aime pas (?:du tout )?|je ne supporte pas )(?:les |le |la |l')" + _EAT, r"je ne (?:mange|bois) (?:pas|jamais) (?:de |d')" + _EAT),
    Rule(r"je (?:bois|prends) mon (?P<drink>café|thé) (?P<how>(?:noir|sans|avec)[\w ]{0,30}(?:, sans \w+)?)", "preference.{drink}", "{drink} {how}", 0.95, kinds={"café": "coffee", "thé": "tea"}),
    *_works(rf"je travaille comme {_TRADE}", rf"je suis {_TRADE} de (?:métier|profession)"),
    _is(rf"je suis (?:une? )?{_TRADE}(?= à | au | en | et | dans | chez |[,.!]|$)"),
    _childless(r"(?:je n'ai|nous n'avons|j'ai) pas d'enfants?"),
    Rule(r"je (?:fais|vais) (?:du |de la |de l'|à la |au |à l')(?P<act>\w+) (?P<when>(?:tous les|chaque|le) \w+)", "schedule.{act}", "{act} {when}", 0.85),
    Rule(r"je ne fume (?:pas|plus)", "health.smoking", "non-smoker", whenever=True),
)  # fmt: skip

SPANISH = (
    *_own_names(r"(?:yo )?me llamo NAME", r"mi nombre es NAME", r"(?:llámame|puedes llamarme) NAME"),
    *_named(r"(?:mi|nuestr[oa]|el|la) WHO se llama NAME", r"el nombre de mi WHO es NAME"),
    *_named(r"(?:tengo|tenemos) una? WHO (?:llamad[oa]|que se llama) NAME"),
    *_named(r"(?<![\w'])(?:mi|nuestr[oa]) WHO,? NAME", confidence=0.85, anywhere=True),
    _home(r"(?:yo )?(?:ahora )?(?:vivo|vivimos|resido)(?: ahora| actualmente)? en PLACE"),
    _moved(r"(?:me mudé|nos mudamos|me he mudado|nos hemos mudado) (?:de \w+ )?a PLACE"),
    *_allergic(r"(?:yo )?soy (?:muy )?alérgic[oa] (?:al |a la |a los |a las |a )THING", r"tengo alergia (?:al |a la |a los |a las |a )THING"),
    Rule(r"soy intolerante (?:al |a la |a los |a )(?P<what>\w+)", "health.intolerance.{what}", "{what}", 0.9),
    Rule(r"soy (?P<what>celíac[oa]|diabétic[oa]|asmátic[oa])", "health.{what}", "{what}", 0.9),
    _diet(r"(?:yo )?soy (?P<diet>vegetarian[oa]|vegan[oa])"),
    *_liked(r"(?:me gustan?(?: mucho)?|me encantan?|adoro) (?:el |la |los |las )" + _EAT),
    *_disliked("sin", r"(?:a mí )?no me gustan?(?: nada)? (?:el |la |los |las )" + _EAT, r"(?:odio|detesto|no soporto) (?:el |la |los |las )?" + _EAT, r"no (?:como|bebo|puedo comer) " + _EAT),
    *_works(rf"(?:yo )?trabajo (?:como|de) {_TRADE}"),
    _is(rf"(?:yo )?soy (?:una? )?{_TRADE}(?= en | y | de |[,.!]|$)"),
    _childless(r"no (?:tengo|tenemos) hijos"),
    Rule(r"no fumo", "health.smoking", "non-smoker"),
)  # fmt: skip

SWEDISH = (
    *_own_names(r"(?:jag heter|mitt namn är|mitt namn er|jeg heter|jeg hedder|mit navn er|navnet mitt er) NAME", r"kalla mig NAME"),
    *_named(r"(?:min|vår|mitt|vårt|vores) (?:\w+ )?WHO (?:heter|hedder) NAME", r"WHO (?:min|vår|mi) heter NAME", r"min WHOs namn är NAME"),
    *_named(r"(?:jag|vi) har en (?:\w+ )?WHO som heter NAME"),
    *_named(r"(?<![\w'])(?:min|vår|mitt|vårt) WHO,? NAME", confidence=0.85, anywhere=True),
    _home(r"(?:jag|vi|jeg) bor (?:nu |nå |numera )?i PLACE"),
    _moved(r"(?:jag|vi) (?:har )?flytta(?:de|t) (?:från \w+ )?till PLACE"),
    *_allergic(r"(?:jag|jeg) (?:är|er) (?:(?!nicht|niet|inte|ikke|ikkje|pas)\w+ )?allergisk (?:mot|over for|for) THING", r"jag har (?P<thing>\w{3,20})allergi", r"jag tål inte THING"),
    Rule(r"jag är (?P<what>laktosintolerant|glutenintolerant|diabetiker|astmatiker)", "health.{what}", "{what}", 0.9),
    _diet(r"(?:jag|jeg) (?:är|er) (?P<diet>vegetarian|vegetar|vegetarianer|vegan|veganer)"),
    *_liked(r"jag (?:gillar|älskar|tycker om) (?!inte\b)" + _EAT),
    *_disliked("ingen", r"jag (?:hatar|avskyr) " + _EAT, r"jag (?:gillar|tycker) inte (?:om )?" + _EAT, r"jag äter (?:inte|aldrig) " + _EAT),
    *_works(rf"(?:jag|jeg) (?:jobbar|arbetar|jobber|arbejder) som {_TRADE}"),
    _is(rf"jag är {_TRADE}(?= i | på | och |[,.!]|$)"),
    _childless(r"(?:jag|vi) har inga barn"),
    Rule(r"jag dricker (?:mitt )?(?P<drink>kaffe|te)t? (?P<how>(?:svart|utan|med)[\w ]{0,30})", "preference.{drink}", "{drink} {how}", 0.95, kinds={"kaffe": "coffee", "te": "tea"}),
    Rule(r"jag röker inte", "health.smoking", "non-smoker"),
)  # fmt: skip

ITALIAN = (
    *_own_names(r"(?:io )?mi chiamo NAME", r"il mio nome è NAME", r"(?:chiamami|puoi chiamarmi) NAME"),
    *_named(r"(?:il |la )?(?:mio|mia|nostro|nostra) WHO si chiama NAME", r"(?:ho|abbiamo) un[oa']? ?WHO (?:di nome|che si chiama|chiamat[oa]) NAME"),
    *_named(r"(?<![\w'])(?:il |la )?(?:mio|mia|nostro|nostra) WHO,? NAME", confidence=0.85, anywhere=True),
    _home(r"(?:io )?(?:abito|vivo|viviamo|abitiamo|risiedo)(?: ora| adesso)? (?:a|ad|in) PLACE"),
    _moved(r"(?:mi sono trasferit[oa]|ci siamo trasferiti) (?:da \w+ )?(?:a|ad|in) PLACE"),
    *_allergic(r"(?:io )?sono (?:molto )?allergic[oa] (?:al |alla |alle |ai |agli |allo |all'|a )THING"),
    Rule(r"sono intollerante (?:al |alla |alle |ai |agli |allo |all'|a )(?P<what>\w+)", "health.intolerance.{what}", "{what}", 0.9),
    Rule(r"sono (?P<what>celiac[oa]|diabetic[oa]|asmatic[oa])", "health.{what}", "{what}", 0.9),
    _diet(r"(?:io )?sono (?P<diet>vegetarian[oa]|vegan[oa])"),
    *_liked(r"(?:mi piace(?: molto)?|mi piacciono(?: molto)?|adoro|amo) (?:il |la |lo |i |gli |le |l')" + _EAT),
    *_disliked("niente", r"non mi (?:piace|piacciono) (?:il |la |lo |i |gli |le |l')" + _EAT, r"(?:odio|detesto|non sopporto) (?:il |la |lo |i |gli |le |l')" + _EAT, r"non (?:mangio|bevo) (?:mai )?" + _EAT),
    *_works(rf"(?:io )?lavoro come {_TRADE}", rf"(?:io )?faccio (?:il |la |lo |l'){_TRADE}"),
    _is(rf"(?:io )?sono (?:un |una |un'|uno )?{_TRADE}(?= a | in | e |[,.!]|$)"),
    _childless(r"non (?:ho|abbiamo) figli"),
    Rule(r"(?:bevo|prendo) (?:il|il mio) (?P<drink>caffè|tè) (?P<how>(?:nero|amaro|senza|con)[\w ]{0,30})", "preference.{drink}", "{drink} {how}", 0.95, kinds={"caffè": "coffee", "tè": "tea"}),
    Rule(r"non fumo", "health.smoking", "non-smoker"),
)  # fmt: skip

DUTCH = (
    *_own_names(r"(?:ik heet|mijn naam is) NAME", r"noem (?:me|mij) (?:maar )?NAME"),
    *_named(r"(?:mijn|onze?|de) (?:\w+ )?WHO heet NAME", r"de naam van (?:mijn|onze) WHO is NAME", r"(?:ik heb|we hebben|wij hebben) een (?:\w+ )?WHO (?:die|genaamd|met de naam) (?:heet )?NAME"),
    *_named(r"(?:ik heb|we hebben) een (?:\w+ )?WHO die NAME heet"),
    *_named(r"(?<![\w'])(?:mijn|onze?) WHO,? NAME", confidence=0.85, anywhere=True),
    _home(r"(?:ik|we|wij) wo(?:on|nen)(?: nu| tegenwoordig| al \w+ jaar)? in PLACE"),
    _moved(r"(?:ik ben|we zijn|wij zijn)(?: \w+)? (?:van \w+ )?naar PLACE verhuisd"),
    *_allergic(r"ik ben (?:(?!nicht|niet|inte|ikke|ikkje|pas)\w+ )?allergisch (?:voor|tegen) THING", r"ik heb een (?P<thing>\w{3,20}?)(?:en)?allergie"),
    Rule(r"ik ben (?P<what>lactose-?intolerant|gluten-?intolerant|diabeet|astmatisch)", "health.{what}", "{what}", 0.9),
    _diet(r"ik ben (?P<diet>vegetariër|vegetarisch|veganist|veganistisch|vegan)"),
    *_liked(r"ik hou(?:d)? (?:erg |heel veel |veel )?van (?!niet\b)" + _EAT, r"ik (?:eet|drink) graag " + _EAT),
    *_disliked("geen", r"ik hou(?:d)? (?:helemaal )?niet van " + _EAT, r"ik (?:haat|lust geen|eet geen|drink geen|verafschuw) " + _EAT),
    *_works(rf"ik werk als {_TRADE}"),
    _is(rf"ik ben (?:een )?{_TRADE}(?= in | bij | en |[,.!]|$)"),
    _childless(r"(?:ik heb|we hebben|wij hebben) geen kinderen"),
    Rule(r"ik drink mijn (?P<drink>koffie|thee) (?P<how>(?:altijd )?(?:zwart|zonder|met)[\w ]{0,30})", "preference.{drink}", "{drink} {how}", 0.95, kinds={"koffie": "coffee", "thee": "tea"}),
    Rule(r"ik rook niet", "health.smoking", "non-smoker"),
)  # fmt: skip

PORTUGUESE = (
    *_own_names(r"(?:eu )?(?:me chamo|chamo-me) NAME", r"(?:o )?meu nome é NAME", r"pode me chamar de NAME"),
    *_named(r"(?:o |a )?(?:meu|minha|nosso|nossa) WHO (?:se chama|chama-se) NAME", r"o nome d[oa] (?:meu|minha|nosso|nossa) WHO é NAME", r"(?:tenho|temos) uma? WHO (?:chamad[oa]|que se chama) NAME"),
    *_named(r"(?<![\w'])(?:meu|minha|nosso|nossa) WHO,? NAME", confidence=0.85, anywhere=True),
    _home(r"(?:eu )?(?:agora )?(?:moro|vivo|moramos|vivemos|resido)(?: agora| atualmente)? (?:em|no|na) PLACE"),
    _moved(r"(?:eu )?(?:me mudei|mudei-me|nos mudamos|mudámo-nos) (?:de \w+ )?para (?:o |a )?PLACE"),
    *_allergic(r"(?:eu )?sou (?:muito )?alérgic[oa] (?:ao |à |aos |às |a )THING", r"(?:eu )?tenho alergia (?:ao |à |aos |às |a )THING"),
    Rule(r"(?:eu )?sou intolerante (?:ao |à |a )(?P<what>\w+)", "health.intolerance.{what}", "{what}", 0.9),
    _diet(r"(?:eu )?sou (?P<diet>vegetarian[oa]|vegan[oa])"),
    *_liked(r"(?:eu )?(?:gosto (?:muito )?d[eoa]s? |adoro |amo )(?:o |a |os |as )?" + _EAT),
    *_disliked("sem", r"(?:eu )?não gosto (?:nada )?d[eoa]s? " + _EAT, r"(?:eu )?(?:odeio|detesto|não suporto) (?:o |a |os |as )?" + _EAT, r"(?:eu )?não (?:como|bebo) " + _EAT),
    *_works(rf"(?:eu )?trabalho como {_TRADE}"),
    _is(rf"(?:eu )?sou (?:uma? )?{_TRADE}(?= em | no | na | e |[,.!]|$)"),
    _childless(r"(?:eu )?não (?:tenho|temos) filhos"),
    Rule(r"(?:eu )?não fumo", "health.smoking", "non-smoker"),
)  # fmt: skip

FINNISH = (
    *_own_names(r"(?:minun )?nimeni on NAME", r"(?:minä )?olen nimeltäni NAME", r"kutsu minua NAME"),
    *_named(r"(?:minun |meidän )?FINNISH (?:nimi on|on nimeltään) NAME", r"FINNISH on NAMEEND"),
    *_named(r"\bFINNISH NAME", confidence=0.85, anywhere=True),
    _home(r"(?:minä )?(?:asun|asumme)(?: nykyään| nyt)? (?P<place>(?-i:[A-ZÅÄÖ])[\w-]+?)(?:ssa|ssä|lla|llä)\b"),
    _moved(r"(?:minä )?(?:muutin|muutimme) (?:\w+(?:sta|stä|lta|ltä) )?(?P<place>(?-i:[A-ZÅÄÖ])[\w-]+?)(?:seen|oon|aan|ään|uun|iin|lle)\b"),
    *_allergic(r"(?:minä )?olen (?:(?!nicht|niet|inte|ikke|ikkje|pas)\w+ )?allerginen " + _EAT, r"minulla on (?P<thing>\w{3,20})allergia"),
    Rule(r"(?:minä )?olen (?P<what>laktoosi-intolerantti|keliaakikko|diabeetikko|astmaatikko)", "health.{what}", "{what}", 0.9),
    _diet(r"(?:minä )?olen (?P<diet>kasvissyöjä|vegaani|vegetaristi)"),
    *_liked(r"(?:minä )?(?:rakastan|pidän) (?!sinu)" + _EAT),
    *_disliked("ei", r"(?:minä )?en (?:pidä|syö|juo|siedä) " + _EAT, r"(?:minä )?(?:inhoan|vihaan) " + _EAT),
    *_works(rf"(?:minä )?(?:olen ammatiltani|ammattini on) {_TRADE}", r"(?:minä )?(?:työskentelen|olen töissä) (?P<job>[a-zåäö-]{3,30}?)(?:na|nä)\b"),
    _is(rf"(?:minä )?olen {_TRADE}(?= \w+(?:ssa|ssä|lla|llä)\b| ja |[,.!]|$)"),
    _childless(r"minulla ei ole lapsia|meillä ei ole lapsia"),
    Rule(r"(?:minä )?juon (?P<drink>kahvini|teeni) (?P<how>(?:mustana|ilman|maidolla)[\w ]{0,30})", "preference.{drink}", "{drink} {how}", 0.95, kinds={"kahvini": "coffee", "teeni": "tea"}),
    Rule(r"(?:minä )?en (?:tupakoi|polta)", "health.smoking", "non-smoker"),
)  # fmt: skip

RULES: Sequence[Rule] = (*GERMAN, *FRENCH, *SPANISH, *SWEDISH, *ITALIAN, *DUTCH, *PORTUGUESE, *FINNISH)
