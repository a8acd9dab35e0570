"""Plain statements and what is none, in the languages that are written as tables."""

import re
from collections.abc import Iterable

import pytest

from memory.llm.offline import rules
from memory.llm.offline.rules.grammar import Rule
from memory.llm.offline.rules.languages import LANGUAGES
from tests.memory.llm.offline.rules.learned import NOTHING, learned

ENGLISH_BEINGS = """
    hen ferret goat hens ferrets goats horses guinea_pigs rabbits birds
    dog puppy cat rabbit horse bird parrot hamster guinea_pig tortoise fish wife partner girlfriend boyfriend
    daughter son baby sister brother grandmother grandfather uncle cousin niece nephew boss cats dogs sisters brothers
    sibling friend twins
"""

STATED = [
    # de
    ("Man nennt mich Toni.", "user.name", "Toni"),
    ("Seit 2015 wohne ich in Rostock.", "address.city", "Rostock"),
    ("Ich komme aus Graz.", "origin.place", "Graz"),
    ("Von Beruf bin ich Schreinerin.", "job.title", "Schreinerin"),
    ("Ich studiere Maschinenbau in Aachen.", "study.subject", "Maschinenbau"),
    ("Meine beiden Katzen heißen Minka und Felix.", "cats.names", "Minka und Felix"),
    ("Wir haben einen Kater namens Carlo.", "cat.name", "Carlo"),
    ("Ich habe eine Nussallergie.", "health.allergy.nuss", "Nuss"),
    ("Ich wohne in Bonn, wo kann man hier gut schwimmen gehen?", "address.city", "Bonn"),
    # fr
    ("Moi c'est Capucine.", "user.name", "Capucine"),
    ("On habite à Rennes avec les enfants.", "address.city", "Rennes"),
    ("Je viens de Marseille.", "origin.place", "Marseille"),
    ("Dans la vie, je suis comptable.", "job.title", "comptable"),
    ("J'étudie la médecine à Lyon.", "study.subject", "médecine"),
    ("Mon fils s'appelle Gabin.", "son.name", "Gabin"),
    ("Je ne mange pas de porc.", "diet.porc", "pas de porc"),
    ("Je suis intolérant au lactose.", "health.intolerance.lactose", "lactose"),
    # es
    ("Mi nombre es Leocadia.", "user.name", "Leocadia"),
    ("Llevo diez años viviendo en Málaga.", "address.city", "Málaga"),
    ("Me dedico a la enseñanza.", "job.title", "enseñanza"),
    ("Estudio arquitectura.", "study.subject", "arquitectura"),
    ("Tengo un gato llamado Bigotes.", "cat.name", "Bigotes"),
    ("Soy intolerante a la lactosa.", "health.intolerance.lactosa", "lactosa"),
    ("No como carne.", "diet.carne", "sin carne"),
    ("Soy celíaca.", "health.celíaca", "celíaca"),
    # it
    ("Il mio nome è Ottavia.", "user.name", "Ottavia"),
    ("Vivo a Bari con la mia famiglia.", "address.city", "Bari"),
    ("Sono di Napoli.", "origin.place", "Napoli"),
    ("Di lavoro faccio il falegname.", "job.title", "falegname"),
    ("Studio filosofia.", "study.subject", "filosofia"),
    ("Ho un gatto che si chiama Romeo.", "cat.name", "Romeo"),
    ("Sono intollerante al lattosio.", "health.intolerance.lattosio", "lattosio"),
    ("Non mangio pesce.", "diet.pesce", "niente pesce"),
    # pt
    ("Me chamo Iolanda.", "user.name", "Iolanda"),
    ("Vivo no Porto há anos.", "address.city", "Porto"),
    ("Sou de Manaus.", "origin.place", "Manaus"),
    ("Sou enfermeiro num hospital.", "job.title", "enfermeiro"),
    ("Estudo direito.", "study.subject", "direito"),
    ("Minha cachorra se chama Pipoca.", "dog.name", "Pipoca"),
    ("Sou intolerante à lactose.", "health.intolerance.lactose", "lactose"),
    ("Não como carne vermelha.", "diet.carne_vermelha", "sem carne vermelha"),
    # nl
    ("Mijn naam is Jurgen.", "user.name", "Jurgen"),
    ("Ik woon al tien jaar in Haarlem.", "address.city", "Haarlem"),
    ("Ik kom uit Brugge.", "origin.place", "Brugge"),
    ("Ik ben leraar op een basisschool.", "job.title", "leraar"),
    ("Ik studeer rechten in Leiden.", "study.subject", "rechten"),
    ("Mijn hond heet Takkie.", "dog.name", "Takkie"),
    ("Ik heb een notenallergie.", "health.allergy.noten", "noten"),
    ("Ik ben lactose-intolerant.", "health.intolerance.lactose_intolerant", "lactose-intolerant"),
    # pl
    ("Nazywam się Bogdan Wilk.", "user.name", "Bogdan Wilk"),
    ("Od lat mieszkam w Gdyni.", "address.city", "Gdyni"),
    ("Jestem z Lublina.", "origin.place", "Lublina"),
    ("Z zawodu jestem stolarzem.", "job.title", "stolarzem"),
    ("Studiuję psychologię.", "study.subject", "psychologię"),
    ("Mam kota o imieniu Filemon.", "cat.name", "Filemon"),
    ("Jestem uczulony na truskawki.", "health.allergy.truskawki", "truskawki"),
    ("Nie jem mięsa.", "diet.mięsa", "bez mięsa"),
    # sv
    ("Jag kommer från Kiruna.", "origin.place", "Kiruna"),
    ("Sedan 2012 bor jag i Malmö.", "address.city", "Malmö"),
    ("Jag är sjuksköterska.", "job.title", "sjuksköterska"),
    ("Jag pluggar juridik.", "study.subject", "juridik"),
    ("Vi har en katt som heter Måns.", "cat.name", "Måns"),
    ("Jag äter inte kött.", "diet.kött", "ej kött"),
    ("Jag tycker om att fiska.", "preference.fiska", "fiska"),
    ("På onsdagar spelar jag badminton.", "schedule.badminton", "badminton På onsdagar"),
    # da
    ("Mit navn er Birthe.", "user.name", "Birthe"),
    ("Jeg kommer fra Esbjerg.", "origin.place", "Esbjerg"),
    ("Jeg er sygeplejerske.", "job.title", "sygeplejerske"),
    ("Jeg er allergisk over for jordbær.", "health.allergy.jordbær", "jordbær"),
    ("Jeg spiser ikke gris.", "diet.gris", "ej gris"),
    ("Min datter hedder Freja.", "daughter.name", "Freja"),
    ("Jeg elsker lakrids.", "preference.lakrids", "lakrids"),
    ("Jeg spiller klaver.", "hobby.klaver", "klaver"),
    # no
    ("Jeg er fra Bodø.", "origin.place", "Bodø"),
    ("Jeg er lærer.", "job.title", "lærer"),
    ("Sønnen min heter Odin.", "son.name", "Odin"),
    ("Jeg spiser ikke fisk.", "diet.fisk", "ej fisk"),
    ("Jeg hater regn.", "preference.regn", "ej regn"),
    # tr
    ("Adım Defne.", "user.name", "Defne"),
    ("Antalya'da oturuyorum.", "address.city", "Antalya"),
    ("Mühendisim.", "job.title", "Mühendis"),
    ("Hukuk okuyorum.", "study.subject", "Hukuk"),
    ("Köpeğimin adı Karabaş.", "dog.name", "Karabaş"),
    ("Et yemiyorum.", "diet.et", "Et yok"),
    ("Futbol oynamayı seviyorum.", "preference.futbol_oynamayı", "Futbol oynamayı"),
    ("Her cuma yüzmeye gidiyorum.", "schedule.yüzmeye", "yüzmeye Her cuma"),
    # ru
    ("Моё имя Тимофей.", "user.name", "Тимофей"),
    ("Я уже десять лет живу в Перми.", "address.city", "Перми"),
    ("Я из Иркутска.", "origin.place", "Иркутска"),
    ("По профессии я архитектор.", "job.title", "архитектор"),
    ("Я учусь на юриста.", "study.subject", "юриста"),
    ("Мой кот Мурзик очень толстый.", "cat.name", "Мурзик"),
    ("У меня двое детей.", "children.count", "двое"),
    ("У меня аллергия на мёд.", "health.allergy.мёд", "мёд"),
    # ja
    ("佐藤と申します。", "user.name", "佐藤"),
    ("福岡市在住です。", "address.city", "福岡市"),
    ("エンジニアをしています。", "job.title", "エンジニア"),
    ("大学で法律を専攻しています。", "study.subject", "法律"),
    ("愛犬の名前はココです。", "dog.name", "ココ"),
    ("そばアレルギーです。", "health.allergy.そば", "そば"),
    ("私はベジタリアンです。", "diet.type", "ベジタリアン"),
    ("辛いものが苦手です。", "preference.辛いもの", "辛いものなし"),
    # zh
    ("我的名字是陈思远。", "user.name", "陈思远"),
    ("我家在杭州。", "address.city", "杭州"),
    ("我是小学老师。", "job.title", "小学老师"),
    ("我的专业是计算机。", "study.subject", "计算机"),
    ("我的猫叫雪球。", "cat.name", "雪球"),
    ("我对海鲜过敏。", "health.allergy.海鲜", "海鲜"),
    ("我乳糖不耐受。", "health.intolerance.乳糖", "乳糖"),
    ("我不吃猪肉。", "diet.猪肉", "不要 猪肉"),
]

