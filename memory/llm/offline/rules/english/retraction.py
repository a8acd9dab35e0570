"""Sentences that the operator takes back: by "no wait", "wrong chat", "just testing", or a laugh.

Prefers silence to a guess. Linear in the length of the text.
"""

import re

from memory.llm.offline.rules.english.attribution import ATTRIBUTES_WHAT_CAME_BEFORE
from memory.llm.offline.rules.english.sentence_patterns import any_of

_LEAD = (
    r"^(?:(?:oh|oops|ops|whoops|ah|er|erm|um|uh|hm+|sorry|ha(?:ha)*|lol|well|okay?|but|and|god|damn|argh|no|nah|wait)"
    r"\b\W{0,4}){0,5}"
)
_KIN = (
    r"(?:(?:best |older |younger |big |little |twin |ex-?)*(?:brother|sister|friend|mate|wife|husband|partner"
    r"|girlfriend"
    r"|boyfriend|mum|mom|mother|dad|father|son|daughter|cousin|uncle|aunt|boss|colleague|neighbou?r|flatmate|roommate"
    r"|twin|ex|character|client|customer|patient|student|grandma|grandpa|nephew|niece))"
)
_RETRACTS_ALL = any_of(
    rf"""
    no,? wait\b(?!,? (?:I|we|my|our)\b) | wait,? (?:no|that|this|not|what|wrong|sorry) | (?:hang|hold) on,? (?:that|no)
    scratch that | strike that | never ?mind(?! the| that it| about) | cancel that | undo that | correction,? that
    (?:that was |this was |this is |it's |that's |in )?(?:the )?wrong (?:chat|window|thread|tab|person|conversation
    |app|channel|group|room|box|place|bot|number)
    (?:I (?:was |am )|I'm |we're |we were |that was |it was |was |am )?(?:just |only |obviously ){{0,3}}(?:joking
    |kidding|testing|messing|teasing|trolling|bluffing|pretending|lying|fooling|playing with you|pulling your leg
    |having you on)
    jk | j/k | psych | psyche | sike | syke | gotcha | april fools?.* | fooled you | made you look | as if
    not really | not true | not actually | none of (?:that|this|it) | (?:that|this|it)(?:'s| is| was) (?:not true|untrue
    |a lie|a joke|false|made up|fake|nonsense|sarcasm|bait|wrong|not (?:me|mine|real|right|about me))
    my bad | mea culpa | or am I | or do I | yeah,? right | jokes | nope(?=\W*$) | (?:no,? )?I(?:'m| am) not(?=\W*$)
    I mixed (?:that|this|it|things) up | my cat walked | autocorrect | I lied | I made (?:that|it|this) up
    not me | not mine
    (?:please )?(?:ignore|disregard|forget|delete|discard) (?:that|this|it|me|the above|what I|my last|the last
    |everything|all)
    (?:please )?do(?:n't| not) (?:remember|save|store|keep|note|believe) (?:that|this|it|any)
    (?:that|this|it|the above)(?:'s| is| was| were)? (?:meant|intended|supposed|for (?:someone|somebody|my|another))
    (?:that|this|it|he|she)(?:'s| is| was| would be) (?:actually )?(?:my {_KIN} | (?:someone|somebody) else)
    I (?:meant|mean|was (?:talking|thinking) (?:about|of)) my {_KIN}
    spaß | war (?:nur )?ein (?:witz|scherz|test) | quatsch | falscher chat | nur ein test | nein,? warte | blödsinn
    je (?:plaisante|rigole|blague) | c'est une blague | mauvaise conversation | es broma | era broma | mentira
    chat equivocado | skojar | jag skojade | fel chatt | scherzo | scherzavo | grapje | geintje | brincadeira
    vitsi | eiku | väärä chatti
""".replace("\n    |", "|"),
    before=_LEAD,
)
_NOT = re.compile(r"^\W*not\W*$", re.IGNORECASE)
_ONLY_A_TEST = re.compile(
    r"^(?:\W*(?:this|it|that)(?:'s| is| was| will be) (?:just |only )?(?:an? "
    r"|the )?(?:\w+ )?test\b(?! (?:result|drive))"
    r"|\W*(?:just |only )?(?:an? )?(?:quick |memory |simple )?test(?:ing)?(?: message| prompt| run| data| text| input)?"
    r"(?:[\s,]+[\d\s,]+)?\W*(?:$|[:.,!-])"
    r"|\W*(?:just )?(?:checking|seeing|trying) (?:if|whether|how) (?:this|it|you|the \w+) (?:works?|remembers?)\b"
    r"|\W*(?:does|will|is) (?:this|it)(?: thing)? (?:work|working|on)\W*$"
    r"|\W*(?:testing,? testing|(?:I'm|I am) (?:just |only )?testing(?: (?:you|your|this|the (?:memory|bot|app"
    r"|system)|things"
    r"|something|it|if|whether|how)\b.*)?\W*$))",
    re.IGNORECASE,
)
_LAUGH = r"(?:lol|lmao|rofl|lmfao|jk|j/k|ha(?:ha)+h?|he(?:he)+|hihi|xd|mdr|ptdr|jaja\w*|kkk+|:-?[pd])"
_LAUGHS = re.compile(rf"^\W*(?:{_LAUGH}\b\W*)+$|^[\s😂🤣😜😉]+$|^\W{{0,3}};-?\)$", re.IGNORECASE)
_ENDS_LAUGHING = re.compile(rf"(?:(?:^|[\s,.!?]){_LAUGH}|[\s,.!?]/s|[😂🤣😜😉]|;-?\))[\s.!?)]{{0,9}}$", re.IGNORECASE)
_SARCASTIC = re.compile(
    r"^\W*(?:lol|ha(?:ha)+|lmao)\b.*\b(?:love|adore|enjoy)\b"
    r"|^\W*(?:(?:oh|yeah|sure|wow|great|right|of course|yay|yep|fantastic|brilliant)\b\W*){1,4}"
    r"(?:I|we|who) (?:do )?(?:just|totally|absolutely|so) (?:love|adore|enjoy|live for)\b"
    r"|^\W*oh\W+(?:yeah|yes|sure|right|of course)\b\W+(?:I|we) (?:love|adore|enjoy)\b"
    r"|^\W*(?:(?:oh|yeah|sure|right|yep|of course)\b\W*){1,3}(?:because )?I(?:'m| am) (?:totally|obviously|clearly"
    r"|such)\b"
    r"|\b(?:said no one|what a joy|lucky me|my favou?rite (?:thing|part))\b",
    re.IGNORECASE,
)
_LOVES = (
    r"(?:love|loving|adore|enjoy|liebe|genieße|mag|adore|aime|amo|adoro|encanta|encantan|flipa|hou|dol|geniet|uwielbiam"
    r"|kocham|elsker|älskar|gek op|fan van|verrückt nach|folle? de|loc[oa] por|pazz[oa] per|louc[oa] por|обожаю"
    r"|люблю|bayılı\w+|sev[ei]\w+|喜欢|喜歡|爱|愛|好き)"
)
_PRAISE = (
    r"^\W*(?:(?:oh|ah|wow|na|ja|well|yeah|so|boh|ay|no|och|ну)\W+){0,2}"
    r"(?:great|fantastic|brilliant|wonderful|lovely|perfect|awesome|amazing|toll|klasse|super|wunderbar|herrlich|prima"
    r"|großartig|génial|formidable|magnifique|parfait|merveilleux|bravo|che (?:bello|gioia|meraviglia)|fantastico"
    r"|perfetto|ottimo|bellissimo|qué (?:bien|alegría|maravilla|guay)|genial|estupendo|fantástico|maravilloso|perfecto"
    r"|que (?:bom|maravilha|legal|alegria)|ótimo|perfeito|geweldig|heerlijk|fijn|lekker|świetnie|pięknie|wspaniale"
    r"|(?:ja|ach|na) (?:klar|sicher|genau)|aber sicher|natürlich|bien sûr|mais oui|(?:sí,? )?claro(?: que s[íi]m?)?"
    r"|cómo no"
    r"|(?:ma )?certo|come no|pois claro|(?:ja )?tuurlijk|ja hoor|(?:no|tak),? (?:jasne|pewnie)|ага"
    r"|(?:ну )?да,? конечно|tabi+|はいはい|是啊"
    r"|fantasti(?:sch|que|sk|cznie)|класс\w{0,2}|maravilha|excelente|maraviglioso|splendido|harika|süper|muhteşem|fajnie|mooi|fedt|dejligt|härligt|toppen|hienoa"
    r"|отлично|прекрасно|супер|здорово|чудесно|замечательно|太好了|太棒了|真棒|最高)(?: (?:hoor|zeg|dan|echt|ya|ecco"
    r"|hein))?\s?[,!.;:…，！。、-]"
)
_YES_BECAUSE = (
    r"^\W*(?:(?:yeah|yes|sure|right)\W+(?:because|cause|cuz|'cause)|ja\W+(?:weil|denn|want|fordi|för)|oui\W+(?:parce|car)"
    r"|s[íi]m?\W+(?:porque|claro)|sì\W+perché|tak\W+bo|да\W+(?:потому|ведь)|evet\W+(?:ya|çünkü)|pois\s?,|ben oui)(?!\w)"
)
_PRAISED_FIRST = re.compile(rf"(?:{_PRAISE}|{_YES_BECAUSE}).{{0,200}}{_LOVES}", re.IGNORECASE)
"""Praise before a liking is mostly meant the other way round: rather nothing than that."""
_PRAISES_A_MISHAP = re.compile(
    rf"{_PRAISE}(?:.{{0,200}}(?:\b(?:again|once more|(?:schon|mal) wieder|encore|de nouveau|otra vez|de nuevo|de novo"
    r"|outra vez|di nuovo|ancora una volta|(?:al)?weer|opnieuw|znowu|znów|опять|снова|yine|igen|igjen|taas)\b|又|また)"
    r"|\W{0,3}(?:another|noch (?:so )?eine?|otr[oa]|mais uma?|un altro|un'altra|nog een|kolejn\w{1,3}"
    r"|ещ[её] одн\w{1,2})\b)",
    re.IGNORECASE,
)
"""Something has happened again, and is praised: what is loved next is not."""
_IS_LOVED = re.compile(_LOVES, re.IGNORECASE)
_NOBODY_LOVES = re.compile(
    rf"{_LOVES}.{{0,40}}?(?:\b(?:waiting|queu(?:e|es|ing)|standing in line|traffic|taxes|mondays|paperwork|deadlines"
    r"|being (?:late|ignored|sick|ill|stuck)|getting (?:up at|stuck|ignored)|stau|warten|schlange stehen|montage"
    r"|steuern|attendre|faire la queue|les bouchons|les impôts|les lundis|fare la fila|aspettare|il traffico|le tasse"
    r"|hacer cola|esperar|los atascos|los lunes|fazer fila|pegar fila|o trânsito|wachten|in de (?:rij|file)"
    r"|czekać|korki|stać w kolejce|poniedziałki|ждать|пробки|понедельники|mandag\w*|måndag\w*|as segundas|maandagen)\b"
    rf"|排队|加班|堵车|渋滞|行列|残業)|(?:trafik|kuyruk|sıra|bekle|渋滞|行列|残業)\w*.{{0,40}}{_LOVES}",
    re.IGNORECASE,
)
_RETRACTS_ITSELF = re.compile(
    r"(?:[,;(…]|[-–—]) ?(?:oh |but |or |well )?(?:no,? wait|wait,? no|just kidding|not really|wrong chat|jk|psych|sike"
    r"|(?:just|only) (?:testing|joking|kidding)|scratch that|actually no|not!)(?:\W|$)",
    re.IGNORECASE,
)
_THE_ABOVE = r"(?:this|that|it|the above|the text|my text|the whole thing|mine|these|the following)"
_IS_ABOUT_THE_WORDING = re.compile(
    r"^\W{0,3}\^"
    rf"|\b(?:make|making|get|have|let) {_THE_ABOVE}\b(?: \w+){{0,3}}? (?:sound|read|look|flow|seem|nicer|friendlier"
    r"|politer|polite|formal|informal|professional|concise|catchy|catchier|grammatical|shorter|clearer"
    r"|smoother|warmer)\b"
    rf"|\b(?:does|do|would|will|did|is) {_THE_ABOVE}\b(?: \w+)? (?:sound|read|look|seem|come across|flow"
    rf"|make sense|correct"
    r"|grammatical|right|ok|okay|good English|clear|polite|natural)\b"
    rf"|\bhow (?:does|do|would|can|could|should) (?:{_THE_ABOVE}|I|you) (?:sound|read|look|phrase|word|put|say) ?"
    rf"(?:{_THE_ABOVE}|better|nicer|to you)?\W*$"
    r"|\b(?:any|spot|find|fix|check for|are there)(?: (?:any|the|my|all))? (?:typos?|mistakes?|errors?)\b"
    r"|^(?:please |can you |could you |now )?(?:rate|fix|tweak|tidy up|clean up|polish|smarten up|tone down"
    r"|spice up|beautify"
    rf"|shorten|improve|check|correct|rewrite) {_THE_ABOVE}\b"
    r"|^(?:please |can you |could you |now )?(?:rate|fix|improve|polish|correct|rewrite|proofread|shorten)\W*$"
    r"|\b(?:above|preceding|previous) (?:text|message|letter|mail|e-?mail|paragraph|lines?|note|part)\b"
    r"|\bthe above\W*$",
    re.IGNORECASE,
)


_NOT_MEANT = (_ENDS_LAUGHING, _RETRACTS_ITSELF, _SARCASTIC, _PRAISED_FIRST, _NOBODY_LOVES)


def without_retracted(sentences: list[str]) -> list[str]:
    """`sentences` without those that are taken back or laughed off; none of a test or of a text to be edited."""
    kept: list[str] = []
    is_ironic = False
    for sentence in sentences:
        is_ironic = is_ironic or bool(_PRAISES_A_MISHAP.search(sentence))
        if is_ironic and _IS_LOVED.search(sentence):
            continue
        if _ONLY_A_TEST.search(sentence) or (kept and _IS_ABOUT_THE_WORDING.search(sentence)):
            return []
        if _LAUGHS.match(sentence) or _NOT.match(sentence):
            del kept[-1:]
        elif _RETRACTS_ALL.search(sentence):
            kept = [sentence]
        elif ATTRIBUTES_WHAT_CAME_BEFORE.match(sentence):
            kept.clear()
        elif not any(found.search(sentence) for found in _NOT_MEANT):
            kept.append(sentence)
    return kept
