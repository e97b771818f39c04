"""An embedding lookup as a product: one_hot @ table, the rows of the table weighted by the one-hot row and summed."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, Canvas
from pencil.drawings.paint import Paint

PITCH, TOP = 40, 34  # px: between rows; y of the first
CENTRE, SIDE = 230, 180  # px: x of the centre of the rows; their width


def lookup(worked, title):  # Worked, caption -> Drawing
    """A one-hot row that picks a row of a table; the opacity of each row follows its one-hot number.

    The run names one_hot, a row, and table and row, which is one_hot @ table.
    """
    canvas = Canvas(worked, title)
    rows = range(len(canvas.value("one_hot")))
    foot = TOP + PITCH * len(rows)
    canvas.step("The one-hot row, stood up: one number beside each row of the table.")
    canvas.text(70, 20, canvas.called("one_hot"), quiet=True)
    for k in rows:
        canvas.number(70, TOP + PITCH * k + 21, f"one_hot[{k}]", size=15, colour=AMBER)
    canvas.step("Each row of the table times its number.")
    canvas.text(CENTRE, 20, canvas.called("table"), quiet=True)
    for k in rows:
        y = TOP + PITCH * k
        canvas.text(105, y + 21, "·", size=15)
        canvas.box(CENTRE - SIDE / 2, y, SIDE, PITCH - 8, BLUE, Paint("fill-opacity", f"one_hot[{k}]", 0.02, 0.3))
        canvas.row(CENTRE, y + 21, f"table[{k}]", size=14)
    canvas.step("Added up, place by place: ", ["row"], ".")
    canvas.line(CENTRE, foot - 4, CENTRE, foot + 16, QUIET)
    canvas.box(CENTRE - SIDE / 2, foot + 20, SIDE, PITCH - 8, BLUE, 0.3)
    canvas.row(CENTRE, foot + 41, "row", size=14)
    canvas.text(105, foot + 41, canvas.called("row"), quiet=True)
    return canvas.drawing(height=foot + PITCH + 16)
