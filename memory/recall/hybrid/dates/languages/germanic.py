"""German and Dutch words and phrases of dates."""

from memory.recall.hybrid.dates.grammar import Grammar

GERMAN = Grammar(
    "german",
    """
    month: januar|jänner februar märz|maerz april mai juni juli august september oktober november dezember
    name: januar|jänner|jan februar|feb märz|maerz april|apr mai juni juli august|aug september|sept oktober|okt
        november|nov dezember|dez
    weekday: montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag
    season: frühling|frühjahr sommer herbst winter
    n: ein|eine|einem|einer|einen zwei drei vier fünf|fuenf sechs sieben acht neun zehn
    unit: tag|tage|tagen woche|wochen monat|monate|monaten|monats jahr|jahre|jahren|jahres wochenende|wochenenden
    relative: heute gestern vorgestern
    last: letzten letzte letzter letztes letztem vorigen vorige voriges voriger vergangenen vergangene vergangenes
        vergangener
    this: diesen|diese|dieses|dieser|diesem
    in: im|seit|anfang|ende|mitte
    in_year: in|seit
    on: am|seit
    ago_before: vor
    few: einigen|wenigen
    of: ,
    to: -|bis
    ordinal: .
    since: seit
    not_after: bis nächsten nächste nächster nächstes naechste naechsten kommenden kommende kommendes jeden jede jedes
        jeder
    not_before: des|nächster|nächste|nächsten|kommender|kommenden
    common: der die das und ich nicht mir mein meine wir habe hat auf mit dem den was wie wann zu haben über ist
    short_date: am|vom|den|seit
    """,
    """
    year: im jahr|jahre {year}
    ago: vor etwa|ungefähr|rund|circa|ca [.] {n} {unit}
    few_ago: vor ein paar {unit}
    last_unit back=2: vorletzte|vorletzten|vorletzter|vorletztes {unit}
    relative relative=1: letzte nacht
    """,
)

DUTCH = Grammar(
    "dutch",
    """
    month: januari februari maart april mei juni juli augustus september oktober november december
    weekday: maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
    season: lente|voorjaar zomer herfst|najaar winter
    n: een twee drie vier vijf zes zeven acht negen tien
    unit: dag|dagen week|weken maand|maanden jaar|jaren weekend|weekenden|weekeinde
    relative: vandaag|vanmorgen|vanochtend|vanmiddag|vanavond gisteren|gisteravond|gisterochtend|gistermiddag
        eergisteren
    last: vorige|vorig|afgelopen|verleden
    this: deze|dit
    in: in|sinds|begin|eind|half|vanaf
    in_year: in|sinds
    on: op|sinds
    ago_after: geleden
    few: paar|enkele
    of: ,
    to: -|tot
    since: sinds|vanaf
    not_after: tot|volgende|komende|elke|iedere
    common: het een ik niet mijn je wij heb heeft met wat hoe wanneer zijn over naar dat was van en
    """,
    """
    year: in het jaar {year}
    last_few: de {last} {n} {unit}
    """,
)
