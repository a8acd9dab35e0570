"""The clauses of an operator's turn that may teach: serious statements in their own words.

`meant_sentences(text)` removes the words of others, code, quotations, pasted mail, retracted sentences, the material of
a task ("translate: ..."), role-play, fiction, thought experiments, orders to the memory, and secrets. `clauses_in`
splits the rest into simple clauses, each with its stance. Every step is linear in the length of the text.
"""

import re
from collections.abc import Iterator

from memory.llm.offline.rules.english import attribution, clause_patterns, retraction, sentence_patterns
from memory.llm.offline.rules.grammar import Clause, Stance
from memory.llm.offline.rules.languages import LANGUAGES

_MAX_SENTENCE_CHARS = 400
_MAX_SENTENCES_HEAD = 200
_MAX_SENTENCES_TAIL = 50


def meant_sentences(text: str) -> list[str]:
    """The sentences of one turn that may teach, in order."""
    text = _without_quotations(_straight(_without_blocks(attribution.own_lines(_straight(text)))))
    sentences = _sentences(text)
    if len(sentence_patterns.LABELLED_LINE.findall(text)) > 1 or any(map(_spoils_the_turn, sentences)):
        return []
    return _own_sentences(retraction.without_retracted(sentences))


def clauses_in(sentence: str, before: str) -> list[Clause]:
    """The clauses of an English sentence, in order; `before` is the clause before it."""
    return list(_clauses(sentence, before))


def starts_role_play(text: str) -> bool:
    """Whether a turn starts a role-play. From then on "I" may be anybody for the rest of the chat."""
    play = (sentence_patterns.PLAY, sentence_patterns.PLAY_ELSEWHERE)
    return any(found.search(sentence) for sentence in _sentences(_straight(text)) for found in play)


def _spoils_the_turn(sentence: str) -> bool:
    """Whether a sentence makes the whole turn a letter, a text to work on, a riddle, or an attempt on the rules."""
    spoilers = (
        sentence_patterns.PASTED_MAIL,
        sentence_patterns.TAKEOVER,
        sentence_patterns.TASK_ELSEWHERE,
        sentence_patterns.RIDDLE,
        sentence_patterns.TO_BE_ANSWERED,
    )
    return any(found.search(sentence) for found in spoilers)


# Quotations and pasted blocks

_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")
_PASTED_LINE = re.compile(r"\s{0,8}[>|{<\[]")


def _without_blocks(text: str) -> str:
    """`text` without fenced code, quoted mail lines, table rows, markup."""
    kept: list[str] = []
    is_fenced = False
    for line in filter(str.strip, text.splitlines()):
        if _FENCE.match(line):
            is_fenced = not is_fenced
        elif not is_fenced and not _PASTED_LINE.match(line):
            kept.append(line)
    return "\n".join(kept)


def _straight(text: str) -> str:
    """`text` with plain apostrophes and single spaces; line breaks stay."""
    text = re.sub(r"(?<=\w)[’ʼ`´‘](?=\w)", "'", text)
    return re.sub(r"[^\S\n]+", " ", text)


_NAME_IN_QUOTES = re.compile(
    r"(?:\b|(?<=[一-鿿]))(called|named|name is|name's|goes by|call me|heißt|s'appelle|llama|heter|heet|hedder|chiama"
    r"|chama|wabi się|зовут|adı|叫|名叫|名前は) ?[\"“'‘„«「『]([\w-]{1,30})[\"”'’“»」』]",
    re.IGNORECASE,
)
_DOUBLE_QUOTE = re.compile(r"(?<!\d)\"|[“”„«»「」『』《》]")
_CLOSERS = dict(zip('"“„«»”「『《」』》', ('"', "”", '“”"', "»", "«»", "”", *"」』》」』》"), strict=True))
_SINGLE_QUOTE = re.compile(
    r"(?<!\w)['‘](?=\w)(?!(?:cause|em|til|tis|twas|n|s|t|k|m|bout|\d\ds?)\b)|(?<=[\w.!?,…])['’](?!\w)", re.IGNORECASE
)
_MAX_SINGLE_QUOTED_CHARS = 2000


def _without_quotations(text: str) -> str:
    """`text` with an ellipsis for each quotation. A double quote that is never closed quotes to the end."""
    text = _NAME_IN_QUOTES.sub(r"\1 \2", text)
    text = _cut(text, _double_quoted(text))
    return _cut(text, _single_quoted(text))


def _double_quoted(text: str) -> Iterator[tuple[int, int]]:
    start, depth, opener = 0, 0, ""
    for mark in _DOUBLE_QUOTE.finditer(text):
        if not depth:
            start, depth, opener = mark.start(), 1, mark[0]
        elif mark[0] in _CLOSERS[opener]:
            depth -= 1
            if not depth:
                yield start, mark.end()
        elif mark[0] == opener:
            depth += 1
    if depth:
        yield start, len(text)


