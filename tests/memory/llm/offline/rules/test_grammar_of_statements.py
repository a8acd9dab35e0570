"""Plain statements in other shapes: a question behind them, fronted words, pronouns, joined clauses."""

import pytest

from tests.memory.llm.offline.rules.learned import NOTHING, learned

LEARNED = [
    # a short question behind a statement
    ("Tengo asma, ¿puedo bucear?", {"health.asma": "asma"}),
    ("Me llamo Jacinta y abro un bar, ¿ideas?", {"user.name": "Jacinta"}),
    ("Nie piję mleka, czym je zastąpić?", {"diet.mleka": "bez mleka"}),
    ("У меня мигрень, что делать?", {"health.мигрень": "мигрень"}),
    ("Astımım var, dalış yapabilir miyim?", {"health.astım": "Astım"}),
    ("Ho 37 anni, è tardi?", {"user.age": "37"}),
    ("仙台に住んでいるのですが、おすすめの公園はありますか", {"address.city": "仙台"}),
    # "as a nurse I ..."
    ("Als Tischlerin stehe ich viel.", {"job.title": "Tischlerin"}),
    ("Als lerares sta ik veel.", {"job.title": "lerares"}),
    ("Comme pompier, je dors mal.", {"job.title": "pompier"}),
    ("Como enfermero hago noches.", {"job.title": "enfermero"}),
    ("Da infermiera lavoro di notte.", {"job.title": "infermiera"}),
    ("Como professora corrijo muito.", {"job.title": "professora"}),
    ("Jako ratownik pracuję nocami.", {"job.title": "ratownik"}),
    ("Как учитель я много говорю.", {"job.title": "учитель"}),
    ("As a bricklayer I lift all day.", {"job.title": "bricklayer"}),
    ("Plumber here, quick one.", {"job.title": "Plumber"}),
    # a name and what one is
    ("Olá, sou o Nuno, eletricista.", {"user.name": "Nuno", "job.title": "eletricista"}),
    ("Hallo, ich bin die Ulrike und neu hier.", {"user.name": "Ulrike"}),
    ("Hoi, Joost hier, ik zoek een soeprecept.", {"user.name": "Joost"}),
    ("Здравствуйте, я Ольга.", {"user.name": "Ольга"}),
    # a reason
    ("Da ich in Flensburg wohne, friere ich.", {"address.city": "Flensburg"}),
    ("Omdat ik in Hoorn woon, fiets ik veel.", {"address.city": "Hoorn"}),
    ("Vu que je suis allergique aux moules, propose autre chose.", {"health.allergy.moules": "moules"}),
    ("Como soy celíaca, ¿qué pan compro?", {"health.celíaca": "celíaca"}),
    ("Siccome sono celiaco, come faccio la pizza?", {"health.celiaco": "celiaco"}),
    ("Como sou celíaca, que bolo posso fazer?", {"health.celíaca": "celíaca"}),
    ("Так как у меня диабет, чем заменить сахар?", {"health.диабет": "диабет"}),
    # fronted words
    ("Gegen Hafer bin ich allergisch.", {"health.allergy.hafer": "Hafer"}),
    ("Thuis praten we Fries.", {"language.spoken": "Fries"}),
    ("Na co dzień mówię po kaszubsku i po niemiecku.", NOTHING),
    ("Evde Kürtçe konuşuyoruz.", {"language.spoken": "Kürtçe"}),
    ("Op 9 juli ben ik jarig.", {"user.birthday": "9 juli"}),
    # a negation ends where another clause begins
    ("Ich lebe in Bremen und kenne keinen guten Bäcker.", {"address.city": "Bremen"}),
    ("Ik kom uit Groningen en versta Limburgs niet.", {"origin.place": "Groningen"}),
    # "no longer" and "formerly" end only what they stand in
    ("Ich wohne in Bonn, früher war ich lange Jahre in Köln.", {"address.city": "Bonn"}),
    ("Mieszkam w Gdyni, a na rowerze już nie jeżdżę wcale.", {"address.city": "Gdyni"}),
    # all of them denied
    ("Je ne mange ni porc ni mouton.", {"diet.porc": "pas de porc", "diet.mouton": "pas de mouton"}),
    ("Non mangio né carne né pesce.", {"diet.carne": "niente carne", "diet.pesce": "niente pesce"}),
    ("Nie znoszę flaków ani ozorków.", {"preference.flaków": "bez flaków", "preference.ozorków": "bez ozorków"}),
    # what a pronoun stands for
    ("Ein Kuchen ohne Eier? Ich bin allergisch.", {"health.allergy.eier": "Eier"}),
    ("Une tarte sans amandes ? J'y suis allergique.", {"health.allergy.amandes": "amandes"}),
    ("¿Un flan sin leche? Es que soy alérgica.", {"health.allergy.leche": "leche"}),
    ("Un dolce senza uova? Sono allergico.", {"health.allergy.uova": "uova"}),
    ("Bolo sem nozes? Sou alérgico.", {"health.allergy.nozes": "nozes"}),
    ("Taart zonder noten, daar ben ik allergisch voor.", {"health.allergy.noten": "noten"}),
    ("Czym zastąpić seler? Mam na niego uczulenie.", {"health.allergy.seler": "seler"}),
    ("Чем заменить мёд? У меня на него аллергия.", {"health.allergy.мёд": "мёд"}),
    ("A cake without nuts? I'm allergic.", {"health.allergy.nuts": "nuts"}),
    ("Wo gibt es in Trier gute Brötchen? Wir wohnen dort.", {"address.city": "Trier"}),
    ("Un kiné à Angers ? J'habite là-bas.", {"address.city": "Angers"}),
    ("¿Un taller en Lugo? Vivo allí.", {"address.city": "Lugo"}),
    ("Un dentista a Pavia? Ci vivo da poco.", {"address.city": "Pavia"}),
    ("Um café em Braga? Moro lá.", {"address.city": "Braga"}),
    ("Een kapper in Zwolle? We wonen daar.", {"address.city": "Zwolle"}),
    ("Куда пойти в Самаре? Живу тут.", {"address.city": "Самаре"}),
    ("A good vet in Leeds? We live there.", {"address.city": "Leeds"}),
]

