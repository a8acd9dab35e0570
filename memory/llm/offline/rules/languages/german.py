"""German as a table."""

from memory.llm.offline.rules.languages.table import language

GERMAN = language(r"""
hints: ich mein meine meinen meiner meinem meines unser unsere unseren unserem unserer wir mir mich uns
  bin hab habe bitte
  daheim zuhause zuhaus hier
and: und
but: aber|denn|sondern
subject: ich
own: ich | wir
inverts: yes
opens: bin | habe? | wohne | lebe | arbeite | heiße | heisse | komme | studiere | spiele | esse | trinke | fahre |
  suche
  | brauche
others: er | sie | es | man | alle | der | die | das | den | dem | mein\w* | unser\w* | sein\w* | ihr\w* | dein\w*
resumes: ist | hat | mag | isst | trinkt | will | darf | wohnt | arbeitet | ich | wir | habe? | bin | kann | muss |
  weiß | suche | brauche | mein\w* | unser\w*
verb: (?:ich (?:V)|(?:V) ich)
my: (?:mein|unser)(?:e[nrsm]?)?
allergic: da(?:gegen|rauf)? bin ich (?:nämlich |sehr |stark )?allergisch | ich bin (?:da(?:gegen|rauf) )?(?:nämlich
  |sehr |stark )?allergisch(?! (?:gegen|auf))
allergic_to: ich bin allergisch gegen _
without: ohne
there: (?:ich wohne|wir wohnen|ich lebe|wir leben|wohn ich|wohne ich|wohnen wir|leben wir) (?:(?:seit|schon) [\w
  ]{2,20} )?(?:hier|dort|da)(?! in (?-i:[A-Z])) | (?:da|dort|hier) (?:wohne ich|wohnen wir|lebe ich|leben wir)
live_in: ich wohne in _
places: in | von | aus | nach | um
no: kein _
lead: da(?= (?:ich|wir)\b) | weil | übrigens | also | aber | ja | nein | ach | nun | hallo | hi | hey | guten
  (?:tag|morgen|abend) | naja | und |
  denn | zum (?:frühstück|mittagessen|abendessen) | in meiner freizeit | nach (?:der arbeit|dem essen) | zur info |
  kurz zu mir | dass | moin | servus | ok(?:ay)? | sorry | korrektur | leider | zum glück
  | (?:nur )?(?:kurze|eine|ne|kleine|blöde) frage | frage | hab ne frage | huhu | na | sag mal | hör mal | tach |
  normalerweise | sonst
filler: hier(?= in) | auch | nämlich | jetzt | nun | schon | immer noch | noch immer | seit (?:\w+
  ){0,3}?(?:jahr(?:en?)?|monat(?:en?)?|wochen?|langem|kurzem|kindheit|geburt|\d{4}) | schon lange | ursprünglich |
  eigentlich |
  wirklich | total | sehr | ziemlich | beruflich | hauptberuflich | privat | derweil | so | stark | schwer | extrem |
  leidenschaftlich | regelmäßig | fließend | überhaupt | gar | besonders | einfach | übrigens | etwas | ein bisschen |
  ein wenig | absolut | hauptsächlich | inzwischen | mittlerweile
  | ja | halt | eben | mal | grad | eh | doch | meistens
stop: in | im | an | am | auf | bei | beim | mit | ohne | für | zu | zum | zur | von | vom | aus | als | wie | weil |
  aber | und | oder | ich | wir | du | er | sie | es | ist | sind | bin | habe | hat | nicht | nie | kein\w* | dass |
  da | seit | nach | jeden | jede | doch | nur | mein\w* | der | die | das | wohne | lebe | arbeite | komme | heiße |
  mag | spiele | esse | trinke | gegen | mal
not: nicht | kein\w* | nie | niemals | weder | kaum
token.JOB: (?P<job>(?:(?:selbst|frei|angehende|gelernte)\w* )?(?-i:[A-ZÄÖÜ])\w[\w-]+)
jobs: er erin ist istin arzt ärztin eur eurin ent entin ant antin koch köchin mann frau or orin pfleger schwester
  hebamme architekt architektin jurist notar azubi beamter beamtin prof coach hausmeister rechtsanwalt anwalt anwältin
  pilot pilotin psychologe psychologin logopädin soziologe
ask: du | ihr | wer | was | wo | wann | warum | wieso | wie | welche\w* | kann\w* | könn\w* | hast | gibt | soll\w* |
  weißt | gehört | darf | muss | welch\w* | irgendwelche | tipps | ideen | empfiehlst | lohnt | was für | wozu | wofür
  | was'n | habt | brauch\w* | wieviel
never: wenn | falls | ob | wär\w* | hätte\w* | könnte(?!st|n sie)\w* | vielleicht | eventuell |
  möglicherweise | wahrscheinlich |
  vermutlich | womöglich | glaube | denke | angeblich | anscheinend | sagt | meint | behauptet | erzählt | fragt |
  findet | sagte\w* | schrieb\w* | schreibt | laut | in kürze | künftig |
  vorübergehend | wirst |
  sollte\w* | als kind | als ob | sei | habe? gelesen | na toll | ja klar | na super | witz |
  denk(?:st|t) | glaub(?:st|t) | geschrieben | gesagt | meinte\w* | erzählte\w* | antwortete\w* | textete\w* | steht |
  sprich mir nach |
  (?:alle|leute|viele|manche|sie|man) (?:meinen|sagen|denken|glauben|halten) | hält mich | halten mich | beinahe |
  fast(?! all| nie| nur| jed| immer) | um ein haar | quasi | praktisch | sozusagen | scherz\w* | spaß | solange |
  für (?:\w+ ){1,2}(?:tage|wochen|monate) | als (?:student(?:in)?|schüler(?:in)?|teenager|jugendliche[r]?) |
  im traum | aber sicher | na klar | oh klar | falsch | irrtum | stimmt nicht
  | offiziell | von wegen | aber hallo | klar doch | sicher doch
wants: würde\w* | möchte\w* | wünsch\w* | hoffe | träum\w* | überlege | plane | werde(?! ich \d) | wollte\w* | will |
  (?<!lerne
  )gerade
soon: früher | damals | einst | nicht mehr | bald | demnächst | (?<!jeden )(?<!am )(?<!guten )morgen | heute | gestern
  | nächste\w*
  | bis | diese[rsnm]? (?:woche|wochenende|monat|jahr|sommer) | momentan | derzeit | zur ?zeit
pretend: stell(?:t|en)? (?:dir|euch|sie sich)(?: mal)? vor | angenommen | nehmen wir an | gesetzt den fall | was
  wäre,? wenn | tu(?:n wir| mal)? so | spiel\w* (?:die|eine) rolle | rollenspiel | so (?:zu )?tun,? als | mal
  angenommen | zum beispiel | im
  stil von | aus (?:der )?sicht | theoretisch | hypothetisch | (?:einem|im) (?:anderen|früheren|nächsten) leben | als
  wäre ich | rein theoretisch
who: dog hund hündin; puppy welpe welpen; cat katze kater; kitten kätzchen; rabbit kaninchen hase hasen; horse pferd
  stute pony; bird vogel wellensittich; parrot papagei papageien; hamster hamster; guinea_pig meerschweinchen;
  tortoise
  schildkröte; spouse frau mann ehefrau ehemann gattin gatte; girlfriend freundin; partner partner partnerin
  lebensgefährtin lebensgefährte; daughter tochter; son sohn; baby baby; sister schwester; brother bruder; mother
  mutter mama; father vater papa; grandmother oma großmutter; grandfather opa großvater; aunt tante; uncle onkel;
  cousin cousin cousine; niece nichte; nephew neffe neffen; boss chef chefin; colleague kollege kollegen kollegin;
  friend freund kumpel; boat boot; children kinder; daughters töchter; sons
  söhne; twins zwillinge zwillingen; cats katzen; dogs hunde; sisters schwestern; brothers brüder
  ; child kleine kleiner kleinen jüngste jüngster jüngsten älteste ältester ältesten große großer großen enkel
  enkelin; hen henne huhn; ferret frettchen; goat ziege; hens hühner hennen; ferrets frettchen; rabbits kaninchen
  hasen; guinea_pigs meerschweinchen; horses pferde; goats ziegen; children kids; cat kater katze
token.ROLE:
  (?:\w*(?:er|e[ru]?in|orin|istin|ogin|antin|entin|barin|ärztin|chefin|ist|mann|frau|eur|ling|vater|mutter|bruder
    |schwester|chef|boss|typ|junge|kerl|mensch|papa|mama|opa|oma|tante|onkel|sohn|tochter|azubi|arzt|[eoa]nt)\b)
introduced: ich bin (?:die|der) (?!ROLE)NAME(?=[.!]?$|,| und )
name: (?:ich hei(?:ß|ss)e|hei(?:ß|ss)e ich|mein (?:voller |vor)?name (?:ist|lautet)|(?:alle|freunde|meine
  freunde|man|die meisten) nenn(?:en|t) mich|(?:bitte )?nenn(?:t|en sie)? mich|(?:du kannst|ihr könnt|sie können)
  mich(?: gerne?)?) NAME
nation: «bin» (?P<what>(?:Deutsche|Österreicher|Schweizer|Italiener|Spanier|Amerikaner|Engländer)(?:r|in)?|Pole|Polin
    |Türke|Türkin|Franzose|Französin)END
home: «wohne|lebe|wohn|leb» (?:(?:zusammen )?mit (?:mein|unser)\w* \w+(?: \w+)? )?(?:am (?:stadt)?rand von|im zentrum
  von|in) PLACE
home: (?:wir (?:wohnen|leben)|(?:wohnen|leben) wir) (?:am (?:stadt)?rand von|im zentrum von|in) PLACE
home: (?:ich in PLACE (?:wohne|lebe)|mein (?:wohnort|zuhause) ist(?: in)? PLACE|in PLACE (?:wohne|lebe|bin) ich(?: zu
  ?hause)?|ich bin in PLACE zu ?hause)
home: (?:«bin»|wir sind)(?: \w+ \w+)?(?: von \w+)? nach PLACE (?:um)?gezogen
from: (?:«komme|stamme|bin»(?: gebürtig)? aus PLACE|«bin» in PLACE aufgewachsen|meine heimat(?:stadt)? ist PLACE)
born: (?:«bin|wurde» in PLACE geboren)
birthday: geboren (?:bin|wurde) ich am DATE
age: «bin» NUMBER(?: jahre(?: alt)?)?END
birthyear: «bin» YEAR geboren
wake: «stehe» (?:\w+ ){0,2}?(?P<when>um [\w: ]{1,20}?)(?: uhr)? auf
birthday: (?:«habe?» am DATE geburtstag|mein geburtstag ist (?:der |am )?DATE|«bin|wurde» am DATE geboren|am DATE
  (?:habe? ich geburtstag|werde ich))
am: ich bin (?:die |der )?(?-i:[A-ZÄÖÜ])\w+, JOBEND
job: «arbeite» (?:bei|in|im|an|am) [^,]{2,25}? als JOB
job: (?:«bin|arbeite» als JOB(?: \w+){0,3} (?:angestellt|tätig|beschäftigt)|(?:von|vom) beruf bin ich JOB)
job: (?:«arbeite|jobbe|schaffe» als (?:eine? )?JOB|«bin» (?:von|vom) beruf JOB|«bin» JOB von beruf|mein beruf ist
  JOB|«verdiene» mein geld als JOB)
am: «bin» (?:eine? |gelernte[rs]? |selbst\w+ )?JOB
employer: «arbeite|bin» (?:(?:bei|für) (?:der |dem )?EMPLOYER|in (?P<employer>eine[rm] [\w-]+))
studies: «studiere» THING
status: «bin» (?P<what>arbeitslos|im ruhestand|in rente|rentner(?:in)?|selbstständig|freiberuflich|in
  elternzeit|pensioniert)END
married: «bin» (?P<what>verheiratet|geschieden|ledig|verlobt|verwitwet|alleinerziehend|single)END
called: MY (?:\w+ ){0,2}?WHO (?:hei(?:ß|ss)t|hört auf den namen|namens) NAME
called: der name (?:mein|unser)e[rs] (?:\w+ )?WHO(?:e?s)? ist NAME
called: (?:«habe?»|wir haben|haben wir)(?: eine?n?)? (?:\w+ )?WHO(?:,? (?:namens|der|die|das|er|sie|es)| mit (?:dem
  )?namen)? (?:heißt )?NAME
passing: (?<![\w'])(?:MY (?:\w+ )?WHO NAME|NOTOFMY (?:\w+ )?WHO, NAME)
names: (?:«habe?»|wir haben) (?:\w+ )?GROUP(?:,|:| namens)? NAMES
names: MY (?:\w+ )?GROUP (?:heißen|sind) NAMES
count: (?:«habe?»|wir haben) COUNT GROUPEND
none: (?:«habe?»|wir haben) keine kinder
allergy: «bin|reagiere» (?:\w+ )?allergisch (?:gegen|auf) THING
allergy: gegen THING bin ich (?:\w+ )?allergisch
allergy: ich gegen THING allergisch bin
allergy: «bin» gegen THING allergisch
allergy: «habe?» (?:eine |ne )?(?:\w+ )?(?P<thing>\w{3,20}?)[- ]?allergie
allergy: «habe?» eine allergie gegen THING
intolerance: «bin» (?P<what>laktose\w*|gluten\w*|fruktose\w*|histamin\w*)
intolerance: «habe?» eine (?P<what>\w+)unverträglichkeit
avoid: «esse|trinke|vertrage|darf» (?:nie )?keine?n? THING
avoid: «vertrage|esse|trinke» THING nicht
condition: «habe?|leide an|leide unter» (?:ILL|(?P<what>depressionen|schuppenflechte))
passing_ill: (?<![\w'])(?:meine[mnrs]?|mein) ILL
passing_car: (?<![\w'])MY (?:alte[rnm]? |neue[rnm]? )?MAKE
passing_home: (?<![\w'])bei (?:uns|mir)(?: zu ?hause)? in PLACE
passing_names: (?<![\w'])(?:meine|unsere)[nr]? (?:\w+ )?GROUP,? NAMES
am: als JOB
  (?:arbeite|unterrichte|leite|(?!\w+te\b|wurde|wäre|würde|habe\b)\w+e|muss|kann|darf|weiß|steh|geh|komm
    |sitz|brauch|fahr|mach|krieg)
  ich
condition: bei mir wurde ILL diagnostiziert
condition: «bin» (?P<what>diabetiker(?:in)?|asthmatiker(?:in)?|linkshänder(?:in)?|farbenblind|schwerhörig|kurzsichtig)
medication: «nehme» (?:täglich |jeden (?:tag|morgen|abend) |morgens |abends )(?P<what>(?!den |die |das |ein |mir
  )[^\W\d_]\w+)
diet: (?:«bin|lebe|esse» |«ernähre» mich )(?:\w+ )?(?P<what>vegetarier(?:in)?|veganer(?:in)?|vegan|vegetarisch
    |pescetarier(?:in)?|koscher|halal|glutenfrei)
like: (?:am liebsten|meistens) (?:höre|esse|trinke|lese|spiele|mag) ich THING
like: (?:«mag|liebe» THING|mir (?:gefällt|schmeckt) THING|«stehe» auf THING|«bin» (?:ein )?(?:großer )?fan von THING)
like: «esse|trinke|höre|lese|sehe» (?:so |viel )?(?:gern|lieber|am liebsten|immer|jeden tag|jeden
  morgen|morgens|abends)e? THING
favourite: (?:mein|unser)e? (?P<what>lieblings\w+) (?:ist|sind) (?:der |die |das )?THING
dislike: «mag|kann|ertrage» (?:keine?n? THING|THING nicht(?: (?:leiden|ausstehen|ab))?)
dislike: THING (?:mag ich nicht|kann ich nicht (?:ausstehen|leiden|ab))
avoid: THING (?:esse|trinke|vertrage) ich nicht
hate: «hasse|verabscheue» THING
taken: «trinke» (?:meinen )?(?P<drink>kaffee|tee) (?P<how>(?:immer )?(?:schwarz|ohne|mit)[\w ]{0,30})
hobby: «spiele» (?:gerne? )?(?:in meiner freizeit )?(?!mit\b|auf\b|k?ein)THING
hobby: (?:«gehe» (?:gern|oft|viel|meistens|häufig|regelmäßig)e? THING|mein(?:e)? hobb(?:y|ys|ies) (?:ist|sind) (?:das
  )?THING|in meiner freizeit
  (?:gehe|spiele|mache|bin|lese|male) ich (?:gerne? )?THING)
hobby: «(?P<thing>lese|male|schwimme|koche|backe|wandere|tanze|jogge|zeichne|stricke|nähe|angle|klettere|fotografiere
    |reite|segle|sammle)» gerneEND
speaks: (?:«spreche?» (?:zwar |fließend )?|wir (?:sprechen|reden) (?:zu ?hause|daheim) |(?:zu ?hause|daheim)
  (?:sprechen|reden) wir )TONGUE
native: meine muttersprache ist TONGUE
learning: «lerne» (?:gerade )?(?P<tongue>\w+isch)
schedule: «gehe|spiele|mache|habe|trainiere|jogge|laufe|schwimme» (?P<when>(?:jede[nrs]? (?:zweiten
  )?\w+|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|abend)s)(?: (?:abends?|morgens?|früh))?)
  (?:(?:zum|zur|ins|in die|im) )?ACT
schedule: (?P<when>(?:jede[nrs]? (?:zweiten
  )?\w+|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen
    |abend)s)(?: (?:abends?|morgens?))?) (?:gehe|spiele|mache|habe|trainiere|jogge|trinke|esse|fahre|laufe) ich
  (?:(?:zum|zur|ins|in die|im|meinen?) )?ACT
car: «fahre» (?:eine?n? )?(?:alten? |neuen? |roten? )?(?P<ride>(?-i:[A-ZÄÖÜ])(?!ahrrad|ad\b|us\b|ahn\b|uto\b)[\w-]+(?:
  \w+)?)END
smoke: (?:«rauche» nicht|«bin» nichtraucher(?:in)?)
clipped: yes
the: der|die|den|dem
have: ich hab\w*|wir haben|haben wir|hab\w* ich|und ich haben
with_me: und ich (?=\w+en\b)
passing: (?<![\w'])THE PET \(NAME(?=[,)])
passing: (?<![\w'])NOTOFMY (?:\w+ )?NEAR, (?:der |die )NAME
passing_home: (?<![\w'])(?:daheim|zu ?hause|zuhaus) in PLACE
passing_home: (?<![\w'])PLACE,? wo (?:ich|wir) (?:\w+ )?(?:wohne?n?|lebe?n?)(?=\W|$)
passing_ill: \bich (?:(?!wenn|ob)[^,.?!]){0,60}?(?:wegen|aufgrund) (?:meine[rs]? )?ILL
passing_ill: (?<![\w'])(?:wegen|aufgrund) (?:meine[rs]? )?ILL (?:muss|darf|kann|soll|nehm\w*|hab\w*|ess\w*) ich
medication: «nehme|bekomme|kriege|spritze» (?:\w+ ){0,3}?DRUG
passing_medication: (?<![\w'])(?:DRUG,? (?:das|die|den) ich (?:\w+ )?(?:nehme?|bekomme?|kriege?)|MY DRUG)
their_allergy: MY WHO(?: NAME)?(?: ist| hat)? (?:eine? )?(?:\w+ )?(?:allergisch|allergie) (?:gegen|auf) THING
their_allergy: MY WHO(?: NAME)? (?:verträgt|darf) keine?n? THING
condition: «sitze|bin» im (?P<what>rollstuhl)
condition: (?:ich )?(?:habe?|leide an) [\w -]{3,30}? und ILL
am: «bin» (?:eine? |gelernte[rs]? |selbstständige[rs]?
  )?(?P<job>(?-i:[a-zäöü])[^\W\d_]{0,20}(?:pflegerin|pfleger|lehrer|lehrerin|fahrer|techniker|mechaniker
    |ärztin|arzt|erzieher|ehmerin|istin|orin|eurin|ologin|antin|entin|erzieherin|verkäuferin|händlerin
    |handwerker|macherin|arbeiterin|beraterin|hebamme|koch|köchin|tischler|schreiner|maurer|maler|bäcker
    |bäckerin|metzger|friseur|gärtner|elektriker|informatiker|statiker|ingenieur|architekt|student
    |krankenschwester|hausmeister|kellner|kellnerin|schneiderin|fotograf|imker))(?!\w)
job: «mache|arbeite» [^,]{2,25}? als JOB
passing_birthday: (?<![\w'])am DATE (?:werde ich|habe? ich geburtstag|ist mein geburtstag)
anniversary: [^,]{0,30}?(?:ich|wir) (?:haben?|feiern) am DATE (?:\w+
  )?(?:hochzeitstag|silberhochzeit|goldhochzeit|goldene hochzeit|jahrestag)
anniversary: (?:unser|der) hochzeitstag ist (?:der |am )?DATE
dislike: THING (?:geht|gehen) (?:bei|für) mich? (?:gar |überhaupt )?nicht
dislike: THING (?:geht|gehen) (?:bei|für) (?:mir|mich) nicht
dislike: mit THING (?:kann man|kannst du|könnt ihr) mich jagen
dislike: THING (?:ist|sind) (?:nichts für mich|nicht meins|nicht mein ding|mir ein graus)
dislike: THING (?:krieg|bekomm|bring)e? ich nicht runter
dislike: «finde» THING (?:eklig|widerlich|ekelhaft|furchtbar|grauenhaft|zum kotzen)
hobby: «singe|spiele|tanze» in (?P<thing>(?:eine[mr]|der|unserem)
  (?:\w*chor|\w*band|\w*orchester|\w*verein|\w*gruppe))
hobby:
  «(?P<thing>imkere?|töpfere?|gärtnere?|bouldere?|kegele?|häkele?|schnitze?|rudere?|turne?|fechte?|boxe?|bastele?)»(?=
  |END)
never_offer: (?:schlag|empfiehl|gib)(?: mir)? (?:bitte )?(?:nie|niemals|keine?n?) (?:\w+ mit )?THING vor
passing_address: (?<![\w'])(?:mich|uns) (?:bitte |gern |ruhig )?(?P<style>duzen|siezen)(?!\w)
passing_address: (?<![\w'])(?:(?P<style>duz|siez)e? mich|(?:sag|sagen sie) (?:bitte |ruhig )?(?P<style>du|sie) zu
  mir)(?!\w)
passing_answers: (?<![\w'])(?:antworte?|schreibe?|rede?|erkläre?|formuliere?)(?: mir| mit mir| bitte)*
  (?:immer|stets|ab jetzt|künftig|in zukunft|grundsätzlich|nur noch)(?: bitte| nur)* STYLE
passing_answers: (?<![\w'])(?:immer|ab jetzt|künftig|grundsätzlich)(?: bitte| nur)*
  (?P<style>(?:auf|in|kurz|knapp|ohne|mit)(?: [^\s,.?!:;]+){0,4}) (?:zu )?antworten
passing_format: (?<![\w'])(?P<style>nicht (?:\w+ ){0,2}fett) (?:schreiben|schreib|formatieren|setzen)
passing_without: (?<![\w'])(?:schreibe?|mache?|benutze?|verwende?|nutze?|setze?)(?: mir| bitte)* keine (?:\w+
  )?(?P<thing>emojis?|smileys?|aufzählungen|bulletpoints?|listen|floskeln|anglizismen|tabellen|überschriften)
called: (?:«habe?»|wir haben) (?:nur )?(?:die|den|das) WHO, (?:die |den |der )?NAME(?=[,.]|$)
car: (?:«habe?»|wir haben) (?:eine?n? |ne |nen )?(?:alten? |neuen? |kleinen? )?MAKE
""")