def _single_quoted(text: str) -> Iterator[tuple[int, int]]:
    start = -1
    for mark in _SINGLE_QUOTE.finditer(text):
        opens = text[mark.end() : mark.end() + 1].isalnum()
        if opens and (start < 0 or mark.start() - start > _MAX_SINGLE_QUOTED_CHARS):
            start = mark.start()
        elif not opens and start >= 0:
            yield start, mark.end()
            start = -1


def _cut(text: str, spans: Iterator[tuple[int, int]]) -> str:
    kept, position = [], 0
    for start, end in spans:
        kept += [text[position:start], "…"]
        position = end
    return "".join([*kept, text[position:]])


# Sentences that are the operator's own

_SENTENCE_END = re.compile(
    r"\n|(?<=[.!?…])(?<!\bSt\.)(?<!\b[DMSJ]r\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!z\.B\.)"
    r"(?<!\d\.\d\.)(?<!\d\.\d\d\.) "
    r"(?!(?<=\d\. )(?:jan|feb|m[aä]r|apr|ma[ij]|jun|jul|aug|sep|okt|oct|nov|de[zc]|tammi|helmi|maalis|huhti|touko|kesä"
    r"|heinä|elo|syys|loka|marras|joulu))"
    r"|(?<=[。！？])(?=.)|(?<=[ぁ-ヿ一-鿿][…～])(?=.)",
    re.IGNORECASE,
)
_PICTURE = r"(?![😂🤣])[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]"
_SMILEY = re.compile(rf"{_PICTURE}+|(?<=\s)(?:[:;]-?[)(DP]+|xD+|\^\^)(?=\s|$)")
_LONE_BRACKETS = re.compile(r"(?<=\w)\)+(?=\s|$)")
"""A smile as it is written in Russian, where no bracket was opened: "I am Rinat) ..."."""
_GREETING = re.compile(
    r"^((?:hi|hello|hey|hiya|good (?:morning|evening|afternoon)|hallo|bonjour|salut|hola|hej|ciao|olá|moi|hei"
    r"|terve)(?: there)?)[!.] ",
    re.IGNORECASE | re.MULTILINE,
)
_BULLET = re.compile(r"[-*•·] |\d{1,2}[.)] ")


def _sentences(text: str) -> list[str]:
    """The sentences of `text` short enough for a plain statement; of very many, the first and the last."""
    text = _SMILEY.sub("\n", _without_mockery(_GREETING.sub(r"\1, ", text)))
    text = text if "(" in text else _LONE_BRACKETS.sub("\n", text)
    parts = (part.strip() for part in _SENTENCE_END.split(text) if 1 < len(part) <= _MAX_SENTENCE_CHARS)
    found = [part[bullet.end() :] if (bullet := _BULLET.match(part)) else part for part in parts]
    if len(found) > _MAX_SENTENCES_HEAD + _MAX_SENTENCES_TAIL:
        return found[:_MAX_SENTENCES_HEAD] + found[-_MAX_SENTENCES_TAIL:]
    return found


def _without_mockery(text: str) -> str:
    """`text` without each sentence that rolled eyes follow, which is not meant seriously."""
    *mocked, rest = text.split("🙄")
    ends = [max(part.rstrip(" .!?…").rfind(end) for end in ".!?…\n") + 1 for part in mocked]
    return "\n".join([*(part[:end] for part, end in zip(mocked, ends, strict=True)), rest])


_ENDS_THE_STATEMENTS = (
    sentence_patterns.PLAY,
    sentence_patterns.FICTION,
    sentence_patterns.FICTION_ELSEWHERE,
    sentence_patterns.THOUGHT_EXPERIMENT,
    sentence_patterns.STORING,
    sentence_patterns.TEXT_ORDER,
    sentence_patterns.WORDING_GIVEN,
    re.compile("|".join(language.pretend for language in LANGUAGES), re.IGNORECASE),
)
_EXCLUDES_ITS_SENTENCE = (sentence_patterns.SECRET, sentence_patterns.MOURNED)


def _own_sentences(sentences: list[str]) -> list[str]:
    """The sentences that are not play, fiction, secrets or somebody else's text.

    Fiction, a thought experiment or a task rules out all sentences after it. A task that follows its text
    ("... Translate this.") rules out all sentences before it, too.
    """
    kept: list[str] = []
    for position, sentence in enumerate(sentences):
        is_last = position == len(sentences) - 1
        if is_last and _is_about_a_text(sentence_patterns.TEXT_TASK, sentence) and not re.search("[:…]", sentence):
            return []
        if _is_about_a_text(sentence_patterns.TEXT_TASK, sentence) or _is_about_a_text(
            sentence_patterns.TEXT_SHOWN, sentence
        ):
            break
        if any(pattern.search(sentence) for pattern in _ENDS_THE_STATEMENTS):
            break
        if not any(pattern.search(sentence) for pattern in _EXCLUDES_ITS_SENTENCE):
            kept.append(sentence)
    return kept


