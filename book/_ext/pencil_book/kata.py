"""Exercises of a page: its questions, and the topics of its worksheets, as data for the page's script."""

from pathlib import Path

from sphinx.util import logging

from pencil.checker.library import Stale
from pencil.exercises.page_exercises import said_once
from pencil.exercises.topics import TOPICS
from pencil.exercises.worksheet import page_data
from pencil.worked import as_json
from pencil_book.live import SCRIPT, questions_of

logger = logging.getLogger(__name__)
DRAWER, SHEET = "pencil-progress", '<div class="pencil-sheet"'  # class of the progress box; start tag of a worksheet


def carry(app, pagename, templatename, context, doctree):
    """Add the questions and the script to a page, after live.py has added the runs."""
    if doctree is None:
        return
    try:
        library, questions = questions_of(Path(app.srcdir, "notebooks"), Path(app.srcdir, f"{pagename}.md"))
    except (OSError, Stale):
        return
    except (KeyError, ValueError) as wrong:
        logger.warning("%s: %s", pagename, wrong.args[0])
        return
    carried = {}
    if questions:
        once, mistakes = said_once(questions)
        carried["pencil-questions"] = {"chapter": library.own or "00", "questions": once, "mistakes": mistakes}
    if SHEET in context["body"]:
        carried["pencil-topics"] = {topic: page_data(topic) for topic in TOPICS}
    for name, data in carried.items():
        context["body"] += f'\n<script type="application/json" id="{name}">{as_json(data)}</script>\n'
    if carried or DRAWER in context["body"]:
        app.add_js_file(SCRIPT, loading_method="defer")
