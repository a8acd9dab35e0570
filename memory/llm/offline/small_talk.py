"""Sentences that say nothing about a chat: greetings, thanks, courtesies, the time of day, sums. Pure."""

import re

_LONGEST_CHARS = 120

_PHRASES = (
    # English
    r"hi|hello|hey|hiya|good (?:morning|afternoon|evening|night|day)|bye|goodbye|see you|take care",
    r"how(?:'s it going| are you(?: doing)?| are things|'s everything| have you been)|what's up|are you there",
    r"nice to (?:meet|see) you|have a (?:nice|good|great|lovely) (?:day|evening|night|weekend|one)",
    r"(?:i'm |i am |doing )?(?:very |pretty )?(?:good|well|fine|great)|(?:and |how about |what about )?you",
    r"thanks?|thank you|thx|cheers|you're (?:very |most )?welcome|no problem|my pleasure|please",
    r"ok|okay|yes|yeah|no|nope|sure|of course|got it|i see|makes sense|sounds (?:good|great)|will do",
    r"cool|nice|perfect|awesome|test|ping|can i ask you something|i have a question",
    r"glad (?:to help|i could help)|happy to help|(?:i )?hope (?:that|this) helps",
    r"(?:how|what) can i (?:help|do for)(?: you)?",
    r"let me know(?: if you (?:need|have) (?:anything|any questions)(?: else)?)?",
    r"is there anything else(?: i can help (?:you )?with)?",
    r"there|claude|chatgpt|gpt|gemini|copilot|assistant|caesar|again|today|all|everyone|so much|very much|a lot|later",
    r"soon|you too|for (?:that|this|your help|the help|everything|now|asking)",
    # German
    r"hallo|guten (?:tag|morgen|abend)|wie geht(?:'s| es)(?: dir| ihnen)?(?: heute)?|mir geht es gut|und dir|tschüss",
    r"danke(?: schön)?|vielen dank|bitte|alles klar|gern(?:e geschehen)?",
    # French
    r"bonjour|bonsoir|salut|(?:comment )?ça va(?: bien)?|comment (?:allez-vous|vas-tu)|merci(?: beaucoup)?|d'accord",
    r"de rien|avec plaisir|au revoir",
    # Spanish, Italian, Portuguese
    r"hola|buenos días|buenas (?:tardes|noches)|¿?(?:cómo|como|qué|que) (?:estás?|está usted|tal)|(?:muchas )?gracias",
    r"de nada|vale|adiós",
    r"ciao|buongiorno|buonasera|come (?:stai|sta|va)|grazie(?: mille)?|prego|va bene",
    r"olá|oi|bom dia|boa (?:tarde|noite)|tudo bem|como vai(?: você)?|(?:muito )?obrigad[oa]",
    # Dutch, Swedish, Danish, Norwegian, Finnish
    r"hoi|goede(?:morgen|middag|navond)|hoe gaat het(?: met (?:je|jou|u))?|dank je(?: wel)?|bedankt",
    r"hej(?:san)?|hur mår du|hvordan (?:går det|har du det)|tack(?: så mycket)?|tak|takk|moi|hei|mitä kuuluu|kiitos",
    # Polish, Czech, Russian, Ukrainian
    r"cześć|dzień dobry|jak się masz|co słychać|dziękuję|dzięki|ahoj|dobrý den|jak se máš|děkuji|díky",
    r"привет|здравствуй(?:те)?|добр(?:ый день|ое утро|ый вечер)|как (?:дела|ты|поживаешь)|спасибо(?: большое)?|хорошо",
    r"пожалуйста|привіт|дякую|як справи",
    # Turkish, Hungarian, Arabic, Hebrew, Hindi
    r"merhaba|selam|nasılsın(?:ız)?|teşekkür(?:ler| ederim)|szia|jó napot|hogy vagy|köszönöm",
    r"مرحبا|السلام عليكم|كيف حالك|شكرا|שלום|תודה|מה שלומך|नमस्ते|धन्यवाद|आप कैसे हैं",
)
_PHRASES_WITHOUT_BLANKS = (
    r"你好吗|你好|您好|嗨|早上好|晚上好|最近怎么样|谢谢(?:你|您)?|好的|吗|啊",
    r"こんにちは|こんばんは|おはよう(?:ございます)?|(?:お)?元気ですか|ありがとう(?:ございます)?|はい",
    r"안녕하세요|안녕|잘 지내(?:세요|요)?|감사합니다|고마워요?|네",
    r"สวัสดี(?:ครับ|ค่ะ)?|สบายดีไหม|ขอบคุณ(?:ครับ|ค่ะ)?",
)
_COURTESIES = re.compile(
    rf"(?:(?:(?:{'|'.join(_PHRASES)})(?!\w)|(?:{'|'.join(_PHRASES_WITHOUT_BLANKS)}))[\W_]*+)+", re.IGNORECASE
)
_ADDRESS = re.compile(
    r"(?:hi|hello|hey|dear|hallo|hoi|bonjour|salut|hola|ciao|buongiorno|hej|hei|olá|oi|привет|cześć|ahoj|merhaba|"
    r"thanks|thank you|danke|merci|gracias|grazie|obrigad[oa]|tack|bedankt|спасибо|dzięki)"
    r"(?: there)?,? (?-i:[^\W\d_a-z])\w{1,20}[\W_]*",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?:please |can you |could you |tell me )*(?:what(?:'s| is)?|which) (?:the )?(?:current )?"
    r"(?:time|date|day|year|month)(?: of the week)?(?: is it| is today| is it today)?"
    r"(?: now| right now| today| in [\w ]{1,30})?[ ?.!]*",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"(?:please |can you |what(?:'s| is) |how much is |calculate |compute )*(?=\D{0,3}\d)"
    r"(?:[\d.,\s()+*/x\N{MULTIPLICATION SIGN}\N{DIVISION SIGN}^%=-]|plus|minus|times|divided by|squared)+[?.! ]*",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w")


def is_trivial(sentence: str) -> bool:
    """Whether a sentence is nothing but courtesies, a name that is greeted, the question for the time, or a sum."""
    if not _WORD.search(sentence):
        return True
    is_short = len(sentence) <= _LONGEST_CHARS
    return is_short and any(shape.fullmatch(sentence) for shape in (_COURTESIES, _ADDRESS, _CLOCK, _SUM))
