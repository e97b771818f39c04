"""The path through the book: parts, chapters, prerequisites and times, shown on the home page and in each chapter.

The number of a chapter is that of its file. It is added to the title, from which the sidebar, the search and the PDF take it.
"""

from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

from pencil.checker.page import read_page
from pencil.publish.lessons import RULE, lessons, minutes, sections

PATH, CONTENTS = "book/path.yml", "_toc.yml"
BETWEEN = " · "  # between a number and a title
HOME, BOOK = "/book/home", "Transformers by Pencil"


@dataclass(frozen=True)
class Stop:
    """A chapter on the path. What takes long to find out is found out when it is asked for: a page alone needs its own times only."""

    source: Path  # the chapter's .md
    part: str
    does: str  # Markdown
    after: list = field(default_factory=list)  # names of the chapters that it goes on from
    asked: list = field(default_factory=list)  # what else readers type who look for it

    @cached_property
    def number(self):
        return self.source.stem.partition("_")[0].lstrip("0")

    @cached_property
    def title(self):
        body = self.source.read_text(encoding="utf-8").partition("\n---\n")[2]  # after the front matter
        return next(line for line in body.split("\n") if line.startswith("# ")).removeprefix("# ")

    @cached_property
    def torch(self):
        return any("import torch" in cell for cell in read_page(self.source.read_text(encoding="utf-8")).cells)

    @cached_property
    def _timed(self):
        return sections(self.source)

    @cached_property
    def lessons(self):
        return lessons(self._timed)

    @property
    def reading(self):
        return minutes(self._timed)[0]

    @property
    def pencil(self):
        return minutes(self._timed)[1]

    def __str__(self):
        return f"{self.number}{BETWEEN}{self.title}"


@cache
def path(folder):  # Path -> {name of a chapter: Stop}, in reading order
    """The chapters of path.yml, each with the caption of its part of _toc.yml."""
    stops = yaml.safe_load((folder / PATH).read_text(encoding="utf-8"))
    parts = yaml.safe_load((folder / CONTENTS).read_text(encoding="utf-8"))["parts"]
    captions = {Path(page["file"]).stem: part.get("caption") for part in parts for page in part["chapters"]}
    return {name: Stop(folder / f"notebooks/{name}.md", captions[name], **stop) for name, stop in stops.items()}


def line(stop, stops):  # -> docutils nodes
    """The time and the prerequisites of a chapter, in a line."""
    said = [nodes.Text(f"{stop.reading} minutes to read, {stop.pencil} more with the pencil. ")]
    for at, name in enumerate(stop.after):
        before = "Goes on from " if at == 0 else ", " if at < len(stop.after) - 1 else " and "
        said += [nodes.Text(before), link(name, stops)]
    said.append(nodes.Text("." if stop.after else "Stands by itself."))
    if stop.torch:
        said.append(nodes.Text(" Its code uses PyTorch."))
    return nodes.container("", nodes.inline("", "", *said), classes=["pencil-time"])  # not a paragraph, which described.py would use


def link(name, stops):
    """A link to a chapter, with its number and title."""
    words = nodes.inline(text=str(stops[name]).replace(" ", "\N{NO-BREAK SPACE}", 1))  # the dot does not begin a line
    return _lead(f"/notebooks/{name}", words)


def _lead(page, words):
    return addnodes.pending_xref("", words, refdomain="std", reftype="doc", reftarget=page, refexplicit=True)


def depend(env, names):
    """Make the current page depend on the path and on these chapters."""
    for source in (PATH, CONTENTS, *(f"notebooks/{name}{ending}" for name in names for ending in (".md", ".ipynb"))):
        env.note_dependency(str(Path(env.srcdir) / source))


