"""The graph as a program: JSON with inputs and steps, which can be replayed here or in a page (pencil/web/engine)."""

import numpy as np

from pencil.trace.array import ancestors
from pencil.trace.limits import LIMITS
from pencil.trace.logarithm import parse, written


def export(trace):  # Trace -> dict
    """All steps that a named value depends on, in order. Infinity, which JSON lacks, is written "Infinity"."""
    live = ancestors(trace.names.values())
    order = {step.id: new for new, step in enumerate(live)}
    steps = [_export_step(step, order) for step in live]
    texts = {"texts": list(trace.texts.items())} if trace.texts else {}
    return {"places": trace.places, "figures": trace.figures, **texts, "steps": steps}


def _export_step(step, order):
    out = {"op": step.op, "shape": list(step.shape)}
    if step.args:
        out["args"] = [order[a.id] for a in step.args]
    if step.op in ("given", "constant"):
        out["value"] = [_number(x) for x in step.exact.ravel().astype(float).tolist()]
        out |= {key: list(labels) for key, labels in _labels(step).items() if labels}
    if (exactly := step.trace.given_exactly.get(step.id)) is not None:
        out["exactly"] = [written(x) for x in exactly.flat]  # "14/3" or "ln 3", exactly; "value" has the floats
    for key, value in step.attrs.items():
        if key != "shape":
            out[key] = np.asarray(value).ravel().tolist() if key in ("index", "axis") else _number(value) if key in ("least", "most") else value
    if step.name:
        out["name"] = step.name
    return out


def _as_given(step):
    return np.array([parse(text) for text in step["exactly"]], object) if "exactly" in step else np.array(step["value"], float)


def _labels(step):  # -> the `words` and `columns` that Trace.given had
    rows = step.axes[:1] if step.ndim > 1 or (step.axes and step.axes[0] and step.axes[0][0] in step.trace.words) else ()
    columns = step.axes[-1:] if step.ndim > 1 or not rows else ()
    return {"words": rows and rows[0], "columns": columns and columns[0]}


def _number(x):
    if np.isfinite(x):
        return int(x) if x == int(x) and abs(x) < 2**53 and not (x == 0 and np.signbit(x)) else x
    return {np.inf: "Infinity", -np.inf: "-Infinity"}[x]


def folded(program):  # a program -> the same, shorter
    """The program without what a note repeats: its shape, and its operand where that is the step before. `replay` and the page's engine
    read both forms."""
    steps = [_folded(step, before) for before, step in enumerate(program["steps"], -1)]
    return program | {"steps": steps}


def _folded(step, before):
    if step["op"] != "note":
        return step
    return {key: value for key, value in step.items() if key != "shape" and not (key == "args" and value == [before])}


def replay(cls, program, given):  # (Trace class, dict, {name: array}) -> Trace
    """A new trace of the program with other inputs. Raises ValueError for an input that is unknown or has another shape."""
    unknown = sorted(set(given) - {s["name"] for s in program["steps"] if s["op"] == "given"})
    if unknown:
        raise ValueError(f"the program has no given {unknown[0]!r}")
    trace, done = cls(program["places"], program["figures"]), []
    for step in program["steps"]:
        before = [len(done) - 1] if step["op"] == "note" else []  # the operand of a folded note
        done.append(_replay_step(trace, step, [done[i] for i in step.get("args", before)], given))
    trace.texts = dict(program.get("texts", ()))
    return trace


def _replay_step(trace, step, args, given):
    op, shape = step["op"], tuple(step.get("shape", ()))
    if op == "given":
        value = np.asarray(given.get(step["name"], _as_given(step).reshape(shape)))
        if value.shape != shape:
            raise ValueError(f"given {step['name']!r} has the shape {value.shape}; the program was recorded with {shape}")
        limits = {key: step[key] for key in LIMITS if key in step}
        return trace.given(step["name"], value, step.get("words"), step.get("columns"), **limits)
    if op == "constant":
        return trace.as_traced(np.array([float(x) for x in step["value"]]).reshape(shape), step.get("columns", step.get("words")))
    if op == "note":
        return trace.note(step["name"], args[0])
    if op == "gather":
        return trace.gather(args, np.array(step["index"], int).reshape(shape))
    if "keepdims" in step:
        return trace.reduce(op, args[0], tuple(step["axis"]), step["keepdims"])
    if "axis" in step:
        return trace.along(op, args, step["axis"][0])
    return trace.record(op, args)
