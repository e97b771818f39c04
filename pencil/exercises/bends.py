"""Any step, done in one of the ways that people do it wrong: a minus for the plus, a part left out, two for e, a minus lost.

The catalogue (mistakes.py) knows the steps that have a name in the field, and can say what they are for. Here nothing is known of them:
the operations of a line are bent one after the other, in the lines near the answer alone.
"""

import numpy as np

from pencil.exercises.exercise import LEFT_OUT, PRODUCT, SLIP, UNFINISHED
from pencil.exercises.layer_mistakes import DEGREES
from pencil.exercises.mistakes import note_mistakes
from pencil.exercises.nearby import named_args
from pencil.note import GRAD, WRONG
from pencil.rounding import as_given

KINDS = {"ones": PRODUCT, "without_first": LEFT_OUT, "without_second": LEFT_OUT}  # of a way; any other is a slip
NEAREST = 4  # so many named steps up a line is bent
BROKEN_OFF = 1  # and so many up a line is broken off
TOTAL = "exp_sum"  # of shares: a part of it is left out as far up as a line is bent
MINUS_UP = 5  # and so many up a minus is lost, of what was given as well
MOST_TERMS = 3  # of a longer sum nobody can say which number was left out
LONGEST_NUMBER = 6  # characters of one that a message names
STOPPED = "You are on the way: at least one step is left."
TERM = "You left out one of the parts. Add them all."
NO_PRODUCT = "You left out one of the products. Multiply every pair, and add."
NOT_ADDED = "Those are the products of one row. Add them up: each row of the matrix makes one number."
LOST_MINUS = "You lost a minus. What is below zero stays below it."

WAYS = {  # operation -> {key: (what is done instead, what to say)}
    "add": {
        "without_second": (lambda a, b: a * 1 + 0 * b, "You left out {second}. Add it."),
        "without_first": (lambda a, b: b * 1 + 0 * a, "You left out {first}. Add it."),
        "taken": (lambda a, b: a - b, "You took away {second}. Add it, with the sign that it has."),
        "multiplied": (lambda a, b: a * b, "You multiplied where the line adds."),
        "twice": (lambda a, b: a + b + b if b.op == "given" else None, "You added {second} twice. Add it once."),
    },
    "subtract": {
        "without_second": (lambda a, b: a * 1 + 0 * b, "You did not take away {second}."),
        "added": (lambda a, b: a + b, "You added {second}. Take it away, with the sign that it has."),
        "turned": (lambda a, b: b - a, "You took the one from the other the wrong way round."),
    },
    "multiply": {
        "without_second": (lambda a, b: a * 1 + 0 * b if b.name or b.exact.any() else None, "You left out {second}. Multiply by it."),
        "without_first": (lambda a, b: b * 1 + 0 * a, "You left out {first}. Multiply by it."),
        "added": (lambda a, b: a + b, "You added where the line multiplies."),
        "divided": (lambda a, b: a / b, "You divided where the line multiplies."),
        "divided_turned": (lambda a, b: b / a, "You divided where the line multiplies."),
    },
    "divide": {
        "without_second": (lambda a, b: a * 1 + 0 * b, "You left out the division. Divide by {second}."),
        "multiplied": (lambda a, b: a * b if (a.exact != 1).any() else None, "You multiplied by {second}. Divide by it."),
        "turned": (lambda a, b: b / a, "You divided the wrong way round."),
        "taken": (lambda a, b: a - b, "You took away {second}. Divide by it."),
    },
    "exp": {
        "base_two": (lambda a: np.exp(a * np.log(2.0)), "You raised two to the number. Raise e."),
        "base_ten": (lambda a: np.exp(a * np.log(10.0)), "You raised ten to the number. Raise e."),
        "times_e": (lambda a: a * np.exp(1.0), "You multiplied by e. Raise e to the number: e with the number as its power."),
        "zero": (lambda a: np.where(a == 0, 0, np.exp(a)), "You took zero for e to the power of zero. It is one."),
        "minus": (lambda a: np.exp(-a), "You raised e to the number with the other sign."),
        "squared": (lambda a: a * a, "You squared the number. Raise e to it."),
        "not_raised": (lambda a: a * 1, "You left the number as it is. Raise e to it."),
    },
    "log": {
        "base_ten": (lambda a: np.log(a) / np.log(10.0), "You took the logarithm of base ten. Take the natural one, ln."),
        "base_two": (lambda a: np.log(a) / np.log(2.0), "You took the logarithm of base two. Take the natural one, ln."),
    },
    "sqrt": {"no_root": (lambda a: a * 1, "You left out the root.")},
    "tanh": {
        "sigmoid": (lambda a: 1 / (1 + np.exp(-a)), "You took sigmoid. Take tanh."),
        "not_crushed": (lambda a: a * 1, "You left the sum as it is. Take tanh of it."),
    },
    "sin": {
        "cos": (np.cos, "You took the cosine. Take the sine."),
        "degrees": (lambda a: np.sin(a * (np.pi / 180)), DEGREES),
    },
    "cos": {
        "sin": (np.sin, "You took the sine. Take the cosine."),
        "degrees": (lambda a: np.cos(a * (np.pi / 180)), DEGREES),
    },
    "rint": {"not_rounded": (lambda a: a * 1, "You left the number as it is. Round it to a whole one.")},
    "maximum": {
        "not_bent": (lambda a, b: a * 1 + 0 * b, "You left the smaller number. The line takes the greater of the two."),
        "turned": (lambda a, b: np.maximum(-a, b), "You kept what is below zero, without its minus. Keep what is above, and make the rest zero."),
        "below": (lambda a, b: a - np.maximum(a, b), "You kept what is below zero. Keep what is above, and make the rest zero."),
        "sigmoid": (lambda a, _: 1 / (1 + np.exp(-a)), "You took sigmoid. Here what is below zero becomes zero, and the rest stays."),
    },
    "matmul": {
        "columns": (lambda a, b: a @ np.swapaxes(b, -1, -2), "You went by the columns of the matrix. Dot its rows."),
        "exchanged": (lambda a, b: np.flip(a, -1) @ b if a.shape[-1] == 2 else None, "You read the two numbers in the other order."),
        "sums_multiplied": (
            lambda a, b: a.sum(-1, keepdims=True) * b.sum(0, keepdims=True) if b.shape[0] == b.ndim == 2 else None,  # of a longer row nobody does
            "You added first, and multiplied the two sums. Multiply every pair, and add the products.",
        ),
        "ones": (
            lambda a, b: a @ np.where(b > 0, 1, np.where(b < 0, -1, 0)),
            "You took each of the second numbers for a one. Multiply by its size, too.",
        ),
    },
}
SHARED = ("mean", "sum")
FAR_WAYS = WAYS | {
    "matmul": {way: WAYS["matmul"][way] for way in ("columns", "exchanged")},
    "exp": {way: told for way, told in WAYS["exp"].items() if way != "squared"},
}  # a weight taken for a one is looked for in the answer's own line, and so is a square for a power

