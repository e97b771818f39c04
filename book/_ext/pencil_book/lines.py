"""Prevent line breaks inside short sums and rows; long ones may break before a sign only."""

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform

from pencil_book.numbers import SHORT

NO_BREAK = "\N{NO-BREAK SPACE}"
ROW = re.compile(rf"\[[−\d][^\[\]]{{0,{SHORT}}}\]")
PART = r"(?:[−√(\[]*\d|[−(]*e\^|[−(]*[½⅓⅔¼¾])[^\s,;:=]*"
SUM = re.compile(rf"{PART}(?: [=≈+−/×·] {PART})+")
LONG = re.compile(rf"[^ \n]{{{SHORT + 1},}}")  # possibly too long for a line on a phone
BEFORE_SIGN = re.compile(rf"{NO_BREAK}(?=[=≈+×]{NO_BREAK})")
AFTER_SIGN = re.compile(r"(?<= [=≈+−/×·]) (?=[−√(\[]*\d|[−(]*e\^|\Z)")  # \Z, because a bound number may follow the text node


def hold(text):  # str -> str
    """Replace spaces in sums and rows by no-break spaces."""
    text = ROW.sub(lambda row: row[0].replace(" ", NO_BREAK), text)
    text = SUM.sub(lambda sum: sum[0].replace(" ", NO_BREAK) if len(sum[0]) <= SHORT else sum[0], text)
    text = AFTER_SIGN.sub(NO_BREAK, text)
    return LONG.sub(lambda run: BEFORE_SIGN.sub(" ", run[0]), text)


class HoldTogether(SphinxTransform):
    """Apply `hold` to the prose, except for code, formulas and titles."""

    default_priority = 910

    def apply(self):
        """Process every text node."""
        for element in self.document.findall(nodes.TextElement):
            if isinstance(element, nodes.FixedTextElement | nodes.literal | nodes.math | nodes.title):
                continue
            for text in [child for child in element if isinstance(child, nodes.Text)]:
                if (held := hold(str(text))) != text:
                    element.replace(text, nodes.Text(held))


def setup(app):
    """Register the transform."""
    app.add_transform(HoldTogether)
