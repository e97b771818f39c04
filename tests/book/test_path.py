"""The list of chapters: times are computed from the pages, and path.yml contains no unchecked number."""

import json
import re
import sys
from itertools import pairwise

import pytest
import yaml
from bs4 import BeautifulSoup

from pencil.paths import ROOT, chapter_number
from pencil.publish.lessons import MINUTES_OF_A_QUESTION, RULE, WORDS_A_MINUTE, WORDS_OF_A_LINE, Lesson, lessons, minutes, sections

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.path import hours, path, span

STOPS = yaml.safe_load((ROOT / "book/path.yml").read_text(encoding="utf-8"))
TURN = ":::{your-turn} key\nHow?\n:::\n\n"
LEARN, FOLDED = (f"```{{code-cell}}\n{tags}x = 1\n\ny = 2\n```\n\n" for tags in (":tags: [learn]\n\n", ""))


@pytest.fixture
def chapter(tmp_path):
    """A function that writes a chapter and the sums its notebook shows -> its sections."""

    def write(text, lines=0, lab=False):
        html = '<div class="pencil-worked">' + "<p>1 + 1 = 2</p>" * lines + "</div>" + "pencil-lab" * lab
        cells = [
            {"cell_type": "markdown", "source": text},
            {"cell_type": "code", "outputs": [{"data": {"text/html": [html]}}, {"output_type": "stream"}]},
        ]
        (tmp_path / "01_x.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
        (tmp_path / "01_x.md").write_text(text, encoding="utf-8")
        return sections(tmp_path / "01_x.md")

    return write


def test_words_lines_and_questions_are_counted_by_the_rule(chapter):
    words = "word " * WORDS_A_MINUTE
    assert minutes(chapter(words * 10)) == (10, 0)
    assert minutes(chapter(words * 10 + "word")) == (15, 0)
    assert minutes(chapter(words * 10, lines=1)) == (15, 0)
    assert minutes(chapter(words * 10, lines=1, lab=True)) == (10, 0)
    lines = WORDS_A_MINUTE * 5 // WORDS_OF_A_LINE
    assert minutes(chapter(LEARN * (lines // 2))) == (5, 0)
    assert minutes(chapter(LEARN * (lines // 2 + 1))) == (10, 0)
    assert minutes(chapter("word " + FOLDED * lines)) == (5, 0)
    assert minutes(chapter(TURN * 5)) == (5, MINUTES_OF_A_QUESTION * 5)
    assert minutes(chapter("[" + words * 5 + "](" + "target/" * 99 + ") ")) == (5, 0)
    assert minutes(chapter("{v}`2 <" + "name." * 900 + "x>`")) == (5, 0)


def test_the_rule_that_readers_see_is_the_rule():
    assert [int(number) for number in re.findall(r"\d+", RULE)] == [150, 10, 3, 25, 5]


def test_the_chapters_stand_in_their_order_with_their_titles():
    stops = path(ROOT)
    assert list(stops) == sorted(stops)
    for name, stop in stops.items():
        assert f"\n# {stop.title}\n" in (ROOT / f"notebooks/{name}.md").read_text(encoding="utf-8")


def test_hours_are_those_of_the_chapters_together():
    stops = path(ROOT)
    look, block = stops["06_look_across"], stops["10_block"]
    both = [span(getattr(look, kind) + getattr(block, kind)) for kind in ("reading", "pencil")]
    assert hours(stops, "look_across block") == "{} to read, {} with the pencil".format(*both)
    assert hours(stops, "all").startswith(span(sum(stop.reading for stop in stops.values())))
    said = {5: "5 minutes", 60: "1 hour", 89: "89 minutes", 120: "2 hours", 149: "2 hours", 150: "3 hours", 1225: "20 hours"}
    assert {minutes: span(minutes) for minutes in said} == said
    with pytest.raises(ValueError, match="no chapter is named 'nowhere'"):
        hours(stops, "look_across nowhere")


def test_the_readme_says_how_long_the_book_takes():
    stops = path(ROOT).values()
    said = re.search(r"more than (\d+) hours of reading, and more than (\d+) with the pencil", (ROOT / "README.md").read_text(encoding="utf-8"))
    for hours_said, kind in zip(said.groups(), ("reading", "pencil"), strict=True):
        taken = sum(getattr(stop, kind) for stop in stops) / 60
        assert int(hours_said) == taken // 5 * 5, f"README.md says {hours_said} hours of {kind}, and the chapters take {taken:.1f}"


def test_lessons_are_cut_where_sections_end_as_near_to_one_length_as_may_be(chapter):
    part = "word " * (WORDS_A_MINUTE * 10) + "\n\n"
    assert lessons(chapter(part)) == (Lesson(1, 10),), "a chapter without sections is one lesson"
    assert [(one.section, one.minutes) for one in lessons(chapter(part + f"## Why?\n\n{part}" * 5))] == [(1, 35), (3, 35)]
    alone = "# Title\n\n" + f"## How?\n\n{part}" + "## Why?\n\n" + part * 5 + "```python\n## no section\n```\n"
    assert [(one.section, one.minutes) for one in lessons(chapter(alone))] == [(1, 15), (2, 55)]
    assert [one.minutes for one in lessons(chapter(alone, lines=WORDS_A_MINUTE * 5 // WORDS_OF_A_LINE))] == [15, 60], "a sum counts where it stands"


@pytest.mark.parametrize("name", STOPS)
def test_the_lessons_add_up_to_the_chapter(name):
    stop = path(ROOT)[name]
    assert stop.reading + stop.pencil == sum(lesson.minutes for lesson in stop.lessons)


def test_every_chapter_stands_in_a_part_in_one_piece():
    parts = [stop.part for stop in path(ROOT).values()]
    assert all(parts) and len(set(parts)) == 1 + sum(one != other for one, other in pairwise(parts)) == 6


def test_the_number_of_a_chapter_is_that_of_its_file_on_its_page_and_wherever_it_is_named(built):
    home = (built / "book/home.html").read_text(encoding="utf-8")
    for name, stop in path(ROOT).items():
        said = f"{chapter_number(name).lstrip('0')} · {stop.title}"
        page = BeautifulSoup((built / f"notebooks/{name}.html").read_text(encoding="utf-8"), "html.parser")
        assert page.select_one("article h1").text.rstrip("#") == said and page.title.text.startswith(said)
        assert page.select_one("nav.bd-links li.current.active").text.strip() == said
        begins = [link["href"] for link in page.select(".pencil-lessons a")]
        assert len(begins) == len(stop.lessons) == 1 + len(page.select(".pencil-lesson"))
        for mark, href in zip(page.select(".pencil-lesson"), begins[1:], strict=True):
            assert f"#{mark.find_next('section')['id']}" == href
        assert said in home


def test_the_first_year_course_has_the_chapters_once_in_order_and_leaves_none_out_on_its_way():
    course = re.search(r"## A first-year course.*?(?=\n## )", (ROOT / "book/teaching.md").read_text(encoding="utf-8"), re.S)[0]
    listed = re.findall(r"notebooks/(\w+)\.ipynb", course)
    assert len(listed) >= 16 and listed == list(STOPS)[: len(listed)]  # a chapter behind its last one may wait for another course
    assert "fourteen weeks" in course and course.count("\n1. ") == 14
