"""Whose number it is: a sentence names the words of its numbers, in their order, and so does the row of a table."""

import pytest
from judging import failures, reasons

from pencil.checker.values import publish

OF_NOLAN = "{v}`0.047 <nolan.weights[nolan]>`"
OF_ENDED = "{v}`0.953 <nolan.weights[ended]>`"
NONE = "<!--no claim-->"
GOOD = [
    f"*Nolan*'s own share is {OF_NOLAN}.",
    f"*Ended* gets {OF_ENDED}.",
    f"The share is {OF_ENDED}.",
    f"*Nolan* gives {OF_NOLAN} to *nolan* and {OF_ENDED} to *ended*.",
    f"The shares of *nolan* and *ended* are {OF_NOLAN} and {OF_ENDED}.",
    "Its *dials* are {v}`40,008 <dials>`.",
    f"| word | share |\n|---|---|\n| *ended* | {OF_ENDED} |",
    f"| word | share |\n|---|---|\n| nolan's own | {OF_NOLAN} |",
    f"| black | 8 / 2 = 4 | ended | {OF_ENDED} |\n|---|---|---|---|\n| a | b | c | d |",
    "WANT is {v}`[2, 0, 1, 0] <nolan.query>` and HAVE {v}`[1, 0, 0, 0] <nolan.key>`.",
    "First {v}`0.707 <mix.mixing[0]>`, then {v}`−1.273 <mix.mixing[1]>`.",
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


FIGURES = publish(figures={"kept_lstm": 0.9, "kept_rnn": 0.3, "steps": 12, "lstm_steps": 7})
TABLE = "| machine | kept | steps |\n|---|---|---|\n| LSTM | {} | {{v}}`12 <steps>` |\n| RNN | {} | {{v}}`7 <lstm_steps>` |"
LSTM, RNN = "{v}`0.9 <kept_lstm>`", "{v}`0.3 <kept_rnn>`"


def test_a_figure_is_in_the_row_whose_word_its_name_has():
    good = TABLE.format(LSTM, RNN).replace("lstm_steps", "steps").replace("`7 ", "`12 ")
    assert failures(good, FIGURES) == []
    assert failures(TABLE.format(RNN, RNN).replace("lstm_steps", "steps").replace("`7 ", "`12 "), FIGURES) == [(3, "0.3")]
    said = reasons(TABLE.format(RNN, LSTM), FIGURES)
    assert "is kept_rnn, and the row of 'rnn' is another: bind what this row names" in said and "is lstm_steps" in said


def test_a_count_and_a_table_whose_rows_name_nothing_of_its_figures_pass():
    assert failures(f"| a | b |\n|---|---|\n| first | {RNN} |\n| second | {LSTM} |", FIGURES) == []
    assert failures(f"| RNN |\n|---|\n| {RNN} |\n\n| LSTM | {LSTM} |\n|---|---|\n| x | y |", FIGURES) == []
