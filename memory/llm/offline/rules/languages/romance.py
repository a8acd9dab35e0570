"""The basic statements in French, Spanish, Italian and Portuguese."""

from memory.llm.offline.rules.grammar import Rule
from memory.llm.offline.rules.languages import rule_builders as make
from memory.llm.offline.rules.languages.rule_builders import FOOD, TRADE

FRENCH = (
    *make.introduced(
        r"je suis NAME",
        r"(?:yo )?soy NAME",
        r"(?:io )?sono NAME",
        r"jag är NAME",
        r"ik ben NAME",
        r"(?:eu )?sou (?:o |a )?NAME",
    ),
    *make.own_names(r"je m'appelle NAME", r"mon (?:nom|prénom) est NAME", r"(?:appelle|appelez)-moi NAME"),
    *make.named(
        r"(?:mon|ma|notre|le|la) (?:petite? |nouve(?:au|lle) )?WHO s'appelle NAME",
        r"le nom de (?:mon|ma|notre) WHO est NAME",
    ),
    *make.named(
        r"(?:j'ai|nous avons|on a) une? (?:petite? )?WHO (?:qui s'appelle|nommée?|appelée?) NAME",
        r"(?:mon|ma|notre) WHO est NAMEEND",
    ),
    *make.named(r"(?<![\w'])(?:mon|ma|notre) WHO,? NAME", confidence=0.85, anywhere=True),
    make.home(
        r"(?:j'habite|je vis|nous habitons|nous vivons|on habite)(?: maintenant| désormais)? (?:à|au|en|aux) PLACE"
    ),
    make.moved(r"(?:j'ai|nous avons|on a) (?:récemment )?(?:déménagé|emménagé) (?:de \w+ )?(?:à|au|en) PLACE"),
    *make.allergic(
        r"je suis (?:(?!nicht|niet|inte|ikke|ikkje|pas)\w+ )?allergique (?:à la |à l'|aux |au |à )THING",
        r"j'ai une allergie (?:à la |à l'|aux |au |à )THING",
    ),
    make.intolerant(r"je suis intolérante? (?:à la |à l'|aux |au |à )(?P<what>\w+)"),
    make.diet(r"je suis (?:devenue? )?(?P<diet>végétarien(?:ne)?|végétalien(?:ne)?|végane?|vegan|végan)"),
    *make.liked(r"(?:j'aime (?:beaucoup |bien )?|j'adore )(?:les |le |la |l')" + FOOD),
    *make.disliked(
        "pas de",
        r"(?:je déteste |je n'aime pas (?:du tout )?|je ne supporte pas )(?:les |le |la |l')" + FOOD,
    ),
    make.drink(
        r"je (?:bois|prends) mon (?P<drink>café|thé) (?P<how>(?:noir|sans|avec)[\w ]{0,30}(?:, sans \w+)?)",
        kinds={"café": "coffee", "thé": "tea"},
    ),
    *make.works(rf"je travaille comme {TRADE}", rf"je suis {TRADE} de (?:métier|profession)"),
    make.occupation(rf"je suis (?:une? )?{TRADE}(?= à | au | en | et | dans | chez |[,.!]|$)"),
    *make.avoided("pas de", r"je ne (?:mange|bois) (?:pas|jamais) (?:de |d')" + FOOD),
    make.childless(r"(?:je n'ai|nous n'avons|j'ai) pas d'enfants?"),
    Rule(
        r"je (?:fais|vais) (?:du |de la |de l'|à la |au |à l')(?P<act>\w+) (?P<when>(?:tous les|chaque|le) \w+)",
        "schedule.{act}",
        "{act} {when}",
        0.85,
    ),
    make.non_smoker(r"je ne fume (?:pas|plus)", any_time=True),
)

SPANISH = (
    *make.own_names(r"(?:yo )?me llamo NAME", r"mi nombre es NAME", r"(?:llámame|puedes llamarme) NAME"),
    *make.named(r"(?:mi|nuestr[oa]|el|la) WHO se llama NAME", r"el nombre de mi WHO es NAME"),
    *make.named(r"(?:tengo|tenemos) una? WHO (?:llamad[oa]|que se llama) NAME"),
    *make.named(r"(?<![\w'])(?:mi|nuestr[oa]) WHO,? NAME", confidence=0.85, anywhere=True),
    make.home(r"(?:yo )?(?:ahora )?(?:vivo|vivimos|resido)(?: ahora| actualmente)? en PLACE"),
    make.moved(r"(?:me mudé|nos mudamos|me he mudado|nos hemos mudado) (?:de \w+ )?a PLACE"),
    *make.allergic(
        r"(?:yo )?soy (?:muy )?alérgic[oa] (?:al |a la |a los |a las |a )THING",
        r"tengo alergia (?:al |a la |a los |a las |a )THING",
    ),
    make.intolerant(r"soy intolerante (?:al |a la |a los |a )(?P<what>\w+)"),
    make.condition(r"soy (?P<what>celíac[oa]|diabétic[oa]|asmátic[oa])"),
    make.diet(r"(?:yo )?soy (?P<diet>vegetarian[oa]|vegan[oa])"),
    *make.liked(r"(?:me gustan?(?: mucho)?|me encantan?|adoro) (?:el |la |los |las )" + FOOD),
    *make.disliked(
        "sin",
        r"(?:a mí )?no me gustan?(?: nada)? (?:el |la |los |las )" + FOOD,
        r"(?:odio|detesto|no soporto) (?:el |la |los |las )?" + FOOD,
    ),
    *make.works(rf"(?:yo )?trabajo (?:como|de) {TRADE}"),
    make.occupation(rf"(?:yo )?soy (?:una? )?{TRADE}(?= en | y | de |[,.!]|$)"),
    *make.avoided("sin", r"(?:yo )?no (?:como|bebo|puedo comer|puedo tomar) " + FOOD),
    make.childless(r"no (?:tengo|tenemos) hijos"),
    make.non_smoker(r"no fumo"),
)

