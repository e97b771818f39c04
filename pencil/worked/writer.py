"""Writes the numbers of a trace: their digits, their references, and the expressions that they were computed from."""

from dataclasses import replace
from math import isfinite

import numpy as np

from pencil.rounding import MINUS, as_given, is_whole, settle, show
from pencil.trace.names import positions
from pencil.worked.fragments import ATOM, NEGATIVE, POWER, PRODUCT, SUM, Number, call, constant_digits, exact_digits, has_more, join, plus, row, wrap
from pencil.worked.origin import operands, pairs, so_far, source, summands

LEAVES = ("given", "constant", "note")
YES_OR_NO = ("greater", "greater_equal", "less", "less_equal", "equal")
KINDS = {1: "number", 2: "row"}  # what an axis without labels counts, by the number of axes from it on
SIGNS = {"add": " + ", "subtract": f" {MINUS} ", "multiply": "·", "divide": " / "}


class Writer:
    """Turns an entry (array, index) into fragments.

    - `trace`: the Trace
    - `whole`: whether 8.000 is written 8 where it is exactly whole
    - `track`: "exact", "paper" or the name of the reading
    - `run`: the name of the trace in references, or ""
    - `label`: a function from a name to what the page calls it
    - `reading`: a Reading, for a track that is not of the trace; else None
    """

    def __init__(self, trace, whole, track, run, label, reading=None):
        self.trace, self.whole, self.track, self.run, self.label, self.reading = trace, whole, track, run, label, reading
        self.spell = reading.system.digits if reading else None  # prints numbers such as 14/3; None where pencil.rounding prints them

    def value(self, array, at):
        """The number on the writer's track."""
        numbers = self.reading.numbers(array) if self.reading else getattr(array, self.track)
        return numbers[at] if self.spell else float(numbers[at])

    def digits(self, array, at):
        """The written digits: 8 and not 8.000 only where the number is whole without rounding."""
        if self.spell:
            return self.spell(self.value(array, at))
        if array.op == "given" and (not self.reading or self.value(array, at) == array.exact[at]):
            return as_given(float(array.exact[at]))
        return self._show(array, self.value(array, at), at)

    def number(self, array, at):  # -> Number, or the bare digits of a constant
        """The digits with their reference; for a constant the digits alone."""
        if array.op == "constant":
            return constant_digits(float(array.exact[at]))
        x = float(array.exact[at])
        digits, exact = self.digits(array, at), exact_digits(x)
        more = digits != exact if self.spell else has_more(digits, exact)
        number = Number(digits, self.reference(array, at), exact, more=more, labelled=self.labelled(array, at))
        if self.track == "paper" or self.spell:
            return number
        here = self.value(array, at)
        cut = isfinite(here) and settle(here) != settle(float(digits.replace(MINUS, "-")))  # the value has more digits than are shown
        paper = as_given(x) if array.op == "given" else self._show(array, float(array.paper[at]), at)
        return replace(number, cut=cut, track=self.track if digits != paper else "")

    def _show(self, array, x, at):
        return show(x, self.trace.places, self.trace.figures, self.whole and self._is_whole(array, at))

    def _is_whole(self, array, at):  # on both tracks, before rounding
        before = array.args[0] if array.op == "note" else array
        return is_whole(float(array.exact[at])) and is_whole(float(before.paper[at]))

    def labelled(self, array, at):
        """The reference with the page's labels: nolan.share[ended]; "" where it would be the same."""
        said = self.say(array, at)
        if self.label(array.name) == array.name and " " not in said:
            return ""
        return ".".join([*([self.run] if self.run else []), said])

    def say(self, array, at):
        """What a line calls a value or a part of it, counted from one: nolan.share[ended], nolan.NEW number 2, dials row 1."""
        fixed = [(w, i, array.ndim - axis) for axis, (w, i) in enumerate(zip(array.axes, at, strict=True)) if not isinstance(i, slice)]
        words = [*array.row_word, *(w[i] for w, i, _ in fixed if w)]
        counted = [f"{KINDS.get(left, 'table')} {i + 1}" for w, i, left in fixed if not w and array.shape[-left] > 1]
        inside = f"[{', '.join(words[1:])}]" if words[1:] else ""
        return ".".join([*words[:1], self.label(array.name)]) + inside + (f" {', '.join(counted)}" if counted else "")

    def reference(self, array, at):
        """The reference of an entry of a named array: nolan.weights[ended]."""
        worded = {i: words[at[i]] for i, words in enumerate(array.axes) if words}
        owner = None if array.row_word else next((i for i, w in worded.items() if w in self.trace.words), None)
        inside = [i for i in range(array.ndim) if i != owner]
        if inside == [array.ndim - 1] and array.shape[-1] == 1 and inside[0] not in worded:
            inside = []  # a column of width 1 (keepdims) counts as a number
        owners = [worded[owner]] if owner is not None else [w for w in array.row_word if w in self.trace.words]
        front = [*([self.run] if self.run else []), *owners]
        index = ", ".join(worded.get(i, str(at[i])) for i in inside)
        return ".".join([*front, array.name]) + (f"[{index}]" if index else "")

    def sum(self, array, at):  # -> (fragments, precedence)
        """The expression that an entry was computed from, down to named values, inputs and constants."""
        array, at = source(array, at)
        if array.op in LEAVES:
            number = self.number(array, at)
            text = number if isinstance(number, str) else number.text
            return [number], holds(text)
        if array.op in YES_OR_NO:
            return [as_given(float(self.value(array, at)))], ATOM
        if array.op == "matmul":
            products = [self._product(self.sum(*x), self.sum(*y)) for x, y in pairs(array, at)]
            return join(products, " + "), SUM
        if array.op in ("sum", "mean"):
            terms = plus([self.sum(*x) for x in summands(array, at)])
            return (["(", *terms, f") / {len(summands(array, at))}"], PRODUCT) if array.op == "mean" else (terms, SUM)
        if array.op == "cumsum":  # padded with zeros, so that all lines have the same number of terms
            added, rest = so_far(array, at)
            return plus([self.sum(*x) for x in added] + [(["0"], ATOM)] * rest), SUM
        sides = [self.sum(*x) for x in (summands if array.op == "max" else operands)(array, at)]
        if array.op == "max" and len(sides) == 1:
            return sides[0]
        if array.op not in SIGNS:
            return call(array.op, sides)
        if array.op == "add":
            return plus(sides), SUM
        if array.op == "subtract":
            return [*wrap(sides[0], SUM), SIGNS["subtract"], *wrap(sides[1], PRODUCT)], SUM
        return [*wrap(sides[0], PRODUCT), SIGNS[array.op], *wrap(sides[1], POWER)], PRODUCT

    def _product(self, x, y):
        return [*wrap(x, POWER), "·", *wrap(y, POWER)]

    def step(self, array, at):
        """The intermediate result (6 + 2) of a dot product or mean, if it needs no rounding; else None."""
        array, at = source(array, at)
        if array.op == "mean" and self.track == "paper":
            numbers = summands(array, at)
            if all(source(*x)[0].op in LEAVES for x in numbers):
                return [f"{as_given(sum(self.value(*x) for x in numbers))} / {len(numbers)}"]
        if array.op == "matmul":
            factors = [(self.value(*x), self.value(*y)) for x, y in pairs(array, at)]
            live = [x * y for x, y in factors if x * y]
            if self.spell:
                return plus([([self.spell(p)], holds(self.spell(p))) for p in live]) if len(live) > 1 else None
            uncut = self.track == "paper" or all(is_whole(v) for pair in factors for v in pair)
            if uncut and len(live) > 1 and all(is_whole(p) for p in live):
                return plus([([as_given(p)], NEGATIVE if p < 0 else ATOM) for p in live])
        return None

    def row_sum(self, array, places):
        """The expression of a whole row: [2, 8] / 2, 0.953 × [0, 3, 1, 0], [..] + [..]; None where there is none."""
        if array.op in SIGNS:
            sides = [self._side([source(*operands(array, at)[i]) for at in places], arg.ndim > 0) for i, arg in enumerate(array.args)]
            return join(sides, " × " if array.op == "multiply" else SIGNS[array.op]) if all(sides) else None
        if array.op in ("sum", "mean") and max(array.attrs["axis"]) < array.args[0].ndim - 1:  # elementwise
            columns = [[source(*x) for x in summands(array, at)] for at in places]
            rows = [self._side(list(r)) for r in zip(*columns, strict=True)]
            if all(rows):
                return ["(", *join(rows, " + "), f") / {len(rows)}"] if array.op == "mean" else join(rows, " + ")
        return None

    def _side(self, leaves, can_be_row=True):  # an operand of a row: one number that is broadcast, or a row
        if any(array.op not in LEAVES for array, _ in leaves):
            return None
        one = all(array is leaves[0][0] and at == leaves[0][1] for array, at in leaves)
        if one and (len(leaves) > 1 or not can_be_row):
            return wrap(self.sum(*leaves[0]), POWER)
        return row([self.number(*leaf) for leaf in leaves])

    def literal(self, value):
        """A number, row or matrix as it is written."""
        if np.ndim(value.exact) == 0:
            return [self.number(value.array, value.index)]
        if np.ndim(value.exact) == 1:
            return row([self.number(value.array, at) for at in positions(value)])
        return ["[", *join([self.literal(r) for r in rows(value)], ", "), "]"]


def holds(text):
    """The precedence of a written number: 14/3 is a product, as is ln 3, so that both get brackets where a quotient would."""
    if text.startswith(MINUS):
        return NEGATIVE
    return POWER if text.startswith("√") else PRODUCT if "/" in text or text.startswith("ln") else ATOM


def rows(value):
    """The parts of a value along the first axis that its index keeps."""
    axis = next(i for i, place in enumerate(value.index) if isinstance(place, slice))
    head, tail = value.index[:axis], value.index[axis + 1 :]
    return [value.at((*head, k, *tail)) for k in range(value.array.shape[axis])]
