"""What the tests of the wording share: caps with room to spare, and texts made up to break out of a line."""

from hypothesis import strategies as st

ROOMY = {"max_facts": 30, "max_chars": 2048}

# Hypothesis alone seldom puts two of these side by side.
AWKWARD = "a :{}#-…. \r\n\x00\x0b\x1c\x85\u2028\u2029\u00a0\u200b\u200d\ufe0f\u202e\ufeff\ud83d\ude00\u0301😀"
any_text = st.one_of(st.text(), st.text(st.characters()), st.text(st.sampled_from(AWKWARD)))
