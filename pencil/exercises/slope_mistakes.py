"""Mistakes on the way back: a chain that breaks off, the wrong factor, a road left out, a step that goes uphill."""

import numpy as np

from pencil.exercises.mistake import Mistake
from pencil.trace.operations import TraceError

CHAIN = "You broke the chain: this is what d.logit is multiplied by. Multiply it by d.logit too."
ROADS = "You took the {which} road alone. Two of them come back to the {query}, one from each {score}: add them up."


def _ones(x):
    return x * 0 + 1


def _average(shares, slopes):
    return (shares * slopes).sum(-1, keepdims=True)


def _plain_average(slopes):
    return slopes.mean(-1, keepdims=True)


def _of_two(x):
    if x.shape[-1] != 2:
        raise TraceError("not of two words")
    return np.flip(x, -1)


def _square(x):
    if x.shape[0] != x.shape[1]:
        raise TraceError("its columns are longer or shorter than its rows")
    return x.T


def _road(at, k):
    return at("grad.scores")[:, k] @ at("key")[k]


def _step(at):  # of gradient descent -> the old numbers, the rate, the slope
    step = at("updated").args[0]
    if step.op != "subtract" or step.args[1].name != at("step").name or at("step").args[0].op != "multiply":
        raise TraceError("no step of gradient descent")
    return step.args[0], *at("step").args[0].args


def _again(at, weight, bias):  # the old weights and bias, or the new ones
    return at("context") @ at(weight).T + at(bias)


NEW_WEIGHT, NEW_BIAS = "stepped.head.weight.updated", "stepped.head.bias.updated"
OF_LOGIT = (
    (
        "truth_first",
        lambda at: at("target") - at("sigmoid.prob"),
        "You turned it round. The slope is prediction minus target.",
    ),
    ("truth_added", lambda at: at("sigmoid.prob") + at("target"), "You added the target. Subtract it from the prediction."),
    (
        "no_sigmoid",
        lambda at: (1 - 2 * at("target")) / at("target_prob"),
        "That is the slope of the loss along the prediction. It goes on through the sigmoid: prediction minus target.",
    ),
    ("other_truth", lambda at: at("sigmoid.prob") - 1 + at("target"), "You worked with the other target. Is it zero here, or one?"),
    (
        "sigmoid_alone",
        lambda at: at("sigmoid.prob") * (1 - at("sigmoid.prob")),
        "That is the slope of the sigmoid alone. With the logarithm it becomes prediction minus target.",
    ),
    (
        "sigmoid_again",
        lambda at: (at("sigmoid.prob") - at("target")) * at("sigmoid.prob") * (1 - at("sigmoid.prob")),
        "You went through sigmoid twice. Prediction minus target has been through it already.",
    ),
    ("loss_itself", lambda at: at("loss") * 1, "That is the loss itself. The way back begins with its slope, prediction minus target."),
)
# not looked for in the value itself: worksheets were generated without them
FURTHER_UP_ONLY = ("other_truth", "sigmoid_alone", "sigmoid_again", "loss_itself", "swapped_weights", "sum_taken")
OF_SCALED = (  # of the shares and their slopes
    ("average_kept", lambda shares, slopes: shares * slopes, "You left the average slope in. Subtract it first."),
    (
        "no_share",
        lambda shares, slopes: slopes - _average(shares, slopes),
        "That is how far each slope lies above the average. Multiply each by its {share}.",
    ),
    (
        "plain_average",
        lambda shares, slopes: shares * (slopes - _plain_average(slopes)),
        "You took the plain average of the slopes. Each counts by its {share}.",
    ),
    (
        "sum_taken",
        lambda shares, slopes: shares * (slopes - slopes.sum(-1, keepdims=True)),
        "You subtracted the sum of the slopes. Subtract their average: each counts by its {share}.",
    ),
    (
        "own_road_alone",
        lambda shares, slopes: shares * (1 - shares) * slopes,
        "You took the road through a {score}'s own {share} alone. It moves the other {share} as well, and both roads add up.",
    ),
    (
        "swapped_weights",
        lambda shares, slopes: _of_two(shares) * (slopes - _average(shares, slopes)),
        "You multiplied by the {share} of the other. Multiply each by its own.",
    ),
)

