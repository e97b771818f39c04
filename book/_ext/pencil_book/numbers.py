"""Interactive numbers: a bound numeral gets attributes with its reference, which the page's script uses, and its exact digits, which the
style sheet shows on hover. Numerals without a run on the page (sizes, years, figures, values of other pages) are plain text.

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

# Regular expressions, not a parser: in Sphinx's tree a raw HTML node may be a start tag alone. The render tool wrote these tags, so their
# form is known.
BOUND = re.compile(r'<span data-value="([^"]*)">([^<]*)')
GIVEN = re.compile(r'<div class="pencil-(?:worked|picture)" data-show="(?P<names>[^"]*)"(?: data-run="(?P<run>[^"]*)")?')
SIGNED = re.compile(rf"−?(?:{NUMERAL.pattern})")
LAST_SIDE = re.compile(r"[^=≈]*\Z")
DESCRIBED = ("data-exact", "data-label", "data-more")  # shown on hover
SHORT = 24  # characters that stay on one line


def attributes(binding, written, library, doctree=None):  # str, str, Library, doctree -> str
    """The attributes of the span around a numeral; empty if the page does not carry its run.

    Raises KeyError for an unknown reference, Stale if the notebook is out of date.
    """
    reference = Reference.parse(binding)
    said = {"class": "pencil-number"} | ({"data-track": reference.mode} if reference.mode in ("exact", *FORMATS) else {})
    if reference.mode != "count" and not reference.name.startswith("page."):  # a size or a year has no run
        found = library.find(binding)
        if found.worked and (reference.chapter in ("", library.own) if doctree is None else shows(doctree, found)):
            said |= behind(reference, written, found)
    if len(written) <= SHORT:
        said["class"] += " short"
    return " ".join(f'{name}="{escape(text)}"' for name, text in said.items())


def behind(reference, written, found):  # Reference, str, Found -> dict
    """The data attributes of a number: its reference, its label, and its exact digits if they differ."""
    said, worked, exact = {"data-value": reference.name}, found.worked["paper"], opened(written, found.exact)
    if worked.trace.find(found.local).array.op == "given":
        said["class"] = "pencil-number given"
    if numbers(LAST_SIDE.search(written)[0]) != numbers(exact):
        said["data-exact"] = exact
    if words := worked.labelled(found.local):
        said["data-label"] = words
    return said


def opened(written, value):  # str, (...) -> str
    """The exact value to show for written digits, in percent if they are."""
    return f"{exact_text(100 * value)} %" if written.endswith("%") else exact_text(value)


def exact_text(value):  # (...) -> str
    """An exact value, rows and grids in brackets."""
    if np.ndim(value):
        return f"[{', '.join(exact_text(part) for part in value)}]"
    return exact_digits(float(value))


def numbers(text):  # str -> list of Decimal
    """All numbers in a text."""
    return [_number(numeral) for numeral in SIGNED.findall(text)]


def _number(numeral):  # "−½", "10,000" -> Decimal
    sign, digits = (-1, numeral[1:]) if numeral[0] == "−" else (1, numeral)
    over, under = FRACTIONS.get(digits, (digits.replace(",", ""), 1))
    return sign * Decimal(over) / under


class number(nodes.General, nodes.Inline, nodes.TextElement):
    """A bound number of a page without code."""


class NumberRole(SphinxRole):
    """{v}`0.953 <06:nolan.weights[1]>`: digits and the reference of their value."""

    def run(self):
        """The digits as a node with its binding."""
        parts = ROLE_TEXT.fullmatch(self.text.strip())
        if parts is None:
            logger.warning("{v}`%s` lacks its value: {v}`0.953 <06:nolan.weights[1]>`", self.text, location=self.get_location())
            return [nodes.Text(self.text)], []
        return [number(self.rawtext, parts["shown"].strip(), binding=parts["reference"])], []


class ClaimRole(SphinxRole):
    """{when}`falls <03:behind[0, 0] > 03:behind[0, 1]>` on a page of book/: its words. The checker has judged the condition."""

    def run(self):
        """The words as plain text: nothing on such a page can make them false."""
        return [nodes.Text(self.text.partition("<")[0].strip())], []


class OpenNumbers(SphinxTransform):
    """Add the attributes to every bound number of a page."""

    default_priority = 900

    def apply(self):
        """The numbers of the role, then the spans in raw HTML."""
        page = Path(self.env.doc2path(self.env.docname))
        library = Library(Path(self.env.srcdir, "notebooks")).beside(page)
        for node in self.document.findall(number):
            node["attributes"] = look_up(node["binding"], node.astext(), library, node, self.document)
        for node in self.document.findall(nodes.raw):
            if "html" in node.get("format", "").split():
                open_spans(node, library)


def open_spans(node, library):
    """Add the attributes to the spans of a chapter."""

    def span(found):
        binding, inside = unescape(found[1]), unescape(found[2]) or after(node)
        return f"<span {look_up(binding, inside, library, node)}>{found[2]}"

    html = GIVEN.sub(lambda found: found[0] + " data-given" * is_given(found, library), BOUND.sub(span, node.astext()))
    if html != node.astext():
        node.clear()
        node += nodes.Text(html)


def is_given(found, library):  # match of GIVEN -> bool
    """Whether a sheet or a picture shows nothing but given numbers, which a reader may replace."""
    run = f"{found['run']}." if found["run"] else ""
    shown = (library.find(unescape(f"{run}{name}")) for name in found["names"].split())
    return all(one.worked["paper"].trace.find(one.local).array.op == "given" for one in shown)


def slim(page):  # BeautifulSoup
    """Remove attributes that the page's script can compute from the runs: a large page has more than a thousand numbers."""
    if page.find(id="pencil-runs"):
        for lines in page.select(".pencil-worked[data-show]"):
            closed(lines)
        for number in page.select(":is(.pencil-picture, .pencil-drawing li) .pencil-number"):
            number.attrs = {name: value for name, value in number.attrs.items() if name not in DESCRIBED}
    for number in page.select(":is(.pencil-worked, .pencil-picture, .pencil-lab) .pencil-number[data-exact]:not([data-more])"):
        del number["data-exact"]  # equal to the written digits


