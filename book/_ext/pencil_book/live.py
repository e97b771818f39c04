"""The live page: every chapter carries its runs as data, and one script, joined from the modules in pencil/widgets.

A browser takes no modules and fetches nothing from file://, so the modules become one classic script while the
book is built, and the data stand in the page itself.
"""

import json
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from pencil import widgets
from pencil.kata.on_page import page_turns
from pencil.prose.library import Library, Stale
from pencil.widgets import digits_lab, writer_lab
from pencil.widgets.bundle import MODULES, page_script
from pencil.worked import export

SCRIPT = "pencil-live.js"
LAB = '<section class="pencil-lab'
STYLES = ("common.css", "card.css", "lab.css")  # they lie beside the modules, for Jupyter needs them as well


def write_script(app):
    """Put the joined script where the pages look for it."""
    if app.builder.format == "html":
        static = Path(app.outdir, "_static")
        static.mkdir(parents=True, exist_ok=True)
        (static / SCRIPT).write_text(page_script(), encoding="utf-8")
        for script, lab in ((writer_lab.SCRIPT, writer_lab.WriterLab), (digits_lab.SCRIPT, digits_lab.DigitsLab)):
            (static / script).write_text(lab().script(), encoding="utf-8")
        app.add_css_file("live.css")
        for style in STYLES:
            shutil.copy(MODULES / style, static)
            app.add_css_file(style)


def carry(app, pagename, templatename, context, doctree):
    """Give a chapter its runs and the script; another page has nothing to change, unless a lab stands in it."""
    page = Path(app.srcdir, f"{pagename}.ipynb")
    if doctree is None:
        return
    if not page.exists():
        if LAB in context["body"]:
            give(app, context, [])
        return
    try:
        library = Library(page.parent).beside(page)
        published = library.chapter(page.name[:2])
        page_turns(page.with_suffix(".md").read_text(encoding="utf-8"), library)  # the wrong turns of its questions are values as well
    except (KeyError, ValueError, Stale):
        return  # numbers.py or kata.py says so
    give(app, context, [export(tracks["paper"]) for tracks in published.replay().values()])


def give(app, context, runs):
    """The runs as data, and the script."""
    data = json.dumps(runs, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    context["body"] += f'\n<script type="application/json" id="pencil-runs">{data}</script>\n'
    app.add_js_file(SCRIPT, loading_method="defer")


class LabOfAPage(SphinxDirective):
    """`{lab} RowLab`: a lab of pencil.widgets in a page without code; a chapter has it from a cell."""

    required_arguments = 1

    def run(self):
        return [nodes.raw("", getattr(widgets, self.arguments[0])()._repr_html_(), format="html")]


def setup(app):
    """Join the modules once, then serve page after page."""
    app.add_directive("lab", LabOfAPage)
    app.connect("builder-inited", write_script)
    app.connect("html-page-context", carry)