def _is_about_a_text(task_pattern: re.Pattern[str], sentence: str) -> bool:
    """Whether a sentence is about some given text: "translate this letter", "proofread: ...", "here's a mail"."""
    task = task_pattern.search(sentence)
    if not task:
        return False
    return bool(
        sentence_patterns.EASY_COLON.search(sentence, task.end())
        or sentence_patterns.MATERIAL.search(sentence, task.end())
    )


# Clauses


def _clauses(sentence: str, before: str) -> Iterator[Clause]:
    """The clauses of one sentence, each with its stance. A doubt or a condition applies to all clauses after it."""
    pieces = [
        piece
        for piece in clause_patterns.BOUNDARY.split(_with_subjects(_before_colon(_written_out(sentence))))
        if piece.strip(" ,.!?")
    ]
    stances = _stances(pieces, is_question=sentence.endswith("?") and bool(pieces))
    is_passing = was_greeting = False
    for piece, stance in zip(pieces, stances, strict=True):
        text, greeting = _without_lead_in(piece.strip(" ,"))
        is_passing = is_passing or bool(sentence_patterns.CONDITION.match(text))
        passing = is_passing or bool(sentence_patterns.PASSING.search(text))
        text, stance = _request(text, stance)
        if text:
            yield Clause(text, before, stance, passing, greeting or was_greeting, sentence.islower())
            before = text
        was_greeting = greeting and not text


def _written_out(sentence: str) -> str:
    """`sentence` with contractions written out and filler words dropped: "I'm also" -> "I am"."""
    for pattern, written in clause_patterns.WRITTEN_OUT:
        sentence = pattern.sub(written, sentence)
    return sentence


def _before_colon(sentence: str) -> str:
    """`sentence` without what a colon introduces, unless the part before it only announces a statement."""
    head, colon, tail = sentence.partition(": ")
    if not colon:
        return sentence
    announcing, _ = _without_lead_in(head.strip())
    if not announcing or clause_patterns.ANNOUNCING.match(announcing):
        return tail
    return f"{head}, {tail}" if clause_patterns.LISTING.match(head) else head


def _with_subjects(sentence: str) -> str:
    """`sentence` with dropped subjects put in: "I live in X and work as Y" -> "... and I work as Y"."""
    text, _ = _without_lead_in(sentence)
    for subject, dropped, spoken in clause_patterns.ELISIONS:
        if subject.match(text):
            return dropped.sub(spoken, sentence)
    return sentence


def _without_lead_in(text: str) -> tuple[str, bool]:
    """`text` from its subject on, and whether it followed a greeting: "Hi, by the way I ..." -> "I ..."."""
    is_greeted = False
    for _ in range(5):
        greeting = clause_patterns.GREETING.match(text)
        lead = greeting or clause_patterns.LEAD_IN.match(text) or clause_patterns.THAT_OWN.match(text)
        if not lead:
            break
        is_greeted = is_greeted or bool(greeting)
        text = text[lead.end() :].strip(" ,")
    return text, is_greeted


def _request(text: str, stance: Stance) -> tuple[str, Stance]:
    """A clause that asks for something, without its "could you please", and its stance."""
    polite = clause_patterns.REQUEST.match(text)
    if not polite:
        return text, stance
    asked = text[polite.end() :]
    told, _ = _without_lead_in(asked)
    return (asked, "requested") if told == asked else (told.rstrip(" ?"), "stated")


def _stances(pieces: list[str], *, is_question: bool) -> list[Stance]:
    """How each piece of a sentence is meant: what follows a question word is asked, what follows a doubt unsure."""
    texts = [_without_lead_in(piece.strip(" ,"))[0] for piece in pieces]
    opening = _question_opening(pieces, texts) if is_question else len(pieces)
    stances: list[Stance] = []
    is_unsure = False
    for position, (piece, text) in enumerate(zip(pieces, texts, strict=True)):
        is_asked = position >= opening and not (position and clause_patterns.GRANTED.match(piece.strip(" ,")))
        is_unsure = not is_asked and (
            is_unsure or bool(sentence_patterns.DOUBT.search(text) or sentence_patterns.REPORTED.search(text))
        )
        stances.append("asked" if is_asked else "unsure" if is_unsure else "stated")
    return stances


def _question_opening(pieces: list[str], texts: list[str]) -> int:
    """The position of the piece where a question begins; 0 if the whole is one ("I live in X, right?")."""
    if clause_patterns.QUESTION_TAG.match(pieces[-1].strip(" ,")):
        return 0
    openings = (position for position, text in enumerate(texts) if clause_patterns.QUESTION_OPENING.match(text))
    return next(openings, 0)
