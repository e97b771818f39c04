"""Every chapter keeps the rules of `pencil.rules`, and a new one is told what is left to write."""

import pytest

from pencil.paths import chapter_number
from pencil.rules.chapter import Chapter, chapters
from pencil.rules.held import broken
from pencil.rules.words import EXPLAINING

SOURCES = chapters()


def test_there_are_chapters():
    assert {chapter_number(path) for path in SOURCES} >= {"05", "06", "13b"}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_chapter_keeps_every_rule(source):
    found = broken(Chapter(source))
    assert not found, "\n".join(map(str, found))


def test_the_sentences_that_may_say_a_private_word_stand_there_once():
    texts = {path.stem: path.read_text(encoding="utf-8") for path in SOURCES}
    assert [said for name, sentences in EXPLAINING.items() for said in sentences if texts[name].count(said) != 1] == []


def test_the_chapters_that_mirror_a_source_are_known():
    assert {path.stem for path in SOURCES if "\n  source_words:" in path.read_text(encoding="utf-8")} >= {"06_look_across", "09_kata"}
