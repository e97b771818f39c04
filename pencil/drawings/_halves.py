"""The output projection as two halves: each maps one head's context to a row of d_model numbers, and the rows are added."""

from pencil.drawings._heads import lanes_of
from pencil.drawings.canvas import WIDTH, Canvas

CENTRE, ASIDE = WIDTH / 2, 101  # px: x of the centre; distance of each half from it
HALF, TALL, WIDE = 80, 24, 40  # px: y of the halves; height and width of a cell
BROAD = 190  # px: width of a row of d_model numbers


def halves(worked, word, title):  # Worked, a word of its rows, caption -> Drawing
    """The contribution of each head to one word's output, through its half of the output matrix.

    The run names its values as `pencil.reference.multi_head_attention` does, and the contributions `head1.written` and `head2.written`.
    Raises ValueError as `heads` does.
    """
    canvas, at, out = Canvas(worked, title), 0, f"{word}.attn_out"
    foot = HALF + TALL * canvas.value("params.output").shape[0]
    sides = [(scope, side, colour) for (scope, _, colour), side in zip(lanes_of(worked), (-1, 1), strict=True)]
    for scope, side, colour in sides:
        _half(canvas, f"{word}.{scope}", side, colour, at, foot)
        at += canvas.value(f"{word}.{scope}.context").size
    canvas.step("The two rows, added number by number: ", [out], ".")
    canvas.sign(CENTRE, foot + 94, "+")
    for _, side, colour in sides:
        canvas.line(CENTRE + side * ASIDE, foot + 71, CENTRE + side * 13, foot + 91, colour)
    canvas.line(CENTRE, foot + 104, CENTRE, foot + 116)
    canvas.labelled_row(CENTRE, foot + 118, 250, out)
    return canvas.drawing(height=foot + 164)


def _half(canvas, scope, side, colour, at, foot):  # the columns of the matrix from `at` on, their input and output
    x, context, written = CENTRE + side * ASIDE, f"{scope}.context", f"{scope}.written"
    output, width = canvas.called("params.output").rpartition(".")[2], canvas.value(context).size
    called = f"{'left' if side < 0 else 'right'} half of {output}"
    canvas.step(f"{canvas.label(context)} is ", [context], f". The {called} reads it alone, and writes ", [written], ".")
    canvas.labelled_row(x, 4, BROAD - 40, context, colour)
    canvas.text(x, HALF - 12, called, quiet=True)
    for i in range(int((foot - HALF) / TALL)):
        for k in range(width):
            left, top = x + WIDE * (k - width / 2), HALF + TALL * i
            canvas.box(left + 1, top + 1, WIDE - 2, TALL - 2, colour)
            canvas.number(left + WIDE / 2, top + 17, f"params.output[{i}, {at + k}]")
    canvas.line(x, foot + 3, x, foot + 17, colour)
    canvas.text(x, foot + 34, canvas.label(written), quiet=True)
    canvas.slots(x - BROAD / 2, foot + 40, written, BROAD / canvas.value(written).size, 28, colour=colour)
