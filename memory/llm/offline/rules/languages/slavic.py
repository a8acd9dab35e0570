"""Polish and Russian as tables."""

from memory.llm.offline.rules.languages.table import language

POLISH = language(r"""
hints: mam mamy jestem mieszkam mieszkamy żyję nazywam mój moja moje moi moim moją mojego mojej nasz nasza nasze nasi
  imię pochodzę urodziłem urodziłam wychowałem wychowałam dorastałem dorastałam przeprowadziłem przeprowadziłam
  przeprowadziliśmy pracuję zarabiam studiuję nie choruję cierpię biorę przyjmuję zażywam lubię kocham uwielbiam wolę
  przepadam interesuję piję jem czytam słucham nienawidzę gram uprawiam trenuję mówię mówią nazywają uczę chodzę
  ćwiczę
  biegam pływam jeżdżę wstaję mów mówcie możesz uczula uczulają urodziny
  żona mąż syn córka stuknie kończę skończę morsuję wędkuję biorę łykam jeżdżę uczulenie alergię proszę tu u
and: i | oraz | a
nor: ani
but: ale|bo
verb: (?:ja )?(?:V)
my: (?:mój|moja|moje|nasz|nasza|nasze)
allergic: mam na (?:nie|to|nią|niego) (?:uczulenie|alergię) | mam (?:uczulenie|alergię)(?! na) | jestem (?:na
  (?:nie|to|nią) )?uczulon[ay](?! na)
allergic_to: mam uczulenie na _
without: bez | zastąpić
there: (?:tu|tam|tutaj) (?:mieszkam|mieszkamy) | (?:mieszkam|mieszkamy) (?:tu|tam|tutaj)
live_in: mieszkam w _
places: w | we | z | ze | okolicach | koło
no: bez _
stop: w | we | na | z | ze | do | od | dla | u | przy | przez | po | o | bo | że | który | która | jak | jako | ale
  | i
  | oraz | a | ja | jestem | mam | mieszkam | pracuję | jest | są | nie | nigdy | co | każdy | każdą | mój | moja |
  się
  | więc | od | gdy | lubię
lead: na co dzień | w domu | po pracy | a tak to | a propos | przy okazji | ale | tak | nie, | cześć | hej | dzień
  dobry | no | więc | ach | jak wiesz |
  bo | ponieważ | pamiętaj,? że | zapamiętaj,? że | dla informacji | poza tym | dzięki | i | a | niestety |
  właściwie |
  witaj | witam
  | hejka | siema | elo | w ogóle to | tak w ogóle(?: to)? | ogólnie(?: to)? | (?:szybkie |mam )?pytanie | aha |
  zwykle | normalnie | słuchaj | poza tym
filler: tu(?= w) | też | również | teraz | obecnie | aktualnie | od (?:\w+ ){0,2}(?:lat|roku|miesięcy|dawna) | od
  (?:\d{4}(?:
  roku)?|zawsze|dziecka|urodzenia|niedawna) | już | nadal | wciąż | ciągle | naprawdę | bardzo | dużo | zawsze |
  właściwie | raczej | szczególnie | silnie | mocno | trochę | płynnie | osobiście | w ogóle | zupełnie | zawodowo | z
  zawodu | z wykształcenia | totalnie | absolutnie | po prostu | najbardziej | regularnie
  | akurat | to(?= mam| jestem) | jakby | niby
not: nie | nigdy | żadn\w+ | ani
ask: co | kto | gdzie | kiedy | dlaczego | jak | która | który | czy | możesz | ile | mógłbyś | masz | mogę | czym |
  jaki\w* | pole[cć]\w+ | poradzisz | pomożesz | znasz | da się | warto
  | istnieje | działa | ile | pomaga | wystarczy | starczy
never: gdyby\w* | jeśli | jeżeli | czy | był(?:a|o)?by\w* | miał(?:a)?bym | może | chyba | prawdopodobnie | pewnie |
  myślę | sądzę | wydaje mi się | podobno | rzekomo | mówi | mówią | powiedział\w* | twierdzi | pyta | napisał\w* |
  według | zdaniem | wcześniej |
  niegdyś | na razie | tymczasowo | chwilowo | przez tydzień | jakby\w* |
  żart\w* | jako dziecko | rzekł\w* | prawie(?! wsz| nic| każd| zaws| nig) | omal | o mało | niemal | ludzie |
  wszyscy (?:myślą|mówią|sądzą) | pisze | przez (?:\w+ ){1,2}(?:dni|tygodni\w*|miesi\w+) |
  do (?:stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października
    |listopada|grudnia|wiosny|lata|jesieni|zimy) |
  dopóki | jasne | oczywiście | praktycznie | czuję się | stoi | napisan\w+ | błąd | nieprawda
  | oficjalnie | no pewnie | akurat
wants: chciał\w* | chcę | wolał\w*by | marzę | mam nadzieję | oby | planuję | zamierzam | zastanawiam się | będę |
  myślę o
soon: kiedyś | dawniej | już nie | wkrótce | niedługo | dziś | dzisiaj | jutro | wczoraj
  | do (?:jutra|niedzieli|piątku|końca|soboty|poniedziałku|środy|wtorku|czwartku) | w tym (?:tygodniu|miesiącu|roku)
pretend: udawać | wyobraź(?:cie|my)? sobie | załóżmy | przypuśćmy | powiedzmy,? że | udawaj\w* | udajmy | odgrywaj\w*
  | na
  przykład | zabawmy się | wciel się | z perspektywy | w roli | teoretycznie | hipotetycznie | innym życiu
who: dog pies psa psu piesek suczka suczkę suka; puppy szczeniak szczeniaka szczenię; cat kot kota kotka kotkę kotce;
  kitten kociak kociaka kocię; rabbit królik królika; horse koń konia; parrot papuga papugę; hamster chomik chomika;
  guinea_pig świnka świnkę; tortoise żółw żółwia; spouse żona żony żonę mąż męża; girlfriend dziewczyna dziewczyny
  dziewczynę; boyfriend chłopak chłopaka; partner partner partnerka partnera partnerki partnerkę; fiance narzeczona
  narzeczony narzeczonego narzeczonej; daughter córka córki córkę córeczka; son syn syna synek; sister siostra siostry
  siostrę; brother brat brata; mother mama mamy mamę matka matki; father tata taty ojciec ojca; grandmother babcia
  babci babcię; grandfather dziadek dziadka; aunt ciocia ciocię ciotka; uncle wujek wujka; cousin kuzyn kuzynka
  kuzyna;
  boss szef szefa szefowa; colleague kolega koleżanka; friend przyjaciel przyjaciółka; boat
  łódź łódka; children dzieci dzieciaki; daughters córki; sons synów synowie; cats koty kotów; dogs psy psów; twins
  bliźniaki bliźniaczki bliźniaków; brothers
  braci bracia
  ; child najmłodszy najmłodsza najstarszy najstarsza wnuk wnuczka synka; hen kura; ferret fretka; goat koza; hens
  kury kur; ferrets fretki fretek; rabbits króliki królików; horses konie koni; goats kozy; guinea_pigs świnki
token.JOB: (?P<job>[^\W\d_]{4,}(?: (?!(?:w|we|na|z|i|a|ale|od|do|dla|u|przy|jest|mam|mieszkam|się)\b)[^\W\d_]+){0,2})
jobs: oszem ycielem ycielką arzem arką iarką ystą istą erem orem orką erką ologiem ologiem entem entką owcą owcem nikiem
  niczką iczem awcą awczynią owniczką zawodowym prawnikiem fryzjerką malarką księgową księgowym emerytem emerytką
  architektem położną fizjoterapeutą adwokatem policjantem policjantką strażakiem studentem stolarzem elektrykiem
  hydraulikiem mechanikiem lektorką aktorką grafikiem pilotem
introduced: jestem NAMEEND
name: (?:mam na imię|nazywam się|(?:moje )?imię to|(?:wszyscy|znajomi|przyjaciele) (?:mówią (?:na mnie|do
  mnie)|nazywają mnie)|mów(?:cie)? mi|możesz mówić mi|mówią na mnie) NAME
home: (?:«mieszkam|mieszkamy|żyję» (?:w centrum|niedaleko centrum)? ?(?:w|we|na)? ?PLACE|(?:przeprowadził[ae]m
  się|przeprowadziliśmy się|wyprowadził[ae]m się) (?:z \w+ )?do PLACE)
home: (?:w|we) PLACE mieszkam
from: «pochodzę|jestem» (?:rodem )?(?:z|ze) PLACE
from: (?:wychował[ae]m się|dorastał[ae]m) (?:w|we) PLACE
born: urodził[ae]m się (?:w|we) PLACE
age: «mam» (?P<number>\d{1,3}|[^\W\d_]{5,14}(?: [^\W\d_]{3,10})?) (?:lat|lata)END
birthday: (?:(?:moje )?urodziny (?:są|mam|obchodzę|przypadają)(?: na)? DATE|mam urodziny DATE|urodził[ae]m się DATE)
birthyear: urodził[ae]m się w YEAR
job: (?:«pracuję» (?:(?:w|na|u|dla) [^,]{2,25}? )?jako JOB|mój zawód to JOB|«zarabiam» jako JOB)
am: «jestem» JOB
nation: «jestem» (?P<what>polakiem|polką|ukraińcem|ukrainką|niemcem|niemką|czechem|czeszką)END
employer: «pracuję» (?:w|dla|u|we) (?:(?:firmie )?EMPLOYER|(?P<employer>[^\W\d_]{4,}(?: [^\W\d_]{4,})?))END
studies: «studiuję» THING
status: «jestem» (?:na )?(?P<what>emerytem|emerytką|emeryturze|bezrobotn[ya]|bezrobotną)END
married: «jestem» (?P<what>żonaty|mężatką|rozwiedzion[ya]|singlem|singielką|zaręczon[ya]|wdową|wdowcem|po
  rozwodzie)END
called: MY (?:\w+ )?WHO (?:ma na imię|nazywa się|wabi się|to) NAME
called: imię moje(?:go|j) WHO to NAME
called: (?:«mam|mamy») (?:\w+ )?WHO(?:,| o imieniu| imieniem| któr\w+ (?:ma na imię|wabi się|nazywa się)|,? wabi\w+
  się|,? ma na imię)? NAME
passing: (?<![\w'])(?:MY WHO NAME|NOTOFMY WHO, NAME)
names: «mam|mamy» (?:\w+ )?GROUP(?:,|:| o imionach)? NAMES
names: (?:moje|moi|nasze|nasi) GROUP to NAMES
count: «mam|mamy» COUNT GROUPEND
none: nie (?:mam|mamy) dzieci
allergy: (?:«mam» (?:\w+ )?(?:alergię|uczulenie) na|«jestem» (?:uczulon[yae]|alergi\w+) na|uczula mnie|uczulają
  mnie|«jestem» na) THING
intolerance: «mam|nie toleruję» (?:nietolerancję )?(?P<what>laktozy|glutenu|histaminy)
condition: «mam|choruję na|cierpię na» (?:ILL|(?P<what>celiakię|katar sienny))
passing_ill: (?<![\w'])(?:mój|moja|moją|moje|moim|mojej) ILL
passing_car: (?<![\w'])(?:mój|moja|moją|mojego|mojej|moim|nasz\w*) (?:star\w+ |now\w+ )?MAKE
passing_names: (?<![\w'])(?:moje|moi|moich|nasze|nasi|naszych) (?:\w+ )?GROUP,? NAMES
job: jako (?P<job>[^\W\d_]+(?:nik|arz|ysta|ista|[^t]or|er|log|wca|acz|rka|lka|yciel|żna)(?:
  [^\W\d_]+(?:ny|na|wy|wa|ki|ka))?),?
  (?!\w+ł[ae]m\b)[^\W\d_]+(?:ę|am|em)\b
condition: «jestem» (?P<what>cukrzykiem|astmatykiem|leworęczn[ya]|daltonistą|diabetykiem|niesłysząc[ya])
medication: «biorę|przyjmuję|zażywam» (?:codziennie )?(?P<what>[^\W\d_]{4,}) (?:codziennie|rano|każdego dnia|co
  rano|na
  )
medication: «biorę|przyjmuję|zażywam» codziennie (?P<what>[^\W\d_]{4,})
diet: «jestem» (?:na diecie )?(?P<what>wegetarian\w+|wegan\w+|bezglutenowej|ketogenicznej|fleksitarian\w+)
like: «lubię|kocham|uwielbiam|wolę|przepadam za|jestem fanem|jestem fanką|interesuję się» THING
like: (?:codziennie|zawsze|każdego ranka|rano|co rano)(?: rano)? (?:piję|jem|czytam) THING
like: «piję|jem|czytam|słucham» (?:codziennie|zawsze|każdego ranka|rano|często|chętnie) THING
favourite: (?:mój|moja|moje|moim|moją) (?P<what>ulubion\w+ \w+) (?:to|jest) THING
dislike: nie (?:lubię|znoszę|cierpię|przepadam za|trawię) THING
hate: «nienawidzę|nie znoszę|nie cierpię» THING
avoid: nie (?:jem|jadam|piję|mogę jeść|mogę pić|pijam) THING
hobby: (?:«gram» (?:na|w) THING|(?:moje|moim|mój) (?:hobby|pasja|pasją) (?:to|jest) THING|«uprawiam|trenuję» THING)
speaks: «mówię|mówimy|rozmawiamy» (?:w domu )?(?:po )?TONGUE
native: (?:moim językiem ojczystym jest|mój język ojczysty to) TONGUE
learning: «uczę się» (?:języka )?(?P<tongue>\w+(?:skiego|ckiego))
schedule: «chodzę|gram|ćwiczę|biegam|pływam|trenuję|mam» (?:(?:na|w|do) )?ACT (?P<when>(?:w każd[yą]|co|każdego|w)
  (?:poniedział\w+|wtor\w+|środ\w+|czwart\w+|piąt\w+|sobot\w+|niedziel\w+|tydzień|dzień|rano|wieczór))
schedule: (?P<when>(?:w każd[yą]|co|każdego|w) (?:poniedział\w+|wtor\w+|środ\w+|czwart\w+|piąt\w+|sobot\w+|niedziel\w+
    |tydzień|dnia|dzień|rano|ranka|wieczór)) (?:chodzę|gram|ćwiczę|biegam|pływam|trenuję|mam|piję|jem) (?:(?:na|w|do)
  )?ACT
car: «jeżdżę» (?:starym |nowym )?(?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?)END
wake: «wstaję» (?P<when>o [\w: ]{3,20})
smoke: nie palę
the: ten|ta
have: mam|mamy
with_me: i ja (?=\w+my\b)
passing: ^(?:a |no |hej,? )?(?P<who>żona|mąż|syn|córka|siostra|brat|mama|tata|narzeczona|narzeczony) \(?NAME(?=[ ,)])
passing: ^(?:a )?PET \(?NAME(?=[ ,.!?()]|$)
passing: (?<![\w'])NOTOFMY NEAR, NAME(?=[ ,.!?]|$)
passing_home: (?<![\w'])(?:w domu|u (?:nas|mnie)|do domu) (?:w|we|do) PLACE
passing_home: (?<![\w'])PLACE,? gdzie (?:\w+ )?(?:mieszkam|mieszkamy)(?=\W|$)
name: tu NAME(?=,|!|\.|$)
medication: «biorę|przyjmuję|zażywam|łykam» (?:\w+ ){0,2}?DRUG
passing_medication: (?<![\w'])DRUG,? któr\w+ (?:biorę|przyjmuję|łykam)
their_allergy: MY WHO(?: NAME)? (?:ma (?:\w+ )?(?:uczulenie|alergię) na|jest (?:\w+ )?uczulon[ay] na) THING
condition: «jeżdżę|poruszam się|siedzę» na (?P<what>wózku)(?! widł)
condition: (?:mam|choruję na) [\w ]{3,30}? i ILL
passing_birthday: (?<![\w'])DATE (?:kończę|skończę|stuknie mi|stukną mi|mam urodziny|obchodzę urodziny)
job: «jeżdżę|pracuję|dorabiam|robię|zasuwam» [^,]{2,60}? jako JOB
dislike: THING (?:to nie moja bajka|to nie dla mnie|mi nie wchodzi|mnie (?:brzydzi|obrzydza)|u mnie odpada|nie
  przechodzi mi przez gardło)
hobby: «śpiewam|gram|tańczę» w (?P<thing>(?:chórze|zespole|orkiestrze|kapeli|teatrze)(?: (?!w|i|od|na)\w+)?)
hobby: «(?P<thing>morsuję|wędkuję|szydełkuję|haftuję|majsterkuję|żegluję|nurkuję|wspinam się|biegam|maluję
  obrazy|śpiewam w chórze)»(?=END| )
never_offer: nie (?:proponuj|polecaj|podsuwaj|dawaj)(?: mi)?(?: nigdy| nic z) THING
passing_address: (?<![\w'])(?:mów(?:my)?(?: sobie| mi| do mnie)*|bądźmy|przejdźmy|może być) (?P<style>(?:na|per)
  ty)(?!\w)
passing_answers: (?<![\w'])(?:odpowiadaj|pisz|odpisuj|tłumacz)(?: mi| proszę)* (?:zawsze|od teraz|odtąd|tylko) STYLE
passing_answers: (?<![\w'])(?:zawsze|od teraz|odtąd) (?:odpowiadaj|pisz|odpisuj)(?: mi)? STYLE
passing_without: (?<![\w'])nie (?:używaj|wstawiaj|dawaj|pisz|rób)(?: mi)?(?: już)?
  (?P<thing>emotikon\w*|emoji|emotek|buziek|wypunktowań|tabelek)
called: (?:mam|mamy) (?:tylko )?(?:WHO, NAME)(?=[,. ]|$)
car: (?:«jeżdżę» (?:\w+(?:ym|im|ą) )?|(?:mam|mamy) (?:\w+(?:ego|ą) )?)MAKEANY
""")