SILENT = [
    # a question about the statement itself
    "Ich wohne in Bonn, erinnerst du dich daran noch?",
    "Vivo en Gijón, ¿verdad que sí?",
    "Vivo a Bergamo, non è vero forse?",
    # what one was, or would be
    "Als Kellner bekam ich viel Trinkgeld.",
    "Als Lehrerin würde ich mehr verdienen.",
    "Als ober verdiende ik weinig.",
    "Comme serveur je gagnais peu.",
    "Como camarero ganaba poco.",
    "Da studente vivevo a Pisa.",
    "Jako kelner zarabiałem mało.",
    "Как официант я зарабатывал мало.",
    "As a waiter I made more in tips.",
    "As a nurse I would earn more.",
    "Como ternera todo el domingo.",
    # others are allergic, others live there
    "Ein Kuchen ohne Eier? Meine Nichte ist allergisch.",
    "Un gâteau sans noix ? Mon neveu est allergique.",
    "¿Un flan sin leche? Mi jefa es alérgica.",
    "A cake without nuts? My guest is allergic.",
    "Ein Kuchen ohne Eier? Ich bin nicht allergisch.",
    "Was kostet Wohnen in Oslo? Mein Onkel wohnt dort.",
    "Ist es in Oslo teuer? Ich wohne nicht dort.",
    "Is Oslo wet? I don't live there.",
    # words for others to say
    "Rédige une lettre pour ma mère : j'ai 72 ans et j'habite à Vannes.",
    "Redacta una carta de mi padre: tengo 70 años y vivo en Teruel.",
    "Faz uma mensagem para a minha avó: tenho 80 anos e moro em Viseu.",
    "Entwirf eine Anzeige für Oma: ich bin 80 und wohne in Ulm.",
    "Составь объявление: я няня, живу в Уфе.",
    "Kannst du so tun, als wärst du mein Chef? Ich bin Azubi und wohne in Ulm.",
    "Wegen meiner Migräne rufe ich an, schreibt sie - wie antworte ich darauf?",
    # what others say, without marks of quotation
    "The guy at the bar goes I'm a surgeon and I live in Monaco.",
    "Sie meinte so ich bin Ärztin und wohne in Kiel.",
    "Lui mi fa: sono un chirurgo e vivo a Montecarlo.",
    # a role is no name
    "Hallo, ich bin der Klempner.",
    "Hallo, ich bin die Nachbarin und störe nur kurz.",
    "Hallo, ich bin die Mutter, die eben angerufen hat.",
    # irony
    "Yeah because I just love filling in forms.",
    "Tak, bo ja kocham zmywać.",
    "Pois, eu adoro acordar com obras.",
    "Heerlijk hoor, ik ben gek op wachtmuziek.",
    "Trafikte beklemeye bayılırım.",
    # no timetable
    "Ho venduto la mia bici.",
    "Tengo hinchados los pies.",
]


@pytest.mark.parametrize(("text", "facts"), LEARNED)
def test_a_statement_is_learned(text: str, facts: dict[str, str]) -> None:
    assert learned(text) == facts


@pytest.mark.parametrize("text", SILENT)
def test_what_only_looks_like_one_is_not(text: str) -> None:
    assert learned(text) == NOTHING
