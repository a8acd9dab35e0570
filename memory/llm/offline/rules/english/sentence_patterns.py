"""Patterns for sentences that are no plain statement: role-play, doubt, quoted text, secrets, and words of time.

Each is a list of alternatives, matched as whole words in upper or lower case. English comes first, then German, French,
Spanish, Swedish, Italian, Dutch, Portuguese and Finnish, with a few safe words of each.
"""

import re


def any_of(alternatives: str, *, before: str = r"\b", after: str = r"\b") -> re.Pattern[str]:
    """A pattern for any of `alternatives`, which are separated by ` | ` or line breaks."""
    words = [word for word in re.split(r"\s*\n\s*| \| ", alternatives.strip()) if word]
    return re.compile(f"{before}(?:{'|'.join(words)}){after}", re.IGNORECASE)


# Not the operator's own words, or not meant seriously

PASTED_MAIL = re.compile(
    r"^(?:from|subject|to|sent|cc|von|betreff|gesendet|an|de|objet|asunto|från|ämne|oggetto|onderwerp|assunto"
    r"|aihe): |^(?:kind |best |warm |many )?regards\b|^sincerely\b|^yours (?:truly|faithfully|sincerely)\b|^mit "
    r"freundlichen|^(?:с уважением|pozdrawiam|z poważaniem|cordialement|bien à vous|un saludo|atentamente"
    r"|cordiali saluti"
    r"|distinti saluti|atenciosamente|met vriendelijke groet|saygılarımla|med vänlig hälsning|ven(?:n)?lig hilsen"
    r"|敬具|此致)"
    r"(?!\w)|^(?:dear|liebe[r]?|cher|chère|estimad[oa]) .{1,60},\s*$",
    re.IGNORECASE | re.MULTILINE,
)

LABELLED_LINE = re.compile(r"^[^\W\d_][\w -]{0,25}: \S", re.MULTILINE)

_IGNORE = (
    r"(?:ignore|disregard|override|bypass|forget|ignoriere|vergiss|ignorez|oublie|ignora|olvida|ignorera|glöm"
    r"|dimentica|negeer|vergeet|esqueça|unohda)"
)
_ORDERS = (
    r"(?:rules?|instructions?|prompts?|guidelines?|orders?|safety|regeln|anweisungen|règles|consignes|reglas"
    r"|instrucciones|regler|instruktioner|regole|istruzioni|regels|instructies|regras|instruções|säännöt|ohjeet)"
)
TAKEOVER = any_of(rf"""
    {_IGNORE} (?:\w+ ){{0,4}}{_ORDERS}
    system prompt | system override | developer mode | jailbreak | new instructions | you must obey
""")

_STORE = r"(?:store|save|record|log|insert|persist|memori[sz]e|add|write|put|commit)"
STORING = any_of(rf"""
    {_STORE} (?:\w+ ){{0,4}}(?:in|to|into) (?:your |the |my )?(?:\w+[ -])?(?:memory|profile|database|notes|facts)
    (?:store|save|record|log|insert|persist|memori[sz]e) (?:this|that|the following|as a fact)
    (?:write|add) (?:the|this|that|a|as a) fact
    the user | the operator | the (?:\w+ )?admin(?:istrator)? | superuser | root access
    speichere | guarda(?: en)? (?:tu )?memoria | enregistre | spara (?:att|i) | salva (?:che|in) | sla op | tallenna
    salve
""")

_PRAISE = (
    r"(?:real |true |total |absolute )?(?:star|gem|genius|legend|lifesaver|great|big|good|treasure|hero|saint|bit"
    r"|machine|bot|robot|model|computer|best|one|first|only|ai|assistant|helpful|language|smart|clever|wonderful|amazing"
    r"|lovely|nice|kind|schatz|engel|ange|amor|ängel|angelo|anjo)"
)
_CAST_AS = (
    r"(?:you(?:'re| are) (?:an?|the)|du bist (?:jetzt )?eine?|tu es (?:maintenant )?une?|eres una?|du är en|sei un"
    rf"|je bent een|você é uma?|olet nyt) (?!{_PRAISE}\b)"
)
RIDDLE = re.compile(
    r"(?:\b(?:wh(?:at|o) am i|w(?:as|er) bin ich|que suis-je|qui suis-je|quién soy|qué soy|c(?:hi|osa) sono"
    r"|quem sou(?: eu)?"
    r"|o que sou(?: eu)?|w(?:ie|at) ben ik|kim jestem|ben kimim|v(?:em|ad) är jag|hv(?:em|a) er jeg)|кто я|что я такое"
    r"|私は(?:誰|だれ|何)|我是谁|我是什么)\W*$",
    re.IGNORECASE,
)

