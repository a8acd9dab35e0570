"""Italian as a table."""

from memory.llm.offline.rules.languages.table import language

ITALIAN = language(r"""
hints: mi io mio mia miei mie nostro nostra nostri nostre sono ho abbiamo abito vivo viviamo abitiamo risiedo sto
  vengo
  provengo lavoro faccio studio soffro prendo mangio bevo leggo ascolto adoro amo preferisco odio detesto non suono
  gioco pratico parlo imparo vado nuoto corro guido seguo compio chiamami chiamatemi puoi ci
  rispondimi scrivimi dammi canto favore
and: e | ed
nor: né
but: ma|però
verb: (?:io )?(?:V)
my: (?:il |la )?(?:mio|mia|nostro|nostra)
allergic: (?:ne )?sono (?:\w+ )?allergic[oa](?! (?:a|al|alla|alle|ai|agli|allo|all'\w+)\b)
allergic_to: sono allergico a _
without: senza
there: (?:abito|vivo|abitiamo|viviamo) (?:qui|lì|là) | ci (?:abito|vivo|abitiamo|viviamo)
live_in: abito a _
places: a | da | di | in | vicino a
no: niente _
lead: siccome | visto che | dato che | nel tempo libero | a proposito | io,? | e | ma | sì | no, | ciao | salve |
  buongiorno | buonasera | allora | ah | beh | come sai |
  perché | comunque | ricorda che | sappi che | tieni presente che | per tua informazione | inoltre | grazie | ok |
  scusa | purtroppo | in realtà | a me
  | (?:una )?domanda(?: veloce)? | premessa | piccola premessa | senti | dimmi | oh | hey | di solito | normalmente
  | per il resto | buondì
filler: qui(?= a) | anche | ormai | ora | adesso | attualmente | da (?:\w+ ){1,2}(?:anni|anno|mesi|tempo|settimane) | da
  (?:sempre|poco|bambin[oa]|piccol[oa]) | dal \d{4} | originariamente | davvero | molto | tanto | tantissimo |
  moltissimo | ancora | già | sempre | proprio | in realtà | soprattutto | gravemente | particolarmente | un po' |
  fluentemente | personalmente | per niente | affatto | assolutamente | veramente
  | appena | mica | pure | dai | da una vita
stop: a | ad | al | in | con | senza | per | contro | da | dal | che | perché | ma | e | ed | o | io | sono | ho |
  abito | vivo | lavoro | è | non | mai | ogni | tutti | tutte | mio | mia | come | quindi | il lunedì | di solito |
  quando | si | presso
  | allora | dunque
not: non | mai | nessun\w* | neanche | nemmeno
jobs: ame egname iere iera tore trice aio aia ista ologo ologa ografo grafa insegnante medico medica avvocato avvocata
  architetto
  architetta ingegnere commessa commesso cuoco cuoca idraulico impiegato impiegata studente studentessa veterinario
  veterinaria maestro maestra pilota chef muratore cantante commercialista segretaria segretario poliziotto poliziotta
  carabiniere agente meccanico musicista professore professoressa libraio contadino contadina operatrice ostetrica
  fisioterapista bibliotecaria geometra
ask: tu | voi | che | quale | quali | chi | dove | quando | come | perché | puoi | può | cosa | mi puoi | sai | c'è |
  quant\w+ | dovrei | potresti | posso | devo | qualche | idee | mi consigli | consigli | conosci | con cosa | è(?!
  vero| giusto| così)
  | esist\w+ | vale la pena | serve | funziona | costa
never: (?:lui|lei|mi) fa(?: che)?: | mi fa | se | magari | abitassi | fossi | avessi | forse | probabilmente | penso |
  credo | suppongo | pare | sembra |
  presunto | dice | dicono | disse | detto | racconta | chiede | scrisse | secondo (?!piano|anno|me) | prima |
  da bambino | quando ero |
  per ora | al momento | temporaneamente | come se | non vivo più | non lavoro più | che bello | sia | quasi(?! tutt|
  sempre| mai| nient) |
  per poco | scherz\w+ | la gente | tutti (?:pensano|credono|dicono) |
  per (?:qualche|alcun[ei]|un po' di|\w+) (?:giorn[oi]|settiman[ae]|mes[ei]) | finché | ma certo | certo che |
  come no | praticamente | mi sento | scritto | sbagliat[oa] | errato | errore
  | ufficialmente | (?:ma |eh |sì |ah |oh |beh )certo | figurati | e io sono
wants: vorrei | voglio | mi piacerebbe | piacerebbe | desidero | sogno | spero | sarei | avrei | potrei | sto per |
  sto pensando
soon: una volta | presto | oggi | domani | ieri | prossim[oa]
  | fino a\w* | quest[aoe]?'? ?(?:settimana|mese|anno|weekend|fine settimana|estate|sera)
pretend: far finta | fingere | im+agin(?:a|ate|iamo|i|ati|atevi) | im+aginiamo | suppon\w+ | metti(?:amo)? (?:caso
  )?che | mettiamo |
  fa(?:i|cciamo|te|r) (?:finta|conto) | facciamo finta | fingi | fingiamo | gioco di ruolo | per esempio | ad esempio
  | diciamo che | poniamo | dal punto di vista | nei panni di | teoricamente | in teoria | ipoteticamente | un'altra
  vita | am+ettiamo
who: dog cane cagnolino cagnolina cagna; puppy cucciolo cucciola; cat gatto gatta; kitten gattino gattina micio;
  rabbit
  coniglio; horse cavallo; parrot pappagallo; hamster criceto; tortoise tartaruga; spouse moglie marito; girlfriend
  ragazza fidanzata; boyfriend ragazzo fidanzato; partner compagno compagna; daughter figlia; son figlio; sister
  sorella; brother fratello; mother madre mamma; father padre papà; grandmother nonna; grandfather nonno; aunt zia;
  uncle zio; cousin cugino cugina; niece nipote; boss capo; colleague collega; friend amico
  amica; boat barca; children figli bambini; daughters figlie; cats gatti; dogs cani; twins gemelli gemelle
  ; child piccolo piccola bimbo bimba maggiore minore grande primogenito nipotino nipotina; hen gallina; ferret
  furetto; goat capra; hens galline; ferrets furetti; rabbits conigli; horses cavalli; goats capre; guinea_pigs
  cavie
introduced: (?:io )?sono NAMEEND
name: (?:mi chiamo|il mio nome è|tutti mi chiamano|gli amici mi chiamano|(?:chiamami|puoi chiamarmi|chiamatemi)) NAME
nation: «sono» (?P<what>italian[oa]|spagnol[oa]|tedesc[oa]|francese|svizzer[oa]|portoghese|brasilian[oa]|argentin[oa]
    |inglese|rumen[oa]|albanese|marocchin[oa]|cinese|polacc[oa]|american[oa])END
home: «abito|vivo|viviamo|abitiamo|risiedo|sto di casa» (?:in centro a|vicino al centro di|alla periferia di|in
  un[oa']? ?[\w ]{2,20}? a|a|ad|in)
  PLACE
home: (?:mi sono trasferit[oa]|ci siamo trasferiti) (?:da \w+ )?(?:a|ad|in) PLACE
from: (?:«vengo|provengo» (?:da |dalla |dal |dall')PLACE|«sono» (?:originari[oa] )?(?:di |della |del )PLACEEND|«sono
  cresciut[oa]» (?:a|ad|in) PLACE)
born: «sono nat[oa]» (?:a|ad|in) PLACE
age: «ho» (?P<number>\d{1,3}|(?!molti|pochi|alcuni|tanti)[a-zé]{4,}) anniEND
birthday: (?:il mio compleanno (?:è|cade) (?:il |l')?DATE|«sono nat[oa]» il DATE|«compio» gli anni (?:il |l')DATE)
birthyear: «sono nat[oa]» nel YEAR
am: «sono» (?-i:[A-Z])\w+, JOBEND
am: «faccio» (?:il |la |lo |l')JOB
job: (?:«lavoro» (?:(?:in|a|alla|per|presso|da) [^,]{2,25}? )?come JOB|di (?:lavoro|mestiere|professione)
  (?:faccio|sono) (?:il |la |lo |l'|un |una )?JOB|«sono»
  JOB
  di professione|il mio lavoro è (?:il |la |l')?JOB)
am: «sono» (?:un |una |un'|uno )?JOB
employer: «lavoro» (?:(?:per|alla|presso|da) EMPLOYER|(?:in|per|presso) (?P<employer>un[oa']? ?\w+))
studies: «studio» (?!a\b|all|per|molt)THING
status: «sono» (?P<what>in pensione|pensionat[oa]|disoccupat[oa]|freelance|libero professionista)END
married: «sono» (?P<what>sposat[oa]|divorziat[oa]|single|fidanzat[oa]|vedov[oa]|separat[oa])END
called: MY (?:\w+ )?WHO(?: \w+)? si chiama NAME
called: il nome del(?:la)? (?:mio|mia) WHO è NAME
called: «ho|abbiamo» un[oa']? ?(?:\w+ )?WHO(?: di \w+ (?:anni|mesi))?(?:,| di nome|,? che si chiama|, si chiama|
  chiamat[oa]) NAME
passing: (?<![\w'])(?:MY WHO NAME|NOTOFMY WHO, NAME)
names: «ho|abbiamo» (?:\w+ )?GROUP(?:,|:| di nome| che si chiamano)? NAMES
names: (?:i |le )?(?:miei|mie|nostri|nostre) (?:\w+ )?GROUP (?:si chiamano|sono) NAMES
count: «ho|abbiamo» COUNT GROUPEND
none: non (?:ho|abbiamo) figli
allergy: (?:«sono» (?:\w+ )?allergic[oa]|«ho|soffro di» (?:un'|un' )?allergia) (?:al |alla |alle |ai |agli |allo
  |all'|a )THING
intolerance: «sono» intollerante (?:al |alla |alle |ai |agli |allo |all'|a )(?P<what>\w+)
condition: «ho|soffro (?:di|d')» (?:l'|il |la |le |di )?(?:ILL|(?P<what>celiachia|(?:la )?pressione alta))
passing_ill: (?<![\w'])(?:mio|mia|mie) ILL
passing_car: (?<![\w'])MY (?:vecchi[ao] |nuov[ao] )?MAKE
passing_home: (?<![\w'])(?:da noi|casa mia|casa nostra),? a PLACE
passing_names: (?<![\w'])(?:miei|mie|nostri|nostre) (?:\w+ )?GROUP,? NAMES
am: (?:da|come|essendo) JOB1,? (?!\w+[ae]vo\b)\w+o\b
condition: mi hanno diagnosticato (?:il |la |l'|un |un')?ILL
condition: «sono» (?P<what>celiac[oa]|diabetic[oa]|asmatic[oa]|epilettic[oa]|mancin[oa]|daltonic[oa]|miope|sord[oa]
    |dislessic[oa]|ipertes[oa])
medication: «prendo» (?:il |la |l'|lo )?(?P<what>(?!caffè|tè|treno|autobus|mio)\w+) (?:ogni|tutti|tutte|contro|per la)
diet: (?:«sono» |«mangio» |«seguo» una dieta )(?P<what>vegetarian[oa]|vegan[oa]|pescetarian[oa]|kosher|halal|senza
  glutine)
like: (?:«vado» (?:matt|pazz)[oa] per|mi (?:piace|piacciono)|«adoro|amo|preferisco»|mi appassionan?o?|«sono
  appassionat[oa]|sono un fan»
  (?:di|del|della)) (?:(?:il|la|lo|i|gli|le|andare a|andare in|fare) |l')?THING
like: «bevo|mangio|leggo|ascolto» (?:(?:il|la|un|una) |l')?THING (?:ogni|tutti i|tutte le|la mattina|al mattino)
favourite: (?:il |la |i |le )?(?:mio|mia|miei|mie) (?P<what>\w+ (?:preferit|favorit)[oaie]) (?:è|sono)
  (?:(?:il|la|lo|i|gli|le) |l')?THING
dislike: (?:non mi (?:piace|piacciono)|non (?:sopporto|amo)) (?:(?:il|la|lo|i|gli|le) |l')?THING
hate: (?:«odio|detesto» |mi fa schifo |mi fanno schifo )(?:(?:il|la|lo|i|gli|le) |l')?THING
avoid: non (?:mangio|bevo|posso mangiare|posso bere|tollero) (?:(?:il|la|lo|i|gli|le) |l')?THING
taken: «bevo|prendo» (?:il|il mio) (?P<drink>caffè|tè) (?P<how>(?:nero|amaro|senza|con)[\w ]{0,30})
hobby: (?:«suono» (?:(?:il|la|lo) |l')?THING|«gioco» (?:a |al |alla )THING|«pratico|faccio» (?:(?:il|la|lo)
  )?(?P<thing>nuoto|yoga|calcio|tennis|pallavolo|corsa|ciclismo|judo|karate|boxe|danza|pilates|trekking|arrampicata
    |surf|ceramica|giardinaggio|equitazione)|(?:il mio hobby|la mia passione|i miei hobby|il mio passatempo)(?:
  preferito)? (?:è|sono) (?:(?:il|la|lo) |l')?THING)
speaks: «parlo|parliamo» (?:a casa |in casa )?(?:l'|il |lo )?TONGUE
native: «sono» (?:di )?madrelingua (?P<tongue>\w+)
native: la mia (?:lingua madre|madrelingua) è (?:l'|il |lo )?TONGUE
learning: «sto imparando|imparo|sto studiando» (?:l'|il |lo )?(?P<tongue>\w+(?:ese|olo|esco|sso|eco|ino|abo|ano)\b)
schedule: «vado|gioco|faccio|nuoto|corro|mi alleno|ho» (?:(?:a|al|alla|in|lezione di) )?ACT (?P<when>(?:(?:ogni|tutti
  i|tutte le) \w+|(?:il|la)
  (?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|mattina|sera|pomeriggio|weekend)))
schedule: (?P<when>(?:ogni|tutti i|tutte le|il (?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato)|la domenica|la
  mattina) ?\w*),? (?:vado|gioco|faccio|nuoto|corro|ho|bevo|mangio) (?:(?:a|al|alla|in|lezione di|un|una) )?ACT
car: «guido» (?:un'|una |un )(?:vecchi[oa] |nuov[oa] )?(?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?)END
wake: mi (?:alzo|sveglio) (?P<when>all[e'] ?[\w: ]{1,20})
smoke: non fumo
the: il|la|lo
the_named: il|la|lo
have: ho|abbiamo
with_me: (?:e|ed) io (?=\w+amo\b)
passing: (?<![\w'])NOTOFMY NEAR, (?:la |il )?NAME(?=[ ,.!?]|$)
passing_home: (?<![\w'])(?:a casa(?: mia)?|su|giù),? a PLACE
passing_home: (?<![\w'])PLACE,? dove (?:vivo|abito|viviamo|abitiamo)(?=\W|$)
name: (?:qui|sono) NAME,? (?:piacere|da|qui)(?!\w)
medication: «prendo» (?:\w+ ){0,2}?(?:il |la |l'|lo )?DRUG
passing_medication: (?<![\w'])(?:DRUG che prendo|(?:mio|mia) DRUG)
their_allergy: MY WHO(?: NAME)? (?:è (?:\w+ )?allergic[oa]|ha un'allergia) (?:al |alla |alle |ai |agli |allo |all'|a
  )THING
condition: «sono|vado|mi muovo» (?:in|su una) (?P<what>sedia a rotelle|carrozzina)
condition: «sono» (?P<what>favic[oa]|celiac[oa]|allergic[oa] al nichel)
condition: (?:ho|soffro di) [\w ]{3,30}? e (?:l'|il |la )?ILL
passing_birthday: (?<![\w'])(?:il |l')?DATE (?:compio|faccio gli anni|è il mio compleanno)
anniversary: [^,]{0,40}?(?:festeggiamo|facciamo|celebriamo) (?:il DATE [\w ]{2,25}?(?:matrimonio|nozze|sposati)|[\w
  ]{2,25}?(?:matrimonio|nozze) il DATE)
dislike: (?:(?:il|la|i|gli|le|lo) |l')?THING (?:per me )?(?:non fa(?:nno)? per me|non è roba per me|mi fa(?:nno)?
  (?:schifo|senso|ribrezzo)|(?:per me )?(?:sono|è) il male|non mi va(?:nno)? giù|non (?:lo|la|li|le)
  (?:sopporto|reggo))
hobby: «canto|suono|ballo|recito» (?:in|con) (?P<thing>un[a']? ?(?:coro|banda|gruppo|orchestra|compagnia)(?:
  (?!e|di|da|il)\w+)?)
hobby: (?:ogni|tutti i|tutte le|il|la) \w+(?: sera| mattina)? (?:gioco|canto|suono|ballo) (?:a |il |in |la )?THING
never_offer: (?:non|mai) (?:propormi|consigliarmi|suggerirmi|darmi)(?: mai| ricette con| piatti con)? THING
passing_address: (?<![\w'])(?:(?P<style>dammi del (?:tu|lei)|diamoci del tu)|puoi (?P<style>darmi del
  (?:tu|lei)))(?!\w)
passing_answers: (?<![\w'])(?:rispondimi|scrivimi|spiegami|rispondi|scrivi|parlami)(?: per favore)? (?:sempre|d'ora in
  poi|da ora in poi|solo) STYLE
passing_answers: (?<![\w'])(?:d'ora in poi|da ora in poi|sempre),? (?:rispondimi|rispondi|scrivimi) STYLE
passing_without: (?<![\w'])non (?:mi )?(?:mettere|usare|mettermi|fare)(?: mai| più| tante| troppe| le| gli)*
  (?P<thing>emoji|emoticon|faccine|elenchi(?: puntati)?|grassetti|tabelle)
called: (?:ho|abbiamo) (?:solo |soltanto )?(?:il |la |lo )?(?:WHO, NAME|NAME, (?:una?|la mia|il mio) WHO)(?=[,. ]|$)
car: «ho|abbiamo|guido» (?:una? |un')?(?:vecchi[ao] |nuov[ao] )?MAKE
""")