RUSSIAN = language(r"""
script: [а-яё]
and: и | а
nor: ни
but: но
subject: я
own: я | мы | мне | меня | у нас
opens: [а-яё]{3,}юс?ь? | переехал[аи]? | родил(?:ся|ась) | вырос(?:ла)? | приехала?
others: он | она | они | это | котор\w+ | мо[йяёи] | мое | наш\w* | его | её | их
verb: (?:я |мы )?(?:V)
my: (?:мой|моя|мою|моего|моей|моё|наш|наша|нашу|нашего|нашей)
allergic: у меня на (?:него|неё|нее|них|это) аллергия | у меня аллергия(?! на)
allergic_to: у меня аллергия на _
without: без | заменить
there: (?:я |мы )?(?:живу|живём|живем) (?:тут|там|здесь) | (?:тут|там|здесь) (?:живу|живём|живем)
live_in: живу в _
places: в | во | из | под
no: без _
stop: в | во | на | с | со | из | от | для | у | при | по | о | об | потому | что | который | которая | как | но | и |
  а | я | мне | меня | живу | работаю | это | есть | не | никогда | каждый | каждую | мой | моя | поэтому | с |
  когда |
  так | люблю
lead: так как | поскольку | дома | в свободное время | кстати | но | да | нет, | привет | здравствуйте | добрый день |
  ну | а | ах | как ты
  знаешь | потому что |
  запомни,? что | имей в виду,? что | для справки | кроме того | спасибо | и | к сожалению | вообще-то | на самом деле
  | вообще
  | (?:такой |короткий |есть )?вопрос | хай | приветик | слушай | в общем | короче | обычно | щас
filler: (?:тут|здесь)(?= в) | сам[аи]? | тоже | также | сейчас | теперь | в данный момент(?!) | уже | ещё | еще | до
  сих пор | с
  (?:детства|рождения|\d{4}(?: года)?|недавних пор) | (?:уже )?(?:\w+ )(?:лет|года|год)(?= (?:живу|работаю)) |
  всегда |
  очень | сильно | действительно | правда | вообще | особенно | немного | немножко | свободно | лично | по профессии |
  по специальности | по образованию | просто | больше всего | регулярно | обычно | совсем | совершенно | больше |
  родом(?= из)
  | щас | вот | же | уж | ваще | если что | типа
not: не | никогда | ни | нет
ask: что | кто | где | когда | почему | как\w* | чем | куда | откуда | зачем | стоит | посовету\w+ | подскаж\w+ |
  сколько | можешь | можно | ли | есть ли | ты
  | существует | поможет | хватит | есть смысл | какую | чё | че
never: если | бы | жаль | пусть | может(?: быть)? | возможно | наверное | вероятно | думаю | кажется | полагаю |
  считаю | якобы | говор(?:ит|ят) | сказал\w* | утвержда\w+ | спрашива\w+ | написал\w* | пишет | по словам |
  согласно | прежде | некогда |
  пока | временно | будто | шут\w+ | в детстве |
  ну да | ли | чуть (?:было )?не | едва не | почти(?! вс| кажд| нич| ник) | люди | все (?:думают|считают|говорят) |
  (?:пару|несколько|\d+) (?:дн\w+|недел\w+|месяц\w+) |
  до (?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|весны|лета|осени|зимы) |
  ради шутки | конечно | ага | практически | чувствую себя | написан\w+ | ошибка | неправда | неверно
  | официально
wants: хочу | хотел\w* | хотелось | мечта\w+ | надеюсь | планирую | собираюсь | буду | был[аио]? | думаю
  (?:о|об|над|\w+ть)
soon: раньше | когда-то | больше не | уже не | скоро | сегодня | завтра | вчера
  | до (?:завтра|воскресенья|пятницы|конца|понедельника|субботы|среды|вторника|четверга) | на этой неделе | в этом
  (?:месяце|году)
pretend: притворить\w+ | сделать вид | представь(?:те)? | предположим | допустим | вообрази(?:те)? | притвори\w+ |
  сделай вид | сделаем вид | давай
  (?:сделаем вид|представим|поиграем) | ролев\w+ | например | скажем | от лица | в роли | теоретически | в теории |
  гипотетически | другой жизни
who: dog собака собаку собаки пёс пес пса собачка собачку; puppy щенок щенка; cat кот кота кошка кошку кошки; kitten
  котёнок котенок котёнка котенка; rabbit кролик кролика; horse лошадь конь коня; parrot попугай попугая; hamster
  хомяк
  хомяка хомячок; tortoise черепаха черепаху; spouse жена жену жены муж мужа супруга супругу супруг; girlfriend
  девушка
  девушку девушки; boyfriend парень парня; daughter дочь дочку дочка дочери; son сын сына сынок; sister сестра сестру
  сестры; brother брат брата; mother мама маму мать; father папа папу отец отца; grandmother бабушка бабушку;
  grandfather дедушка дедушку; aunt тётя тетя тётю тетю; uncle дядя дядю; boss начальник начальника начальница;
  colleague коллега коллегу; friend друг друга подруга подругу; children дети
  детей детьми; sons сыновей сыновья; daughters дочерей дочери; cats кошки; dogs собаки; twins близнецы близнецов
  двойняшки
  ; child младший младшая старший старшая внук внучка внука малой малая; hen курица; ferret хорёк; goat коза; hens
  куры кур; ferrets хорьки; rabbits кролики кроликов; horses лошади; goats козы; guinea_pigs свинки; spouse мужу
  жене; son сыну; daughter дочке дочери; mother маме; father папе
jobs: тель тельница ист истка ник ница ер орша тор арь ач лог граф вед повар врач медсестра юрист инженер студент
  студентка пенсионер пенсионерка адвокат архитектор бухгалтер водитель полицейский учёный актриса актёр актер
  менеджер
  психолог доктор экономист музыкант дизайнер аналитик механик электрик стоматолог фотограф писатель писательница
  парикмахер официант официантка кассир продавец логист столяр сварщик лётчик пилот военный
introduced: я NAMEEND
name: (?:меня зовут|моё имя|мое имя|(?:все|друзья) (?:зовут|называют) меня|зови(?:те)? меня|называй(?:те)? меня|можешь
  звать меня) (?:[—–-] )?NAME
home: (?:«живу|проживаю|живём|живем|мы живём|мы живем» (?:в центре|недалеко от центра)? ?(?:в|во|на)? ?(?:городе
  )?PLACE|(?:я |мы |недавно )(?:недавно )?(?:переехал[аи]?) (?:из \w+ )?(?:в|во|на) PLACE)
from: (?:я (?:родом )?(?:из|с)|я приехала? из|я вырос(?:ла)? в|мой родной город(?: [—–-])?) PLACE
born: я родил(?:ся|ась) (?:в|во) (?:городе )?PLACE
age: мне (?P<number>\d{1,3}|[^\W\d_]{5,12}(?: [^\W\d_]{3,8})?) (?:лет|год|года)END
birthday: (?:мой день рождения|день рождения у меня|у меня день рождения)(?: [—–-])? (?:это )?DATE
birthday: я родил(?:ся|ась) DATE
birthyear: я родил(?:ся|ась) в YEAR
job: (?:«работаю» (?!в\b|на\b|из\b|по\b|с\b|вахт|посмен|удал|сутк|ноч|один|одна|мног|дома|здесь|тут|всю|уже
    |там|до\b|без\b)JOB|моя (?:профессия|работа)(?: [—–-])? JOB)
am: я (?:[—–-] )?JOB
nation: я (?P<what>русск(?:ий|ая)|украин(?:ец|ка)|белорус(?:ка)?|татар(?:ин|ка)|казах|казашка|армян(?:ин|ка))END
employer: «работаю» (?:в|на) (?:(?:компании |фирме )?EMPLOYER|(?P<employer>[^\W\d_]{4,}(?: [^\W\d_]{4,})?))END
studies: (?:«изучаю» THING|«учусь» на THING)
status: (?:я |я сейчас )(?P<what>на пенсии|безработн(?:ый|ая)|фрилансер|в декрете)END
married: я (?P<what>женат|замужем|разведена?|не замужем|холост|вдов(?:а|ец)?)END
called: MY (?:\w+ )?WHO зовут NAME
called: MY (?:\w+ )?WHO (?:[—–-] )?(?:по имени |зовут )NAME
called: (?:у (?:меня|нас)(?: есть)?|«имею») (?:\w+ )?WHO(?:,| по имени| по кличке| по имени| [—–-]|, (?:его|её|ее)
  зовут) NAME
called: имя (?:моего|моей) WHO (?:[—–-] )?NAME
passing: (?<![\w'])(?:MY WHO NAME|NOTOFMY WHO, NAME)
passing: ^(?P<who>муж|жена|сын|дочка|дочь) NAME
names: у (?:меня|нас)(?: есть)? (?:\w+ )?GROUP(?:,|:| [—–-])? NAMES
names: (?:моих|наших) GROUP зовут NAMES
count: у (?:меня|нас)(?: есть)? COUNT GROUPEND
none: у (?:меня|нас) нет детей
allergy: (?:у меня (?:\w+ )?аллергия на|«аллергик, не переношу|страдаю аллергией на») THING
intolerance: у меня непереносимость (?P<what>\w+)
avoid: «не переношу» (?P<thing>лактозу|глютен)
condition: (?:у меня|я страдаю|я болею) ILL
passing_ill: (?<![\w'])мо(?:й|я|ю|ей|его|им) ILL
passing_car: (?<![\w'])(?:мо(?:й|я|ю|ей|его|ём|ем|им)|наш\w*) (?:стар\w+ |нов\w+ )?MAKE
passing_names: (?<![\w'])(?:мои|моих|наши|наших) (?:\w+ )?GROUP,? NAMES
am: как JOB,? я (?!\w+(?:л|ла|лся|лась)\b)
condition: я (?P<what>диабетик|астматик|левша|дальтоник|гипертоник)
medication: «принимаю|пью» (?P<what>(?!кофе|чай|воду|пиво|вино)[^\W\d_]{4,}) (?:каждый день|каждое утро|ежедневно|от)
diet: (?:я |я [—–-] |«придерживаюсь|ем» )(?P<what>вегетариан\w+|веган\w*|пескетариан\w+)
like: (?:«люблю|обожаю|предпочитаю|увлекаюсь|интересуюсь» |мне нравится |мне нравятся )THING
like: «пью|ем|читаю|слушаю» (?:каждый день|каждое утро|по утрам|часто) THING
favourite: (?:мой|моя|моё|мое) (?P<what>любим\w+ \w+)(?: [—–-]| это)* THING
dislike: (?:«не люблю|не выношу|терпеть не могу|не терплю» |мне не нравится |мне не нравятся )THING
hate: «ненавижу» THING
avoid: (?:я )?(?:не (?:ем|пью|могу есть|могу пить|употребляю)|никогда не (?:ем|пью)) THING
hobby: (?:«играю» (?:на|в) THING|моё хобби(?: [—–-])? THING|мое хобби(?: [—–-])? THING|«занимаюсь» THING)
speaks: «говорю|говорим» (?:дома )?(?:по-|на )?TONGUE
native: мой родной язык(?: [—–-])? TONGUE
learning: «учу|изучаю» (?P<tongue>\w+ский)
schedule: «хожу|играю|бегаю|плаваю|тренируюсь|занимаюсь» (?:(?:на|в) )?ACT (?P<when>(?:кажд\w+|по)
  (?:понедельник\w*|вторник\w*|сред\w+|четверг\w*|пятниц\w+|суббот\w+|воскресень\w+|день|утро|вечер\w*|неделю|утрам
    |вечерам|выходным))
schedule: (?P<when>(?:кажд\w+|по) (?:понедельник\w*|вторник\w*|сред\w+|четверг\w*|пятниц\w+|суббот\w+|воскресень\w+
    |день|утро|вечер\w*|неделю|утрам|вечерам|выходным)) (?:я )?(?:хожу|играю|бегаю|плаваю|тренируюсь|занимаюсь|пью|ем)
  (?:(?:на|в) )?ACT
car: (?:«езжу» на|«вожу») (?:старой |новой )?(?P<ride>(?-i:[A-ZА-Я])[\w-]+(?: \w+)?)END
car: у меня (?:машина|автомобиль) (?P<ride>[\w-]+(?: \w+)?)END
wake: «встаю|просыпаюсь» (?P<when>в [\w: ]{1,20})
smoke: «не курю»
the: наш|наша|этот|эта
have: у меня|у нас|есть
with_me: и я (?=\w+[ие]м\b)
passing: (?:^|(?<= а )|(?<=, )(?=\w+ (?-i:[А-ЯЁ])\w+ (?:и|сказал|говорит|любит|хочет))|^а
  )(?P<who>муж|жена|сын|дочь|дочка|сестра|брат|сыну|дочке|дочери|мужу|жене) \(?NAME(?=[ ,)])
passing: ^(?:а |и |у нас )?PET \(?NAME(?=[ ,.!?()]|$)
passing: (?<![\w'])NOTOFMY NEAR, NAME(?=[ ,.!?]|$)
passing_home: (?<![\w'])(?:дома|у нас|домой) (?:в|во) PLACE
passing_home: (?<![\w'])PLACE,? где (?:я |мы )?(?:живу|живём|живем)(?=\W|$)
name: меня NAME (?:зовут|звать)
medication: «принимаю|пью» (?:\w+ ){0,2}?DRUG
passing_medication: (?<![\w'])DRUG,? котор\w+ (?:я )?(?:пью|принимаю)
their_allergy: (?:у (?:моего|моей|нашего|нашей) )WHO(?: NAME)? (?:\w+ )?аллергия на THING
allergy: я аллергия на THING
condition: я (?:передвигаюсь|езжу) на (?P<what>(?:инвалидной )?коляске)
condition: у меня [\w ]{3,30}? и ILL
job: «работаю» (?:вахтами|вахтой|посменно|в ночную|на полставки|удал[её]нно|сутками) JOBEND
passing_birthday: (?<![\w'])DATE (?:мне (?:будет|исполн\w+|стукнет)|у меня (?:день рождения|др|днюха))
dislike: THING (?:[—–-] )?(?:это )?не мо[ёе](?!\w)
dislike: (?:для меня )?THING (?:[—–-] )?(?:для меня )?(?:это )?(?:гадость|мерзость)(?!\w)
hobby: «(?P<thing>вышиваю(?: \w+)?|вяжу(?: крючком)?|рисую|пишу картины|шью|рыбачу|танцую|пою в хоре|собираю
  марки|катаюсь на \w+)»END
hobby: «пою|играю|танцую» в (?P<thing>(?:хоре|оркестре|ансамбле|группе|театре)(?: (?!в|и|с|по|на)\w+)?)
never_offer: THING (?:мне )?(?:никогда )?не (?:предлагай|советуй)(?:те)?(?: мне| никогда| больше|\W|$)
never_offer: (?:никогда )?не (?:предлагай|советуй)(?:те)?(?: мне)?(?: никогда)? (?:блюда с |ничего с )?THING
passing_address: (?<![\w'])(?:давай(?:те)?|можно|перейд[её]м|обращайся|говори)(?: со мной| ко мне| лучше)*
  (?P<style>на (?:ты|вы))(?!\w)
passing_answers: (?<![\w'])(?:отвечай|пиши|объясняй)(?:те)?(?: мне| пожалуйста)* (?:всегда|только|впредь|отныне) STYLE
passing_answers: (?<![\w'])(?:всегда|впредь|отныне) (?:отвечай(?:те)? |пиши(?:те)?
  )?(?P<style>(?:без|кратко|коротко)(?: \w+){0,3})(?=[,.!]|$)
passing_without: (?<![\w'])не (?:используй|ставь|пиши|добавляй)(?:те)?(?: мне| больше)*
  (?P<thing>смайлы|смайлики|эмодзи|списки|таблицы)
car: (?:«езжу» на |у (?:меня|нас) )(?:\w+(?:ой|ом|ей|ая|ый|ий) )?MAKEANY
""")
