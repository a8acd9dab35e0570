"""The basic statements in Finnish."""

from memory.llm.offline.rules.grammar import Rule
from memory.llm.offline.rules.languages import rule_builders as make
from memory.llm.offline.rules.languages.rule_builders import FOOD, TRADE

FINNISH = (
    *make.own_names(r"(?:minun )?nimeni on NAME", r"(?:minä )?olen nimeltäni NAME", r"kutsu minua NAME"),
    *make.named(r"(?:minun |meidän )?FINNISH (?:nimi on|on nimeltään) NAME", r"FINNISH on NAMEEND"),
    *make.named(r"\bFINNISH NAME", confidence=0.85, anywhere=True),
    make.home(r"(?:minä )?(?:asun|asumme)(?: nykyään| nyt)? (?P<place>(?-i:[A-ZÅÄÖ])[\w-]+?)(?:ssa|ssä|lla|llä)\b"),
    make.moved(
        r"(?:minä )?(?:muutin|muutimme) (?:\w+(?:sta|stä|lta|ltä) )?(?P<place>(?-i:[A-ZÅÄÖ])[\w-]+?)(?:seen|oon|aan"
        r"|ään|uun|iin|lle)\b"
    ),
    *make.allergic(
        r"(?:minä )?olen (?:(?!nicht|niet|inte|ikke|ikkje|pas)\w+ )?allerginen " + FOOD,
        r"minulla on (?P<thing>\w{3,20})allergia",
    ),
    make.condition(r"(?:minä )?olen (?P<what>laktoosi-intolerantti|keliaakikko|diabeetikko|astmaatikko)"),
    make.diet(r"(?:minä )?olen (?P<diet>kasvissyöjä|vegaani|vegetaristi)"),
    *make.liked(r"(?:minä )?(?:rakastan|pidän) (?!sinu)" + FOOD),
    *make.disliked("ei", r"(?:minä )?en (?:pidä|siedä) " + FOOD, r"(?:minä )?(?:inhoan|vihaan) " + FOOD),
    *make.works(
        rf"(?:minä )?(?:olen ammatiltani|ammattini on) {TRADE}",
        r"(?:minä )?(?:työskentelen|olen töissä) (?P<job>[a-zåäö-]{3,30}?)(?:na|nä)\b",
    ),
    make.occupation(rf"(?:minä )?olen {TRADE}(?= \w+(?:ssa|ssä|lla|llä)\b| ja |[,.!]|$)"),
    *make.avoided("ei", r"(?:minä )?en (?:syö|juo|voi syödä) " + FOOD),
    make.childless(r"minulla ei ole lapsia|meillä ei ole lapsia"),
    make.drink(
        r"(?:minä )?juon (?P<drink>kahvini|teeni) (?P<how>(?:mustana|ilman|maidolla)[\w ]{0,30})",
        kinds={"kahvini": "coffee", "teeni": "tea"},
    ),
    make.non_smoker(r"(?:minä )?en (?:tupakoi|polta)"),
)

RULES: tuple[Rule, ...] = (*FINNISH,)