class ThePath(SphinxDirective):
    """`{path}`: the list of chapters by part, and the rule for the times."""

    def run(self):
        stops, listed, part = path(Path(self.env.srcdir)), [], None
        depend(self.env, stops)
        for name, stop in stops.items():
            if stop.part != part:
                part = stop.part
                listed += [nodes.rubric(text=part), nodes.definition_list(classes=["pencil-path"])]
            does = self.parse_text_to_nodes(stop.does)
            listed[-1] += nodes.definition_list_item("", nodes.term("", "", link(name, stops)), nodes.definition("", *does, line(stop, stops)))
        return [*listed, nodes.paragraph(text=RULE)]


def span(minutes):  # 70 -> "70 minutes", 195 -> "3 hours"
    """A length of time in words: minutes below two hours, then whole hours."""
    if minutes < 120 and minutes != 60:
        return f"{minutes} minutes"
    hours = (minutes + 30) // 60
    return f"{hours} hour{'s' * (hours > 1)}"


def hours(stops, named):  # "look_across block", or "all" -> "2 hours to read, 2 hours with the pencil"
    """How long some chapters take together. They are named without their numbers. Raises ValueError for a chapter that is not there."""
    by_name = {name.partition("_")[2]: stop for name, stop in stops.items()}
    chosen = list(by_name) if named == "all" else named.split()
    if unknown := [name for name in chosen if name not in by_name]:
        raise ValueError(f"no chapter is named {unknown[0]!r}; write block for 10_block.md")
    reading, pencil = (sum(getattr(by_name[name], kind) for name in chosen) for kind in ("reading", "pencil"))
    return f"{span(reading)} to read, {span(pencil)} with the pencil"


class Hours(SphinxRole):
    """`{hours}`: how long the named chapters take."""

    def run(self):
        stops = path(Path(self.env.srcdir))
        depend(self.env, stops)
        try:
            return [nodes.Text(hours(stops, self.text))], []
        except ValueError as wrong:
            message = self.inliner.reporter.error(f"hours: {wrong}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]


def into_the_chapter(app, doctree):
    """Add to a chapter the number in its title, the line with its time, the list of lessons, and a mark at the start of each lesson."""
    stops = path(Path(app.srcdir))
    folder, _, name = app.env.docname.rpartition("/")
    if folder != "notebooks" or name not in stops:
        return
    depend(app.env, [name, *stops[name].after])
    title = next(iter(doctree.findall(nodes.title)))
    parts = [part for part in title.parent if isinstance(part, nodes.section)]
    begins = [(parts[lesson.section - 1], lesson.minutes) for lesson in stops[name].lessons]
    title.insert(0, nodes.Text(stops[name].number + BETWEEN))
    told = line(stops[name], stops)
    told[0] += [nodes.Text(" A chapter of "), _lead(HOME, nodes.inline(text=BOOK)), nodes.Text(", which works a transformer out by hand.")]
    title.parent[1:1] = [told, listed(begins)]
    for k, (part, time) in enumerate(begins[1:], start=2):
        mark = nodes.inline("", f"Lesson {k} begins here, {time} minutes. A good place to stop.")
        title.parent.insert(title.parent.index(part), nodes.container("", mark, classes=["pencil-lesson"]))


def listed(begins):  # [(section, minutes)] -> docutils nodes
    """The folded list of a chapter's lessons: the first section of each, and its time."""
    items = []
    for part, time in begins:
        title = nodes.reference("", part[0].astext(), internal=True, refid=part["ids"][0])
        items.append(nodes.list_item("", nodes.inline("", "", title, nodes.Text(f", {time} minutes"))))
    said = f"In {len(items)} lessons" if len(items) > 1 else "In one lesson"
    fold = nodes.raw("", f"<details><summary>{said}</summary>", format="html")
    return nodes.container("", fold, nodes.enumerated_list("", *items), nodes.raw("", "</details>", format="html"), classes=["pencil-lessons"])


def setup(app):
    """Register the directive and the role."""
    app.add_directive("path", ThePath)
    app.add_role("hours", Hours())
