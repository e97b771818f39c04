"""The SVG elements that a canvas puts together."""

from xml.etree import ElementTree

import numpy as np

from pencil.rounding import pixels


def element(tag, *inside, **attributes):  # marks and texts -> ElementTree.Element
    """A mark of SVG with others and texts inside; `text_anchor=` is its attribute text-anchor."""
    written = {name: pixels(value) if isinstance(value, int | float) else str(value) for name, value in attributes.items()}
    mark = ElementTree.Element(tag, {name.replace("_", "-"): value for name, value in written.items()})
    for part in inside:
        if not isinstance(part, str):
            mark.append(part)
        elif len(mark):
            mark[-1].tail = (mark[-1].tail or "") + part
        else:
            mark.text = (mark.text or "") + part
    return mark


def numeral(number, **place):  # Number -> ElementTree.Element
    """A tspan with the digits of a number and its reference."""
    track = {"data_track": number.track} if number.track else {}
    return element("tspan", number.text, **{"class": "pencil-number"}, data_value=number.reference, **track, **place)


def arrow_head(x1, y1, x, y, size=7):  # -> str
    """The path of an arrow head at (x, y), for a line from (x1, y1)."""
    length = float(np.hypot(x - x1, y - y1)) or 1.0
    ux, uy = (x - x1) / length, (y - y1) / length
    back = (x - size * ux, y - size * uy)
    points = [(x + ux, y + uy), (back[0] - 0.5 * size * uy, back[1] + 0.5 * size * ux), (back[0] + 0.5 * size * uy, back[1] - 0.5 * size * ux)]
    start, *rest = (f"{pixels(px)} {pixels(py)}" for px, py in points)
    return f"M{start}L{'L'.join(rest)}Z"