SLOPES = (
    *(
        Mistake(key, name, work, message, far=name != "error" or key in FURTHER_UP_ONLY)
        for name in ("error", "grad.logit")
        for key, work, message in OF_LOGIT
    ),
    Mistake("no_chain", "grad.head.weight", lambda at: _ones(at("grad.logit")) * at("context"), CHAIN),
    Mistake(
        "own_factor",
        "grad.head.weight",
        lambda at: at("grad.logit") * at("head.weight"),
        "You multiplied by the weights themselves. In a product each factor gets the slope times the other one: here the {context}.",
    ),
    Mistake("no_chain", "grad.context", lambda at: _ones(at("grad.logit")) * at("head.weight"), CHAIN),
    Mistake(
        "own_factor",
        "grad.context",
        lambda at: at("grad.logit") * at("context"),
        "You multiplied by the {context} itself. In a product each factor gets the slope times the other one: here the last weights.",
    ),
    Mistake(
        "no_chain",
        "grad.value",
        lambda at: at("weights").T @ _ones(at("grad.context")),
        "You broke the chain: these are the {shares}. Multiply d.{context} by them.",
    ),
    Mistake(
        "no_share",
        "grad.value",
        lambda at: _ones(at("weights")).T @ at("grad.context"),
        "You handed d.{context} on as it is. Multiply it by the {share} of the word.",
    ),
    Mistake(
        "swapped_weights",
        "grad.value",
        lambda at: _of_two(at("weights")).T @ at("grad.context"),
        "You gave each word the {share} of the other.",
    ),
    Mistake(
        "own_factor",
        "grad.value",
        lambda at: at("grad.context") * at("value"),
        "You multiplied d.{context} by the {value} itself. In a product each factor gets the slope times the other one: here the {share}.",
    ),
    Mistake(
        "no_chain",
        "grad.weights",
        lambda at: _ones(at("grad.context")) @ at("value").T,
        "You broke the chain: this is the {value}, added up. Dot it with d.{context}.",
    ),
    Mistake(
        "share_for_value",
        "grad.weights",
        lambda at: at("weights") * at("grad.weights"),
        "You multiplied by the {shares}. The other factor of a {share} is the {value}.",
        far=True,
    ),
    Mistake(
        "columns",
        "grad.weights",
        lambda at: at("grad.context") @ _square(at("value")).T,
        "You read the {values} by their columns. Dot d.{context} with each {value}, row by row.",
    ),
    Mistake(
        "value_not_slope",
        "grad.weights",
        lambda at: at("context") @ at("value").T,
        "You dotted the {context} with each {value}. Dot its slope, d.{context}.",
    ),
    Mistake(
        "key_for_value",
        "grad.weights",
        lambda at: at("grad.context") @ at("key").T,
        "You dotted with the {keys}. A {share} was multiplied by a {value}.",
    ),
    Mistake(
        "plain_average",
        "average_slope",
        lambda at: _plain_average(at("grad.weights")),
        "You took the plain average of the slopes. Each counts by its {share}.",
    ),
    Mistake(
        "plain_sum",
        "average_slope",
        lambda at: at("grad.weights").sum(-1, keepdims=True),
        "You added the slopes as they are. Multiply each by its {share} first.",
    ),
    *(
        Mistake(
            key,
            name,
            lambda at, work=work, slopes=slopes: work(at("weights"), at(slopes)),
            message,
            far=name == "grad.scaled" or key in FURTHER_UP_ONLY,
        )
        for name, slopes in (("short_way", "grad.weights"), ("grad.scaled", "grad.weights"), ("grad_scaled", "grad_weights"))
        for key, work, message in OF_SCALED
    ),
    Mistake(
        "times_root",
        "grad.scores",
        lambda at: at("grad.scaled") * at("key").shape[-1] ** 0.5,
        "You multiplied by the root. The {score} was divided by it, and so is its slope.",
    ),
    Mistake("no_root", "grad.scores", lambda at: at("grad.scaled") * 1, "The {score} was divided by the root of the width. So is its slope."),
    Mistake("by_width", "grad.scores", lambda at: at("grad.scaled") / at("key").shape[-1], "You divided by the width. Divide by its root."),
    *(
        Mistake(f"{which}_road_alone", "grad.query", lambda at, k=k: _road(at, k), ROADS.replace("{which}", which))
        for which, k in (("first", slice(0, 1)), ("last", slice(-1, None)))
    ),
    Mistake(
        "no_chain",
        "grad.query",
        lambda at: _ones(at("grad.scores")) @ at("key"),
        "You broke the chain: this is the {keys}, added up. Multiply each by its d.{score} first.",
    ),
    Mistake("value_for_key", "grad.query", lambda at: at("grad.scores") @ at("value"), "You took the {values}. A {query} was multiplied by a {key}."),
    Mistake(
        "transposed",
        "grad.params.query",
        lambda at: _square(at("grad.params.query")) * 1,
        "You have the right numbers, laid down by columns: a row of the matrix belongs to one number of d.{query}.",
    ),
    Mistake(
        "no_chain",
        "grad.params.query",
        lambda at: _ones(at("grad.query")).T @ at("embedding"),
        "You broke the chain: this is the embedding. Multiply it by the number of d.{query} that the row makes.",
    ),
    Mistake(
        "own_factor",
        "grad.params.query",
        lambda at: at("grad.query").T * at("params.query"),
        "You multiplied by the weights themselves. In a product each factor gets the slope times the other one: here the embedding.",
    ),
    Mistake("uphill", "updated", lambda at: _step(at)[0] + at("step"), "You went uphill: you added the step. Subtract it."),
    Mistake("no_rate", "updated", lambda at: _step(at)[0] - _step(at)[2], "You subtracted the whole slope. Multiply it by the learning rate first."),
    Mistake("step_alone", "updated", lambda at: _ones(_step(at)[0]) * at("step"), "That is the step. Subtract it from the old number."),
    Mistake(
        "old_values",
        "logit_again",
        lambda at: _again(at, "head.weight", "head.bias"),
        "You used the old weights and the old bias. The step has changed them: use the new ones.",
    ),
    Mistake("old_weights", "logit_again", lambda at: _again(at, "head.weight", NEW_BIAS), "You used the old weights. The step has changed them."),
    Mistake("old_bias", "logit_again", lambda at: _again(at, NEW_WEIGHT, "head.bias"), "You used the old bias. The step has changed it."),
    Mistake("no_bias", "logit_again", lambda at: at("context") @ at(NEW_WEIGHT).T, "You forgot the bias. Add the new one."),
)
