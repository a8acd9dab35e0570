"""Turkish words and phrases of dates."""

from memory.recall.hybrid.dates.grammar import Grammar

# "ocak" is a stove, "ekim" planting, "aralık" a gap: these need a day, a year, "geçen" or "ayında" beside them.
TURKISH = Grammar(
    "turkish",
    """
    month: _ şubat mart nisan mayıs haziran temmuz ağustos eylül _ kasım _
    name: ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
    located: _ şubatta martta nisanda mayısta haziranda temmuzda ağustosta eylülde _ kasımda _
    weekday: pazartesi salı çarşamba perşembe cuma cumartesi pazar
    season: ilkbahar|bahar yaz sonbahar|güz kış
    n: bir iki üç dört beş altı yedi sekiz dokuz on
    unit: gün hafta ay yıl|sene haftasonu
    relative: bugün dün
    last: geçen|geçtiğimiz
    this: bu
    ago_after: önce|evvel
    few: birkaç
    of: ,
    to: -|ile
    not_after: gelecek|önümüzdeki|her
    unsure: dün
    common: ve bir bu ne için çok benim bana mi mı da de ben nasıl ile var daha gibi olan konuştuk söyledi hava
    """,
    """
    month: {month} da|de|ta|te
    month: {located}
    month: {name} ayında
    last_named_month: geçen {name} ayında
    last_named_month: geçen {name}
    last_named_month: geçen {located}
    month_of_last_year unit=3: geçen yıl|sene {month}
    month_of_last_year unit=3: geçen yıl|sene {located}
    year: {year} te|ta|de|da|yılında|senesinde
    weekday: {weekday} günü
    last_few: son {n} {unit}
    relative relative=2: evvelsi|önceki gün
    relative relative=0: bu sabah|akşam|gece
    last_unit unit=4: geçen hafta sonu
    this_unit unit=4: bu hafta sonu
    """,
)