PLAY = any_of(rf"""
    role[- ]?play\w* | pretend (?:to|you|that|i|we|i'm|i am|you're|my|our) | let's pretend | let us pretend
    in character | act as | acting as | act like | as if you were | stay in role | text adventure | dungeon master
    let's play | you play
    (?:speak|talk|answer|respond|reply|behave) (?:like|as) (?:a|an|the|if|though) | be my (?!guest)
    (?:pirate|elf|yoda) speak | (?<![\w,] ){_CAST_AS}
    you are now | you're now | you(?:'re| are) an? (?:[\w-]+ ){{1,5}}and (?:i'm|i am) | i'll play | i will play
    i play the part
    i'm playing (?:a|an|the) | i am playing (?:a|an|the) | my character | our game | our campaign
    rollenspiel | tu wir so | tun wir so | spiel die rolle | jeu de rôle | faisons semblant | fais semblant
    juego de rol
    finjamos | finge | rollspel | låt oss låtsas | låtsas | gioco di ruolo | facciamo finta | fai finta | rollenspel
    doe alsof
    roolipeli\w* | leikitään | esitä
""")

PLAY_ELSEWHERE = re.compile(
    r"\b(?:hagamos un juego|juguemos|vamos a jugar|jugamos a|faisons un jeu|jouons|on joue|on va jouer"
    r"|facciamo un gioco|giochiamo|vamos (?:jogar|brincar)|faz de conta"
    r"|lass(?:t)? uns .{0,30}spielen|wir spielen|laten we .{0,30}spelen"
    r"|we spelen|zagrajmy|pobawmy się)\b"
    r"|\b(?:y tú eres|et (?:toi )?tu es|und du bist|e tu sei|e (?:tu és|você é)|en jij bent|a ty jesteś|а ты) "
    r"(?:mi|mon|ma|mein|meine|il mio|la mia|o meu|a minha|meu|minha|mijn|mój|moja|мой|моя)\b"
    r"|\b(?:du bist|tu es|eres|tu sei|(?:je|jij) bent|você é|tu és|ty jesteś|ты|sen) [^.!?]{2,40}"
    r" (?:und|et|y|e|en|a|i|и|а|ben de) (?:ich|moi|je|yo|io|eu|ik|ja|я|ben)\b"
    r"|\b(?:improv|act out|acting out|actuemos|hagamos teatro|improvisons|recitiamo|vamos encenar|odegrajmy|scenk[aęi]"
    r"|разыгра\w+|сценк\w|canlandıralım|oyun oynayalım)\b"
    r"|演戏|演一|过家家|お芝居|演じ|我[^。！？]{2,30}，你(?:是|当|演)|(?:私|僕|俺)[^。]{2,20}、(?:あなた|君)は"
    r"|玩个游戏|ごっこ|odgrywaj|wciel się|udawaj|rol yap|ролев|притвори|сыграем|ロールプレイ|なりきって|ふりをして"
    r"|角色扮演|扮演|假装",
    re.IGNORECASE,
)
TASK_ELSEWHERE = re.compile(
    r"\b(?:das|dies|es|den text|dit|deze|det|detta|to|ten tekst) .{0,20}(?:kürz\w+|umschreib\w*|umformulier\w*"
    r"|verbesser\w*"
    r"|korter|inkort\w*|verbeter\w*|herschrij\w*|förkorta|förbättra|skróc\w*)"
    r"|\b(?:raccourci\w*|reformul\w*|acort\w*|accorci\w*|corr[ei]g\w*|corrij\w*|encurt\w*|reescr\w+|riscriv\w*|mejora\w*"
    r"|migliora\w*|melhora\w*|améliore\w*|skróc\w*|förkorta)\b.{0,10} (?:ça|cela|ceci|ce|cette|est[oae]|es[oea]"
    r"|quest[oa]"
    r"|ist?so|isto|to|det)\b"
    r"|\b(?:texte?o?|testo|tekst) (?:für|pour|para|per|voor|do|na|till?) "
    r"|сократи\w*|перепиши|отредактир\w*|kısalt\w*|düzelt\w*"
    r"|przetłumacz|переведи|\bçevir|翻訳|訳して|翻译|译成|oversæt|oversett|popraw (?:ten|tekst|mój)|исправь"
    r"|添削|校对|润色|改写|要約|总结|podsumuj|streść|özetle"
    r"|(?:napisz|wymyśl) .{0,40}(?:opowiadanie|wiersz|histori|bajk|piosenk|list)"
    r"|(?:напиши|сочини|придумай) .{0,40}(?:рассказ|стих|истори|сказк|песн|письмо)"
    r"|(?:hik[aâ]ye|şiir|masal|şarkı|mektup)\w* yaz|skriv .{0,40}(?:historie|digt|dikt|eventyr|sang|fortælling)",
    re.IGNORECASE,
)
"""A role-play, or a story to write or a text to work on, in the languages that the other patterns leave out."""

