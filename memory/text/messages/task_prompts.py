"""Whether a message is an errand of the client's own: a title, tags, next questions, search queries, a summary. Pure.

It is one where it *begins* by asking for such a thing about the conversation, and has a mark that people who chat do
not leave: a form of the answer, a transcript, a heading. An operator who asks for a title for an essay has neither.
"""

import re

from memory.text.messages import pasted

_READ_CHARS = 6_000
_FLAGS = re.IGNORECASE

# What may stand before the request itself: headings, who the model is to be, politeness. Possessive, hence linear.
_LEAD = (
    r"\s*+(?>[\s>#*_\[(:.,!-]++|<[a-z_ -]{1,30}>|task\b|instructions?\b|please\b|now\b|then\b|and\b|to\b"
    r"|your (?:urgent )?(?:task|job|role) is"
    r"|(?:ignore|disregard) (?:all )?(?:the )?previous instructions|pause your roleplay"
    r"|do not continue the conversation"
    r"|you(?:'re| are) (?!an autocompletion)(?:an?|the|now|tasked)\b[^.\n]{0,300}[.\n]|based (?:on|upon) [^,\n]{0,120},"
    r"|(?:given|for|from|using|considering|read|look at|here is|below is) (?:the|this|our|a) [^,.\n:]{0,160}[,.:\n]"
    r"|i (?:want|need|would like) you|you (?:must|will|should|need|have)|can you|could you"
    r"|the current conversation is [^.\n]{0,80}\.|detect [^,.\n]{0,80} and)*+"
)
_VERB = (
    r"(?:generate|create|write|provide|suggest|give|produce|extract|propose|come up with|determine|return"
    r"|output|craft|make"
    r"|reply with|respond with|name|label|compose|identify|predict|formulate|summari[sz]e|categori[sz]e|tag)"
)
_WORDS = r"(?:\W{1,4}[\w'*-]{1,30}){0,%d}?\W{1,4}"
_CONVERSATION = (
    r"(?:<(?:chat_?history|conversation|messages|transcript|history|thread|dialog(?:ue)?)>|(?:this|the|our|that"
    r"|following|above|given|current|entire|whole|user'?s|short|a|each)\W(?:(?!my\b)[\w'-]{1,20}\W){0,2}"
    r"(?:conversation|chat|dialog(?:ue)?|first message|story so far)s?\b(?! (?:between|with|i had|from|in my|of my)\b)"
    r"|(?:this|our|following|above|current|entire|user'?s)\W(?:coding\W)?(?:thread|discussion|exchange|session|messages)\b)"
)
_TITLE = r"(?:titles?|headlines?|tags?|topic labels?|emojis?|keywords?|subject line|category|categories)\b"
_NEXT = (
    r"(?:follow[- ]?ups?|next (?:questions|messages|prompts|replies)"
    r"|suggested (?:questions|replies|prompts)|suggestions"
    r"|(?:messages|questions|prompts|replies) (?:that )?(?:this|the) user (?:might|may|could|would|is likely))\b"
)
_QUERY = r"(?:search (?:quer(?:y|ies)|terms|keywords)|standalone (?:question|query)|(?:retrieval|web) quer(?:y|ies))"
_SUMMARY = r"(?:summary|recap|prompt for continuing)\b"

_ASKS = [
    re.compile(f"{_LEAD}(?:{request})", _FLAGS)
    for request in (
        _VERB + _WORDS % 9 + f"(?:{_TITLE}|{_NEXT}|{_QUERY})" + r"(?=[\s\S]{0,400}?" + _CONVERSATION + ")",
        r"(?:summari[sz]e|analy[sz]e|give|name|review|condense|label|tag)" + _WORDS % 6 + _CONVERSATION
        + r"[\s\S]{0,250}?(?:" + f"{_TITLE}|{_NEXT}|{_QUERY}" + r"|\bname\b)",
        r"(?:rephrase|rewrite|reformulate|determine|analy[sz]e|transform|turn)\b[\s\S]{0,250}?" + _QUERY,
        r"analy[sz]e if this message indicates a new conversation topic",
        r"(?:generate|create|write)" + _WORDS % 6 + r"prompt for an? image generation|(?:generate"
        r"|create) a detailed prompt for am image",
    )
]  # fmt: skip
_ASKS_FOR_SUMMARY = [
    re.compile(f"{_LEAD}(?:{request})", _FLAGS)
    for request in (
        r"(?:summari[sz]e|condense|compress|compact)\b"
        + _WORDS % 10
        + r"(?:"
        + _CONVERSATION
        + r"|the discussion|events in the story)",
        r"(?:generate|create|write|provide|produce|give)" + _WORDS % 8 + _SUMMARY + r"[\s\S]{0,120}?" + _CONVERSATION,
    )
]
_HEADED = re.compile(
    r"\s*#{1,4} ?task\b:?\s*"
    + _VERB
    + _WORDS % 9
    + f"(?:{_TITLE}|{_NEXT}|{_QUERY}"
    + r"|questions\b)(?![^.\n]*\bmy\b)",
    _FLAGS,
)
"""Below a client's heading nothing more is needed, unless it is for something of the operator's."""

