"""Write a worksheet with random numbers, or the questions of a chapter, as an HTML page or a PDF; or these as an nbgrader assignment."""

import argparse
from pathlib import Path

from pencil.cli.arguments import find_chapter, typed_path
from pencil.cli.printing import print_to_pdf
from pencil.errors import Parser, TaskError
from pencil.exercises.printed import SIZES, document
from pencil.exercises.topics import TOPICS
from pencil.exercises.worksheet import Worksheet
from pencil.paths import ROOT, chapter_number, write_whole
from pencil.random import MASK

OF_A_SHEET = ("--seed", "--topic")  # numbers are dealt for these alone
ON_PAPER = ("--paper", "--pdf")


def main(argv):
    """`python -m pencil worksheet --seed 7 --topic attention [--paper letter] [--pdf] [--to FOLDER]`; or `--chapter 06`, or `--nbgrader 06`."""
    given = _parser().parse_args(argv)
    if not given.to.is_dir():
        raise TaskError(f"there is no folder {given.to}; make it first, or name another with --to")
    given.to = given.to.resolve()  # messages show absolute paths
    if given.nbgrader is not None:
        _refuse(argv, "an assignment", *OF_A_SHEET, *ON_PAPER, "--chapter")
        return write_assignment(given.nbgrader, given.to)
    if given.chapter is not None:
        _refuse(argv, "a sheet of questions", *OF_A_SHEET)
        pages = {given.to / f"chapter_{_number(given.chapter)}.html": _questions(given.chapter, given.paper)}
    else:
        pages = {given.to / f"{given.topic}-{seed}.html": document(Worksheet(given.topic, seed), given.paper) for seed in given.seed}
    for path, text in pages.items():
        write_whole(path, text)
        print(f"wrote {path}")
    if given.pdf:
        printed = {page: page.with_suffix(".pdf") for page in pages}
        print_to_pdf(printed)
        print(*(f"wrote {path}" for path in printed.values()), sep="\n")
    return 0


def _parser():
    parser = Parser(prog="python -m pencil worksheet", description=__doc__)
    parser.add_argument("--seed", type=_seed, nargs="+", default=[7], help="a whole number, or several: a sheet for each")
    parser.add_argument("--topic", choices=list(TOPICS), default="attention")
    parser.add_argument("--paper", choices=list(SIZES), default="a4")
    parser.add_argument("--pdf", action="store_true", help="a PDF as well; it takes a Chromium")
    parser.add_argument("--chapter", metavar="NN", help="in place of a sheet, the questions of a chapter and their key")
    parser.add_argument("--nbgrader", metavar="NN", help="in place of a sheet, the exercises of a chapter as an nbgrader assignment")
    parser.add_argument("--to", type=typed_path, default=Path("."), help="the folder to write into: this one")
    return parser


def _refuse(argv, what, *options):
    if dropped := [word for word in argv if word.partition("=")[0] in options]:
        raise TaskError(f"{what} has the questions of a chapter, and {' and '.join(dropped)} would be dropped: leave out one or the other")


def _seed(text):
    if not (text.isascii() and text.isdecimal() and int(text) <= MASK):
        raise argparse.ArgumentTypeError(f"{text!r} is no seed; take a whole number from 0 to {MASK}")
    return int(text)


def _number(asked):  # 06, also of 6 and of look_across
    return chapter_number(find_chapter(asked, ROOT / "notebooks"))


def _questions(chapter, paper):
    from pencil.exercises.question_sheet import question_sheet

    return question_sheet(chapter, paper)


def write_assignment(chapter, folder):  # "06", Path -> 0
    """Write the instructor's notebook of a chapter's exercises. Raises TaskError for an unknown chapter."""
    import nbformat

    from pencil.exercises.assignment import build_assignment

    path = folder / f"chapter_{_number(chapter)}.ipynb"
    write_whole(path, nbformat.writes(build_assignment(chapter)) + "\n")
    print(f"wrote {path}")
    return 0