_WRITE = (
    r"(?:write|wrote|written|tell|compose|draft|continue|make up|invent|create|give|generate|finish|need|want|start"
    r"|begin|erfind\w*|invent\w*|imagin\w*"
    r"|schreib\w*|erzähl\w*|écri\w+|racont\w*|escrib\w+|cuenta\w*|skriv|berätta|scriv\w+|racconta\w*|schrijf|vertel"
    r"|escrev\w+|conta\w*|kirjoita|kerro)"
)
_FICTION_NOUN = (
    r"(?:fan ?fic(?:tion)?|favola|fiaba|bajk[aię]|story|stories|tale|novel|poem|haiku|limerick|song|lyrics"
    r"|screenplay|script|scene|monologue|dialogue|fable"
    r"|sketch|diary|rap|sonnet|ballad|parody|chapter|blurb|fiction|persona|verse|ode|geschichte|gedicht|märchen"
    r"|lied|tagebuch\w*|histoire|poème|conte|chanson|cuento|historia|poema|relato|canción|diario|berättelse|dikt"
    r"|saga|novell|sång|storia|racconto|poesia|canzone|verhaal|liedje|dagboek\w*|história|conto|diário|tarina\w*"
    r"|runo\w*|satu\w*|novelli\w*|päiväkirja\w*)"
)
FICTION = any_of(rf"""
    (?<!I )(?<!we ){_WRITE}\b.{{0,60}}\b{_FICTION_NOUN}s?
    in the (?:voice|style|role|person) of | from the (?:perspective|point of view|viewpoint) of | told by
    narrated by
    in (?:the|my|this|our|a) (?:story|novel|book|game|film|movie|play|scene|dream|campaign|sim|fantasy|series|song|poem)
    (?:my|the|a|main|this|our) (?:character|protagonist|hero|heroine|narrator|avatar|villain)(?:'s)?
    i dream(?:t|ed) | my (?:novel|story|screenplay|poem|book|tale)
    (?:the|this|a) (?:novel|lyrics|poem|song|quote) (?:is|goe?s?|says?|starts?)
    (?:a|the|my) joke | (?:tell|make|telling|making) (?:\w+ ){{0,3}}jokes | joking | kidding | punchline | witz
    blague | chiste | skämt | barzelletta | grapje | piada | vitsi
    im stil von | aus (?:der )?sicht | in der geschichte | dans l'histoire | du point de vue | en la historia
    i berättelsen
    nella storia | in het verhaal | na história | tarinassa
""")

