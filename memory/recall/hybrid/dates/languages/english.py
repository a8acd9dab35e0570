"""English words and phrases of dates."""

from memory.recall.hybrid.dates.grammar import Grammar

_CLASSES = """
    month: january february march april may june july august september october november december
    name: january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sep|sept
        october|oct november|nov december|dec
    weak: _ _ march _ may
    capital: march may mar
    weekday: monday tuesday wednesday thursday friday saturday sunday
    season: spring summer autumn|fall winter
    n: a|an|one two three four five six seven eight nine ten
    unit: day|days week|weeks month|months year|years weekend|weekends
    relative: today|tonight yesterday
    last: last|previous
    this: this
    in: in|during|since|of|early|late|mid|around
    in_year: in|during|since
    on: on|since
    ago_after: ago
    few: few|several
    of: of|,
    to: -|to|until|through
    ordinal: st|nd|rd|th
    since: since
    not_after: until|till|by|next|every|each|any|coming|another|upcoming
    not_before: next coming of be have not also well never still even
        need get become cause or people percent km miles madness break
    common: the what did my and to you about when with that have he she it do does how who
"""

_PHRASES = """
    day: [{in}] {name} [.] [the] {day} [{ordinal}] [{of}] [{year}]
    day: [{in}] {name} [.] {day} [{ordinal}] {to} {last_day} [{ordinal}] [{of}] [{year}]
    day: on {weak} [the] {day} [{ordinal}] [{of}] [{year}]
    day: {weak} {day} st|nd|rd|th [{of}] [{year}]
    day: {weak} {day} [,] {year}
    day: {day} [{ordinal}] of {weak} [{of}] [{year}]
    day: {day} st|nd|rd|th {weak} [{of}] [{year}]
    day: {day} {weak} {year}
    day: on [the] {day} [{ordinal}] [of] {weak} [{of}] [{year}]
    month: in|during|since|early|late|mid {weak}
    month: [{in}] {weak} [of] {year}
    last_named_month: last {weak}
    month_of_last_year: [{in}] {weak} [of] last {unit}
    month_of_last_year: last {unit} in {month}
    month_of_last_year: last {unit} in {weak}
    ago n=2: a couple [of] {unit} ago
    last_unit back=2: the {unit} before last
    last_few: past {unit}
    last_few: past {n} {unit}
    relative relative=1: last night
    relative relative=0: this morning|afternoon|evening
    relative relative=2: [the] day before yesterday
"""

ENGLISH = Grammar("english", _CLASSES, _PHRASES)
