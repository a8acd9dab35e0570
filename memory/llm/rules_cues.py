"""The words by which the offline rules tell plain statements from all else: play, doubt, quoted text, secrets, time.

Each cue is one compiled pattern, written as a list of alternatives, whole words, upper or lower case. English first,
then German, French, Spanish, Swedish, Italian, Dutch, Portuguese and Finnish, a few safe words of each.
"""

import re


def cue(alternatives: str, *, before: str = r"\b", after: str = r"\b") -> re.Pattern[str]:
    """A pattern for any of `alternatives`, which are set apart by ` | ` or line breaks."""
    words = [word for word in re.split(r"\s*\n\s*| \| ", alternatives.strip()) if word]
    return re.compile(f"{before}(?:{'|'.join(words)}){after}", re.IGNORECASE)


# What is not the operator's own earnest word

PASTED_MAIL = re.compile(
    r"^(?:from|subject|to|sent|cc|von|betreff|gesendet|an|de|objet|asunto|från|ämne|oggetto|onderwerp|assunto|aihe): "
    r"|^(?:kind |best |warm |many )?regards\b|^sincerely\b|^yours (?:truly|faithfully|sincerely)\b|^mit freundlichen"
    r"|^(?:dear|liebe[r]?|cher|chère|estimad[oa]) .{1,60},\s*$",
    re.IGNORECASE | re.MULTILINE,
)

TAKEOVER = cue(r"""
    (?:ignore|disregard|override|bypass|forget) (?:\w+ ){0,4}(?:rules?|instructions?|prompts?|guidelines?|orders?|safety)
    system prompt | developer mode | jailbreak | new instructions | you must obey
    (?:ignoriere|ignorera|ignore|ignorez|ignora|negeer) (?:\w+ ){0,4}(?:regeln|anweisungen|règles|consignes)
    (?:ignora|ignorera|ignore|negeer|unohda) (?:\w+ ){0,4}(?:reglas|instrucciones|regler|instruktioner|regole|istruzioni)
    (?:negeer|ignore|unohda|vergiss|glöm|oublie) (?:\w+ ){0,4}(?:regels|instructies|regras|instruções|säännöt|ohjeet|regeln)
""")

STORING = cue(r"""
    (?:store|save|record|log|insert|persist|memori[sz]e) (?:it |this |that |down |in |to |into |the following |as )*(?:your |the |my )?memory
    (?:store|save|record|log|insert|persist|memori[sz]e) (?:this|that|the following|as a fact)
    (?:add|write|put|commit) (?:it |this |that |the following )*(?:in|to|into) (?:your |the |my )?(?:\w+[ -])?(?:memory|profile|database|notes|facts)
    the user | the operator | the (?:\w+ )?admin(?:istrator)? | superuser | root access
    speichere | guarda(?: en)? (?:tu )?memoria | enregistre | spara (?:att|i) | salva (?:che|in) | sla op | tallenna | salve
""")  # fmt: skip

PLAY = cue(r"""
    role-?play\w* | pretend (?:to|you|that|i|we|i'm|i am|you're|my|our) | let's pretend | let us pretend
    in character | act as | acting as | act like you | stay in role | text adventure | dungeon master | let's play | you play
    you are now | you're now | you(?:'re| are) an? (?:[\w-]+ ){1,5}and (?:i'm|i am) | i'll play | i will play | i play the part
    i'm playing (?:a|an|the) | i am playing (?:a|an|the) | my character | our game | our campaign
    rollenspiel | tu wir so | tun wir so | spiel die rolle | jeu de rôle | faisons semblant | fais semblant | juego de rol
    finjamos | finge | rollspel | låt oss låtsas | låtsas | gioco di ruolo | facciamo finta | fai finta | rollenspel | doe alsof
    roolipeli\w* | leikitään | esitä
""")

