"""Spanish and Portuguese as tables."""

from memory.llm.offline.rules.languages.table import language

SPANISH = language(r"""
hints: me mi mis yo soy somos tengo tenemos vivo vivimos resido residimos nuestro nuestra nuestros nuestras nací crecí
  cumplo trabajo estudio estoy llevo padezco sufro tomo bebo como desayuno leo escucho adoro amo prefiero disfruto
  odio
  detesto aborrezco no nunca toco juego practico hago hablo aprendo voy nado corro entreno salgo conduzco manejo sigo
  provengo vengo llámame dime puedes nos
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
filler: aquí(?= en) | también | ahora | actualmente | desde hace (?:\w+ ){1,2}(?:años?|meses|tiempo|semanas) | desde
  (?:\d{4}|siempre|pequeñ[oa]|niñ[oa]|enero|hace poco) | hace (?:\w+ )(?:años|meses) que | originalmente | realmente |
  muy | mucho | muchísimo | bastante | todavía | aún | ya | siempre | la verdad | en realidad | sobre todo |
  especialmente | gravemente | un poco(?! de) | con fluidez | normalmente | personalmente | nada(?! de| en) | de
  verdad
  | absolutamente | simplemente | tanto
stop: a | al | en | con | sin | para | por | contra | desde | que | porque | pero | y | e | o | yo | soy | tengo |
  vivo
  | trabajo | es | son | no | nunca | cada | todos | todas | mi | mis | como | así | los lunes | pues | hace |
  cuando |
  se | está
not: no | nunca | jamás | ning[uú]n\w* | tampoco
jobs: dor dora tor tora ero era ista ólogo óloga ogo oga médico médica abogado abogada profesor profesora arquitecto
  arquitecta contable maestro maestra estudiante piloto policía juez jueza músico música mecánico albañil militar
  auxiliar chef cantante comerciante fisioterapeuta matrona biólogo química químico físico cirujano cirujana
  farmacéutica farmacéutico secretaria secretario funcionario funcionaria empleada gerente guía soldado fotógrafo
  fotógrafa técnico técnica
ask: qué | cuál\w* | quién | dónde | cuándo | cómo | por qué | puedes | puede | hay | sabes | cuánt\w* | me puedes |
  debería | tú | puedo | debo | alguna? | algún | ideas | recomiendas | me recomiendas | conoces | con qué | a qué |
  es(?! verdad| así| cierto)
never: si | viviera | fuera | tuviera | quizás? | tal vez | a lo mejor | probablemente | seguramente | creo |
  pienso | supongo | parece | supuestamente | dice[ns]? | dijo | dicen | cuenta que | me suelta | pregunta | escribió
  | según |
  hasta | antes | de niñ[oa] | cuando era | est[ea] (?:semana|mes|año|fin de semana|verano|noche) |
  por ahora | de momento | temporalmente | como si | ya no vivo | ya no trabajo | qué bien | casi(?! nada| tod|
  siempre) | por poco |
  a punto de | bromea\w* | es coña | la gente | todo el mundo (?:dice|cree|piensa) |
  por (?:un[oa]s|\w+) (?:días|semanas|meses) | mientras | claro | cómo no | prácticamente | me siento | pone que |
  está mal | es un error | equivocad\w*
wants: ojalá | quisiera | querría | quiero | me gustaría | gustaría | desear?ía | sueño | espero | sería | tendría |
  podría | voy a | vamos a | pienso mudarme | pensando en
soon: antiguamente | pronto | hoy | (?<!cada )(?<!por la )(?<!de la )mañana(?!s) | ayer | próxim[oa]
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
""")

