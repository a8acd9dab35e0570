"""The words of a text as search terms, by language."""

import pytest

from memory.text.terms import terms


def test_it_works() -> None:
    text = "What did Anna's thermostats do at 65 degrees? They don't work, my résumé is at http://example.org/a_paper?x=3am"
    assert terms(text, language="en") == (
        ["anna", "thermostat", "65", "degre", "work", "resum", "http", "exampl", "org", "paper", "x", "3am"]
    )


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "thermostats", "thermostat"),
        ("en", "Running", "runs"),
        ("en", "résumés", "resume"),
        ("en", "Anna's", "ANNA"),
        ("en", "Anna\u2019s", "anna"),
        ("en", "O'Brien's", "obrien"),
        ("en", "1'000", "1000"),
        ("de", "Häuser", "Haus"),
        ("de", "Wohnungen", "Wohnung"),
        ("de", "Straße", "Strasse"),
        ("fr", "l'appartement", "appartements"),
        ("fr", "L\u2019été", "ete"),
        ("fr", "cafés", "cafe"),
        ("fr", "jusqu'à Paris", "Paris"),
        ("it", "dell'anno", "anno"),
        ("it", "città", "citta"),
        ("it", "un'amica", "amiche"),
        ("es", "canciones", "cancion"),
        ("es", "corazón", "corazones"),
        ("pt", "canções", "cancoes"),
        ("pt", "gatos", "gato"),
        ("nl", "auto's", "auto"),
        ("nl", "katten", "kat"),
        ("pl", "Łódź", "lodz"),
        ("pl", "kotami", "kotem"),
        ("tr", "kitaplar", "kitap"),
        ("tr", "Ankara'dan", "ANKARA"),
        ("tr", "İstanbul'da", "istanbul"),
        ("tr", "IŞIK", "ışık"),
        ("tr", "ışık", "isik"),
        ("ru", "квартирой", "квартиры"),
        ("ru", "ёлка", "елки"),
        ("ar", "مُدَرِّس", "مدرس"),
        ("ar", "المدرسة", "مدرسة"),
        ("ar", "أحمد", "احمد"),
        ("el", "Καφές", "καφες"),
        ("ko", "고양이가", "고양이를"),
        ("ko", "집에", "집은"),
        ("th", "กำ", "ก\u0e4d\u0e32"),
        ("ja", "ｶﾞｽ", "ガス"),
    ],
)
def test_forms_of_one_word_meet(language: str, one: str, other: str) -> None:
    found = terms(one, language=language)
    assert found
    assert found == terms(other, language=language)


@pytest.mark.parametrize(
    ("language", "sentence", "left"),
    [
        ("en", "What is it that you and I would have done, and why don't they?", []),
        ("en", "I'll, we've, who's, can’t", []),
        ("de", "Warum ist das denn nicht für mich?", []),
        ("fr", "Est-ce que c'est où j'ai été ? Qu'est-ce qu'il y a", ["ete"]),
        ("es", "¿Cómo y cuándo está? ¿Como y cuando esta?", []),
        ("it", "Perché non c'è più? Perche non c'e piu?", []),
        ("nl", "Waarom heb ik m'n zo'n foto's niet?", ["foto"]),
        ("pl", "Dlaczego się nie są już? Dlaczego sie nie sa juz?", []),
        ("pt", "Você não está só? Voce nao esta so?", []),
        ("tr", "Bu nasıl ve niçin? Nasil ve nicin?", []),
        ("tr", "şu su", ["su"]),
        ("ru", "Почему её ещё нет у меня? Ее еще", []),
        ("ar", "لماذا إلى أين هذا؟ الى اين", []),
        ("zh", "我的狗", ["的狗", "狗"]),
        ("zh", "这是什么？", []),
        ("ja", "これは何ですか", []),
        ("ja", "私の犬の名前はポチです", ["犬", "名前", "名", "前", "ポチ"]),
        ("ko", "나는 언제 어디에서 무엇을", []),
        ("th", "แมวของฉันอยู่ที่ไหนครับ", ["แมว"]),
    ],
)
def test_stop_words_are_left_out(language: str, sentence: str, left: list[str]) -> None:
    assert terms(sentence, language=language) == left


def test_terms_stand_in_the_order_of_the_text_as_often_as_there() -> None:
    assert terms("Dogs chase cats, cats chase dogs.", language="en") == ["dog", "chase", "cat", "cat", "chase", "dog"]


def test_words_of_another_script_take_the_stemmer_of_theirs() -> None:
    assert terms("Мои the thermostats в квартирах", language="ru") == ["thermostat", "квартир"]
    assert terms("My квартирах and its thermostats", language="en") == ["квартир", "thermostat"]
    assert terms("iPhone15手机 thermostats", language="zh") == ["iphone15", "手机", "手", "机", "thermostat"]
    assert terms("Häuser", language="ar") == terms("Hauser", language="en")


def test_a_language_without_a_list_counts_as_english() -> None:
    assert terms("The thermostats", language="sv") == ["thermostat"]


def test_chinese_comes_in_pairs_and_single_ideographs() -> None:
    assert terms("旺财狗", language="zh") == ["旺财", "财狗", "旺", "财", "狗"]
    asked, said = terms("狗多大了？", language="zh"), terms("我的狗叫旺财。", language="zh")
    assert set(asked) & set(said) == {"狗"}


def test_thai_comes_in_threes() -> None:
    assert terms("บ้าน ปู", language="th") == ["บ้า", "้าน", "ปู"]


@pytest.mark.parametrize("text", ["", " \n", "🎉🎉 👍🏽 👨‍👩‍👧", "?!… --- ''' ´´", "\u0301\u0301", "_", "\ud800"])
def test_what_has_no_letters_has_no_terms(text: str) -> None:
    assert terms(text, language="en") == []


def test_digits_of_every_script_are_the_same() -> None:
    assert terms("٣٤ ３４ ๓๔ 34", language="ar") == ["34"] * 4


def test_invisible_characters_do_not_part_a_word() -> None:
    assert terms("thermo\u00adstats", language="en") == ["thermostat"]


def test_a_word_ends_after_64_characters() -> None:
    assert terms("1" * 65 + " " + "a" * 100_000, language="en") == ["1" * 64, "a" * 64]


def test_vowel_signs_of_indian_scripts_stay() -> None:
    assert terms("किताब", language="en") == ["किताब"]