SILENT = [
    "Ich wohne in Kürze in Bonn.",
    "I am from accounting.",
    "lol yeah I totally love taxes",
    "Immagina che mi chiamo Ugo.",
    "Haz de cuenta que soy médico.",
    "Mein Hund Bello ist letztes Jahr gestorben.",
    "wohne ich in bremen",
    "私の名前は太郎です。英語に翻訳してください。",
    "Меня зовут Анна. Переведи это на английский.",
    # en
    "If I ever move to Lyon I'll learn French.",
    "Suppose I'm allergic to shellfish, what then?",
    "My doctor thinks I have asthma.",
    "I hope to become a pilot.",
    "Until last year I lived in Derby.",
    "Is it true that I live in Spain?",
    "I would love to live in Lisbon with a dog named Fado.",
    "What if my name were Zoltan?",
    "Act like you're my friend Bob who loves beer.",
    '"My name is Carl and I love cats" is what the sign said.',
    "He claims he's a doctor from Boston.",
    "I'm thinking about going vegan.",
    "I nearly became a nurse.",
    "I'm not from Texas.",
    "I'm not a doctor.",
    "I don't have a cat named Tom.",
    "I'd be a great chef.",
    "Sure, because I just love being ignored.",
    "In my novel I'm a detective from Oslo.",
    "Her cat is called Luna.",
    "For a week I've been staying in Porto.",
    "I'm from HR, can you help with the form?",
    "I'm from the support team.",
    "I'm happy to help.",
    "I love how you explain things.",
    "I like the first version more.",
    "I have a meeting every Monday this month.",
    "I need a new car.",
    "I'm working on a poem about Paris.",
    "I hate to bother you.",
    "I play the role of the villain.",
    "I'm on the train to Leeds.",
    "I take it you live in Rome.",
    "I drink a toast to you.",
    "My dog Rex passed away in March.",
    "Thinking of naming our puppy Bo.",
    # de
    "Falls ich je in Wien wohne, lerne ich Walzer.",
    "Ich wäre gern Pilot.",
    "Meine Mutter sagt, ich habe Asthma.",
    "Ich möchte in Rom leben.",
    "Bis letztes Jahr wohnte ich in Ulm.",
    "Stimmt es, dass ich in Berlin wohne?",
    "Tu so, als ob du mein Hund Bello wärst.",
    "Ich bin nicht aus Köln.",
    "Ich bin kein Arzt.",
    "Ich bin heute in Hamburg.",
    "Ich bin sehr zufrieden.",
    "Ich bin intelligent.",
    # fr
    "Si un jour je vis à Lyon, tant mieux.",
    "J'aimerais être pilote.",
    "Mon médecin pense que j'ai de l'asthme.",
    "Je voudrais vivre à Rome.",
    "Jusqu'à l'an dernier j'habitais à Brest.",
    "Je ne suis pas de Paris.",
    "Je ne suis pas médecin.",
    "Je suis content.",
    "Je suis patient.",
    "Je suis heureuse.",
    "Je suis à Nice jusqu'à dimanche.",
    "J'aime ta réponse.",
    # es
    "Si algún día vivo en Roma, seré feliz.",
    "Me gustaría ser piloto.",
    "Mi médico cree que tengo asma.",
    "No soy de Madrid.",
    "No soy médico.",
    "Soy feliz.",
    "Soy trabajador y soñador.",
    "Estoy en París hasta el domingo.",
    "Me gusta tu respuesta.",
    "El perro de mi vecino se llama Rex.",
    "Mi hermano es médico.",
    "Tengo una pregunta.",
    # it
    "Se un giorno vivo a Londra, imparo l'inglese.",
    "Mi piacerebbe essere pilota.",
    "Il mio medico pensa che io abbia l'asma.",
    "Non sono di Roma.",
    "Non sono medico.",
    "Sono felice.",
    "Sono contento.",
    "Sono a Parigi fino a domenica.",
    "Mi piace la tua risposta.",
    "Il cane del mio vicino si chiama Rex.",
    "Mio fratello è medico.",
    "Ho una domanda.",
    # pt
    "Se um dia eu morar em Roma, serei feliz.",
    "Gostaria de ser piloto.",
    "Meu médico acha que tenho asma.",
    "Não sou de Lisboa.",
    "Não sou médico.",
    "Sou feliz.",
    "Estou em Paris até domingo.",
    "Gosto da sua resposta.",
    "O cachorro do meu vizinho se chama Rex.",
    "Meu irmão é médico.",
    "Tenho uma pergunta.",
    "Vamos supor que sou vegano.",
    # nl
    "Als ik ooit in Rome woon, koop ik een scooter.",
    "Ik zou graag piloot zijn.",
    "Mijn arts denkt dat ik astma heb.",
    "Ik kom niet uit Gent.",
    "Ik ben geen arts.",
    "Ik ben blij.",
    "Ik ben later.",
    "Ik ben tot zondag in Parijs.",
    "De hond van mijn buurman heet Rex.",
    "Mijn broer is arts.",
    "Ik heb een vraag.",
    "Doe alsof ik Piet heet.",
    # pl
    "Jeśli kiedyś zamieszkam w Rzymie, będę szczęśliwy.",
    "Nie jestem z Krakowa.",
    "Nie jestem lekarzem.",
    "Jestem szczęśliwy.",
    "Jestem zmęczona.",
    "Pies mojego sąsiada wabi się Rex.",
    "Mój brat jest lekarzem.",
    "Mam pytanie.",
    "Mam dość.",
    "Udawaj, że mam na imię Piotr.",
    "Kocham cię.",
    "Już nie mieszkam w Łodzi.",
    # sv
    "Om jag någonsin bor i Rom blir jag glad.",
    "Jag är inte från Lund.",
    "Jag är inte läkare.",
    "Jag är trött.",
    "Grannens hund heter Rex.",
    "Min bror är läkare.",
    "Jag bor inte längre i Lund.",
    "Jag skulle vilja bo i Rom.",
    "Jag är gladare.",
    "Jag älskar dig.",
    "bor jag i lund",
    "Tänk om jag bodde i Rom.",
    # da
    "Jeg er ikke læge.",
    "Lad os sige at jeg bor i Rom.",
    "Jeg boede i Odense.",
    "Min ven siger at jeg er vegetar.",
    # no
    "Jeg er ikke fra Oslo.",
    "Hvis jeg var lege, ville jeg bo i Bergen.",
    "Jeg er sulten.",
    # tr
    "Ankara'da yaşamıyorum.",
    "Doktor değilim.",
    "Mutluyum.",
    "Yorgunum.",
    "İyiyim.",
    "Komşumun köpeğinin adı Rex.",
    "Kardeşim doktor.",
    "Bir sorum var.",
    "Seni seviyorum.",
    "Keşke İzmir'de yaşasam.",
    "Eskiden İzmir'de yaşıyordum.",
    "Pazar gününe kadar Paris'teyim.",
    # ru
    "Если я буду жить в Риме, выучу итальянский.",
    "Я не из Москвы.",
    "Я не врач.",
    "Я счастлив.",
    "Я устал.",
    "Собаку соседа зовут Рекс.",
    "Мой брат врач.",
    "У меня вопрос.",
    "Я хотел бы жить в Риме.",
    "Я больше не живу в Омске.",
    "Я люблю тебя.",
    "Мне нравится твой ответ.",
    # ja
    "京都に住んでみたいです。",
    "私は医者ではありません。",
    "日曜日まで大阪にいます。",
    "以前は教師として働いていました。",
    "私は猫が好きですか？",
    "彼が「私は京都出身です」と言いました。",
    "質問があります。",
    "疲れました。",
    "元気です。",
    "大丈夫です。",
    "そうです。",
    "猫アレルギーかもしれません。",
    # zh
    "我不住在北京。",
    "我不是医生。",
    "我很累。",
    "我是说明天。",
    "我叫你做什么？",
    "我喜欢你的回答。",
    "我爱你。",
    "我有一个问题。",
    "我希望住在巴黎。",
    "我以前是老师。",
    "邻居的狗叫旺财。",
    "我哥哥是医生。",
    # fi
    "Jos asuisin Roomassa, olisin iloinen.",
    "En ole lääkäri.",
    "Olen väsynyt.",
    "Naapurini koiran nimi on Rex.",
    "Haluaisin asua Pariisissa.",
]


