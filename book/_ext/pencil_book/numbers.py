"""Numbers that open: a bound numeral of a run that the page carries knows its value, which the page's script opens, and its exact digits, which the
style sheet shows on hover or tap. Any other (a size, a year, a figure, a number of another page's run) cannot be opened, and looks like the text.

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

from pencil.checker.digits import FRACTIONS, NUMERAL
from pencil.checker.library import Library, Stale
from pencil.checker.numerals import ROLE_TEXT
from pencil.checker.values import Reference
from pencil.formats import FORMATS
from pencil.worked.fragments import exact_digits
from pencil_book.drawn import shows

logger = logging.getLogger(__name__)

# Regular expressions, not a parser: in Sphinx's tree each tag of the Markdown is a node of its own, so a node may be an opening tag alone.
# The render tool wrote these tags, so their form is known.
BOUND = re.compile(r'<span data-value="([^"]*)">([^<]*)')
SIGNED = re.compile(rf"−?(?:{NUMERAL.pattern})")
LAST_SIDE = re.compile(r"[^=≈]*\Z")
DESCRIBED = ("data-exact", "data-label", "data-more")  # what opens on a number
SHORT = 24  # characters that stay on one line


def attributes(binding, written, library, doctree=None):  # str, str, Library, doctree -> str
    """The attributes of the span round written digits. A page without code carries what its drawings show, a chapter all of its own runs.

    Raises KeyError where the binding names nothing, Stale where its notebook is out of date.
    """
    reference = Reference.parse(binding)
    said = {"class": "pencil-number"} | ({"data-track": reference.mode} if reference.mode in ("exact", *FORMATS) else {})
    if reference.mode != "count" and not reference.name.startswith("page."):  # a size or a year has nothing behind it
        found = library.find(binding)
        if found.worked and (reference.chapter in ("", library.own) if doctree is None else shows(doctree, found)):
            said |= behind(reference, written, found)
    if len(written) <= SHORT:
        said["class"] += " short"
    return " ".join(f'{name}="{escape(text)}"' for name, text in said.items())


def behind(reference, written, found):  # Reference, str, Found -> dict
    """What the script and the style sheet open on a number: its name, the page's word for it, and its exact digits where they are others."""
    said, worked, exact = {"data-value": reference.name}, found.worked["paper"], opened(written, found.exact)
    if worked.trace.find(found.local).array.op == "given":
        said["class"] = "pencil-number given"
    if numbers(LAST_SIDE.search(written)[0]) != numbers(exact):
        said["data-exact"] = exact
    if words := worked.labelled(found.local):
        said["data-label"] = words
    return said


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
            node["attributes"] = look_up(node["binding"], node.astext(), library, node, self.document)
        for node in self.document.findall(nodes.raw):
            if "html" in node.get("format", "").split():
                open_spans(node, library)


def open_spans(node, library):
    """Open the spans of a chapter. Its script makes a number one to be tapped when it is touched."""

    def span(found):
        binding, inside = unescape(found[1]), unescape(found[2]) or after(node)
        return f"<span {look_up(binding, inside, library, node)}>{found[2]}"

    html = BOUND.sub(span, node.astext())
    if html != node.astext():
        node.clear()
        node += nodes.Text(html)


def slim(page):  # BeautifulSoup
    """Leave out what the page's script writes as well, from the runs that the page carries: a large page has more than a thousand numbers."""
    if page.find(id="pencil-runs"):
        for lines in page.select(".pencil-worked[data-show]"):
            closed(lines)
        for number in page.select(":is(.pencil-picture, .pencil-drawing li) .pencil-number"):
            number.attrs = {name: value for name, value in number.attrs.items() if name not in DESCRIBED}
    for number in page.select(":is(.pencil-worked, .pencil-picture, .pencil-lab) .pencil-number[data-exact]:not([data-more])"):
        del number["data-exact"]  # they are the written digits


def closed(lines):  # BeautifulSoup's tag
    """Worked lines without the spans of their numbers, as `closed` in pencil/web/page/bound.js; the script puts them back when it is asked."""
    for number in lines.select(".pencil-number"):
        if number.get("data-track"):
            number.name, number.attrs = "u", {}
        else:
            number.unwrap()
    lines.smooth()


def after(node):  # in Markdown the tag stands alone, and the digits follow as text
    """The text between an opening tag and the next tag."""
    following = node.parent[node.parent.index(node) + 1 :]
    return "".join(sibling.astext() for sibling in takewhile(lambda sibling: not isinstance(sibling, nodes.raw), following))


def look_up(binding, written, library, node, doctree=None):
    """The attributes of one number; a binding that names nothing fails the build."""
    try:
        return attributes(binding, written, library, doctree)
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
