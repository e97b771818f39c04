"""Whose number it is: a sentence names the words of its numbers, in their order, and so does the row of a table."""

import pytest
from judging import failures, reasons

OF_NOLAN = "{v}`0.047 <nolan.weights[nolan]>`"
OF_ENDED = "{v}`0.953 <nolan.weights[ended]>`"
NONE = "<!--no claim-->"
GOOD = [
    f"*Nolan*'s own share is {OF_NOLAN}.",
    f"*Ended* gets {OF_ENDED}.",
    f"The share is {OF_ENDED}.",
    f"*Nolan* gives {OF_NOLAN} to *nolan* and {OF_ENDED} to *ended*.{NONE}",
    f"The shares of *nolan* and *ended* are {OF_NOLAN} and {OF_ENDED}.{NONE}",
    "Its *dials* are {v}`40,008 <dials>`.",
    f"| word | share |\n|---|---|\n| *ended* | {OF_ENDED} |",
    f"| word | share |\n|---|---|\n| nolan's own | {OF_NOLAN} |",
    f"| black | 8 / 2 = 4 | ended | {OF_ENDED} |\n|---|---|---|---|\n| a | b | c | d |",
    "WANT is {v}`[2, 0, 1, 0] <nolan.query>` and HAVE {v}`[1, 0, 0, 0] <nolan.key>`." + NONE,
    "First {v}`0.707 <mix.mixing[0]>`, then {v}`−1.273 <mix.mixing[1]>`." + NONE,
    "{v}`−1.273 <mix.mixing[1]>` is {when}`less <mix.mixing[1] < mix.mixing[0]>` than {v}`0.707 <mix.mixing[0]>`.",
]


@pytest.mark.parametrize("text", GOOD)
def test_numbers_with_their_own_words_pass(review, text):
    assert failures(text, review) == []


BAD = [
    (f"*Nolan*'s own share is {OF_ENDED}.", "is of 'ended', which its sentence does not name"),
    ("*Ended* wants {v}`[2, 0, 1, 0] <nolan.query>`.", "is of 'nolan', which its sentence does not name"),
    (f"The shares of *nolan* and *ended* are {OF_ENDED} and {OF_NOLAN}.{NONE}", "is named before nolan.weights[ended]"),
    (
        "| word | share |\n|---|---|\n| *nolan* | {v}`8 <ended.nothing>` |\n| *ended* | {v}`2 <nolan.scores[nolan]>` |",
        "stands right of '*ended*'",
    ),
    ("HAVE is {v}`[2, 0, 1, 0] <nolan.query>` and WANT {v}`[1, 0, 0, 0] <nolan.key>`." + NONE, "is named before nolan.query"),
    ("First {v}`−1.273 <mix.mixing[1]>`, then {v}`0.707 <mix.mixing[0]>`." + NONE, "comes before mix.mixing[1] in its row"),
]


@pytest.mark.parametrize("text, reason", BAD)
def test_a_number_of_another_word_is_refused(review, text, reason):
    assert reason in reasons(text, review)
