"""Lab: a widget with inputs that a reader can change, and the worked lines and pictures that follow from them.

A lab has a recorded run of `pencil.reference` for each variant (a length, a mask, a number of heads). In a built page and in Jupyter
the scripts in pencil/web replay it; without scripts the initial numbers are shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from math import prod
from numbers import Integral

import numpy as np

from pencil.trace import Trace
from pencil.worked import Lines, Worked, as_json, export, grouped, plain
from pencil.worked.tables import bars, heat, table

ABOVE_ZERO = 1e-9  # the least of an input that has to be positive
PICTURES = {"heat": heat, "bars": bars, "given": table}


@dataclass(frozen=True)
class Part:
    """An element of a step. `kind` is one of

    - given: inputs to change: a number, row or matrix
    - lines: worked lines of one or more references
    - heat, bars: a picture of a matrix or a row
    - says: the word of the largest number of a row
    - drawing: one of the lab's drawings, with the numbers of the variant
    """

    kind: str
    show: str  # a reference; for lines, references separated by spaces; for a drawing, its name
    label: str = ""
    by: str | None = None  # for lines: as in Worked.show
    range: tuple = ()  # for given: (min, max, step) of a slider
    paint: bool = False  # for given: whether the matrix is an image to draw
    clear: str = ""  # for given: the label of a button that sets it to zero
    draw: tuple = ()  # for given random numbers: (name of the one-hot outcome, name of the tally, label of the button if not "Draw")
    words: tuple = ()  # for says: a word for each number; for a given row: the words to choose from
    refusal: str = ""  # for given: the error message for numbers with which the run fails
    blank: tuple = ()  # for says: (name of an input, message if it is all zeros)
    row: bool = False  # whether it begins a new row of the layout

    def still(self, worked):
        """HTML for pages without scripts, whose digits are not bound to a run."""
        if self.kind == "lines":
            lines = Lines([[grouped(plain(line))] for line in worked.show(*self.show.split(), by=self.by).lines])
            return (f"<p>{escape(self.label)}</p>" if self.label else "") + lines._repr_html_()
        if self.kind == "drawing":
            return ""  # `Lab.drawn` shows all drawings above the steps
        if self.kind == "says":
            return f"<p>{escape(self.said(worked))}</p>"
        made = PICTURES[self.kind](worked, self.show, self.label)
        made.rows, made.binding = [(label, [(self._text(number), level) for number, level in cells]) for label, cells in made.rows], {}
        return made._repr_html_()

    def _text(self, number):
        return self.words[int(number.text)] if self.words else number.text

    def said(self, worked):  # -> str
        """The sentence of `says`; numbers that are equal on paper are reported as equal."""
        if self.blank and not worked.trace.find(self.blank[0]).exact.any():
            return self.blank[1]
        numbers = worked.trace.find(self.show).paper.ravel()
        highest = [word for word, number in zip(self.words, numbers, strict=True) if number == numbers.max()]
        return f"{self.label} {highest[0]}." if len(highest) == 1 else f"{' and '.join(highest)} are equal."

    def data(self):
        """The fields that are not empty, for the script."""
        return {key: value for key, value in vars(self).items() if value}


@dataclass(frozen=True)
class Step:
    """One step: its title and its parts."""

    label: str
    parts: tuple


@dataclass(frozen=True)
class Choice:
    """A choice of variants: a list, or with `add` and `remove`, the labels of two buttons, a number to raise and lower."""

    label: str
    options: tuple
    add: str = ""
    remove: str = ""


@dataclass(frozen=True)
class Variant:
    """One run, and the steps in which it is shown."""

    worked: Worked
    steps: tuple


class Lab:
    """The base of all labs.

    - `variants`: a Variant for each combination of options, the last choice varying fastest
    - `choices`: the Choices
    - `begin`: the index of the first variant that is shown
    - `drawings`: {name: Drawing}, for parts of the kind drawing

    `givens`, `variant` and `step` are what a reader changes, on the page or from Python; `trace` and `worked` are the run with these
    numbers. `widget` is the lab as a Jupyter widget, with these three as traits.
    """

    def __init__(self, variants, choices=(), begin=0, drawings=None):
        self.variants, self.choices, self.begin, self.drawings = tuple(variants), tuple(choices), begin, drawings or {}
        self._variant, self._step, self._widget = begin, 0, None
        self._edits = {}  # (name, flat index): changed number, for all variants
        self._check()

    def _check(self):
        wanted = prod(len(choice.options) for choice in self.choices)
        if wanted != len(self.variants):
            raise ValueError(f"{len(self.variants)} variants for choices that make {wanted}; give a run for every combination, the last choice first")
        widths = {}
        for variant in self.variants:
            for name, array in _givens_of(variant).items():
                if name in ("variant", "step") or array.shape[1:] != widths.setdefault(name, array.shape[1:]):
                    raise ValueError(f"the given {name!r} {array.shape} cannot go along from variant to variant; give it another name")

    # ---- state

    @property
    def variant(self):  # -> int
        """The index of the current variant."""
        return self._variant

    @variant.setter
    def variant(self, number):
        _refuse_outside("variant", number, len(self.variants))
        self._variant = number
        self._step = min(self._step, len(self.variants[number].steps) - 1)
        self._tell()

    @property
    def step(self):  # -> int
        """The index of the current step."""
        return self._step

    @step.setter
    def step(self, number):
        steps = self.variants[self.variant].steps
        _refuse_outside("step", number, len(steps))
        self._step = number
        self._tell()

    @property
    def givens(self):  # -> {name: nested list}
        """The inputs of the variant. When set, those left out are reset to their initial values.

        Changed numbers are kept, by name and index, when the variant changes. Raises ValueError for unknown names, other shapes, numbers
        that are not finite, and numbers with which the run fails.
        """
        now = {name: np.array(array) for name, array in _givens_of(self.variants[self.variant]).items()}
        for (name, place), value in self._edits.items():
            if name in now and place < now[name].size:
                now[name].flat[place] = value
        return {name: array.tolist() for name, array in now.items()}

    @givens.setter
    def givens(self, numbers):
        pencil = _givens_of(self.variants[self.variant])
        if not isinstance(numbers, Mapping):
            raise ValueError(f"givens={numbers!r}; give them by name: {{{next(iter(pencil))!r}: ...}}")
        for name, rows in numbers.items():
            if name not in pencil:
                raise ValueError(f"{name!r} is not given here; there are {', '.join(pencil)}")
            try:
                found = np.asarray(rows, float)
            except (TypeError, ValueError, OverflowError):
                found = np.array(np.nan)
            if found.shape != pencil[name].shape or not np.isfinite(found).all():
                raise ValueError(f"{name!r} takes finite numbers of the shape {pencil[name].shape}; these are {rows!r}")
        now = {name: np.asarray(numbers.get(name, array), float) for name, array in pencil.items()}
        if problem := _problem(self.program, now):  # as on the page, an input may have its own message
            parts = [part for step in self.variants[self.variant].steps for part in step.parts if part.refusal]
            refused = [part for part in parts if _problem(self.program, pencil | {part.show: now[part.show]})]
            raise ValueError(f"{refused[0].show}: {refused[0].refusal}" if refused else str(problem)) from problem
        elsewhere = {(name, place): value for (name, place), value in self._edits.items() if place >= np.size(pencil.get(name, []))}
        changed = {name: np.flatnonzero(now[name].ravel() != pencil[name].ravel()) for name in pencil}
        self._edits = elsewhere | {(name, int(k)): float(now[name].flat[k]) for name, places in changed.items() for k in places}
        self._tell()

    def chosen(self):  # -> {choice: option}
        """The chosen option of each choice."""
        places = np.unravel_index(self.variant, [len(choice.options) for choice in self.choices]) if self.choices else ()
        return {choice.label: choice.options[place] for choice, place in zip(self.choices, places, strict=True)}

    # ---- results

    @property
    def program(self):
        """The program of the variant."""
        return self.variants[self.variant].worked.trace.program()

    @property
    def trace(self):  # -> Trace
        """The run of the variant with the current numbers: `lab.trace.find("nolan.weights")`."""
        return Trace.load(self.program, self.givens)

    @property
    def worked(self):  # -> Worked
        """The same run as a Worked."""
        made = self.variants[self.variant].worked
        return Worked(self.trace, made.labels, made.whole, made.track)

    # ---- display

    @property
    def name(self):
        """The name of the lab in links, which store its state."""
        return type(self).__name__

    def __repr__(self):
        first = self.variants[self.begin]
        counts = [(len(self.variants), "variant"), (len(first.steps), "step"), (len(_givens_of(first)), "given value")]
        return f"{self.name}: " + ", ".join(f"{n} {what}{'s' * (n != 1)}" for n, what in counts)

    def state(self):  # -> dict
        """The data for the script: programs with their inputs, and what to show; no computed numbers."""
        variants = [
            {"data": export(v.worked), "steps": [{"label": s.label, "parts": [p.data() for p in s.parts]} for s in v.steps]} for v in self.variants
        ]
        choices = [{key: value for key, value in vars(choice).items() if value} for choice in self.choices]
        return {"name": self.name, "begin": self.begin, "choices": choices, "variants": variants}

    def drawn(self):
        """The HTML of all drawings, for the script."""
        return "\n".join(
            f'<div class="pencil-drawing" data-drawing="{escape(name)}"><p>{escape(drawing.title)}</p>{drawing.svg()}</div>'
            for name, drawing in self.drawings.items()
        )

    def _repr_html_(self):
        """HTML with all steps of the first variant with its initial numbers, and the data for the script."""
        first, seen = self.variants[self.begin], set()
        steps = "\n".join(_still(step, first.worked, len(first.steps) > 1, seen) for step in first.steps)
        script = f'<script type="application/json">{as_json(self.state())}</script>'
        still, label = "\n".join(filter(None, [self.drawn(), steps])), self.name.removesuffix("Lab") + " lab" * self.name.endswith("Lab")
        return f'<section class="pencil-lab" aria-label="{label}">\n<div class="pencil-lab-still">\n{still}\n</div>\n{script}</section>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        shown = {"text/plain": repr(self), "text/html": self._repr_html_()}
        try:
            from pencil.widgets.jupyter import view  # needs anywidget
        except ImportError:
            return shown
        return shown | view(self)

    @property
    def widget(self):  # -> anywidget.AnyWidget
        """The lab as a Jupyter widget, with the traits givens, variant and step."""
        if self._widget is None:
            from pencil.widgets.jupyter import LabWidget

            self._widget = LabWidget(self)
        return self._widget

    def _tell(self):
        if self._widget is not None:
            self._widget.follow()


def one_step(label, *parts):
    """The steps of a lab with a single step."""
    return (Step(label, parts),)


def _refuse_outside(name, number, count):
    if not (isinstance(number, Integral) and 0 <= number < count):
        raise ValueError(f"{name} {number!r}; there are {count}, from 0 to {count - 1}")


def _problem(program, givens):  # -> ValueError of the run, or None
    try:
        Trace.load(program, givens)
    except ValueError as problem:
        return problem
    return None


def _givens_of(variant):  # -> {name: array}
    return {name: step.exact for name, step in variant.worked.trace.names.items() if step.op == "given"}


def _still(step, worked, titled, seen):  # a step without the parts in `seen`; "" where none is left
    parts = "\n".join(part.still(worked) for part in step.parts if part not in seen)
    seen.update(step.parts)
    return f"<p><strong>{escape(step.label)}</strong></p>\n" * titled + parts if parts.strip() else ""
