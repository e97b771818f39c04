"""ValleyLab: six steps of plain descent, momentum or Adam on a loss of two parameters."""

import numpy as np

from pencil import drawings
from pencil.reference import AdamConfig, AdamState, adam, sgd
from pencil.trace import Trace, scoped
from pencil.widgets.lab import ABOVE_ZERO, Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

STEPS, START, CURVATURE = 6, (3, 1), (1, 10)
WAYS, STOPS = ("along", "across"), ("start", "one", "two", "three", "four", "five", "six")  # the two parameters; the start, and each step
RINGS = (1, 0.5, 0.2, 0.05)  # losses of the contours, as parts of the loss at the start
BELOW_ONE = 0.999  # the most of a running mean that is kept
RATE = "The learning rate"
METHODS = {  # name: (its scope, {input: (initial value, label, (min, max, step) of the slider)})
    "plain descent": ("plain", {"lr": (0.17, RATE, (0.01, 0.25, 0.01))}),
    "momentum": ("momentum", {"lr": (0.05, RATE, (0.01, 0.25, 0.01)), "momentum": (0.9, "How much of the old velocity is kept", (0, 0.99, 0.01))}),
    "Adam": (
        "adam",
        {
            "lr": (0.75, RATE, (0.01, 1.5, 0.01)),
            "beta1": (0.9, "How much of the mean slope is kept", (0, 0.99, 0.01)),
            "beta2": (0.999, "How much of the mean square is kept", (0, 0.999, 0.001)),
        },
    ),
}


class ValleyLab(Lab):
    """Inputs: the start, the steepness in each direction, and the numbers of the method. Shows the path and the loss at its end."""

    def __init__(self, start=START, curvature=CURVATURE):
        variants, drawn = [], {}
        for method, (scope, numbers) in METHODS.items():
            worked = _run(start, curvature, scope, numbers)
            drawn[method] = drawings.valley(worked, {scope: method.capitalize()}, "Six steps down a valley")
            variants.append(Variant(worked, one_step("Down a valley", *_parts(method, scope, numbers))))
        super().__init__(variants, [Choice("Method", tuple(METHODS))], drawings=drawn)


def _run(start, curvature, scope, numbers):  # -> Worked
    trace = Trace()
    limits = {name: {"most": BELOW_ONE} for name in numbers if name != "lr"}
    given = {name: trace.given(f"{scope}.{name}", initial, **limits.get(name, {"least": ABOVE_ZERO})) for name, (initial, *_) in numbers.items()}
    at, steepness = trace.given("start", start, words=WAYS), trace.given("curvature", curvature, words=WAYS, least=ABOVE_ZERO)
    height = trace("height", (steepness * at * at).sum() / 2)
    outermost = np.sqrt(height * 2 / steepness)
    trace("rings", np.stack([outermost * part**0.5 for part in RINGS]))
    note, state, path = scoped(trace, scope), None, [at]
    for _ in range(STEPS):  # no step is named, so that none is rounded
        at, state = _step(at, steepness * at, state, **given)
        path.append(at)
    note("loss", (steepness * at * at).sum() / 2)
    note("path", np.stack(path) * trace.as_traced(np.ones(STEPS + 1), columns=STOPS)[:, None])
    labels = {f"{scope}.{name}": label.lower() for name, (_, label, _) in numbers.items()}
    return Worked(trace, labels | {"curvature": "steepness", "height": "loss at the start", f"{scope}.loss": "loss at the end"})


def _step(at, slope, state, *, lr, momentum=None, beta1=None, beta2=None):  # -> the parameters after the step, and the method's state
    if beta1 is not None:
        return adam(at, slope, config=AdamConfig(lr=lr, beta1=beta1, beta2=beta2), state=state or AdamState())
    velocity = slope if momentum is None or state is None else momentum * state + slope
    return sgd(at, velocity, lr=lr), velocity


def _parts(method, scope, numbers):
    for name, (_, label, ends) in numbers.items():
        yield Part("given", f"{scope}.{name}", label, range=ends)
    yield Part("drawing", method, row=True)
    yield Part("heat", f"{scope}.path", "Both parameters, at the start and after each step")
    yield Part("given", "start", "Where the walk begins")
    yield Part("given", "curvature", "How steep it is: along, and across")
