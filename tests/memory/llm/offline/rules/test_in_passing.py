"""What a sentence takes for granted, whatever else it says: names, illnesses, cars, homes."""

import pytest

from tests.memory.llm.offline.rules.learned import NOTHING, learned

NAMED = [
    # a wish or a plan of somebody who is named
    ("Unsere Tochter Romy will ein Pony, was kostet das?", {"daughter.name": "Romy"}),
    ("Onze dochter Sanne wil turnen.", {"daughter.name": "Sanne"}),
    ("Mon fils Basile voudrait un drone.", {"son.name": "Basile"}),
    ("Mi hija Carlota quiere un patinete.", {"daughter.name": "Carlota"}),
    ("Mój brat Tymon chce kupić skuter.", {"brother.name": "Tymon"}),
    ("Мой сын Глеб хочет самокат.", {"son.name": "Глеб"}),
    ("O meu marido, o Rui, quer um barco.", {"spouse.name": "Rui"}),
    # words of reporting and of time beside it
    ("Meine Frau Hanne sagt, der Ofen sei kaputt.", {"spouse.name": "Hanne"}),
    ("Mon mari Cyprien a presque fini le toit.", {"spouse.name": "Cyprien"}),
    # several at once
    ("Ein Geschenk für unsere zwei Töchter, Ida und Liv, bitte.", {"daughters.names": "Ida und Liv"}),
    ("Un cadeau pour mes jumelles, Ève et Lise.", {"twins.names": "Ève et Lise"}),
    ("Our twins, Bea and Hal, start nursery in May.", {"twins.names": "Bea and Hal"}),
    # an illness
    ("Darf ich mit meinem Asthma tauchen?", {"health.asthma": "Asthma"}),
    ("Avec mon arthrose, quel vélo choisir ?", {"health.arthrose": "arthrose"}),
    ("Con mi diabetes, ¿qué postre puedo tomar?", {"health.diabetes": "diabetes"}),
    ("Door mijn reuma lukt breien niet meer zo.", {"health.reuma": "reuma"}),
    ("Is swimming good for my asthma?", {"health.asthma": "asthma"}),
    # a car
    ("Mein Opel Astra ruckelt, woran liegt das?", {"car.model": "Opel Astra"}),
    ("Ma Twingo tousse le matin.", {"car.model": "Twingo"}),
    ("A mi Seat Ateca le suena algo.", {"car.model": "Seat Ateca"}),
    ("La mia vecchia Punto non parte.", {"car.model": "Punto"}),
    ("O meu Corsa perde óleo.", {"car.model": "Corsa"}),
    ("Er zit roest op mijn Volvo V40.", {"car.model": "Volvo V40"}),
    ("У моей Тойоты стучит подвеска.", {"car.model": "Тойоты"}),
    ("Why does my Honda Jazz smell of petrol?", {"car.model": "Honda Jazz"}),
    # where "we" are at home
    ("Wann wird bei uns in Fulda der Müll geholt?", {"address.city": "Fulda"}),
    ("Il pleut souvent chez nous à Quimper ?", {"address.city": "Quimper"}),
    ("Bij ons in Almelo is de bieb dicht.", {"address.city": "Almelo"}),
    ("The boiler in our flat in Derby is out.", {"address.city": "Derby"}),
]

NOT_NAMED = [
    # what somebody else says
    "Die Kundin sagt, mein Passat ruckelt.",
    "Le client dit que ma Clio cale.",
    "Il cliente dice che la mia Panda fa rumore.",
    "Klient mówi, że mój Golf stuka.",
    "Клиент говорит, моя Лада стучит.",
    # sold, or long ago
    "Ich habe meinen Passat verkauft.",
    "J'ai vendu ma Twingo.",
    "Vendí mi Ibiza.",
    "Ho venduto la mia Punto.",
    "Ik heb mijn Golf verkocht.",
    "I sold my Honda.",
    "We had to give our cat Pickle away last month.",
    "Wir haben unsere Katze Mieze weggegeben.",
    "Eski kocam Ali Bolu'da yaşıyor.",
    "Früher hatte mein Bruder Kai ein Boot.",
    # a name that is only thought of
    "Wir wollen unsere Tochter Alma nennen.",
    "On veut appeler notre fils Anatole.",
    "Queremos llamar a nuestra hija Jimena.",
    "Vogliamo chiamare nostra figlia Ada.",
    "Queremos chamar a nossa filha Íris.",
    "We willen onze dochter Fleur noemen.",
    "Хотим назвать нашу дочь Яна.",
    # of others
    "Der Golf meines Bruders ist kaputt.",
    "L'asthme de ma tante empire.",
    "La Panda di mio zio perde olio.",
    "Mój sąsiad Zbigniew jest pilotem.",
    "Meine Nachbarin Gerda ist Imkerin.",
    "La mia vicina Ortensia parla solo sardo.",
    "My neighbour Gerald keeps bees.",
    "La fille de ma cheffe, Léonie, chante.",
    "Il figlio di mia cugina, Elio, canta.",
    "The son of my sister, Tom, sings.",
    # fiction, and a figure of speech
    "In meiner Fanfiction spricht mein Hund Wotan.",
    "Inventa una favola in cui il mio gatto Nerone vola.",
    "Wie spiele ich mit meinem Golfschläger?",
]


@pytest.mark.parametrize(("text", "facts"), NAMED)
def test_it_is_learned(text: str, facts: dict[str, str]) -> None:
    assert learned(text) == facts


@pytest.mark.parametrize("text", NOT_NAMED)
def test_it_is_not_learned(text: str) -> None:
    assert learned(text) == NOTHING
