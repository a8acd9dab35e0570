"""Dutch as a table."""

from memory.llm.offline.rules.languages.table import language

DUTCH = language(r"""
hints: ik me noem mijn ons onze we wij mij m'n
  mn ben heb graag aub
  thuis hier
and: en
but: maar|want
subject: ik
own: ik | we | wij
inverts: yes
opens: ben | heb | woon | werk | heet | kom | studeer | zoek
relative: die | dat
others: hij | ze | zij | het | men | die | dat | mijn | onze? | zijn | haar | hun | jouw
resumes: is | heeft | lust | eet | drinkt | mag | woont | werkt | ik | we | heb | ben | kan | moet | wil | weet | zoek
  | mijn
verb: (?:ik (?:V)|(?:V) ik)
my: mijn|m'n|mn|onze?
allergic: daar ben ik (?:erg |heel )?allergisch voor | ik ben (?:er|daar) (?:erg |heel )?allergisch voor | ik ben
  (?:erg |heel )?allergisch(?! (?:voor|tegen))
allergic_to: ik ben allergisch voor _
without: zonder
there: (?:ik woon|we wonen|wij wonen) (?:hier|daar|er)(?! in (?-i:[A-Z])) | (?:daar|hier) (?:woon ik|wonen we)
live_in: ik woon in _
places: in | uit | van | naar | rond
no: geen _
lead: omdat | aangezien | doordat | in het weekend | in mijn vrije tijd | na het werk | trouwens | dus | maar | ja |
  nee | ach | nou | hallo | hoi |
  hey | hi | en | want | ter info | overigens | even
  over mij | dag | oké | helaas
  | (?:korte |even een |kleine )?vraag(?:je)? | hee | hé | zeg | yo | normaal | verder
filler: hier(?= in) | ook | nu | al | nog steeds | al (?:\w+ )?(?:jaar|jaren|maanden|lang|tijden) | sinds (?:\w+
  )?\d{4} | sinds
  kort
  | oorspronkelijk | eigenlijk | echt | heel | erg | zeer | tegenwoordig | ontzettend | best | vooral | veel | enorm |
  dol | inmiddels | zwaar | helemaal | een beetje | vloeiend
  | toch | gewoon | hoor | ff | even | pas | meestal
stop: in | op | bij | met | zonder | voor | tegen | te | van | uit | als | omdat | maar | en | of | ik | we | hij |
  zij
  | het | is | zijn | ben | heb | heeft | niet | nooit | geen | dat | die | sinds | naar | elke | iedere | mijn | de |
  woon | werk | kom | heet | hou | eet | drink | speel | aan
not: niet | geen | nooit | nauwelijks
jobs: enier kundige verpleger verpleegster leraar lerares docent docente arts tandarts makelaar ambtenaar
  bibliothecaris eur
  euse ist iste werker kok bakker slager schrijver ontwerper verkoper schilder kapper kapster fotograaf acteur actrice
  trainer coach student studente jurist advocaat notaris piloot agent loodgieter timmerman ontwikkelaar boekhouder
  adviseur verloskundige dokter juf meester architect elektricien muzikant tolk vertaler boer boerin onderzoeker
  psycholoog fysiotherapeut tandartsassistente kinderarts dierenarts directeur manager consultant analist
  vrachtwagenchauffeur
ask: jij | jullie | wie | wat | waar | wanneer | waarom | hoe | welke? | kun | kan | heb(?:ben)? | weet | moet | is er
  | mag | tips | ideeën | enig idee | bestaat | waarmee
  | bestaan | hoeveel | helpt | werkt
never: als (?:ik|je|we|ze|hij|het|mijn|er|kind|ooit) | indien | of ik | stel | misschien | mogelijk |
  waarschijnlijk | wellicht | denk | geloof | vermoed | zogenaamd | zegt | zei | vertelt | vraagt | schreef |
  beweert | volgens | ooit | tijdelijk | toen | alsof | ja hoor | grap | geintje | bijna(?! all| nooit| elk| altijd) |
  (?:ze|mensen|iedereen|men) (?:zeggen|denken|denkt|zegt|vinden|vindt) | voor (?:\w+ ){1,2}(?:dagen|weken|maanden) |
  zolang | als (?:student|tiener|scholier) | tuurlijk | uiteraard | zogezegd | als het ware | staat | klopt niet |
  fout
  | officieel | natuurlijk joh | vast wel
wants: zou\w* | wens\w* | hoop | wou | wilde | wil | droom\w* | overweeg | van plan | ga verhuizen | ga wonen | ga \w+
  worden
soon: vroeger | destijds | niet meer | binnenkort | straks | vandaag | morgen | gisteren | volgende
  | tot | deze (?:week|maand|zomer) | (?:dit|'?t) (?:weekend|jaar) | momenteel | op dit moment
pretend: stel (?:je|jullie|u) (?:eens )?voor | stel dat | stel,? ik | doe alsof | doen alsof | laten we doen alsof |
  rollenspel |
  bijvoorbeeld | in de stijl van | theoretisch | in theorie | hypothetisch | (?:een|mijn) (?:ander|vorig|volgend)
  leven
who: dog hond hondje; puppy puppy pup; cat kat poes kater; kitten kitten katje poesje; rabbit konijn; horse paard
  pony;
  parrot papegaai; hamster hamster; guinea_pig cavia; tortoise schildpad; spouse vrouw man echtgenoot echtgenote;
  girlfriend vriendin; boyfriend vriend; partner partner; daughter dochter dochtertje; son zoon zoontje; sister zus
  zusje; brother broer broertje; mother moeder mama mam; father vader papa pap; grandmother oma; grandfather opa; aunt
  tante; uncle oom; niece nicht; nephew neef; boss baas chef; colleague collega; boat
  boot; children kinderen; daughters dochters; sons zonen zoons; twins tweeling; cats katten; dogs honden
  ; child jongste oudste kleine kleinzoon kleindochter dreumes kleuter; hen kip; ferret fret; goat geit; hens
  kippen; ferrets fretten; rabbits konijnen; guinea_pigs cavia's; horses paarden; goats geiten
introduced: NAME hier(?=[.,!]|$)
introduced: ik ben NAMEEND
name: (?:ik heet|mijn (?:voor)?naam is|(?:iedereen|men|vrienden) noem(?:t|en) me|noem (?:me|mij)(?: maar| gerust)?|je
  mag me) NAME
nation: «ben» (?:een )?(?P<what>Nederlander|Nederlandse|Belg|Belgische|Vlaming|Duitser|Duitse|Surinamer|Marokkaan
    |Turk)END
home: (?:«woon|leef»|we wonen|wij wonen) (?:samen )?in (?:een [\w ]{2,20}? in )?PLACE
home: ik in PLACE woon
home: (?:mijn woonplaats is PLACE|(?:«ben»|we zijn|wij zijn)(?: \w+)*? naar PLACE verhuisd)
from: (?:«kom|ben afkomstig» uit PLACE|«ben» (?:in PLACE opgegroeid|opgegroeid in PLACE))
born: «ben» (?:geboren in PLACE|in PLACE geboren)
age: «ben» NUMBER(?: jaar(?: oud)?)?END
birthyear: «ben» (?:geboren in YEAR|in YEAR geboren)
birthday: op DATE ben ik jarig
birthday: (?:«ben» (?:op )?DATE jarig|«ben» jarig op DATE|mijn verjaardag is (?:op )?DATE|«ben» (?:op )?DATE
  geboren|«ben» geboren op DATE)
am: ik ben (?-i:[A-Z])\w+, JOBEND
job: «werk» (?:bij|in|op|voor) [^,]{2,25}? als JOB
job: (?:«werk» als JOB|«ben» JOB van beroep|«ben» van beroep JOB|mijn beroep is JOB)
am: «ben» (?:een )?JOB
employer: «werk» (?:(?:bij|voor) (?:de |het )?EMPLOYER|(?:in|bij|voor) (?P<employer>een [\w-]+(?: \w+)?))
studies: «studeer» THING
status: «ben» (?P<what>werkloos|met pensioen|gepensioneerd|zzp'er|zelfstandige?)END
married: «ben» (?P<what>getrouwd|gescheiden|vrijgezel|verloofd|weduwe|weduwnaar|single)END
called: MY (?:\w+ )?WHO (?:heet|is genaamd) NAME
called: de naam van (?:mijn|onze?) WHO is NAME
called: (?:«heb»|we hebben|wij hebben) een (?:\w+ )?WHO(?:,| die|,? hij|,? ze| genaamd| met de naam) (?:heet )?NAME(?:
  heet)?
passing: (?<![\w'])(?:MY (?:\w+ )?WHO NAME|NOTOFMY (?:\w+ )?WHO, NAME)
names: (?:«heb»|we hebben|wij hebben) (?:\w+ )?GROUP(?:,|:| genaamd)? NAMES
names: MY (?:\w+ )?GROUP (?:heten|zijn) NAMES
count: (?:«heb»|we hebben|wij hebben) COUNT GROUPEND
none: (?:«heb»|we hebben|wij hebben) geen kinderen
allergy: «ben» (?:\w+ )?allergisch (?:voor|tegen) THING
allergy: «heb» een (?P<thing>\w{3,20}?)allergie
intolerance: «ben» (?P<what>lactose-?\w*|gluten-?\w*)
condition: «heb|lijd aan» (?:ILL|(?P<what>suikerziekte|(?:een )?hoge bloeddruk))
passing_ill: (?<![\w'])MY ILL
passing_car: (?<![\w'])MY (?:oude |nieuwe )?MAKE
passing_home: (?<![\w'])bij ons(?: thuis)? in PLACE
passing_names: (?<![\w'])MY (?:\w+ )?GROUP,? NAMES
am: als JOB (?!was|had|werd|kon|zou|heb|ben|\w+[dt]e\b)\w+ ik
condition: «ben» (?P<what>diabeet|astmatisch|linkshandig|kleurenblind|slechthorend)
medication: «slik|gebruik» (?:elke dag |dagelijks |elke ochtend )(?P<what>[^\W\d_]\w+)
diet: (?:«ben|eet»|we eten(?: thuis)?) (?:een
  )?(?P<what>vegetariër|vegetarisch|veganist(?:isch)?|vegan|halal|koosjer|glutenvrij)
avoid: «eet|drink|verdraag» (?:nooit |geen )+THING
avoid: «kan» (?:geen THING eten|niet tegen THING)
dislike: (?:«lust|mag» geen THING|«hou|houd» niet van THING|«vind» THING (?:niet lekker|vies|vreselijk))
hate: «haat|verafschuw» THING
like: (?:«hou|houd» van THING|«vind» THING (?:lekker|leuk|geweldig|heerlijk)|«eet|drink|lees|luister» (?:graag|liever)
  (?:naar )?THING|«drink|eet» (?:elke (?:dag|ochtend)|'s ochtends|altijd) THING|«ben» gek op THING|«ben» op THING)
favourite: mijn (?P<what>(?:lievelings|favoriete )\w+) (?:is|zijn) (?:de |het )?THING
taken: «drink» mijn (?P<drink>koffie|thee) (?P<how>(?:altijd )?(?:zwart|zonder|met)[\w ]{0,30})
hobby: (?:«speel» (?!vals\b|een\b|mee\b|met\b)(?:graag )?(?:op de )?THING|mijn hobby(?:'s)? (?:is|zijn) THING|«ga»
  (?:graag|vaak|veel|regelmatig) THING)
hobby: «(?P<thing>lees|teken|schilder|zwem|kook|bak|wandel|dans|fiets|brei|vis|klim|fotografeer)» graagEND
speaks: (?:«spreek» |we (?:spreken|praten) thuis |thuis (?:spreken|praten) we )TONGUE
native: mijn moedertaal is TONGUE
learning: «leer» (?P<tongue>(?-i:[A-Z])\w+)
schedule: «ga|speel|sport|doe|heb|zwem|train» (?P<when>(?:elke|iedere) \w+|op
  (?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)(?:avond|ochtend|middag)?) (?:(?:naar de|naar
  het|naar)
  )?ACT
schedule: (?P<when>(?:elke|iedere) \w+|op (?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)(?:avond
    |ochtend|middag)?) (?:ga|speel|doe|heb|drink|eet) ik (?:(?:naar de|naar het|naar) )?ACT
car: «rijd|rij» (?:in )?(?:een )?(?:oude |nieuwe )?(?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?)(?: uit \d{4})?(?:END| en )
wake: «sta» (?P<when>om [\w: ]{1,20}?)(?: uur)? op
schedule: ik (?P<act>sport|train|zwem|hardloop|voetbal|tennis|ren|fiets) (?P<when>(?:elke|iedere) \w+|op \w+dag)
smoke: «rook» niet
the: de|het|die
the_named: de|het
have: ik heb|heb ik|(?:we|wij) hebben|hebben (?:we|wij)|en ik hebben
with_me: en ik (?=\w+en\b)
passing: (?<![\w'])NOTOFMY (?:\w+ )?NEAR, (?:de |die )?NAME
passing_home: (?<![\w'])(?:thuis|bij ons) in PLACE
passing_home: (?<![\w'])PLACE,? waar (?:ik|we|wij) (?:\w+ )?(?:woon|wonen)(?=\W|$)
home: (?:«zit»|(?:we|wij) zitten) in PLACE in een [\w ]{0,20}?(?:huis|flat|woning|rijtjeshuis)
home: (?:«woon»|(?:we|wij) wonen) [\w ]{2,20}? in PLACE
passing_ill: (?<![\w'])(?:door|vanwege|wegens) (?:mijn |mn |de |de ziekte van )?ILL (?:moet|mag|kan|heb|eet|slik)
  (?:ik|we)
passing_ill: \bik (?:(?!als|of )[^,.?!]){0,60}?(?:vanwege|wegens) (?:mijn |mn |de ziekte van )?ILL
medication: «slik|gebruik|neem|krijg» (?:\w+ ){0,3}?DRUG
passing_medication: (?<![\w'])(?:DRUG,? (?:die|dat) ik (?:\w+ )?(?:slik|gebruik|neem)|MY DRUG)
their_allergy: MY WHO(?: NAME)? (?:is (?:\w+ )?allergisch voor|heeft een allergie voor|mag geen|kan niet tegen) THING
condition: «zit» in een (?P<what>rolstoel)
condition: ik (?:heb) [\w -]{3,30}? en ILL
passing_name: (?<![\w'])zeg maar (?P<name>(?-i:[A-Z])[a-zë]+)(?=[,.!]| tegen| hoor|$)
passing_birthday: (?<![\w'])(?:op )?DATE (?:word ik|ben ik jarig)
anniversary: [^,]{0,30}?(?:ik|wij|we) (?:vieren|zijn|hebben) (?:op )?DATE (?:\w+ ){0,3}(?:getrouwd|trouwdag|huwelijk)
dislike: THING (?:hoeft|hoeven) (?:van|voor) mij niet
dislike: THING (?:krijg|kan) ik niet (?:weg|uitstaan|aanzien|door m'n keel)
dislike: THING (?:is|zijn) (?:niks|niets) voor mij
avoid: THING (?:eet|drink|lust|verdraag) ik (?:niet|nooit)
hobby: «zit» (?:elke \w+ |op \w+dag )?(?:op|bij) (?:de |het |een
  )?(?P<thing>\w*(?:club|koor|vereniging|ballet|judo|voetbal|tennis|hockey|dansen|zwemmen|yoga|schaken|toneel|orkest|band|turnen|karate|salsa))
hobby: «zing|speel|dans» (?:elke \w+ )?in (?P<thing>(?:een|het|de) \w*(?:koor|band|orkest))
never_offer: (?:stel|raad)(?: me)? (?:alsjeblieft |aub )?(?:nooit|geen) THING (?:voor|aan)
passing_address: (?<![\w'])(?:(?P<style>tutoyeer) me|me (?:gerust )?(?P<style>tutoyeren)|zeg (?:maar |gerust
  )?(?P<style>je|jij|u) tegen (?:me|mij))(?!\w)
passing_answers: (?<![\w'])(?:antwoord|schrijf|reageer|praat|leg)(?: me| mij| graag)* (?:altijd|voortaan|vanaf
  nu|liefst|steeds) STYLE
passing_answers: (?<![\w'])(?:altijd|voortaan|vanaf nu)(?: graag| liefst)* (?P<style>(?:in|op|kort|zonder|met)(?:
  [^\s,.?!:;]+){0,4}?) (?:blijven )?(?:antwoorden|reageren|schrijven)
passing_without: (?<![\w'])(?:gebruik|zet|doe|stuur)(?: er| me| alsjeblieft| aub)* geen
  (?P<thing>emoji'?s?|smileys|opsommingen|lijstjes|bullets|tabellen|jargon)
called: (?:«heb»|we hebben|wij hebben) (?:alleen )?(?:de|het) WHO, NAME(?=[,.]|$)
car: (?:«heb»|we hebben) (?:een )?(?:oude |nieuwe |kleine )?MAKE
""")
