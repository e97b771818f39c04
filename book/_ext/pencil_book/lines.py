"""Where a line of prose may break: never inside a short sum or row, and inside a long one only before a sign."""

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform

from pencil_book.numbers import SHORT

NO_BREAK = "\N{NO-BREAK SPACE}"
ROW = re.compile(rf"\[[−\d][^\[\]]{{0,{SHORT}}}\]")
PART = r"(?:[−√(\[]*\d|[−(]*e\^|[−(]*[½⅓⅔¼¾])[^\s,;:=]*"
SUM = re.compile(rf"{PART}(?: [=≈+−/×·] {PART})+")
LONG = re.compile(rf"[^ \n]{{{SHORT + 1},}}")  # more than a line on a phone may hold
BEFORE_SIGN = re.compile(rf"{NO_BREAK}(?=[=≈+×]{NO_BREAK})")
AFTER_SIGN = re.compile(r"(?<= [=≈+−/×·]) (?=[−√(\[]*\d|[−(]*e\^|\Z)")  # at the end of a text a bound number follows


def hold(text):  # str -> str
    """The text with no-break spaces where its sums and rows must hold together."""
    text = ROW.sub(lambda row: row[0].replace(" ", NO_BREAK), text)
    text = SUM.sub(lambda sum: sum[0].replace(" ", NO_BREAK) if len(sum[0]) <= SHORT else sum[0], text)
    text = AFTER_SIGN.sub(NO_BREAK, text)
    return LONG.sub(lambda run: BEFORE_SIGN.sub(" ", run[0]), text)


class HoldTogether(SphinxTransform):
    """Hold the sums of the prose together; code, formulas and titles stay as they are."""

    default_priority = 910

    def apply(self):
        """Every text of the page."""
        for element in self.document.findall(nodes.TextElement):
            if isinstance(element, nodes.FixedTextElement | nodes.literal | nodes.math | nodes.title):
                continue
            for text in [child for child in element if isinstance(child, nodes.Text)]:
                if (held := hold(str(text))) != text:
                    element.replace(text, nodes.Text(held))


def setup(app):
    """Register the transform."""
    app.add_transform(HoldTogether)
