"""The page for teachers: each item of a course is in the lesson that it names."""

import re
from functools import cache

import pytest
from myst_parser.mdit_to_docutils.base import default_slugify

from pencil.paths import ROOT, chapter_sources
from pencil.publish import lessons

COURSE = re.compile(r"^## (?P<title>.*: \w+ (?:weeks|evenings).*)\n(?P<text>(?:(?!## ).*\n)*)", re.M)
COURSES = list(COURSE.finditer((ROOT / "book/teaching.md").read_text(encoding="utf-8")))
LINK = re.compile(r"\(\.\./notebooks/(\w+)\.ipynb(?:#([\w-]+))?\)")
LESSON = re.compile(r"\b(?:first|second|third|fourth)\b(?= (?:two )?lessons?\b)")
ORDER = ["first", "second", "third", "fourth"]


@cache
def sections(chapter):
    """The address of each section of a chapter, and of each part of one, with the lesson that it is in, counted from 1."""
    source = ROOT / f"notebooks/{chapter}.md"
    text = source.read_text(encoding="utf-8")
    lines, starts, begins = text.splitlines(), lessons.heads(text), [lesson.section for lesson in lessons.lessons(lessons.sections(source))]
    found = {}
    for at, line in enumerate(lines):
        if re.match("###? ", line):
            section = sum(start <= at for start in starts)
            found[default_slugify(line.lstrip("# "))] = sum(begin <= section for begin in begins)
    return found


def asked(item):
    """The lessons that an item of a course names: "its first two lessons", "its second lesson"."""
    if "first two lessons" in item:
        return {1, 2}
    return {1 + ORDER.index(word) for word in LESSON.findall(item)}


def items(course):
    """Each item of a course, with the chapter that it is about: the one that it names, or the one before it."""
    chapter = None
    for item in re.findall(r"^1\. (.*)$", course["text"], re.M):
        chapter = next((name for name, section in LINK.findall(item) if not section), chapter)
        yield chapter, item


def test_there_are_courses_of_all_lengths():
    lengths = [re.search(r"(\w+) (?:weeks|evenings)", course["title"])[1] for course in COURSES]
    assert sorted(lengths) == sorted(["ten", "six", "fourteen", "sixteen", "eight"])


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course["title"].split(":")[0])
def test_a_course_has_as_many_items_as_its_title_says(course):
    counted = re.search(r"(\w+) (?:weeks|evenings)", course["title"])[1]
    assert len(list(items(course))) == {"six": 6, "eight": 8, "ten": 10, "fourteen": 14, "sixteen": 16}[counted]


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course["title"].split(":")[0])
def test_a_time_is_that_of_the_chapters_of_its_item(course):
    for _, item in items(course):
        taken = [name.partition("_")[2] for name, section in LINK.findall(item) if not section]
        for timed in re.findall(r"\{hours\}`([^`]+)`", item):
            assert set(timed.split()) <= set(taken), item
        assert "{hours}" in item or "No code" in course["text"], item


def test_the_whole_course_has_every_chapter_and_each_week_its_three_parts():
    (whole,) = [course for course in COURSES if "sixteen" in course["title"]]
    taken = [name for _, item in items(whole) for timed in re.findall(r"\{hours\}`([^`]+)`", item) for name in timed.split()]
    assert sorted(taken) == sorted(path.stem.partition("_")[2] for path in chapter_sources(ROOT / "notebooks"))
    for _, item in items(whole):
        assert all(part in item for part in ("*To hand in:*", "*In class:*")), item
        for name, section in LINK.findall(item):
            assert not section or section in sections(name), item


def test_no_week_of_the_whole_course_is_half_as_long_again_as_the_average():
    (whole,) = [course for course in COURSES if "sixteen" in course["title"]]
    taken = {path.stem.partition("_")[2]: sum(lessons.minutes(lessons.sections(path))) for path in chapter_sources(ROOT / "notebooks")}
    weeks = [sum(taken[name] for timed in re.findall(r"\{hours\}`([^`]+)`", item) for name in timed.split()) for _, item in items(whole)]
    assert max(weeks) < 1.5 * sum(weeks) / len(weeks), weeks


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course["title"].split(":")[0])
def test_what_a_course_says_of_a_lesson_stands_in_it(course):
    for chapter, item in items(course):
        told = [sections(name).get(section) for name, section in LINK.findall(item) if section and name == chapter]
        assert None not in told, f"{item}: a section of that address is not in the chapter"
        if "lesson" in item:
            assert told and set(told) <= asked(item), f"{item}: that stands in lesson {told}"
            assert max(asked(item)) <= max(sections(chapter).values()), f"{item}: the chapter has fewer lessons"


def test_the_school_course_needs_no_code():
    """A lesson in which a reader is to write code has no place under its heading."""
    (school,) = [course for course in COURSES if "No code" in course["text"]]
    for chapter, item in items(school):
        taken = {section for section, lesson in sections(chapter).items() if lesson in asked(item)}
        assert not [section for section in taken if "library" in section or "look-like-in" in section], item
