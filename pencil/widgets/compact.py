"""Compress a large program for a page: regular gather indices become strided runs, and equal constants are stored once."""

import numpy as np


def compact_program(program):  # program of a trace -> dict, which web/widgets/exported.js expands
    """Compress a program. Inputs with a dot in their names are parameters; their values are left out, since the page gets them in int8."""
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


def runs(places):  # list of ints -> {"start": int, "runs": [[count, stride], …], outermost first}, or None
    """Indices as a start and nested strides, like those of an array; None if they are irregular, or if this is not shorter."""
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
