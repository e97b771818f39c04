"""Bring the notebooks of the chapters up to date (pencil/publish/render.py); of a clone also what the package keeps of their questions."""

from itertools import chain
from pathlib import Path
from time import monotonic

from pencil.checker.dependencies import record_run
from pencil.checker.library import CHAPTERS, Library
from pencil.errors import Parser
from pencil.exercises.checking import ASKED, as_text
from pencil.exercises.questions import asked_by
from pencil.paths import ROOT, chapter_number, top_of_clone, write_whole
from pencil.publish import render
from pencil.publish.exercises import exercises_in


def main(argv):
    """`python -m pencil notebooks [NN ...]`. Returns 1 if a chapter fails or, with --check, is stale."""
    parser = Parser(prog="python -m pencil notebooks", description=__doc__)
    parser.add_argument("--check", action="store_true", help="run nothing: compare each notebook with its source")
    parser.add_argument(
        "--stamp", action="store_true", help="run nothing: record that the stored outputs are those of today's code, as a test has shown"
    )
    parser.add_argument("--again", action="store_true", help="run chapters whose code is as it was, too")
    parser.add_argument("--force", action="store_true", help="write all notebooks, also over those that were edited by hand")
    parser.add_argument("chapters", nargs="*", metavar="NN", help="chapters by number; by default all")
    asked = parser.parse_args(argv)
    with top_of_clone(asked.chapters) as asked.chapters:
        return _bring_up_to_date(asked)


def _bring_up_to_date(asked):  # parsed arguments -> 0 or 1
    try:
        chapters = render.sources(asked.chapters)
    except render.Failed as missing:
        print(missing)
        return 1
    if not chapters:
        print(f"no chapters here; run it where {CHAPTERS}/ is")
        return 1
    if asked.stamp:
        for source in chapters:
            record_run(source)
    wrong = 0
    for message in chain(
        _checked(chapters) if asked.check or asked.stamp else _rendered(chapters, asked), [] if asked.chapters else render.orphans()
    ):
        print(message, flush=True)
        wrong += 1
    if not wrong:
        print(f"{'The notebook is' if len(chapters) == 1 else f'The {len(chapters)} notebooks are'} up to date.")
    if not (wrong or asked.check or asked.stamp) and Path(CHAPTERS).resolve() == ROOT / CHAPTERS:
        _keep_questions(chapters)
    return int(wrong > 0)


def _checked(chapters):  # paths -> messages
    for source in chapters:
        try:
            message = render.check(source)
        except (render.Failed, ValueError) as failed:
            message = _failure(source, failed)
        if message:
            yield message


def _failure(source, failed):
    return f"{source.as_posix()}: not rendered, nothing written\n{failed}"


def _rendered(chapters, asked):  # paths, parsed arguments -> messages
    for place, source in enumerate(chapters, 1):
        progress = Progress(f"{source.as_posix()} ({place} of {len(chapters)})")
        try:
            render.render_notebook(source, force=asked.force, again=asked.again, say=progress.begin)
        except render.EditedByHand as kept:
            yield kept
        except (render.Failed, ValueError) as failed:
            progress.end()
            yield _failure(source, failed)
        else:
            progress.end()


class Progress:
    """A line that says what is being done, and at its end how many seconds it took."""

    def __init__(self, name):
        self.name, self.began = name, None

    def begin(self, what):
        """Begin the line."""
        self.began = monotonic()
        print(f"{self.name}: {what} … ", end="", flush=True)

    def end(self):
        """End the line, if it was begun."""
        if self.began is not None:
            print(f"{int(monotonic() - self.began)} s", flush=True)


def _keep_questions(chapters):
    for source in chapters:
        write_whole(kept(source), asked_in(source))
    for path in ASKED.glob("*.json"):
        if not any((ROOT / CHAPTERS).glob(f"{path.stem}_*.md")):
            path.unlink()


def kept(source):  # Path of a chapter -> Path
    """The file in the package with the questions of a chapter."""
    return ASKED / f"{chapter_number(source)}.json"


def asked_in(source):  # Path of a chapter -> str
    """What that file has to hold."""
    library = Library(source.parent, chapter_number(source))
    asked = [question for question in exercises_in(source.read_text(encoding="utf-8")) if question.answer or question.choices]
    return as_text({question.key: asked_by(question, library) for question in asked})
