"""The directive `{gallery} drawings` or `{gallery} labs`: each of them with its arguments, a picture, and the cell that puts it into a chapter.

Pictures and cells are those of the chapters; of what no chapter has, those of a page, or of the run of chapter 6. The drawings are files, so that
the page is light; what a lab shows without a script stands in the page.
"""

import ast
import inspect
import json
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from pencil import drawings, widgets
from pencil.checker.library import Library
from pencil.checker.page import read_page
from pencil_book.api import list_of_args
from pencil_book.drawn import worked_of
from pencil_book.path import depend, link, path

SHOWN_RUN = "06"  # the chapter whose run a Stepper steps through
LONGEST = 40  # characters of a default
FOLDER = "gallery"  # of the pictures
SVG = re.compile(r'<svg [^>]*viewBox="(?P<box>[^"]*)"[^>]*aria-label="(?P<label>[^"]*)".*?</svg>', re.S)
SENTENCE = re.compile(r".*?\.(?=\s|\Z)|.*", re.S)
DATA = re.compile(r' data-[\w-]+(?:="[^"]*")?')
DIRECTIVE = re.compile(r"^:::+\{drawing\} (?P<name>\w+) (?P<title>.+)\n(?P<options>(?::\w+: .+\n)*)(?::::+)$", re.M)
OPTION = re.compile(r"^:(\w+): (.+)$", re.M)


@dataclass(frozen=True)
class Use:
    """A place that shows a drawing or a lab: its HTML, the lines of MyST, and the name of the chapter, if it is one."""

    html: str
    lines: str
    chapter: str = ""


class Gallery(SphinxDirective):
    """All drawings, or all labs, in alphabetical order."""

    required_arguments = 1

    def run(self):
        if self.arguments[0] not in LISTED:
            raise self.error(f"gallery {self.arguments[0]}: write drawings or labs")
        folder, stops = Path(self.env.srcdir), path(Path(self.env.srcdir))
        depend(self.env, stops)
        used = uses(folder, stops)
        made = nodes.definition_list(classes=["pencil-gallery"])
        for name, thing in LISTED[self.arguments[0]]().items():
            use = min(used.get(name, ()), key=lambda use: len(use.html), default=None) or elsewhere(folder, name)
            made += self.entry(name, thing, use, stops)
        return [made]

    def entry(self, name, thing, use, stops):
        """The arguments, what it shows, the picture, and the lines that put it there."""
        said = nodes.definition()
        self.state.nested_parse(StringList(list_of_args(inspect.getdoc(thing)).splitlines(), source=name), 0, said)
        said += sample(name, use.html, inspect.getdoc(thing))
        if use.chapter:
            said += nodes.paragraph("", "", nodes.Text("In "), link(use.chapter, stops), nodes.Text(":"))
        said += nodes.literal_block(use.lines, use.lines, language="text")
        term = nodes.term("", "", nodes.literal(text=call(name, thing)))
        return nodes.definition_list_item("", term, said, ids=[nodes.make_id(f"gallery-{name}")])


def all_drawings():  # -> {name: function}
    """The functions that draw a run."""
    shown = {name: getattr(drawings, name) for name in drawings.__all__}
    return {name: thing for name, thing in shown.items() if inspect.isfunction(thing)}


def all_labs():  # -> {name: class}
    """The labs, without the base class."""
    shown = {name: getattr(widgets, name) for name in widgets.__all__}
    return {name: thing for name, thing in shown.items() if inspect.isclass(thing) and hasattr(thing, "_repr_html_") and thing is not widgets.Lab}


