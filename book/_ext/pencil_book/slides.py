"""`{slides}`: the drawings of the chapters once more, each a slide: in landscape, on a sheet of its own when the page is printed.

`:part:` names the part of the book whose drawings are shown, `:without:` one that has a page of its own.

A slide has no run behind it, so its numbers are plain; its steps go back and forth as in the chapter.
"""

import json
from pathlib import Path

from bs4 import BeautifulSoup
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from pencil_book.live import LAB, SCRIPT
from pencil_book.path import depend, numbered, path

STEPS = "data-step"  # which step of a drawing a mark belongs to
PAINTED = "data-paint"  # a mark that would give a number away before its step
STYLED = ("style", "font-family", "overflow")  # what a drawing brings for notebooks, and pencil.css says for all slides at once


class Slides(SphinxDirective):
    """The drawings in the order of the book."""

    option_spec = dict.fromkeys(("part", "without"), directives.unchanged_required)

    def run(self):
        stops = path(Path(self.env.srcdir))
        depend(self.env, stops)
        made = nodes.container(classes=["pencil-slides"])
        part, without = self.options.get("part"), self.options.get("without")
        if {part, without} - {None, *(stop["part"] for stop in stops.values())}:
            raise self.error(f"there is no part {part or without!r} in _toc.yml")
        for name, stop in stops.items():
            if part not in (None, stop["part"]) or stop["part"] == without:
                continue
            for drawing in drawings(Path(self.env.srcdir, f"notebooks/{name}.ipynb")):
                made += nodes.raw("", slide(drawing, numbered(stop)), format="html")
        return [made]


def drawings(notebook):  # Path -> list of Tag
    """The drawings that its cells show; those of a lab belong to the lab."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    shown = ("".join(output.get("data", {}).get("text/html", "")) for cell in cells for output in cell.get("outputs", ()))
    return [drawing for html in shown if LAB not in html for drawing in BeautifulSoup(html, "html.parser").select(".pencil-drawing")]


def slide(drawing, chapter):  # Tag, str -> str
    """A drawing whose numbers lead nowhere, with the name of its chapter."""
    for mark in drawing.find_all(True):
        for name in [name for name in mark.attrs if name.startswith("data-") and name != STEPS]:
            if name == PAINTED:
                mark[name] = ""
            else:
                del mark[name]
    for mark in drawing.find_all("tspan"):
        if not mark.attrs:  # it only bound a number
            mark.unwrap()
    for name in STYLED:
        del drawing.svg[name]
    above = BeautifulSoup("", "html.parser").new_tag("small")
    above.string = chapter
    drawing.find("figcaption").insert(0, above)
    return str(drawing)


def step(app, pagename, templatename, context, doctree):
    """The script, for the steps."""
    if doctree is not None and 'class="pencil-slides' in context["body"]:
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app):
    """The directive, and its script."""
    app.add_directive("slides", Slides)
    app.connect("html-page-context", step)
