"""The drawings of a chapter as slides: each with its one sentence, a question for the class, and the section that it leads to."""

import json
import re
from dataclasses import dataclass

import yaml
from bs4 import BeautifulSoup

LAB = '<section class="pencil-lab'
TOLD = "book/slides.yml"
HEADING = re.compile(r"^##+ (.+)$", re.M)
BACK = {"Sources"}  # no slide leads there
STEPS = "data-step"  # the step of a drawing that a mark belongs to
PAINTED = "data-paint"  # attributes that follow a number
STYLED = ("style", "font-family", "overflow")  # inline styles for notebooks, which the style sheets have for all slides


@dataclass(frozen=True)
class Slide:
    """A drawing, and what is said of it.

    Args:
        drawing: its element
        sentence: what it shows
        question: for the class, or "" where nothing is written for the drawing
        leads: the heading of the next section, or "" behind the last
    """

    drawing: object
    sentence: str
    question: str
    leads: str


def told(folder):  # Path of a clone -> {caption: [sentence, question]}
    """What is said of each slide."""
    return yaml.safe_load((folder / TOLD).read_text(encoding="utf-8"))


def slides(notebook, told):  # Path, {caption: [sentence, question]} -> [Slide]
    """The slides of a chapter. A drawing of which nothing is told says its last step."""
    found, events = [], list(_events(notebook))
    for at, (kind, drawing) in enumerate(events):
        if kind == "drawing":
            leads = next((said for what, said in events[at:] if what == "heading" and said not in BACK), "")
            last = [step.get_text() for step in drawing.select("ol > li")][-1:]
            found.append(Slide(drawing, *told.get(drawing.figcaption.get_text(), ["".join(last), ""]), leads))
    return found


def _events(notebook):  # Path -> ("heading", text) and ("drawing", Tag), in the order of the page, without the drawings of labs
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell.get("cell_type") == "markdown":
            yield from (("heading", said) for said in HEADING.findall("".join(cell["source"])))
        for output in cell.get("outputs", ()):
            html = "".join(output.get("data", {}).get("text/html", ""))
            if LAB not in html:
                yield from (("drawing", drawing) for drawing in BeautifulSoup(html, "html.parser").select(".pencil-drawing"))


def as_html(slide, chapter, address):  # Slide, str, (heading -> where it is) -> str
    """The drawing without its bindings, with the name of its chapter and what is said of it."""
    drawing = _bare(slide.drawing)
    caption, below = drawing.find("figcaption"), _made("div", "", "pencil-asks")
    caption.insert(0, _made("small", chapter))
    caption.insert_after(_made("p", slide.sentence, "pencil-claim"))
    if slide.question:
        below.append(_made("p", f"For the class: {slide.question}"))
    if slide.leads:
        below.append(_made("p", "It leads to: "))
        below.contents[-1].append(_made("a", slide.leads))
        below.a["href"] = address(slide.leads)
    drawing.append(below)
    return str(drawing)


def _bare(drawing):  # Tag -> the same Tag
    for mark in drawing.find_all(True):
        for name in [name for name in mark.attrs if name.startswith("data-") and name != STEPS]:
            if name == PAINTED:
                mark[name] = ""
            else:
                del mark[name]
    for mark in drawing.find_all("tspan"):
        if not mark.attrs:  # it had only the binding of a number
            mark.unwrap()
        elif mark.get("class") == ["pencil-number"]:  # the style sheet takes each tspan without a colour for one
            del mark["class"]
    for name in STYLED:
        del drawing.svg[name]
    return drawing


def _made(name, text, kind=""):
    tag = BeautifulSoup("", "html.parser").new_tag(name)
    tag.string = text
    if kind:
        tag["class"] = kind
    return tag
