"""The languages other than English, each written as one table."""

from memory.llm.offline.rules.languages.cjk import CHINESE, JAPANESE
from memory.llm.offline.rules.languages.french_italian import FRENCH, ITALIAN
from memory.llm.offline.rules.languages.germanic import DUTCH, GERMAN
from memory.llm.offline.rules.languages.iberian import PORTUGUESE, SPANISH
from memory.llm.offline.rules.languages.scandinavian import SCANDINAVIAN
from memory.llm.offline.rules.languages.slavic import POLISH, RUSSIAN
from memory.llm.offline.rules.languages.turkic_uralic import FINNISH, TURKISH

LANGUAGES = (
    GERMAN,
    DUTCH,
    SCANDINAVIAN,
    FRENCH,
    SPANISH,
    ITALIAN,
    PORTUGUESE,
    POLISH,
    RUSSIAN,
    TURKISH,
    FINNISH,
    JAPANESE,
    CHINESE,
)
