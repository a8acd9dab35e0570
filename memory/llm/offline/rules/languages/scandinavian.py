"""Swedish, Danish and Norwegian as one table."""

from memory.llm.offline.rules.languages.table import language

SCANDINAVIAN = language(r"""
hints: jag jeg min mitt mina mit mine vår vårt våra vores vores mi vi mig meg
and: och | og
but: men
subject: jag
own: jag | jeg | vi
inverts: yes
relative: som | der
others: han | hon | hun | det | den | man | som | der | de | min | mitt | mit | mi | vår | vårt | vores | hans |
  hennes
resumes: jag | jeg | vi | har | är | er | kan | vet | min
verb: (?:(?:jag|jeg|vi) (?:V)|(?:V) (?:jag|jeg|vi))
my: min|mitt|mit|mi|vår|vårt|vores
no: ej _
lead: förresten | forresten | men | ja | nej | nei | jo | så | hej | hei | hallå | och | og | okej | ok | tyvärr |
  dessverre | for øvrigt | i øvrigt | kom ihåg att | husk at
filler: också | også | nu | nå | numera | redan | fortfarande | stadig | sedan (?:\w+ )?\d{4} | siden (?:\w+ )?\d{4} |
  i (?:\w+ )?(?:år|ti år) | ursprungligen | oprindeligt | opprinnelig | faktiskt | faktisk | verkligen | virkelig |
  väldigt | veldig | meget | mycket | jätte | svårt | sterkt | kraftigt | särskilt | især | svært | flytande |
  flytende
  | flydende | lite | litt | lidt | så | godt
stop: i | på | hos | med | utan | uden | uten | för | for | mot | till | til | av | af | från | fra | som | eftersom |
  fordi | men | och | og | eller | jag | jeg | vi | han | hon | hun | det | är | er | har | inte | ikke | ikkje |
  aldrig | aldri | att | at | sedan | siden | varje | hver | min | mitt | bor | heter | hedder | jobbar | gillar |
  spelar | äter | dricker | att
not: inte | ikke | ikkje | aldrig | aldri | inga | ingen | inget | knappt
jobs: lärare läkare snickare bagare målare programmerare utvecklare säljare författare murare förare forskare frisör
  rörmokare svetsare tränare sköterska ekonom jurist kock ingenjör arkitekt tandläkare psykolog präst polis ist iker
  ør
  ingeniør lærer læge lege sykepleier sygeplejerske tømrer snekker smed pædagog udvikler utvikler psykolog advokat
  revisor sekretær student studerende kok kokk bager baker maler bonde landmand pilot politibetjent fotograf
  journalist
  kunstner konstnär musiker chaufför chauffør barnmorska jordmor undersköterska veterinär veterinær dyrlege forfatter
ask: du | ni | vad | hvad | hva | vem | hvem | var | hvor | när | hvornår | når | varför | hvorfor | hur | hvordan |
  vilken | vilka | hvilken | kan | finns | ska | skal
never: om (?:jag|jeg|vi|man) | hvis | dersom | ifall | kanske | kanskje | måske | antagligen | sannolikt |
  sandsynligvis | tror | tänker | tenker på | säger | sa | sade | siger | sagde | sier | skrev | påstår | enligt |
  ifølge | tills | indtil | frem til | förr | tidigare | tidligere | før i tiden | den här veckan | denna vecka |
  denne uge | denne uken | just nu | akkurat nå | lige nu | tillfälligt | midlertidig\w* | i helgen | längre |
  lenger | længere | som barn | som om | skämt | nästan | nesten | næsten |
  (?:alla|folk|alle|de) (?:tror|säger|siger|sier) |
  i (?:några|noen|nogle|\w+) (?:dagar|veckor|månader|dager|uker|måneder|dage|uger) | skoja\w* | tuller | for sjov |
  på skämt | som (?:student|tonåring|tenåring) | står (?:det|att|at) | stämmer inte | stemmer ikke | fel | feil |
  forkert
wants: skulle | ville | vil | vill | kunne | kunde | önskar | ønsker | skulle ønske | hoppas | håper | håber | drömmer
  | drømmer | funderar | overvejer | vurderer | ska flytta | planerar | planlægger
soon: snart | idag | i ?dag | imorgon | i ?morgon | i ?morgen | igår | i ?går | nästa | neste | næste
pretend: tänk (?:dig|om|er) | föreställ dig | låtsas | låt oss säga | anta att | antag | forestil dig | forestill deg
  | tenk deg | tenk om | lad os sige | la oss si | lad som om | late som | rollspel | rollespil | rollespill | till
  exempel | for eksempel | teoretiskt | teoretisk | hypotetisk\w* | et? an(?:nat|det|net|nen) liv
who: dog hund hunden bikkja; puppy valp valpen hvalp; cat katt katten kat kissa; kitten kattunge kattungen killing;
  rabbit kanin kaninen; horse häst hästen hest hesten; parrot papegoja papegøje; hamster hamster; spouse fru frun mann
  mannen man make maka kone kona konen hustru; girlfriend flickvän tjej kæreste kjæreste; boyfriend pojkvän kille;
  partner sambo samboer partner; daughter dotter datter datteren dottern; son son sonen søn sønn sønnen; sister syster
  systern søster søsteren; brother bror broren brorsan; mother mamma mor mor; father pappa far; grandmother mormor
  farmor bestemor; grandfather morfar farfar bestefar; aunt moster faster tante; uncle morbror farbror onkel; boss
  chef
  sjef; colleague kollega kollegan; friend vän kompis ven venn; boat båt båten båd; children
  barn; daughters döttrar døtre; sons söner sønner; cats katter katte; dogs hundar hunde hunder
introduced: (?:jag är|jeg er) NAMEEND
name: (?:(?:jag|jeg) (?:heter|hedder)|mi(?:n|tt|t) (?:för|for)?(?:namn|navn) (?:är|er)|navnet mitt er|mitt navn
  er|alla
  kallar mig|alle kaller meg|alle kalder mig|kalla mig|kall meg|kald mig) NAME
nation: «är|er» (?P<what>svensk|dansk|norsk|finsk|finlandssvensk|tysk)(?:t|a|er|e)?END
home: «bor|lever» i PLACE
home: (?:jag|jeg|vi) (?:har )?(?:flytta(?:de|t)|flyttede|flyttet) (?:från \w+ |fra \w+ )?til(?:l)? PLACE
from: (?:«kommer|är|er» (?:från|fra) PLACE|«är|er» (?:uppvuxen|oppvokst|vokset op) i PLACE)
born: (?:«är|er|blev» (?:född|født|fødd) i PLACE)
age: «är|er|har fyllt|fyller» NUMBER(?: år(?: gam+el| gammal)?)?END
birthday: (?:«fyller» år (?:den )?DATE|(?:min|mit)(?:t)? (?:födelsedag|fødselsdag|bursdag) (?:är|er) (?:den
  )?DATE|bursdagen min er (?:den )?DATE|«har» (?:fødselsdag|bursdag|födelsedag) (?:den )?DATE|«är|er» (?:född|født)
  (?:den )?DATE)
job: (?:«jobbar|arbetar|jobber|arbejder» som (?:en |ei )?JOB|«är|er» (?:utdannet|uddannet|utbildad) JOB)
am: «är|er» (?:en |ei )?JOB
employer: «jobbar|arbetar|jobber|arbejder» (?:på|hos|för|for) EMPLOYER
studies: «studerar|läser|pluggar|studerer|læser» (?!en\b|ett\b|et\b|mycket)THING
status: «är|er» (?P<what>arbetslös|pensionär|arbeidsledig|pensjonist|pensioneret|arbejdsløs|pensionist|pensionerad)END
married: «är|er» (?P<what>gift|skild|singel|förlovad|forlovet|forlovad|enke|änka)END
called: (?:MY (?:\w+ )?WHO|WHO (?:min|vår|mi)) (?:heter|hedder) NAME
called: «har» en? (?:\w+ )?WHO (?:som heter|der hedder|ved navn|som hedder),? NAME
passing: (?<![\w'])(?:MY (?:\w+ )?WHO NAME|NOTOFMY (?:\w+ )?WHO, NAME)
names: «har» (?:\w+ )?GROUP(?:,|:| som heter| der hedder)? NAMES
names: (?:mina|mine|våra|vores) (?:\w+ )?GROUP (?:heter|hedder) NAMES
count: «har» COUNT GROUPEND
none: «har» (?:inga|ingen) barn
allergy: «är|er» (?:\w+ )?allergisk (?:mot|over ?for|for) THING
allergy: «har» (?P<thing>\w{3,20}?)(?:e)?allergi
avoid: «tål» (?:inte|ikke) THING
intolerance: «är|er» (?P<what>laktose?\w*|gluten\w*)
condition: «har|lider av»
  (?P<what>astma|diabetes|migrän|migræne|migrene|celiaki|cøliaki|epilepsi|høfeber|pollenallergi
    |adhd|eksem|leddgikt|gigt|högt blodtryck)
condition: «är|er» (?P<what>diabetiker|astmatiker|vänsterhänt|venstrehåndet|keivhendt|färgblind|fargeblind)
medication: «tar|tager» (?P<what>[^\W\d_]\w+) (?:varje|hver) (?:dag|morgon|morgen|kväll|kveld|aften)
diet: «är|er» (?P<what>vegetarian|vegetar|vegetarianer|vegan|veganer|pescetarian)
like: (?:«gillar|älskar|elsker|tycker om|föredrar|foretrækker|foretrekker|liker|holder af|er glad i|er vild med»
  (?:att
  |at |å )?THING|«kan lide» THING)
like: «dricker|drikker|äter|spiser» (?:gärna|gerne|gjerne|alltid|altid|varje dag|varje morgon|hver dag|hver morgen)
  THING
favourite: mi(?:n|tt|t) (?P<what>(?:favorit|yndlings|favoritt|älsklings)\w+) (?:är|er) THING
favourite: (?P<what>(?:favoritt|yndlings)\w+) min er THING
dislike: (?:«gillar|liker» (?:inte|ikke) (?:att |at |å )?THING|«tycker» inte om THING|«kan» ikke (?:lide|fordra|li)
  THING|«bryr» meg ikke om THING)
hate: «hatar|avskyr|hader|hater|afskyr» THING
avoid: «äter|dricker|spiser|drikker|ej» (?:inte|aldrig|ikke|aldri|inget|ingen|inga) THING
taken: «dricker|drikker» (?:mitt |min )?(?P<drink>kaffe|te)(?:n|t)? (?P<how>(?:svart|sort|utan|uten|uden|med)[\w
  ]{0,30})
hobby: (?:«spelar|spiller» (?:på )?(?!en\b|et+\b)THING|(?:min|mit|mina|mine) hobb(?:y|yer|ier) (?:är|er) (?:att |at
  |å )?THING)
speaks: «talar|pratar|snakker|taler» TONGUE
native: (?:mitt modersmål är|mit modersmål er|morsmålet mitt er) TONGUE
learning: «lär mig|lærer|lærer meg» (?P<tongue>\w+(?:sk|ska))
schedule: «går|spelar|tränar|har|spiller|træner|trener|svømmer|simmar|springer» (?:(?:på|til|till|i) )?ACT
  (?P<when>(?:varje|hver) \w+|på (?:mån|tis|ons|tors|fre|lör|sön|man|tirs|lør|søn)da(?:gar|ger|ge)(?:na|ne)?)
schedule: (?P<when>(?:varje|hver) \w+|på (?:mån|tis|ons|tors|fre|lör|sön)dagar(?:na)?)
  (?:går|spelar|tränar|har|spiller|træner|trener|svømmer|simmar|dricker|drikker) (?:jag|jeg|vi) (?:(?:på|til|till|i)
  )?ACT
car: «kör|kører|kjører» (?:en )?(?:gammal |gammel |ny )?(?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?)END
wake: «går upp|står op|står opp» (?P<when>(?:klockan|klokken|kl\.?) [\w:. ]{1,15})
smoke: «röker|ryger|røyker» (?:inte|ikke)
""")
