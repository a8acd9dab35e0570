"""Statements as they are typed in a hurry: in lower case, with pictures, in brackets, in passing."""

import pytest

from tests.memory.llm.offline.rules.learned import NOTHING, learned

LEARNED = [
    # a picture or a smile ends a sentence
    ("Hoi, Joost hier 👋 welke soep kan ik maken?", {"user.name": "Joost"}),
    ("Меня зовут Тимур) какой чай лучше?", {"user.name": "Тимур"}),
    # a name in brackets, beside a kind of animal, or behind an article
    ("Die Katze (Mimi, 3) frisst nichts.", {"cat.name": "Mimi"}),
    ("Il gatto Oreste dorme sempre.", {"cat.name": "Oreste"}),
    ("Our whippet Juno hates rain.", {"dog.name": "Juno", "dog.breed": "whippet"}),
    ("Nasz jamnik Kajtek szczeka.", {"dog.name": "Kajtek", "dog.breed": "jamnik"}),
    ("うちのチワワのモカが吠えます。", {"dog.name": "モカ", "dog.breed": "チワワ"}),
    ("我家柯基叫豆豆，最近老是叫。", {"dog.name": "豆豆", "dog.breed": "柯基"}),
    ("Wir haben drei Hühner (Ada, Berta und Cleo) im Garten.", {"hens.names": "Ada, Berta und Cleo"}),
    # at home, and where one lives
    ("Daheim in Steyr weiß ich das.", {"address.city": "Steyr"}),
    ("De trein naar Zwolle, waar ik woon, is duur.", {"address.city": "Zwolle"}),
    ("On vient d'emménager à Vannes.", {"address.city": "Vannes"}),
    ("Back home in Leeds it rains.", {"address.city": "Leeds"}),
    # drugs, and illnesses as a reason
    ("Tomo enalapril.", {"health.medication": "enalapril"}),
    ("Ich nehm seit Jahren Ramipril.", {"health.medication": "Ramipril"}),
    ("Door mijn reuma moet ik rustig aan doen.", {"health.reuma": "reuma"}),
    ("Ich esse wegen Hashimoto kaum Soja.", {"health.hashimoto": "Hashimoto"}),
    # allergies of the family
    ("Unser Sohn ist allergisch gegen Nüsse und mag keinen Fisch.", {"son.allergy": "Nüsse"}),
    ("Mon fils est allergique aux noix et n'aime pas le poisson.", {"son.allergy": "noix"}),
    ("Mi hija es alérgica al huevo.", {"daughter.allergy": "huevo"}),
    # what one does not eat
    ("Rosenkohl geht bei mir gar nicht.", {"preference.rosenkohl": "kein Rosenkohl"}),
    ("Le acciughe per me sono il male.", {"preference.acciughe": "niente acciughe"}),
    # wishes about the answers
    ("Könntest du mich bitte duzen?", {"preference.address": "duzen"}),
    ("Давай на ты.", {"preference.address": "на ты"}),
    ("Antwoord me voortaan in het Fries.", {"preference.answers": "in het Fries"}),
    ("No me pongas emojis, por favor.", {"preference.emojis": "sin emojis"}),
    # what a "but" sets against a wish or a few days
    ("Ich möchte nach Rom, aber ich wohne in Linz.", {"address.city": "Linz"}),
    ("Quiero un barco pero vivo en Soria.", {"address.city": "Soria"}),
]

NOT_LEARNED = [
    # irony
    "Eh certo, vivo a Portofino.",
    "Ich wohne in Kitzbühel 🙄",
    "Sí claro, vivo en Mónaco.",
    # who is named only because of what happened
    "Mein Kollege Horst ist krank.",
    "Mijn collega Sjors is te laat.",
    "Mon collègue Gaspard râle.",
    # of somebody else
    "Der Hund (Rex) meines Nachbarn bellt 🙄",
    "Der Katze Milch geben?",
]


@pytest.mark.parametrize(("text", "facts"), LEARNED)
def test_it_is_learned(text: str, facts: dict[str, str]) -> None:
    assert learned(text) == facts


@pytest.mark.parametrize("text", NOT_LEARNED)
def test_it_is_not_learned(text: str) -> None:
    assert learned(text) == NOTHING
