"""The marks by which chat templates tell a model who speaks. In a remembered text they could open a turn of their own.

Every family of models has its own: `<|im_start|>`, `[INST]`, `<<SYS>>`, `<start_of_turn>`, `<s>`, DeepSeek's full-width
bars. Standard library and `lines` only.
"""

import re

from memory.text.lines import one_line

_BAR = "[|\uff5c]"
_NAME = r"[^\s<>|\uff5c]{1,64}"
TOKEN = re.compile(
    rf"<{_BAR}{_NAME}{_BAR}?>|<{_NAME}{_BAR}>"
    r"|<</?sys>>"
    r"|(?-i:\[/?(?:INST|SYSTEM_PROMPT|SYSTEM|SYS|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK|s?gMASK|BOS|EOS"
    r"|PAD|UNK|CLS|SEP|MASK|PREFIX|MIDDLE|SUFFIX|control_\d{1,4})\])"
    r"|</?(?:start|end)_of_(?:turn|text|image|message|role|utterance|sentence|document)>"
    r"|</?(?:s|bos|eos|pad|unk|mask|sop|eop|sep|cls|bos_token|eos_token|eod|eot|eom|unused\d{1,4}|extra_id_\d{1,4}"
    r"|reserved_\d{1,6}|tool_call|tool_response)>",
    re.IGNORECASE,
)
"""One mark. No match is longer than 70 characters, so a search takes linear time."""


def prompt_line(text: str) -> str:
    """The text as `one_line` makes it, and without the marks of chat templates: a space stands where one was.

    The space keeps what stood around a mark from joining to a new one. Applying it twice changes nothing.
    """
    line = one_line(text)
    if "<" not in line and "[" not in line:
        return line
    return " ".join(TOKEN.sub(" ", line).split())
