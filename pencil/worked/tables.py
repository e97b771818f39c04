"""Pictures made of numbers: a heat map, bars and a plain table, as HTML.

They are tables first, so a screen reader, a terminal and a page without script read the digits;
colour and length only repeat them.
"""

from html import escape

import numpy as np

from pencil.rounding import MINUS, show
from pencil.worked import data, html, plain


class Picture:
    """A table with a caption that states what there is to see."""

    def __init__(self, kind, caption, head, rows, binding):
        self.kind, self.caption, self.head, self.rows, self.binding = kind, caption, head, rows, binding

    def __repr__(self):
        lines = [self.caption, *(f"  {label and f'{label}: '}" + "  ".join(plain([n]) for n, _ in cells) for label, cells in self.rows)]
        return "\n".join(lines)

    def _repr_html_(self):
        corner = "<td></td>" if self.rows[0][0] else ""  # an empty <th> would head nothing
        head = corner + "".join(f'<th scope="col">{escape(h)}</th>' for h in self.head) if self.head else ""
        body = "\n".join(f"<tr>{_row_head(label)}{''.join(self._cell(*c) for c in cells)}</tr>" for label, cells in self.rows)
        thead = f"<thead><tr>{head}</tr></thead>\n" if head else ""
        return (
            f'<div class="pencil-picture"{data(self.binding)}><table class="pencil-{self.kind}">\n'
            f"<caption>{escape(self.caption)}</caption>\n{thead}<tbody>\n{body}\n</tbody></table></div>"
        )

    def _cell(self, number, level):
        bar = f'<td class="bar"><span style="--v:{level}"></span></td>' if self.kind == "bars" else ""
        style = f' style="--v:{level}"' if self.kind == "heat" else ""
        return f"{bar}<td{style}>{html([number])}</td>"


class Beside:
    """Small pictures that stand beside each other where a page is wide enough, to be compared."""

    def __init__(self, *pictures):
        self.pictures = pictures

    def __repr__(self):
        return "\n".join(map(repr, self.pictures))

    def _repr_html_(self):
        inside = "\n".join(picture._repr_html_() for picture in self.pictures)
        return f'<div class="pencil-beside">\n{inside}\n</div>'


def _row_head(label):
    return f'<th scope="row">{escape(label)}</th>' if label else ""


def heat(worked, reference, caption):  # (rows, columns) -> Picture
    """A matrix of numbers, the stronger in colour the farther from zero, in one hue above it and in another below; rows and columns
    carry their words.

    Raises ValueError when the reference is not a matrix.
    """
    value = worked.trace.find(reference)
    if np.ndim(value.exact) != 2:
        raise ValueError(f"{reference} has the shape {np.shape(value.exact)}; a heat map needs rows and columns")
    shown = np.abs(value.exact[np.isfinite(value.exact)])  # what a mask hides has no colour
    most = float(shown.max()) if shown.size else 0.0
    rows, columns = (words or _numbered(n) for words, n in zip(value.words, value.exact.shape, strict=True))
    table = []
    for row, numbers, exact in zip(rows, worked.matrix(reference), value.exact, strict=True):
        cells = zip(numbers, exact, strict=True)
        table.append((str(row), [(number, _level(x, most)) for number, x in cells]))
    return Picture("heat", caption, [str(c) for c in columns], table, worked.binding(reference))


def bars(worked, reference, caption):  # (n,) -> Picture
    """One bar for each number of a row of fractions.

    Raises ValueError when the reference is not a row, or holds a number outside 0 to 1.
    """
    value = worked.trace.find(reference)
    if np.ndim(value.exact) != 1:
        raise ValueError(f"{reference} has the shape {np.shape(value.exact)}; bars need one row")
    if np.min(value.exact) < 0 or np.max(value.exact) > 1:
        raise ValueError(f"{reference} is {worked.row(reference)}; bars show fractions, between 0 and 1")
    labels = value.words[0] or _numbered(len(value.exact))
    cells = zip(labels, worked.numbers(reference), value.exact, strict=True)
    return Picture("bars", caption, (), [(str(label), [(number, _level(x, 1))]) for label, number, x in cells], worked.binding(reference))


def table(worked, reference, caption):  # () (n,) or (rows, columns) -> Picture
    """Numbers in their rows and columns, with the words that they have.

    Raises ValueError for more than rows and columns.
    """
    value = worked.trace.find(reference)
    shape = np.shape(value.exact)
    if len(shape) > 2:
        raise ValueError(f"{reference} has the shape {shape}; a table has rows and columns: pick one of its matrices")
    labels = (None,) * (2 - len(shape)) + value.words
    numbers = worked.numbers(reference)
    rows = np.arange(len(numbers)).reshape((1,) * (2 - len(shape)) + shape)
    names = labels[0] or [""] * len(rows)
    body = [(name, [(numbers[k], None) for k in row]) for name, row in zip(names, rows, strict=True)]
    return Picture("given", caption, labels[1] or (), body, worked.binding(reference))


def _numbered(n):  # what has no words is counted as a worked line counts it: the first row is row 1
    return range(1, n + 1)


def _level(x, most):  # how strong a number's colour is, from −1 to 1, to three places; none for what a mask hides
    if not np.isfinite(x):
        return show(float(x > 0))
    return show(x / most).replace(MINUS, "-") if most else "0.000"