def mark_exact(page):  # BeautifulSoup
    """On a page whose worked lines, those of labs aside, are all exact, let the cards of all its numbers be exact as well."""
    lines = page.select(".pencil-worked:not(.pencil-lab *)")
    if lines and all(one.get("data-track") == "exact" for one in lines):
        page.find("article")["data-turned"] = "exact"


def closed(lines):  # BeautifulSoup's tag
    """Worked lines without the spans of their numbers, as `closed` in pencil/web/page/bound.js; the script restores them on demand."""
    for number in lines.select(".pencil-number"):
        if number.get("data-track"):
            number.name, number.attrs = "u", {}
        else:
            number.unwrap()
    lines.smooth()


def after(node):
    """The text between an opening tag and the next tag."""
    following = node.parent[node.parent.index(node) + 1 :]
    return "".join(sibling.astext() for sibling in takewhile(lambda sibling: not isinstance(sibling, nodes.raw), following))


def look_up(binding, written, library, node, doctree=None):
    """The attributes of one number; an unknown reference is a warning, which fails the build."""
    try:
        return attributes(binding, written, library, doctree)
    except (KeyError, Stale) as wrong:
        logger.warning("'%s': %s", binding, wrong.args[0], location=node)
        return 'class="pencil-number"'


def visit_number(writer, node):
    """Write the start tag."""
    writer.body.append(f"<span {node['attributes']}>")


def depart_number(writer, node):
    """Write the end tag."""
    writer.body.append("</span>")


def setup(app):
    """Register the role and the transform."""
    app.add_node(number, html=(visit_number, depart_number))
    app.add_role("v", NumberRole())
    app.add_role("when", ClaimRole())
    app.add_transform(OpenNumbers)
