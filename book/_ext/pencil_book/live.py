"""Interactive pages: embed the runs of a chapter as data, and the bundled script of pencil/web.

Browsers load neither modules nor data from file://, so the script is a single classic script, and the data is in the page itself.
"""

import re
import shutil
from functools import lru_cache
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from pencil import widgets
from pencil.checker.library import Library, Stale
from pencil.cli.web import OLDEST
from pencil.exercises.page_exercises import page_questions
from pencil.web import FRACTIONS, PAGE, PAGE_STYLES, PIECES, TRAINED
from pencil.widgets import chat_lab, digits_lab, writer_lab
from pencil.worked import as_json, export
from pencil_book.drawn import runs as drawn_runs

SCRIPT, STYLES = "pencil.js", "pencil-live.css"
FETCHED = "pencil-fractions.js"  # loaded on demand by pencil.js, from the same folder
STARTED = "started.js"  # after it: shows UNSCRIPTED where the script does not run
UNSCRIPTED = (
    '<noscript class="pencil-unscripted"><p class="pencil-unscripted" role="note">The script of this page does not run here, so numbers do not open '
    "and answers are not marked; everything can be read. It needs scripts to be allowed, and Chrome or Edge {chrome}, Firefox {firefox}, "
    "Safari {safari} or newer.</p></noscript>\n"
).format(**OLDEST)
LAB = '<section class="pencil-lab'
FOR_SOME = {  # a script: what the HTML of its pages has, and the source
    "pencil-pieces.js": (re.compile('<section class="pencil-pieces'), PIECES),
    "pencil-trained.js": (re.compile('<section class="pencil-lab pencil-(?:chat|digits|writer|open)'), TRAINED),
}


def write_script(app):
    """Copy the scripts, the labs' parameters and the styles to the static folder."""
    if app.builder.format == "html":
        static = Path(app.outdir, "_static")
        static.mkdir(parents=True, exist_ok=True)
        shutil.copy(PAGE, static / SCRIPT)
        shutil.copy(FRACTIONS, static / FETCHED)
        for script, (_, source) in FOR_SOME.items():
            shutil.copy(source, static / script)
        labs = ((writer_lab.SCRIPT, writer_lab.WriterLab), (chat_lab.SCRIPT, chat_lab.ChatLab), (digits_lab.SCRIPT, digits_lab.DigitsLab))
        for script, lab in labs:
            (static / script).write_text(lab().script(), encoding="utf-8")
        (static / STYLES).write_text("\n".join(style.read_text(encoding="utf-8") for style in PAGE_STYLES), encoding="utf-8")
        app.add_css_file(STYLES)


def carry(app, pagename, templatename, context, doctree):
    """Add the runs and the script to a chapter, and to any other page with a drawing or a lab."""
    page = Path(app.srcdir, f"{pagename}.ipynb")
    if doctree is None:
        return
    if not page.exists():
        if LAB in context["body"] or drawn_runs(doctree):
            give(app, context, drawn_runs(doctree))
        return
    try:
        library, _ = questions_of(page.parent, page.with_suffix(".md"))
        published = library.chapter(library.own)
    except (KeyError, ValueError, Stale):
        return  # numbers.py or kata.py reports the error
    give(app, context, [export(tracks["paper"]) for tracks in published.replay().values()])


@lru_cache(maxsize=1)  # for each page live.py asks first, and kata.py next
def questions_of(notebooks, source):  # Paths of the folder and of a page's source -> Library, list of dict
    """The library of a page and the page's questions, whose known mistakes are values of the library's runs. Raises what page_questions does."""
    library = Library(notebooks).beside(source)
    return library, page_questions(source.read_text(encoding="utf-8"), library)


def give(app, context, runs):
    """Add the runs as data, and the script."""
    context["body"] = f'{UNSCRIPTED}{context["body"]}\n<script type="application/json" id="pencil-runs">{as_json(runs)}</script>\n'
    app.add_js_file(SCRIPT, loading_method="defer")
    app.add_js_file(STARTED, loading_method="defer")
    for script, (sign, _) in FOR_SOME.items():
        if sign.search(context["body"]):
            app.add_js_file(script, loading_method="defer")


class LabOfAPage(SphinxDirective):
    """`{lab} RowLab`: a lab of pencil.widgets in a page without code; chapters display labs in cells."""

    required_arguments = 1

    def run(self):
        return [nodes.raw("", getattr(widgets, self.arguments[0])()._repr_html_(), format="html")]


def setup(app):
    """Register the directive."""
    app.add_directive("lab", LabOfAPage)
