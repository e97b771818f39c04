"""The directive `{slides}`: the drawings of the chapters as slides, printed in landscape on a sheet each.

`:part:` selects a part of the book, `:without:` excludes one. The numbers of a slide are not interactive, but its steps can be played.
"""

import json
from pathlib import Path

from bs4 import BeautifulSoup
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from pencil_book.live import LAB, SCRIPT
from pencil_book.path import depend, numbered, path

STEPS = "data-step"  # the step of a drawing that a mark belongs to
PAINTED = "data-paint"  # attributes that follow a number
STYLED = ("style", "font-family", "overflow")  # inline styles for notebooks, which media.css has for all slides


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
    """The drawings that the cells of a notebook show, without those of labs."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    shown = ("".join(output.get("data", {}).get("text/html", "")) for cell in cells for output in cell.get("outputs", ()))
    return [drawing for html in shown if LAB not in html for drawing in BeautifulSoup(html, "html.parser").select(".pencil-drawing")]


def slide(drawing, chapter):  # Tag, str -> str
    """A drawing without its bindings, with the name of its chapter."""
    for mark in drawing.find_all(True):
        for name in [name for name in mark.attrs if name.startswith("data-") and name != STEPS]:
            if name == PAINTED:
                mark[name] = ""
            else:
                del mark[name]
    for mark in drawing.find_all("tspan"):
        if not mark.attrs:  # it had only the binding of a number
            mark.unwrap()
    for name in STYLED:
        del drawing.svg[name]
    above = BeautifulSoup("", "html.parser").new_tag("small")
    above.string = chapter
    drawing.find("figcaption").insert(0, above)
    return str(drawing)


def step(app, pagename, templatename, context, doctree):
    """Add the script that plays the steps."""
    if doctree is not None and 'class="pencil-slides' in context["body"]:
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app):
    """Register the directive and the script."""
    app.add_directive("slides", Slides)
    app.connect("html-page-context", step)