_OWN_OR_A = (
    r"(?:mein\w*|unser\w*|ein(?:e[nmr]?)?|mon|ma|notre|mi|nuestr[oa]|mio|mia|nostr[oa]|meu|minha|mijn|onze?|moje(?:go|j|mu)|moi[mc]h?"
    r"|мо(?:его|ей|ём|ем)|min|mitt?|il|la|lo|le|una?|une|uma?|een|ett?|den|dem|de|os?|a)"
)
FICTION_ELSEWHERE = re.compile(
    rf"\b(?:für|in|im|aus|pour|dans|para|en|per|nell?[ao]?|em|n[oa]|voor|do|dla|w|для|в|för|til|till?"
    rf"|i) (?:{_OWN_OR_A} ){{1,2}}"
    r"(?:fan ?fic(?:tion)?|roman\w*|novel(?:a|le|l)|figur|rollfigur|(?:spiel)?charakter|drehbuch|theaterstück"
    r"|geschichte|erzählung|traum"
    r"|buch|personnage|histoire|scénario|pièce|conte|rêve|livre|personaje|cuento|historia|guion|guión|relato|sueño"
    r"|libro|personaggio|racconto|storia|copione|sogno|personagem|conto|história|roteiro|sonho|livro|personage|verhaal"
    r"|toneelstuk|droom|boek|powieści|postaci|opowiadani\w+|scenariusz\w*|śnie|książ\w+|bajc?k?[ei]|романа?е?"
    r"|персонажа?|геро\w+|рассказ\w*|сценари\w+|книг\w+|сне|сказк\w+|karakter|karaktär|berättelse|dröm|drøm|bok|bog)\b"
    r"|\b(?:im traum|во сне|dla postaci|do powieści|для (?:романа|персонажа|героя|рассказа|сценария)"
    r"|(?:romanım|karakterim|hik[aâ]yem|senaryom|kitabım)\w*|rüyamda)\b"
    r"|\b(?:in|im|dans|en|w|в|no|nel|på|i) (?:minecraft|skyrim|zelda|wow|world of warcraft|fortnite|(?:the|die|los"
    r"|les)? ?sims"
    r"|stardew valley|animal crossing|roblox|d&d|dnd|pok[eé]mon|elden ring|baldur's gate|the witcher|wiedźmin\w*"
    r"|майнкрафте"
    r"|gta|fallout|cyberpunk|final fantasy|genshin impact)\b"
    r"|(?:小说|剧本|故事|角色|小説|脚本|物語|キャラ(?:クター)?)(?:里|中|のため|用|では|の中|[：:，,])|梦里|夢の中",
    re.IGNORECASE,
)
"""What is said for a novel or its people, or in a dream, in the languages that `FICTION` leaves out."""

THOUGHT_EXPERIMENT = any_of(r"""
    imagin(?:e|ing|ed) | suppose(?! to) | supposing | assum(?:e|ing) | hypothetical\w* | what if
    let's (?:say|assume|imagine)
    let us (?:say|assume|imagine) | say (?:i|my|we|i'm|i am|i had|that i|that my) | in theory | theoretically
    picture this
    for the sake of argument | (?:as an|for) example | for instance | e\.g | were i | had i | in an ideal world
""")

_LOCKED = r"(?:door|gate|alarm|lock|entry|safe|access|security|verification|unlock|garage|key ?safe|bike lock|building)"
SECRET = any_of(rf"""
    passwords? | passcodes? | passphrases? | pass codes? | pins? | pin ?codes? | pin numbers? | tokens?
    api[ -]?keys? | \w+ keys? is
    private keys? | access keys? | credentials? | card number | (?:credit|debit|bank|visa) card | cvv | cvc | iban
    (?:account|routing|phone|insurance|id|passport|licen[cs]e|member|customer) number | sort code | social security
    ssn | tax (?:id|number)
    {_LOCKED} ?(?:codes?|combination)
    codes? (?:to|for|of|is) | combination (?:to|for|of|is) | code's | log-?ins? | secrets? | 2fa | otp | seed phrase
    recovery (?:code|phrase)s?
    passw[oö]rt\w* | kennwort | geheimzahl | kontonummer | türcode | zugangscode | mot de passe | code secret
    digicode | code (?:de|du) \w+
    contraseña | clave | código | lösenord\w* | portkod\w* | koden | wachtwoord | pincode | code van | senha
    password | codice | parola d'ordine
    salasana\w* | ovikoodi\w* | tunnusluku\w* | koodi\w* | kortnummer | kortin numero
""")

