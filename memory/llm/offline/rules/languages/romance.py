"""French, Spanish, Italian and Portuguese as tables."""

from memory.llm.offline.rules.languages.table import language

FRENCH = language(r"""
hints: je j mon ma mes notre nos nous moi me m on
and: et
but: mais|car
subject: je
verb: (?:je |j')(?:V)
my: mon|ma|notre
no: pas de
lead: au fait | donc | mais | oui | non | bonjour | bonsoir | salut | coucou | alors | ah | bon | et | car | parce que
  | puisque | comme tu (?:le )?sais | pour info | sinon | merci | en fait | sache que | note que | retiens que |
  n'oublie pas que | ok | désolée? | d'ailleurs | malheureusement
filler: aussi | maintenant | désormais | actuellement | depuis (?:\w+
  ){0,3}?(?:ans?|mois|toujours|longtemps|peu|semaines?|enfance|naissance|\d{4}) | à l'origine | originaire(?= de)(?!)
  | vraiment | très | beaucoup | énormément | plutôt | bien | toujours | d'ailleurs | particulièrement | gravement |
  sévèrement | fortement | surtout | couramment | un peu | généralement | personnellement | également | assez |
  tellement | absolument | tout simplement | du tout | en fait | même | là
stop: à | au | aux | en | dans | chez | avec | sans | pour | contre | sur | depuis | qui | que | parce | mais | et |
  ou | je | j'\w+ | nous | il | elle | on | c'est | est | suis | ai | ne | n'\w+ | pas | jamais | chaque | tous |
  toutes | mon | ma | comme | car | donc | le matin | par | travaille
not: ne | n'\w+ | pas | jamais | aucune? | plus
jobs: ier ière eur eure cien cienne giste niste liste riste trice prof médecin avocat avocate comptable architecte
  dentiste secrétaire vétérinaire fonctionnaire enseignant enseignante étudiant étudiante assistant assistante
  commerçant commerçante gérant consultant consultante agent chanteuse vendeuse coiffeuse serveuse danseuse chercheuse
  programmeuse gardienne chirurgien chirurgienne chef notaire écrivain écrivaine artisan maçon pilote juge musicien
  kiné interprète graphiste psychologue sociologue libraire peintre photographe policier aide-soignante aide-soignant
  sage-femme maîtresse
ask: que | qu'\w+ | quel\w* | où | quand | comment | pourquoi | qui | est-ce | peux | pouvez | combien | quoi | tu |
  as-tu | y a-t-il
never: si | s'ils? | voudrais | aimerais | souhaite\w* | rêve\w* | espère | serais | aurais | pourrais | devrais |
  peut-être | probablement | sans doute | pense | crois | suppose | il paraît | paraît-il | soi-disant | dit |
  dis(?:ent)? | disait | raconte | demande | écrit | affirme | prétend | selon | d'après | jusqu'\w* | autrefois |
  avant | jadis | à l'époque | quand j'étais | enfant j' | bientôt | aujourd'hui | demain | hier | (?:cette|ce|cet)
  (?:semaine|mois|week-end|été|année|soir) | prochaine?s? | en ce moment | pour l'instant | temporairement |
  provisoirement | vais (?:déménager|habiter|travailler|vivre|devenir) | compte | comme si | n'habite plus | blague |
  ironie | ah oui | quelle joie
pretend: imagin(?:e|ez|ons) | supposons | suppose que | admettons | fai(?:s|sons|tes) (?:semblant|comme si) | jeu de
  rôle | par exemple | disons que | mettons que | joue le rôle | du point de vue
who: dog chien chienne; puppy chiot; cat chat chatte; kitten chaton; rabbit lapin lapine; horse cheval jument poney;
  bird oiseau; parrot perroquet; hamster hamster; tortoise tortue; fish poisson; spouse femme mari épouse époux;
  girlfriend copine; boyfriend copain; partner compagnon compagne conjoint conjointe; fiance fiancé fiancée; daughter
  fille; son fils; baby bébé; sister soeur sœur; brother frère; mother mère maman; father père papa; grandmother
  grand-mère mamie; grandfather grand-père papi; aunt tante; uncle oncle; cousin cousin cousine; niece nièce; nephew
  neveu; boss chef cheffe patron patronne; colleague collègue; neighbour voisin voisine; friend ami amie; boat bateau;
  children enfants; daughters filles; cats chats; dogs chiens
introduced: je suis NAMEEND
name: (?:je m'appelle|moi c'est|mon (?:nom|prénom) (?:est|c'est)|(?:tout le monde|on|mes amis) m'appelle(?:nt)?|tu
  peux m'appeler|vous pouvez m'appeler|(?:appelle|appelez)-moi) NAME
nation: «suis»
  (?P<what>(?:franç|franco-?|port|sénég|angl|ir?land|néer?land|jap|pol)\w*aise?|belge|suisse|(?:canad|ital|algér|tunis|brés|austral|ind)\w*ien(?:ne)?|allemande?|espagnole?|marocaine?|américaine?|mexicaine?|russe|turque?)END
home: (?:«habite|vis|réside|loge»|nous (?:habitons|vivons)|on (?:habite|vit)) (?:à|au|en|aux|dans le centre de|près du
  centre de|sur) PLACE
home: (?:(?:j'ai|nous avons|on a) (?:récemment )?(?:déménagé|emménagé)|je me suis installée?|nous nous sommes
  installés) (?:de \w+ )?(?:à|au|en) PLACE
from: (?:«viens|suis originaire|suis natif|suis native» (?:de |du |d'|des )PLACE|«suis» (?:de |d')PLACEEND|«ai grandi»
  (?:à|au|en) PLACE)
born: «suis née?» (?:à|au|en) PLACE
age: «ai» (?P<number>\d{1,3}|(?!des\b|quelques\b|plusieurs\b)[a-zé-]{4,}(?: et une?)?) ansEND
birthday: (?:mon anniversaire (?:est|c'est|tombe) (?:le )?DATE|«suis née?» le DATE|«fête» mon anniversaire le DATE)
birthyear: «suis née?» en YEAR
job: (?:«travaille|bosse» (?:comme|en tant que|en tant qu') ?JOB|«suis» JOB de (?:métier|profession|formation)|mon
  métier,? (?:c'est|est) JOB|«exerce» le métier de JOB|dans la vie,? (?:«suis» )JOB)
am: «suis» (?:une? )?JOB
employer: «travaille|bosse» (?:(?:chez|pour|à la|au) EMPLOYER|(?:dans|pour) (?P<employer>une? [\w-]+(?: [\w'-]+)?))
studies: (?:«étudie|fais des études de|fais des études d'» (?:le |la |les |l')?THING|«suis étudiante? en» THING)
status: «suis» (?P<what>retraitée?|à la retraite|au chômage|indépendante?|à mon compte|freelance)END
married: «suis» (?P<what>mariée?|divorcée?|célibataire|pacsée?|fiancée?|veufs?|veuve|en couple)END
called: MY (?:petite? |nouve(?:au|lle) |grande? )?WHO(?: \w+)? (?:s'appelle|se nomme|a pour nom) NAME
called: le (?:nom|prénom) de (?:mon|ma|notre) WHO est NAME
called: (?:«ai»|nous avons|on a) une? (?:petite? )?WHO(?: \w+)?(?:,| qui s'appelle| nommée?| appelée?| prénommée?| du
  nom de) NAME
passing: (?<![\w'])MY WHO,? NAME
names: (?:«ai»|nous avons|on a) (?:\w+ )?WHO(?:,|:| qui s'appellent| nommés| prénommés)? NAMES
names: (?:mes|nos) (?:\w+ )?WHO (?:s'appellent|sont) NAMES
count: (?:«ai»|nous avons|on a) COUNT WHOEND
none: (?:je n'ai|nous n'avons|on n'a|j'ai) pas d'enfants?
allergy: (?:«suis» (?:\w+ )?allergique|«ai» une allergie|«fais une allergie») (?:à la |à l'|aux |au |à )THING
intolerance: «suis» intolérante? (?:à la |à l'|aux |au |à )(?P<what>\w+)
condition: «ai|souffre (?:de |d')|suis atteinte? (?:de |d')»(?: de l'| du | le | la | des | d'|
  )?(?P<what>asthme|diabète(?: de type \d)?|migraines?|épilepsie|eczéma|hypertension|arthrose|rhume des foins|maladie
  cœliaque|endométriose|tdah)
condition: «suis»
  (?P<what>diabétique|asthmatique|cœliaque|coeliaque|épileptique|gaucher|gauchère|daltonien(?:ne)?|myope|sourde?|malentendante?|dyslexique)
medication: «prends» (?:du |de la |de l')(?P<what>\w+) (?:tous les|chaque|le matin|le soir|contre)
diet: «suis|mange» (?:devenue? |une?
  )?(?P<what>végétarien(?:ne)?|végétalien(?:ne)?|végane?|vegan|végan|casher|halal|sans
  gluten|flexitarien(?:ne)?|pescétarien(?:ne)?)
like: (?:«aime|adore|raffole|apprécie|préfère» (?:de |du |des |les |le |la |l'|d'|faire )*(?:du |de la |de
  l')?THING|«suis» (?:fan|fou|folle|passionnée?) (?:de |d'|du |des )THING)
like: «bois|mange|lis|écoute» (?:du |de la |de l'|des |un |une )THING (?:tous les|chaque|le matin|le soir)
favourite: (?:mon|ma|mes) (?P<what>\w+ (?:préféré|favori)(?:e|te)?s?),? (?:est|sont|c'est) (?:le |la |les |l')?THING
dislike: (?:je n'aime pas|je ne supporte pas|j'aime pas|je n'apprécie pas|je n'aime|j'ai horreur|je n'aime vraiment
  pas) (?:(?:les|le|la|du|des|de la|de|de l') |l'|d')?THING
hate: «déteste|hais|ai horreur|exècre» (?:(?:les|le|la|du|des|de la|de) |l'|d')?THING
avoid: (?:je ne|j'|je) ?(?:mange|bois|consomme|peux manger|peux pas manger|supporte|digère|tolère) (?:pas|jamais|plus)
  (?:de |d'|le |la |les )?THING
avoid: je ne peux pas manger (?:de |d')THING
taken: «bois|prends» (?:mon |du |le )(?P<drink>café|thé) (?P<how>(?:noir|sans|avec|sucré|serré)[\w ]{0,30})
hobby: (?:«joue» (?:du |de la |de l'|au |aux |à la |des )THING|«fais|pratique» (?:du |de la |de l'|le |la |l'|des
  )THING|(?:mon|mes) (?:passe-temps|loisirs?|hobby|hobbies|passions?)(?: préféré| favori)?,? (?:est|sont|c'est) (?:le
  |la |l'|les )?THING)
speaks: «parle» (?:le |l'|la )?TONGUE
native: ma langue maternelle est (?:le |l')TONGUE
learning: «apprends|étudie» (?:le |l')(?P<tongue>[a-zç]+(?:ais|ol|and|ien|oise?|an|ec|usse|urc|abe)\b)
schedule: «fais|vais|joue|cours|nage|prends|bois» (?:(?:du|de la|à la|au|aux|mon|un) |de l'|à l')?ACT (?P<when>(?:tous
  les|toutes les|chaque|le|les) (?:\w+s?)(?: (?:matins?|soirs?))?)
schedule: (?P<when>(?:tous les|toutes les|chaque|le|les) \w+(?: (?:matins?|soirs?))?),? (?:je
  |j')(?:fais|vais|joue|nage|prends|bois|mange) (?:(?:du|de la|à la|au|aux|mon|un) |de l'|à l')?ACT
car: «conduis|roule en|possède» (?:une |un |en )?(?:vieille |vieux |nouvelle )?(?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?)END
smoke: (?:je ne fume|je fume) (?:pas|plus)
""")

