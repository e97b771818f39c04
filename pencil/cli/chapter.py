"""Add a chapter: write a template, and enter it in the table of contents."""

import re

from pencil.cli.arguments import help_of_words
from pencil.errors import TaskError
from pencil.paths import ROOT, chapter_named, chapter_sources, write_whole
from pencil.rules.template import CONTENTS, DOES, PATH, SKELETON

TITLE = re.compile(r"^# .+$", re.M)
USE = 'say it as `python -m pencil chapter vector_length "How long is a vector?"`: a name of small letters, figures and _, and a title'
TOC_ROW = "      - file: notebooks/{}.ipynb\n"


def add(name, title, root=ROOT):  # -> Path of the source
    """Write notebooks/NN_name.md with the next free number, and append it to the chapters in _toc.yml and book/path.yml.

    Raises TaskError for an invalid name or title, before anything is written.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or not title.strip() or re.search(r"[\d\n]", title):
        raise TaskError(f"{name!r} and {title!r} make no chapter; {USE}, which may hold no figures.")
    if taken := chapter_named(name, root / "notebooks"):
        raise TaskError(f"{taken.stem} has that name; choose another.")
    last = chapter_sources(root / "notebooks")[-1].stem
    chapter = f"{int(last[:2]) + 1:02}_{name}"
    contents, path = root / CONTENTS, root / PATH
    listed, stops = contents.read_text(encoding="utf-8"), path.read_text(encoding="utf-8")
    if TOC_ROW.format(last) not in listed:
        raise TaskError(f"_toc.yml has no row for {last}; put {chapter} into it by hand.")
    source = root / f"notebooks/{chapter}.md"
    write_whole(source, TITLE.sub(lambda _: f"# {title.strip()}", SKELETON.read_text(encoding="utf-8"), count=1))
    write_whole(contents, listed.replace(TOC_ROW.format(last), TOC_ROW.format(last) + TOC_ROW.format(chapter)))
    write_whole(path, f"{stops.rstrip()}\n{chapter}:\n  does: {DOES}\n")
    return source


def main(argv):
    """`python -m pencil chapter NAME TITLE`."""
    help_of_words(argv, "chapter", "NAME TITLE", __doc__)
    if len(argv) != 2:
        raise TaskError(f"A chapter takes two words: {USE}.")
    source = add(*argv).relative_to(ROOT)
    number = source.stem[:2]
    print(f"{source.as_posix()} stands, in {CONTENTS} and {PATH} as well.")
    print(f"Run it: python -m pencil notebooks {number}\nWhat is left to write: python -m pencil chapter-check {number}")
    return 0
