"""The same dates in other languages, read on Wednesday 12 June 2024."""

import pytest

from tests.memory.recall.hybrid.dates.reading import read

MAY = "2024-05-01..2024-05-31"
MARCH = "2024-03-01..2024-03-31"
WEEK = "2024-06-03..2024-06-09"
WEEKEND = "2024-06-08..2024-06-09"
TWO_WEEKS = "2024-05-28..2024-05-30"
LAST_YEAR = "2023-01-01..2023-12-31"
TUESDAY = "2024-06-11"
OCTOBER_13 = "2023-10-13"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("am 13. Oktober 2023", OCTOBER_13),
        ("13 Oktober", OCTOBER_13),
        ("am 13.10.2023", OCTOBER_13),
        ("Was habe ich dir am 13.10. erzählt?", OCTOBER_13),
        ("Was habe ich dir am 13.10.23 erzählt?", OCTOBER_13),
        ("am 3. März", "2024-03-03"),
        ("am 3. Maerz", "2024-03-03"),
        ("vom 3. bis 7. Mai", "2024-05-03..2024-05-07"),
        ("am Freitag, den 13. Oktober 2023", OCTOBER_13),
        ("im Mai", MAY),
        ("im März", MARCH),
        ("Anfang Mai", MAY),
        ("im Oktober 2023", "2023-10-01..2023-10-31"),
        ("letzten Mai", MAY),
        ("im Mai letzten Jahres", "2023-05-01..2023-05-31"),
        ("im Jahr 2023", LAST_YEAR),
        ("seit Mai", "2024-05-01..2024-06-12"),
        ("heute Morgen", "2024-06-12"),
        ("gestern Abend", "2024-06-11"),
        ("vorgestern", "2024-06-10"),
        ("vor drei Tagen", "2024-06-09"),
        ("vor zwei Wochen", TWO_WEEKS),
        ("vor 2 Wochen", TWO_WEEKS),
        ("vor einem Monat", MAY),
        ("letzte Woche", WEEK),
        ("in der letzten Woche", WEEK),
        ("letzten Monat", MAY),
        ("letztes Jahr", LAST_YEAR),
        ("voriges Wochenende", WEEKEND),
        ("am Dienstag", TUESDAY),
        ("letzten Dienstag", TUESDAY),
        ("letzte Woche Dienstag", "2024-06-04"),
        ("am Dienstag letzter Woche", "2024-06-04"),
        ("diesen Sommer", "2024-06-01..2024-06-12"),
        ("letzten Winter", "2023-12-01..2024-02-29"),
        ("die letzten zwei Wochen", "2024-05-29..2024-06-12"),
    ],
)
def test_german(message: str, expected: str) -> None:
    assert read(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("le 13 octobre 2023", OCTOBER_13),
        ("vendredi 13 octobre", OCTOBER_13),
        ("le 1er mai", "2024-05-01"),
        ("le 13/10/2023", OCTOBER_13),
        ("que s'est-il passé le 03/04/2023", "2023-04-03"),
        ("en mai", MAY),
        ("en mars", MARCH),
        ("début mai", MAY),
        ("en mai dernier", MAY),
        ("en mai de l'année dernière", "2023-05-01..2023-05-31"),
        ("en octobre 2023", "2023-10-01..2023-10-31"),
        ("au mois d'août 2023", "2023-08-01..2023-08-31"),
        ("en 2023", LAST_YEAR),
        ("aujourd'hui", "2024-06-12"),
        ("aujourd’hui", "2024-06-12"),
        ("ce matin", "2024-06-12"),
        ("De quoi avons-nous parlé hier ?", "2024-06-11"),
        ("avant-hier", "2024-06-10"),
        ("il y a trois jours", "2024-06-09"),
        ("il y a deux semaines", TWO_WEEKS),
        ("il y a un mois", MAY),
        ("la semaine dernière", WEEK),
        ("le mois dernier", MAY),
        ("le mois passé", MAY),
        ("l'année dernière", LAST_YEAR),
        ("le week-end dernier", WEEKEND),
        ("mardi dernier", TUESDAY),
        ("cet été", "2024-06-01..2024-06-12"),
        ("l'hiver dernier", "2023-12-01..2024-02-29"),
        ("depuis mai", "2024-05-01..2024-06-12"),
        ("le 3 de\u0301cembre", "2023-12-03"),
    ],
)
def test_french(message: str, expected: str) -> None:
    assert read(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("el 13 de octubre de 2023", OCTOBER_13),
        ("el viernes 13 de octubre", OCTOBER_13),
        ("el 13 de octubre del 2023", OCTOBER_13),
        ("el 13/10/2023", OCTOBER_13),
        ("en mayo", MAY),
        ("en marzo", MARCH),
        ("a finales de mayo", MAY),
        ("el pasado mayo", MAY),
        ("en mayo del año pasado", "2023-05-01..2023-05-31"),
        ("en octubre de 2023", "2023-10-01..2023-10-31"),
        ("en 2023", LAST_YEAR),
        ("hoy", "2024-06-12"),
        ("esta mañana", "2024-06-12"),
        ("ayer", "2024-06-11"),
        ("anoche", "2024-06-11"),
        ("anteayer", "2024-06-10"),
        ("antes de ayer", "2024-06-10"),
        ("hace tres días", "2024-06-09"),
        ("hace dos semanas", TWO_WEEKS),
        ("hace un mes", MAY),
        ("la semana pasada", WEEK),
        ("el mes pasado", MAY),
        ("el año pasado", LAST_YEAR),
        ("el fin de semana pasado", WEEKEND),
        ("el martes", TUESDAY),
        ("el martes pasado", TUESDAY),
        ("el pasado martes", TUESDAY),
        ("el martes de la semana pasada", "2024-06-04"),
        ("este verano", "2024-06-01..2024-06-12"),
        ("el invierno pasado", "2023-12-01..2024-02-29"),
        ("desde mayo", "2024-05-01..2024-06-12"),
    ],
)
def test_spanish(message: str, expected: str) -> None:
    assert read(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("il 13 ottobre 2023", OCTOBER_13),
        ("venerdì 13 ottobre", OCTOBER_13),
        ("il 13/10/2023", OCTOBER_13),
        ("a maggio", MAY),
        ("in marzo", MARCH),
        ("lo scorso maggio", MAY),
        ("a maggio scorso", MAY),
        ("a maggio dell'anno scorso", "2023-05-01..2023-05-31"),
        ("a ottobre 2023", "2023-10-01..2023-10-31"),
        ("nel 2023", LAST_YEAR),
        ("oggi", "2024-06-12"),
        ("stamattina", "2024-06-12"),
        ("ieri sera", "2024-06-11"),
        ("l'altro ieri", "2024-06-10"),
        ("tre giorni fa", "2024-06-09"),
        ("due settimane fa", TWO_WEEKS),
        ("un mese fa", MAY),
        ("la settimana scorsa", WEEK),
        ("la scorsa settimana", WEEK),
        ("il mese scorso", MAY),
        ("l'anno scorso", LAST_YEAR),
        ("lo scorso fine settimana", WEEKEND),
        ("il fine settimana scorso", WEEKEND),
        ("martedì scorso", TUESDAY),
        ("quest'estate", "2024-06-01..2024-06-12"),
        ("l'inverno scorso", "2023-12-01..2024-02-29"),
        ("da maggio", "2024-05-01..2024-06-12"),
    ],
)
def test_italian(message: str, expected: str) -> None:
    assert read(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("em 13 de outubro de 2023", OCTOBER_13),
        ("no dia 13 de outubro", OCTOBER_13),
        ("sexta-feira, 13 de outubro", OCTOBER_13),
        ("1º de maio", "2024-05-01"),
        ("em maio", MAY),
        ("em março", MARCH),
        ("em maio passado", MAY),
        ("em maio do ano passado", "2023-05-01..2023-05-31"),
        ("em outubro de 2023", "2023-10-01..2023-10-31"),
        ("em 2023", LAST_YEAR),
        ("hoje", "2024-06-12"),
        ("ontem", "2024-06-11"),
        ("anteontem", "2024-06-10"),
        ("há três dias", "2024-06-09"),
        ("duas semanas atrás", TWO_WEEKS),
        ("há duas semanas", TWO_WEEKS),
        ("há um mês", MAY),
        ("na semana passada", WEEK),
        ("no mês passado", MAY),
        ("no ano passado", LAST_YEAR),
        ("no fim de semana passado", WEEKEND),
        ("na terça-feira", TUESDAY),
        ("na terça-feira passada", TUESDAY),
        ("neste verão", "2024-06-01..2024-06-12"),
        ("desde maio", "2024-05-01..2024-06-12"),
    ],
)
def test_portuguese(message: str, expected: str) -> None:
    assert read(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("op 13 oktober 2023", OCTOBER_13),
        ("vrijdag 13 oktober", OCTOBER_13),
        ("op 13-10-2023", OCTOBER_13),
        ("in mei", MAY),
        ("in maart", MARCH),
        ("afgelopen mei", MAY),
        ("in mei vorig jaar", "2023-05-01..2023-05-31"),
        ("in oktober 2023", "2023-10-01..2023-10-31"),
        ("vandaag", "2024-06-12"),
        ("vanmorgen", "2024-06-12"),
        ("gisteren", "2024-06-11"),
        ("gisteravond", "2024-06-11"),
        ("eergisteren", "2024-06-10"),
        ("drie dagen geleden", "2024-06-09"),
        ("twee weken geleden", TWO_WEEKS),
        ("een maand geleden", MAY),
        ("vorige week", WEEK),
        ("afgelopen week", WEEK),
        ("vorige maand", MAY),
        ("vorig jaar", LAST_YEAR),
        ("afgelopen weekend", WEEKEND),
        ("op dinsdag", TUESDAY),
        ("afgelopen dinsdag", TUESDAY),
        ("vorige week dinsdag", "2024-06-04"),
        ("deze zomer", "2024-06-01..2024-06-12"),
        ("sinds mei", "2024-05-01..2024-06-12"),
    ],
)
def test_dutch(message: str, expected: str) -> None:
    assert read(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("13 października 2023", OCTOBER_13),
        ("w piątek, 13 października", OCTOBER_13),
        ("13.10.2023", OCTOBER_13),
        ("13 pazdziernika", OCTOBER_13),
        ("w maju", MAY),
        ("w marcu", MARCH),
        ("w zeszłym maju", MAY),
        ("w maju zeszłego roku", "2023-05-01..2023-05-31"),
        ("w październiku 2023", "2023-10-01..2023-10-31"),
        ("w 2023 roku", LAST_YEAR),
        ("dzisiaj", "2024-06-12"),
        ("dziś rano", "2024-06-12"),
        ("wczoraj", "2024-06-11"),
        ("przedwczoraj", "2024-06-10"),
        ("trzy dni temu", "2024-06-09"),
        ("dwa tygodnie temu", TWO_WEEKS),
        ("tydzień temu", "2024-06-04..2024-06-06"),
        ("miesiąc temu", MAY),
        ("dwa lata temu", "2022-01-01..2022-12-31"),
        ("w zeszłym tygodniu", WEEK),
        ("w ubiegłym miesiącu", MAY),
        ("w zeszłym roku", LAST_YEAR),
        ("w zeszły weekend", WEEKEND),
        ("we wtorek", TUESDAY),
        ("w zeszły wtorek", TUESDAY),
        ("tego lata", "2024-06-01..2024-06-12"),
        ("zeszłej zimy", "2023-12-01..2024-02-29"),
        ("od maja", "2024-05-01..2024-06-12"),
    ],
)
def test_polish(message: str, expected: str) -> None:
    assert read(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("13 октября 2023 года", OCTOBER_13),
        ("в пятницу, 13 октября", OCTOBER_13),
        ("13-го октября", OCTOBER_13),
        ("13.10.2023", OCTOBER_13),
        ("в мае", MAY),
        ("в марте", MARCH),
        ("в прошлом мае", MAY),
        ("в мае прошлого года", "2023-05-01..2023-05-31"),
        ("в октябре 2023 года", "2023-10-01..2023-10-31"),
        ("в 2023 году", LAST_YEAR),
        ("сегодня утром", "2024-06-12"),
        ("Вчера", "2024-06-11"),
        ("позавчера", "2024-06-10"),
        ("три дня назад", "2024-06-09"),
        ("две недели назад", TWO_WEEKS),
        ("неделю назад", "2024-06-04..2024-06-06"),
        ("месяц назад", MAY),
        ("на прошлой неделе", WEEK),
        ("в прошлом месяце", MAY),
        ("в прошлом году", LAST_YEAR),
        ("в прошлые выходные", WEEKEND),
        ("во вторник", TUESDAY),
        ("в прошлый вторник", TUESDAY),
        ("этим летом", "2024-06-01..2024-06-12"),
        ("прошлой зимой", "2023-12-01..2024-02-29"),
        ("с мая", "2024-05-01..2024-06-12"),
    ],
)
def test_russian(message: str, expected: str) -> None:
    assert read(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("13 Ekim 2023", OCTOBER_13),
        ("13 Ekim'de", OCTOBER_13),
        ("13.10.2023", OCTOBER_13),
        ("Mayıs'ta", MAY),
        ("MAYIS'TA", MAY),
        ("mayısta", MAY),
        ("mayıs ayında", MAY),
        ("geçen mayıs", MAY),
        ("geçen yıl mayısta", "2023-05-01..2023-05-31"),
        ("Ekim 2023", "2023-10-01..2023-10-31"),
        ("2023'te", LAST_YEAR),
        ("bugün", "2024-06-12"),
        ("bu sabah", "2024-06-12"),
        ("Dün ne konuştuk?", "2024-06-11"),
        ("evvelsi gün", "2024-06-10"),
        ("üç gün önce", "2024-06-09"),
        ("iki hafta önce", TWO_WEEKS),
        ("bir ay önce", MAY),
        ("geçen hafta", WEEK),
        ("geçen ay", MAY),
        ("geçen yıl", LAST_YEAR),
        ("geçen hafta sonu", WEEKEND),
        ("salı günü", TUESDAY),
        ("geçen salı", TUESDAY),
        ("bu yaz", "2024-06-01..2024-06-12"),
        ("geçen kış", "2023-12-01..2024-02-29"),
    ],
)
def test_turkish(message: str, expected: str) -> None:
    assert read(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("2025年5月13日", None),
        ("2023年10月13日に何を話した?", OCTOBER_13),
        ("10月13日", OCTOBER_13),
        ("十月十三日", OCTOBER_13),
        ("2023年10月", "2023-10-01..2023-10-31"),
        ("2023年", LAST_YEAR),
        ("5月", MAY),
        ("5月に旅行した", MAY),
        ("去年5月", "2023-05-01..2023-05-31"),
        ("去年の5月13日", "2023-05-13"),
        ("今年5月", MAY),
        ("五月份", MAY),
        ("今日", "2024-06-12"),
        ("今天早上", "2024-06-12"),
        ("昨日は何をした?", "2024-06-11"),
        ("我昨天说了什么?", "2024-06-11"),
        ("一昨日", "2024-06-10"),
        ("前天", "2024-06-10"),
        ("3日前", "2024-06-09"),
        ("三天前", "2024-06-09"),
        ("2週間前", TWO_WEEKS),
        ("两周前", TWO_WEEKS),
        ("两个星期前", TWO_WEEKS),
        ("1か月前", MAY),
        ("一个月前", MAY),
        ("先週", WEEK),
        ("上周", WEEK),
        ("上星期", WEEK),
        ("上週", WEEK),
        ("先週の火曜日", "2024-06-04"),
        ("上周二", "2024-06-04"),
        ("上周二我说了什么", "2024-06-04"),
        ("上个星期二", "2024-06-04"),
        ("上周三个人来了", WEEK),
        ("火曜日に話したこと", TUESDAY),
        ("先週末", WEEKEND),
        ("上个周末", WEEKEND),
        ("今週", "2024-06-10..2024-06-12"),
        ("先月", MAY),
        ("上个月", MAY),
        ("上個月", MAY),
        ("这个月", "2024-06-01..2024-06-12"),
        ("去年", LAST_YEAR),
    ],
)
def test_chinese_and_japanese(message: str, expected: str | None) -> None:
    assert read(message) == [one for one in [expected] if one]


