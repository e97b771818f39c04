"""One table a page: what its script's data hold more than once stands once.

The runs of a chapter, and the variants of its labs, are much the same program each. pencil/web/engine/data.js puts the data together again.
"""

import json
from collections import Counter

from pencil.worked import as_json

TABLE = "pencil-shared"
LEAST = 12  # signs: what is shorter is not worth a place in the table


def share(page):  # BeautifulSoup
    """Take what stands more than once out of the data of a page, and put it into a table."""
    scripts = page.find_all("script", type="application/json")
    table = Table([counted_back(json.loads(script.string)) for script in scripts])
    if not table.shared:
        return
    for script, data in zip(scripts, table.data, strict=True):
        script.string = as_json(data)
    listed = page.new_tag("script", type="application/json", id=TABLE)
    listed.string = as_json(table.shared)
    page.body.append(listed)  # a lab takes the first script in it for its own


def counted_back(data):
    """The same data, the operands of each step of a program counted from the step itself: so alike steps are alike, wherever they stand.

    A step with the shape of what it takes first does not say it.
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
    """Only what a program is written as has steps and says how many places are shown."""
    return "steps" in data and "places" in data


def _shapes(steps):  # of each step, its own or that of what it takes first; a note that names nothing takes what stands before it
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
    """`shared` holds lists, objects and texts; in it and in `data` {"=": 12} stands for the 12th, and only for one that stands before.

    Among the steps of a program, of which most are shared, 12 alone stands for it: no step is a number.
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
        if self._seen[written] == 1 or len(written) <= LEAST:
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
