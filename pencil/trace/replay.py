"""Check that a recorded program depends on its inputs alone, by running it again on other numbers."""

import json

import numpy as np

from pencil.note import GRAD
from pencil.trace.operations import TraceError


def check_replay(function, trace, draws=3, seed=0, redraw=None):
    """Compare the replayed program with the plain NumPy code on random inputs, value by value; returns how many values were compared.

    - `function`: the code that was traced, as `function(given, note)` with a dict of plain arrays
    - `trace`: its trace
    - `draws`: how many times the inputs are drawn
    - `seed`: of the random inputs
    - `redraw`: {input: function of a Generator}, for inputs that are neither normally distributed nor ids; those are drawn from a
      normal distribution, and ids are permuted

    Gradients are not compared, for the NumPy code names none. Raises TraceError for a value that was frozen while recording (the code
    computed it outside the trace), for an array other than a mask that became a constant, and for code that names other values;
    ValueError for draws below 1.
    """
    if draws < 1:
        raise ValueError(f"draws={draws} compares nothing; draw the givens once or more")
    for step in trace.steps:
        if step.op == "constant" and step.size > 1 and not _is_mask(step.exact):
            raise TraceError(f"an array of shape {step.shape} is baked into the program; hand it in with given()")
    program, compared = json.loads(json.dumps(trace.program())), 0
    rng = np.random.default_rng(seed)
    for _ in range(draws):
        given = {
            name: redraw[name](rng) if name in (redraw or {}) else _redraw(step, rng) for name, step in trace.names.items() if step.op == "given"
        }
        seen = {}
        function(given, seen.setdefault)
        if unknown := next((name for name in seen if name not in trace.names), None):
            raise TraceError(f"{unknown!r} is noted now and was not noted while recording; hand the function the code that was traced")
        unsaid = [name for name, step in trace.names.items() if step.op == "note" and name not in seen and not name.startswith(f"{GRAD}.")]
        if unsaid:
            raise TraceError(f"{unsaid[0]!r} was noted while recording and is not noted now; hand the function the code that was traced")
        again = type(trace).load(program, given)
        for name, value in seen.items():
            if not np.allclose(again.names[name].exact, value, rtol=1e-9, atol=1e-12, equal_nan=True):
                raise TraceError(f"{name!r} does not follow the given values: it was frozen while recording")
        compared += len(seen)
    return compared


def _is_mask(value):
    return value.dtype == bool or np.isinf(value).any()


def _redraw(step, rng):
    used_as_ids = any(s.op == "take" and s.args[1] is step for s in step.trace.steps)
    if used_as_ids:  # they must stay inside the table
        return rng.permutation(step.exact.ravel()).reshape(step.shape).astype(int)
    return rng.normal(size=step.shape)
