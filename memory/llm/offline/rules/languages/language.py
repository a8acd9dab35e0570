"""One language, ready to read the operator's sentences: what in them is stated in earnest, and by whom.

Prefers silence to a guess: a clause teaches only where it is the operator's own, no wish, no plan and no question.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from memory.llm.offline.rules.grammar import Clause, Rule
from memory.text.normalising import Claim

_MAX_STARTS = 8
_LAUGHS = re.compile(
    r"\W*(?:lol|lmao|ha(?:ha)+|haha\w*|jaja\w*|mdr|ptdr|kkk+|rsrs|хаха\w*|ахах\w*|哈哈+|呵呵)", re.IGNORECASE
)
_OR = r"or|o(?! gün)|oder|ou|of|czy|veya|или|vai|eller"
_SO = r"also|drum|dus|donc|du coup|así que|conque|quindi|então|por isso|więc|dlatego|поэтому|так что|alltså|så"
_TOLD_THEN_ASKED = re.compile(
    rf"(?P<told>[^?？¿]{{4,200}}?)(?:\s?(?:[,;]\s+(?P<opened>¿)?|[，；、])|\s+(?=(?:{_SO})\s))"
    rf"(?P<asked>(?!(?:{_OR}|als|wenn|dass|dat|że|что)\b|还是|それとも)[^,;，；、?？¿]{{5,}})(?:[?？]|(?<=か))\W*\Z",
    re.IGNORECASE,
)
"""A statement, and behind its last comma a question: "I live in Bonn, where is the next lake?"."""
_MIN_WORDS_ASKED = 4
"""A question of fewer words must open with a question word."""
_ASKS_FOR_ASSENT = re.compile(
    r"\b(?:weißt|wusstest|erinner\w*|wahr|stimmt(?:'s)?|recht|richtig|acuerdas|vale|verdad|cierto|correcto|sabías|crees|vero|ricord\w+|lembr\w+|verdade"
    r"|souviens|rappelles|vrai|n'est-ce|weet|waar(?!om|\w)(?=\W*$)|herinner\w*|pamiętasz|prawda|правда|помнишь"
    r"|hatırl\w+|değil)\b|覚えて|よね|记得|对吗",
    re.IGNORECASE,
)
"""A question about the statement itself: "I live in Bonn, do you remember?"."""
_TAKES_BACK = re.compile(
    rf"^\W*(?:(?:{_OR})\b|还是|それとも)|\b(?:sagen|gesagt|dire|decir|dizer|zeggen|säga|sige|si|powiedzieć|сказать|demek)\b",
    re.IGNORECASE,
)
"""What makes a statement before it uncertain: "..., or did I dream that?", "I am a doctor, I would like to say"."""
_MIN_CHARS_OF_A_CLAUSE = 25
_MIN_SIGNS_OF_A_CLAUSE = 6
"""A shorter remark about one day belongs to what stands before it: "I am a teacher, today at least"."""
_WIDE = str.maketrans(",:;!", "，：；！")
_GREETING = re.compile(
    r"(?:hola|buen[oa]s|ciao|salve|bonjour|salut|coucou|olá|oi|bom dia|hallo|hoi|hej|hei|moi|cześć|привет|merhaba"
    r"|selam|hi|hey|moin|servus|guten \w+|dzień dobry|здравствуй\w*|добрый \w+)\b",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\b(?:gestorben|verstorben\w*|eingeschläfert|tot|ex-\w+|ehemalige[rn]?|weggegeben|abgegeben|weggedaan"
    r"|eski (?:eş|koca|karı|sevgili)\w*|бывш\w+|był[ay] (?:mąż|żona)|morte?s?|décédée?|murió|falleció|muert[oa]"
    r"|mort[oa]"
    r"|morreu|faleceu|overleden|dood|döda?|dø[dr]e?|zmarł\w*|zdechł\w*|öldü|vefat|умер\w*|погиб\w*|kuol\w+)\b"
    r"|nie żyje|亡くな|死ん|死了|去世|过世",
    re.IGNORECASE,
)
_LONG_AGO = re.compile(
    r"\b(?:früher|damals|einst|autrefois|jadis|à l'époque|antes|antiguamente|de niñ[oa]|prima|una volta"
    r"|da bambin[oa]|antigamente"
    r"|quando era|em criança|vroeger|destijds|toen ik|kiedyś|dawniej|раньше|когда-то|в детстве|förr|som barn|dengang"
    r"|eskiden|çocukken|ennen|lapsena|als kind|(?:ver|ge)kauft|hergegeben|vend(?:ue?|[íi]|id[oa]|ut[oa]|emos)|verkocht"
    r"|sprzeda\w+|продал\w*|solgt|sålt|sattım|war|waren|hatte[n]?|était|avait|tenía|aveva|tinha"
    r"|(?:nenn|tauf)en|appeler|nommer|llamar(?:l[oea])?|chiamar(?:e|l[oa])|chamar|bati[sz]ar|noemen|nazwa[ćl]\w*|назвать|назов\w+)\b",
    re.IGNORECASE,
)
"""What is named beside one of these may be no longer there, or not yet: "we wanted to call our son Max"."""


_HOLDS_ANYHOW = ("{who}", "user.birthday")
"""The keys of what a doubt or a report in the same sentence does not touch."""


@dataclass(frozen=True)
class Reference:
    """How a pronoun refers to what was named before it, and the same with `_` for that (`thing` in `named`)."""

    pronoun: re.Pattern[str]
    spelled: str
    named: re.Pattern[str]


@dataclass(frozen=True)
class Language:
    """One language as its table says, ready to read sentences."""

    affirming: tuple[Rule, ...]
    denying: tuple[Rule, ...]
    in_passing: tuple[Rule, ...]
    hints: frozenset[str]
    starts: re.Pattern[str]
    lead: re.Pattern[str]
    filler: re.Pattern[str]
    denial: re.Pattern[str]
    never: re.Pattern[str]
    asking: re.Pattern[str]
    wants: re.Pattern[str]
    soon: re.Pattern[str]
    negation_ends: re.Pattern[str]
    contrast: re.Pattern[str]
    joined: re.Pattern[str]
    subject: str
    own: re.Pattern[str]
    opens: re.Pattern[str]
    others: re.Pattern[str]
    relative: re.Pattern[str]
    script: re.Pattern[str]
    pretend: str
    references: tuple[Reference, ...]
    is_verb_final: bool
    space: str
    inverts: re.Pattern[str] | None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules of the language."""
        return (*self.affirming, *self.denying, *self.in_passing)

    def claims(self, sentence: str, before: str = "") -> Iterator[Claim]:
        """The claims of one sentence of the operator: of what stands before a question, too.

        `before` is the sentence before it, for its pronouns: "without nuts, please. I am allergic".
        """
        sentence = self._without_heading(sentence if self.space else sentence.translate(_WIDE))
        yield from self._claims_of_named_before(sentence, before)
        yield from self._claims_in_passing(sentence)
        sentence = self._told(sentence)
        if not self._reads(sentence):
            return
        text = " ".join(self.filler.sub(self.space, sentence).split()).replace(" ,", ",")
        yield from self._stated(text, is_lower=sentence.islower())

    def _stated(self, text: str, *, is_lower: bool) -> Iterator[Claim]:
        """The claims of a text up to a wish or a remark about one day, and of what a "but" sets against that."""
        text, wished = self._parted(text, self.wants)
        if _TAKES_BACK.search(wished):
            return
        text, that_day = self._parted(text, self.soon)
        _, *instead = self.contrast.split(that_day or wished, maxsplit=1)
        if instead:
            yield from self._stated(instead[0], is_lower=is_lower)
        is_remark = len(that_day) < (_MIN_CHARS_OF_A_CLAUSE if self.space else _MIN_SIGNS_OF_A_CLAUSE)
        if that_day and (is_remark or _TAKES_BACK.search(that_day)):
            return
        is_greeting = bool(_GREETING.match(text))
        for clause in self._clauses(text):
            is_denied = bool(self.denial.search(self.negation_ends.split(clause, maxsplit=1)[0]))
            is_denied_at_once = bool(self.denial.search(self.joined.split(clause, maxsplit=1)[0]))
            affirming = (rule for rule in self.affirming if not (is_denied if rule.each else is_denied_at_once))
            for rule in (*affirming, *self.denying):
                yield from rule.claims(Clause(clause, after_greeting=is_greeting, is_lower=is_lower))

    def kinship(self, sentence: str) -> int:
        """How many words of a sentence are among the hints."""
        return len(self.hints.intersection(re.findall(r"\w+", sentence.lower())))

    def _claims_of_named_before(self, sentence: str, before: str) -> Iterator[Claim]:
        """The claims up to "allergic to it" or "live there", with what was named last in place of the pronoun."""
        for reference in self.references:
            found = reference.pronoun.search(sentence)
            head = sentence[: found.start()] if found else ""
            named = list(reference.named.finditer(f"{before} {head}")) if found else []
            tail = self.joined.split(sentence[found.end() :], maxsplit=1)[0] if found else ""
            if named and not self.denial.search(tail):
                yield from self.claims(f"{head}{reference.spelled.replace('_', named[-1]['thing'])}.")

    def _claims_in_passing(self, sentence: str) -> Iterator[Claim]:
        """What a sentence takes for granted, a question or a wish too: "what does my dog Rex want?"."""
        if not self._is_addressed(sentence) or _GONE.search(sentence) or _LONG_AGO.search(sentence):
            return
        text = " ".join(self.filler.sub(self.space, sentence).split()).replace(" ,", ",")
        meant, asked_for = self._earnest(text), self._earnest(" ".join(sentence.split()))
        for rule in self.in_passing if not _LAUGHS.match(sentence) else ():
            is_asked_for = rule.key.startswith("preference.")
            is_certain = rule.key.startswith(_HOLDS_ANYHOW)
            yield from rule.claims(Clause(asked_for if is_asked_for else text if is_certain else meant))

    def _earnest(self, text: str) -> str:
        """The text up to a doubt or a report; up to the clause of it, where the verb of saying stands at its end."""
        reported = self.never.search(text)
        return text[: self._said_before(text, reported.start())] if reported else text

    def _said_before(self, text: str, reported: int) -> int:
        """Where the text ends that is not reported: before the clause, where the verb of saying stands behind it."""
        return (
            max(text.rfind(comma, 0, reported) for comma in (",", "、", "，")) + 1 if self.is_verb_final else reported
        )

    def _told(self, sentence: str) -> str:
        """The sentence without a question behind its last comma."""
        told = _TOLD_THEN_ASKED.match(sentence)
        if (
            not told
            or not self._only_asks(told["asked"], is_opened=bool(told["opened"]))
            or self.asking.match(self.lead.sub("", told["told"]))
        ):
            return sentence
        return f"{told['told']}{'.' if self.space else '。'}"

    def _without_heading(self, sentence: str) -> str:
        """The sentence without what an unknown heading introduces."""
        head, colon, said = sentence.replace(" : ", ": ", 1).partition(": " if self.space else "：")
        if not colon or self.kinship(head) or self.own.search(head):
            return sentence
        return head if self.lead.sub("", f"{head.strip()} ").strip() else said

    def _only_asks(self, asked: str, *, is_opened: bool) -> bool:
        """Whether the end of a sentence is a question of its own, and not one about what stands before it."""
        is_long = is_opened or len(asked.split()) >= _MIN_WORDS_ASKED or not self.space
        return (is_long or bool(self.asking.match(asked))) and not _ASKS_FOR_ASSENT.search(asked)

    def _reads(self, sentence: str) -> bool:
        """Whether a sentence is one of the language, meant seriously, and no question."""
        if not self._is_addressed(sentence):
            return False
        if self.inverts and self.inverts.match(sentence) and not self.lead.match(sentence):
            return False
        return not (self.never.search(sentence) or _LAUGHS.match(sentence) or _GONE.search(sentence))

    def _is_addressed(self, sentence: str) -> bool:
        """Whether a sentence is one of the language, by a word of its own or its script."""
        is_addressed = not self.hints or self.kinship(sentence) or self.opens.match(self.lead.sub("", sentence))
        return bool(is_addressed and self.script.search(sentence))

    def _parted(self, text: str, words: re.Pattern[str]) -> tuple[str, str]:
        """`text` up to the clause with one of `words`, and from there on."""
        found = words.search(text)
        if not found:
            return text, ""
        starts = self.starts.finditer(text, 0, found.start())
        place = max((start.start() for start in starts), default=0)
        return text[:place], text[place:]

    def _clauses(self, text: str) -> Iterator[str]:
        """`text` from each place on where a clause may begin, up to the part that asks."""
        ends_asking = text.rstrip().endswith(("?", "？"))
        begins = [0, *(found.end() for found in self.starts.finditer(text))][:_MAX_STARTS]
        if ends_asking:
            asked = next((place for place in begins if self.asking.match(self.lead.sub("", text[place:]))), 0)
            text, begins = text[:asked], [place for place in begins if place < asked]
        is_mine = not self.subject
        for place, end in pairwise([*begins, len(text)]):
            clause = self.lead.sub("", text[place:].strip())
            is_mine = self._is_mine(self.lead.sub("", text[place:end].strip()), is_mine, is_first=not place)
            if clause and (is_mine or self.subject or not place):
                yield clause
            if clause and is_mine and self.subject and not self.own.match(clause):
                yield f"{self.subject} {clause}"

    def _is_mine(self, part: str, was_mine: bool, *, is_first: bool) -> bool:
        """Whether the operator is the subject of a part of a sentence, or of the part before where it has none."""
        if self.own.search(part) or (is_first and self.opens.match(part)):
            return not self.relative.search(part)
        return was_mine and not self.others.match(part)
