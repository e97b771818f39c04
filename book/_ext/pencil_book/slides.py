"""The directive `{slides}`: the drawings of the chapters as slides, printed in landscape on a sheet each, with their contents above.

`:part:` selects a part of the book, `:without:` excludes one. The numbers of a slide are not interactive, but its steps can be played.
"""

from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from myst_parser.mdit_to_docutils.base import default_slugify
from sphinx.util.docutils import SphinxDirective

from pencil.publish.slides import TOLD, as_html, slides, told
from pencil_book.live import SCRIPT
from pencil_book.path import depend, path


class Slides(SphinxDirective):
    """The drawings in the order of the book."""

    option_spec = dict.fromkeys(("part", "without"), directives.unchanged_required)

    def run(self):
        folder = Path(self.env.srcdir)
        stops = path(folder)
        depend(self.env, stops)
        self.env.note_dependency(str(folder / TOLD))
        made = nodes.container(classes=["pencil-slides"])
        part, without = self.options.get("part"), self.options.get("without")
        if {part, without} - {None, *(stop.part for stop in stops.values())}:
            raise self.error(f"there is no part {part or without!r} in _toc.yml")
        contents = []
        for name, stop in stops.items():
            if part not in (None, stop.part) or stop.part == without:
                continue
            shown = slides(folder / f"notebooks/{name}.ipynb", told(folder))
            if shown:
                contents.append(f'<li><a href="#slides-{stop.number}">{escape(str(stop))}</a></li>')
                made += nodes.raw("", f'<span id="slides-{stop.number}"></span>', format="html")
            made += [nodes.raw("", as_html(slide, str(stop), _address(name)), format="html") for slide in shown]
        return [nodes.raw("", f'<ul class="pencil-contents">{"".join(contents)}</ul>', format="html"), made]


def _address(name):  # of a section in a chapter, seen from a page in book/
    return lambda heading: f"../notebooks/{name}.html#{default_slugify(heading)}"


def step(app, pagename, templatename, context, doctree):
    """Add the script that plays the steps."""
    if doctree is not None and 'class="pencil-slides' in context["body"]:
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app):
    """Register the directive."""
    app.add_directive("slides", Slides)
