"""The kata of a page: its questions as data, and a script that makes them answer back; another one for sheets.

A page without questions carries nothing of it.
"""

import json
import shutil
from pathlib import Path

from sphinx.util import logging

from pencil.kata import on_page
from pencil.kata.paper import STYLE
from pencil.kata.sheet import page_data
from pencil.kata.topics import TOPICS
from pencil.prose.library import Library, Stale
from pencil.widgets.bundle import MODULES, classic_script

logger = logging.getLogger(__name__)

SCRIPTS = {  # file: the module that it begins with, and the line that starts it
    "pencil-kata.js": ("kata", "window.pencilKata = kata.start(document, window.pencil);"),
    "pencil-sheet.js": ("sheet", "window.pencilKata.sheets = sheet.start(document, window.pencilKata.progress, TOPICS);"),
}
KATA = Path(on_page.__file__).parent
DRAWER, SHEET = "pencil-progress", '<div class="pencil-sheet"'  # where a reader sees what is solved; a sheet to deal anew


def write_script(app):
    """Put the joined script where the pages look for it."""
    if app.builder.format == "html":
        for name, (entry, start) in SCRIPTS.items():
            if entry == "sheet":
                start = f"const TOPICS = {as_json({topic: page_data(topic) for topic in TOPICS})};\n{start}"
            Path(app.outdir, "_static", name).write_text(classic_script(entry, start, KATA, MODULES), encoding="utf-8")
        shutil.copy(STYLE, Path(app.outdir, "_static"))
        for style in (STYLE.name, "kata.css"):
            app.add_css_file(style)


def as_json(data):
    """Short, and safe inside a script."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def carry(app, pagename, templatename, context, doctree):
    """Give a page its questions and the script, once live.py has given it the runs that they are marked by."""
    if doctree is None:
        return
    page = Path(app.srcdir, f"{pagename}.md")
    library = Library(Path(app.srcdir, "notebooks")).beside(page)
    try:
        turns = on_page.page_turns(page.read_text(encoding="utf-8"), library)
    except (OSError, Stale):
        return
    except (KeyError, ValueError) as wrong:
        logger.warning("%s: %s", pagename, wrong.args[0])
        return
    if turns:
        data = as_json({"chapter": library.own or "00", "turns": turns})
        context["body"] += f'\n<script type="application/json" id="pencil-turns">{data}</script>\n'
    has_sheets = SHEET in context["body"]
    if turns or has_sheets or DRAWER in context["body"]:
        app.add_js_file("pencil-kata.js", loading_method="defer")
    if has_sheets:
        app.add_js_file("pencil-sheet.js", loading_method="defer")


def setup(app):
    """After live.py, so that the script comes behind the live page's."""
    app.connect("builder-inited", write_script)
    app.connect("html-page-context", carry)
