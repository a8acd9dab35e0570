"""French, Spanish, Italian and Portuguese words and phrases of dates."""

from memory.recall.hybrid.dates.grammar import Grammar

FRENCH = Grammar(
    "french",
    """
    month: janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    weekday: lundi mardi mercredi jeudi vendredi samedi dimanche
    season: printemps été automne hiver
    n: un|une deux trois quatre cinq six sept huit neuf dix
    unit: jour|jours semaine|semaines mois an|ans|année weekend|week-end|weekends
    relative: aujourdhui hier avant-hier|avanthier
    after: dernier|dernière|passé|passée
    this: ce|cet|cette
    in: en|depuis|début|fin|mi|courant
    in_year: en|depuis
    on: depuis
    of: de|,
    the: la|l|le
    to: -|au
    ordinal: er
    since: depuis
    not_after: jusqu|jusque|prochain|prochaine|chaque|tous|toutes
    not_before: prochain|prochaine|suivant|suivante
    unsure: hier
    common: je le les une des du est que qui quoi ai pas mon ma mes avec pour sur dans nous vous elle il au et avons
    """,
    """
    ago: il y a [environ] {n} {unit}
    few_ago: il y a quelques {unit}
    month: mois de|d {month} [{year}]
    last_few: {n} dernières|derniers {unit}
    relative relative=0: aujourd hui
    relative relative=0: ce matin|soir
    relative relative=0: cet après midi
    relative relative=2: avant hier
    relative relative=1: la nuit dernière
    last_unit unit=4: week end dernier|passé
    this_unit unit=4: ce week end
    """,
)

SPANISH = Grammar(
    "spanish",
    """
    month: enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre
    weekday: lunes martes miércoles jueves viernes sábado domingo
    season: primavera verano otoño invierno
    n: un|una dos tres cuatro cinco seis siete ocho nueve diez
    unit: día|días semana|semanas mes|meses año|años
    relative: hoy ayer|anoche anteayer|antier
    last: pasado|pasada
    after: pasado|pasada
    this: este|esta
    in: en|desde
    in_year: en|desde
    on: el|desde
    ago_before: hace
    few: unos|unas|algunos|algunas|pocos|pocas
    of: de|del|,
    the: la|el
    to: -|al|a
    since: desde
    not_after: hasta|próximo|próxima|cada|todos
    not_before: próximo|próxima|siguiente
    common: que el los las una del con por mi mis qué cuándo cómo fue estoy para en y se lo dije
    """,
    """
    month: principios|finales|mediados|comienzos|mes de {month} [de] [{year}]
    ago: hace unos|unas|casi|como {n} {unit}
    ago n=2: hace un par de {unit}
    last_few: últimos|últimas {n} {unit}
    relative relative=0: esta mañana|tarde|noche
    relative relative=2: antes de ayer
    last_unit unit=4: fin de semana pasado
    last_unit unit=4: pasado fin de semana
    this_unit unit=4: este fin de semana
    nothing: el {weekday} que viene
    nothing: este {weekday} que viene
    """,
)

ITALIAN = Grammar(
    "italian",
    """
    month: gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
    weekday: lunedì martedì mercoledì giovedì venerdì sabato domenica
    season: primavera estate autunno inverno
    n: un|una|uno due tre quattro cinque sei sette otto nove dieci
    unit: giorno|giorni settimana|settimane mese|mesi anno|anni weekend|week-end
    relative: oggi|stamattina|stamani|stasera|stanotte ieri altroieri
    last: scorso|scorsa
    after: scorso|scorsa|passato|passata
    this: questo|questa|quest
    in: a|ad|in|nel|da|dal|fine|inizio|metà
    in_year: nel|dal
    on: da
    ago_after: fa
    few: qualche|alcuni|alcune|pochi|poche
    of: di|del|dell|dello|della|,
    to: -|al
    since: da|dal
    not_after: fino|entro|prossimo|prossima|ogni
    not_before: prossimo|prossima
    common: il lo gli che di una mio mia con per cosa quando come ho sono è non del della abbiamo detto
    """,
    """
    last_few: ultimi|ultime {n} {unit}
    month: mese di|d {month} [{year}]
    relative relative=0: questa mattina|sera
    relative relative=0: questo pomeriggio
    relative relative=2: altro ieri
    last_unit unit=4: fine settimana scorso|passato
    last_unit unit=4: scorso fine settimana
    this_unit unit=4: questo fine settimana
    """,
)

PORTUGUESE = Grammar(
    "portuguese",
    """
    month: janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
    weekday: segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo
    season: primavera verão outono inverno
    n: um|uma dois|duas três quatro cinco seis sete oito nove dez
    unit: dia|dias semana|semanas mês|meses ano|anos
    relative: hoje ontem anteontem
    last: passado|passada
    after: passado|passada
    this: este|esta|neste|nesta|deste|desta|esse|essa|nesse|nessa
    in: em|desde
    in_year: em|desde
    on: na|no|desde
    ago_before: há|faz
    ago_after: atrás
    few: uns|umas|alguns|algumas|poucos|poucas
    of: de|do|da|,
    the: a|o
    to: -|a|até
    ordinal: o
    since: desde
    not_after: até|próximo|próxima|cada|todo|toda
    not_before: próximo|próxima|vem
    common: o os um uma do da em no na com por meu minha não você quando como foi eu são que é ao disse
    """,
    """
    month: início|inícios|final|fim|meados|começo|mês de {month} [de] [{year}]
    weekday weekday=0: segunda passada
    weekday weekday=1: terça passada
    weekday weekday=2: quarta passada
    weekday weekday=3: quinta passada
    weekday weekday=4: sexta passada
    last_few: últimos|últimas {n} {unit}
    relative relative=0: esta manhã|tarde|noite
    relative relative=1: noite passada
    last_unit unit=4: fim|final de semana passado
    this_unit unit=4: este|neste|nesse fim|final de semana
    nothing: {on} {weekday} que vem
    nothing: {month} que vem
    """,
)
