"""The command `python -m pencil check`: check every numeral of the pages."""

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from pencil.checker import answers, cells, owners
from pencil.checker import declared as declarations
from pencil.checker.library import CHAPTERS, Stale, chapter_source, with_libraries
from pencil.checker.page import load, read_list, read_page
from pencil.checker.reading import known_numbers, untrue_rows
from pencil.checker.verdict import Context, Failure, judge
from pencil.errors import Parser, did_you_mean
from pencil.paths import chapter_sources, top_of_clone

LISTS = ("_toc.yml", "book/path.yml")  # their captions are shown on the home page and in the table of contents
NO_PAGES = f"no pages here; run it where {CHAPTERS}/ is, or name a page"
MEND = "Mend the digits or the name; CONTRIBUTING.md, 'Bind its numbers'."
WRONG = (OSError, Stale, KeyError, ValueError)  # errors of a page or of its notebook


@dataclass(frozen=True)
class Report:
    failures: list
    counted: Counter  # number of numerals by the way in which they are accounted for


def context_of(page, values):  # Page, values -> Context
    """The context in which the blocks of a page are judged."""
    return Context(values, declarations.declared_texts(page), "\n".join(page.cells), known_numbers(page))


def check_text(text, values, read=read_page):  # str, values -> Report
    """Judge a whole page. `values` resolves references (a Library or Published); `read` splits the text into a Page."""
    try:
        page = read(text)
    except ValueError as wrong:
        return Report([Failure(1, "---", str(wrong))], Counter())
    context = context_of(page, values)
    verdicts = [judge(block, context) for block in page.blocks]
    failures = [failure for verdict in verdicts for failure in verdict.failures]
    failures += [Failure(line, written, "is not true on paper") for line, written in untrue_rows(page.blocks)]
    wrong = (*owners.misplaced_rows(page.blocks, values), *answers.untrue_answers(page, values), *cells.typed(page.sources))
    failures += [Failure(*one) for one in wrong]
    failures += [Failure(line, "{code-cell}", "a code cell inside a list or a box is not run: let it stand by itself") for line in page.misplaced]
    used = set().union(*(verdict.used for verdict in verdicts))
    for name, written, reason in declarations.objections(page, used):
        line = next((n for n, line in enumerate(text.split("\n"), 1) if line.strip().startswith(f"{name}:")), 1)
        failures.append(Failure(line, f"{name}: {written}".strip(": "), reason))
    ways = Counter(way for verdict in verdicts for way in verdict.ways.values())
    return Report(sorted(failures, key=lambda f: f.line), ways)


def pages(paths):  # list of str -> list of Path
    """Resolve arguments (pages, folders, or chapters by number or name); without any, all chapters and all pages of book/."""
    asked = [_named(p) for p in paths] or [*chapter_sources(Path(CHAPTERS)), *filter(Path.is_dir, [Path("book")])]
    return [page for path in asked for page in (_pages_in(path) if path.is_dir() else [path])]


def _named(asked):  # one argument -> list of Path
    path = Path(asked)
    return path if path.exists() or len(path.parts) != 1 else chapter_source(asked) or path


def _pages_in(folder):  # without hidden (.ipynb_checkpoints) and built (_build) files
    return [p for p in sorted(folder.rglob("*.md")) if not any(part[0] in "._" for part in p.relative_to(folder).parts)]


def says(wrong):  # exception -> str
    """The message of an error; str() of a KeyError would add quotes."""
    return str(wrong.args[0] if isinstance(wrong, KeyError) else wrong)


def _counted(number, noun):  # 1, "failure" -> "1 failure"
    return f"{number} {noun}" + "s" * (number != 1)


def _objection(asked):  # list of Path -> str, or None if every page can be read
    for page in asked:
        if page.suffix == ".ipynb":
            source = page.with_suffix(".md")
            return f"{page.as_posix()} is made from {source.name}; check that: python -m pencil check {source.as_posix()}"
        if not page.exists():
            chapters = [path.stem for path in chapter_sources(Path(CHAPTERS))]
            return f"there is no page and no chapter '{page.as_posix()}'.{did_you_mean(page.stem, chapters)}"
    return None if asked else NO_PAGES


def main(argv=None):
    """Print a line for every failing numeral, or, with -v, how each page's numerals are accounted for. Returns 1 on any failure."""
    parser = Parser(prog="python -m pencil check", description=__doc__)
    parser.add_argument("paths", nargs="*", metavar="PAGE", help="chapters by number, pages or folders; by default notebooks/ and book/")
    parser.add_argument("-v", "--verbose", action="store_true", help="count the numerals of each page, even when some fail")
    options = parser.parse_args(argv)
    with top_of_clone(options.paths) as paths:
        return _tell(paths, options.verbose)


def _tell(paths, verbose):
    asked = pages(paths)
    if wrong := _objection(asked):
        print(wrong)
        return 1
    failed, counts = [], []
    if not paths:
        asked += [path for path in map(Path, LISTS) if path.exists()]
    for page, library in with_libraries(asked):
        named = page.as_posix()
        try:
            report = check_text(load(page), library.beside(page).fresh(), read_list if page.suffix == ".yml" else read_page)
        except Stale as stale:  # report it once, not for every page that quotes the notebook
            print(str(stale).replace(f"{Path.cwd().as_posix()}/", ""))
            return 1
        except WRONG as wrong:
            report = Report([Failure(1, page.name, says(wrong))], Counter())
        failed += [f"{named}:{failure.line}: {failure.written} — {failure.reason}" for failure in report.failures]
        ways = ", ".join(f"{n} {way}" for way, n in sorted(report.counted.items()))
        counts.append(f"{named}: {_counted(report.counted.total(), 'numeral')}" + (f": {ways}" if ways else ""))
    closing = f"{_counted(len(failed), 'failure')}. {MEND}" if failed else "Every numeral is accounted for."
    print(*(counts if verbose or not failed else []), *failed, closing, sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
