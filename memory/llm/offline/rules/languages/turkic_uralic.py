"""Turkish and Finnish as tables: what they say in endings stands in the frames as endings."""

from memory.llm.offline.rules.languages.table import language

TURKISH = language(r"""
final: yes
plurals: no
and: ve | ile
but: ama|fakat
verb: (?:ben )?(?:V)
my: (?:benim |bizim )?
no: _ yok
stop: ve | ile | ama | fakat | çünkü | için | ben | bir | de | da | her | ki | gibi | olarak | değil
lead: bu arada | ama | evet | hayır, | merhaba | selam | şey | ah | bildiğin gibi | çünkü | unutma(?: ki)? | bilgin
  olsun | ayrıca | teşekkürler | ve | maalesef | aslında | benim | bizim | ben(?! (?-i:[A-ZÇĞİÖŞÜ])) | biz | evde
filler: (?<!['’])d[ea] | şu anda | şimdi | artık(?!) | hâlâ | hala | geçen (?:ay|yıl|hafta|sene) | uzun zamandır | \w+
  yıldır | yıllardır |
  gerçekten
  | çok | epey | aşırı | hep | her zaman | özellikle | ciddi şekilde | biraz | akıcı | kesinlikle | en çok | şahsen |
  genelde | genellikle | oldukça
not: değil\w* | \w+m[ıiuü]yor\w* | yok | asla | hiç
ask: ne | kim | nerede | neden | nasıl | hangi | kaç | (?:.* )?(?:m[ıiuü]\w{0,4}|ne\w{0,4}|hangi\w*|nasıl|kaç) | mı |
  mi | mu | mü | misin | \w+ m[ıiuü]
never: eğer | \w+s[ae]yd[ıi]\w* | \w+sayd\w+ | \w+seyd\w+ | keşke | umar\w+ | belki | galiba | muhtemelen | sanırım |
  herhalde | düşünüyor\w* | \w+abilirim | sözde | diyor\w* | dedi\w* | söyle\w+ | yazdı | sordu | iddia | göre |
  kadar | eskiden | önceden | bir zamanlar | bu (?:hafta|ay|yıl|akşam) | geçici\w* | şimdilik | \w{2,}aca[kğ]\w* |
  \w{2,}ece[kğ]\w* | sanki | artık | çocukken | \w+[ıiuü]yordum | \w+d[ıiuü]ysem | olsa\w* | m[ıiuü] | m[ıiuü]y\w+ |
  güya | neredeyse | az kalsın | şaka\w* | sanıyor\w* | zannediyor\w* | insanlar | herkes | tabii | elbette |
  birkaç (?:gün|hafta|ay)(?:lığına|lik)? | hissediyorum | gibiyim | yazıyor | yanlış
wants: istiyorum | istiyor\w* | isterim | isterdim | hayal | planlıyor\w*
soon: yakında | bugün | yarın | dün
pretend: diyelim ki | varsayalım | farz (?:et|edelim) | hayal et\w* | düşün ki | düşünsene | mış gibi | miş gibi | rol
  yap\w* | rolünü | örneğin | mesela | tut ki | tutalım ki | teorik(?: olarak)? | teoride | başka bir hayatta |
  rüyamda
who: dog köpeğim köpeğimin köpeğimiz köpeğimizin; puppy yavrum; cat kedim kedimin kedimiz kedimizin; kitten kediciğim;
  rabbit tavşanım tavşanımın; horse atım atımın; parrot papağanım papağanımın; bird kuşum kuşumun muhabbet; hamster
  hamsterım hamsterımın; tortoise kaplumbağam kaplumbağamın; spouse karım karımın kocam kocamın eşim eşimin;
  girlfriend
  sevgilim sevgilimin; daughter kızım kızımın kızımız; son oğlum oğlumun oğlumuz; sister ablam ablamın; brother abim
  abimin ağabeyim ağabeyimin; sibling kardeşim kardeşimin; mother annem annemin; father babam babamın; grandmother
  büyükannem anneannem babaannem; grandfather dedem dedemin; aunt teyzem teyzemin halam halamın; uncle amcam amcamın
  dayım dayımın; boss patronum patronumun; friend arkadaşım arkadaşımın; children çocuğum
  çocuklarım çocuklarımın; cats kedilerim kedilerimin; dogs köpeklerim köpeklerimin
token.PLACE: (?P<place>(?-i:[A-ZÇĞİÖŞÜ])[^\W\d_]+?(?: (?-i:[A-ZÇĞİÖŞÜ])[^\W\d_]+?)?)
token.NAME: (?P<name>(?-i:[A-ZÇĞİÖŞÜ])[^\W\d_]+(?: (?-i:[A-ZÇĞİÖŞÜ])[^\W\d_]+)?)(?!['’\w])
token.THING: (?P<thing>[^\W\d_]+(?: (?!ve\b|ama\b|çünkü\b)[^\W\d_]+){0,2}?)
token.JOB: (?P<job>[^\W\d_]{3,}?(?: [^\W\d_]{3,}?){0,2})
jobs: men ci cı cu cü çi çı çu çü mühendis mühendisi doktor hemşire avukat mimar öğrenci emekli memur memuru garson
  pilot şoför şoförü polis psikolog eczacı veteriner akademisyen muhasebeci kasiyer kuaför mimarı müdür müdürü garson
  aşçı öğretmeni terzi asker hâkim hakim doktoru marangoz berber bahçıvan
introduced: (?:ben )NAMEEND
name: (?:benim )?(?:adım|ismim) NAME(?!')END
name: (?:bana )NAME (?:de|diyebilirsin|derler|diyin|deyin)END
home: (?:PLACE['’]?[dt][ae] (?:yaşıyoru[mz]|oturuyoru[mz]|ikamet ediyorum)|PLACE['’]?(?:y?[ae]) taşındı[mk])
from: (?:aslen PLACE['’]?l[ıiuü]y[ıiuü][mz]|PLACE['’]l[ıiuü]y[ıiuü][mz]|PLACE['’]?[dt][ae]n
  (?:geliyorum|gelmeyim)|memleketim PLACE)
born: PLACE['’]?[dt][ae] doğdum
age: NUMBER yaş[ıi]nday[ıi]m
birthday: doğum günüm (?P<date>\d{1,2} [^\W\d_]+)
birthday: (?P<date>\d{1,2} [^\W\d_]+?)(?:'?[dt][ae])? doğdum
job: (?:(?:(?:bir )?[^\W\d_]+[dt][ae] )?JOB olarak çalışıyorum|mesleğim JOB|işim JOB)(?:END)
am: (?:bir )?JOBy?[ıiuü]mEND
employer: (?P<employer>(?-i:[A-ZÇĞİÖŞÜ])\w+(?: (?-i:[A-ZÇĞİÖŞÜ])\w+)*?)['’]?[dt][ae] çalışıyorum
employer: (?P<employer>bir \w+?)[dt][ae] çalışıyorum
studies: THING (?:okuyorum|bölümünde okuyorum|öğrencisiyim)END
married: (?P<what>evli|bekar|bekâr|boşanmış|nişanlı|dul)y[ıi]mEND
status: (?P<what>emekli|işsiz)(?:y?im)END
called: WHO (?:adı|ismi) NAMEEND
called: (?:adı|ismi) NAME olan bir (?P<who>kedi|köpe[kğ])(?:m|im) var
called: NAME ad(?:ında|lı) bir (?P<who>kedim|köpeğim|kızım|oğlum) varEND
passing: (?<![\w'])WHO,? NAME
names: GROUP(?: adları| isimleri) NAMES
count: COUNT GROUP varEND
none: (?:hiç )?çocuğum yok
allergy: (?P<thing>[^\W\d_]+?(?: [^\W\d_]+?)?)y?['’]?[ae] (?:karşı )?(?:alerjim var|alerjiğim|alerjikim)
allergy: THING alerji(?:m var|si var bende)
intolerance: (?P<what>laktoz|gluten) intolerans\w*
passing_car: (?<![\w'])benim MAKE
condition: (?:bende )?(?P<what>reflü|romatizma|egzama|astım|diyabet|şeker
  hastalığı|migren|epilepsi|tansiyon|çölyak|hipertansiyon)(?:ım|im|m|sı|ım)?
  (?:var|hastasıyım)
condition: (?P<what>tansiyonum|şekerim) var
condition: (?P<what>şeker hastası|astım hastası|solak|çölyak hastası|renk körü)y[ıi]m|(?P<what>solak)ım
medication: her (?:gün|sabah|akşam) (?P<what>[^\W\d_]{4,}?) (?:alıyorum|kullanıyorum)
diet: (?P<what>vejetaryen|vegan|pesketaryen)[ıi]mEND
like: (?:THING (?:severim|seviyorum|bayılırım|tercih ederim|tercih ediyorum|hoşlanırım)|THINGy?[ae] bayılırım|THING
  hoşuma gid(?:er|iyor))
favourite: en sevdiğim (?P<what>[^\W\d_]+) THINGEND
dislike: THING (?:sevmem|sevmiyorum|hoşlanmam|hoşlanmıyorum|katlanamam|nefret ederim|tahammül edemem)
avoid: (?:hiç |asla )?THING (?:yemem|yemiyorum|içmem|içmiyorum|yiyemem|yiyemiyorum|içemem|kullanmam|kullanmıyorum)
hobby: (?:THING (?:çalıyorum|çalarım|oynuyorum|oynarım)|hobi(?:m|lerim) THING)END
speaks: (?P<tongue>\w+(?:ca|ce|ça|çe)(?: ve \w+(?:ca|ce|ça|çe))*)
  (?:konuşuyoruz|konuşuyorum|konuşurum|biliyorum|bilirim|konuşabiliyorum)
native: (?:ana dilim|anadilim) (?P<tongue>\w+)
learning: (?P<tongue>\w+(?:ca|ce|ça|çe)) öğreniyorum
schedule: (?P<when>her (?:pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar|sabah|akşam|gün|hafta)(?: \w+)??)
  (?P<act>[^\W\d_]+(?: [^\W\d_]+)?) (?:giderim|gidiyorum|yaparım|yapıyorum|oynarım|oynuyorum|içerim|içiyorum|yerim
    |koşarım|yüzerim)
schedule: (?P<when>her \w+) (?P<act>koş|yüz|yürü)\w+END
car: (?P<ride>(?-i:[A-Z])[\w-]+(?: \w+)?) (?:kullanıyorum|sürüyorum)
wake: (?:her gün |her sabah )?(?P<when>saat [\w: ]{1,12}'?[dt][ae]) (?:kalkarım|kalkıyorum|uyanırım|uyanıyorum)
smoke: sigara (?:içmem|içmiyorum|kullanmıyorum)
""")