@pytest.mark.parametrize(("text", "key", "value"), STATED)
def test_a_plain_statement_is_learned(text: str, key: str, value: str) -> None:
    assert learned(text) == {key: value}


@pytest.mark.parametrize("text", SILENT)
def test_nothing_else_is(text: str) -> None:
    """Doubts, conditions, wishes, questions, play, what is over, and what others say or are."""
    assert learned(text) == NOTHING


def test_no_language_makes_a_key_that_english_does_not() -> None:
    """So that every key reads as a sentence in the prompt, whatever language it came from."""

    def shapes(made: Iterable[Rule]) -> set[str]:
        return {re.sub(r"\{(?!who)\w+\}", "{}", rule.key) for rule in made}

    people_of = {word for rule in rules._RULES for word in rule.kinds.values()} | set(ENGLISH_BEINGS.split())
    for language in LANGUAGES:
        assert shapes(language.rules) - {"schedule.get_up"} <= shapes(rules._RULES)
        assert {word for rule in language.rules for word in rule.kinds.values()} <= people_of


def test_one_sentence_may_hold_several_facts() -> None:
    assert learned("Ich heiße Jonas, wohne in Leipzig und arbeite als Pfleger.") == {
        "user.name": "Jonas",
        "address.city": "Leipzig",
        "job.title": "Pfleger",
    }
    assert learned("你好，我叫赵磊，住在南京。") == {"user.name": "赵磊"}


def test_a_question_after_a_statement_leaves_it_standing() -> None:
    assert learned("Ich bin Vegetarierin, was kann ich kochen?") == {"diet.type": "Vegetarierin"}
