"""What is much the same in many languages: chronic conditions by their stems, makes of cars, words for "of". Pure."""

NOT_OF = (
    "".join(f"(?<!\\b{word} )" for word in ("de", "di", "da", "do", "van", "von", "of", "av", "af"))
    + r"(?!meiner|unserer)"
)
"""Not behind a word for "of": in "the son of my boss, Tom" it is the son who is called Tom."""

_NOT_THE_ILLNESS = r"(?!\w*(?:iker(?:in)?|spray|salbe|arzt|ärztin|anfall|mittel|klinik|ницу?)\b)"
ILL = (
    rf"{_NOT_THE_ILLNESS}(?:asthm|astm|asma|астм|diab[eè]t|cukrzyc|диабет|migr[äañé]|migren|мигрен|emicran|enxaquec|epilep"
    r"|padacz|эпилепс|e[ck]zem|eczeem|экзем|psoria|псориа|łuszczyc|neurodermit|rh?eum[ao]|romatizm|egzama|astım|diyabet|reflü|ревмат|arth?rit|polyarthr|poliartr|arth?ros|artret"
    r"|артрит|артроз|gicht\b|podagr|подагр|h[iy]pert[eéo]n|ipertens|nadciśni|bluthochdruck|гиперто|h[iy]pot[oe]ns"
    r"|insulino|insulinresist|h[iy]poton|ipotens|гипото|h[iy]p[eo]r?th?[iy]r|iperti|ipoti|гипот|tireoid|tiroid|hashimoto|хашимото|crohn|zöliaki"
    r"|co?eliac|co?eliak|cœliaq|celiaq|целиак|çölyak|reflu|рефлюкс|tinnitus|acouphèn|acufen|glau[ck]om|глауком|s[ck]olio"
    r"|сколиоз|fibrom[iy]al|фибромиал|endometr|эндометр|heuschnupf|hooikoort|adhs?\b|tdah|сдвг|an[äé]mi|osteopor|остеопор"
    r"|sinusit|parkinson|gastrit|гастрит|colite|rosacea|insomni|insônia|bezsennoś|бессонниц|rinit|lakto[sz]e?-?intol|lactose-?intol)\w{0,8}"
    r"(?: (?:de |di )?(?:type?|tipo|typu|типа) [12])?"
)
"""A chronic condition in any of the languages: asthma, asma, астма."""

_MAKES = (
    r"Alfa Romeo|Audi|BMW|Citro[eë]n|Cupra|Dacia|Daihatsu|Ducati|Fiat|Ford|Harley(?:-Davidson)?|Honda|Hyundai"
    r"|Jaguar|Jeep"
    r"|Kawasaki|Kia|Lancia|Land Rover|Lexus|Mazda|Mercedes(?:-Benz)?|Mini Cooper|Mitsubishi|Nissan|Opel|Peugeot"
    r"|Polestar|Porsche|Renault|Saab|Seat|[SŠ]koda|Subaru|Suzuki|Tesla|Toyota|Vauxhall|Vespa|Volkswagen|Volvo|VW|Yamaha"
    r"|Лад[аеуы]|Киа|Тойот[аеуы]|Рено|Шкод[аеуы]|Форд\w{0,2}|Ниссан\w{0,2}|Опел[ьея]|Мазд[аеуы]"
)
_MODELS = (
    r"Clio|Twingo|M[eé]gane|Kangoo|Corsa|Astra|Zafira|Passat|Touran|Tiguan|Golf|Fiesta|Mondeo|Panda|Cinquecento|Punto"
    r"|Ibiza|Fabi[aięą]|Octavi[aięą]|Yaris|Corolla|Prius|Aygo|Civic|Micra|Qashqai|Picanto|Sandero|Berlingo|Fusca|Gol"
    r"|Palio|Onix|HB20|Egea|Весте|Вест[аыу]|Грант[аеуы]|Нив[аеуы]|Солярис\w{0,2}"
)
_NO_CAR = r"(?! (?:shares?|stocks?|jobs?|poster|keycap|aktien?|acciones|azioni|ações|aandelen|akcj\w+|dealer|club))"
RIDE_OF_A_MAKE = rf"(?P<ride>(?-i:(?:{_MAKES})(?: [A-Z\d][\w.-]*){{0,2}}|(?:{_MODELS})(?: \d[\w.]*)?)(?!\w){_NO_CAR})"
"""A car by its make, or by a model that is known without it; written with its capital."""
RIDE_BY_DRIVER = rf"(?P<ride>(?:{_MAKES}|{_MODELS})\w{{0,3}}(?!\w){_NO_CAR})"
"""The same behind a word for driving, in any spelling and case: "jeżdżę passatem"."""

PETS = frozenset(
    [
        "dog",
        "puppy",
        "cat",
        "kitten",
        "rabbit",
        "horse",
        "bird",
        "parrot",
        "hamster",
        "guinea_pig",
        "tortoise",
        "fish",
        "hen",
        "ferret",
        "goat",
        "donkey",
        "snake",
    ]
)
"""The words of the keys for animals that have a name."""

DRUG = (
    r"(?!april\b)[^\W\d_]*(?:[^\W\d_]pril|лаприл|метформин|sartan|сартан|statin|статин|formin|формин|oxin|оксин|prazol|праз[оа]л|zepam|olol|олол|cillin"
    r"|oxetin|sertralin|thyrox|tirox|тирокс|levothyr|insulin|инсулин|ibuprofen|cortison|kortison|metotrexat|methotrexat"
    r"|marcumar|eliquis|xarelto|ozempic|euthyrox|eutirox|ritalin|lamotrig|lithium|salbutamol|pramipex)\w{0,4}"
)
"""A drug that is taken for long, by the stem or the end of its name in any of the languages."""

_DOGS = """
    labrador labradora beagle husky dackel dachshund teckel jamnik jamniczka lurcher cockapoo labradoodle
    goldendoodle corgi pudel königspudel zwergpudel poodle poedel caniche barboncino mops pug carlin carlino
    mopshond chihuahua yorkie yorkshire schnauzer dobermann doberman rottweiler terrier bulldogge bulldog
    bouledogue spaniel cocker whippet greyhound galgo levriero lévrier windhund podenco bassotto salchicha
    podengo bodeguero mastín mastino boerboel collie sheltie retriever dalmatiner dalmatian dálmata dalmata
    bernhardiner setter pointer braque epagneul épagneul bretone segugio maremmano meticcio bastardino
    vira-lata rafeiro kundelek kundel owczarek stabij kooiker labradorka labradorkę spitz shih-tzu malteser
    maltese maltês bichon havanese havaneser leonberger hovawart weimaraner vizsla malinois herder berger
    лабрадор такса таксу корги хаски шпиц пудель мопс овчарка овчарку дворняга дворнягу дворняжка бигль йорк
"""
_CATS = """
    ragdoll perser persan perserkatze siamkatze siamese siamois siamés birman bengal bengale sphynx siberian
    maine-coon tuxedo tabby mainecoon мейн-кун британец сфинкс сиамка
"""
BREEDS = {
    **dict.fromkeys(_DOGS.split(), "dog"),
    **dict.fromkeys(_CATS.split(), "cat"),
    "border collie": "dog", "golden retriever": "dog", "jack russell": "dog", "maine coon": "cat", "shih tzu": "dog",
    "vira-lata caramelo": "dog", "british shorthair": "cat", "bullterrier": "dog", "vizsla": "dog",
}  # fmt: skip
"""Breeds by which an animal is called in many languages, and the animal."""
