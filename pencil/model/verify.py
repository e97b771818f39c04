"""The torch model against the reference, value by value: each name that the trace holds, in the order of the trace."""

import inspect
from dataclasses import dataclass

import numpy as np
import torch

from pencil.rounding import as_given, show

UNNAMED = {"raised", "total", "highest", "lowered"}  # the inside of softmax, where torch goes its own way
IDS = ("ids", "source", "target")  # whole numbers, where forward has a parameter of that name
TOLERANCES = {torch.float64: 1e-10, torch.float32: 1e-5, torch.bfloat16: 5e-2, torch.float16: 5e-3}


class Disagreement(ValueError):
    """A value of the model is not that of the reference; the message has its place and both numbers."""


@dataclass(frozen=True)
class Agreement:
    """What was compared. The repr is the same on every machine; `worst` is not."""

    names: tuple
    tolerance: float
    worst: float  # the largest difference, as a share of the value where that is above one

    def __repr__(self):
        return f"{len(self.names)} named values agree within {self.tolerance}"


def verify(trace, model, tolerance=None, **inputs):  # Trace, module -> Agreement
    """Run the model's noted forward on the trace's own inputs and compare every value that the trace names.

    The inputs are those parameters of `forward` that the trace names (x, ids, source, target, memory); hand in the
    others, masks above all: `verify(trace, model, mask=causal_mask(2))`. What the inputs were made of, what was given,
    and the inside of softmax are not compared. Differences count as shares of the value where that is above one;
    `tolerance` is 1e-10 in float64 and 1e-5 in float32 unless given. Raises Disagreement, a ValueError, that
    names the first value that differs or that the model has not named, and ValueError where an input is missing or
    there is nothing to compare. What no value of this run depends on (a worker that the bend sets to 0) is not proved.
    """
    wanted = inspect.signature(model.forward).parameters
    named = {name: trace.names[name] for name in wanted if name in trace.names}
    noted, parameter = {}, next(model.parameters(), torch.empty(0, dtype=torch.float64))
    given = {name: step.exact for name, step in named.items()} | inputs
    if missing := [name for name, one in wanted.items() if one.default is one.empty and name not in given]:
        raise ValueError(f"the trace names no {missing[0]} to run the model on; hand it in: verify(trace, model, {missing[0]}=...)")
    with torch.no_grad():
        model(**{name: _tensor(name, value, parameter) for name, value in given.items()}, note=noted.setdefault)
    tolerance = TOLERANCES[parameter.dtype] if tolerance is None else tolerance
    before = _before(named.values())
    compared = [name for name, step in trace.names.items() if step.op != "given" and step.id not in before and name.split(".")[-1] not in UNNAMED]
    if not compared:
        raise ValueError("the trace has named nothing that was worked out; run the reference with it as the note: block(x, grids, trace)")
    worst = max(_compare(trace, name, noted, tolerance) for name in compared)
    return Agreement(tuple(compared), tolerance, worst)


def _tensor(name, value, parameter):
    if not isinstance(value, np.ndarray | torch.Tensor):
        return value  # causal=True
    value = torch.as_tensor(np.array(value) if isinstance(value, np.ndarray) else value).to(parameter.device)
    if name in IDS:  # a trace holds them as floats
        return value.long()
    return value.to(parameter.dtype) if value.is_floating_point() else value


def _before(steps):  # -> the ids of these steps and of all that they were made of
    found, todo = set(), list(steps)
    while todo:
        step = todo.pop()
        if step.id not in found:
            found.add(step.id)
            todo += step.args
    return found


def _compare(trace, name, noted, tolerance):  # -> the largest difference
    reference = trace.names[name]
    if name not in noted:
        raise Disagreement(f"the model has named no {name}; it has named {', '.join(noted) or 'nothing'}")
    ours = noted[name].double().cpu().numpy()
    if ours.shape != reference.shape:
        raise Disagreement(f"{name} has the shape {reference.shape} in the reference and {ours.shape} in the model")
    theirs = reference.exact.astype(float)
    with np.errstate(invalid="ignore"):  # −∞ and −∞ agree
        apart = np.where(ours == theirs, 0.0, np.abs(ours - theirs) / np.maximum(1.0, np.abs(theirs)))
    wrong = np.argwhere(~(apart <= tolerance))  # a NaN is wrong too
    if len(wrong):
        place = tuple(wrong[0].tolist())
        raise Disagreement(f"{_place(trace, reference, place)} is {_both(theirs[place], ours[place])} in the model")
    return float(apart.max())


def _place(trace, step, place):  # "cat.norm2.variance", "cat.weights[sat]"
    word, inside = "", []
    for axis, (i, words) in enumerate(zip(place, step.axes, strict=True)):
        if axis == 0 and words and words[0] in trace.words:
            word = f"{words[i]}."
        elif words:
            inside.append(words[i])
        elif axis < step.ndim - 1 or step.shape[axis] > 1:
            inside.append(str(i))
    return word + step.name + (f"[{', '.join(inside)}]" if inside else "")


def _both(theirs, ours):  # as few digits as tell the two apart
    pair = (show(theirs), show(ours)) if show(theirs) != show(ours) else (as_given(theirs), as_given(ours))
    return f"{pair[0]} in the reference and {pair[1]}"