_WRITE = (
    r"(?:write|tell|compose|draft|continue|make up|invent|create|give|generate|finish|need|want|start|begin|schreib\w*|erzähl\w*"
    r"|écri\w+|racont\w*|escrib\w+|cuenta\w*|skriv|berätta|scriv\w+|racconta\w*|schrijf|vertel|escrev\w+|conta\w*|kirjoita|kerro)"
)
_FICTION_NOUN = (
    r"(?:story|stories|tale|novel|poem|haiku|limerick|song|lyrics|screenplay|script|scene|monologue|dialogue|fable|sketch|diary|rap"
    r"|sonnet|ballad|parody|chapter|blurb|fiction|persona|verse|ode|geschichte|gedicht|märchen|lied|tagebuch\w*|histoire|poème|conte"
    r"|chanson|cuento|historia|poema|relato|canción|diario|berättelse|dikt|saga|novell|sång|storia|racconto|poesia|canzone|verhaal"
    r"|liedje|dagboek\w*|história|conto|diário|tarina\w*|runo\w*|satu\w*|novelli\w*|päiväkirja\w*)"
)
FICTION = cue(rf"""
    (?<!I )(?<!we ){_WRITE}\b.{{0,60}}\b{_FICTION_NOUN}s?
    in the (?:voice|style|role|person) of | from the (?:perspective|point of view|viewpoint) of | told by | narrated by
    in (?:the|my|this|our|a) (?:story|novel|book|game|film|movie|play|scene|dream|campaign|sim|fantasy|series|song|poem)
    (?:my|the|a|main|this|our) (?:character|protagonist|hero|heroine|narrator|avatar|villain)(?:'s)?
    i dream(?:t|ed) | my (?:novel|story|screenplay|poem|book|tale) | (?:the|this|a) (?:novel|lyrics|poem|song|quote) (?:is|goes|says)
    jokes? | kidding | punchline | witz | blague | chiste | skämt | barzelletta | grapje | piada | vitsi
    im stil von | aus (?:der )?sicht | in der geschichte | dans l'histoire | du point de vue | en la historia | i berättelsen
    nella storia | in het verhaal | na história | tarinassa
""")

THOUGHT_EXPERIMENT = cue(r"""
    imagin(?:e|ing|ed) | suppose(?! to) | supposing | assum(?:e|ing) | hypothetical\w* | what if | let's (?:say|assume|imagine)
    let us (?:say|assume|imagine) | say (?:i|my|we|i'm|i am|i had|that i|that my) | in theory | theoretically | picture this
    for the sake of argument | (?:as an|for) example | for instance | e\.g | were i | had i | in an ideal world
    stell dir vor | stellen sie sich vor | angenommen | nehmen wir an | gesetzt den fall | was wäre,? wenn | zum beispiel
    imagin(?:ez|ons|a|emos|iamo|em|ati) | supposons | admettons | par exemple | supon\w+ | por ejemplo | tänk dig | tänk om | anta att
    till exempel | föreställ dig | supponiamo | metti che | mettiamo che | per esempio | stel je voor | stel dat | stel,? ik
    bijvoorbeeld | suponha\w* | vamos supor | digamos | por exemplo | kuvittele\w* | kuvitellaan | oletetaan\w* | esimerkiksi | entä jos
""")

SECRET = cue(r"""
    passwords? | passcodes? | passphrases? | pass codes? | pins? | pin ?codes? | pin numbers? | tokens? | api[ -]?keys? | \w+ keys? is
    private keys? | access keys? | credentials? | card number | (?:credit|debit|bank|visa) card | cvv | cvc | iban
    (?:account|routing|phone|insurance|id|passport|licen[cs]e|member|customer) number | sort code | social security | ssn | tax (?:id|number)
    (?:door|gate|alarm|lock|entry|safe|access|security|verification|unlock|garage|key ?safe|bike lock|building) ?(?:codes?|combination)
    codes? (?:to|for|of|is) | combination (?:to|for|of|is) | code's | log-?ins? | secrets? | 2fa | otp | seed phrase | recovery (?:code|phrase)s?
    passw[oö]rt\w* | kennwort | geheimzahl | kontonummer | türcode | zugangscode | mot de passe | code secret | digicode | code (?:de|du) .{1,20}
    contraseña | clave | código | lösenord\w* | portkod\w* | koden | wachtwoord | pincode | code van | senha | password | codice | parola d'ordine
    salasana\w* | ovikoodi\w* | tunnusluku\w* | koodi\w* | kortnummer | kortin numero
""")  # fmt: skip