ITALIAN = (
    *make.own_names(r"(?:io )?mi chiamo NAME", r"il mio nome è NAME", r"(?:chiamami|puoi chiamarmi) NAME"),
    *make.named(
        r"(?:il |la )?(?:mio|mia|nostro|nostra) WHO si chiama NAME",
        r"(?:ho|abbiamo) un[oa']? ?WHO (?:di nome|che si chiama|chiamat[oa]) NAME",
    ),
    *make.named(r"(?<![\w'])(?:il |la )?(?:mio|mia|nostro|nostra) WHO,? NAME", confidence=0.85, anywhere=True),
    make.home(r"(?:io )?(?:abito|vivo|viviamo|abitiamo|risiedo)(?: ora| adesso)? (?:a|ad|in) PLACE"),
    make.moved(r"(?:mi sono trasferit[oa]|ci siamo trasferiti) (?:da \w+ )?(?:a|ad|in) PLACE"),
    *make.allergic(r"(?:io )?sono (?:molto )?allergic[oa] (?:al |alla |alle |ai |agli |allo |all'|a )THING"),
    make.intolerant(r"sono intollerante (?:al |alla |alle |ai |agli |allo |all'|a )(?P<what>\w+)"),
    make.condition(r"sono (?P<what>celiac[oa]|diabetic[oa]|asmatic[oa])"),
    make.diet(r"(?:io )?sono (?P<diet>vegetarian[oa]|vegan[oa])"),
    *make.liked(r"(?:mi piace(?: molto)?|mi piacciono(?: molto)?|adoro|amo) (?:il |la |lo |i |gli |le |l')" + FOOD),
    *make.disliked(
        "niente",
        r"non mi (?:piace|piacciono) (?:il |la |lo |i |gli |le |l')" + FOOD,
        r"(?:odio|detesto|non sopporto) (?:il |la |lo |i |gli |le |l')" + FOOD,
    ),
    *make.works(rf"(?:io )?lavoro come {TRADE}", rf"(?:io )?faccio (?:il |la |lo |l'){TRADE}"),
    make.occupation(rf"(?:io )?sono (?:un |una |un'|uno )?{TRADE}(?= a | in | e |[,.!]|$)"),
    *make.avoided("niente", r"non (?:mangio|bevo|posso mangiare) (?:mai )?" + FOOD),
    make.childless(r"non (?:ho|abbiamo) figli"),
    make.drink(
        r"(?:bevo|prendo) (?:il|il mio) (?P<drink>caffè|tè) (?P<how>(?:nero|amaro|senza|con)[\w ]{0,30})",
        kinds={"caffè": "coffee", "tè": "tea"},
    ),
    make.non_smoker(r"non fumo"),
)

PORTUGUESE = (
    *make.own_names(r"(?:eu )?(?:me chamo|chamo-me) NAME", r"(?:o )?meu nome é NAME", r"pode me chamar de NAME"),
    *make.named(
        r"(?:o |a )?(?:meu|minha|nosso|nossa) WHO (?:se chama|chama-se) NAME",
        r"o nome d[oa] (?:meu|minha|nosso|nossa) WHO é NAME",
        r"(?:tenho|temos) uma? WHO (?:chamad[oa]|que se chama) NAME",
    ),
    *make.named(r"(?<![\w'])(?:meu|minha|nosso|nossa) WHO,? NAME", confidence=0.85, anywhere=True),
    make.home(r"(?:eu )?(?:agora )?(?:moro|vivo|moramos|vivemos|resido)(?: agora| atualmente)? (?:em|no|na) PLACE"),
    make.moved(r"(?:eu )?(?:me mudei|mudei-me|nos mudamos|mudámo-nos) (?:de \w+ )?para (?:o |a )?PLACE"),
    *make.allergic(
        r"(?:eu )?sou (?:muito )?alérgic[oa] (?:ao |à |aos |às |a )THING",
        r"(?:eu )?tenho alergia (?:ao |à |aos |às |a )THING",
    ),
    make.intolerant(r"(?:eu )?sou intolerante (?:ao |à |a )(?P<what>\w+)"),
    make.diet(r"(?:eu )?sou (?P<diet>vegetarian[oa]|vegan[oa])"),
    *make.liked(r"(?:eu )?(?:gosto (?:muito )?d[eoa]s? |adoro |amo )(?:o |a |os |as )?" + FOOD),
    *make.disliked(
        "sem",
        r"(?:eu )?não gosto (?:nada )?d[eoa]s? " + FOOD,
        r"(?:eu )?(?:odeio|detesto|não suporto) (?:o |a |os |as )?" + FOOD,
    ),
    *make.works(rf"(?:eu )?trabalho como {TRADE}"),
    make.occupation(rf"(?:eu )?sou (?:uma? )?{TRADE}(?= em | no | na | e |[,.!]|$)"),
    *make.avoided("sem", r"(?:eu )?não (?:como|bebo|posso comer) " + FOOD),
    make.childless(r"(?:eu )?não (?:tenho|temos) filhos"),
    make.non_smoker(r"(?:eu )?não fumo"),
)

RULES: tuple[Rule, ...] = (*FRENCH, *SPANISH, *ITALIAN, *PORTUGUESE)
