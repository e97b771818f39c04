"""Exercises of a page: its questions, and the topics of its worksheets, as data for the page's script."""

from pathlib import Path

from sphinx.util import logging

from pencil.checker.library import Library, Stale
from pencil.exercises import page_exercises
from pencil.exercises.topics import TOPICS
from pencil.exercises.worksheet import page_data
from pencil.worked import as_json
from pencil_book.live import SCRIPT

logger = logging.getLogger(__name__)
DRAWER, SHEET = "pencil-progress", '<div class="pencil-sheet"'  # class of the progress box; start tag of a worksheet


def carry(app, pagename, templatename, context, doctree):
    """Add the questions and the script to a page, after live.py has added the runs."""
    if doctree is None:
        return
    page = Path(app.srcdir, f"{pagename}.md")
    library = Library(Path(app.srcdir, "notebooks")).beside(page)
    try:
        questions = page_exercises.page_questions(page.read_text(encoding="utf-8"), library)
    except (OSError, Stale):
        return
    except (KeyError, ValueError) as wrong:
        logger.warning("%s: %s", pagename, wrong.args[0])
        return
    carried = {}
    if questions:
        asked, mistakes = page_exercises.said_once(questions)
        carried["pencil-questions"] = {"chapter": library.own or "00", "questions": asked, "mistakes": mistakes}
    if SHEET in context["body"]:
        carried["pencil-topics"] = {topic: page_data(topic) for topic in TOPICS}
    for name, data in carried.items():
        context["body"] += f'\n<script type="application/json" id="{name}">{as_json(data)}</script>\n'
    if carried or DRAWER in context["body"]:
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app):
    """Run for each page."""
    app.connect("html-page-context", carry)
