"""The template as if an author had put a text of their own into each of its parts."""

import re

from pencil.rules.form import sentences
from pencil.rules.template import DOES, PATH, TEACHING, WORKS

WORK = "@misc{descartes1637, author = {Descartes, René}, title = {La Géométrie}, year = {1637}, keywords = {%s}}"
LIST = """
## [How long is a vector?](../notebooks/{name}.ipynb)

:::{{bibliography}}
:filter: keywords % "{subject}"
:keyprefix: {subject}-
:list: bullet
:style: unsrt
:::
"""


def write(source, root):
    """Change each sentence of the example, its figure, and what path.yml says of it; it is taught in the last week of the whole course.

    The work that it names is entered among the papers, and so is its list.
    """
    text = source.read_text(encoding="utf-8").replace("year_geometry", "year_method")
    for said in sentences():
        text = text.replace(said, f"{said} So it is.")
    source.write_text(text, encoding="utf-8")
    path = root / PATH
    path.write_text(path.read_text(encoding="utf-8").replace(DOES, "Work out how long a vector is."), encoding="utf-8")
    path, name = root / TEACHING, source.stem
    text, begins = path.read_text(encoding="utf-8"), "## A whole course"
    before, course = text.split(begins)
    week = [*re.finditer(r" \(\{hours\}`([^`]+)`\)", course.split("\n## ")[0])][-1]
    added = f" and [Its length](../notebooks/{name}.ipynb) ({{hours}}`{week[1]} {name.partition('_')[2]}`)"
    path.write_text(before + begins + course[: week.start()] + added + course[week.end() :], encoding="utf-8")
    path = root / WORKS
    about, entries = path.read_text(encoding="utf-8").split("\n\n", 1)
    subject = name.partition("_")[2]
    path.write_text(f"{about}\n\n{WORK % subject}\n{entries}", encoding="utf-8")
    path = root / "book/bibliography.md"
    if path.exists():
        path.write_text(path.read_text(encoding="utf-8") + LIST.format(name=name, subject=subject), encoding="utf-8")
