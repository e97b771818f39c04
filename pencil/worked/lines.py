"""Worked lines of named values: `2·3 + 0·0 + 1·2 + 0·0 = 6 + 2 = 8`."""

import numpy as np

from pencil.formats import FORMATS
from pencil.trace.names import positions
from pencil.trace.operations import TRACKS
from pencil.trace.readings import Reading
from pencil.worked.fragments import Number, data, html, join, plain, row
from pencil.worked.labels import is_word, label_of
from pencil.worked.origin import is_weight, pairs, source
from pencil.worked.writer import LEAVES, YES_OR_NO, Writer, rows


class Lines:
    """Worked lines for display: text in a terminal, squared paper in a notebook or page.

    `binding` has data attributes (`data-show` and others) that say what is shown, so that a live page can rewrite the lines.
    """

    def __init__(self, lines, binding=None):
        self.lines, self.binding = lines, binding or {}

    def __repr__(self):
        return "\n".join(plain(line) for line in self.lines)

    def _repr_html_(self):
        """HTML with inline styles, for notebooks do not have the book's style sheet."""
        body = "\n".join(f'<p style="margin: 0">{html(line)}</p>' for line in self.lines)
        return f'<div class="pencil-worked"{data(self.binding)} style="font-family: monospace">\n{body}\n</div>'


