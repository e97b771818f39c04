"""Numbers that open: each bound numeral of the prose carries its exact value, which the style sheet shows on hover or tap.

In a chapter the numeral is already a span (`<span data-value="nolan.weights[1]">0.953</span>`, written by the
render tool); in book/*.md it is the role {v}`0.953 <06:nolan.weights[1]>`, with the chapter before the name.
"""

import re
from decimal import Decimal
from html import escape, unescape
from itertools import takewhile
from pathlib import Path

import numpy as np
from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from pencil.prose.digits import FRACTIONS, NUMERAL
from pencil.prose.library import Library, Stale
from pencil.prose.numerals import ROLE_TEXT
from pencil.prose.published import Reference
from pencil.worked.fragments import exact_digits

logger = logging.getLogger(__name__)

BOUND = re.compile(r'<span data-value="([^"]*)">([^<]*)')
IN_OUTPUT = re.compile(r'<span class="pencil-number"(?![^>]*tabindex)')
SIGNED = re.compile(rf"−?(?:{NUMERAL.pattern})")
LAST_SIDE = re.compile(r"[^=≈]*\Z")
TAPPED = 'tabindex="-1"'  # a tap can focus it, yet it is no stop for the Tab key
SHORT = 24  # characters that stay on one line


def attributes(binding, written, library):  # str, str, Library -> str
    """The attributes of the span round written digits.

    Raises KeyError where the binding names nothing, Stale where its notebook is out of date.
    """
    reference = Reference.parse(binding)
    said = {"class": "pencil-number short" if len(written) <= SHORT else "pencil-number", "data-value": reference.name}
    if reference.track == "exact":
        said["data-track"] = "exact"
    if reference.mode != "count" and not reference.name.startswith("page."):  # a size or a year has no further digits
        found = library.find(binding)
        said["data-exact"] = opened(written, found.exact)
        if found.worked and (words := found.worked["paper"].says(found.local)):
            said["data-says"] = words
        if numbers(LAST_SIDE.search(written)[0]) != numbers(said["data-exact"]):
            said["data-more"] = ""
    return " ".join([f'{name}="{escape(text)}"' for name, text in said.items()] + [TAPPED])


def opened(written, value):  # str, (...) -> str
    """What opens on written digits: the exact value, in percent where they are."""
    return f"{exact_text(100 * value)} %" if written.endswith("%") else exact_text(value)


def exact_text(value):  # (...) -> str
    """An exact value, rows and grids in brackets."""
    if np.ndim(value):
        return f"[{', '.join(exact_text(part) for part in value)}]"
    return exact_digits(float(value))


def numbers(text):  # str -> list of Decimal
    """The numbers of a text, whatever stands round them."""
    return [_number(numeral) for numeral in SIGNED.findall(text)]


def _number(numeral):  # "−½", "10,000" -> Decimal
    sign, digits = (-1, numeral[1:]) if numeral[0] == "−" else (1, numeral)
    over, under = FRACTIONS.get(digits, (digits.replace(",", ""), 1))
    return sign * Decimal(over) / under


class number(nodes.General, nodes.Inline, nodes.TextElement):
    """A number of a page without code."""


class NumberRole(SphinxRole):
    """{v}`0.953 <06:nolan.weights[1]>`: the digits and the value that they stand for."""

    def run(self):
        """The digits as a node that knows its binding."""
        parts = ROLE_TEXT.fullmatch(self.text.strip())
        if parts is None:
            logger.warning("{v}`%s` lacks its value: {v}`0.953 <06:nolan.weights[1]>`", self.text, location=self.get_location())
            return [nodes.Text(self.text)], []
        return [number(self.rawtext, parts["said"].strip(), binding=parts["reference"])], []


class OpenNumbers(SphinxTransform):
    """Give every bound number of a page its exact value."""

    default_priority = 900

    def apply(self):
        """The numbers of the role, then the spans that stand as HTML."""
        page = Path(self.env.doc2path(self.env.docname))
        library = Library(Path(self.env.srcdir, "notebooks")).beside(page)
        for node in self.document.findall(number):
            node["attributes"] = look_up(node["binding"], node.astext(), library, node)
        for node in self.document.findall(nodes.raw):
            if "html" in node.get("format", "").split():
                open_spans(node, library)


def open_spans(node, library):
    """Open the spans of a chapter, and give the numbers of its outputs a place to tap."""

    def span(found):
        binding, inside = unescape(found[1]), unescape(found[2]) or after(node)
        return f"<span {look_up(binding, inside, library, node)}>{found[2]}"

    html = IN_OUTPUT.sub(f'<span class="pencil-number" {TAPPED}', BOUND.sub(span, node.astext()))
    if html != node.astext():
        node.children = [nodes.Text(html)]


def after(node):  # in Markdown the tag stands alone, and the digits follow as text
    """The text between an opening tag and the next tag."""
    following = node.parent[node.parent.index(node) + 1 :]
    return "".join(sibling.astext() for sibling in takewhile(lambda sibling: not isinstance(sibling, nodes.raw), following))


def look_up(binding, written, library, node):
    """The attributes of one number; a binding that names nothing fails the build."""
    try:
        return attributes(binding, written, library)
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
