"""The language of a text."""

import pytest

from memory.text.terms import language_of


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ar", "انتقلت إلى شقة جديدة قرب النهر في شهر مايو."),
        ("zh", "我五月份搬到了河边的一套新公寓。"),
        ("en", "I moved into a new apartment by the river in May."),
        ("fr", "J'ai emménagé dans un nouvel appartement près de la rivière en mai."),
        ("de", "Ich bin im Mai in eine neue Wohnung am Fluss gezogen."),
        ("it", "A maggio mi sono trasferito in un nuovo appartamento vicino al fiume."),
        ("ja", "五月に川の近くの新しいアパートに引っ越しました。"),
        ("ko", "저는 오월에 강가의 새 아파트로 이사했어요."),
        ("nl", "Ik ben in mei naar een nieuw appartement bij de rivier verhuisd."),
        ("pl", "W maju przeprowadziłem się do nowego mieszkania nad rzeką."),
        ("pt", "Em maio mudei para um apartamento novo perto do rio."),
        ("es", "En mayo me mudé a un piso nuevo cerca del río."),
        ("th", "ฉันย้ายไปอยู่อพาร์ตเมนต์ใหม่ริมแม่น้ำในเดือนพฤษภาคม"),
        ("tr", "Mayıs ayında nehrin yanında yeni bir daireye taşındım."),
        ("ru", "В мае я переехал в новую квартиру у реки."),
    ],
)
def test_a_sentence_of_each_language(language: str, text: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ar", "ما اسم كلبي؟"),
        ("zh", "我的狗叫什么名字？"),
        ("en", "What's my dog's name?"),
        ("en", "dog's name"),
        ("fr", "Comment s'appelle mon chien ?"),
        ("fr", "l'adresse d'Anna, où ?"),
        ("de", "Wie heißt mein Hund?"),
        ("de", "Straße"),
        ("it", "Come si chiama il mio cane?"),
        ("it", "Dov'è l'appartamento?"),
        ("ja", "犬の名前は？"),
        ("ja", "Python で list を sort する方法は？"),
        ("ko", "강아지 이름이 뭐야?"),
        ("nl", "Hoe heet mijn hond?"),
        ("pl", "Jak ma na imię mój pies?"),
        ("pt", "Qual é o nome do meu cachorro?"),
        ("es", "¿Cómo se llama mi perro?"),
        ("es", "como se llama mi perro"),
        ("th", "หมาของฉันชื่ออะไร"),
        ("tr", "Köpeğimin adı ne?"),
        ("ru", "Как зовут мою собаку?"),
        ("ru", "Где мой iPhone?"),
        ("en", "Where did I meet Zoë Müller at the café?"),
    ],
)
def test_a_short_question(language: str, text: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize("text", ["", "🎉", "65", "Thermostat Berlin", "...", "שלום", "\ud800"])
def test_english_where_nothing_tells(text: str) -> None:
    assert language_of(text) == "en"


def test_most_letters_decide_between_scripts() -> None:
    assert language_of("My friend says 你好 to me every day, and I say it back.") == "en"
    assert language_of("12:30 2024-05-17 集合時間は午後") == "ja"
