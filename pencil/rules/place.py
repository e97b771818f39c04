"""A chapter's place in the book: the path, the table of contents, its lessons, its links and its words in the glossary."""

import re
import subprocess
from functools import lru_cache

from docutils.nodes import make_id
from myst_parser.mdit_to_docutils.base import default_slugify

from pencil.checker.page import load
from pencil.errors import did_you_mean
from pencil.publish.lessons import LESSON, heads, lessons, minutes, sections
from pencil.rules.chapter import GLOSSARY, MOVED, chapters
from pencil.rules.template import CONTENTS, DOES, PATH, TEACHING, WORKS

LONGEST, BESIDE, SHORTEST = 120, 10, 10  # minutes: of a chapter to read; of a lesson above LESSON; of a lesson
FENCED = re.compile(r"^(`{3,}|~{3,}).*?^\1", re.M | re.S)
LINK = re.compile(r"\]\((?P<page>(?![a-z]+:)[^)#\s]*)(?:#(?P<anchor>[^)\s]+))?\)")
SPAN = re.compile(r'<span id="([\w-]+)"></span>')
ENTRY = re.compile(r"(?P<terms>(?:^\S.*\n)+)  (?P<says>.+)", re.M)
ENTRIES = re.compile(r":::\{glossary\}\n(.*?)\n:::", re.S)
YEAR = re.compile(r"\byear = \{(\d+)\}")
WHOLE_COURSE = re.compile(r"^## A whole course.*\n(?:(?!## ).*\n)*", re.M)
CHAPTER = re.compile(r"See \[[^]]+\]\(\.\./notebooks/(\w+)\.ipynb\)\.$")


def listed(chapter):
    """The table of contents has it, and path.yml says what one does there and what it goes on from."""
    root, row = chapter.root, f"notebooks/{chapter.name}.ipynb"
    if row not in (root / CONTENTS).read_text(encoding="utf-8"):
        yield chapter.at(1, f"put the chapter into its part of the book: - file: {row}", root / CONTENTS)
    stops = chapter.listed(PATH)
    stop, line = stops.get(chapter.name), chapter.line_in(PATH, rf"^{chapter.name}:")
    if stop is None:
        yield chapter.at(1, f"{chapter.name} is not there; say what the reader does in it, below does:", root / PATH)
        return
    if stop["does"] == DOES:
        yield chapter.at(line, f"say what the reader does in {chapter.name}, in place of {DOES!r}", root / PATH)
    if re.search(r"\d", stop["does"]):
        yield chapter.at(line, f"no program checks a number here, so write none: {stop['does']}", root / PATH)
    for other in stop.get("after", []):
        if other not in stops:
            yield chapter.at(line, f"there is no chapter {other} to go on from.{did_you_mean(other, stops)}", root / PATH)
        elif other >= chapter.name:
            yield chapter.at(line, f"{chapter.name} goes on from chapters before it, and {other} comes later", root / PATH)
        elif f"({other}.ipynb" not in chapter.text:
            yield chapter.at(1, f"path.yml says that this goes on from {other}: say what from, with a link to {other}.ipynb")


def taught(chapter):
    """The course that takes the whole book has a week for it."""
    course = WHOLE_COURSE.search((chapter.root / TEACHING).read_text(encoding="utf-8"))
    if course is None or f"(../notebooks/{chapter.name}.ipynb)" not in course[0]:
        line = chapter.line_in(TEACHING, "^## A whole course")
        yield chapter.at(line, f"give {chapter.name} a place in a week, with a link and its name in {{hours}}", chapter.root / TEACHING)


def cited(chapter):
    """Each year of a work that it declares is that of a work in its list of papers."""
    works = chapter.root / WORKS
    here = rf"keywords = \{{(?:[\w, ]+, )?{chapter.name.partition('_')[2]}(?:, [\w, ]+)?\}}"
    listed = {year for entry in works.read_text(encoding="utf-8").splitlines() if re.search(here, entry) for year in YEAR.findall(entry)}
    for name, figure in chapter.page.declared.items():
        if re.match("the year of .*[A-Z]", figure["is"]) and "at its conference" not in figure["is"] and str(figure["text"]) not in listed:
            says = f"{chapter.name} declares {name}, {figure['is']}: list that work, with {chapter.name.partition('_')[2]} among its keywords"
            yield chapter.at(1, says, works)


