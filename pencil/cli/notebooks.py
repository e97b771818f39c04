"""Run the chapters and write their notebooks (pencil/publish/render.py); of a clone also what the package keeps of their questions."""

from pathlib import Path

from pencil.checker.library import CHAPTERS, Library
from pencil.exercises.checking import ASKED, as_text
from pencil.exercises.questions import asked_by
from pencil.paths import ROOT, chapter_number, write_whole
from pencil.publish import render
from pencil.publish.exercises import exercises_in


def main(argv):
    """`python -m pencil notebooks`: the options are those of the render tool."""
    failed = render.main(argv)
    if failed or "--check" in argv or Path(CHAPTERS).resolve() != ROOT / CHAPTERS:
        return failed
    for source in render.sources([name for name in argv if not name.startswith("-")]):
        write_whole(kept(source), asked_in(source))
    for path in ASKED.glob("*.json"):
        if not any((ROOT / CHAPTERS).glob(f"{path.stem}_*.md")):
            path.unlink()
    return 0


def kept(source):  # Path of a chapter -> Path
    """The file in the package with the questions of a chapter."""
    return ASKED / f"{chapter_number(source)}.json"


def asked_in(source):  # Path of a chapter -> str
    """What that file has to hold."""
    library = Library(source.parent, chapter_number(source))
    asked = [question for question in exercises_in(source.read_text(encoding="utf-8")) if question.answer or question.choices]
    return as_text({question.key: asked_by(question, library) for question in asked})
