"""The path: what each chapter does, what it goes on from, and the time it takes; on the home page, and under each chapter's title.

Nobody types a time. It is worked out from the page: see `minutes`.
"""

import json
import re
from functools import cache
from math import ceil
from pathlib import Path

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

from pencil.prose.page import read_page

PATH = "book/path.yml"
WORDS_A_MINUTE, WORDS_OF_A_LINE, MINUTES_OF_A_QUESTION, ROUNDED_TO = 150, 10, 3, 5
RULE = (
    f"Nobody guessed these times. Reading is {WORDS_A_MINUTE} words a minute, and a line of code or of a worked sum counts as {WORDS_OF_A_LINE} "
    f"words. A question for your pencil is {MINUTES_OF_A_QUESTION} minutes. Each time is rounded up to the next {ROUNDED_TO} minutes."
)
ROLE = re.compile(r"\{\w+\}`([^`<]*)<[^`]*`")
TARGET = re.compile(r"\]\([^)]*\)|https?://\S+")
WORD = re.compile(r"[^\W\d_]+|\d[\d.,]*")
SUMS = re.compile(r'<div class="pencil-worked".*?</div>', re.S)


def minutes(source):  # Path of a chapter's .md -> (minutes to read, minutes with the pencil)
    """By the rule above. Labs are left out: how long one plays is nobody's to say."""
    text = source.read_text(encoding="utf-8")
    page = read_page(text)
    said = " ".join(block.text for block in page.blocks if block.kind in ("prose", "heading", "title"))
    words = len(WORD.findall(TARGET.sub("", ROLE.sub(r"\1", said))))
    lines = sum(1 for cell in page.cells for line in cell.splitlines() if line.strip() and not line.startswith(":"))
    reading = (words + WORDS_OF_A_LINE * (lines + sums(source.with_suffix(".ipynb")))) / WORDS_A_MINUTE
    return up(reading), up(MINUTES_OF_A_QUESTION * text.count("{your-turn}"))


def up(time):
    """Rounded up."""
    return ROUNDED_TO * ceil(time / ROUNDED_TO)


def sums(notebook):  # Path -> int
    """The worked lines that the cells of a notebook show, those of labs left out."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    shown = ("".join(output.get("data", {}).get("text/html", "")) for cell in cells for output in cell.get("outputs", ()))
    return sum(sheet.count("<p") for html in shown if "pencil-lab" not in html for sheet in SUMS.findall(html))


@cache  # every page asks
def path(folder):  # the book's folder -> {chapter: {title, does, after, reading, pencil, torch}}, in reading order
    """What path.yml says, and what follows from the chapters."""
    stops = yaml.safe_load((folder / PATH).read_text(encoding="utf-8"))
    for name, stop in stops.items():
        source = folder / f"notebooks/{name}.md"
        page = read_page(source.read_text(encoding="utf-8"))
        title = next(block.text for block in page.blocks if block.kind == "heading")
        stop["reading"], stop["pencil"] = minutes(source)
        stop |= {"title": title.lstrip("# "), "after": stop.get("after", []), "torch": any("import torch" in cell for cell in page.cells)}
    return stops


def line(stop, stops):  # -> docutils nodes
    """How long a chapter takes and what it goes on from, in a line."""
    said = [nodes.Text(f"{stop['reading']} minutes to read, {stop['pencil']} with the pencil. ")]
    for at, name in enumerate(stop["after"]):
        before = "Goes on from " if at == 0 else ", " if at < len(stop["after"]) - 1 else " and "
        said += [nodes.Text(before), link(name, stops)]
    said.append(nodes.Text("." if stop["after"] else "Stands by itself."))
    if stop["torch"]:
        said.append(nodes.Text(" Its code uses PyTorch."))
    return nodes.container("", nodes.inline("", "", *said), classes=["pencil-time"])  # no paragraph: a page is not described by its time


def link(name, stops):
    """The title of a chapter, which leads there."""
    words = nodes.inline(text=stops[name]["title"])
    return addnodes.pending_xref("", words, refdomain="std", reftype="doc", reftarget=f"/notebooks/{name}", refexplicit=True)


def depend(env, names):
    """A page that quotes the path is read again when the path or one of these chapters changes."""
    for source in (PATH, *(f"notebooks/{name}{ending}" for name in names for ending in (".md", ".ipynb"))):  # its words, its lines
        env.note_dependency(str(Path(env.srcdir) / source))


class ThePath(SphinxDirective):
    """`{path}`: the chapters in their order, and the rule of the times."""

    def run(self):
        stops = path(Path(self.env.srcdir))
        depend(self.env, stops)
        listed = nodes.definition_list(classes=["pencil-path"])
        for name, stop in stops.items():
            does = self.parse_text_to_nodes(stop["does"])
            listed += nodes.definition_list_item("", nodes.term("", "", link(name, stops)), nodes.definition("", *does, line(stop, stops)))
        return [listed, nodes.paragraph(text=RULE)]


def under_the_title(app, doctree):
    """The same line under the title of a chapter."""
    stops = path(Path(app.srcdir))
    folder, _, name = app.env.docname.rpartition("/")
    if folder == "notebooks" and name in stops:
        depend(app.env, [name, *stops[name]["after"]])
        title = next(iter(doctree.findall(nodes.title)))
        title.parent.insert(title.parent.index(title) + 1, line(stops[name], stops))


def setup(app):
    """The directive, and the line of each chapter."""
    app.add_directive("path", ThePath)
    app.connect("doctree-read", under_the_title)