def timed(chapter):
    """There is something to read, not more than two hours, in lessons of about half an hour."""
    if not chapter.source.with_suffix(".ipynb").exists():
        return
    parts, starts = sections(chapter.source), heads(chapter.text)
    reading, _ = minutes(parts)
    if not 0 < reading <= LONGEST:
        yield chapter.at(1, f"{reading} minutes to read; a chapter has something to read, and {LONGEST} minutes at most")
    for lesson in lessons(parts):
        line = starts[lesson.section - 1] + 1 if starts else 1
        if not SHORTEST <= lesson.minutes <= LESSON + BESIDE:
            yield chapter.at(
                line, f"the lesson that begins here takes {lesson.minutes} minutes; from {SHORTEST} to {LESSON + BESIDE}: move a heading, or cut"
            )


def linked(chapter):
    """Its links lead somewhere, and those of the other pages into it; none to an address that has gone."""
    own, others = chapter.source, [*chapters(chapter.root), *sorted((chapter.root / "book").glob("*.md"))]
    for page in dict.fromkeys([own, *others]):
        text = chapter.text if page == own else load(page)
        for found in LINK.finditer(text) if page == own or own.stem in text else ():
            there = (page.parent / found["page"]).resolve() if found["page"] else page
            source = there.with_suffix(".md")
            if own in (page, source):
                line = text.count("\n", 0, found.start()) + 1
                yield from (chapter.at(line, says, page) for says in _objections(chapter, there, source, found["anchor"]))


def _objections(chapter, there, source, anchor):
    if not (there.exists() or source.exists()):
        yield f"there is no page {there.name}.{did_you_mean(source.stem, [path.stem for path in chapters(chapter.root)])}"
    elif anchor and source.exists():
        page = source.relative_to(chapter.root).with_suffix("").as_posix()
        renamed, known = chapter.listed(MOVED).get(page, {}), anchors(load(source))  # not the old addresses of sections that have left
        if anchor in renamed:
            yield f"{anchor} of {source.name} is now called {renamed[anchor]}: link to that"
        elif anchor not in known:
            remedy = f"Was the section renamed? Then its old address goes into {MOVED}, below {page}"
            yield f"{source.name} has no section {anchor}.{did_you_mean(anchor, known)} {remedy}"


@lru_cache(maxsize=128)
def anchors(text):  # source of a page -> set of str
    """What a link can lead to on a page: its headings and its questions."""
    shown = FENCED.sub("", text)
    turns = {f"your-turn-{key}" for key in re.findall(r"\{your-turn\} (\S+)", shown)}
    return {default_slugify(title) for title in re.findall(r"^#{1,3} (.+)$", shown, re.M)} | turns


def renamed(chapter):
    """A section that the last commit has, and the source no longer: readers have kept its address."""
    if not chapter.source.is_relative_to(chapter.root):
        return
    name = chapter.source.relative_to(chapter.root).as_posix()
    try:
        done = subprocess.run(["git", "show", f"HEAD:./{name}"], cwd=chapter.root, capture_output=True, encoding="utf-8")
    except OSError:  # without git nothing is known of it
        return
    page, now = name.removesuffix(".md"), _addresses(chapter.text) | set(SPAN.findall(chapter.text))
    for gone in sorted(_addresses(done.stdout) - now - set(chapter.listed(MOVED).get(page, {}))) if done.returncode == 0 else ():
        yield chapter.at(1, f"the section {gone} has gone: write into {MOVED}, below {page}: which section has its place, as {gone}: NEW")


def _addresses(text):
    return {make_id(title) for title in re.findall(r"^###? (.+)$", FENCED.sub("", text), re.M)}


def in_glossary(chapter):
    """Where the glossary says "See" this chapter, the chapter says the word."""
    said = chapter.text.casefold()
    for line, terms, says in entries(chapter.root):
        named = CHAPTER.search(says)
        if named and named[1] == chapter.name and not any(re.search(rf"\b{re.escape(term.casefold())}", said) for term in terms):
            yield chapter.at(line, f"the entry leads to {chapter.name}, which does not say {' or '.join(terms)}", chapter.root / GLOSSARY)


def entries(root):  # -> [(line, terms, what is said of them)]
    """The entries of the glossary."""
    text = (root / GLOSSARY).read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, block.start(1) + entry.start()) + 1, entry["terms"].split("\n")[:-1], entry["says"])
        for block in ENTRIES.finditer(text)
        for entry in ENTRY.finditer(block[1])
    ]
