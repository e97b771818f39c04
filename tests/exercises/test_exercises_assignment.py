"""The questions of a chapter as an nbgrader assignment; nbgrader itself is tested in tests/peers."""

from pencil.exercises.alone import questions

BOX = """:::{your-turn} mix
:answer: nolan.context
*Nolan* listens {when}`mostly to *ended* <nolan.weights[ended] > 0.9>`, {v}`0.953 <nolan.weights[ended]>`. What is its mix?
::::{worked-answer}
{v}`0.094 <nolan.context[0]>`
::::
:::
"""


def test_a_question_is_asked_in_words_and_digits_alone():
    assert questions(BOX) == {"mix": ("*Nolan* listens mostly to *ended*, 0.953. What is its mix?", "0.094")}
