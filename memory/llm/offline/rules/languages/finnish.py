"""The basic statements in Finnish."""

from memory.llm.offline.rules.grammar import Rule
from memory.llm.offline.rules.languages.rule_builders import (
    FOOD,
    TRADE,
    allergic,
    avoided,
    childless,
    diet,
    disliked,
    home,
    liked,
    moved,
    named,
    occupation,
    own_names,
    works,
)

FINNISH = (
    *own_names(r"(?:minun )?nimeni on NAME", r"(?:minä )?olen nimeltäni NAME", r"kutsu minua NAME"),
    *named(r"(?:minun |meidän )?FINNISH (?:nimi on|on nimeltään) NAME", r"FINNISH on NAMEEND"),
    *named(r"\bFINNISH NAME", confidence=0.85, anywhere=True),
    home(r"(?:minä )?(?:asun|asumme)(?: nykyään| nyt)? (?P<place>(?-i:[A-ZÅÄÖ])[\w-]+?)(?:ssa|ssä|lla|llä)\b"),
    moved(
        r"(?:minä )?(?:muutin|muutimme) (?:\w+(?:sta|stä|lta|ltä) )?(?P<place>(?-i:[A-ZÅÄÖ])[\w-]+?)(?:seen|oon|aan"
        r"|ään|uun|iin|lle)\b"
    ),
    *allergic(
        r"(?:minä )?olen (?:(?!nicht|niet|inte|ikke|ikkje|pas)\w+ )?allerginen " + FOOD,
        r"minulla on (?P<thing>\w{3,20})allergia",
    ),
    Rule(
        r"(?:minä )?olen (?P<what>laktoosi-intolerantti|keliaakikko|diabeetikko|astmaatikko)",
        "health.{what}",
        "{what}",
        0.9,
    ),
    diet(r"(?:minä )?olen (?P<diet>kasvissyöjä|vegaani|vegetaristi)"),
    *liked(r"(?:minä )?(?:rakastan|pidän) (?!sinu)" + FOOD),
    *disliked("ei", r"(?:minä )?en (?:pidä|siedä) " + FOOD, r"(?:minä )?(?:inhoan|vihaan) " + FOOD),
    *works(
        rf"(?:minä )?(?:olen ammatiltani|ammattini on) {TRADE}",
        r"(?:minä )?(?:työskentelen|olen töissä) (?P<job>[a-zåäö-]{3,30}?)(?:na|nä)\b",
    ),
    occupation(rf"(?:minä )?olen {TRADE}(?= \w+(?:ssa|ssä|lla|llä)\b| ja |[,.!]|$)"),
    *avoided("ei", r"(?:minä )?en (?:syö|juo|voi syödä) " + FOOD),
    childless(r"minulla ei ole lapsia|meillä ei ole lapsia"),
    Rule(
        r"(?:minä )?juon (?P<drink>kahvini|teeni) (?P<how>(?:mustana|ilman|maidolla)[\w ]{0,30})",
        "preference.{drink}",
        "{drink} {how}",
        0.95,
        kinds={"kahvini": "coffee", "teeni": "tea"},
    ),
    Rule(r"(?:minä )?en (?:tupakoi|polta)", "health.smoking", "non-smoker"),
)

RULES: tuple[Rule, ...] = (*FINNISH,)
