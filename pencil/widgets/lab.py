"""A lab: given numbers that a reader changes, and all that follows from them, worked out in front of the eyes.

A lab is made from what a chapter is made from: its programs are runs of `pencil.reference` under a trace, one for each
variant (a length, a mask, a count of heads), and what it shows are worked lines and pictures. In a built page and in
Jupyter the scripts in pencil/web make it live; where no script runs, the pencil numbers stand.
"""

from dataclasses import dataclass
from html import escape
from math import prod

import numpy as np

from pencil.trace import Trace
from pencil.worked import Lines, Worked, as_json, export, plain
from pencil.worked.tables import bars, heat, table

PICTURES = {"heat": heat, "bars": bars, "given": table}


@dataclass(frozen=True)
class Part:
    """Something that a lab shows of a run: `kind` is given, lines, heat, bars or says, and `show` the reference it shows.

    Or `kind` is drawing, and `show` which of the lab's drawings: its numbers are those of the variant, whichever it was drawn from.
    Lines may have several references, and `by` as in Worked.show. What `says` the highest of a row of numbers says it by its `words`,
    a word for each, or what `blank` says where a given is all zeros; of a given row with `words` each number stands for one of them,
    to choose. A given single number may have a `range` to slide in; or given numbers are drawn by lot, and then `draw` has the value that is 1
    where they fell, the given row that counts it, and what the button says for "Draw" if it is another word. A given matrix may be a picture to
    `paint`, and `clear` what the button that empties it says. `refusal` is said of numbers of it that break a sum, and of those that are not
    above zero where it is to be `positive`. What begins a `row` stands below what was before it.
    """

    kind: str
    show: str
    label: str = ""
    by: str | None = None
    range: tuple = ()  # lowest, highest, step
    paint: bool = False
    clear: str = ""
    draw: tuple = ()  # where it fell, what counts it, what one does
    words: tuple = ()
    refusal: str = ""
    positive: bool = False
    blank: tuple = ()  # the name of a given, what is said
    row: bool = False

    def still(self, worked):
        """As it stands without a script: plain digits, which are bound to no chapter's run."""
        if self.kind == "lines":
            lines = Lines([[plain(line)] for line in worked.show(*self.show.split(), by=self.by).lines])
            return (f"<p>{escape(self.label)}</p>" if self.label else "") + lines._repr_html_()
        if self.kind == "drawing":
            return ""  # all of them stand above the steps
        if self.kind == "says":
            return f"<p>{escape(self.said(worked))}</p>"
        made = PICTURES[self.kind](worked, self.show, self.label)
        made.rows, made.binding = [(label, [(self._text(number), level) for number, level in cells]) for label, cells in made.rows], {}
        return made._repr_html_()

    def _text(self, number):
        return self.words[int(number.text)] if self.words else number.text

    def said(self, worked):  # -> str
        """Whose number is the highest, as it is written; two that are written alike are equal."""
        if self.blank and not worked.trace.find(self.blank[0]).exact.any():
            return self.blank[1]
        numbers = worked.trace.find(self.show).paper.ravel()
        highest = [word for word, number in zip(self.words, numbers, strict=True) if number == numbers.max()]
        return f"{self.label} {highest[0]}." if len(highest) == 1 else f"{' and '.join(highest)} are equal."

    def data(self):
        """What the script has to know of it."""
        return {key: value for key, value in vars(self).items() if value}


@dataclass(frozen=True)
class Step:
    """One move: what it is called, and what it shows."""

    label: str
    parts: tuple


@dataclass(frozen=True)
class Choice:
    """What a reader may choose between. With `add` and `remove`, two buttons that say so; else a list."""

    label: str
    options: tuple
    add: str = ""
    remove: str = ""


@dataclass(frozen=True)
class Variant:
    """One run, and the steps it is shown in."""

    worked: Worked
    steps: tuple


