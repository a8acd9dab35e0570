"""The languages other than English, each written as one table."""

from memory.llm.offline.rules.languages.cjk import CHINESE, JAPANESE
from memory.llm.offline.rules.languages.dutch import DUTCH
from memory.llm.offline.rules.languages.french import FRENCH
from memory.llm.offline.rules.languages.german import GERMAN
from memory.llm.offline.rules.languages.italian import ITALIAN
from memory.llm.offline.rules.languages.portuguese import PORTUGUESE
from memory.llm.offline.rules.languages.scandinavian import SCANDINAVIAN
from memory.llm.offline.rules.languages.slavic import POLISH, RUSSIAN
from memory.llm.offline.rules.languages.spanish import SPANISH
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
