"""The live page: every chapter carries its runs as data, and one script, joined from the modules in pencil/widgets.

A browser takes no modules and fetches nothing from file://, so the modules become one classic script while the
book is built, and the data stand in the page itself.
"""

import json
import shutil
from pathlib import Path

from pencil.kata.on_page import page_turns
from pencil.prose.library import Library, Stale
from pencil.widgets import writer_lab
from pencil.widgets.bundle import MODULES, page_script
from pencil.worked import export

SCRIPT = "pencil-live.js"
STYLES = ("common.css", "card.css", "lab.css")  # they lie beside the modules, for Jupyter needs them as well


def write_script(app):
    """Put the joined script where the pages look for it."""
    if app.builder.format == "html":
        static = Path(app.outdir, "_static")
        static.mkdir(parents=True, exist_ok=True)
        (static / SCRIPT).write_text(page_script(), encoding="utf-8")
        (static / writer_lab.SCRIPT).write_text(writer_lab.WriterLab().script(), encoding="utf-8")
        app.add_css_file("live.css")
        for style in STYLES:
            shutil.copy(MODULES / style, static)
            app.add_css_file(style)


def carry(app, pagename, templatename, context, doctree):
    """Give a chapter its runs and the script; other pages have nothing to change."""
    page = Path(app.srcdir, f"{pagename}.ipynb")
    if doctree is None or not page.exists():
        return
    try:
        library = Library(page.parent).beside(page)
        published = library.chapter(page.name[:2])
        page_turns(page.with_suffix(".md").read_text(encoding="utf-8"), library)  # the wrong turns of its questions are values as well
    except (KeyError, Stale):
        return  # numbers.py has said so already
    runs = [export(tracks["paper"]) for tracks in published.replay().values()]
    data = json.dumps(runs, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    context["body"] += f'\n<script type="application/json" id="pencil-runs">{data}</script>\n'
    app.add_js_file(SCRIPT, loading_method="defer")


def setup(app):
    """Join the modules once, then serve page after page."""
    app.connect("builder-inited", write_script)
    app.connect("html-page-context", carry)
