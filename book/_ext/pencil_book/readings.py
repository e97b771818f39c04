"""The directives `{beside}`, a value of a chapter's run in all number formats, and `{bill}`, the operation counts of a run.

Both are computed from the run when the page is built.
"""

from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from pencil.checker.library import Library, Stale
from pencil.formats import FORMATS
from pencil.paths import chapter_named, chapter_number
from pencil.trace.costs import OPERATION_COUNTS
from pencil.worked import html

COLUMNS = (*OPERATION_COUNTS, "reads", "writes")
SIGNS = {"multiplications": "·", "additions": "+", "divisions": "/", "functions": "e^x", "comparisons": "max"}  # short column headers


class OfRun(SphinxDirective):
    """The base class of both; the first argument is the chapter, as `block` for 10_block.md."""

    has_content = False

    def run(self):
        """One node of HTML."""
        try:
            return [nodes.raw("", self.written(self.worked(self.arguments[0]), *self.arguments[1:]), format="html")]
        except (KeyError, Stale, ValueError) as wrong:
            raise self.error(f"{self.name}: {wrong.args[0]}") from None

    def worked(self, name):
        """The main run of a chapter."""
        library = Library(Path(self.env.srcdir, "notebooks"))
        source = chapter_named(name, library.folder)
        if source is None:
            raise KeyError(f"no chapter is named {name!r}; write block for 10_block.md")
        self.env.note_dependency(str(source.with_suffix(".ipynb")))
        return library.chapter(chapter_number(source)).replay()[""]["paper"]


class Beside(OfRun):
    """`{beside} look_across nolan.weights[ended]`: a value exactly, on paper, and in every format."""

    required_arguments = 2

    def written(self, worked, reference):
        """The lines as HTML; their numbers are not interactive."""
        lines = [[f if isinstance(f, str) else f.text for f in line] for line in worked.beside(reference, *FORMATS).lines]
        return '<div class="pencil-worked">' + "\n".join(f'<p style="margin: 0">{html(line)}</p>' for line in lines) + "</div>"


class BillOfRun(OfRun):
    """`{bill} look_across scores weights`: a row for each of these values (or for all named values), and the total."""

    required_arguments, optional_arguments = 1, 20

    def written(self, worked, *names):
        """The table, without columns for operations that do not occur."""
        trace = worked.trace
        names = names or [name for name, step in trace.names.items() if step.op == "note"]
        bills = [(worked.label(name), trace.bill(name)) for name in names] + [("together", trace.bill(*names))]
        columns = [word for word in COLUMNS if getattr(bills[-1][1], word)]
        head = "".join(f'<th scope="col"><abbr title="{word}">{SIGNS.get(word, word)}</abbr></th>' for word in columns)
        rows = [f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{count(bill, word)}</td>" for word in columns)}</tr>' for name, bill in bills]
        return f'<table class="table pencil-bill"><thead><tr><td></td>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def count(bill, word):
    """The count as text; empty for zero."""
    return f"{number:,}" if (number := getattr(bill, word)) else ""


def setup(app):
    """Register the directives."""
    app.add_directive("beside", Beside)
    app.add_directive("bill", BillOfRun)
