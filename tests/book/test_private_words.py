"""The private words of the sources and of the house, as the rule of the chapters sees them."""

import pytest

from pencil.rules.chapter import Chapter
from pencil.rules.words import private, prose


@pytest.mark.parametrize("said", ["WANTs", "Sticks", "the nudge", "is tamed", "drawn by lot", "two misses", "position-stamp", "the tick"])
def test_private_words_are_seen(said):
    assert private(f"It says {said} here.")


def test_the_values_that_a_question_starts_from_are_no_prose(tmp_path):
    source = tmp_path / "05_x.md"
    source.write_text("# X\n\n::::{your-turn} one\n:answer: nudge.out\n:from: stick.x | dial.y\n\nWhat?\n::::\n", encoding="utf-8")
    assert not private(prose(Chapter(source, tmp_path)))


@pytest.mark.parametrize("said", ["it wants this", "to give", "sticky", "mismatch", "new", "bendable", "ask", "we have"])
def test_plain_words_are_not(said):
    assert not private(f"It says {said} here.")