_ALWAYS = re.compile(
    _LEAD + r"(?:you are an autocompletion system|reflect the speaker's likely facial expression"
    r"|(?:generate|create) an enhanced version of this prompt \(reply with only"
    r"|summari[sz]e this coding conversation in under \d{1,3} characters"
    r"|process bash commands that an ai coding agent wants to run|extract any file paths that this command"
    r"|\W*available tools:[\s\S]{0,5000}?choose and return the correct tool)"
    r"|\s*you are an autocompletion system|\s*you have been provided with a set of responses from various models"
    r"|\s*available tools:[\s\S]{0,5000}?choose and return the correct tool",
    _FLAGS,
)
_CHINESE = re.compile(r"\s*[^\n]{0,80}(?:(?:会话|对话|聊天)[^\n]{0,60}标题|标题[^\n]{0,60}(?:会话|对话|聊天))", _FLAGS)
_CHINESE_MARK = re.compile("字以内|个字|不要|无需|只需|只返回|只输出|仅|直接")

_STRUCTURE = re.compile(
    r"^#{1,4} ?(?:task|guidelines?|output|chat history|examples?|instructions?|rules)\b|<(?:chat_?history|conversation"
    r"|messages|transcript|history|thread)\b|^\W{0,3}(?:user|human"
    r"|question)\W{0,2}:[\s\S]{0,3000}?^\W{0,3}(?:assistant|ai|bot"
    r"|model|response)\W{0,2}:|\|\|>|\bjson\b|[\"'](?:title|tags|queries|follow_?ups|keywords)[\"']\s*:",
    re.IGNORECASE | re.MULTILINE,
)
_FORM = re.compile(
    r"\b(?:no|without|omit(?:ting)?|avoid|don'?t (?:use|include)|do not (?:use|include|add))\b[^.\n]{0,60}"
    r"(?:punctuation|preamble|quotation|quotes|quote marks|lead-in|explanations?|additional text|prefix"
    r"|commentary|markdown"
    r"|formatting)|\bnothing else\b|\b(?:output|return|respond|reply|answer)(?: with)? only\b|\bonly (?:output"
    r"|return|respond"
    r"|reply|answer)\b|\bjust (?:provide|return|output|reply)|\bstraight to the title|\btitle[- ]case\b"
    r"|\b(?:\d{1,3}|two|three|four|five|six|seven|eight|ten|few)(?:[- ]?(?:to|or|–)?[- ]?(?:\d{1,3}|three|four|five|six"
    r"|seven|eight|ten)?)[- ](?:words?|characters?)\b",
    _FLAGS,
)
_OF_A_SUMMARY = re.compile(
    r"prompt for future context|out of context|for continuing (?:our|the|this) |pause your roleplay"
    r"|previous instructions"
    r"|limit the summary|integrating|current summary|new lines|\bso that (?:another|the next|a new) (?:agent"
    r"|assistant|model"
    r"|instance)|without losing context|previous actions|\bnothing else\b|(?:output|return|respond with"
    r"|reply with) only",
    _FLAGS,
)
_SUMMARY_ROLE = re.compile(r"\s*you(?:'re| are) an? [^.\n]{0,80}tasked with summari[sz]ing conversations", _FLAGS)
_SUB_AGENT = re.compile(r"\s*you(?:'re| are) a sub-?agent\b[^.\n]{0,80}\b(?:lead|main|parent|another|task)\b", _FLAGS)
_IDENTITY = re.compile(
    r"\A(?:\s*(?:x-anthropic-billing-header:|You are Claude Code\b)[^\n]{0,300}(?:\n|\Z))+", re.IGNORECASE
)
"""What a coding agent says of itself above every system prompt of its own."""

_ABOUT_CHATS = re.compile(r"\b(?:conversations?|threads?|chats?|user requests)\b", _FLAGS)
_ROLE = re.compile(
    r"\s*you(?:'re| are) an? (?:[\w-]+ ){0,5}(?:title|titles|tag|headline|topic|query|question|conversation"
    r"|thread|chat)s? "
    r"(?:generator|summari[sz]er|rephraser|namer|titler|creator)|\s*you(?:'re| are) a summari[sz]ation ai",
    _FLAGS,
)


def is_task_prompt(text: str) -> bool:
    """Whether a message asks for something about the conversation that a client wants, not the operator."""
    asked = pasted.around_blocks(text)[:_READ_CHARS]
    text = text[:_READ_CHARS]
    if _ALWAYS.match(asked) or _HEADED.match(asked):
        return True
    if _CHINESE.match(asked) and _CHINESE_MARK.search(asked):
        return True
    has_structure = bool(_STRUCTURE.search(text))
    if any(ask.match(asked) for ask in _ASKS) and (has_structure or _FORM.search(asked)):
        return True
    wants_summary = any(ask.match(asked) for ask in _ASKS_FOR_SUMMARY)
    return wants_summary and (has_structure or bool(_OF_A_SUMMARY.search(asked)))


def is_task_role(system: str) -> bool:
    """Whether a system message makes the model a client's tool for titles and the like, instead of the operator's.

    So is an agent that another one sends: what it is asked was written by a model.
    """
    system = _IDENTITY.sub("", system[:_READ_CHARS])
    if is_task_prompt(system) or _SUMMARY_ROLE.match(system) or _SUB_AGENT.match(system):
        return True
    has_mark = _FORM.search(system) or _STRUCTURE.search(system)
    return bool(_ROLE.match(system) and _ABOUT_CHATS.search(system) and has_mark)
