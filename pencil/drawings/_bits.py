"""A number in the bits of a float: its sign, its exponent and its fraction, each of them a cell to change."""

from pencil.drawings.canvas import AMBER, BLUE, RED, WIDTH, Canvas

CELL, TALL, GAP, BAND = 24, 26, 5, 100  # px: size of a bit; between the parts of a number; height of a format's band
PARTS = {"sign": RED, "exponent": BLUE, "fraction": AMBER}
MOST = 16  # bits of a format


def bits(worked, formats, title):  # Worked, the scopes of the formats, caption -> Drawing
    """A row of bits for each format, in three colours for sign, exponent and fraction, and the number that they make.

    In the scope of each format, which is its name, the run has sign, exponent and fraction as rows of bits, and the power, mantissa and number that
    they make. Raises ValueError for a format of more than 16 bits.
    """
    canvas = Canvas(worked, title)
    for k, name in enumerate(formats):
        sizes = {part: worked.trace.names[f"{name}.{part}"].exact.size for part in PARTS}
        if sum(sizes.values()) > MOST:
            raise ValueError(f"{name} has {sum(sizes.values())} bits; up to {MOST} have room")
        means = "two to the power of ", [f"{name}.power"], " times ", [f"{name}.mantissa"]
        canvas.step(f"{name} has {sizes['exponent']} bits for the exponent and {sizes['fraction']} for the fraction: ", *means, ".")
        x, y = (WIDTH - CELL * MOST - 2 * GAP) / 2, BAND * k
        canvas.text(x, y + 16, name, "start", bold=True)
        for part, colour in PARTS.items():
            canvas.text(x + CELL * sizes[part] / 2, y + 36, part, colour=colour)
            canvas.cells(x, y + 42, f"{name}.{part}", CELL, TALL, colour=colour, stood=sizes[part] == 1)
            x += CELL * sizes[part] + GAP
        canvas.said(4, y + 85, ["two to the power of ", [f"{name}.power"], ", times ", [f"{name}.mantissa"], ", with its sign: ", [f"{name}.number"]])
    return canvas.drawing(BAND * len(formats))
