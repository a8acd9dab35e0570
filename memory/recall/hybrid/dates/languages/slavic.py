"""Polish and Russian words and phrases of dates."""

from memory.recall.hybrid.dates.grammar import Grammar

POLISH = Grammar(
    "polish",
    """
    month: styczeń|stycznia|styczniu luty|lutego|lutym marzec|marca|marcu kwiecień|kwietnia|kwietniu maj|maja|maju
        czerwiec|czerwca|czerwcu lipiec|lipca|lipcu sierpień|sierpnia|sierpniu wrzesień|września|wrześniu
            październik|października|październiku listopad|listopada|listopadzie grudzień|grudnia|grudniu
    weekday: poniedziałek|poniedziałku|poniedziałek wtorek|wtorku środa|środę|środy czwartek|czwartku piątek|piątku
        sobota|sobotę|soboty niedziela|niedzielę|niedzieli
    season: wiosna|wiosny|wiosnę|wiosną lato|lata|latem jesień|jesieni|jesienią zima|zimy|zimę|zimą
    n: jeden|jedną|jedna|jednego dwa|dwie|dwóch trzy|trzech cztery|czterech pięć sześć siedem osiem dziewięć dziesięć
    unit: dzień|dni|dnia tydzień|tygodnie|tygodni|tygodniu|tygodnia miesiąc|miesiące|miesięcy|miesiącu|miesiąca
        rok|lat|roku weekend|weekendy
    relative: dziś|dzisiaj wczoraj przedwczoraj
    last: zeszły zeszłym zeszłego zeszłej zeszłą zeszłe ubiegły ubiegłym ubiegłego ubiegłej ubiegłą ubiegłe miniony
        minionym minionego minionej minioną
    this: ten|tym|tego|tej|tę
    in: w|we|od
    in_year: w|od
    on: w|we|od
    ago_after: temu
    few: kilka|parę|kilku
    of: ,
    to: -|do
    since: od
    not_after: następny|następnym|następną|przyszły|przyszłym|przyszłą|przyszłego|każdy|każdą|co
    common: nie się na że jest mój moja mi co jak kiedy i do o z był była mam czy dla
    """,
    """
    ago unit=1: tydzień temu
    ago unit=2: miesiąc temu
    ago unit=3: rok temu
    ago unit=3: {n} lata temu
    last_few: ostatnie|ostatnich {n} {unit}
    year: w roku {year}
    """,
)

RUSSIAN = Grammar(
    "russian",
    """
    month: январь|января|январе февраль|февраля|феврале март|марта|марте апрель|апреля|апреле май|мая|мае
        июнь|июня|июне июль|июля|июле август|августа|августе сентябрь|сентября|сентябре октябрь|октября|октябре
            ноябрь|ноября|ноябре декабрь|декабря|декабре
    weekday: понедельник|понедельника вторник|вторника среда|среду|среды четверг|четверга пятница|пятницу|пятницы
        суббота|субботу|субботы воскресенье|воскресенья
    season: весна|весны|весной|весну лето|лета|летом осень|осени|осенью зима|зимы|зимой|зиму
    n: один|одну|одна|одного два|две|двух три|трёх четыре|четырёх пять шесть семь восемь девять десять
    unit: день|дня|дней неделя|неделю|недели|недель|неделе месяц|месяца|месяцев|месяце год|года|лет|году
        выходные|выходных
    relative: сегодня вчера позавчера
    last: прошлый прошлая прошлое прошлую прошлой прошлом прошлого прошлым прошлые прошлых минувший минувшую
        минувшей минувшем
    this: этот|эта|это|эту|этой|этом|этого|этим|эти|этих
    in: в|во|с|со
    in_year: в|с
    on: в|во|с|со
    ago_after: назад
    few: несколько|пару
    of: ,
    to: -|по|до
    ordinal: го|е
    since: с|со
    not_after: следующий|следующую|следующее|следующей|следующем|будущий|будущую|будущем|каждый|каждую|каждое
    common: я не что на это мой моя мне как когда и у с был была есть в мы он она по
    """,
    """
    ago unit=1: неделю назад
    ago unit=2: месяц назад
    ago unit=3: год назад
    ago: {n} {unit} тому назад
    last_few: последние|последних {n} {unit}
    """,
)