FINNISH = language(r"""
hints: minä minun minulla mun mulla meillä meidän olen olemme en asun asumme nimeni kutsu rakastan pidän inhoan vihaan
  työskentelen juon syön opiskelen puhun soitan pelaan harrastan muutin muutimme koirani koiramme kissani kissamme
  vaimoni mieheni tyttäreni tyttäremme poikani poikamme siskoni veljeni äitini isäni veneeni veneemme hevoseni
  kollegani ystäväni naapurini olin synnyin ajan täytin syntymäpäiväni lempivärini lempiruokani harrastukseni tykkään
  lapseni ammattini äidinkieleni käyn naimisissa
and: ja
but: mutta|sillä
plain: Helsingi=Helsinki Turu=Turku Lahde=Lahti Seinäjoe=Seinäjoki Rovanieme=Rovaniemi Tamperee=Tampere
  Riihimäe=Riihimäki
verb: (?:minä |mä )?(?:V)
my: (?:minun |meidän |mun )?
no: ei _
stop: ja | mutta | joten | koska | että | jossa | en | olen | se | on | joka | minä | kun | joka
lead: muuten | mutta | kyllä | joo | ei, | hei | moi | terve | no | kuten tiedät | koska | muista,? että | tiedoksi |
  lisäksi | kiitos | ja | valitettavasti | itse asiassa
jobs: taja täjä tija tijä lija lijä kija ija ijä ari äri insinööri kokki lääkäri hoitaja opettaja myyjä johtaja
  laulaja
  arkkitehti juristi psykologi poliisi opiskelija muusikko sihteeri kampaaja lentäjä sähkömies putkimies toimittaja
  näyttelijä leipuri eläinlääkäri hammaslääkäri tutkija kirjailija valokuvaaja
filler: myös | nykyään | nyt | vielä | edelleen | jo | alun perin | oikeasti | todella | tosi | hyvin | erittäin |
  paljon | aina | erityisesti | vakavasti | pahasti | hieman | vähän | sujuvasti | henkilökohtaisesti | vuodesta \d{4}
  | todellakin
not: en | ei | emme | eivät
ask: mikä | mitä | missä | milloin | miksi | miten | kuka | voitko | onko | mistä | kuinka | voisitko | oletko
never: jos | haluaisin | haluan | toivon | toivoisin | olisin | olisi | asuisin | voisin | ehkä | kai | luultavasti |
  luulen | uskon | kuulemma | muka | sanoi | sanoo | väittää | kysyi | kirjoitti | mukaan | asti | saakka | ennen |
  aiemmin | joskus | pian | tänään | huomenna | eilen | tällä viikolla | tässä kuussa | viikonlopun | toistaiseksi |
  väliaikaisesti | hetkellisesti | tällä hetkellä | juuri nyt | aion | suunnittelen | harkitsen | ikään kuin | enää |
  vitsi | lapsena | saatan | melkein | teoriassa | teoreettisesti | leikilläni | lukee | väärin | virhe
pretend: kuvittele\w* | kuvitellaan | oletetaan\w* | esitä | leikitään | leiki että | roolipeli\w* | esimerkiksi |
  entä
  jos | sanotaan että
who: dog koirani koiramme koira; puppy pentuni; cat kissani kissamme kissa; horse hevoseni; rabbit kanini kaniini;
  hamster hamsterini; spouse vaimoni mieheni puolisoni; partner avopuolisoni kumppanini; girlfriend tyttöystäväni;
  boyfriend poikaystäväni; daughter tyttäreni tyttäremme; son poikani poikamme; sister siskoni; brother veljeni;
  mother
  äitini; father isäni; grandmother mummoni isoäitini; grandfather isoisäni ukkini; aunt tätini; uncle setäni enoni;
  boss pomoni; colleague kollegani; friend ystäväni kaverini; boat veneeni veneemme; children
  lapseni lapsemme
introduced: olen NAMEEND
name: (?:nimeni on|«olen» nimeltäni|kutsu minua) NAME
home: «asun|asumme» (?P<place>(?-i:[A-ZÅÄÖ])[\w-]+?)(?:ssa|ssä|lla|llä)\b
home: «muutin|muutimme» (?:\w+(?:sta|stä|lta|ltä) )?(?P<place>(?-i:[A-ZÅÄÖ])[\w-]+?)(?:seen|oon|aan|ään|uun|iin|lle)\b
from: «olen» (?:kotoisin )?(?P<place>(?-i:[A-ZÅÄÖ])[\w-]+?)(?:sta|stä|lta|ltä)\b
born: «synnyin|olen syntynyt» (?P<place>(?-i:[A-ZÅÄÖ])[\w-]+?)(?:ssa|ssä|lla|llä)\b
age: «olen» NUMBER(?:-vuotias| vuotta(?: vanha)?| vuotias)
birthday: syntymäpäiväni on (?P<date>\d{1,2}\. ?(?:\w+|\d+\.))
job: (?:«olen ammatiltani|ammattini on» JOB|«työskentelen|olen töissä» (?P<job>[a-zåäö-]{3,30}?)(?:na|nä)\b)
am: «olen» JOB
married: «olen» (?P<what>naimisissa|eronnut|sinkku|kihloissa|leski)
called: WHO (?:nimi on|on nimeltään) NAME
called: WHO on NAMEEND
called: (?:minulla|meillä) on WHO(?:,| nimeltä| jonka nimi on) NAME
passing: \bWHO,? NAME
none: (?:minulla|meillä) ei ole lapsia
allergy: «olen» (?:\w+ )?allerginen THING
allergy: minulla on (?P<thing>\w{3,20})allergia
condition: «olen» (?P<what>laktoosi-intolerantti|keliaakikko|diabeetikko|astmaatikko|vasenkätinen|värisokea)
condition: minulla on (?P<what>astma|diabetes|migreeni|keliakia|epilepsia|adhd|reuma|laktoosi-intoleranssi)
diet: «olen» (?P<what>kasvissyöjä|vegaani|vegetaristi)
like: «rakastan|pidän|tykkään» THING
favourite: (?P<what>lempi\w+ni|suosikki\w+ni) on THING
dislike: en (?:pidä|siedä|tykkää|voi sietää) THING
hate: «inhoan|vihaan» THING
avoid: en (?:syö|juo|voi syödä) THING
taken: «juon» (?P<drink>kahvini|teeni) (?P<how>(?:mustana|ilman|maidolla)[\w ]{0,30})
hobby: (?:«soitan|pelaan|harrastan» THING|harrastukseni on THING)
speaks: «puhun» TONGUE
native: äidinkieleni on TONGUE
schedule: «käyn» ACT (?P<when>joka \w+|maanantaisin|tiistaisin|keskiviikkoisin|torstaisin|perjantaisin|lauantaisin
    |sunnuntaisin)
schedule: (?P<when>joka \w+|maanantaisin|tiistaisin|keskiviikkoisin|torstaisin|perjantaisin|lauantaisin|sunnuntaisin)
  (?:käyn|pelaan|juon|syön) ACT
wake: «herään|nousen» (?P<when>(?:kello )?[\w:]{3,15})
smoke: en (?:tupakoi|polta)
""")