_TEXT_NOUN = (
    r"(?:e-?mails?|mails?|text|letter|message|note|paragraph|article|post|sentences?|passage|tweet|transcript"
    r"|conversation|chat|review|essay|bio|quote|document|page|log|above|below|excerpt|intro\w*|nachricht|satz|sätze"
    r"|artikel|brief|texte|lettre|phrase|courriel|texto|carta|frase|correo|mensaje|brev|mejl|meddelande|mening"
    r"|testo|lettera|messaggio|tekst|bericht|zin|viesti\w*|teksti\w*|lause\w*|kirje\w*)"
)
_THIS = (
    r"(?:this|the following|following|above|below|these|the|my|a|an|diese[nrs]?|den|die|das|ce|cet|cette|le|la|este"
    r"|esta|el|detta|den här|det här|questo|questa|il|dit|deze|de|het|o|tämä\w*|seuraava\w*)"
)
TEXT_TASK = any_of(r"""
    summari[sz]e | summary | sum up | translate | translation | proofread | rewrite | rephrase | paraphrase
    shorten | reword | spell-?check
    grammar | edit | polish | improve | correct | classify | extract | reply to | respond to
    übersetz\w* | fass\w* | zusammenfass\w* | korrigier\w* | traduis\w* | tradui\w* | résum\w* | corrig\w*
    traduc\w* | resum\w+
    översätt\w* | sammanfatta | rätta | riassumi | correggi | vertaal | vat | samenvat\w* | verbeter | traduz\w*
    käännä | tiivistä
    korjaa | suomenna
""")
TEXT_ORDER = any_of(
    r"""
    translate | summari[sz]e | proofread | rewrite | rephrase | paraphrase | spell-?check | übersetz\w* | traduis\w*
    traduce\w*
    översätt\w* | riassumi | traduci | vertaal | traduz\w* | käännä | tiivistä
""",
    before=r"^(?:please |can you |could you |bitte )?",
)
TEXT_SHOWN = any_of(r"""
    fix | review | analy[sz]e | explain | answer this | what does | what do | how (?:do|would) (?:you|i) say
    how to say | read | check
    look at | here's | here is | here are | hier ist | voici | aquí está | här är | ecco | hier is | aqui está
    tässä on
    (?:I|we) (?:just )?(?:got|received|found) | came with | sent me | wrote me | says
""")
_DRAFT = (
    r"(?:e-?mails?|mails?|letter|message|reply|review|ad|advert|caption|bio|speech|toast|nachricht|brief|text|anzeige|rede"
    r"|bewertung|lettre|message|annonce|avis|discours|texte|carta|mensaje|correo|reseña|anuncio|discurso|texto|lettera"
    r"|messaggio|recensione|annuncio|discorso|testo|mensagem|anúncio|avaliação|bericht|advertentie|recensie|toespraak"
    r"|tekst|wiadomość|list|ogłoszenie|recenzję|письмо|сообщение|объявление|отзыв|речь|текст|mektup|mesaj|ilan|yorum"
    r"|brev|meddelande|annons|besked)"
)
WORDING_GIVEN = re.compile(
    rf"\b{_DRAFT}\b[^:：.!?]{{0,40}}[:：] |"
    r"\b(?:write|text|post|say|reply|answer|schreib\w*|sag|sagt|antworte\w*|écri[st]\w*|réponds|dis|escrib\w+|di|responde"
    r"|scriv[iae]\w*|rispondi|escrev[ae]\w*|diz|schrijf|zeg|antwoord|napisz\w*|powiedz|odpisz|напиши\w*|скажи\w*|ответь"
    r"|yaz|skriv|svara|svar|kirjoita)\b(?![,.])[^:：.!?]{0,60}[:：]|(?:書いて|写)[^:：。]{0,20}[:：]",
    re.IGNORECASE,
)
"""An order to write, and what: "write to them: I am ..."."""
TO_BE_ANSWERED = re.compile(
    r"\b(?:(?:what|how) (?:do|should|can|would) (?:I|we) (?:answer|reply|respond)|wie (?:antworte|reagiere) ich"
    r"|was antworte ich"
    r"|je (?:lui |leur )?réponds quoi|que (?:lui |leur )?répondre|qué (?:le |les )?(?:contesto|respondo)"
    r"|cosa (?:gli |le )?rispondo"
    r"|o que (?:lhe )?respondo|wat antwoord ik|co (?:mu |jej |im )?odpowiedzieć|что (?:ему |ей |им )?ответить"
    r"|ne cevap ver\w+|vad svarar jag|hva(?:d)? svarer jeg)\b|何と返|怎么回复",
    re.IGNORECASE,
)
"""A question how to answer what stands around it: somebody else's words."""
MATERIAL = any_of(rf"""
    {_THIS} (?:\w+ )?{_TEXT_NOUN} | this | the following | the above | seuraava\w* | folgende\w*
    (?:in|into|to|ins|auf|en|till|in het) [A-ZÅÄÖ]?\w+(?=:)
""")
EASY_COLON = re.compile(r":(?!\d)")

