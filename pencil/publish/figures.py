"""Matplotlib figures as short SVG in the colours of the page, which follow its theme.

Each colour of pencil/book.mplstyle is replaced by a CSS variable of the page, with the colour as its fallback.
"""

import re
from xml.etree import ElementTree
from zlib import crc32

from pencil.rounding import pixels

COLOURS = {
    "#fffefa": "--ground",
    "#2b2d31": "--text-colour",
    "#1d4f8c": "--ink",
    "#8a5a00": "--turn",
    "#0b655d": "--exact",
    "#a3302a": "--wrong",
    "#565b63": "--quiet",
    "#c9d5da": "--edge",
    "#dbe7ec": "--rule",
}
SVG, LINK = "http://www.w3.org/2000/svg", "{http://www.w3.org/1999/xlink}href"
COLOUR = re.compile("|".join(COLOURS))
NUMBER = re.compile(r"-?\d*\.\d+")
DATED = re.compile("<metadata>.*?</metadata>", re.S)  # has the time of the run
UNUSED = ("font-family", "stroke-linejoin: round")  # the root element has these
MOST = 100_000  # characters; a page carries several figures
ROOT = {"font-family": "system-ui, sans-serif", "stroke-linejoin": "round"}


def themed(svg):  # str -> str
    """The figure with CSS variables as colours, unique ids, the page's font, rounded coordinates, and without invisible elements.

    Raises ValueError for a figure that is too long for a page.
    """
    root, name = ElementTree.fromstring(svg), f"{crc32(DATED.sub('', svg).encode()):x}"
    box = root.get("viewBox")
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg))
    ids = {old: f"figure-{name}-{k}" for k, old in enumerate(sorted(used))}
    _tidy(root, ids)
    root.attrib.clear()
    root.attrib |= {"viewBox": _short(box), **ROOT}
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", LINK[1:-5])
    written = ElementTree.tostring(root, encoding="unicode")
    if len(written) > MOST:
        raise ValueError(f"a figure of {len(written):,} characters, at most {MOST:,} fit a page; draw what is many with rasterized=True")
    return written


def _tidy(parent, ids):  # tidy all descendants in place, and remove empty groups
    parent.text = parent.tail = None
    for mark in list(parent):
        kind = mark.tag.removeprefix(f"{{{SVG}}}") if isinstance(mark.tag, str) else ""
        words = mark.text if kind in ("text", "tspan") and not len(mark) else None
        _tidy(mark, ids)
        mark.text = words
        _attributes(mark.attrib, ids)
        if kind in ("", "metadata", "style") or (kind in ("g", "defs") and not len(mark)):
            parent.remove(mark)
        elif kind == "g" and not mark.attrib:  # a group without attributes: its children move up
            at = list(parent).index(mark)
            parent[at : at + 1] = list(mark)


def _attributes(attributes, ids):
    renamed = ids.get(attributes.pop("id", None))
    for name, value in attributes.items():
        if name == LINK:
            attributes[name] = f"#{ids[value[1:]]}" if value.startswith("#") else "".join(value.split())
        elif value.startswith("url(#"):
            attributes[name] = f"url(#{ids[value[5:-1]]})"
        else:
            attributes[name] = _short(value, places=1 if name in ("d", "x", "y") else 2)
    if renamed:
        attributes["id"] = renamed
    if "style" in attributes:
        kept = [part for part in attributes["style"].split("; ") if not part.startswith(UNUSED)]
        attributes["style"] = COLOUR.sub(lambda colour: f"var({COLOURS[colour[0]]},{colour[0]})", ";".join(kept).replace(": ", ":"))
    if attributes.get("transform", "").startswith("rotate(-0 "):
        del attributes["transform"]


def _short(value, places=1):  # shorter numbers and separators
    short = NUMBER.sub(lambda number: pixels(float(number[0]), places=places), " ".join(value.split()))
    return re.sub(r" ?([MLCQHVZz]) ?", r"\1", short)
