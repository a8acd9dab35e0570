"""Portuguese as a table."""

from memory.llm.offline.rules.languages.table import language

PORTUGUESE = language(r"""
hints: me meu minha meus minhas nosso nossa nossos nossas eu sou somos tenho temos moro vivo moramos vivemos resido
  residimos nasci venho cresci fui faço trabalho atuo estudo curso estou sofro tomo bebo como leio ouço gosto gostamos
  adoro amo prefiro curto odeio detesto abomino não nunca toco jogo pratico falo aprendo vou nado corro treino dirijo
  conduzo sigo mudei mudámo mudamos chamo acordo levanto pode podes podem
  pf favor canto dança aqui prefiro
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
  | (?:uma )?(?:pergunta|dúvida)(?: rápida)? | epa | opa | eai | e aí | gente | olha | tipo | normalmente | de resto
  | já agora | o que eu? sou é(?= \w)
filler: (?:aqui|cá)(?= em) | também | agora | atualmente | hoje em dia | há (?:\w+ ){1,2}(?:anos?|meses|tempo|semanas)
  | faz (?:\w+
  ){1,2}(?:anos|meses) que | desde (?:\d{4}|sempre|criança|pequen[oa]) | originalmente | realmente | muito | demais |
  bastante | ainda | já | sempre | na verdade | sobretudo | especialmente | gravemente | um pouco(?! de) |
  fluentemente
  | pessoalmente | nada | mesmo | absolutamente | tanto
  | já agora | só | ali | lá | desde sempre
stop: a | ao | aos | em | no | na | com | sem | para | por | contra | desde | que | porque | mas | e | ou | eu | sou |
  tenho | moro | trabalho | é | são | não | nunca | cada | todos | todas | meu | minha | como | então | às | numa |
  num
  | quando | se | há | pra
  | então | daí
not: não | nunca | jamais | nenhum\w* | nem
jobs: eiro eira dor dora tor tora ista ólogo óloga ogo oga médico médica advogado advogada arquiteto arquiteta
  professor professora estudante piloto policial juiz juíza músico música militar chef cantor cantora designer
  contadora contador mecânico gerente vendedora secretária secretário farmacêutica farmacêutico fisioterapeuta
  fotógrafa fotógrafo bibliotecária cirurgião veterinária veterinário eletricista técnico técnica químico química
  biólogo agrônomo assistente analista comerciante funcionário funcionária
ask: você | tu | o que | que | qual | quais | quem | onde | quando | como | por que | pode | você pode | podes | tem |
  quant\w+ | devo | será | posso | alguma? | algum | ideias | dicas | me recomenda | recomendas? | conhece[s]? |
  há | com que
  | existem? | vale a pena | serve | funciona | quanto | dá
never: ^se | se (?:eu|você|tu|a gente|nós|fosse|um dia) | quem me dera | tomara | morasse | fosse | tivesse |
  talvez | provavelmente | acho | penso | creio | suponho | parece | supostamente | diz(?:em)? | disse | conta que |
  pergunta | escreveu | segundo | antes | quando era |
   temporariamente |
  como se | não moro mais | não trabalho mais | já não | que bom | quase(?! tud| nada| sempre| nunca) | por pouco |
  brinca\w* | brinco |
  a gente acha | as pessoas | toda a gente | todo mundo (?:acha|diz|pensa) |
  por (?:uns|umas|alguns|algumas|\w+) (?:dias|semanas|meses) | enquanto | claro | pois claro | praticamente |
  sinto-me | me sinto | escrito | errado | é um erro
  | oficialmente | até parece | com certeza
wants: gostaria | queria | quero | adoraria | desejo | sonho | espero | seria | teria | poderia | vou (?:morar|me
  mudar|mudar|trabalhar|ser|viver) | a pensar | pensando em
soon: antigamente | em breve | hoje(?! em dia) | amanhã | ontem | próxim[oa]
  | até | n?est[ae] (?:semana|mês|ano|fim de semana|verão|noite) | por enquanto | no momento
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
  ; child caçula filhota filhote pequeno pequena neto neta bebê bebé; hen galinha; ferret furão; goat cabra; hens
  galinhas; ferrets furões; rabbits coelhos; horses cavalos; goats cabras; guinea_pigs porquinhos
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
the: o|a
the_named: o|a
have: tenho|temos
with_me: e eu (?=\w+mos\b)
passing: (?<![\w'])NOTOFMY NEAR, (?:o |a )?NAME(?=[ ,.!?]|$)
passing_home: (?<![\w'])em casa,? (?:em|no|na) PLACE
passing_home: (?<![\w'])PLACE,? onde (?:eu )?(?:moro|vivo|moramos|vivemos)(?=\W|$)
home: (?:acabei de me mudar|acabamos de nos mudar|acabei de mudar|acabámos de nos mudar) (?:para|pra) (?:o |a )?PLACE
passing_name: ^(?:(?:oi|olá|epa|bom dia|boa tarde|boa noite)[,!]? )?(?:eu )?sou [oa]
  (?P<name>(?-i:[A-ZÁÉÍÓÚ])[a-záéíóúâêôãõç]+)(?=[,.!]|$)
name: aqui (?:é|fala) (?:o |a )?NAME
am: o que (?:eu )?sou é (?:uma? )?JOB
medication: «tomo» (?:\w+ ){0,2}?(?:a |o )?DRUG
passing_medication: (?<![\w'])(?:DRUG que (?:eu )?tomo|(?:meu|minha) DRUG)
their_allergy: MY WHO(?: NAME)? (?:é (?:\w+ )?alérgic[oa]|tem alergia) (?:ao |à |aos |às |a )THING
condition: «ando|estou|uso» (?:de |em |numa )?(?P<what>cadeira de rodas)
condition: (?:tenho|sofro de) [\w ]{3,30}? e ILL
passing_birthday: (?<![\w'])(?:(?:dia|em|no dia|a) )?DATE (?:faço|completo|é o meu aniversário|é meu aniversário)
anniversary: [^,]{0,40}?(?:fazemos|comemoramos|celebramos) (?:(?:dia|a|em|no dia) DATE [\w
  ]{2,25}?(?:casad[oa]s|casamento|bodas)|[\w ]{2,25}?(?:casad[oa]s|casamento) (?:a|em|dia|no dia) DATE)
dislike: (?:(?:o|a|os|as) )?THING (?:não é comigo|não são comigo|não desce|não descem|não é (?:a )?minha praia|me dá
  nojo|me dão nojo|não vai comigo)
hobby: «canto|danço|toco» (?:num|numa|em um|em uma|no|na) (?P<thing>(?:coro|coral|banda|orquestra|grupo|rancho)(?:
  (?!em|e|de|há)\w+)?)
never_offer: (?:nunca|não) (?:me )?(?:sugira|sugiras|recomende|proponha|proponhas|ofereça)(?: nunca| nada com)? THING
passing_address: (?<![\w'])(?:(?P<style>trata-me por (?:tu|você)|me trat[ae] por (?:tu|você|senhora?))|pode(?:s)?
  (?P<style>tratar-me por (?:tu|você)))(?!\w)
passing_answers: (?<![\w'])(?:responde|responda|me responda|responde-me|escreve|escreva|explica|explique|fala|fale)(?:
  comigo)?(?: por favor)? (?:sempre|a partir de agora|daqui (?:em|para|pra) (?:diante|frente)|só) STYLE
passing_answers: (?<![\w'])(?:sempre|a partir de agora|daqui pra frente),? (?:me
  )?(?:responde|responda|escreve|escreva) STYLE
passing_without: (?<![\w'])(?:não|sem) (?:me )?(?:uses?|usa|coloque|coloca|põe|ponhas|mete|metas|usar|pôr)(?: tantos|
  mais)? (?P<thing>emojis?|carinhas|listas|negritos?|tabelas|tópicos)
called: (?:tenho|temos) (?:só |apenas )?(?:o |a )?(?:WHO, (?:o |a )?NAME|NAME, (?:uma?|a minha|o meu) WHO)(?=[,. ]|$)
car: (?:«tenho|temos|dirijo|conduzo» |(?:o )?(?:meu )?carro é )(?:uma? )?(?:velh[oa] |nov[oa] )?MAKE
""")