_SAYS = (
    r"(?:says?|said|tells?|told|wrote|writes|asked|asks|claims?|claimed|thinks?|thought|believes?|texted|shouted"
    r"|insists|reckons|was like|is like|was all|goes(?= (?:I|we)\b))"
)
REPORTED = any_of(rf"""
    (?<!I )(?<!we ){_SAYS}
    according to | apparently | allegedly
""")

# Doubt, and words of time

DOUBT = any_of(r"""
    maybe | perhaps | might | possibly | probably | presumably | some ?day | one day | not sure | unsure | no idea
    who knows
    think(?:ing)? | guess | suppose | consider(?:ing)? | wonder(?:ing)? | plan(?:s|ning)?(?: to| on)
    hop(?:e|es|ing) | wants? | wanted | wish(?:es)?
    would | could | should | will | going to | gonna | about to | if | unless | as if | as though | almost | nearly
    supposed to | tempted
    suspect | doubt | seems? | may (?:be|have|become|get|move|not) | not necessarily | sometimes | feel like | ought
    need to | trying to | try to | so-called
""")
CONDITION = any_of(
    r"""
    if | when | whenever | unless | until | till | while | during | once | before | after | back (?:in|when|then)
    as a (?:child|kid|teenager|boy|girl|student)
    in (?:my|the past|the future) | this | next | for (?:now|the|a|this) | today | tonight | tomorrow | yesterday
    last | ago | from (?:monday|tomorrow|next)
""",
    before="^",
)

_A_FEW = r"(?:the|a|an|one|two|three|four|five|six|\d+|few|couple of|some|another)"
_SPANS = r"(?:days?|nights?|weeks?|weekends?|months?|while|hours?|minutes?)"
PASSING = any_of(rf"""
    today | tonight | tomorrow | yesterday
    this (?:week|weekend|month|morning|afternoon|evening|year|summer|winter|spring|autumn|term|semester|time|once|trip)
    right now | at the moment | for now | for the moment | until | till | temporarily
    (?:next|last) (?:week|weekend|month|night|year|time|summer|winter|day\w*|\w+day)
    for {_A_FEW}(?: \w+){{0,2}} {_SPANS}
    for (?:the|this) (?:day|night|week|weekend|month|summer|winter|holidays?|moment|time being) | for a while
    on (?:holiday|vacation|business|a trip|tour) | no longer | no more
    used to | ago | once(?! (?:a|per|every)) | formerly | back then | in the past
    as a (?:child|kid|teenager|boy|girl|student) | when I was | passing through | visiting | staying
    these few days | currently in | meanwhile
    in (?:a|an|one|two|five|ten|\d+) (?:minutes?|hours?|days?|weeks?|months?|years?|moment|second(?! floor))
    on (?:mon|tues|wednes|thurs|fri|satur|sun)day(?! (?:morning|evening|night|afternoon)s)
    since (?:this|last|yesterday)
""")
MOURNED = any_of(
    r"died | passed away | put down | put to sleep | deceased | no longer with us | rest in peace | r\.?i\.?p | "
    r"lost (?:him|her) | ran away | (?:gave|give|given|giving) (?:our|my|the|him|her) .{0,30}?away | rehom\w+"
)