UNNAMED = {
    "add": "one part of the sum",
    "subtract": "the second part",
    "multiply": "one of the factors",
    "divide": "what stands below the line",
}


def note_bends(trace, array, told=()):  # Trace, traced array, {array} -> (key, kind, {value: what it is instead}, what to say)
    """What the lines behind an array, and its own, may have come to, the nearest first. Each is noted as wrong.bent_KEY.NAME in the same trace.

    Nobody works the lines behind a result that was `told`.
    """
    yield from _steps_left_out(trace, array)
    level, seen = [array], {array}
    for up in range(1 + MINUS_UP):
        for value in level:
            if value.name.partition(".")[0] == GRAD:
                yield from _lost_minus(trace, value) if 0 < up <= NEAREST else ()
                continue
            if up <= NEAREST and value.args:
                yield from _bent(trace, value, FAR_WAYS if up else WAYS)
            if not up or (up == 1 and _only_moves(array)):
                yield from _short_of_a_product(trace, value)
            if value.args and (up <= BROKEN_OFF or (up <= NEAREST and value.name.endswith(TOTAL))):
                yield from _short_of_a_term(trace, value, 2 if up else 1)
            if up <= BROKEN_OFF and value.args:
                yield from _halfway(trace, array, value)
            if up:
                yield from _lost_minus(trace, value)
        level = [arg for arg in dict.fromkeys(arg for below in level if below not in told for arg in named_args(below)) if arg not in seen]
        seen |= set(level)


def _steps_left_out(trace, array):  # what the catalogue looks for further up alone, in the answer's own line
    near = note_mistakes(trace, array.name)
    for key, message in note_mistakes(trace, array.name, far=True).items():
        wrong = trace.names[f"{WRONG}.{key}.{array.name}"]
        if key not in near and wrong.shape == array.shape and (noted := _noted(trace, f"far_{key}", array, wrong * 1)) is not None:
            yield f"bent_far_{key}", SLIP, {array: noted}, message


