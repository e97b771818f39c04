"""A line is a list of fragments: plain text, and numbers that know which value they are."""

from dataclasses import dataclass, replace
from html import escape

from pencil.rounding import MINUS, as_given, is_whole, settle

SUM, NEGATIVE, PRODUCT, POWER, ATOM = range(5)  # how tightly an expression holds together


@dataclass(frozen=True)
class Number:
    """A written number, the reference that finds it, and its exact value in six places.

    `cut` says that digits were cut for show, `track` is "exact" where the paper digits would differ.
    """

    text: str
    reference: str
    exact: str
    cut: bool = False
    track: str = ""

    def html(self):
        track = f' data-track="{self.track}"' if self.track else ""
        return f'<span class="pencil-number"{track} data-value="{escape(self.reference)}" data-exact="{self.exact}">{self.text}</span>'


def plain(fragments):
    """Fragments as text."""
    return "".join(f.text if isinstance(f, Number) else f for f in fragments)


def html(fragments):
    """Fragments as HTML, every number in a span that says which value it is."""
    return "".join(f.html() if isinstance(f, Number) else escape(f, quote=False) for f in fragments)


def join(sides, sign):
    """The sides with a sign between them."""
    return [f for i, side in enumerate(sides) for f in ([sign] if i else []) + list(side)]


def row(numbers):
    """[a, b, c]"""
    return ["[", *join([[n] for n in numbers], ", "), "]"]


def wrap(expression, needed):
    """Brackets round an expression that holds less tightly than its place needs."""
    fragments, level = expression
    return fragments if level >= needed else ["(", *fragments, ")"]


def plus(terms):
    """a + b − c: a negative term is taken away."""
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
    """A function of one or two expressions: e^x, √x, ln(x), max(x, 0)."""
    if op == "exp":
        return ["e^", *wrap(operands[0], ATOM)], POWER
    if op == "sqrt":
        return ["√", *wrap(operands[0], ATOM)], POWER
    if op == "negative":
        if not plain(operands[0][0]).strip("0."):  # there is no minus nought
            return operands[0]
        return [MINUS, *wrap(operands[0], PRODUCT)], NEGATIVE
    name = {"log": "ln", "maximum": "max", "minimum": "min"}.get(op, op)
    return [f"{name}(", *join([fragments for fragments, _ in operands], ", "), ")"], ATOM


def constant_digits(x):
    """A number that stands in the code; a divisor such as √32 keeps its root, for its digits never end."""
    if x - x == 0 and x > 0 and not is_whole(x) and is_whole(x * x):
        return f"√{int(settle(x * x))}"
    return as_given(x)
