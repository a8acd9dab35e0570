"""What a sentence states beside a wish, a plan, a negation or a question of its own."""

import pytest

from tests.memory.llm.offline.rules.learned import NOTHING, learned

STATED_BESIDE = [
    ("Ich bin Hebamme und hab gerade drei Nachtdienste hinter mir.", "job.title", "Hebamme"),
    ("Ich spiele Querflöte und würde gern Jazz lernen.", "hobby.querflöte", "Querflöte"),
    ("Meine Frau Annegret hat morgen Geburtstag.", "spouse.name", "Annegret"),
    ("Wohne seit einem Jahr in Fulda.", "address.city", "Fulda"),
    ("Blumenkohl kann ich nicht ausstehen.", "preference.blumenkohl", "kein Blumenkohl"),
    ("J'ai 58 ans et je voudrais courir.", "user.age", "58"),
    ("Je bosse chez Michelin et mon chef ne répond jamais.", "job.employer", "Michelin"),
    ("On a adopté une chienne, elle s'appelle Réglisse.", "dog.name", "Réglisse"),
    ("Tengo 33 años y nunca he conducido.", "user.age", "33"),
    ("Me encanta el jazz, ¿qué discos me recomiendas para empezar?", "preference.jazz", "jazz"),
    ("Ho 47 anni e vorrei nuotare.", "user.age", "47"),
    ("Suono il clarinetto ma non so leggere la musica.", "hobby.clarinetto", "clarinetto"),
    ("Sou padeiro e queria um texto.", "job.title", "padeiro"),
    ("Ik ben 39 en heb nog nooit gevlogen.", "user.age", "39"),
    ("Ik rij een Skoda Fabia uit 2011 en het lampje brandt.", "car.model", "Skoda Fabia"),
    ("Mijn man Teun is volgende week jarig.", "spouse.name", "Teun"),
    ("Mam 52 lata i chcę schudnąć.", "user.age", "52"),
    ("Мне 44 года, хочу бегать.", "user.age", "44"),
    ("Играю на скрипке, хочу освоить джаз.", "hobby.скрипке", "скрипке"),
    ("我住在西安，周末有什么好玩的地方？", "address.city", "西安"),
    ("我对芒果过敏,能换成什么?", "health.allergy.芒果", "芒果"),
    ("あ、私そばアレルギーです。", "health.allergy.そば", "そば"),
    ("I've been a paramedic for eleven years.", "job.title", "paramedic"),
    ("Been a baker since 2009.", "job.title", "baker"),
    ("Originally from Cork, I think you know.", "origin.place", "Cork"),
    ("ich heiße annika und brauche hilfe", "user.name", "annika"),
    ("vivo en rosario y hace calor", "address.city", "rosario"),
]


@pytest.mark.parametrize(("text", "key", "value"), STATED_BESIDE)
def test_the_rest_of_a_sentence_takes_nothing_back(text: str, key: str, value: str) -> None:
    assert learned(text) == {key: value}


def test_a_subject_that_is_left_out_is_the_operator_s() -> None:
    assert learned("Bin 43, wohne in Fulda und suche Arbeit.") == {"user.age": "43", "address.city": "Fulda"}
    assert learned("Jag heter Sixten och bor i Visby.") == {"user.name": "Sixten", "address.city": "Visby"}
    assert learned("Меня зовут Яна, родилась в Перми.") == {"user.name": "Яна", "birth.place": "Перми"}


@pytest.mark.parametrize(
    "text",
    [
        "Ich bin Lehrer, heute jedenfalls.",
        "Vivo a Siena, o me lo sono sognato ieri notte?",
        "Soy médico, quisiera poder decir.",
        "我住在北京，对吗？",
    ],
)
def test_some_remarks_do(text: str) -> None:
    """A word of doubt behind the comma reaches back."""
    assert learned(text) == NOTHING