def _bent(trace, value, ways):
    for k, step in enumerate(_line(value)):
        if step.op in SHARED and (count := step.args[0].size // step.size) > 1:
            ways = ways | {step.op: _counted_wrong(step, count)}
        for way, (work, message) in ways.get(step.op, {}).items():
            key = f"{way}_{k}" if k else way
            known = trace.names.get(f"{WRONG}.bent_{key}.{value.name}")
            noted = known if known is not None else _noted(trace, key, value, _with(value.args[0], step, _worked(work, step)))
            if noted is not None:
                names = {place: _called(arg, step.op) for place, arg in zip(("first", "second"), step.args, strict=False)}
                yield f"bent_{key}", KINDS.get(way, SLIP), {value: noted}, message.format_map(names)


def _counted_wrong(step, count):  # the ways in which a sum or a mean of so many numbers goes wrong
    if step.op == "sum":
        return {"averaged": (lambda _: step / count, "You divided the sum by how many there are. Leave it as it is.")}
    one_more = {"one_more": (lambda _: step * (count / (count + 1)), "You divided by one more than there are.")}
    one_less = {"one_less": (lambda _: step * (count / (count - 1)), "You divided by one less than there are. Divide by all of them.")}
    added = {"added_up": (lambda _: step * count, "You added up and stopped. Divide by how many there are.")}
    return added | one_more | (one_less if count > 2 else {})  # of two, one less is one: that is the sum


def _lost_minus(trace, value):
    if (value.exact < 0).any() and (noted := _noted(trace, "lost_minus", value, np.abs(value))) is not None:
        yield "bent_lost_minus", SLIP, {value: noted}, LOST_MINUS


def _only_moves(array):  # were its numbers only picked out of others?
    return all(step.op in ("gather", "take") for step in _line(array))


def _halfway(trace, array, value):  # the steps inside a line, where a reader may stop
    for k, step in enumerate(_line(value)):
        if step is value.args[0] or not step.args or step.shape != array.shape:
            continue
        if (noted := _noted(trace, f"halfway_{value.name}_{k}", array, step * 1)) is not None:
            yield f"bent_halfway_{value.name}_{k}", UNFINISHED, {array: noted}, STOPPED


def _short_of_a_product(trace, value):  # a dot product with one of its products left out
    for k, step in enumerate(_line(value) if value.args else ()):
        width = step.args[0].shape[-1] if step.op == "matmul" else 0
        for left in range(width) if width > 1 else ():
            kept = np.where(np.arange(width) == left, 0, step.args[0]) @ step.args[1]
            key = f"product_{k}_{left}"
            if (noted := _noted(trace, key, value, _with(value.args[0], step, kept))) is not None:
                yield f"bent_{key}", PRODUCT, {value: noted}, NO_PRODUCT
        for row in range(width) if 1 < width == step.shape[-1] and step.args[1].ndim == 2 else ():
            key = f"row_{k}_{row}"
            parts = step.args[0] * step.args[1][:, row]
            if (noted := _noted(trace, key, value, _with(value.args[0], step, parts))) is not None:
                yield f"bent_{key}", SLIP, {value: noted}, NOT_ADDED


def _short_of_a_term(trace, value, fewest):  # a sum or a mean with one of its parts left out
    for k, step in enumerate(_line(value)):
        axis = step.attrs["axis"] if step.op in ("sum", "mean") else ()
        parts = step.args[0].shape[axis[0]] if len(axis) == 1 else 0
        for left in range(parts) if fewest < parts <= MOST_TERMS else ():
            is_left = np.moveaxis(np.broadcast_to(np.arange(parts) == left, (*(1,) * (step.args[0].ndim - 1), parts)), -1, axis[0])
            kept = getattr(np, step.op)(np.where(is_left, 0, step.args[0]), axis[0], keepdims=step.attrs["keepdims"])
            key = f"term_{k}_{left}"
            if (noted := _noted(trace, key, value, _with(value.args[0], step, kept))) is not None:
                yield f"bent_{key}", SLIP, {value: noted}, TERM


def _line(value):  # the operations of the line that makes a value, those of other lines left out
    found, left = {}, [value.args[0]]
    while left:
        step = left.pop(0)
        if not step.name and step.args and step not in found:
            found[step] = None
            left += step.args
    return list(found)


def _worked(work, step):
    with np.errstate(all="ignore"):
        try:
            other = work(*step.args)
        except (TypeError, ValueError):  # the widths do not fit, or a mask stands there
            return None
    return other if other is not None and other.shape == step.shape else None


def _with(node, step, other):  # the line again, with another in the place of one of its steps
    if other is None or node is step:
        return other
    if node.name or not node.args:
        return node
    args = [_with(arg, step, other) for arg in node.args]
    return node.trace.again(node, args) if any(x is not y for x, y in zip(args, node.args, strict=True)) else node


def _noted(trace, key, value, other):
    name = f"{WRONG}.bent_{key}.{value.name}"
    if name in trace.names:
        return trace.names[name]
    if other is None or not np.isfinite([other.exact, other.paper]).all() or np.allclose(other.exact, value.exact):
        return None
    return trace.note(name, other)


def _called(arg, op):  # what wording.py turns into the page's own word
    unnamed = UNNAMED.get(op, "a part")
    if arg.name:
        return f"{{label[{arg.name}|{unnamed}]}}"
    written = as_given(arg.exact.item()) if arg.op == "constant" and not arg.ndim else unnamed
    return written if len(written) <= LONGEST_NUMBER else unnamed