_TEXT_NOUN = (
    r"(?:e-?mails?|mails?|text|letter|message|note|paragraph|article|post|sentences?|passage|tweet|transcript|conversation|chat|review"
    r"|essay|bio|quote|document|page|log|above|below|excerpt|intro\w*|nachricht|satz|sätze|artikel|brief|texte|lettre|phrase|courriel|texto"
    r"|carta|frase|correo|mensaje|brev|mejl|meddelande|mening|testo|lettera|messaggio|tekst|bericht|zin|viesti\w*|teksti\w*|lause\w*|kirje\w*)"
)
_THIS = (
    r"(?:this|the following|following|above|below|these|the|my|a|an|diese[nrs]?|den|die|das|ce|cet|cette|le|la|este|esta|el|detta|den här"
    r"|det här|questo|questa|il|dit|deze|de|het|o|tämä\w*|seuraava\w*)"
)
TEXT_TASK = cue(r"""
    summari[sz]e | summary | sum up | translate | translation | proofread | rewrite | rephrase | paraphrase | shorten | reword | spell-?check
    grammar | edit | polish | improve | correct | classify | extract | reply to | respond to
    übersetz\w* | fass\w* | zusammenfass\w* | korrigier\w* | traduis\w* | tradui\w* | résum\w* | corrig\w* | traduc\w* | resum\w+
    översätt\w* | sammanfatta | rätta | riassumi | correggi | vertaal | vat | samenvat\w* | verbeter | traduz\w* | käännä | tiivistä
    korjaa | suomenna
""")
TEXT_ORDER = cue(r"""
    translate | summari[sz]e | proofread | rewrite | rephrase | paraphrase | spell-?check | übersetz\w* | traduis\w* | traduce\w*
    översätt\w* | riassumi | traduci | vertaal | traduz\w* | käännä | tiivistä
""", before=r"^(?:please |can you |could you |bitte )?")  # fmt: skip
TEXT_SHOWN = cue(r"""
    fix | review | analy[sz]e | explain | answer this | what does | what do | how (?:do|would) (?:you|i) say | how to say | read | check
    look at | here's | here is | here are | hier ist | voici | aquí está | här är | ecco | hier is | aqui está | tässä on
    (?:I|we) (?:just )?(?:got|received|found) | came with | sent me | wrote me | says
""")
MATERIAL = cue(rf"""
    {_THIS} (?:\w+ )?{_TEXT_NOUN} | this | the following | the above | seuraava\w* | folgende\w* | (?:in|into|to|ins|auf|en|till|in het) [A-ZÅÄÖ]?\w+(?=:)
""")
EASY_COLON = re.compile(r":(?!\d)")

REPORTED = cue(r"""
    (?<!I )(?<!we )(?:says?|said|tells?|told|wrote|writes|asked|asks|claims?|claimed|thinks?|thought|believes?|texted|shouted|insists|reckons|was like)
    (?:sagt|sagte|meint|schrieb|fragt|dit que|a dit|dice(?: que| che)?|dijo|säger|sade|sa att|skrev|zegt|zei|schreef|diz(?: que)?|disse|sanoi|sanoo|kirjoitti)
    according to | apparently | allegedly
""")  # fmt: skip

# How sure, for how long

