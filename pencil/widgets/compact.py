"""A large program in few bytes: places that follow a rule are written as runs, and constants that are alike once."""

import numpy as np


def compact(program):  # program of a trace -> the same for web/engine/program.js, once exported.js has laid the runs out
    """Givens that are learned numbers lose them (they come in bytes); a given with a single axis and no dot in its name keeps its own."""
    steps, place, constants = [], {}, {}
    for old, step in enumerate(program["steps"]):
        step = dict(step)
        if "args" in step:
            step["args"] = [place[arg] for arg in step["args"]]
        if step["op"] == "constant":
            key = str((step["shape"], step["value"]))
            place[old] = constants.setdefault(key, len(steps))
            if place[old] < len(steps):
                continue
        if "index" in step and (found := runs(step["index"])):
            del step["index"]
            step |= found
        if "." in step.get("name", "") and step["op"] == "given":
            del step["value"]
        place[old] = len(steps)
        steps.append(step)
    return program | {"steps": steps}


def runs(places):  # list of whole numbers -> {"start": …, "runs": [[count, stride], …] from the outermost in}, or None for a list without a rule
    """Count with strides, as an array's own places are counted; None where that would not be shorter than the list."""
    left, found = np.asarray(places), []
    while left.size > 1:
        stride = int(left[1] - left[0])
        other = np.flatnonzero(np.diff(left) != stride)
        count = int(other[0]) + 1 if other.size else left.size
        inner = left.reshape(-1, count) if left.size % count == 0 else left[:, None]
        if inner.shape[1] == 1 or (inner != inner[:, :1] + stride * np.arange(count)).any():
            return None
        found, left = [[count, stride], *found], inner[:, 0]
    return {"start": int(left[0]), "runs": found} if 2 * len(found) + 1 < len(places) else None
