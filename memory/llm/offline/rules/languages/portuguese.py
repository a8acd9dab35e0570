"""Portuguese as a table."""

from memory.llm.offline.rules.languages.table import language

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
