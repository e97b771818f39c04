"""Tell all that is wrong with a chapter, or left to write: its form, its place in the book, its numbers. Nothing is run."""

from pencil.checker.check import WRONG, check_text, says
from pencil.checker.library import Stale
from pencil.cli.arguments import find_chapter
from pencil.errors import Parser
from pencil.paths import ROOT
from pencil.rules.chapter import Chapter, Finding
from pencil.rules.held import broken


def findings(source, root=ROOT):  # Path, Path -> sorted list of Finding
    """What the rules of a chapter and the checker of its numbers find."""
    try:
        chapter = Chapter(source, root)
    except ValueError as wrong:
        return [Finding(source.relative_to(root).as_posix(), 1, str(wrong))]
    return sorted({*broken(chapter), *_numbers(chapter)})


def _numbers(chapter):
    try:
        failures = check_text(chapter.text, chapter.library.fresh()).failures
    except Stale as wrong:
        if chapter.is_run:  # else the rules have said so; here it is another chapter that this one quotes
            yield chapter.at(1, chapter.in_clone(wrong))
        return
    except WRONG as wrong:
        yield chapter.at(1, says(wrong))
        return
    for failure in failures:
        yield chapter.at(failure.line, f"{failure.written} — {failure.reason}")


def main(argv):
    """`python -m pencil chapter-check NN`, by number or name; 1 where anything is found."""
    parser = Parser(prog="python -m pencil chapter-check", description=__doc__)
    parser.add_argument("chapters", nargs="+", metavar="NN", help="chapters by number or name")
    sources = [find_chapter(asked, ROOT / "notebooks") for asked in parser.parse_args(argv).chapters]
    found = [finding for source in sources for finding in findings(source)]
    print(*found, sep="\n", end="\n" if found else "")
    told = f"{len(found)} thing{'s' * (len(found) != 1)} to write or to mend." if found else "Nothing is left to write or to mend."
    print(told)
    return 1 if found else 0
