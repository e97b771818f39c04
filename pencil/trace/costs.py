"""What a run costs: its arithmetic, and its reads and writes to slow memory. It depends on the shapes alone, not on the numbers."""

from collections import Counter, OrderedDict
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from pencil.formats import format_named
from pencil.trace.array import ancestors
from pencil.trace.operations import OPERATIONS, cost

MOVES = ("note", "gather")  # they name or move numbers, at no cost
OPERATION_COUNTS = ("multiplications", "additions", "divisions", "functions", "comparisons")


@dataclass(frozen=True)
class Bill:
    """What a run costs, counted number by number.

    - `multiplications`, `additions` (with subtractions), `divisions`, `comparisons`, and `functions` such as exp, sqrt and tanh
    - `multiply_adds`: the multiplications that belong to a matrix product, written with `@` or as in `weighted_sum`
    - `reads`, `writes`: numbers moved from and to slow memory, with a fast memory that evicts the least recently used number. A step reads
      each number of its operands once, unless it is in fast memory; its results go to fast memory. An evicted number is written if it
      was computed and is still needed. Without fast memory every step reads and writes everything. Constants are not read, and
      moves (reshape, indexing) cost nothing.
    - `peak`: the largest number of computed values that are still needed at one time
    """

    multiplications: int = 0
    additions: int = 0
    divisions: int = 0
    functions: int = 0
    comparisons: int = 0
    multiply_adds: int = 0
    reads: int = 0
    writes: int = 0
    peak: int = 0

    @property
    def flops(self):
        """2 for each multiply-add of a matrix product and nothing for the rest, as torch's FlopCounterMode counts.

        A weighted sum that is written as `(weights[:, :, None] * value).sum(1)` counts as a matrix product too, as it would with `@`
        (see `matrix_product` in operations).
        """
        return 2 * self.multiply_adds

    def bytes(self, name):  # str -> number
        """Bytes read and written, with all numbers in a format: fp16, bf16, fp8_e4m3, fp8_e5m2, int8, int4 or nf4."""
        return (self.reads + self.writes) * format_named(name).bits / 8

    def __str__(self):
        arithmetic = [f"{count:,} {_one(word, count)}" for word in OPERATION_COUNTS if (count := getattr(self, word))]
        traffic = f"{self.reads:,} {_one('reads', self.reads)}, {self.writes:,} {_one('writes', self.writes)}"
        return "\n".join([", ".join(arithmetic) or "nothing to compute", traffic])


def _one(word, count):
    return word[:-1] if count == 1 else word


def bill(trace, names, fast):  # Trace, names of values, int -> Bill
    """See `Trace.bill`."""
    if unknown := sorted(set(names) - set(trace.names)):
        raise KeyError(f"nothing is named {unknown[0]!r}; there are {', '.join(trace.names)}")
    if not isinstance(fast, Integral) or fast < 0:
        raise ValueError(f"fast={fast!r} numbers cannot fit; take a whole number, 0 or more")
    steps = _between(trace, names) if names else ancestors(trace.names.values())
    spent = Counter()
    for step in steps:
        spent.update(cost(step))
        spent["multiply_adds"] += step.size * (step.id in trace.unsummed_products)
    return Bill(**spent, **_Memory(steps, fast).traffic())


def _between(trace, names):  # the steps that computed these values from the named ones before them
    chosen = [trace.names[name] for name in names]
    return ancestors(chosen, {step.id for name, step in trace.names.items() if name not in names})


class _Memory:
    """Simulates a fast memory of `fast` numbers that evicts the least recently used one."""

    def __init__(self, steps, fast):
        self.fast, self.cells, self.count = fast, {}, 0  # cells: id of a step -> array of the ids of its numbers
        self.held, self.reads, self.writes = OrderedDict(), 0, 0  # held: id of a number -> whether slow memory has no copy of it
        self.waiting = set()  # operands of the current step that are not read yet
        self.work = [(self._operands(step), self._results(step)) for step in steps]
        self.last = {number: i for i, (operands, _) in enumerate(self.work) for number in operands}
        self.computed = {number for _, results in self.work for number in results}

    def _of(self, step):  # -> (...) ids of the step's numbers; −1 for constants
        if step.id not in self.cells:
            self.cells[step.id] = np.full(step.shape, -1) if step.op == "constant" else self._new(step)
        return self.cells[step.id]

    def _new(self, step):
        self.count += step.size
        return np.arange(self.count - step.size, self.count).reshape(step.shape)

    def _operands(self, step):
        if step.op in MOVES or not step.args:
            return ()
        cells = [self._of(a) for a in step.args]
        if step.op in ("take", "take_along_axis"):  # only the rows that are looked up are read
            table, ids = cells[0], step.args[1].exact
            cells = [OPERATIONS[step.op](table, ids, **step.attrs), cells[1]]
        numbers = dict.fromkeys(n for c in cells for n in c.ravel().tolist())  # each once, in reading order
        numbers.pop(-1, None)
        return tuple(numbers)

    def _results(self, step):
        if step.op in MOVES and step.args:
            moved = OPERATIONS[step.op](*(self._of(a) for a in step.args), **step.attrs)
            self.cells[step.id] = moved
            return ()
        return tuple(self._of(step).ravel().tolist()) if step.args else ()

    def traffic(self):  # -> {"reads", "writes", "peak"}
        """Run all steps. What is still in fast memory at the end, computed and not read again, is the result, and is written."""
        alive, peak = 0, 0
        for i, (operands, results) in enumerate(self.work):
            self.waiting = set(operands)
            for number in operands:
                self.waiting.remove(number)
                self.reads += number not in self.held
                self._hold(number, self.held.pop(number, False), i)
            for number in results:
                self._hold(number, True, i)
            alive += len(results)
            peak = max(peak, alive)
            alive -= self._forget(operands, i)
        self.writes += sum(self.held.values())
        return {"reads": self.reads, "writes": self.writes, "peak": peak}

    def _hold(self, number, alone, i):
        self.held[number] = alone
        if len(self.held) > self.fast:
            gone, was_alone = self.held.popitem(last=False)
            self.writes += was_alone and (gone in self.waiting or self.last.get(gone, i + 1) > i)

    def _forget(self, operands, i):  # drop what is not needed after step i -> how many computed numbers that were
        done = [number for number in operands if self.last[number] == i]
        for number in done:
            self.held.pop(number, None)
        return sum(number in self.computed for number in done)
