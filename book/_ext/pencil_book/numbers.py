"""Numbers that open: each bound numeral of the prose carries its exact value, which the style sheet shows on hover or tap.

In a chapter the numeral is already a span (`<span data-value="nolan.weights[1]">0.953</span>`, written by the
render tool); in book/*.md it is the role {v}`0.953 <06:nolan.weights[1]>`, with the chapter before the name.
"""

import re
from html import escape, unescape
from pathlib import Path

import numpy as np
from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from pencil.prose.library import Library, Stale
from pencil.prose.published import Reference
from pencil.rounding import show

logger = logging.getLogger(__name__)

EXACT_PLACES = 6
BOUND = re.compile(r'<span data-value="([^"]*)">')
IN_OUTPUT = re.compile(r'<span class="pencil-number"(?![^>]*tabindex)')
ROLE = re.compile(r"(?P<digits>.*)<(?P<binding>[^<>]+)>\s*", re.DOTALL)
TAPPED = 'tabindex="-1"'  # a tap can focus it, yet it is no stop for the Tab key


def attributes(binding, library):  # str, Library -> str
    """The attributes of a number's span.

    Raises KeyError where the binding names nothing, Stale where its notebook is out of date.
    """
    reference = Reference.parse(binding)
    written = {"class": "pencil-number", "data-value": reference.name}
    if reference.track == "exact":
        written["data-track"] = "exact"
    if reference.mode != "count" and not reference.name.startswith("page."):  # a size or a year has no further digits
        written["data-exact"] = exact_text(library.find(binding).exact)
    return " ".join([f'{name}="{escape(text)}"' for name, text in written.items()] + [TAPPED])


def exact_text(value):  # (...) -> str
    """A number to six places, a whole one bare; rows and grids in brackets."""
    if np.ndim(value):
        return f"[{', '.join(exact_text(part) for part in value)}]"
    return show(value, places=EXACT_PLACES, figures=None, whole=True)


class number(nodes.General, nodes.Inline, nodes.TextElement):
    """A number of a page without code."""


class NumberRole(SphinxRole):
    """{v}`0.953 <06:nolan.weights[1]>`: the digits and the value that they stand for."""

    def run(self):
        """The digits as a node that knows its binding."""
        parts = ROLE.fullmatch(self.text)
        if parts is None:
            logger.warning("{v}`%s` lacks its value: {v}`0.953 <06:nolan.weights[1]>`", self.text, location=self.get_location())
            return [nodes.Text(self.text)], []
        return [number(self.rawtext, parts["digits"].strip(), binding=parts["binding"])], []


class OpenNumbers(SphinxTransform):
    """Give every bound number of a page its exact value."""

    default_priority = 900

    def apply(self):
        """The numbers of the role, then the spans that stand as HTML."""
        page = Path(self.env.doc2path(self.env.docname))
        library = Library(Path(self.env.srcdir, "notebooks")).beside(page)
        for node in self.document.findall(number):
            node["attributes"] = look_up(node["binding"], library, node)
        for node in self.document.findall(nodes.raw):
            if "html" in node.get("format", "").split():
                open_spans(node, library)


def open_spans(node, library):
    """Open the spans of a chapter, and give the numbers of its outputs a place to tap."""
    html = BOUND.sub(lambda found: f"<span {look_up(unescape(found[1]), library, node)}>", node.astext())
    html = IN_OUTPUT.sub(f'<span class="pencil-number" {TAPPED}', html)
    if html != node.astext():
        node.children = [nodes.Text(html)]


def look_up(binding, library, node):
    """The attributes of one number; a binding that names nothing fails the build."""
    try:
        return attributes(binding, library)
    except (KeyError, Stale) as wrong:
        logger.warning("'%s': %s", binding, wrong.args[0], location=node)
        return 'class="pencil-number"'


def visit_number(writer, node):
    """Open the span."""
    writer.body.append(f"<span {node['attributes']}>")


def depart_number(writer, node):
    """Close it."""
    writer.body.append("</span>")


def setup(app):
    """Register the role and the transform."""
    app.add_node(number, html=(visit_number, depart_number))
    app.add_role("v", NumberRole())
    app.add_transform(OpenNumbers)
