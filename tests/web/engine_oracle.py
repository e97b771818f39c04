"""NumPy's results for a program, for testing the engine: values, errors, and which digits are float noise."""

import copy

import numpy as np

from pencil.note import WRONG
from pencil.trace import Trace
from pencil.trace.operations import OPERATIONS

EXACT_BY_THE_STANDARD = {  # IEEE 754 leaves no choice here, so every bit is held
    "add", "subtract", "multiply", "divide", "negative", "sqrt", "maximum", "minimum", "max",
    "greater", "greater_equal", "less", "less_equal", "equal", "where", "gather", "take", "absolute", "rint", "argsort", "take_along_axis",
}  # fmt: skip


class Refused(Exception):
    """The first value, in order, that has no number."""


class Judge(Trace):
    """A trace that refuses what a page refuses: a NaN, an overflow, no number on paper."""

    def __init__(self, *args):
        super().__init__(*args)
        self.unmasked = None  # a function: () -> {name: exact values with ±700 where infinities are given}

    def note(self, name, value):
        try:
            noted = super().note(name, value)
        except ValueError:
            raise Refused(name) from None
        if name.startswith(f"{WRONG}."):  # what a known mistake gives may be no number at all
            return noted
        infinite = np.isinf(noted.exact)
        if np.isnan([noted.exact, noted.paper]).any() or (infinite.any() and not np.isfinite(self.unmasked()[name][infinite]).all()):
            raise Refused(name)
        return noted

    __call__ = note


def says(program, given):  # -> (the trace as far as it came, the name that is refused or None, the refusal of a wrong id)
    judges = []

    class Here(Judge):
        def __init__(self, *args):
            super().__init__(*args)
            self.unmasked = lambda: exact_values(capped(program, given))
            judges.append(self)

    try:
        Here.load(program, given)
    except Refused as refused:
        return judges[0], refused.args[0], ""
    except ValueError as wrong_id:
        return judges[0], None, str(wrong_id)
    return judges[0], None, ""


def capped(program, given):
    """The program with its givens, and ±700 for every infinity in it."""
    program = copy.deepcopy(program)
    for step in program["steps"]:
        if "value" in step:
            value = np.asarray(given.get(step.get("name"), [float(x) for x in step["value"]]), float).ravel()
            step["value"] = np.where(np.isinf(value), np.sign(value) * 700, value)
    return program


def exact_values(program):  # -> {name: array}, with no rounding and no refusal
    done, names = [], {}
    with np.errstate(all="ignore"):
        for step in program["steps"]:
            args, attrs, shape = [done[i] for i in step.get("args", ())], {}, tuple(step["shape"])
            if step["op"] == "take" and not np.isin(args[1], np.arange(len(args[0]))).all():
                break  # the run itself is refused there, or before
            if "value" in step:
                done.append(np.array(step["value"], float).reshape(shape))
            else:
                if step["op"] == "gather":
                    attrs = {"index": np.array(step["index"], int), "shape": shape}
                if "axis" in step:
                    attrs = {"axis": tuple(step["axis"])} | ({"keepdims": step["keepdims"]} if "keepdims" in step else {})
                done.append(np.asarray(OPERATIONS[step["op"]](*args, **attrs)))
            names[step.get("name")] = done[-1]
    return names


ADDING = ("add", "subtract", "sum", "mean", "matmul", "cumsum")


def size_of_terms(step, track="exact"):  # -> (...) what the error of one step is measured by
    """How large the numbers are that a step adds up. Where it adds nothing, it is the result that counts."""
    sizes = [np.abs(getattr(a, track).astype(float)) for a in step.args]
    with np.errstate(all="ignore"):
        if step.op in ("add", "subtract"):
            return sizes[0] + sizes[1]
        return OPERATIONS[step.op](*sizes, **step.attrs) if step.op in ADDING else np.abs(np.asarray(getattr(step, track), float))


def is_noise(step, track):
    """Whether a difference cancelled: what is left is below 1e-10 of what was added up, so its digits are the float's last bits."""
    return step.op in ADDING and bool((np.abs(np.asarray(getattr(step, track), float)) < 1e-10 * size_of_terms(step, track)).any())


COMPARISONS = ("greater", "greater_equal", "less", "less_equal", "equal")


def rests_on_noise(noted, track="paper", sizes=None):
    """The exception: between a noted value and the named ones behind it noise is divided by, put under a root or a logarithm, or decided by.

    `sizes` are the `scales` of the run: by them a value that has a name is known as noise as well, which on paper is a written 0.
    """
    return any(noise_decides(step, track, sizes or {}) for a in noted.args for step in between(a))


