"""Spanish as a table."""

from memory.llm.offline.rules.languages.table import language

SPANISH = language(r"""
hints: me mi mis yo soy somos tengo tenemos vivo vivimos resido residimos nuestro nuestra nuestros nuestras nací crecí
  cumplo trabajo estudio estoy llevo padezco sufro tomo bebo como desayuno leo escucho adoro amo prefiero disfruto
  odio
  detesto aborrezco no nunca toco juego practico hago hablo aprendo voy nado corro entreno salgo conduzco manejo sigo
  provengo vengo llámame dime puedes nos
  aquí xfa favor voy uso canto bailo prefiero
and: y | e
nor: ni
but: pero|aunque
verb: (?:yo )?(?:V)
my: mi|nuestr[oa]
allergic: (?:me|es que me) dan? alergia(?! (?:el|la|los|las)\b) | soy (?:\w+ )?alérgic[oa](?! a) | les? tengo alergia
allergic_to: soy alérgico a _
without: sin
there: (?:vivo|vivimos) (?:aquí|allí|ahí|allá) | (?:aquí|allí) (?:vivo|vivimos)
live_in: vivo en _
places: en | de | desde | por | cerca de
no: sin _
lead: como(?= (?:soy|tengo|vivo|no|me)\b) | dado que | por cierto | además de (?:\w+ ){1,2} | en casa | en mis ratos
  libres | yo,? | y | pero | sí | no, | hola |
  buenas | buenos días | bueno | pues | ah | como (?:ya )?sabes |
  porque | ya que | desde que | es que | la verdad es que | a mí | recuerda que | ten en cuenta que | para tu
  información | oye |
  perdón | además | gracias | ok | en mi casa | desgraciadamente
  | a ver(?: si me salvas| si me ayudas)? | una (?:duda|pregunta)(?: rápida)? | duda | pregunta | sí que | que | eh
  | mira | normalmente | buenass? | hey | por lo demás
filler: aquí(?= en) | también | ahora | actualmente | desde hace (?:\w+ ){1,2}(?:años?|meses|tiempo|semanas) | desde
  (?:\d{4}|siempre|pequeñ[oa]|niñ[oa]|enero|hace poco) | hace (?:\w+ )(?:años|meses) que | originalmente | realmente |
  muy | mucho | muchísimo | bastante | todavía | aún | ya | siempre | la verdad | en realidad | sobre todo |
  especialmente | gravemente | un poco(?! de) | con fluidez | normalmente | personalmente | nada(?! de| en) | de
  verdad
  | absolutamente | simplemente | tanto
  | pues | de toda la vida | vamos | hombre
stop: a | al | en | con | sin | para | por | contra | desde | que | porque | pero | y | e | o | yo | soy | tengo |
  vivo
  | trabajo | es | son | no | nunca | cada | todos | todas | mi | mis | como | así | los lunes | pues | hace |
  cuando |
  se | está
  | entonces | así
not: no | nunca | jamás | ning[uú]n\w* | tampoco
jobs: dor dora tor tora ero era ista ólogo óloga ogo oga médico médica abogado abogada profesor profesora arquitecto
  arquitecta contable maestro maestra estudiante piloto policía juez jueza músico música mecánico albañil militar
  auxiliar chef cantante comerciante fisioterapeuta matrona biólogo química químico físico cirujano cirujana
  farmacéutica farmacéutico secretaria secretario funcionario funcionaria empleada gerente guía soldado fotógrafo
  fotógrafa técnico técnica
ask: qué | cuál\w* | quién | dónde | cuándo | cómo | por qué | puedes | puede | hay | sabes | cuánt\w* | me puedes |
  debería | tú | puedo | debo | alguna? | algún | ideas | recomiendas | me recomiendas | conoces | con qué | a qué |
  es(?! verdad| así| cierto)
  | existen? | vale la pena | cuesta | sirve | funciona
never: si | viviera | fuera | tuviera | quizás? | tal vez | a lo mejor | probablemente | seguramente | creo |
  pienso | supongo | parece | supuestamente | dice[ns]? | dijo | dicen | cuenta que | me suelta | pregunta | escribió
  | según |
  antes | de niñ[oa] | cuando era |
  por ahora | de momento | temporalmente | como si | ya no vivo | ya no trabajo | qué bien | casi(?! nada| tod|
  siempre) | por poco |
  a punto de | bromea\w* | es coña | la gente | todo el mundo (?:dice|cree|piensa) |
  por (?:un[oa]s|\w+) (?:días|semanas|meses) | mientras | claro | cómo no | prácticamente | me siento | pone que |
  está mal | es un error | equivocad\w*
  | oficialmente | sí claro | seguro que sí | por supuesto
wants: ojalá | quisiera | querría | quiero | me gustaría | gustaría | desear?ía | sueño | espero | sería | tendría |
  podría | voy a | vamos a | pienso mudarme | pensando en
soon: antiguamente | pronto | hoy | (?<!cada )(?<!por la )(?<!de la )mañana(?!s) | ayer | próxim[oa]
  | hasta | est[ea] (?:semana|mes|año|fin de semana|verano|noche)
pretend: hacer como (?:si|que) | fingir | imagin(?:a|e|emos|ad|en)(?:te|os|se)? | imagínate | imagínese | imaginaos |
  supon(?:gamos|te|ga|gan)? |
  supón\w* | haz(?:me)? (?:de cuenta|como (?:si|que)) | hagamos de cuenta | hacer? de cuenta | finge | finjamos |
  juego de rol | por ejemplo | digamos que | pongamos que | pon que | actúa como | desde el punto de vista | en el
  papel de | en teoría | teóricamente | hipotéticamente | otra vida
who: dog perro perra perrito perrita; puppy cachorro cachorra; cat gato gata; kitten gatito gatita; rabbit conejo
  coneja; horse caballo yegua; bird pájaro; parrot loro; hamster hámster; tortoise tortuga; spouse esposa esposo mujer
  marido; girlfriend novia; boyfriend novio; partner pareja; daughter hija; son hijo; sister hermana; brother hermano;
  mother madre mamá; father padre papá; grandmother abuela; grandfather abuelo; aunt tía; uncle tío; cousin primo
  prima; niece sobrina; nephew sobrino; boss jefe jefa; colleague compañero compañera colega; friend amigo amiga; boat
  barco; children hijos; daughters hijas; brothers hermanos; sisters hermanas; cats gatos;
  dogs perros; twins gemelos gemelas mellizos mellizas
  ; child peque pequeña pequeño mayor benjamín benjamina bebé nieto nieta; hen gallina; ferret hurón; goat cabra;
  hens gallinas; ferrets hurones; rabbits conejos; horses caballos; goats cabras; guinea_pigs cobayas
introduced: (?:yo )?soy NAMEEND
name: (?:me llamo|mi nombre (?:es|completo es)|(?:todos|todo el mundo|mis amigos) me (?:llaman|llama|dicen)|me
  (?:llaman|dicen)|(?:llámame|puedes llamarme|dime|me puedes llamar)) NAME
nation: «soy» (?P<what>español\w*|mexican[oa]|argentin[oa]|colombian[oa]|chilen[oa]|peruan[oa]|venezolan[oa]|cuban[oa]
    |italian[oa]|aleman\w*|francés|francesa|portugu\w+|brasileñ[oa]|uruguay[oa]|ecuatorian[oa]|bolivian[oa]|chin[oa]
    |ingl\w+)END
home: (?:«vivo|vivimos|resido|residimos») (?:en el centro de|a las afueras de|cerca del centro de|en un[oa]? [\w
  ]{2,25}? en|en) PLACE
home: «llevo» (?:\w+ ){1,4}viviendo en PLACE
home: (?:me mudé|nos mudamos|me he mudado|nos hemos mudado|me trasladé) (?:de \w+ )?a PLACE
from: (?:«soy|vengo|provengo|somos» (?:originari[oa] |natural )?de PLACE|«nací y crecí|crecí|me crié» en PLACE)
born: «nací» en PLACE
age: «tengo» (?P<number>\d{1,3}|(?!muchos|pocos|unos|varios)[a-zé]{4,}(?: y \w+)?) años(?: de edad)?END
birthday: (?:mi cumpleaños es (?:el )?DATE|«nací» el (?:día )?DATE|«cumplo» años el DATE)
birthyear: «nací» en YEAR
am: «soy» (?-i:[A-ZÁÉÍÓÚ])\w+, (?:una? )?JOBEND
job: (?:«trabajo» (?:en [^,]{2,25}? )?(?:como|de) (?:una? )?JOB|mi (?:trabajo|profesión) es (?:ser |de )?JOB|«soy» JOB
  de profesión|me
  dedico a (?:la |el )?JOB|me gano la vida como JOB)
am: «soy» (?:una? )?JOB
employer: «trabajo» (?:en|para) (?:la |el )?(?:EMPLOYER|(?P<employer>una? \w+(?: \w+)?))
studies: «estudio» (?!en\b|much|para)THING
status: «estoy|soy» (?P<what>jubilad[oa]|desempleada?o?|en paro|en el paro|autónom[oa]|retirad[oa])END
married: «estoy|soy» (?P<what>casad[oa]|divorciad[oa]|solter[oa]|viud[oa]|comprometid[oa]|separad[oa])END
called: MY (?:\w+ )?WHO(?: \w+)? se llama NAME
called: el nombre de mi WHO es NAME
called: (?:«tengo|tenemos») una? WHO(?: \w+| de \w+ (?:años|meses))?(?:,| llamad[oa]|,? que se llama|,? se llama| de
  nombre) NAME
passing: (?<![\w'])(?:MY WHO NAME|NOTOFMY WHO, NAME)
names: «tengo|tenemos» (?:\w+ )?GROUP(?:,|:| llamad[oa]s| que se llaman)? NAMES
names: (?:mis|nuestr[oa]s) (?:\w+ )?GROUP (?:se llaman|son) NAMES
count: «tengo|tenemos» COUNT GROUPEND
none: no (?:tengo|tenemos) hijos
allergy: (?:«soy» (?:\w+ )?alérgic[oa] (?:al |a la |a los |a las |a )|«tengo|padezco» (?:una )?alergia (?:al |a la |a
  los |a las |a )|me dan? alergia (?:el |la |los |las ))THING
intolerance: «soy» intolerante (?:al |a la |a los |a )(?P<what>\w+)
intolerance: «tengo» intolerancia (?:al |a la |a los |a )(?P<what>\w+)
condition: «tengo|sufro de|padezco de|padezco|sufro» (?:la )?(?:ILL|(?P<what>tensión alta))
passing_ill: (?<![\w'])(?:mi|mis) ILL
passing_car: (?<![\w'])MY (?:viej[oa] |nuev[oa] )?MAKE
passing_names: (?<![\w'])(?:mis|nuestr[oa]s) (?:\w+ )?GROUP,? NAMES
am: (?:como|siendo) (?!ternera|pera)JOB1,? (?!todo|mucho|poco|sólo|solo|como|tanto|cuando)\w+(?:o|oy)\b
from: «soy» (?-i:[A-ZÁÉÍÓÚ])\w+, de PLACE
condition: (?:me (?:han )?diagnostica(?:ron|do)|tengo diagnosticad[oa]) (?:una? )?ILL
condition: «soy» (?P<what>celíac[oa]|diabétic[oa]|asmátic[oa]|epiléptic[oa]|zurd[oa]|daltónic[oa]|miope|sord[oa]
    |disléxic[oa]|hipertens[oa])
medication: «tomo» (?P<what>(?!café|té|leche|agua|cerveza|vino|un|una|el|la)\w+) (?:cada|todos|todas|para la|para
  el|por la)
diet: (?:«soy|como» |«llevo» una dieta |«sigo» una dieta
  )(?P<what>vegetarian[oa]|vegan[oa]|pescetarian[oa]|kosher|halal|sin gluten)
like: (?:me (?:gusta|gustan|encanta|encantan|chifla|fascina|fascinan|apasiona|apasionan)|«adoro|amo|prefiero
  |disfruto»(?: de)?|«soy fan» de|«soy» aficionad[oa] (?:a|al)) (?:(?:el|la|los|las|ir al|ir a|salir a|un|una)
  )?THING
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
speaks: «hablo|hablamos(?: en casa)?» TONGUE
native: mi lengua materna es (?:el )?TONGUE
learning: «llevo» (?:\w+ ){1,3}aprendiendo TONGUE
learning: «estoy aprendiendo|aprendo» (?P<tongue>\w+)
schedule: «voy|juego|hago|nado|corro|entreno|salgo|tengo» (?:(?:al|a la|a|de|a los|clase de|clases de) )?ACT
  (?P<when>(?:(?:todos los|todas las|cada) \w+|(?:los|las)
  (?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|mañanas|tardes|noches)))
schedule: (?P<when>(?:todos los|todas las|cada|los|las) \w+(?: por la \w+)?),?
  (?:voy|juego|hago|nado|entreno|tengo|salgo|como|bebo|tomo) (?:(?:al|a la|a|de|a los|clase de) )?ACT
car: «conduzco|manejo» (?:un |una )?(?:viej[oa] |nuev[oa] )?(?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?)END
car: «tengo» un (?:coche|auto|carro) (?P<ride>[\w-]+)END
wake: me (?:levanto|despierto) (?P<when>a las? [\w: ]{1,20})
smoke: (?:no fumo|«soy» no fumador)
the: el|la
the_named: el|la
have: tengo|tenemos
with_me: y yo (?=\w+mos\b)
passing: (?<![\w'])(?:MY|la|el) NEAR, (?:mi |la |el |nuestr[oa] )?NAME(?=[ ,.!?]|$)
passing_home: (?<![\w'])(?:en (?:mi )?casa|de vuelta),? en PLACE
passing_home: (?<![\w'])PLACE,? (?:que es )?donde (?:vivo|vivimos)(?=\W|$)
home: (?:nos acabamos de mudar|acabo de mudarme|acabamos de mudarnos|me acabo de mudar|acabo de instalarme) (?:de \w+
  )?(?:a|en) PLACE
name: aquí NAME(?=,|!|\.|$)
from: aquí (?-i:[A-ZÁÉÍÓÚ])\w+, (?:desde|de) PLACE
medication: «tomo» (?:\w+ ){0,2}?(?:la |el )?DRUG
medication: [\w ]{3,40}? y tomo (?:la |el )?DRUG
passing_medication: (?<![\w'])(?:DRUG que tomo|mi DRUG)
their_allergy: (?:MY|la|el) WHO(?:,? (?:mi )?NAME,?)? (?:es (?:\w+ )?alérgic[oa]|tiene alergia) (?:al |a la |a los |a
  las |a )THING
condition: «voy|estoy|uso|ando» (?:en )?(?P<what>silla de ruedas)
condition: (?:tengo|padezco|sufro de) [\w ]{3,30}? y (?:la )?ILL
passing_birthday: (?<![\w'])(?:el )?DATE (?:cumplo|hago|es mi cumple\w*)
anniversary: [^,]{0,40}?(?:celebramos|hacemos|cumplimos) (?:el DATE [\w ]{2,20}?(?:casad[oa]s|boda|matrimonio)|[\w
  ]{2,25}?(?:casad[oa]s|boda|matrimonio) el DATE)
dislike: (?:el |la |los |las )?THING (?:no es lo mío|no son lo mío|no va conmigo|no van conmigo|me da asco|me dan
  asco|no me va|no me van|ni verl[oa]s?|ni en pintura)
hobby: «canto|bailo|actúo|toco» en (?P<thing>(?:un|una|el|la) (?:coro|banda|grupo|orquesta|compañía|charanga)(?:
  (?!en|y|los|de|desde)\w+)?)
hobby: (?:los|las|cada|todos los|todas las) \w+(?: por la \w+)? (?:canto|bailo|toco|actúo) en
  (?P<thing>(?:un|una|el|la) (?:coro|banda|grupo|orquesta)(?: (?!en|y|los|de)\w+)?)
hobby: (?:los|las|cada|todos los|todas las) \w+(?: por la \w+)? (?:juego|practico|hago) (?:al |a la |a )?THING
never_offer: (?:nunca|jamás|no) me (?:propongas|sugieras|recomiendes|ofrezcas) (?:nunca |nada con |platos con )?THING
passing_address: (?<![\w'])(?:(?P<style>tutéame|trátame de (?:tú|usted)|háblame de (?:tú|usted))|(?:puedes|podrías)
  (?P<style>tutearme|tratarme de (?:tú|usted)))(?!\w)
passing_answers: (?<![\w'])(?:respóndeme|responde|contéstame|contesta|escríbeme|explícame|háblame)(?: por favor)?
  (?:siempre|a partir de ahora|de ahora en adelante|en adelante|solo|sólo) STYLE
passing_answers: (?<![\w'])(?:siempre|a partir de ahora|de ahora en adelante),?
  (?:respóndeme|contéstame|responde|contesta|escríbeme) STYLE
passing_without: (?<![\w'])no (?:me )?(?:pongas|uses|metas|utilices)(?: tantos| más| nunca)?
  (?P<thing>emojis?|emoticonos|viñetas|listas|negritas?|tablas|tecnicismos)
called: (?:tengo|tenemos) (?:solo |sólo |a )*(?:el |la )?(?:WHO, NAME|NAME, (?:una?|mi) WHO)(?=[,. ]|$)
car: «tengo|tenemos|conduzco|llevo» (?:una? )?(?:viej[oa] |nuev[oa] )?MAKE
""")