@pytest.mark.parametrize(
    "message",
    [
        "Hier steht, was der Mars ist",
        "bis 3. Mai",
        "Estoy en París hasta el domingo",
        "Ich bin hier, und er auch",
        "wij wonen hier",
        "Mai sagte, dass sie kommt",
        "nächsten Mai, nächste Woche, jeden Montag, kommenden Freitag",
        "am 31. Februar",
        "am Montag nächster Woche",
        "Es waren 3.10. und 1.75 Meter",
        "non ho mai detto questo",
        "le prochain mois, lundi prochain, chaque lundi",
        "la dernière fois, mars est une planète",
        "el lunes que viene, el próximo mes, todos los lunes",
        "Plaza de Mayo, el mar, la segunda vez",
        "mi amigo Julio, y Abril",
        "lunedì prossimo, ogni martedì, il mese prossimo",
        "a segunda vez, na quarta posição, na próxima semana",
        "na segunda-feira que vem, segunda-feira",
        "volgende week, elke maandag, ik heb dun haar",
        "w przyszłym tygodniu, w każdy piątek, oni mają 13 lat, w przyszły piątek",
        "на следующей неделе, каждую пятницу, завтра",
        "gelecek hafta, her pazartesi, ocakta çay var, ocak, yarın",
        "the dun cow",
        "life on Mars, in Mart, a Maya temple",
        "来年5月、来週の月曜日に、毎週火曜日に、明日",
        "明年5月、下周一、每个星期二、明天、下个月",
        "三个月、5个月、三月、13月、2月30日",
        "以前天气、今日子、晚上周一、月曜",
    ],
)
def test_what_is_no_day_that_has_been(message: str) -> None:
    assert read(message) == []