def noise_decides(step, track, sizes):
    if step.op in COMPARISONS:  # of two numbers that only their last bits tell apart
        x, y = (np.asarray(getattr(a, track), float) for a in step.args)
        terms = np.maximum(*(sizes.get(a.id, 0.0) for a in step.args))
        with np.errstate(invalid="ignore"):
            if (np.abs(x - y) <= np.maximum(1e-10 * np.maximum(np.abs(x), np.abs(y)), 1e-12 * terms)).any():
                return True
    number = step.args[0] if step.op == "where" and step.args[0].exact.dtype != bool else None  # it stands for a mask: is it 0 or noise?
    if number is not None and (np.abs(getattr(number, track)) <= 1e-12 * sizes.get(number.id, 0.0)).any():
        return True
    if step.op == "rint":  # half-way between two whole numbers, but for the last bits
        x = np.asarray(getattr(step.args[0], track), float)
        near = np.maximum(1e-10 * np.abs(x), 1e-12 * sizes.get(step.args[0].id, 0.0))
        with np.errstate(invalid="ignore"):
            if (np.abs(np.abs(x - np.floor(x)) - 0.5) <= near).any():
                return True
    if step.op == "argsort":  # numbers that only their last bits tell apart have no order
        x = np.sort(np.asarray(getattr(step.args[0], track), float), step.attrs["axis"][0])
        with np.errstate(invalid="ignore"):
            if (np.abs(np.diff(x, axis=step.attrs["axis"][0])) <= 1e-10 * np.abs(x).max(initial=0)).any():
                return True
    judged = {"divide": step.args[1:], "power": step.args[:1], **dict.fromkeys(("sqrt", "log", "argsort", *COMPARISONS), step.args)}
    return any(is_noise(s, track) for a in judged.get(step.op, ()) for s in between(a))


def overflows(noted):
    """The other exception: a product grew beyond all numbers. Where it is fused with the sum it did not, so ∞ − ∞ stays −∞."""
    sums = [step for a in noted.args for step in between(a) if step.op == "matmul"]
    return any(not np.isfinite(size_of_terms(step, track)).all() for step in sums for track in ("exact", "paper"))


def between(step):
    """A step and those behind it, as far as the next named value."""
    if step.name is None:
        yield step
        for a in step.args:
            yield from between(a)


def scales(trace):  # -> {id of a step: (...) }
    """How large an error of one unit in every operand's scale may become: the result, or what the slopes make of it."""
    found = {}
    with np.errstate(all="ignore"):
        for step in trace.steps:
            size = np.abs(np.asarray(step.exact, float))
            slope = SLOPES.get(step.op, lambda *_, **__: 0.0)
            carried = slope([a.exact.astype(float) for a in step.args], [found[a.id] for a in step.args], size, step.attrs) if step.args else 0.0
            found[step.id] = np.maximum(size, np.where(np.isfinite(carried), carried, 0.0))
    return found


def _same(op):
    return lambda x, s, r, attrs: OPERATIONS[op](*s, **attrs)


SLOPES = {  # (operands, their scales, size of the result, attrs) -> scale
    **{op: _same(op) for op in ("add", "sum", "mean", "max", "maximum", "gather", "note", "cumsum", "absolute")},
    "subtract": lambda x, s, r, attrs: s[0] + s[1],
    "minimum": lambda x, s, r, attrs: np.maximum(*s),
    "negative": lambda x, s, r, attrs: s[0],
    "take": lambda x, s, r, attrs: s[0][x[1].astype(int)],
    "where": lambda x, s, r, attrs: np.where(x[0], s[1], s[2]),
    "multiply": lambda x, s, r, attrs: np.abs(x[0]) * s[1] + np.abs(x[1]) * s[0] + 1e-15 * s[0] * s[1],
    "divide": lambda x, s, r, attrs: (s[0] + r * s[1]) / np.abs(x[1]),
    "matmul": lambda x, s, r, attrs: np.abs(x[0]) @ s[1] + s[0] @ np.abs(x[1]) + 1e-15 * (s[0] @ s[1]),
    "exp": lambda x, s, r, attrs: r * s[0],
    "log": lambda x, s, r, attrs: s[0] / np.abs(x[0]),
    "sqrt": lambda x, s, r, attrs: s[0] / r / 2,
    "power": lambda x, s, r, attrs: r * (np.abs(x[1]) * s[0] / np.abs(x[0]) + np.abs(np.log(np.abs(x[0]))) * s[1]),
    "take_along_axis": lambda x, s, r, attrs: np.take_along_axis(s[0], x[1].astype(int), attrs["axis"][0]),
    **dict.fromkeys(("sin", "cos", "tanh", "rint"), lambda x, s, r, attrs: s[0]),
}
