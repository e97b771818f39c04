"""Heat maps, bars and plain tables of values, as HTML tables.

The digits are in the cells, for screen readers, terminals and pages without scripts; colour and length repeat them.
"""

from html import escape

import numpy as np

from pencil.rounding import MINUS, show
from pencil.worked import data, html, plain


class Picture:
    """A table with a caption.

    - `kind`: heat, bars or given (a plain table)
    - `head`: labels of the columns
    - `rows`: [(label, [(Number, level), …]), …]; the level, from −1 to 1, is the strength of a colour or the length of a bar
    - `binding`: the data attributes by which a live page follows the values
    """

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
    """Pictures side by side where the page is wide enough."""

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
    """A heat map of a matrix: one hue above zero and one below, stronger for larger absolute values; rows and columns have their labels.

    Raises ValueError when the reference is not a matrix.
    """
    value = worked.trace.find(reference)
    if np.ndim(value.exact) != 2:
        raise ValueError(f"{reference} has the shape {np.shape(value.exact)}; a heat map needs rows and columns")
    shown = np.abs(value.exact[np.isfinite(value.exact)])  # masked scores (−∞) have no colour
    most = float(shown.max()) if shown.size else 0.0
    rows, columns = (texts or _numbered(n) for texts, n in zip(value.texts, value.exact.shape, strict=True))
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
    labels = value.texts[0] or _numbered(len(value.exact))
    cells = zip(labels, worked.numbers(reference), value.exact, strict=True)
    return Picture("bars", caption, (), [(str(label), [(number, _level(x, 1))]) for label, number, x in cells], worked.binding(reference))


def table(worked, reference, caption):  # () (n,) or (rows, columns) -> Picture
    """A plain table with the labels of rows and columns.

    Raises ValueError for more than rows and columns.
    """
    value = worked.trace.find(reference)
    shape = np.shape(value.exact)
    if len(shape) > 2:
        raise ValueError(f"{reference} has the shape {shape}; a table has rows and columns: pick one of its matrices")
    labels = (None,) * (2 - len(shape)) + value.texts
    numbers = worked.numbers(reference)
    rows = np.arange(len(numbers)).reshape((1,) * (2 - len(shape)) + shape)
    names = labels[0] or [""] * len(rows)
    body = [(name, [(numbers[k], None) for k in row]) for name, row in zip(names, rows, strict=True)]
    return Picture("given", caption, labels[1] or (), body, worked.binding(reference))


def _numbered(n):  # labels for an axis without words; worked lines count from 1 too
    return range(1, n + 1)


def _level(x, most):  # x / most, to three places; 0 for −∞
    if not np.isfinite(x):
        return show(float(x > 0))
    return show(x / most).replace(MINUS, "-") if most else "0.000"