DOUBT = cue(r"""
    maybe | perhaps | might | possibly | probably | presumably | some ?day | one day | not sure | unsure | no idea | who knows
    think(?:ing)? | guess | suppose | consider(?:ing)? | wonder(?:ing)? | plan(?:s|ning)?(?: to| on) | hop(?:e|es|ing) | wants? | wanted | wish(?:es)?
    would | could | should | will | going to | gonna | about to | if | unless | as if | as though | almost | nearly | supposed to | tempted
    suspect | doubt | seems? | may (?:be|have|become|get|move|not) | not necessarily | sometimes | feel like | ought | need to | trying to | try to | so-called
    vielleicht | möglicherweise | wahrscheinlich | würde\w* | hätte\w* | wäre\w* | wenn | falls | glaube | möchte\w* | könnte\w* | überlege | vermutlich | will
    peut-être | voudrais | aimerais | pense | crois | serais | aurais | probablement | tal vez | quizás? | quisiera | gustaría | creo | probablemente
    kanske | skulle | tror | vill | funderar | forse | vorrei | penso | credo | sarei | avrei | misschien | zou | denk | wil | talvez | gostaria | queria | acho
    ehkä | jos | haluaisin | luulen | saatan | kenties | aion
""")  # fmt: skip
CONDITION = cue(r"""
    if | when | whenever | unless | until | till | while | during | once | before | after | back (?:in|when|then) | as a (?:child|kid|teenager|boy|girl|student)
    in (?:my|the past|the future) | this | next | for (?:now|the|a|this) | today | tonight | tomorrow | yesterday | last | ago | from (?:monday|tomorrow|next)
    si | s'il | se | om | als | wenn | falls | jos | quand | cuando | när | quando | wanneer | kun | toen | früher | avant | antes | förr | prima | vroeger
""", before="^")  # fmt: skip

PASSING = cue(r"""
    today | tonight | tomorrow | yesterday | this (?:week|weekend|month|morning|afternoon|evening|year|summer|winter|spring|autumn|term|semester|time|once|trip)
    right now | at the moment | for now | for the moment | until | till | temporarily | (?:next|last) (?:week|weekend|month|night|year|time|summer|winter|day\w*|\w+day)
    for (?:the|a|an|one|two|three|four|five|six|\d+|few|couple of|some|another)(?: \w+){0,2} (?:days?|nights?|weeks?|weekends?|months?|while|hours?|minutes?)
    for (?:the|this) (?:day|night|week|weekend|month|summer|winter|holidays?|moment|time being) | for a while | on (?:holiday|vacation|business|a trip|tour) | no longer | no more
    used to | ago | once(?! (?:a|per|every)) | formerly | back then | in the past | as a (?:child|kid|teenager|boy|girl|student) | when I was | passing through | visiting | staying
    these few days | currently in | meanwhile | in (?:a|an|one|two|five|ten|\d+) (?:minutes?|hours?|days?|weeks?|months?|years?|moment|second)
    on (?:mon|tues|wednes|thurs|fri|satur|sun)day(?! (?:morning|evening|night|afternoon)s) | since (?:this|last|yesterday)
    heute | morgen | gestern | gerade | momentan | derzeit | vorübergehend | nächste\w* | diese\w* (?:woche|monat|wochenende|sommer|jahr) | bis | früher | damals | nicht mehr
    aujourd'hui | demain | hier | cette semaine | ce mois | ce week-end | en ce moment | jusqu'\w* | pour l'instant | autrefois | avant | cet été
    hoy | mañana | ayer | esta semana | este mes | este fin de semana | hasta | por ahora | de momento | antes | este verano
    idag | i dag | imorgon | igår | den här veckan | denna vecka | just nu | tills | till (?:söndag|lördag|fredag|måndag\w*) | tillfälligt | förr | i helgen | i sommar
    oggi | domani | ieri | questa settimana | questo mese | fino a\w* | per ora | al momento | una volta | questo fine settimana | quest'estate
    vandaag | gisteren | deze week | deze maand | dit weekend | tot | tijdelijk | op dit moment | vroeger | momenteel
    hoje | amanhã | ontem | neste? mês | nesta semana | esta semana | até | por enquanto | no momento | fim de semana
    tänään | huomenna | eilen | tällä viikolla | tässä kuussa | viikonlopun | asti | saakka | toistaiseksi | ennen | juuri nyt | tällä hetkellä
""")  # fmt: skip
MOURNED = cue(r"died | passed away | put down | put to sleep | deceased | no longer with us | rest in peace | r\.?i\.?p | lost (?:him|her) | ran away")