PORTUGUESE = language(r"""
hints: me meu minha meus minhas nosso nossa nossos nossas eu sou somos tenho temos moro vivo moramos vivemos resido
  residimos nasci venho cresci fui faço trabalho atuo estudo curso estou sofro tomo bebo como leio ouço gosto gostamos
  adoro amo prefiro curto odeio detesto abomino não nunca toco jogo pratico falo aprendo vou nado corro treino dirijo
  conduzo sigo mudei mudámo mudamos chamo acordo levanto pode podes podem
and: e
nor: nem
but: mas|porém
verb: (?:eu )?(?:V)
my: (?:o |a )?(?:meu|minha|nosso|nossa)
allergic: sou (?:\w+ )?alérgic[oa](?! (?:a|à|ao|aos|às)\b)
allergic_to: sou alérgico a _
without: sem
there: (?:moro|moramos|vivo|vivemos) (?:aqui|lá|cá|aí)(?! em (?-i:[A-Z])) | (?:aqui|lá) (?:moro|moramos)
live_in: moro em _
places: em | de | no | na | perto de
no: sem _
lead: como(?= (?:sou|tenho|moro|vivo|não)\b) | já que | visto que | a propósito | além de (?:\w+ ){1,2} | nas horas
  vagas | nos tempos livres | em casa | aliás | eu,? | e | mas |
  sim | não, | olá | oi | bom dia | boa tarde | boa noite | então | ah |
  bem
  | bom | como (?:já )?sabes?,? | porque | lembre-se de que | lembra que | saiba que | para sua informação | só para
  você saber | por sinal | além disso | obrigad[oa] | ok | desculpe?a? | infelizmente | na verdade
filler: (?:aqui|cá)(?= em) | também | agora | atualmente | hoje em dia | há (?:\w+ ){1,2}(?:anos?|meses|tempo|semanas)
  | faz (?:\w+
  ){1,2}(?:anos|meses) que | desde (?:\d{4}|sempre|criança|pequen[oa]) | originalmente | realmente | muito | demais |
  bastante | ainda | já | sempre | na verdade | sobretudo | especialmente | gravemente | um pouco(?! de) |
  fluentemente
  | pessoalmente | nada | mesmo | absolutamente | tanto
stop: a | ao | aos | em | no | na | com | sem | para | por | contra | desde | que | porque | mas | e | ou | eu | sou |
  tenho | moro | trabalho | é | são | não | nunca | cada | todos | todas | meu | minha | como | então | às | numa |
  num
  | quando | se | há | pra
not: não | nunca | jamais | nenhum\w* | nem
jobs: eiro eira dor dora tor tora ista ólogo óloga ogo oga médico médica advogado advogada arquiteto arquiteta
  professor professora estudante piloto policial juiz juíza músico música militar chef cantor cantora designer
  contadora contador mecânico gerente vendedora secretária secretário farmacêutica farmacêutico fisioterapeuta
  fotógrafa fotógrafo bibliotecária cirurgião veterinária veterinário eletricista técnico técnica químico química
  biólogo agrônomo assistente analista comerciante funcionário funcionária
ask: você | tu | o que | que | qual | quais | quem | onde | quando | como | por que | pode | você pode | podes | tem |
  quant\w+ | devo | será | posso | alguma? | algum | ideias | dicas | me recomenda | recomendas? | conhece[s]? |
  há | com que
never: ^se | se (?:eu|você|tu|a gente|nós|fosse|um dia) | quem me dera | tomara | morasse | fosse | tivesse |
  talvez | provavelmente | acho | penso | creio | suponho | parece | supostamente | diz(?:em)? | disse | conta que |
  pergunta | escreveu | segundo | até | antes | quando era |
  (?:n?est[ae]) (?:semana|mês|ano|fim de semana|verão|noite) | por enquanto | no momento | temporariamente |
  como se | não moro mais | não trabalho mais | já não | que bom | quase(?! tud| nada| sempre| nunca) | por pouco |
  brinca\w* | brinco |
  a gente acha | as pessoas | toda a gente | todo mundo (?:acha|diz|pensa) |
  por (?:uns|umas|alguns|algumas|\w+) (?:dias|semanas|meses) | enquanto | claro | pois claro | praticamente |
  sinto-me | me sinto | escrito | errado | é um erro
wants: gostaria | queria | quero | adoraria | desejo | sonho | espero | seria | teria | poderia | vou (?:morar|me
  mudar|mudar|trabalhar|ser|viver) | a pensar | pensando em
soon: antigamente | em breve | hoje(?! em dia) | amanhã | ontem | próxim[oa]
pretend: imagin(?:a|e|em|emos|ar) | suponha\w* | supõe | vamos supor | vamos fingir | faz(?:er|e)? de conta |
  faça(?:mos)? de conta | finge | finja | fingir | jogo de interpretação | por exemplo | digamos que | do ponto de
  vista | no papel de | em teoria | teoricamente | hipoteticamente | outra vida
who: dog cão cadela cachorro cachorra cãozinho cachorrinho; puppy filhote; cat gato gata; kitten gatinho gatinha;
  rabbit coelho coelha; horse cavalo égua; parrot papagaio; hamster hamster; tortoise tartaruga jabuti; spouse esposa
  esposo marido mulher; girlfriend namorada; boyfriend namorado; partner companheiro companheira parceiro parceira;
  fiance noivo noiva; daughter filha; son filho; sister irmã; brother irmão; mother mãe; father pai; grandmother avó
  vó; grandfather avô vô; aunt tia; uncle tio; cousin primo prima; niece sobrinha; nephew sobrinho; boss chefe chefa;
  colleague colega; friend amigo amiga; boat barco; children filhos; daughters filhas; cats
  gatos; dogs cães cachorros; twins gêmeos gêmeas gémeos gémeas
introduced: (?:eu )?sou (?:o |a )?NAMEEND
name: (?:(?:me chamo|chamo-me)|(?:o )?meu nome (?:é|completo é)|(?:todos|todo mundo) me chamam? (?:de
  )?|(?:pode|podes|podem) (?:me chamar|chamar-me)(?: de)?|me chama de|me chame de) ?NAME
nation: «sou» (?P<what>brasileir[oa]|portugu\w+|angolan[oa]|moçambican[oa]|espanhol\w*|italian[oa]|argentin[oa]
    |alem(?:ão|ã)|franc\w+|ingl\w+|japon\w+|american[oa])END
home: «moro|vivo|moramos|vivemos|resido|residimos» (?:perto do centro de|no centro de|nos arredores de|(?:num|numa|em
  uma?) [\w ]{2,20}? em|em|no|na) PLACE
home: (?:me mudei|mudei-me|mudei|nos mudamos|mudámo-nos) (?:de \w+ )?(?:para|pra) (?:o |a )?PLACE
from: (?:«sou|venho|somos» (?:natural |originári[oa] )?(?:de |do |da |dos )PLACE|«cresci|fui criad[oa]» (?:em|no|na)
  PLACE)
born: «nasci» (?:em|no|na) PLACE
age: «tenho» (?P<number>\d{1,3}|(?!muitos|poucos|alguns|vários)[a-zê]{4,}(?: e \w+)?) anos(?: de idade)?END
birthday: (?:(?:o )?meu aniversário é (?:no dia |dia |em |a )?DATE|«faço» (?:anos|aniversário) (?:a |em |no dia |dia
  )DATE|«nasci» (?:a |em |no dia |dia )DATE)
birthyear: «nasci» em YEAR
am: «sou» (?:[oa] )?(?-i:[A-ZÁÉÍÓÚ])\w+, (?:uma? )?JOB(?: por conta própria)?END
job: (?:«trabalho» (?:(?:na|no|em|para) [^,]{2,25}? )?(?:como|de) JOB|(?:a )?minha profissão é JOB|«sou» JOB de
  profissão|«atuo» como JOB)
am: «sou» (?:uma? )?JOB
employer: «trabalho» (?:(?:na|no|para a|para o|em|pra) EMPLOYER|(?:em um|em uma|num|numa|para um|para uma)
  (?P<employer>\w+(?: \w+)?))
studies: «estudo|curso|faço faculdade de» (?!em\b|na\b|no\b|muito)THING
status: «sou|estou» (?P<what>aposentad[oa]|reformad[oa]|desempregad[oa]|autônom[oa]|freelancer)END
married: «sou|estou» (?P<what>casad[oa]|divorciad[oa]|solteir[oa]|viúv[oa]|noiv[oa]|separad[oa])END
called: MY (?:\w+ )?WHO(?: \w+)? (?:se chama|chama-se|tem o nome de) NAME
called: (?:o )?nome d[oa] (?:meu|minha|nosso|nossa) WHO é NAME
called: «tenho|temos» uma? WHO(?: \w+| de \w+ (?:anos|meses))?(?:,| chamad[oa]|,? que se chama|,? se chama| de nome)
  NAME
passing: (?<![\w'])(?:MY WHO NAME|NOTOFMY WHO, (?:[oa] )?NAME)
names: «tenho|temos» (?:\w+ )?GROUP(?:,|:| chamad[oa]s| que se chamam)? NAMES
names: (?:os |as )?(?:meus|minhas|nossos|nossas) (?:\w+ )?GROUP (?:se chamam|chamam-se|são) NAMES
count: «tenho|temos» COUNT GROUPEND
none: não (?:tenho|temos) filhos
allergy: (?:«sou» (?:\w+ )?alérgic[oa]|«tenho» alergia) (?:ao |à |aos |às |a )THING
intolerance: «sou» intolerante (?:ao |à |a )(?P<what>\w+)
intolerance: «tenho» intolerância (?:ao |à |a )(?P<what>\w+)
condition: «tenho|sofro de» (?:ILL|(?P<what>pressão alta|doença celíaca))
passing_ill: (?<![\w'])(?:meu|minha) ILL
passing_car: (?<![\w'])MY (?:velh[oa] |nov[oa] )?MAKE
passing_names: (?<![\w'])(?:meus|minhas|nossos|nossas) (?:\w+ )?GROUP,? NAMES
am: (?:como|sendo|enquanto) (?!ternera|pera)JOB1,?
  (?!todo|muito|pouco|só|como|tanto|quando|pelo)(?:\w+o|estou|vou|dou)\b
condition: (?:fui|sou) diagnosticad[oa] com ILL
condition: «sou» (?P<what>celíac[oa]|diabétic[oa]|asmátic[oa]|epiléptic[oa]|canhot[oa]|daltônic[oa]|míope|surd[oa]
    |disléxic[oa]|hipertens[oa])
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
  (?P<thing>natação|ioga|yoga|surfe?|futebol|tênis|ténis|vôlei|corrida|ciclismo|judô|capoeira|karatê|boxe|dança|pilates
    |trilhas?|escalada|cerâmica|musculação|jiu-jitsu|crochê)|(?:(?:o )?meu (?:hobby|passatempo)|(?:a )?minha
  paixão|meus hobbies)(?: favorito| preferido)? (?:é|são) (?:(?:o|a) )?THING)
speaks: «falo|falamos(?: em casa)?» TONGUE
native: (?:a )?minha língua materna é (?:o )?TONGUE
learning: «estou aprendendo|estou a aprender|aprendo» (?P<tongue>\w+)
schedule: «vou|jogo|faço|nado|corro|treino|tenho» (?:(?:ao|à|na|no|aula de|a|para o) )?ACT (?P<when>(?:(?:todos os|todas
  as|toda|todo|cada) \w+|(?:às|aos) (?:segundas?|terças?|quartas?|quintas?|sextas?|sábados?|domingos?))(?:-feiras?)?)
schedule: (?P<when>(?:todos os|todas as|toda|todo|cada|às|aos) \w+(?:-feiras?)?(?: (?:à noite|de manhã))?),? (?:eu
  )?(?:vou|jogo|faço|nado|treino|tenho|bebo|tomo|como) (?:(?:ao|à|na|no|aula de|a|para o|um|uma) )?ACT
car: «dirijo|conduzo» (?:um |uma )?(?:velh[oa] |nov[oa] )?(?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?)END
wake: «acordo|levanto-me|me levanto» (?P<when>às? [\w: ]{1,20})
smoke: não fumo
""")
