"""A built page without scripts, as XHTML for an e-book: pictures and sums as the chapter computed them, and colours as values."""

import re
from html import escape

from bs4 import BeautifulSoup, Comment

from pencil.rounding import pixels
from pencil.web import EPUB_STYLE, LAB_STYLES

PALETTE = re.compile(r"--([\w-]+):\s*([^;]+);")
LEFT_OUT = (
    "script, noscript, button, input, textarea, fieldset, label, wbr, [hidden], .headerlink, .pencil-code, .pencil-lab-live, .pencil-place, "
    ".toctree-wrapper, .hide > summary > .expanded"
)
PLAIN = ".pencil-number:not([data-track], tspan), .pencil-w, .pre, .std, .hide > summary > p"  # they mark nothing where nothing opens
DROPPED = re.compile(r"data-|aria-|(?:translate|loading|tabindex|role|stretchy|scope|name)$")
ALTERNATIVE = ("role", "aria-label")  # of a drawing: what it shows, in words
SVG = (
    "viewBox preserveAspectRatio markerWidth markerHeight markerUnits refX refY clipPath clipPathUnits maskUnits maskContentUnits "
    "linearGradient radialGradient gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform "
    "textPath textLength lengthAdjust startOffset pathLength foreignObject"
)
CASED = {name.lower(): name for name in SVG.split()}  # HTML's parser knows small letters only
STYLED = ("displaystyle", "scriptlevel")  # any element of MathML Core takes them, in the older MathML of e-books few
SPACES = {"svg": "http://www.w3.org/2000/svg", "math": "http://www.w3.org/1998/Math/MathML"}
WIDE = 15  # pixels of a drawing to an em of the reader's type, so that both grow together
TOP = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:xlink="http://www.w3.org/1999/xlink" xml:lang="en" lang="en">
<head><title>{title}</title><link rel="stylesheet" type="text/css" href="{sheet}"/></head>
<body>
"""


def sheet(colours):  # palette -> str
    """The style sheet of the e-book."""
    return resolved(EPUB_STYLE.read_text(encoding="utf-8"), colours)


def palette():  # -> {name: value}
    """The colours and typefaces of the light theme, from common.css."""
    root = re.search(r":root \{(.*?)\n\}", LAB_STYLES[0].read_text(encoding="utf-8"), re.S)[1]
    return dict(PALETTE.findall(re.sub(r"/\*.*?\*/", "", root)))


def resolved(text, colours):  # str, palette -> str
    """Replace each var(--name) by its value: many readers of e-books know no variables."""
    return re.sub(r"var\(--([\w-]+)(?:, *[^()]*)?\)", lambda found: colours[found[1]].strip(), text)


class StillPage:
    """The article of a built page, cleaned. `links` may be rewritten before `xhtml` writes it."""

    def __init__(self, html, colours):
        self._page, self._colours = BeautifulSoup(html, "html.parser", multi_valued_attributes={"*": {"class"}}), colours
        self.article = self._page.select_one("article")
        self._classes = set(re.findall(r"\.([a-z][\w-]*)", sheet(colours)))
        for part in [*self.article.select(LEFT_OUT), *self.article.find_all(string=lambda text: isinstance(text, Comment))]:
            part.extract()
        for code in self.article.select("div.highlight pre"):
            code.string = code.get_text()
        for mark in self.article.select(PLAIN):
            mark.unwrap()
        for tag in self.article.find_all(True):
            self._clean(tag)
        self.title = self.article.h1.get_text()

    @property
    def links(self):
        """The a elements with an address."""
        return self.article.select("a[href]")

    @property
    def ids(self):
        """What a link can lead to."""
        return {tag["id"] for tag in self.article.select("[id]")}

    @property
    def properties(self):
        """What the manifest of an EPUB has to say of the page."""
        return [name for name, tag in (("mathml", "math"), ("svg", "svg")) if self.article.find(tag)]

    def xhtml(self, sheet):  # address of the style sheet -> str
        """The whole page."""
        self.article.name, self.article.attrs = "div", {}
        return TOP.format(title=escape(self.title), sheet=sheet) + self.article.decode(formatter="minimal") + "\n</body>\n</html>\n"

    def _clean(self, tag):
        tag.name = CASED.get(tag.name, tag.name)
        if tag.name == "span" and "data-track" in tag.attrs:
            tag["class"] = ["exact"]
        if (shade := _number(tag)) is not None:
            tag["style"] = self._shaded(tag, shade)
        if tag.name == "svg" and "viewbox" in tag.attrs:
            tag["style"] = f"width:100%;max-width:{pixels(float(tag['viewbox'].split()[2]) / WIDE)}em"
        if tag.name not in ("math", "mstyle", "mtable") and (styled := {name: tag.attrs.pop(name) for name in STYLED if name in tag.attrs}):
            tag.wrap(self._page.new_tag("mstyle", attrs=styled))
        if tag.name == "mtable":
            tag.attrs.pop("scriptlevel", None)  # it is that of the text, as without it
        tag.attrs = {CASED.get(name, name): value for name, value in self._kept(tag) if value}
        if tag.name in SPACES:
            tag["xmlns"] = SPACES[tag.name]

    def _kept(self, tag):
        for name, value in tag.attrs.items():
            if name == "class":
                yield name, [one for one in tag["class"] if one in self._classes]
            elif (tag.name == "svg" and name in ALTERNATIVE) or not (DROPPED.match(name) or name == "/"):
                yield name, resolved(value, self._colours)

    def _shaded(self, tag, shade):
        """A bar has its length, a cell of a heat map its colour."""
        if tag.name == "span":
            return f"width:{pixels(100 * shade)}%"
        hue = self._colours["below-zero" if shade < 0 else "shade"]
        return f"background:rgba({hue},{pixels(min(abs(shade), 1) * float(self._colours['most'].rstrip('%')) / 100)})"


def _number(tag):
    """The number that a style such as `--v:0.5` gives to the style sheet, or None."""
    found = re.fullmatch(r"--v:\s*(-?[\d.]+);?", tag.get("style", ""))
    return found and float(found[1])
