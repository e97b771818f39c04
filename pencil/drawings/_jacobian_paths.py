"""The paths by which one number moves another over two steps, with the slope of each edge."""

from pencil.drawings.canvas import AMBER, BLUE, WIDTH, Canvas
from pencil.drawings.paint import Paint
from pencil.rounding import MINUS
from pencil.worked.fragments import join

BOX, HALF = 30, 74  # px: height and half the width of a number's box
START, BETWEEN, END = 4, 112, 220  # px: y of the boxes
LEFT, RIGHT = HALF + 3, WIDTH - HALF - 3  # px: x of the two numbers in between
THICKEST = 12  # px: thickness of an edge with a slope of 1 or −1


def jacobian_paths(worked, jacobians, at, called, title):  # -> Drawing
    """From a number over each of the two numbers in between to the last: products along a path, and their sum.

    - `jacobians`: the names of the first step's Jacobian, the second's, and their product
    - `at`: (row, column) of the product
    - `called`: labels of the first number, of the two in between, and of the last
    """
    first, second, product = jacobians
    row, column = at
    canvas, (begins, *between, ends) = Canvas(worked, title), called
    whole = f"{product}[{row}, {column}]"
    paths = [(f"{first}[{k}, {column}]", f"{second}[{row}, {k}]") for k in range(len(between))]
    _number(canvas, WIDTH / 2, START, begins)
    for x, middle, path in zip((LEFT, RIGHT), between, paths, strict=True):
        canvas.step(f"Through {middle}: ", [path[0]], " times ", [path[1]], ".")
        _edge(canvas, (WIDTH / 2, START), (x, BETWEEN), path[0])
        _number(canvas, x, BETWEEN, middle)
        _edge(canvas, (x, BETWEEN), (WIDTH / 2, END), path[1])
    canvas.step("Where the two meet, they are added: ", [whole], ".")
    _number(canvas, WIDTH / 2, END, ends)
    products = [[*_factor(worked, one), " · ", *_factor(worked, other)] for one, other in paths]
    canvas.said(WIDTH / 2, END + BOX + 20, [*join(products, " + "), " = ", [whole]], "middle", size=15)
    return canvas.drawing(height=END + BOX + 28)


def _factor(worked, reference):  # a factor below zero stands in parentheses, as in worked lines
    return ["(", [reference], ")"] if worked.number(reference).startswith(MINUS) else [[reference]]


def _number(canvas, x, y, called):
    canvas.box(x - HALF, y, 2 * HALF, BOX)
    canvas.text(x, y + 20, called)


def _edge(canvas, start, end, slope):  # blue above zero, amber below; as thick as the slope is large
    (x1, y1), (x2, y2) = start, end
    top, bottom, side = y1 + BOX + 2, y2 - 3, -1 if min(x1, x2) < WIDTH / 2 else 1
    canvas.line(x1, top, x2, bottom)
    shy = (x2 + 0.08 * (x1 - x2), bottom + 0.08 * (top - bottom))  # of the arrow head
    for colour, factor, bounds in ((BLUE, THICKEST, (0, 1)), (AMBER, -THICKEST, (-1, 0))):
        canvas.line(x1, top, *shy, colour, Paint("stroke-width", slope, 0, factor, *bounds), head=False)
    canvas.number((x1 + x2) / 2 + 22 * side, (top + bottom) / 2 + 5, slope, "end" if side < 0 else "start", size=16)