class Lab:
    """What all labs share. `variants` stand in the order of the choices, those of the last choice next to one another;
    `begin` is the one that a reader meets first. `drawings` are those of pencil.drawings that parts show, by name.

    `givens`, `variant` and `step` are what a reader changes, on the page or from Python; `trace` and `worked` are the run
    with these numbers. `widget` is the same lab for Jupyter, with these three as traits to observe and to link.
    """

    def __init__(self, variants, choices=(), begin=0, drawings=None):
        self.variants, self.choices, self.begin, self.drawings = tuple(variants), tuple(choices), begin, drawings or {}
        self._variant, self._step, self._widget = begin, 0, None
        self._edits = {}  # (name, place among all of its numbers) -> a reader's number
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

    # ---- what a reader changes

    @property
    def variant(self):  # -> int
        """Which of the variants stands there."""
        return self._variant

    @variant.setter
    def variant(self, number):
        if number not in range(len(self.variants)):
            raise ValueError(f"variant {number!r}; there are {len(self.variants)}, from 0 to {len(self.variants) - 1}")
        self._variant = number
        self._step = min(self._step, len(self.variants[number].steps) - 1)
        self._tell()

    @property
    def step(self):  # -> int
        """Which of the steps stands there, from 0."""
        return self._step

    @step.setter
    def step(self, number):
        steps = self.variants[self.variant].steps
        if number not in range(len(steps)):
            raise ValueError(f"step {number!r}; there are {len(steps)}, from 0 to {len(steps) - 1}")
        self._step = number
        self._tell()

    @property
    def givens(self):  # -> {name: nested list}
        """The given numbers of the variant. Set some or all of them: what is left out is as the lab began.

        A reader's numbers go along to the next variant, by name and place.
        """
        now = {name: np.array(array) for name, array in _givens_of(self.variants[self.variant]).items()}
        for (name, place), value in self._edits.items():
            if name in now and place < now[name].size:
                now[name].flat[place] = value
        return {name: array.tolist() for name, array in now.items()}

    @givens.setter
    def givens(self, numbers):
        pencil = _givens_of(self.variants[self.variant])
        for name, rows in numbers.items():
            if name not in pencil:
                raise ValueError(f"{name!r} is not given here; there are {', '.join(pencil)}")
            found = np.asarray(rows, float)
            if found.shape != pencil[name].shape or not np.isfinite(found).all():
                raise ValueError(f"{name!r} takes finite numbers of the shape {pencil[name].shape}; these are {rows!r}")
        now = {name: np.asarray(numbers.get(name, array), float) for name, array in pencil.items()}
        for part in (part for step in self.variants[self.variant].steps for part in step.parts if part.positive):
            if not (now[part.show] > 0).all():
                raise ValueError(f"{part.show}: {part.refusal}")
        Trace.load(self.program, now)  # numbers that break a sum are refused before they are taken
        elsewhere = {(name, place): value for (name, place), value in self._edits.items() if place >= np.size(pencil.get(name, []))}
        changed = {name: np.flatnonzero(now[name].ravel() != pencil[name].ravel()) for name in pencil}
        self._edits = elsewhere | {(name, int(k)): float(now[name].flat[k]) for name, places in changed.items() for k in places}
        self._tell()

    def chosen(self):  # -> {choice: option}
        """What is chosen, by its words."""
        places = np.unravel_index(self.variant, [len(choice.options) for choice in self.choices]) if self.choices else ()
        return {choice.label: choice.options[place] for choice, place in zip(self.choices, places, strict=True)}

    # ---- what follows

    @property
    def program(self):
        """The program of the variant."""
        return self.variants[self.variant].worked.trace.program()

    @property
    def trace(self):  # -> Trace
        """The run of the variant with the numbers as they are now: `lab.trace.find("nolan.weights")`."""
        return Trace.load(self.program, self.givens)

    @property
    def worked(self):  # -> Worked
        """The same run, ready to be written out."""
        made = self.variants[self.variant].worked
        return Worked(self.trace, made.labels, made.whole, made.track)

    # ---- how it is shown

    @property
    def name(self):
        """Under which a link carries its numbers."""
        return type(self).__name__

    def __repr__(self):
        first = self.variants[self.begin]
        counts = [(len(self.variants), "variant"), (len(first.steps), "step"), (len(_givens_of(first)), "given value")]
        return f"{self.name}: " + ", ".join(f"{n} {what}{'s' * (n != 1)}" for n, what in counts)

    def state(self):  # -> dict
        """What the script needs: programs with their given numbers, and what to show of them; no number that was worked out."""
        variants = [
            {"data": export(v.worked), "steps": [{"label": s.label, "parts": [p.data() for p in s.parts]} for s in v.steps]} for v in self.variants
        ]
        choices = [{key: value for key, value in vars(choice).items() if value} for choice in self.choices]
        return {"name": self.name, "begin": self.begin, "choices": choices, "variants": variants}

    def drawn(self):
        """Its drawings, from which the script takes those that it shows."""
        return "\n".join(
            f'<div class="pencil-drawing" data-drawing="{escape(name)}"><p>{escape(drawing.title)}</p>{drawing.svg()}</div>'
            for name, drawing in self.drawings.items()
        )

    def _repr_html_(self):
        """The pencil numbers of the variant it begins with, all steps one below the other, and the state."""
        first = self.variants[self.begin]
        steps = "\n".join(_still(step, first.worked, len(first.steps) > 1) for step in first.steps)
        script = f'<script type="application/json">{as_json(self.state())}</script>'
        still = "\n".join(filter(None, [self.drawn(), steps]))
        return f'<section class="pencil-lab" aria-label="{_words(self.name)}">\n<div class="pencil-lab-still">\n{still}\n</div>\n{script}</section>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        shown = {"text/plain": repr(self), "text/html": self._repr_html_()}
        try:
            from pencil.widgets.jupyter import view  # only now: anywidget is for Jupyter, and nothing else needs it
        except ImportError:
            return shown
        return shown | view(self)

    @property
    def widget(self):  # -> anywidget.AnyWidget
        """The lab as a Jupyter widget: its traits givens, variant and step follow the reader, and the reader's page follows them."""
        if self._widget is None:
            from pencil.widgets.jupyter import LabWidget

            self._widget = LabWidget(self)
        return self._widget

    def _tell(self):
        if self._widget is not None:
            self._widget.follow()


def one_step(label, *parts):
    """A lab in one step."""
    return (Step(label, parts),)


def _givens_of(variant):  # -> {name: array}
    return {name: step.exact for name, step in variant.worked.trace.names.items() if step.op == "given"}


def _still(step, worked, titled):
    title = f"<p><strong>{escape(step.label)}</strong></p>\n" if titled else ""
    return title + "\n".join(part.still(worked) for part in step.parts)


def _words(name):  # AttentionLab -> Attention lab
    return name.removesuffix("Lab") + " lab" * name.endswith("Lab")