class Worked:
    """Writes any named value of a trace as a student would.

    - `trace`: the Trace
    - `labels`: {name: what the page calls it}, where that is not `label_of(name)`
    - `whole`: whether 8.000 is written 8 where it is exactly whole
    - `track`: "paper", "exact" (whose lines end in ≈ where digits are cut), "fractions", a format such as "bf16", or a Reading of the trace
    - `run`: the name of the trace, where a chapter has several; it comes first in every reference
    - `words`: {part of a name: what the page calls it}, for names without a label: {"context": "mix"} shows head1.context as head1.mix

    Raises ValueError for a label of an unknown name and for an unknown track.
    """

    def __init__(self, trace, labels=None, whole=True, track="paper", run="", words=None):
        if not hasattr(trace, "names"):
            raise ValueError(f"{trace!r} is no Trace; hand in the trace, and name another reading of it: track='fractions'")
        reading = track if isinstance(track, Reading) else _reading(trace, track)
        unknown = sorted(set(labels or {}) - set(trace.names))
        if unknown:
            raise ValueError(f"a label for {unknown[0]!r}, which the trace does not name; it has {', '.join(trace.names)}")
        self.trace, self.whole, self.track, self.run = trace, whole, reading.name if reading else track, run
        self._labels, self._words = dict(labels or {}), dict(words or {})
        self._writer = Writer(trace, whole, self.track, run, self.label, reading)

    @property
    def labels(self):  # -> {name: label}
        """The label of every name of the trace that has one."""
        return {name: label for name in self.trace.names if (label := self.label(name)) != name}

    def label(self, name):
        """What a page calls the value of this name."""
        return self._labels.get(name) or label_of(name, self._words, self.trace.names)

    def has_word(self, name):
        """Whether a reader knows this value by its label: the page has given it one, or its name is a word of the field."""
        return is_word(name) or self.label(name) != label_of(name, beside=self.trace.names)

    def number(self, reference):
        """The written digits of one number: `0.953`."""
        value = self.trace.find(reference)
        if np.ndim(value.exact):
            raise ValueError(f"{reference} is {np.shape(value.exact)} numbers, not one; add an index, or ask for row()")
        return self._writer.digits(value.array, value.index)

    def numbers(self, reference):
        """The numbers of a value as a flat list of Numbers, each with its own reference."""
        value = self.trace.find(reference)
        return [self._writer.number(value.array, at) for at in positions(value)]

    def matrix(self, reference):
        """The numbers of a matrix, a list of Numbers for each row."""
        return [[self._writer.number(r.array, at) for at in positions(r)] for r in rows(self.trace.find(reference))]

    def row(self, reference):
        """A number, row or matrix as it is written: `[0.047, 0.953]`."""
        return plain(self.literal(reference))

    def literal(self, reference):
        """`row` as fragments, each number with its own reference."""
        return self._writer.literal(self.trace.find(reference))

    def written(self, value):  # Value -> "[2, 0, 1, 0]"
        """`row` of a value that was found."""
        return plain(self._writer.literal(value))

    def labelled(self, reference):
        """The reference with the page's labels: `nolan.share[ended]`; "" if it is the same."""
        value = self.trace.find(reference)
        return self._writer.labelled(value.array, value.index)

    def text(self, reference):
        """One line: label = expression = result."""
        return plain(self._line(self.trace.find(reference)))

    def lines(self, reference, by=None):
        """The lines of a number, row or matrix; `by="number"` or `by="row"` overrides the usual layout."""
        return [plain(line) for line in self._lines(self.trace.find(reference), by)]

    def show(self, *references, by=None):
        """The same lines for display in a notebook or page."""
        lines = [line for r in references for line in self._lines(self.trace.find(r), by)]
        return Lines(lines, {**self.binding(*references), **({"by": by} if by else {})})

    def beside(self, reference, *tracks):
        """A value on the tracks exact and paper and on further ones, a line each: `worked.beside("context", "bf16", "fractions")`."""
        value, said = self.trace.find(reference), {"exact": "exactly", "paper": "on paper"}
        tracks = {track: Worked(self.trace, self._labels, self.whole, track, self.run, self._words) for track in (*TRACKS, *tracks)}
        return Lines([[f"{self.label_of(value)} {said.get(w.track, f'in {w.track}')} = ", *w.literal(reference)] for w in tracks.values()])

    def binding(self, *references):
        """The data attributes by which a live page rewrites an output of these values."""
        shown = {"show": " ".join(r.replace(" ", "") for r in references), "run": self.run}
        if self._writer.spell:  # a page does not rewrite fractions; their cards do without rounding, too
            return {"track": "exact"}
        shown |= {"track": "" if self.track == "paper" else self.track, "whole": "" if self.whole else "no"}
        return {name: text for name, text in shown.items() if text}

    def sums(self, reference):
        """The line of a value without its label, with and without the intermediate result."""
        value = self.trace.find(reference)
        short, full = self._chain(value, step=False), self._chain(value)
        return {plain(join(sides, " = ")) for sides in (short, full) if len(sides) > 1}

    def _chain(self, value, step=True):  # [expression, intermediate result, result], without those that there are not
        body, result = _behind(value.array), self._writer.literal(value)
        if np.ndim(value.exact) > 1 or self._is_said(value):
            return [result]
        if np.ndim(value.exact) == 1:
            sides = [self._writer.row_sum(body, positions(value))]
        else:
            sides = [self._writer.sum(body, value.index)[0], self._writer.step(body, value.index) if step else None]
        return [*(s for s in sides if s and plain(s) != plain(result)), result]  # an expression of one number is left out

    def _is_said(self, value):  # an input, or a selection or comparison: there is nothing to compute
        return source(_behind(value.array), positions(value)[0])[0].op in (*LEAVES, *YES_OR_NO)

    def _line(self, value):
        *sides, result = self._chain(value)
        if not sides:
            return [self.label_of(value), " = ", *result]
        left = self._dotted(value) if np.ndim(value.exact) == 0 else None
        return [*(left or [self.label_of(value)]), " = ", *join(sides, " = "), _equals(sides, result), *result]

    def _lines(self, value, by=None):
        if by not in (None, "number", "row"):
            raise ValueError(f"by={by!r}; it is 'number' or 'row', or left out")
        if np.ndim(value.exact) == 0:
            return [self._line(value)]
        if np.ndim(value.exact) > 1:
            return [line for part in rows(value) for line in self._lines(part, by)]
        column = value.array.shape[-1] == 1  # one number for each word: a line for each
        chain = len(self._chain(value)) > 1
        if self._is_said(value) or by == "row" or (by is None and chain and not column):
            return [self._line(value)]
        singles = [self._line(value.at(at)) for at in positions(value)]
        return [*singles, [self.label_of(value), " = ", *self._writer.literal(value)]] if len(singles) > 1 else singles

    def _dotted(self, value):  # nolan.WANT · ended.HAVE, or: WANT grid row 1 [1, 0, 0, 0] · nolan.stick
        array, at = source(_behind(value.array), value.index)
        if array.op != "matmul":
            return None
        left, right = ([source(*x) for x in side] for side in zip(*pairs(array, at), strict=True))
        if not (_is_whole_row(left) and _is_whole_row(right)):
            return None
        (a, pa), (b, pb) = left[0], right[0]
        if not is_weight(a):
            return [f"{self._owned(a, pa)} · {self._owned(b, pb)}"]
        weights = [self._writer.number(a, (pa[0], k)) for k in range(a.shape[1])]
        return [f"{self.label(a.name)} row {pa[0] + 1} ", *row(weights), f" · {self._owned(b, pb)}"]

    def label_of(self, value):  # Value -> nolan.share[ended]
        return self._writer.say(value.array, value.index)

    def _owned(self, array, at):  # nolan.WANT: the row of an entry
        return self._writer.say(array, (*at[:-1], slice(None)))


def _reading(trace, track):  # -> Reading, or None for a track of the trace
    if track in TRACKS:
        return None
    if track != "fractions" and track not in FORMATS:
        raise ValueError(f"track={track!r}; it is 'paper', 'exact', 'fractions' or a format: {', '.join(FORMATS)}")
    return trace.fractions() if track == "fractions" else trace.in_format(track)


def _is_whole_row(numbers):  # the entries are a complete row of a named array, so its name can replace them
    array, at = numbers[0]
    if not (array.name and array.ndim and array.shape[-1] == len(numbers)):
        return False
    return all(a is array and p == (*at[:-1], k) for k, (a, p) in enumerate(numbers))


def _behind(array):  # the operand of a note
    return array.args[0] if array.op == "note" else array


def _equals(sides, result):  # ≈ where a number was cut for show
    return " ≈ " if any(isinstance(f, Number) and f.cut for side in [*sides, result] for f in side) else " = "