def uses(folder, stops):  # -> {name: [Use]}
    """The cells of the chapters that show a drawing or a lab."""
    names, found = {*all_drawings(), *all_labs()}, {}
    for chapter in stops:
        source = read_page((folder / f"notebooks/{chapter}.md").read_text(encoding="utf-8")).cells
        ran = json.loads((folder / f"notebooks/{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
        for text, cell in zip(source, (cell for cell in ran if cell["cell_type"] == "code"), strict=True):
            html = "".join("".join(output.get("data", {}).get("text/html", "")) for output in cell["outputs"])
            if "pencil-drawing" in html or "pencil-lab-still" in html:
                for name in names & shown_by("".join(cell["source"])):
                    found.setdefault(name, []).append(Use(html, f"```{{code-cell}}\n{text}\n```", chapter))
    return found


def shown_by(code):  # -> the names that the last line of a cell calls, as pencil.drawings and pencil.widgets have them
    """What a cell shows."""
    last = ast.parse(re.sub(r"^\s*%.*$", "", code, flags=re.M)).body[-1:]
    if not last or not isinstance(last[0], ast.Expr) or not isinstance(last[0].value, ast.Call):
        return set()
    called = last[0].value.func
    if isinstance(called, ast.Attribute):
        return {called.attr} if getattr(called.value, "id", "") == "drawings" else set()
    return {called.id}


def elsewhere(folder, name):  # -> Use
    """A drawing of a page without code, or a lab that none has. Raises LookupError for a drawing that is nowhere."""
    if name in all_labs():
        return alone(folder, name)
    for page in sorted((folder / "book").glob("*.md")):
        for box in DIRECTIVE.finditer(page.read_text(encoding="utf-8")):
            if box["name"] == name:
                worked = worked_of(folder, dict(OPTION.findall(box["options"])))
                return Use(getattr(drawings, name)(worked, box["title"])._repr_html_(), box[0])
    raise LookupError(f"no chapter and no page shows {name}; take it out of pencil.drawings, or show it")


def alone(folder, name):  # -> Use
    """A lab of its own numbers, or of the run of a chapter."""
    lab = getattr(widgets, name)
    asks = [one for one in inspect.signature(lab).parameters.values() if one.default is one.empty]
    made = lab(Library(folder / "notebooks").chapter(SHOWN_RUN).replay()[""]["paper"]) if asks else lab()
    return Use(made._repr_html_(), f"```{{code-cell}}\nfrom pencil.widgets import {name}\n\n{name}({'sheet' if asks else ''})\n```")


def call(name, thing):  # -> str
    """A call with its arguments; a default that is long, such as a matrix, is left out."""
    asks = inspect.signature(thing).parameters.values()
    brief = [one.replace(annotation=one.empty, default=one.default if _is_brief(repr(one.default)) else ...) for one in asks]
    return name + str(inspect.Signature(brief)).replace("Ellipsis", "…")


def _is_brief(default):
    return len(default) <= LONGEST and "array(" not in default


class picture(nodes.raw):
    """An image, and the SVG of its file."""


def sample(name, html, doc):  # -> docutils node
    """The drawing as an image, whole, without bindings and with words; or what a lab shows first where no script runs."""
    drawn = SVG.search(html)
    if not drawn:
        return nodes.raw(
            "", f'<div class="pencil-sample pencil-picture" tabindex="0" role="group" aria-label="{name}">{first_step(html)}</div>', format="html"
        )
    svg = DATA.sub("", drawn[0]).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    (_, _, width, height), said = drawn["box"].split(), f"{drawn['label']} {escape(' '.join(SENTENCE.match(doc)[0].split()))}"
    size = f'width="{int(float(width))}" height="{int(float(height))}"'
    image = f'<p class="pencil-sample"><img src="../_static/{FOLDER}/{name}.svg" alt="{said}" {size} loading="lazy"></p>'
    return picture("", image, format="html", svg=svg, file=f"{FOLDER}/{name}.svg")


def write_picture(writer, node):
    """Write the file when the page is written."""
    path = Path(writer.builder.outdir, "_static", node["file"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(node["svg"], encoding="utf-8")
    writer.visit_raw(node)


def first_step(html):  # -> HTML
    """The first step of a lab, without bindings."""
    still = BeautifulSoup(html, "html.parser").select_one(".pencil-lab-still")
    begins = [part for part in still.find_all("p", recursive=False) if part.find("strong")]
    for later in begins[1:2]:
        for part in [*later.find_next_siblings(), later]:
            part.decompose()
    for part in still.find_all(True):
        part.attrs = {name: value for name, value in part.attrs.items() if not name.startswith("data-")}
    return still.decode_contents()


LISTED = {"drawings": all_drawings, "labs": all_labs}


def setup(app):
    """Register the directive and the node."""
    app.add_node(picture, html=(write_picture, None))
    app.add_directive("gallery", Gallery)
