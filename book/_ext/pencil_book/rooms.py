"""How much room the numbers of a drawing have, in its boxes and its frame: what a reader types may be longer than what is there."""

from pencil.drawings.canvas import FIGURE, FIGURES, NARROW, ROOM

WIDTHS = {FIGURES: FIGURE, NARROW: 0.5}  # of a digit or sign in these typefaces, in em
PLAIN = 0.67  # in that of the labels, with its broad signs
AIR = 2  # pixels between a text and its box


def give_rooms(page):  # BeautifulSoup -> None
    """Write the characters that fit, and their size, where longer numbers would not: the page's script then takes smaller type."""
    for drawing in page.select("figure.pencil-drawing:not(.pencil-slides *) > svg"):  # nothing is typed into a slide
        frame = [float(x) for x in drawing["viewbox"].split()]
        boxes = [frame, *(_box(mark) for mark in drawing.select("rect:not([data-paint])") if not mark.find_parent(attrs={"transform": True}))]
        for text in drawing.select("text:not([data-paint]):has(.pencil-number)"):
            for held in text.select(":scope > [x]") or [text]:
                _give_room(held, float(_inherited(held, "x")), sorted(boxes, key=lambda box: box[2] * box[3]), frame)
        for text in drawing.select("text[data-paint^='x ']:has(.pencil-number)"):  # which moves, and may come near to the frame
            offset, factor, low, high = map(float, text["data-paint"].split()[1:5])
            nearest = max((offset + factor * bound for bound in (low, high)), key=lambda x: abs(x - frame[0] - frame[2] / 2))
            _give_room(text, nearest, [], frame)


def _give_room(held, x, boxes, frame):
    length, size = len(held.get_text()), float(_inherited(held, "font-size"))
    figure = size * WIDTHS.get(held.get("style") or held.parent.get("style"), PLAIN)
    y, width = float(_inherited(held, "y")), figure * length
    before, after = {"middle": (0.5, 0.5), "end": (1, 0)}.get(_inherited(held, "text-anchor"), (0, 1))  # the parts of a text on both sides of x
    middle = (x + (after - before) * width / 2, y - 0.3 * size)
    left, _, wide, _ = next((box for box in boxes if _holds(box, *middle)), frame)
    sides = [(x - max(left, frame[0]), before), (min(left + wide, frame[0] + frame[2]) - x, after)]
    room = min((side - AIR) / part for side, part in sides if part) / figure
    numbers = [held] if "pencil-number" in held.get("class", ()) else held.select(".pencil-number")
    if room < length + sum(max(ROOM - len(number.get_text()), 0) for number in numbers):
        held["data-room"], held["font-size"] = f"{max(room, length):.1f} {size:g}", f"{size:g}"


def _box(mark):
    return [float(mark.get(name, 0)) for name in ("x", "y", "width", "height")]


def _holds(box, x, y):
    left, top, wide, high = box
    return left < x < left + wide and top < y < top + high


def _inherited(mark, name):
    return next((part[name] for part in (mark, *mark.parents) if name in part.attrs), "start" if name == "text-anchor" else "0")
