"""The template as if an author had put a text of their own into each of its parts."""

import re

from pencil.rules.form import sentences
from pencil.rules.template import DOES, PATH, TEACHING


def write(source, root):
    """Change each sentence of the example, its figure, and what path.yml says of it; it is taught in the last week of the whole course."""
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