# How clauses begin and join

_SUBJECT = (
    r"I|we|my|our|he|she|they|you|it|this|that|there|his|her|their|your|ich|wir|mein|meine|unser|unsere|je|j'\w+|nous|mon|ma|mes|notre"
    r"|jag|vi|min|mitt|vår|ik|wij|mijn|ons|onze|io|mio|mia|mi|yo|nuestro|nuestra|eu|meu|minha|nosso|nossa|minä|minun"
)
_ASKING = (
    r"what|what's|which|who|who's|whom|whose|where|where's|when|why|how|how's|is|are|am|was|were|do|does|did|can|could|would|will|shall"
    r"|should|may|has|have|had|any|got|isn't|aren't|don't|doesn't|can't|won't|welche\w*|wer|wo|wann|warum|wie|kannst|können|hast|gibt"
    r"|soll|que|qu'\w+|quel|quelle|quels|où|quand|comment|pourquoi|qui|est-ce|peux|pouvez|peut|qué|cuál|quién|dónde|cuándo|cómo|puedes"
    r"|puede|hay|sabes|vad|vilken|vilka|vilket|var|när|hur|kan|finns|ska|che|quale|quali|chi|dove|quando|come|puoi|cosa|wat|welke|wie"
    r"|waar|wanneer|hoe|kun|o que|qual|onde|como|pode|mikä|mitä|missä|milloin|miten|voitko|onko|mistä|kuka"
)
_JOINING = (
    r"and|but|so|because|since|as|though|although|however|while|whereas|yet|or|not|please|if|when|unless|given|considering|now|just|who|which|thanks"
    r"|right|correct|plus|und|aber|also|denn|weil|sondern|nicht|et|mais|donc|car|parce|pas|y|pero|así|porque|och|men"
    r"|så|för|inte|e|ma|quindi|perché|non|en|maar|dus|want|niet|mas|então|não|ja|mutta|joten|koska|eikä"
)
TELLING_VERB = (
    r"work|am|live|have|speak|play|love|like|hate|own|drive|prefer|keep|study|teach|enjoy|cannot|do not|don't|can't|ride|cycle|run"
)
ELISIONS = tuple(
    (
        re.compile(rf"{subject}\b", re.IGNORECASE),
        re.compile(rf"(?<=\w),? {joint} (?=(?:{verbs})\b)", re.IGNORECASE),
        f" {joint} {subject} ",
    )
    for subject, joint, verbs in (
        ("I", "and", TELLING_VERB),
        ("we", "and", "live|have|love|like|hate|own|drive|keep|speak|work"),
        ("ich", "und", "wohne|lebe|arbeite|bin|habe|mag|liebe|hasse|trinke|esse|spreche|heiße"),
        ("jag", "och", "bor|jobbar|arbetar|är|har|gillar|älskar|hatar|heter|dricker"),
        ("ik", "en", "woon|werk|ben|heb|hou|haat|drink|eet|heet"),
        ("je", "et", "vis|suis|travaille|habite|déteste|bois|mange"),
    )
)
_FOREIGN_VERB = (
    r"arbeite|wohne|lebe|bin|habe|mag|liebe|hasse|trinke|esse|spreche|heiße|travaille|habite|suis|ai|aime|déteste|adore|n'aime|vis"
    r"|jobbar|arbetar|bor|är|har|gillar|älskar|hatar|heter|werk|woon|ben|heb|hou|haat|heet|vivo|soy|tengo|trabajo|odio|me|no|moro|sou"
    r"|tenho|trabalho|gosto|não|adoro|odeio|abito|sono|ho|lavoro|non|mi|asun|olen|pidän|rakastan|inhoan|en"
)
BOUNDARY = re.compile(
    rf"[;()]| [-–—] |—|…|, (?=(?:(?:{_JOINING}) )?(?:{_SUBJECT}|{_ASKING})\b)|, (?=(?:{_JOINING}|{TELLING_VERB})\b(?! (?:sugar|milk|cream)))"
    r"| (?=(?:and|but|so|because|although|though|since|while|whereas|if|unless) (?:now )?(?:I|we|my|our|he|she|they|you|it|his|her|please|that)\b)"
    rf"| (?=(?:und|aber|weil|et|mais|y|pero|och|men|e|ma|en|maar|mas|ja|mutta|joten|donc|dus|så) (?:{_SUBJECT}|{_FOREIGN_VERB})\b)",
    re.IGNORECASE,
)
QUESTION_OPENING = re.compile(rf"(?:(?:so|and|but|then|now|also|und|et|y|och|e|en|ja) )?(?:{_ASKING})\b", re.IGNORECASE)
QUESTION_TAG = cue(
    r"right | correct | yes | no | or not | isn't it | is it | don't i | do i | am i | aren't i | remember | oder | nicht wahr | n'est-ce pas | verdad | eller hur | vero | toch | né",
    before="^", after=r"\W*$",
)  # fmt: skip
GRANTED = cue(r"since | because | given | considering | seeing | as (?:I|my|we) | weil | da ich | puisque | parce que | car | porque | ya que | eftersom | perché | omdat | koska", before="^(?:and |but )?")  # fmt: skip
REQUEST = cue(
    r"(?:can|could|would|will) you | please | kindly | I would like you to | I want you to | I need you to",
    before="^", after=r"(?: also| just)?(?: please)? ",
)  # fmt: skip
GREETING = re.compile(
    r"(?:hey|hi|hello|hiya|good (?:morning|evening|afternoon|day)|greetings)(?: (?:there|again|caesar|everyone|all))?(?:[,.!]+ ?|$| (?=I am\b|my name))",
    re.IGNORECASE,
)
ANNOUNCING = cue(r"""
    by the way | btw | fyi | (?:a )?(?:quick |small )?(?:note|reminder|correction|update|context|background) | (?:a (?:bit|little) )?about (?:me|myself)
    for context | (?:good |big )?news | fun fact | one (?:more )?thing | also | sorry | (?:that is |that's )?(?:wrong|not right) | you got (?:it|that) wrong | ps | p\.s
    (?:I|we) have (?:switched|changed) jobs | change of plans? | (?:I|we) have (?:some |big |good )?news | my mistake | (?:I )?mistyped | typo | for the record
""", before="^", after=r"\.?$")  # fmt: skip
LISTING = re.compile(r"(?:I|we) (?:have|speak|like|love|hate|own|play|am|cannot)\b", re.IGNORECASE)

