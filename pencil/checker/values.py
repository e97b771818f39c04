"""The published values of a chapter: its runs, stored as programs, and single figures, such as a parameter count.

Computed values are not stored: the program is replayed on its stored inputs. A hash of the chapter's code cells in the notebook tells
the checker whether a cell has changed since the run. Changes of the package are found by `pencil.checker.dependencies`.
"""

import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

import numpy as np

from pencil.formats import FORMATS
from pencil.paths import NUMBER
from pencil.rounding import is_whole, settle, show
from pencil.trace import Trace
from pencil.trace.operations import TRACKS
from pencil.worked import Worked

MIME = "application/vnd.pencil+json"
_MODES = "|".join((*TRACKS, *FORMATS, "count"))
_REFERENCE = re.compile(rf"(?:(?P<mode>{_MODES})\s+)?(?:(?P<chapter>{NUMBER}):)?(?P<name>[^\s:].*)\Z")
_FIGURE = re.compile(r"(?P<name>\w+)(?:\[(?P<index>[\d,\s]+)\])?\Z")


@dataclass(frozen=True)
class Reference:
    """A reference, the text in angle brackets: `exact 06:nolan.weights[0]`, `count nolan.query`.

    This class parses the mode (a track, a format or `count`) and the chapter; the grammar of the name is in `pencil.trace.names`.
    """

    mode: str  # "", "paper", "exact", the name of a format or "count"
    chapter: str  # "" or "06"
    name: str

    @classmethod
    def parse(cls, text):
        """Parse a reference. Raises KeyError for an invalid one."""
        match = _REFERENCE.match(" ".join(text.split()))
        if not match:
            raise KeyError(f"{text!r} is no reference; write name, word.name or word.name[index]")
        return cls(match["mode"] or "", match["chapter"] or "", match["name"])

    track = property(lambda self: self.mode if self.mode in TRACKS else "")
    format = property(lambda self: self.mode if self.mode in FORMATS else "")


@dataclass(frozen=True)
class PublishedValue:
    """The published number, row or matrix that a reference found, on both tracks."""

    reference: Reference
    exact: np.ndarray
    paper: np.ndarray
    worked: dict = field(default_factory=dict)  # {track: Worked}; empty for figures, which have no run
    local: str = ""  # the reference within its run

    def numbers(self, track):
        """The value on a track or in a format. Raises KeyError for a figure in a format."""
        if track in TRACKS:
            return getattr(self, track)
        if track not in self.worked:
            raise KeyError(f"{self.reference.name} is a figure of no run, so there is no {track} of it; leave out {track!r}")
        return self.worked["paper"].trace.in_format(track)[self.local]

    def sums(self, track):
        """The sum behind the value on a track or in a format, in every form that a page may use."""
        return self.worked[track].sums(self.local) if self.worked else set()


def publish(main=None, /, figures=None, **runs):  # Worked or Trace, {name: number or array} -> Published
    """Publish the runs and figures of a chapter; its last cell displays the result.

    Args:
        main: the chapter's main run, whose values are referred to without a run
        figures: numbers or arrays by name
        runs: further runs by name

    Raises ValueError for a name that is invalid in a reference or already used, for a run whose Worked has another name, and for
    a figure that is not finite.
    """
    named = {name: _worked(name, run) for name, run in {"": main, **runs}.items() if run is not None}
    figures = {name: _figure(name, value) for name, value in (figures or {}).items()}
    taken = {"page": "the declarations of a page"}
    if "" in named:
        trace = named[""].trace
        taken |= {name.partition(".")[0]: f"the value {name!r} of the main run" for name in trace.names}
        taken |= dict.fromkeys(trace.words, "a row of the main run")
    for name, kind in [*((n, "run") for n in runs), *((n, "figure") for n in figures)]:
        if not name.isidentifier():
            raise ValueError(f"the {kind} {name!r} cannot be quoted; name it with letters, digits and _, as in {_as_name(name)!r}")
        if name in taken:
            raise ValueError(f"the {kind} {name!r} would hide {taken[name]}; give the {kind} another name")
        taken[name] = f"the {kind} {name!r}"
    stored = {n: {"program": w.trace.program(), "labels": w.labels, "whole": w.whole} for n, w in named.items()}
    return Published({"runs": stored, "figures": figures})


def _worked(name, run):  # Worked or Trace -> Worked, under the name it is published by
    if not isinstance(run, Worked):
        return Worked(run, run=name)
    if run.run != name:
        remedy = f'Worked(..., run="{name}")' if name else "Worked(...) without run=, or publish it by that name"
        raise ValueError(f"{f'the run {name!r}' if name else 'the main run'} was worked as {run.run!r}; write {remedy}")
    return run


def _as_name(text):  # the nearest valid name: "head1.scores[0]" -> "head1_scores_0"
    name = re.sub(r"\W+", "_", text).strip("_")
    return name if name.isidentifier() else f"figure_{name}".strip("_")


def _figure(name, value):
    array = np.asarray(value, float)
    if not np.isfinite(array).all():
        raise ValueError(f"figure {name!r} is {array.tolist()}; only finite numbers can be quoted")
    plain = [int(x) if x == int(x) else float(settle(x)) for x in array.ravel().tolist()]
    return np.array(plain, object).reshape(array.shape).tolist()


