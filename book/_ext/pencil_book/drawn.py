"""The directive `{drawing}`: a drawing of pencil.drawings in a page without code, from the run of a chapter or of a lab.

The page carries that run, so the numbers of the drawing, and the bound numbers of the prose, are interactive as in a chapter.
"""

from pathlib import Path

import numpy as np
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from pencil import drawings, widgets
from pencil.checker.library import Library, Stale
from pencil.paths import chapter_named, chapter_number
from pencil.worked import export


class drawn(nodes.raw):
    """The HTML of a drawing, and its run."""


class DrawnRun(SphinxDirective):
    """`{drawing} NAME TITLE`: NAME is a function of pencil.drawings whose arguments are a run and a title.

    `:chapter: block` draws the main run of 10_block.md, `:lab: RowLab` the first run of a lab.
    """

    required_arguments = 2
    final_argument_whitespace = True
    option_spec = dict.fromkeys(("chapter", "lab"), directives.unchanged_required)

    def run(self):
        """The drawing as one node."""
        name, title = self.arguments
        try:
            if "chapter" in self.options:
                self.env.note_dependency(str(_source(Path(self.env.srcdir), self.options["chapter"]).with_suffix(".ipynb")))
            worked = worked_of(Path(self.env.srcdir), self.options)
            html = getattr(drawings, name)(worked, title)._repr_html_()
        except (AttributeError, KeyError, Stale, TypeError, ValueError) as wrong:
            raise self.error(f"drawing {name}: {wrong.args[0]}") from None
        return [drawn("", html, format="html", run=export(worked), worked=worked)]


def worked_of(folder, options):  # Path of the clone, {chapter or lab: name} -> Worked
    """The run of the chapter or lab. Raises ValueError for both or neither, KeyError for a chapter that is not there."""
    if ("lab" in options) == ("chapter" in options):
        raise ValueError("write :chapter: block or :lab: RowLab")
    if "lab" in options:
        return getattr(widgets, options["lab"])().variants[0].worked
    source = _source(folder, options["chapter"])
    return Library(source.parent).chapter(chapter_number(source)).replay()[""]["paper"]


def _source(folder, name):
    source = chapter_named(name, folder / "notebooks")
    if source is None:
        raise KeyError(f"no chapter is named {name!r}; write block for 10_block.md")
    return source


def runs(doctree):  # -> list of dicts
    """The distinct runs that a page draws. Raises ExtensionError for two main runs, whose names would collide."""
    found = []
    for node in doctree.findall(drawn):
        found += [node["run"]] if node["run"] not in found else []
    if len({run["run"] for run in found}) < len(found):
        raise ExtensionError("two drawings of a page are drawn from different runs of one name; give each a page of its own")
    return found


def shows(doctree, found):  # doctree, Found -> bool
    """Whether a drawing of the page shows this value of a chapter: same name, same name of the run, same numbers."""
    return any(_has(node["worked"], found) for node in doctree.findall(drawn))


def _has(worked, found):
    if worked.run != found.worked["paper"].run:
        return False
    try:
        return np.array_equal(worked.trace.find(found.local).exact, found.exact)
    except KeyError:
        return False


def setup(app):
    """Register the directive and the node, which is written as raw HTML."""
    app.add_node(drawn, html=(lambda writer, node: writer.visit_raw(node), None))
    app.add_directive("drawing", DrawnRun)
