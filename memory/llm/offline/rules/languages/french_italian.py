"""French and Italian as tables."""

from memory.llm.offline.rules.languages.table import language

FRENCH = language(r"""
hints: je j mon ma mes notre nos nous moi me m on
and: et
nor: ni
but: mais|car
subject: je
own: je | j' | moi | nous | on
relative: qui
others: ils? | elles? | qui | ça | c'est | mon | ma | mes | notre | nos | son | sa | ses | leur | le | la | les | un
  | une
verb: (?:je |j')(?:V)
my: mon|ma|notre
allergic: j'y suis allergique | je suis (?:\w+ )?allergique(?! (?:à|au|aux)\b)
allergic_to: je suis allergique aux _
without: sans | remplacer (?:les? |la |du |des )?
there: (?:j'habite|on habite|nous habitons|je vis|on vit) (?:là-bas|ici|là) | j'y (?:habite|vis) | on y habite
live_in: j'habite à _
places: à | de | vers | sur | près de
no: pas de _
lead: vu que | étant donné que | à la maison | au fait | donc | mais | oui | non | bonjour | bonsoir | salut | coucou
  | alors | ah | bon | et | car | parce que
  | comme(?= je\b| j'| on\b| nous\b) | puisque | comme tu (?:le )?sais | pour info | sinon | merci | en fait | sache
  que | note que | retiens que |
  n'oublie pas que | ok | désolée? | d'ailleurs | malheureusement
filler: ici(?= à) | aussi | maintenant | désormais | actuellement | depuis (?:\w+
  ){0,3}?(?:ans?|mois|toujours|longtemps|peu|semaines?|enfance|naissance|\d{4}) | à l'origine | originaire(?=
  de)(?!) |
  vraiment | très | beaucoup | énormément | plutôt | bien | toujours | d'ailleurs | particulièrement | gravement |
  sévèrement | fortement | surtout | couramment | un peu | généralement | personnellement | également | assez |
  tellement | absolument | tout simplement | du tout | en fait | même | là(?!-)
stop: te | t'\w+ | vous | à | au | aux | en | dans | chez | avec | sans | pour | contre | sur | depuis | qui | que |
  parce | mais | et | ou | je | j'\w+ | nous | il | elle | on | c'est | est | suis | ai | ne | n'\w+ | pas | jamais |
  chaque | tous | toutes | mon | ma | comme | car | donc | le matin | par | travaille
not: ne | n'\w+ | pas | jamais | aucune? | plus
jobs: anger angère oucher ouchère ier ière eur eure cien cienne giste niste liste riste trice prof médecin avocat
  avocate comptable architecte
  dentiste secrétaire vétérinaire fonctionnaire enseignant enseignante étudiant étudiante assistant assistante
  commerçant commerçante gérant consultant consultante agent chanteuse vendeuse coiffeuse serveuse danseuse chercheuse
  programmeuse gardienne chirurgien chirurgienne chef notaire écrivain écrivaine artisan maçon pilote juge musicien
  kiné interprète graphiste psychologue sociologue libraire peintre photographe policier aide-soignante aide-soignant
  sage-femme maîtresse
ask: toi | vous | que | qu'\w+ | quel\w* | où | quand | comment | pourquoi | qui | est-ce | peux | pouvez | combien |
  quoi | tu | as-tu | y a-t-il | puis-je | je peux | dois-je | une idée | des idées | des conseils | un conseil |
  faut-il | on peut | avec quoi | c'est(?! vrai| ça| bien| juste)
never: si | s'ils? | serais | aurais | pourrais | devrais | peut-être | probablement | sans doute | pense | crois |
  suppose | il paraît | paraît-il | soi-disant | dit | dis(?:ent)? | disait | raconte | demande | (?:il|elle) (?:me
  )?(?:fait|sort) | écrit | affirme |
  prétend | selon | d'après | jusqu'\w* | avant | quand j'étais | enfant j' |
  (?:cette|ce|cet) (?:semaine|mois|week-end|été|année|soir) | en ce moment | pour l'instant | temporairement |
  provisoirement | comme si | n'habite plus | blague | ironie | ah oui | quelle joie | presque(?! tou) | failli | pour
  rire |
  déconne\w* | rigole | plaisante\w* | (?:les gens|tout le monde|on) (?:dit|disent|pense\w*|croi\w+|trouve\w*) |
  prend(?:s|nent)? pour | pour (?:\w+ ){1,2}(?:jours|semaines|mois) | (?<!en )tant que | bien sûr | mais oui |
  quasiment |
  pratiquement | erreur | faux
wants: voudrais | aimerais | souhaite\w* | rêve\w* | espère | vais (?:déménager|habiter|travailler|vivre|devenir) |
  compte | j'hésite | hésite à | envisage\w* | pense à
soon: autrefois | jadis | à l'époque | bientôt | aujourd'hui | demain | hier | prochaine?s?
pretend: faire (?:semblant|comme si) | imagin(?:e|ez|ons|er) | supposons | suppose que | admettons | fai(?:s|sons|tes)
  (?:semblant|comme si) | jeu de
  rôle | par exemple | disons que | mettons que | joue le rôle | du point de vue | théoriquement | en théorie |
  hypothétiquement | (?:une|mon) autre vie
who: dog chien chienne; puppy chiot; cat chat chatte; kitten chaton; rabbit lapin lapine; horse cheval jument poney;
  bird oiseau; parrot perroquet; hamster hamster; tortoise tortue; fish poisson; spouse femme mari épouse époux;
  girlfriend copine; boyfriend copain; partner compagnon compagne conjoint conjointe; fiance fiancé fiancée; daughter
  fille; son fils; baby bébé; sister soeur sœur; brother frère; mother mère maman; father père papa; grandmother
  grand-mère mamie; grandfather grand-père papi; aunt tante; uncle oncle; cousin cousin cousine; niece nièce; nephew
  neveu; boss chef cheffe patron patronne; colleague collègue; friend ami amie; boat bateau;
  children enfants; daughters filles; cats chats; dogs chiens; twins jumeaux jumelles
introduced: je suis NAMEEND
name: (?:je m'appelle|moi c'est|mon (?:nom|prénom) (?:est|c'est)|(?:tout le monde|on|mes amis) m'appelle(?:nt)?|tu
  peux
  m'appeler|vous pouvez m'appeler|(?:appelle|appelez)-moi) NAME
nation: «suis»
  (?P<what>(?:franç|franco-?|port|sénég|angl|ir?land|néer?land|jap|pol)\w*aise?|belge|suisse|(?:canad|ital
    |algér|tunis|brés|austral|ind)\w*ien(?:ne)?|allemande?|espagnole?|marocaine?|américaine?|mexicaine?|russe
    |turque?)END
home: (?:«habite|vis|réside|loge»|nous (?:habitons|vivons)|on (?:habite|vit)) (?:(?:à|au|en|aux|dans le centre de|près
  du centre de|sur|(?:dans )?une? [\w ]{2,20}? à) )?PLACE
home: (?:(?:j'ai|nous avons|on a) (?:récemment )?(?:déménagé|emménagé)|je me suis installée?|nous nous sommes
  installés) (?:de \w+ )?(?:à|au|en) PLACE
from: (?:«viens|suis originaire|suis natif|suis native» (?:de |du |d'|des )PLACE|«suis» (?:de |d')PLACEEND|«ai grandi»
  (?:à|au|en) PLACE)
born: «suis née?» (?:à|au|en) PLACE
age: «ai» (?P<number>\d{1,3}|(?!des\b|quelques\b|plusieurs\b)[a-zé-]{4,}(?: et une?)?) ansEND
birthday: (?:mon anniversaire (?:est|c'est|tombe) (?:le )?DATE|«suis née?» le DATE|«fête» mon anniversaire le DATE)
birthyear: «suis née?» en YEAR
am: «suis» (?-i:[A-ZÀ-Ý])[\w-]+, JOBEND
job: (?:«travaille|bosse» (?:(?:à|chez|dans|pour|au) [^,]{2,25}? )?(?:comme|en tant que|en tant qu') ?JOB|«suis» JOB
  de (?:métier|profession|formation)|mon
  métier,? (?:c'est|est) JOB|«exerce» le métier de JOB|dans la vie,? (?:«suis» )JOB)
am: «suis» (?:une? )?JOB
employer: «travaille|bosse» (?:(?:chez|pour|à la|au) EMPLOYER|(?:dans|pour) (?P<employer>une? [\w-]+(?: [\w'-]+)?))
studies: (?:«étudie|fais des études de|fais des études d'» (?:le |la |les |l')?THING|«suis étudiante? en» THING)
status: «suis» (?P<what>retraitée?|à la retraite|au chômage|indépendante?|à mon compte|freelance)END
married: «suis» (?P<what>mariée?|divorcée?|célibataire|pacsée?|fiancée?|veufs?|veuve|en couple)END
called: MY (?:petite? |nouve(?:au|lle) |grande? )?WHO(?: \w+)? (?:s'appelle|se nomme|a pour nom) NAME
called: le (?:nom|prénom) de (?:mon|ma|notre) WHO est NAME
called: (?:«ai»|nous avons|on a) (?:adopté |acheté |recueilli )?une? (?:petite? )?WHO(?: de \w+ ans| \w+)?(?:,| qui
  s'appelle|, (?:il|elle) s'appelle|
  nommée?| appelée?| prénommée?| du nom de) NAME
passing: (?<![\w'])(?:MY WHO NAME|NOTOFMY WHO, NAME)
names: (?:«ai»|nous avons|on a) (?:\w+ )?GROUP(?:,|:| qui s'appellent| nommés| prénommés)? NAMES
names: (?:mes|nos) (?:\w+ )?GROUP (?:s'appellent|sont) NAMES
count: (?:«ai»|nous avons|on a) COUNT GROUPEND
none: (?:je n'ai|nous n'avons|on n'a|j'ai) pas d'enfants?
allergy: (?:«suis» (?:\w+ )?allergique|«ai» une allergie|«fais une allergie») (?:à la |à l'|aux |au |à )THING
intolerance: «suis» intolérante? (?:à la |à l'|aux |au |à )(?P<what>\w+)
condition: «ai|souffre (?:de |d')|suis atteinte? (?:de |d')»(?: de l'| du | le | la | des | d'|
  )?(?:ILL|(?P<what>maladie cœliaque|rhume des foins))
passing_ill: (?<![\w'])(?:mon|ma|mes) ILL
passing_car: (?<![\w'])MY (?:vieille |vieux |nouvelle )?MAKE
passing_home: (?<![\w'])chez (?:nous|moi),? à PLACE
passing_names: (?<![\w'])(?:mes|nos) (?:\w+ )?GROUP,? NAMES
am: (?:comme|en tant que?'?|étant) JOB,? (?:je |j')(?!étais|ai |(?!fais|vais|sais|connais)\w+ais\b)
condition: on m'a diagnostiqué (?:un |une |de l'|du |la |le )?ILL
condition: «suis» (?P<what>diabétique|asthmatique|cœliaque|coeliaque|épileptique|gaucher|gauchère|daltonien(?:ne)?
    |myope|sourde?|malentendante?|dyslexique|hypertendue?|hémophile)
medication: «prends» (?:du |de la |de l')(?P<what>\w+) (?:tous les|chaque|le matin|le soir|contre)
diet: «suis|mange» (?:devenue? |une? )?(?P<what>végétarien(?:ne)?|végétalien(?:ne)?|végane?|vegan|végan|casher|halal
    |sans gluten|flexitarien(?:ne)?|pescétarien(?:ne)?)
like: (?:«aime|adore|raffole|apprécie|préfère» (?:de |du |des |les |le |la |l'|d'|faire )*(?:du |de la |de
  l')?THING|«suis» (?:fan|fou|folle|passionnée?) (?:de |d'|du |des )THING)
like: «bois|mange|lis|écoute» (?:du |de la |de l'|des |un |une )THING (?:tous les|chaque|le matin|le soir)
favourite: (?:mon|ma|mes) (?P<what>\w+ (?:préféré|favori)(?:e|te)?s?),? (?:est|sont|c'est) (?:le |la |les |l')?THING
dislike: (?:je n'aime pas|je ne supporte pas|j'aime pas|je n'apprécie pas|je n'aime|j'ai horreur|je n'aime vraiment
  pas) (?:(?:les|le|la|du|des|de la|de|de l') |l'|d')?THING
hate: «déteste|hais|ai horreur|exècre» (?:(?:les|le|la|du|des|de la|de) |l'|d')?THING
avoid: (?:je ne|j'|je) ?(?:mange|bois|consomme|peux manger|peux pas manger|digère|tolère) (?:pas|jamais|plus|(?=ni\b))
  ?(?:de
  |d'|le |la |les )?THING
avoid: je ne peux pas manger (?:de |d')THING
taken: «bois|prends» (?:mon |du |le )(?P<drink>café|thé) (?P<how>(?:noir|sans|avec|sucré|serré)[\w ]{0,30})
hobby: (?:«joue» (?:du |de la |de l'|au |aux |à la |des )THING|«fais|pratique» (?:du |de la |de
  l')(?!bruit|mal\b|ménage|bien|point|effort|progrès|place|mieux|bazar)THING|(?:mon|mes)
  (?:passe-temps|loisirs?|hobby|hobbies|passions?)(?: préféré| favori)?,? (?:est|sont|c'est) (?:le |la |l'|les
  )?THING)
speaks: (?:«parle»|nous parlons|on parle(?: à la maison)?) (?:le |l'|la )?TONGUE
native: ma langue maternelle est (?:le |l')TONGUE
learning: «apprends|étudie» (?:le |l')(?P<tongue>[a-zç]+(?:ais|ol|and|ien|éen|oise?|an|ec|usse|urc|abe)\b)
schedule: «fais|vais|joue|cours|nage|prends|bois» (?:(?:du|de la|à la|au|aux|mon|un) |de l'|à l')?ACT
  (?P<when>(?:(?:tous
  les|toutes les|chaque) \w+|(?:le|les)
  (?:lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|matins?|soirs?))(?:s?)(?: (?:matins?|soirs?))?)
schedule: (?P<when>(?:tous les|toutes les|chaque|le|les) \w+(?: (?:matins?|soirs?))?),? (?:je
  |j')(?:fais|vais|joue|nage|prends|bois|mange) (?:(?:du|de la|à la|au|aux|mon|un) |de l'|à l')?ACT
car: «conduis|roule en|possède» (?:une |un |en )?(?:vieille |vieux |nouvelle )?(?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?)END
wake: je me (?:lève|réveille) (?P<when>à [\w: ]{3,20})
smoke: (?:je ne fume|je fume) (?:pas|plus)
""")