SPANISH = language(r"""
and: y | e
but: pero|aunque
verb: (?:yo )?(?:V)
my: mi|nuestr[oa]
no: sin
lead: por cierto | yo,? | y | pero | sí | no, | hola | buenas | buenos días | bueno | pues | ah | como (?:ya )?sabes |
  porque | ya que | es que | la verdad es que | a mí | recuerda que | ten en cuenta que | para tu información | oye |
  perdón | además | gracias | ok | en mi casa | desgraciadamente
filler: también | ahora | actualmente | desde hace (?:\w+ ){1,2}(?:años?|meses|tiempo|semanas) | desde
  (?:\d{4}|siempre|pequeñ[oa]|niñ[oa]|enero|hace poco) | hace (?:\w+ )(?:años|meses) que | originalmente | realmente |
  muy | mucho | muchísimo | bastante | todavía | aún | ya | siempre | la verdad | en realidad | sobre todo |
  especialmente | gravemente | un poco(?! de) | con fluidez | normalmente | personalmente | nada(?! de| en) | de
  verdad | absolutamente | simplemente | tanto
stop: a | al | en | con | sin | para | por | contra | desde | que | porque | pero | y | e | o | yo | soy | tengo |
  vivo | trabajo | es | son | no | nunca | cada | todos | todas | mi | mis | como | así | los lunes | pues | hace |
  cuando | se | está
not: no | nunca | jamás | ning[uú]n\w* | tampoco
jobs: dor dora tor tora ero era ista ólogo óloga ogo oga médico médica abogado abogada profesor profesora arquitecto
  arquitecta contable maestro maestra estudiante piloto policía juez jueza músico música mecánico albañil militar
  auxiliar chef cantante comerciante fisioterapeuta matrona biólogo química químico físico cirujano cirujana
  farmacéutica farmacéutico secretaria secretario funcionario funcionaria empleada gerente guía soldado fotógrafo
  fotógrafa técnico técnica
ask: qué | cuál\w* | quién | dónde | cuándo | cómo | por qué | puedes | puede | hay | sabes | cuánt\w* | me puedes |
  debería | tú
never: si | ojalá | quisiera | querría | quiero | me gustaría | gustaría | desear?ía | sueño | espero | sería |
  tendría | viviera | fuera | tuviera | podría | quizás? | tal vez | a lo mejor | probablemente | seguramente | creo |
  pienso | supongo | parece | supuestamente | dice[ns]? | dijo | dicen | cuenta que | pregunta | escribió | según |
  hasta | antes | antiguamente | de niñ[oa] | cuando era | pronto | hoy | (?<!cada )(?<!por la )(?<!de la )mañana(?!s)
  | ayer | est[ea] (?:semana|mes|año|fin de semana|verano|noche) | próxim[oa] | por ahora | de momento | temporalmente
  | voy a | vamos a | pienso mudarme | como si | ya no vivo | ya no trabajo | broma | claro que sí | qué bien
pretend: imagin(?:a|e|emos|ad|en)(?:te|os|se)? | imagínate | imagínese | imaginaos | supon(?:gamos|te|ga|gan)? |
  supón\w* | haz(?:me)? (?:de cuenta|como (?:si|que)) | hagamos de cuenta | hacer? de cuenta | finge | finjamos |
  juego de rol | por ejemplo | digamos que | pongamos que | pon que | actúa como | desde el punto de vista | en el
  papel de
who: dog perro perra perrito perrita; puppy cachorro cachorra; cat gato gata; kitten gatito gatita; rabbit conejo
  coneja; horse caballo yegua; bird pájaro; parrot loro; hamster hámster; tortoise tortuga; spouse esposa esposo mujer
  marido; girlfriend novia; boyfriend novio; partner pareja; daughter hija; son hijo; sister hermana; brother hermano;
  mother madre mamá; father padre papá; grandmother abuela; grandfather abuelo; aunt tía; uncle tío; cousin primo
  prima; niece sobrina; nephew sobrino; boss jefe jefa; colleague compañero compañera colega; neighbour vecino vecina;
  friend amigo amiga; boat barco; children hijos; daughters hijas; brothers hermanos; sisters hermanas; cats gatos;
  dogs perros
introduced: (?:yo )?soy NAMEEND
name: (?:me llamo|mi nombre (?:es|completo es)|(?:todos|todo el mundo|mis amigos) me (?:llaman|llama|dicen)|me
  (?:llaman|dicen)|(?:llámame|puedes llamarme|dime|me puedes llamar)) NAME
nation: «soy»
  (?P<what>español\w*|mexican[oa]|argentin[oa]|colombian[oa]|chilen[oa]|peruan[oa]|venezolan[oa]|cuban[oa]|italian[oa]|aleman\w*|francés|francesa|portugu\w+|brasileñ[oa]|uruguay[oa]|ecuatorian[oa]|bolivian[oa]|chin[oa]|ingl\w+)END
home: (?:«vivo|vivimos|resido|residimos») (?:en el centro de|a las afueras de|cerca del centro de|en) PLACE
home: «llevo» (?:\w+ ){1,4}viviendo en PLACE
home: (?:me mudé|nos mudamos|me he mudado|nos hemos mudado|me trasladé) (?:de \w+ )?a PLACE
from: (?:«soy|vengo|provengo|somos» (?:originari[oa] |natural )?de PLACE|«nací y crecí|crecí|me crié» en PLACE)
born: «nací» en PLACE
age: «tengo» (?P<number>\d{1,3}|(?!muchos|pocos|unos|varios)[a-zé]{4,}(?: y \w+)?) años(?: de edad)?END
birthday: (?:mi cumpleaños es (?:el )?DATE|«nací» el (?:día )?DATE|«cumplo» años el DATE)
birthyear: «nací» en YEAR
job: (?:«trabajo» (?:como|de) (?:una? )?JOB|mi (?:trabajo|profesión) es (?:ser |de )?JOB|«soy» JOB de profesión|me
  dedico a (?:la |el )?JOB|me gano la vida como JOB)
am: «soy» (?:una? )?JOB
employer: «trabajo» (?:en|para) (?:la |el )?(?:EMPLOYER|(?P<employer>una? \w+(?: \w+)?))
studies: «estudio» (?!en\b|much|para)THING
status: «estoy|soy» (?P<what>jubilad[oa]|desempleada?o?|en paro|en el paro|autónom[oa]|retirad[oa])END
married: «estoy|soy» (?P<what>casad[oa]|divorciad[oa]|solter[oa]|viud[oa]|comprometid[oa]|separad[oa])END
called: MY (?:\w+ )?WHO(?: \w+)? se llama NAME
called: el nombre de mi WHO es NAME
called: (?:«tengo|tenemos») una? WHO(?: \w+)?(?:,| llamad[oa]| que se llama| de nombre) NAME
passing: (?<![\w'])MY WHO,? NAME
names: «tengo|tenemos» (?:\w+ )?WHO(?:,|:| llamad[oa]s| que se llaman)? NAMES
names: (?:mis|nuestr[oa]s) (?:\w+ )?WHO (?:se llaman|son) NAMES
count: «tengo|tenemos» COUNT WHOEND
none: no (?:tengo|tenemos) hijos
allergy: (?:«soy» (?:\w+ )?alérgic[oa] (?:al |a la |a los |a las |a )|«tengo|padezco» (?:una )?alergia (?:al |a la |a
  los |a las |a )|me dan? alergia (?:el |la |los |las ))THING
intolerance: «soy» intolerante (?:al |a la |a los |a )(?P<what>\w+)
intolerance: «tengo» intolerancia (?:al |a la |a los |a )(?P<what>\w+)
condition: «tengo|sufro de|padezco de|padezco|sufro» (?P<what>asma|diabetes(?: tipo
  \d)?|migrañas?|epilepsia|hipertensión|celiaquía|artritis|artrosis|tdah|eccema|rinitis|la tensión alta)
condition: «soy»
  (?P<what>celíac[oa]|diabétic[oa]|asmátic[oa]|epiléptic[oa]|zurd[oa]|daltónic[oa]|miope|sord[oa]|disléxic[oa])
medication: «tomo» (?P<what>(?!café|té|leche|agua|cerveza|vino|un|una|el|la)\w+) (?:cada|todos|todas|para la|para
  el|por la)
diet: (?:«soy|como» |«llevo» una dieta |«sigo» una dieta
  )(?P<what>vegetarian[oa]|vegan[oa]|pescetarian[oa]|kosher|halal|sin gluten)
like: (?:me
  (?:gusta|gustan|encanta|encantan|chifla|fascina|fascinan|apasiona|apasionan)|«adoro|amo|prefiero|disfruto»(?:
  de)?|«soy fan» de|«soy» aficionad[oa] (?:a|al)) (?:(?:el|la|los|las|ir al|ir a|salir a|un|una) )?THING
like: «bebo|tomo|como|desayuno|leo|escucho» (?:(?:el|la|un|una) )?THING (?:todos los días|todas las mañanas|cada
  (?:día|mañana)|por la mañana|por las mañanas)
favourite: mi (?P<what>\w+ (?:favorit|preferid)[oa]) es (?:el |la |los |las )?THING
dislike: (?:no me (?:gusta|gustan|agrada|agradan) |«no soporto|no aguanto|no puedo ver» )(?:(?:el|la|los|las) )?THING
hate: (?:«odio|detesto|aborrezco» |me da asco |me dan asco )(?:(?:el|la|los|las) )?THING
avoid: (?:no|nunca) (?:como|bebo|tomo|puedo comer|puedo beber|puedo tomar|tolero|pruebo) THING
taken: «tomo|bebo|me gusta» (?:mi |el )?(?P<drink>café|té) (?P<how>(?:solo|negro|sin|con)[\w ]{0,30})
hobby: (?:«toco» (?:el |la |los )?THING|«juego» (?:al |a la |a los |a )THING|«practico|hago» THING(?=
  (?:los|todos|cada|en|desde|por)\b|END)|mi (?:pasatiempo|hobby|afición|pasión)(?: favorito| principal)? (?:es|son)
  (?:el |la |los )?THING|en mi tiempo libre (?:«toco|leo|hago|practico|juego» )(?:al |el |la )?THING)
speaks: «hablo» TONGUE
native: mi lengua materna es (?:el )?TONGUE
learning: «estoy aprendiendo|aprendo» (?P<tongue>\w+)
schedule: «voy|juego|hago|nado|corro|entreno|salgo|tengo» (?:(?:al|a la|a|de|a los|clase de|clases de) )?ACT
  (?P<when>(?:todos los|todas las|cada|los|las) (?:\w+))
schedule: (?P<when>(?:todos los|todas las|cada|los|las) \w+(?: por la \w+)?),?
  (?:voy|juego|hago|nado|entreno|tengo|salgo|como|bebo|tomo) (?:(?:al|a la|a|de|a los|clase de) )?ACT
car: «conduzco|manejo» (?:un |una )?(?:viej[oa] |nuev[oa] )?(?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?)END
car: «tengo» un (?:coche|auto|carro) (?P<ride>[\w-]+)END
smoke: (?:no fumo|«soy» no fumador)
""")

