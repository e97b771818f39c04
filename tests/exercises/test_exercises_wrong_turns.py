"""The numbers in a chapter's "wrong turn" boxes are diagnosed as mistakes of the question nearby."""

import pytest
from verdicts import NOTEBOOKS, hold_the_verdict
from wrong_turns import RIVALS

from pencil.paths import chapter_number, chapter_sources
from pencil.rules.chapter import Chapter


def test_each_wrong_turn_that_a_question_knows_is_in_its_chapter():
    boxes = {f"{chapter_number(page)}: {box.argument}" for page in chapter_sources(NOTEBOOKS) for box in Chapter(page).boxes("wrong-turn")}
    assert {*RIVALS} <= boxes


@pytest.mark.parametrize("question, answer, says", RIVALS.values(), ids=list(RIVALS))
def test_who_takes_it_is_told_so(question, answer, says):
    hold_the_verdict(question, answer, "wrong", says)
