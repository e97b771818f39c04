"""A line is a list of fragments: plain texts, and Numbers, which carry the reference of their value."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from html import escape

from pencil.rounding import MINUS, as_given, is_whole, settle, show

SUM, NEGATIVE, PRODUCT, POWER, ATOM = range(5)  # precedence of an expression

# A blank after a sign, where a long line must not break: the next line begins with its sign. Nor does a row; before it a line may break.
AFTER_SIGN = re.compile(rf"(?<=[=≈+{MINUS}/×·]) |(?<=,) (?!\[)")


@dataclass(frozen=True)
class Number:
    """A written number.

    - `text`: its digits
    - `reference`: finds the value in the trace
    - `exact`: the digits of the exact value
    - `cut`: whether `text` is rounded for display
    - `track`: the track, such as "exact", where its digits differ from those on paper; else ""
    - `more`: whether the exact digits differ from `text`
    - `labelled`: the reference with the page's labels in place of names; "" if it is the same
    """

    text: str
    reference: str
    exact: str
    cut: bool = False
    track: str = ""
    more: bool = False
    labelled: str = ""

    def html(self):
        track = f' data-track="{self.track}"' if self.track else ""
        more = " data-more" if self.more else ""
        labelled = f' data-label="{escape(self.labelled)}"' if self.labelled else ""
        value = f' data-value="{escape(self.reference)}" data-exact="{self.exact}"'
        return f'<span class="pencil-number"{track}{more}{labelled}{value}>{self.text}</span>'


def grouped(line):
    """Commas in the long numbers of a worked line, as the prose has them; not in rows, where commas separate numbers.

    >>> grouped("bytes = 2·12·1536 = 36864"), grouped("[1177, 1] / 2356")
    ('bytes = 2·12·1,536 = 36,864', '[1177, 1] / 2356')
    """
    return line if re.search(r"[\[\]]|, ", line) else re.sub(r"(?<![0-9.])[0-9]{4,}", lambda digits: f"{int(digits[0]):,}", line)


def plain(fragments):
    """Fragments as text."""
    return "".join(f.text if isinstance(f, Number) else f for f in fragments)


def html(fragments):
    """Fragments as HTML, every number in a span with its reference; lines do not break after a sign."""
    return "".join(f.html() if isinstance(f, Number) else AFTER_SIGN.sub("&nbsp;", escape(f, quote=False)) for f in fragments)


def data(attributes):
    """Data attributes as they stand in a tag: ` data-show="nolan.query"`."""
    return "".join(f' data-{name}="{escape(text)}"' for name, text in attributes.items())


def join(sides, sign):
    """The sides with a sign between them."""
    return [f for i, side in enumerate(sides) for f in ([sign] if i else []) + list(side)]


def row(numbers):
    """[a, b, c]"""
    return ["[", *join([[n] for n in numbers], ", "), "]"]


def wrap(expression, needed):
    """The expression (fragments, precedence), in brackets if its precedence is lower than needed."""
    fragments, level = expression
    return fragments if level >= needed else ["(", *fragments, ")"]


def plus(terms):
    """a + b − c: negative terms are subtracted."""
    out = list(terms[0][0])
    for fragments, level in terms[1:]:
        head = fragments[0]
        if level == NEGATIVE and isinstance(head, Number):
            out += [f" {MINUS} ", replace(head, text=head.text[1:])]
        elif level == NEGATIVE and head.startswith(MINUS):
            out += [f" {MINUS} ", *([head[1:]] if head[1:] else []), *fragments[1:]]
        else:
            out += [" + ", *wrap((fragments, level), PRODUCT)]
    return out


def call(op, operands):
    """A function of one or two expressions: e^x, √x, x^y, ln(x), max(x, 0)."""
    if op == "exp":
        return ["e^", *wrap(operands[0], ATOM)], POWER
    if op == "sqrt":
        return ["√", *wrap(operands[0], ATOM)], POWER
    if op == "negative":
        if not plain(operands[0][0]).strip("0."):  # there is no minus zero
            return operands[0]
        return [MINUS, *wrap(operands[0], PRODUCT)], NEGATIVE
    if op == "power":
        return [*wrap(operands[0], ATOM), "^", *wrap(operands[1], ATOM)], POWER
    name = {"log": "ln", "maximum": "max", "minimum": "min", "absolute": "abs", "rint": "round"}.get(op, op)
    return [f"{name}(", *join([fragments for fragments, _ in operands], ", "), ")"], ATOM


def constant_digits(x):
    """A constant of the code; an irrational root, such as the divisor √32, is written as a root."""
    if x > 0 and x * x < 1e9 and not is_whole(x) and is_whole(x * x) and settle(x * x):  # every larger square would look whole
        return f"√{int(settle(x * x))}"
    return as_given(x)


def exact_digits(x):
    """The exact value as a page shows it: six decimals, or three significant digits if that is more, without trailing zeros.

    >>> exact_digits(20 / 21), exact_digits(0.5), exact_digits(8.0), exact_digits(0.00001234)
    ('0.952381', '0.5', '8', '0.0000123')
    """
    if not abs(x) < 1e9:  # such numbers are not rounded
        return show(x)
    places = min(10, max(6, 2 - settle(x).adjusted()))
    ended = as_given(x)
    return ended if len(ended.partition(".")[2]) <= places else show(x, places, figures=None)


def has_more(written, exact):  # str, str -> bool
    """Whether the two are different numbers."""
    return written != exact and len({Decimal(digits.replace(MINUS, "-").replace("∞", "Infinity")) for digits in (written, exact)}) > 1
