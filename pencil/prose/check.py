"""The number checker: every numeral of a page is accounted for, or the check fails."""

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from pencil.prose import declared as declarations
from pencil.prose.judge import Context, Failure, judge
from pencil.prose.library import CHAPTERS, Stale, with_libraries
from pencil.prose.page import load, read_page

NO_PAGES = f"no pages here; run it where {CHAPTERS}/ is, or name a page"
WRONG = (OSError, Stale, KeyError, ValueError)  # what a page or its notebook can have wrong before a numeral is judged


@dataclass(frozen=True)
class Report:
    failures: list
    counted: Counter  # how many numerals are accounted for in which way


def context_of(page, values):  # Page, values -> Context
    """What the blocks of a page are judged against."""
    return Context(values, declarations.declared_texts(page), "\n".join(page.cells))


def check_text(text, values):  # str, values -> Report
    """Judge a whole page. `values` finds references: a Library, or what one chapter published."""
    try:
        page = read_page(text)
    except ValueError as wrong:
        return Report([Failure(1, "---", str(wrong))], Counter())
    context = context_of(page, values)
    verdicts = [judge(block, context) for block in page.blocks]
    failures = [failure for verdict in verdicts for failure in verdict.failures]
    used = set().union(*(verdict.used for verdict in verdicts))
    for name, written, reason in declarations.objections(page, used):
        line = next((n for n, line in enumerate(text.split("\n"), 1) if line.strip().startswith(f"{name}:")), 1)
        failures.append(Failure(line, f"{name}: {written}".strip(": "), reason))
    ways = Counter(way for verdict in verdicts for way in verdict.ways.values())
    return Report(sorted(failures, key=lambda f: f.line), ways)


def pages(paths):  # list of str -> list of Path
    """The pages that are asked for; without any, all chapters and all pages of book/, in its subfolders too."""
    asked = [Path(p) for p in paths] or [folder for folder in map(Path, (CHAPTERS, "book")) if folder.is_dir()]
    return [page for path in asked for page in (_pages_in(path) if path.is_dir() else [path])]


def _pages_in(folder):  # what is hidden (.ipynb_checkpoints) or made (_build) is no page
    return [p for p in sorted(folder.rglob("*.md")) if not any(part[0] in "._" for part in p.relative_to(folder).parts)]


def says(wrong):  # exception -> str
    """What an error says, without the quotes that Python puts round a KeyError."""
    return str(wrong.args[0] if isinstance(wrong, KeyError) else wrong)


def main(argv=None):
    """Print a line for every failing numeral, and what share is accounted for in which way; 1 on any failure."""
    parser = argparse.ArgumentParser(prog="pencil check", description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", metavar="PATH", help="pages or folders; by default notebooks/ and book/")
    failed, asked = 0, pages(parser.parse_args(argv).paths)
    if not asked:
        print(NO_PAGES)
        return 1
    for page, library in with_libraries(asked):
        try:
            report = check_text(load(page), library.beside(page).fresh())
        except WRONG as wrong:
            report = Report([Failure(1, page.name, says(wrong))], Counter())
        for failure in report.failures:
            print(f"{page}:{failure.line}: {failure.written} — {failure.reason}")
        failed += len(report.failures)
        ways = ", ".join(f"{n} {way}" for way, n in sorted(report.counted.items()))
        print(f"{page}: {report.counted.total()} numerals" + (f": {ways}" if ways else ""))
    print(f"{failed} failures; every one must be bound, computed or declared" if failed else "Every numeral is accounted for.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
