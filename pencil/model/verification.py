"""`verify`: compare the torch model with the reference value by value, and its runs without a note with the noted one."""

from dataclasses import dataclass

import numpy as np
import torch

from pencil.model.runs import IDS, Run, forward_parameters, full_float32, runs_without_note, to_tensors
from pencil.rounding import as_given, show
from pencil.trace import Trace
from pencil.trace.array import ancestors

UNNAMED = {"exp", "exp_sum", "max", "shifted", "sink_exp", "sink_shifted"}  # inside softmax and sigmoid, which torch computes in its own way
TOLERANCES = {torch.float64: 1e-10, torch.float32: 1e-5, torch.bfloat16: 5e-2, torch.float16: 5e-3}


class Disagreement(ValueError):
    """A value of the model differs from the reference's, or from that of the same model with a note; the message has both numbers."""


@dataclass(frozen=True)
class Agreement:
    """What was compared. The repr is the same on every machine; `max_difference` is not.

    Args:
        names: the named values that were compared with the reference.
        tolerance: the largest difference allowed: absolute up to values of 1, relative above.
        max_difference: the largest such difference of a named value.
        runs: the runs without a note whose output and gradients were compared with those of the noted run.
    """

    names: tuple
    tolerance: float
    max_difference: float
    runs: tuple = ()

    def __repr__(self):
        return f"{len(self.names)} named values agree within {self.tolerance}"


@full_float32()
def verify(trace, model, *, tolerance=None, compiled=False, **inputs):  # Trace, module -> Agreement
    """Compare every value that the trace names with the model's, and the model's runs without a note with the noted one.

    First the model runs with a note on the trace's own inputs, and each named value is compared with the trace's; what was
    given, what the inputs were made of, and the inside of softmax are not compared. What the model returns is compared with the
    last of them in that shape, as the reference names what it returns last. Then the model runs without a note, as
    users run it: alone, as a batch of one text, compiled if asked for, and with a cache if its forward takes one. Output and
    gradients (of a fixed scalar of the output, for every parameter that learns and every float input) are compared with
    those of the noted run. A part that no value of this run depends on (behind an activation of 0) is not tested.
    On a GPU float32 is compared in full, without TF32.

    Args:
        trace: a Trace that the reference ran with as its note.
        model: a module of pencil.model with the same numbers, such as `Block.from_params(params)`.
        tolerance: the largest difference allowed: absolute up to values of 1, relative above (for gradients relative to the
            largest of them); None is 1e-10 in float64, 1e-5 in float32, 5e-2 in bfloat16, 5e-3 in float16. An RNN in
            float32 on a GPU needs 2e-4, for cuDNN's tanh is coarse.
        compiled: True runs torch.compile(model) too; a string names its backend.
        inputs: parameters of the model's forward that the trace does not name (x, image and memory come from there): token ids
            (ids, source, target), which the reference takes as a plain array or list and never traced, and masks, as in
            `verify(trace, model, ids=[1, 2])` and `verify(trace, model, mask=causal_mask(2))`.

    Raises Disagreement, a ValueError, that names the first value that differs or that the model has not named, or the run
    without a note that differs; and ValueError where an input is missing or there is nothing to compare.
    """
    steps, inputs = _inputs(trace, model, inputs)
    noted = {}
    noted_run = Run.of(model, inputs, note=noted.setdefault)
    tolerance = TOLERANCES[noted_run.output.dtype] if tolerance is None else tolerance
    compared = _compared(trace, {step.id for step in ancestors(steps.values())})
    max_difference = max(_compare(trace, name, noted, tolerance) for name in compared)
    returned = next((name for name in reversed(compared) if trace.names[name].shape == noted_run.output.shape), compared[-1])
    _compare_values(trace, returned, noted_run.output, tolerance, "what the model returns")
    runs = runs_without_note(model, inputs, compiled)
    for name, run in runs.items():
        _compare_runs(name, run(), noted_run, tolerance)
    return Agreement(tuple(compared), tolerance, max_difference, tuple(runs))


