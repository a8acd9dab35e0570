"""French as a table."""

from memory.llm.offline.rules.languages.table import language

FRENCH = language(r"""
hints: je j mon ma mes notre nos nous moi me m on
  svp stp
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
  | dis(?:[- ]moi)? | (?:petite |une )?question | bref | du coup | hello | yo | hey | allez | bon ben | premièrement
  | en vrai
filler: ici(?= à) | aussi | maintenant | désormais | actuellement | depuis (?:\w+
  ){0,3}?(?:ans?|mois|toujours|longtemps|peu|semaines?|enfance|naissance|\d{4}) | à l'origine | originaire(?=
  de)(?!) |
  vraiment | très | beaucoup | énormément | plutôt | bien | toujours | d'ailleurs | particulièrement | gravement |
  sévèrement | fortement | surtout | couramment | un peu | généralement | personnellement | également | assez |
  tellement | absolument | tout simplement | du tout | en fait | même | là(?!-)
  | normalement | d'habitude | en général | tout juste | du coup
stop: te | t'\w+ | vous | à | au | aux | en | dans | chez | avec | sans | pour | contre | sur | depuis | qui | que |
  parce | mais | et | ou | je | j'\w+ | nous | il | elle | on | c'est | est | suis | ai | ne | n'\w+ | pas | jamais |
  chaque | tous | toutes | mon | ma | comme | car | donc | le matin | par | travaille
  | alors | du coup | bref
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
  | t'as | tu as | vous avez | il existe | ça existe | lequel | laquelle
never: si | s'ils? | serais | aurais | pourrais | devrais | peut-être | probablement | sans doute | pense | crois |
  suppose | il paraît | paraît-il | soi-disant | dit | disent | disait | raconte | demande | (?:il|elle) (?:me
  )?(?:fait|sort) | écrit | affirme |
  prétend | selon | d'après | avant | quand j'étais | enfant j' |
   temporairement |
  provisoirement | comme si | n'habite plus | blague | ironie | ah oui | quelle joie | presque(?! tou) | failli | pour
  rire |
  déconne\w* | rigole | plaisante\w* | (?:les gens|tout le monde|on) (?:dit|disent|pense\w*|croi\w+|trouve\w*) |
  prend(?:s|nent)? pour | pour (?:\w+ ){1,2}(?:jours|semaines|mois) | (?<!en )tant que | bien sûr | mais oui |
  quasiment |
  pratiquement | erreur | faux
  | officiellement | ben voyons | c'est ça oui
wants: voudrais | aimerais | souhaite\w* | rêve\w* | espère | vais (?:déménager|habiter|travailler|vivre|devenir) |
  compte | j'hésite | hésite à | envisage\w* | pense à
soon: autrefois | jadis | à l'époque | bientôt | aujourd'hui | demain | hier | prochaine?s?
  | jusqu'\w* | (?:cette|ce|cet) (?:semaine|mois|week-end|été|année|soir) | en ce moment | pour l'instant
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
  ; child petit petite aîné aînée cadet cadette benjamin benjamine dernier dernière loulou; hen poule; ferret furet;
  goat chèvre; hens poules; ferrets furets; rabbits lapins; horses chevaux; goats chèvres; guinea_pigs cochons
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
the: le|la|l'
the_named: le|la
have: j'ai|on a|nous avons|et moi avons
with_me: et moi (?=(?:on|nous)\b|\w+ons\b)
passing: (?<![\w'])NOTOFMY (?:\w+ )?NEAR, (?:le |la )?NAME
passing: ^(?:le|la) PET \S.{0,60}? NAME, BREED
passing_home: (?<![\w'])chez (?:nous|moi),? (?:à|au|en) PLACE
passing_home: (?<![\w'])PLACE,? où (?:j'habite|je vis|on habite|on vit|nous habitons|nous vivons)(?=\W|$)
home: (?:je viens|on vient|nous venons) (?:d'emménager|de déménager|de m'installer|de s'installer|de nous installer)
  (?:à|au|en|sur) PLACE
medication: «prends» (?:\w+ ){0,3}?(?:du |de la |de l')?DRUG
passing_medication: (?<![\w'])(?:DRUG que je prends|(?:mon|ma) DRUG)
their_allergy: MY WHO(?: NAME)? (?:est (?:\w+ )?allergique|fait une allergie|a une allergie) (?:à la |à l'|aux |au |à
  )THING
condition: «suis|me déplace|roule» en (?P<what>fauteuil roulant)
condition: «ai» [\w' -]{3,30}? et (?:de l'|du |une |un |la |le )?ILL
job: «travaille|bosse» (?:de nuit|de jour|à mi-temps|à temps partiel|en intérim|en freelance|le week-end|à temps
  plein) (?:comme|en tant que) JOB
name: (?:c'est|moi c'est) NAME(?:,? (?:et )?pas NAME comme tu|,? et pas NAME)
name: ici NAME(?=,|!|\.|$)
passing_birthday: (?<![\w'])(?:le )?DATE,? (?:je vais avoir|j'aurai|je fête mes|je fais mes|c'est mon anniversaire)
anniversary: [^,]{0,30}?(?:on|nous|moi) (?:fête|fêtons|célébrons) (?:le DATE (?:nos|notre) [\w
  ]{2,20}(?:mariage|noces)|(?:nos|notre) [\w ]{2,25}?(?:mariage|noces) le DATE)
anniversary: notre anniversaire de mariage,? (?:est|c'est|tombe) le DATE
dislike: (?:le |la |les |l')?THING,? (?:très peu pour moi|(?:c'est|ce n'est) pas mon truc|c'est non|j'en mange
  pas|j'en bois pas|je ne supporte pas|je déteste)
dislike: (?:le |la |les |l')?THING me (?:dégoûte(?:nt)?|répugne(?:nt)?|donne(?:nt)? envie de vomir)
like: «suis» (?:fondue?|dingue|accro) (?:de |d'|du |des |au |à la |aux )THING
hobby: «chante|danse|joue» dans (?P<thing>une? (?:chorale|chœur|fanfare|groupe|orchestre|harmonie|troupe)(?:
  (?!et|le|la|les|à|de|depuis|en)\w+)?)
never_offer: ne me (?:propose|propos\w+|suggère|conseille) (?:jamais|plus|pas) (?:de |d')THING
passing_address: (?<![\w'])(?:me (?P<style>tutoyer|vouvoyer)|(?P<style>tutoie|vouvoie|tutoyez|vouvoyez)[- ]moi)(?!\w)
passing_answers: (?<![\w'])(?:réponds|écris|explique|parle)(?:[- ]moi)?
  (?:toujours|désormais|dorénavant|systématiquement|uniquement) STYLE
passing_answers: (?<![\w'])(?:toujours|désormais|dorénavant) (?:me )?(?:répondre|écrire) STYLE
passing_without: (?<![\w'])(?:ne )?(?:mets?|mettre|utilise|fais)(?:[- ]moi)? (?:pas|jamais|plus) (?:d'|de
  )(?P<thing>emojis?|smileys?|listes?|puces|tableaux|gras|jargon)
called: (?:j'ai|on a|nous avons) (?:juste |que |seulement )?(?:le |la |l')WHO, NAME(?=[,.]|$)
car: (?:«ai»|on a|nous avons) (?:une? )?(?:vieille |vieux |petite? )?MAKE
""")
