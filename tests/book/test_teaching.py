"""The page for teachers: each item of a course is in the lesson that it names."""

import re
import sys
from functools import cache

import pytest
from docutils.nodes import make_id

from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book import lessons

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
            found[make_id(line.lstrip("# "))] = sum(begin <= section for begin in begins)
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


def test_there_are_three_courses():
    assert len(COURSES) == 3


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