def _inputs(trace, model, inputs):  # -> {name: step of the trace}, {name: input of forward}
    if not (isinstance(trace, Trace) and isinstance(model, torch.nn.Module)):
        raise ValueError(f"verify compares a Trace with a module, and these are a {type(trace).__name__} and a {type(model).__name__}")
    parameters = forward_parameters(model)
    steps = {name: trace.names[name] for name in parameters if name in trace.names}
    inputs = {name: step.exact for name, step in steps.items()} | inputs
    if missing := [name for name, one in parameters.items() if one.default is one.empty and name not in inputs]:
        plain = ", the plain array of ids that the reference ran on" if missing[0] in IDS else ""
        raise ValueError(f"the trace names no {missing[0]} to run the model on; pass it{plain}: verify(trace, model, {missing[0]}=...)")
    return steps, to_tensors(model, inputs)


def _compared(trace, inputs):  # -> the names of the values that were computed from the inputs
    compared = [name for name, step in trace.names.items() if step.op != "given" and step.id not in inputs and name.split(".")[-1] not in UNNAMED]
    if not compared:
        raise ValueError("the trace has named nothing that was computed; run the reference with it as the note: block(x, params, note=trace)")
    return compared


def _compare(trace, name, noted, tolerance):  # -> the largest difference
    if name not in noted:
        raise Disagreement(f"the model has named no {name}; it has named {', '.join(noted) or 'nothing'}")
    return _compare_values(trace, name, noted[name], tolerance, "the model")


def _compare_values(trace, name, value, tolerance, where):  # -> the largest difference
    reference, value = trace.names[name], _to_numpy(value)
    if value.shape != reference.shape:
        raise Disagreement(f"{name} has the shape {reference.shape} in the reference and {value.shape} in {where}")
    wanted = reference.exact.astype(float)
    difference = _difference(value, wanted, np.maximum(1.0, np.abs(wanted)))
    if (place := _first(difference > tolerance)) is not None:
        raise Disagreement(
            f"{_reference_to(trace, reference, place)} is {_digits(wanted[place], value[place], 'in the reference and {}')} in {where}"
        )
    return float(difference.max())


def _compare_runs(name, run, noted_run, tolerance):
    largest = max((float(each.abs().max()) for each in noted_run.gradients.values() if each.numel()), default=1.0)
    for what, value, wanted, scale in [
        ("the output", run.output, noted_run.output, np.maximum(1.0, np.abs(_to_numpy(noted_run.output)))),
        *((f"the gradient of {key}", value, noted_run.gradients[key], max(1.0, largest)) for key, value in run.gradients.items()),
    ]:
        value, wanted = _to_numpy(value), _to_numpy(wanted)
        if value.shape != wanted.shape:
            raise Disagreement(f"without a note ({name}) {what} has the shape {value.shape}, and {wanted.shape} with one")
        if (place := _first(_difference(value, wanted, scale) > tolerance)) is not None:
            raise Disagreement(f"without a note ({name}) {what}{list(place)} is {_digits(value[place], wanted[place], 'and {} with one')}")


def _to_numpy(tensor):  # -> array of doubles
    return tensor.detach().cpu().double().numpy()  # on the CPU first: mps has no float64


def _difference(value, wanted, scale):  # in units of the scale; infinite where one of the two is NaN
    with np.errstate(invalid="ignore"):  # −∞ and −∞ agree
        difference = np.where(value == wanted, 0.0, np.abs(value - wanted) / scale)
    return np.where(np.isnan(difference), np.inf, difference)


def _first(mask):  # -> the first index that is True, or None
    places = np.argwhere(mask)
    return tuple(places[0].tolist()) if len(places) else None


def _reference_to(trace, step, place):  # such as "cat.norm2.variance" or "cat.weights[sat]"
    word, inside = "", []
    for axis, (i, words) in enumerate(zip(place, step.axes, strict=True)):
        if axis == 0 and words and words[0] in trace.words:
            word = f"{words[i]}."
        elif words:
            inside.append(words[i])
        elif axis < step.ndim - 1 or step.shape[axis] > 1:
            inside.append(str(i))
    return word + step.name + (f"[{', '.join(inside)}]" if inside else "")


def _digits(one, other, between):  # with as few digits as distinguish the two
    pair = (show(one), show(other)) if show(one) != show(other) else (as_given(one), as_given(other))
    return f"{pair[0]} {between.format(pair[1])}"