ITALIAN = language(r"""
and: e | ed
but: ma|però
verb: (?:io )?(?:V)
my: (?:il |la )?(?:mio|mia|nostro|nostra)
no: niente
lead: a proposito | io,? | e | ma | sì | no, | ciao | salve | buongiorno | buonasera | allora | ah | beh | come sai |
  perché | comunque | ricorda che | sappi che | tieni presente che | per tua informazione | inoltre | grazie | ok |
  scusa | purtroppo | in realtà | a me
filler: anche | ora | adesso | attualmente | da (?:\w+ ){1,2}(?:anni|anno|mesi|tempo|settimane) | da
  (?:sempre|poco|bambin[oa]|piccol[oa]) | dal \d{4} | originariamente | davvero | molto | tanto | tantissimo |
  moltissimo | ancora | già | sempre | proprio | in realtà | soprattutto | gravemente | particolarmente | un po' |
  fluentemente | personalmente | per niente | affatto | assolutamente | veramente
stop: a | ad | al | in | con | senza | per | contro | da | dal | che | perché | ma | e | ed | o | io | sono | ho |
  abito | vivo | lavoro | è | non | mai | ogni | tutti | tutte | mio | mia | come | quindi | il lunedì | di solito |
  quando | si | presso
not: non | mai | nessun\w* | neanche | nemmeno
jobs: iere iera tore trice aio aia ista ologo ologa ografo grafa insegnante medico medica avvocato avvocata architetto
  architetta ingegnere commessa commesso cuoco cuoca idraulico impiegato impiegata studente studentessa veterinario
  veterinaria maestro maestra pilota chef muratore cantante commercialista segretaria segretario poliziotto poliziotta
  carabiniere agente meccanico musicista professore professoressa libraio contadino contadina operatrice ostetrica
  fisioterapista bibliotecaria geometra
ask: che | quale | quali | chi | dove | quando | come | perché | puoi | può | cosa | mi puoi | sai | c'è | quant\w+ |
  dovrei | potresti
never: se | magari | vorrei | voglio | mi piacerebbe | piacerebbe | desidero | sogno | spero | sarei | avrei |
  abitassi | fossi | avessi | potrei | forse | probabilmente | penso | credo | suppongo | pare | sembra | presunto |
  dice | dicono | disse | detto | racconta | chiede | scrisse | secondo (?!piano) | fino a\w* | prima | una volta | da
  bambino | quando ero | presto | oggi | domani | ieri | quest[aoe]?'? ?(?:settimana|mese|anno|weekend|fine
  settimana|estate|sera) | prossim[oa] | per ora | al momento | temporaneamente | sto per | come se | non vivo più |
  non lavoro più | scherzo | che bello | sia
pretend: im+agin(?:a|ate|iamo|i|ati|atevi) | im+aginiamo | suppon\w+ | metti(?:amo)? (?:caso )?che | mettiamo |
  fa(?:i|cciamo|te|r) (?:finta|conto) | facciamo finta | fingi | fingiamo | gioco di ruolo | per esempio | ad esempio
  | diciamo che | poniamo | dal punto di vista | nei panni di
who: dog cane cagnolino cagnolina cagna; puppy cucciolo cucciola; cat gatto gatta; kitten gattino gattina micio;
  rabbit coniglio; horse cavallo; parrot pappagallo; hamster criceto; tortoise tartaruga; spouse moglie marito;
  girlfriend ragazza fidanzata; boyfriend ragazzo fidanzato; partner compagno compagna; daughter figlia; son figlio;
  sister sorella; brother fratello; mother madre mamma; father padre papà; grandmother nonna; grandfather nonno; aunt
  zia; uncle zio; cousin cugino cugina; niece nipote; boss capo; colleague collega; neighbour vicino vicina; friend
  amico amica; boat barca; children figli bambini; daughters figlie; cats gatti; dogs cani
introduced: (?:io )?sono NAMEEND
name: (?:mi chiamo|il mio nome è|tutti mi chiamano|gli amici mi chiamano|(?:chiamami|puoi chiamarmi|chiamatemi)) NAME
nation: «sono»
  (?P<what>italian[oa]|spagnol[oa]|tedesc[oa]|francese|svizzer[oa]|portoghese|brasilian[oa]|argentin[oa]|inglese|rumen[oa]|albanese|marocchin[oa]|cinese|polacc[oa]|american[oa])END
home: «abito|vivo|viviamo|abitiamo|risiedo|sto di casa» (?:in centro a|vicino al centro di|alla periferia di|a|ad|in)
  PLACE
home: (?:mi sono trasferit[oa]|ci siamo trasferiti) (?:da \w+ )?(?:a|ad|in) PLACE
from: (?:«vengo|provengo» (?:da |dalla |dal |dall')PLACE|«sono» (?:originari[oa] )?(?:di |della |del )PLACEEND|«sono
  cresciut[oa]» (?:a|ad|in) PLACE)
born: «sono nat[oa]» (?:a|ad|in) PLACE
age: «ho» (?P<number>\d{1,3}|(?!molti|pochi|alcuni|tanti)[a-zé]{4,}) anniEND
birthday: (?:il mio compleanno (?:è|cade) (?:il |l')?DATE|«sono nat[oa]» il DATE|«compio» gli anni (?:il |l')DATE)
birthyear: «sono nat[oa]» nel YEAR
am: «faccio» (?:il |la |lo |l')JOB
job: (?:«lavoro» come JOB|di (?:lavoro|mestiere|professione) (?:faccio|sono) (?:il |la |lo |l'|un |una )?JOB|«sono»
  JOB di professione|il mio lavoro è (?:il |la |l')?JOB)
am: «sono» (?:un |una |un'|uno )?JOB
employer: «lavoro» (?:(?:per|alla|presso|da) EMPLOYER|(?:in|per|presso) (?P<employer>un[oa']? ?\w+))
studies: «studio» (?!a\b|all|per|molt)THING
status: «sono» (?P<what>in pensione|pensionat[oa]|disoccupat[oa]|freelance|libero professionista)END
married: «sono» (?P<what>sposat[oa]|divorziat[oa]|single|fidanzat[oa]|vedov[oa]|separat[oa])END
called: MY (?:\w+ )?WHO(?: \w+)? si chiama NAME
called: il nome del(?:la)? (?:mio|mia) WHO è NAME
called: «ho|abbiamo» un[oa']? ?(?:\w+ )?WHO(?:,| di nome| che si chiama| chiamat[oa]) NAME
passing: (?<![\w'])MY WHO,? NAME
names: «ho|abbiamo» (?:\w+ )?WHO(?:,|:| di nome| che si chiamano)? NAMES
names: (?:i |le )?(?:miei|mie|nostri|nostre) (?:\w+ )?WHO (?:si chiamano|sono) NAMES
count: «ho|abbiamo» COUNT WHOEND
none: non (?:ho|abbiamo) figli
allergy: (?:«sono» (?:\w+ )?allergic[oa]|«ho|soffro di» (?:un'|un' )?allergia) (?:al |alla |alle |ai |agli |allo
  |all'|a )THING
intolerance: «sono» intollerante (?:al |alla |alle |ai |agli |allo |all'|a )(?P<what>\w+)
condition: «ho|soffro (?:di|d')» (?:l'|il |la |le |di )?(?P<what>asma|diabete(?: di tipo
  \d)?|emicrani[ae]|epilessia|ipertensione|celiachia|artrite|artrosi|rinite|la pressione alta|pressione alta)
condition: «sono»
  (?P<what>celiac[oa]|diabetic[oa]|asmatic[oa]|epilettic[oa]|mancin[oa]|daltonic[oa]|miope|sord[oa]|dislessic[oa])
medication: «prendo» (?:il |la |l'|lo )?(?P<what>(?!caffè|tè|treno|autobus|mio)\w+) (?:ogni|tutti|tutte|contro|per la)
diet: (?:«sono» |«mangio» |«seguo» una dieta )(?P<what>vegetarian[oa]|vegan[oa]|pescetarian[oa]|kosher|halal|senza
  glutine)
like: (?:mi (?:piace|piacciono)|«adoro|amo|preferisco»|mi appassionan?o?|«sono appassionat[oa]|sono un fan»
  (?:di|del|della)) (?:(?:il|la|lo|i|gli|le|andare a|andare in|fare) |l')?THING
like: «bevo|mangio|leggo|ascolto» (?:(?:il|la|un|una) |l')?THING (?:ogni|tutti i|tutte le|la mattina|al mattino)
favourite: (?:il |la |i |le )?(?:mio|mia|miei|mie) (?P<what>\w+ (?:preferit|favorit)[oaie]) (?:è|sono)
  (?:(?:il|la|lo|i|gli|le) |l')?THING
dislike: (?:non mi (?:piace|piacciono)|non (?:sopporto|amo)) (?:(?:il|la|lo|i|gli|le) |l')?THING
hate: (?:«odio|detesto» |mi fa schifo |mi fanno schifo )(?:(?:il|la|lo|i|gli|le) |l')?THING
avoid: non (?:mangio|bevo|posso mangiare|posso bere|tollero) (?:(?:il|la|lo|i|gli|le) |l')?THING
taken: «bevo|prendo» (?:il|il mio) (?P<drink>caffè|tè) (?P<how>(?:nero|amaro|senza|con)[\w ]{0,30})
hobby: (?:«suono» (?:(?:il|la|lo) |l')?THING|«gioco» (?:a |al |alla )THING|«pratico|faccio» (?:(?:il|la|lo)
  )?(?P<thing>nuoto|yoga|calcio|tennis|pallavolo|corsa|ciclismo|judo|karate|boxe|danza|pilates|trekking|arrampicata|surf|ceramica|giardinaggio|equitazione)|(?:il mio hobby|la mia passione|i miei hobby|il mio passatempo)(?: preferito)? (?:è|sono) (?:(?:il|la|lo) |l')?THING)
speaks: «parlo» (?:l'|il |lo )?TONGUE
native: la mia (?:lingua madre|madrelingua) è (?:l'|il |lo )?TONGUE
learning: «sto imparando|imparo|sto studiando» (?:l'|il |lo )?(?P<tongue>\w+(?:ese|olo|esco|sso|eco|ino|abo|ano)\b)
schedule: «vado|gioco|faccio|nuoto|corro|mi alleno|ho» (?:(?:a|al|alla|in|lezione di) )?ACT (?P<when>(?:ogni|tutti
  i|tutte le|il|la) (?:\w+))
schedule: (?P<when>(?:ogni|tutti i|tutte le|il (?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato)|la domenica|la
  mattina) ?\w*),? (?:vado|gioco|faccio|nuoto|corro|ho|bevo|mangio) (?:(?:a|al|alla|in|lezione di|un|una) )?ACT
car: «guido» (?:un'|una |un )(?:vecchi[oa] |nuov[oa] )?(?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?)END
smoke: non fumo
""")

