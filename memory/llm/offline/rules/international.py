"""What is much the same in many languages: chronic conditions by their stems, makes of cars, words for "of". Pure."""

NOT_OF = (
    "".join(f"(?<!\\b{word} )" for word in ("de", "di", "da", "do", "van", "von", "of", "av", "af"))
    + r"(?!meiner|unserer)"
)
"""Not behind a word for "of": in "the son of my boss, Tom" it is the son who is called Tom."""

_NOT_THE_ILLNESS = r"(?!\w*(?:iker(?:in)?|spray|salbe|arzt|ärztin|anfall|mittel|klinik|ницу?)\b)"
ILL = (
    rf"{_NOT_THE_ILLNESS}(?:asthm|astm|asma|астм|diab[eè]t|cukrzyc|диабет|migr[äañé]|migren|мигрен|emicran|enxaquec|epilep"
    r"|padacz|эпилепс|e[ck]zem|eczeem|экзем|psoria|псориа|łuszczyc|neurodermit|rh?eum[ao]|romatizm|egzama|astım|diyabet|reflü|ревмат|arth?rit|arth?ros|artret"
    r"|артрит|артроз|gicht\b|podagr|подагр|h[iy]pert[eéo]n|ipertens|nadciśni|bluthochdruck|гиперто|h[iy]pot[oe]ns"
    r"|h[iy]poton|ipotens|гипото|h[iy]p[eo]r?th?[iy]r|iperti|ipoti|гипот|tireoid|tiroid|hashimoto|хашимото|crohn|zöliaki"
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