ITALIAN = language(r"""
hints: mi io mio mia miei mie nostro nostra nostri nostre sono ho abbiamo abito vivo viviamo abitiamo risiedo sto
  vengo
  provengo lavoro faccio studio soffro prendo mangio bevo leggo ascolto adoro amo preferisco odio detesto non suono
  gioco pratico parlo imparo vado nuoto corro guido seguo compio chiamami chiamatemi puoi ci
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
filler: qui(?= a) | anche | ormai | ora | adesso | attualmente | da (?:\w+ ){1,2}(?:anni|anno|mesi|tempo|settimane) | da
  (?:sempre|poco|bambin[oa]|piccol[oa]) | dal \d{4} | originariamente | davvero | molto | tanto | tantissimo |
  moltissimo | ancora | già | sempre | proprio | in realtà | soprattutto | gravemente | particolarmente | un po' |
  fluentemente | personalmente | per niente | affatto | assolutamente | veramente
stop: a | ad | al | in | con | senza | per | contro | da | dal | che | perché | ma | e | ed | o | io | sono | ho |
  abito | vivo | lavoro | è | non | mai | ogni | tutti | tutte | mio | mia | come | quindi | il lunedì | di solito |
  quando | si | presso
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
never: (?:lui|lei|mi) fa(?: che)?: | mi fa | se | magari | abitassi | fossi | avessi | forse | probabilmente | penso |
  credo | suppongo | pare | sembra |
  presunto | dice | dicono | disse | detto | racconta | chiede | scrisse | secondo (?!piano|anno|me) | fino a\w* |
  prima |
  da bambino | quando ero | quest[aoe]?'? ?(?:settimana|mese|anno|weekend|fine settimana|estate|sera) |
  per ora | al momento | temporaneamente | come se | non vivo più | non lavoro più | che bello | sia | quasi(?! tutt|
  sempre| mai| nient) |
  per poco | scherz\w+ | la gente | tutti (?:pensano|credono|dicono) |
  per (?:qualche|alcun[ei]|un po' di|\w+) (?:giorn[oi]|settiman[ae]|mes[ei]) | finché | ma certo | certo che |
  come no | praticamente | mi sento | scritto | sbagliat[oa] | errato | errore
wants: vorrei | voglio | mi piacerebbe | piacerebbe | desidero | sogno | spero | sarei | avrei | potrei | sto per |
  sto pensando
soon: una volta | presto | oggi | domani | ieri | prossim[oa]
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
""")