PORTUGUESE = language(r"""
and: e
but: mas|porém
verb: (?:eu )?(?:V)
my: (?:o |a )?(?:meu|minha|nosso|nossa)
no: sem
lead: a propósito | aliás | eu,? | e | mas | sim | não, | olá | oi | bom dia | boa tarde | boa noite | então | ah |
  bem | bom | como (?:já )?sabes?,? | porque | lembre-se de que | lembra que | saiba que | para sua informação | só
  para você saber | por sinal | além disso | obrigad[oa] | ok | desculpe?a? | infelizmente | na verdade
filler: também | agora | atualmente | hoje em dia | há (?:\w+ ){1,2}(?:anos?|meses|tempo|semanas) | faz (?:\w+
  ){1,2}(?:anos|meses) que | desde (?:\d{4}|sempre|criança|pequen[oa]) | originalmente | realmente | muito | demais |
  bastante | ainda | já | sempre | na verdade | sobretudo | especialmente | gravemente | um pouco(?! de) |
  fluentemente | pessoalmente | nada | mesmo | absolutamente | tanto
stop: a | ao | em | no | na | com | sem | para | por | contra | desde | que | porque | mas | e | ou | eu | sou | tenho
  | moro | trabalho | é | são | não | nunca | cada | todos | todas | meu | minha | como | então | às | numa | num |
  quando | se | há | pra
not: não | nunca | jamais | nenhum\w* | nem
jobs: eiro eira dor dora tor tora ista ólogo óloga ogo oga médico médica advogado advogada arquiteto arquiteta
  professor professora estudante piloto policial juiz juíza músico música militar chef cantor cantora designer
  contadora contador mecânico gerente vendedora secretária secretário farmacêutica farmacêutico fisioterapeuta
  fotógrafa fotógrafo bibliotecária cirurgião veterinária veterinário eletricista técnico técnica químico química
  biólogo agrônomo assistente analista comerciante funcionário funcionária
ask: o que | que | qual | quais | quem | onde | quando | como | por que | pode | você pode | podes | tem | quant\w+ |
  devo | será
never: ^se | se (?:eu|você|tu|a gente|nós|fosse|um dia) | quem me dera | tomara | gostaria | queria | quero | adoraria
  | desejo | sonho | espero | seria | teria | morasse | fosse | tivesse | poderia | talvez | provavelmente | acho |
  penso | creio | suponho | parece | supostamente | diz(?:em)? | disse | conta que | pergunta | escreveu | segundo |
  até | antes | antigamente | quando era | em breve | hoje(?! em dia) | amanhã | ontem | (?:n?est[ae])
  (?:semana|mês|ano|fim de semana|verão|noite) | próxim[oa] | por enquanto | no momento | temporariamente | vou
  (?:morar|me mudar|mudar|trabalhar|ser|viver) | como se | não moro mais | não trabalho mais | já não | brincadeira |
  que bom
pretend: imagin(?:a|e|em|emos|ar) | suponha\w* | supõe | vamos supor | vamos fingir | faz(?:er|e)? de conta |
  faça(?:mos)? de conta | finge | finja | fingir | jogo de interpretação | por exemplo | digamos que | do ponto de
  vista | no papel de
who: dog cão cadela cachorro cachorra cãozinho cachorrinho; puppy filhote; cat gato gata; kitten gatinho gatinha;
  rabbit coelho coelha; horse cavalo égua; parrot papagaio; hamster hamster; tortoise tartaruga jabuti; spouse esposa
  esposo marido mulher; girlfriend namorada; boyfriend namorado; partner companheiro companheira parceiro parceira;
  fiance noivo noiva; daughter filha; son filho; sister irmã; brother irmão; mother mãe; father pai; grandmother avó
  vó; grandfather avô vô; aunt tia; uncle tio; cousin primo prima; niece sobrinha; nephew sobrinho; boss chefe chefa;
  colleague colega; neighbour vizinho vizinha; friend amigo amiga; boat barco; children filhos; daughters filhas; cats
  gatos; dogs cães cachorros
introduced: (?:eu )?sou (?:o |a )?NAMEEND
name: (?:(?:me chamo|chamo-me)|(?:o )?meu nome (?:é|completo é)|(?:todos|todo mundo) me chamam? (?:de
  )?|(?:pode|podes|podem) (?:me chamar|chamar-me)(?: de)?|me chama de|me chame de) ?NAME
nation: «sou»
  (?P<what>brasileir[oa]|portugu\w+|angolan[oa]|moçambican[oa]|espanhol\w*|italian[oa]|argentin[oa]|alem(?:ão|ã)|franc\w+|ingl\w+|japon\w+|american[oa])END
home: «moro|vivo|moramos|vivemos|resido|residimos» (?:perto do centro de|no centro de|nos arredores de|em|no|na) PLACE
home: (?:me mudei|mudei-me|mudei|nos mudamos|mudámo-nos) (?:de \w+ )?(?:para|pra) (?:o |a )?PLACE
from: (?:«sou|venho|somos» (?:natural |originári[oa] )?(?:de |do |da |dos )PLACE|«cresci|fui criad[oa]» (?:em|no|na)
  PLACE)
born: «nasci» (?:em|no|na) PLACE
age: «tenho» (?P<number>\d{1,3}|(?!muitos|poucos|alguns|vários)[a-zê]{4,}(?: e \w+)?) anos(?: de idade)?END
birthday: (?:(?:o )?meu aniversário é (?:no dia |dia |em |a )?DATE|«faço» (?:anos|aniversário) (?:a |em |no dia |dia
  )DATE|«nasci» (?:a |em |no dia |dia )DATE)
birthyear: «nasci» em YEAR
job: (?:«trabalho» (?:como|de) JOB|(?:a )?minha profissão é JOB|«sou» JOB de profissão|«atuo» como JOB)
am: «sou» (?:uma? )?JOB
employer: «trabalho» (?:(?:na|no|para a|para o|em|pra) EMPLOYER|(?:em um|em uma|num|numa|para um|para uma)
  (?P<employer>\w+(?: \w+)?))
studies: «estudo|curso|faço faculdade de» (?!em\b|na\b|no\b|muito)THING
status: «sou|estou» (?P<what>aposentad[oa]|reformad[oa]|desempregad[oa]|autônom[oa]|freelancer)END
married: «sou|estou» (?P<what>casad[oa]|divorciad[oa]|solteir[oa]|viúv[oa]|noiv[oa]|separad[oa])END
called: MY (?:\w+ )?WHO(?: \w+)? (?:se chama|chama-se|tem o nome de) NAME
called: (?:o )?nome d[oa] (?:meu|minha|nosso|nossa) WHO é NAME
called: «tenho|temos» uma? WHO(?: \w+)?(?:,| chamad[oa]| que se chama| de nome) NAME
passing: (?<![\w'])MY WHO,? NAME
names: «tenho|temos» (?:\w+ )?WHO(?:,|:| chamad[oa]s| que se chamam)? NAMES
names: (?:os |as )?(?:meus|minhas|nossos|nossas) (?:\w+ )?WHO (?:se chamam|chamam-se|são) NAMES
count: «tenho|temos» COUNT WHOEND
none: não (?:tenho|temos) filhos
allergy: (?:«sou» (?:\w+ )?alérgic[oa]|«tenho» alergia) (?:ao |à |aos |às |a )THING
intolerance: «sou» intolerante (?:ao |à |a )(?P<what>\w+)
intolerance: «tenho» intolerância (?:ao |à |a )(?P<what>\w+)
condition: «tenho|sofro de» (?P<what>asma|diabetes(?: tipo \d)?|enxaquecas?|epilepsia|hipertensão|pressão alta|doença
  celíaca|artrite|artrose|tdah|rinite|eczema)
condition: «sou»
  (?P<what>celíac[oa]|diabétic[oa]|asmátic[oa]|epiléptic[oa]|canhot[oa]|daltônic[oa]|míope|surd[oa]|disléxic[oa]|hipertens[oa])
medication: «tomo» (?P<what>(?!café|chá|leite|água|banho|cerveja|vinho|um|uma|o|a)\w+) (?:todos|todas|para a|para o|de
  manhã|diariamente)
diet: (?:«sou|como» |«sigo» uma dieta )(?P<what>vegetarian[oa]|vegan[oa]|pescetarian[oa]|kosher|halal|sem glúten)
like: (?:«gosto|gostamos» d[eoa]s? |«adoro|amo|prefiro|curto» |«sou fã» d[eoa]s? )(?:(?:o|a|os|as|um|uma) )?THING
like: «bebo|tomo|como|leio|ouço» (?:(?:o|a|um|uma) )?THING (?:todos os dias|todas as manhãs|toda manhã|todo dia|de
  manhã)
favourite: (?:o |a |os |as )?(?:meu|minha|meus|minhas) (?P<what>\w+ (?:favorit|preferid|predilet)[oa]s?) (?:é|são)
  (?:(?:o|a|os|as) )?THING
dislike: (?:não (?:gosto|gostamos) d[eoa]s? |não (?:suporto|curto|aguento) )(?:(?:o|a|os|as) )?THING
hate: «odeio|detesto|abomino» (?:(?:o|a|os|as) )?THING
avoid: (?:não|nunca) (?:como|bebo|tomo|posso comer|posso beber|posso tomar|tolero) THING
taken: «tomo|bebo» (?:o meu |meu |o )?(?P<drink>café|chá) (?P<how>(?:puro|preto|sem|com)[\w ]{0,30})
hobby: (?:«toco» (?:o |a )?THING|«jogo» (?:à |ao )?THING|«pratico|faço»
  (?P<thing>natação|ioga|yoga|surfe?|futebol|tênis|ténis|vôlei|corrida|ciclismo|judô|capoeira|karatê|boxe|dança|pilates|trilhas?|escalada|cerâmica|musculação|jiu-jitsu|crochê)|(?:(?:o )?meu (?:hobby|passatempo)|(?:a )?minha paixão|meus hobbies)(?: favorito| preferido)? (?:é|são) (?:(?:o|a) )?THING)
speaks: «falo» TONGUE
native: (?:a )?minha língua materna é (?:o )?TONGUE
learning: «estou aprendendo|estou a aprender|aprendo» (?P<tongue>\w+)
schedule: «vou|jogo|faço|nado|corro|treino|tenho» (?:(?:ao|à|na|no|aula de|a|para o) )?ACT (?P<when>(?:todos os|todas
  as|toda|todo|cada|às|aos) (?:\w+)(?:-feiras?)?)
schedule: (?P<when>(?:todos os|todas as|toda|todo|cada|às|aos) \w+(?:-feiras?)?(?: (?:à noite|de manhã))?),? (?:eu
  )?(?:vou|jogo|faço|nado|treino|tenho|bebo|tomo|como) (?:(?:ao|à|na|no|aula de|a|para o|um|uma) )?ACT
car: «dirijo|conduzo» (?:um |uma )?(?:velh[oa] |nov[oa] )?(?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?)END
smoke: não fumo
""")