def outputs_hash(notebook):  # notebook, as JSON or as nbformat reads it -> str
    """A hash of a notebook's outputs, which tells whether they were edited after the run."""

    def plain(part):  # nbformat may store a text as a list of lines
        if isinstance(part, dict):
            return {name: plain(value) for name, value in part.items() if name != "execution_count"}
        if isinstance(part, list):
            return "".join(part) if part and all(isinstance(line, str) for line in part) else [plain(value) for value in part]
        return part

    outputs = [plain(cell.get("outputs", [])) for cell in notebook["cells"]]
    return sha256(json.dumps(outputs, sort_keys=True).encode()).hexdigest()


class Published:
    """The published values of one chapter.

    Args:
        content: the runs and figures as `publish` stores them
        code: the hash of the code cells that published them; None if not read from a notebook
        was_run: whether the notebook's outputs are those that the render tool wrote
    """

    def __init__(self, content, code=None, was_run=True):
        self.content, self.code, self.was_run = content, code, was_run

    @classmethod
    def read(cls, path):
        """Read the values of a notebook; empty if the chapter publishes nothing."""
        notebook = json.loads(path.read_text(encoding="utf-8"))
        outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
        content = next((o["data"][MIME] for o in outputs if MIME in o.get("data", {})), {"runs": {}, "figures": {}})
        written = notebook["metadata"].get("pencil", {})
        return cls(content, written.get("code"), written.get("outputs") == outputs_hash(notebook))

    def replay(self):  # -> {run: {track: Worked}}
        """All runs on both tracks, replayed from their programs."""
        return {run: self._worked(run) for run in self.content["runs"]}

    def __repr__(self):
        names = sum(len(tracks["paper"].trace.names) for tracks in self.replay().values())
        counts = [(len(self.content["runs"]), "run"), (names, "named value"), (len(self.content["figures"]), "figure")]
        return "Published: " + ", ".join(f"{n} {what}{'s' * (n != 1)}" for n, what in counts) + "."

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), MIME: self.content}

    def find(self, text):  # str -> PublishedValue
        """The value of a reference. Raises KeyError, which lists what there is instead."""
        reference = Reference.parse(text)
        figure = _FIGURE.match(reference.name)
        if figure and figure["name"] in self.content["figures"]:
            found = self._find_figure(reference, figure)
        else:
            run, local = self._run_of(reference.name)
            worked = self._worked(run)
            if form := reference.format:
                worked = worked | {form: self._written(run, worked["paper"].trace, form)}
            value = worked["paper"].trace.find(local)
            found = PublishedValue(reference, value.exact, value.paper, worked, local)
        return _count(found) if reference.mode == "count" else found

    def _find_figure(self, reference, match):
        array = np.asarray(self.content["figures"][match["name"]], float)
        index = tuple(int(i) for i in (match["index"] or "").split(",") if i.strip())
        if len(index) > array.ndim or any(i >= n for i, n in zip(index, array.shape, strict=False)):
            raise KeyError(f"{reference.name}: the figure {match['name']} has the shape {array.shape}; count from 0")
        return PublishedValue(reference, array[index], array[index])

    def _run_of(self, name):  # -> the run, and the reference inside it
        first, _, rest = name.partition(".")
        if first in self.content["runs"]:
            if not rest:
                there = ", ".join(self._worked(first)["paper"].trace.names)
                raise KeyError(f"{name} is a run; name a value of it, as in {name}.{there.split(', ')[-1]}; it has {there}")
            return first, rest
        if "" in self.content["runs"]:
            return "", name
        there = ", ".join([*self.content["runs"], *self.content["figures"]]) or "nothing; end it with publish(...)"
        raise KeyError(f"{name}: nothing is named so; the chapter publishes {there}")

    def _worked(self, run):  # -> {track: Worked}, cached
        if run not in self._replayed:
            trace = Trace.load(self.content["runs"][run]["program"])
            self._replayed[run] = {track: self._written(run, trace, track) for track in TRACKS}
        return self._replayed[run]

    def _written(self, run, trace, track):
        stored = self.content["runs"][run]
        return Worked(trace, stored["labels"], stored["whole"], track, run)

    @cached_property
    def _replayed(self):
        return {}

    def nearest(self, number):  # float -> str, or None where nothing is published
        """A description of the published number nearest to this one: a hint for an author who has to bind it."""
        values, says = self._all_numbers
        return says[int(np.argmin(np.abs(values - number)))] if says else None

    @cached_property
    def _all_numbers(self):  # -> values (n,), descriptions
        values, says = [], []
        for name, figure in self.content["figures"].items():
            for index, value in np.ndenumerate(np.asarray(figure, float)):
                values.append(value)
                says.append(f"{name}{list(index) or ''} is {show(value, whole=is_whole(value))}")
        for worked in (tracks["paper"] for tracks in self.replay().values()):
            for name, array in worked.trace.names.items():
                values += array.paper.ravel().tolist()
                says += [f"{number.reference} is {number.text}" for number in worked.numbers(name)]
        return np.nan_to_num(np.array(values, float)), says


def _count(found):
    if not np.ndim(found.exact):
        raise KeyError(f"{found.reference.name} is one number and has no size; leave out 'count'")
    size = np.float64(len(found.exact))
    return PublishedValue(found.reference, size, size)