_OWN = r"(?= (?:that )?(?:I|my|we|our)\b)"
LEAD_IN = cue(
    rf"""
    by the way | btw | fyi | also | and | but | so | plus | well | oh | ah | hm+ | ok | okay | yes | yeah | yep | no(?=[,.!]) | nope | nah | ha(?:ha)* | lol | wow | actually | anyway
    just | first | firstly | second | secondly | finally | lastly | then | (?:please )?(?:remember|note|know|keep in mind|bear in mind|do not forget|be aware|mind){_OWN}
    as you (?:may |might |already |should |probably )?(?:know|remember|recall) | you (?:already |may |should |probably |must )?(?:know|remember){_OWN}
    as (?:I|we) (?:said|mentioned|told you)(?: (?:before|earlier|already))? | like I (?:said|mentioned) | I (?:already |have )?(?:told you|mentioned|meant|said|forgot){_OWN}
    I mean | I (?:should|must|have to|need to|forgot to|wanted to|want to|would like to)(?: also| probably| just)? (?:mention|say|tell you|add|point out|note) | you should know
    (?:just )?so you know | for the record | for (?:your|some)? ?(?:information|context|reference|background) | (?:a (?:bit|little) )?about (?:me|myself) | since | because | given
    considering | seeing | as(?= I\b| my\b| we\b) | though | in fact | to be (?:clear|precise|exact|honest|fair) | honestly | frankly | sadly | unfortunately | luckily | happily | fortunately
    (?:the )?thing is | (?:it )?turns out | fun fact | good news | big news | correction | update | reminder | personally | in general | generally | as a rule | sorry | my mistake
    (?:that is|that's) wrong | thanks | thank you | now | nowadays | these days | currently | at home | wait | listen | great | good | nice | perfect | cool | lovely | before I forget | not quite
    guess what | let me (?:add|tell you|say|mention) | whereas | the truth is | to start | you see
    übrigens | also | aber | und | nein(?=[,.!]) | ja | ach | da(?= ich) | weil | denn | wie du weißt | et | mais | donc | non(?=[,.!]) | oui | comme tu (?:le )?sais | au fait | car | parce que | puisque
    por cierto | y | pero | sí | como (?:ya )?sabes | förresten | och | men | nej(?=[,.!]) | som du vet | a proposito | ma(?= (?:io|non|sono|ho|vivo|abito|adesso|ora|mi)\b) | sì | come sai | comunque | e | trouwens | en | maar | nee(?=[,.!]) | dus
    zoals je weet | aliás | mas | não(?=[,.!]) | como sabes?,? | muuten | mutta | ei(?=[,.!]) | kuten tiedät | hallo | bonjour | hola | hej | ciao | olá | oi | moi | hei | salut | guten tag | buenos días | terve | joten | så
    """,
    before="^", after=r"(?: that)?(?:[,.!] ?| |$)",
)  # fmt: skip
THAT_OWN = re.compile(r"that (?=(?:I|my|we|our)\b)", re.IGNORECASE)

