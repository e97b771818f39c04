"""A machine small enough to be walked back by pencil: one word looks at two, and the prediction from their mix is compared with the target."""

from pencil.note import scoped
from pencil.reference import attention, binary_cross_entropy, linear, sgd, sigmoid
from pencil.trace import backward

RATE = 0.2  # a fifth: no slope of three places makes a tie of it
NOTED = ("logit", "head.weight", "head.bias", "context", "value", "weights", "scaled", "scores", "query", "params.query")


def loss_of(given, note):  # {name: array}, note -> (1, 1)
    """The way there: from the embedding, keys and values to the loss."""
    query = note("query", linear(given["embedding"], given["params.query"]))
    context = attention(query, given["key"], given["value"], note=note)
    logit = note("logit", linear(context, given["head.weight"], given["head.bias"]))
    return binary_cross_entropy(sigmoid(logit, note=scoped(note, "sigmoid")), given["target"], note=note)


def logit_after_step(given, loss, trace):  # {name: traced array}, traced loss, Trace -> (1, 1): the logit after the step
    """The way back and one step of the last layer. The gradients are those of the trace; beside two of them stands the short
    rule that a pencil takes, and a sheet is dealt only where both ways give the same digits.
    """
    slopes, at = backward(loss, NOTED), trace.names
    trace("error", at["sigmoid.prob"] - given["target"])
    average = trace("average_slope", (at["weights"] * slopes["weights"]).sum(-1, keepdims=True))
    trace("short_way", at["weights"] * (slopes["weights"] - average))
    weight, bias = (sgd(given[name], slopes[name], lr=RATE, note=scoped(trace, f"stepped.{name}")) for name in ("head.weight", "head.bias"))
    return trace("logit_again", linear(at["context"], weight, bias))
