"""Deduplicate the data of a page's scripts into a shared table.

The runs of a chapter and the variants of its labs are similar programs. pencil/web/engine/data.js restores the data.
"""

import json
from collections import Counter

from pencil.worked import as_json

TABLE = "pencil-shared"
REFERENCE = 9  # about the length of {"=": 12} in the JSON of a page


def share(page):  # BeautifulSoup
    """Move values that occur more than once in the data of a page into a table."""
    scripts = page.find_all("script", type="application/json")
    table = Table([counted_back(json.loads(script.string)) for script in scripts])
    if not table.shared:
        return
    for script, data in zip(scripts, table.data, strict=True):
        script.string = as_json(data)
    listed = page.new_tag("script", type="application/json", id=TABLE)
    listed.string = as_json(table.shared)
    page.body.append(listed)  # at the end, since a lab takes the first script inside it as its own


def counted_back(data):
    """Make the operands of program steps relative to the step, so that similar steps are equal wherever they occur.

    A step with the shape of its first operand does not store its shape.
    """
    if isinstance(data, list):
        return [counted_back(one) for one in data]
    if not isinstance(data, dict):
        return data
    data = {name: counted_back(one) for name, one in data.items()}
    if is_program(data):
        shapes = _shapes(data["steps"])
        data["steps"] = [_counted_back(step, i, shapes) for i, step in enumerate(data["steps"])]
    return data


def is_program(data):
    """Whether data is a program: only programs have both `steps` and `places`."""
    return "steps" in data and "places" in data


def _shapes(steps):  # the shape of each step: its own, or that of its first operand; a note without operands takes the previous step
    shapes = []
    for i, step in enumerate(steps):
        shapes.append(step["shape"] if "shape" in step else shapes[step.get("args", [i - 1])[0]])
    return shapes


def _counted_back(step, i, shapes):
    if "args" not in step:
        return step
    short = {name: part for name, part in step.items() if name != "shape" or part != shapes[step["args"][0]]}
    return short | {"args": [k - i for k in step["args"]]}


class Table:
    """The table of shared lists, objects and strings. {"=": 12} in `data`, or later in the table, refers to entry 12.

    In the list of a program's steps, where most entries are shared, the number 12 alone is the reference.
    """

    def __init__(self, data):
        self.shared, self._seen, self._places = [], Counter(), {}
        self._count(data)
        self.data = self._parts(data)

    def _count(self, value):
        if isinstance(value, dict | list | str):
            self._seen[as_json(value)] += 1
            if self._seen[as_json(value)] == 1 and not isinstance(value, str):
                for part in value.values() if isinstance(value, dict) else value:
                    self._count(part)

    def _short(self, value):
        if not isinstance(value, dict | list | str):
            return value
        written = as_json(value)
        if self._seen[written] * (len(written) - REFERENCE) <= len(written):  # the references and the entry are no shorter
            return self._parts(value)
        if written not in self._places:
            parts = self._parts(value)
            self._places[written] = len(self.shared)
            self.shared.append(parts)
        return {"=": self._places[written]}

    def _parts(self, value):
        if isinstance(value, str):
            return value
        if isinstance(value, dict):
            short = {name: self._short(part) for name, part in value.items()}
            if is_program(value) and isinstance(short["steps"], list):
                short["steps"] = [step.get("=", step) for step in short["steps"]]
            return short
        return [self._short(part) for part in value]