_FILLER = (
    r"(?:also|really|actually|just|still|now|currently|only|absolutely|totally|truly|mostly|mainly|generally|personally|always|usually"
    r"|normally|definitely|simply|finally|recently|very|so|both|honestly|sadly|already|strictly|severely|badly|highly|deathly|quite)"
)
_WRITTEN_OUT = (
    (r"\bI'm\b|^im\b(?= [a-z])|(?<=, )im\b(?= [a-z])", "I am"),
    (r"\bI've\b|^ive\b(?= [a-z])", "I have"),
    (r"\bI'll\b", "I will"),
    (r"\bI'd\b", "I would"),
    (r"\bwe're\b", "we are"),
    (r"\bwe've\b", "we have"),
    (r"\b(he|she|it|we|they)'ll\b", r"\1 will"),
    (r"\b(he|she|it|that)'s\b", r"\1 is"),
    (r"\bthey're\b", "they are"),
    (r"\bcan't\b|\bcant\b|\bcan not\b", "cannot"),
    (r"\bdon't\b|\bdont\b", "do not"),
    (r"\bdoesn't\b", "does not"),
    (r"\bhaven't\b", "have not"),
    (r"\bname's\b", "name is"),
    (r"\b(\w+)'s (?=(?:called|named)\b)", r"\1 is "),
    (r"\b(my|our) (\w+)s (?=name is\b)", r"\1 \2's "),
    (r"(?:^|(?<=\band )|(?<=\bbut )|(?<=\bso )|(?<=, )|(?<=because )|(?<=since )|(?<=way )|(?<=know )|(?<=that ))i(?= [a-z])", "I"),
    (rf"\b((?:I|we)(?: am| are| have| do(?: not)?| cannot)?) (?:{_FILLER} )+", r"\1 "),
    (r"^((?:on|every|each|most|at|in the) [\w ]{3,25}), (?=(?:I|we)\b)", r"\1 "),
    (r"\bI do (like|love|hate|prefer|enjoy|live|work|speak|play)\b", r"I \1"),
)
WRITTEN_OUT = tuple((re.compile(pattern, re.IGNORECASE), written) for pattern, written in _WRITTEN_OUT)
