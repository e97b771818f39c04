"""Mistakes in everything else: averages, norms, the head, positions and the loss."""

import numpy as np

from pencil.exercises.mistake import Mistake, without_bias
from pencil.trace.operations import TraceError

DEGREES = "Your calculator counts in degrees. Set it to radians: a full turn is about 6.283."


def _affine(at, gain=True, bias=True, bias_first=False):  # normalized · gain + bias, done otherwise
    step = at("affine").args[0]
    if step.op != "add" or step.args[0].op != "multiply":
        raise TraceError("not made by a gain and a bias")
    (normalized, gain_row), bias_row = step.args[0].args, step.args[1]
    if bias_first:
        return (normalized + bias_row) * gain_row
    return (normalized * gain_row if gain else normalized) + (bias_row if bias else 0 * bias_row)


def _what_is_added(at):  # x + what a layer made of it: that alone
    step = at("residual").args[0]
    if step.op != "add" or not step.args[1].name:
        raise TraceError("no sum of two rows")
    return step.args[1] * 1


def _turned_by_degrees(at, function):
    return function(at("angle") * (np.pi / 180))


def _count(x):  # how many numbers each number of a mean is the mean of
    step = x.args[0]
    if step.op != "mean":
        raise TraceError("no mean")
    return step.args[0].size // step.size


def _row_alone(at, k):  # one of the rows that a mean takes together
    step = at("pooled").args[0]
    if step.op != "mean" or step.args[0].ndim != 2 or step.ndim != 1:
        raise TraceError("no mean of rows")
    return step.args[0][k]


def _one_less(count):
    if count < 3:  # of two, one less is one: that is the sum, which was not divided
        raise TraceError("a mean of two")
    return count / (count - 1)


def _before_rms(at):  # the row that a norm without a mean divides
    step = at("normalized").args[0]
    if step.op != "divide" or step.args[1] is not at("rms"):
        raise TraceError("no norm without a mean")
    return step.args[0]


def _width(at):
    return at("deviation").shape[-1]


def _averaged_rows(at):
    step = at("pooled").args[0]
    if step.op != "mean" or step.args[0].ndim != 2:
        raise TraceError("no mean of rows")
    return step.args[0].mean(-1)


def _number_of(at):  # what a sigmoid is taken of: e is raised to minus this
    return -at("exp").args[0].args[0]


LAYERS = (
    Mistake("along", "pooled", _averaged_rows, "You averaged each row by itself. Average the rows, place by place.", far=True),
    Mistake("not_divided", "pooled", lambda at: at("pooled") * _count(at("pooled")), "You added the rows and stopped. Divide by how many there are."),
    Mistake(
        "one_less",
        "pooled",
        lambda at: at("pooled") * _one_less(_count(at("pooled"))),
        "You divided by one less than there are rows. An average divides by all of them.",
    ),
    *(
        Mistake(
            f"{which}_alone",
            "pooled",
            lambda at, k=k: _row_alone(at, k) * 1,
            f"You took the {which} row alone. Average them all.",
            far=True,
        )
        for k, which in ((0, "first"), (-1, "last"))
    ),
    Mistake("not_divided", "mean", lambda at: at("mean") * _count(at("mean")), "You added the numbers and stopped. Divide by how many there are."),
    Mistake(
        "one_less",
        "variance",
        lambda at: at("square_sum") / (_width(at) - 1),
        "You divided by one less. Here the squares are averaged over all the numbers.",
    ),
    Mistake("middle_left_in", "deviation", lambda at: at("deviation") + at("mean"), "You left the mean in. Subtract it from each number.", far=True),
    Mistake("no_root", "std", lambda at: at("variance") * 1, "This is the variance. Take its root."),
    Mistake(
        "one_less",
        "std",
        lambda at: np.sqrt(at("square_sum") / (_width(at) - 1)),
        "You divided by one less than there are numbers. Average the squares over all of them.",
    ),
    Mistake("not_averaged", "std", lambda at: np.sqrt(at("square_sum")), "You took the root of the sum of squares. Average them first."),
    Mistake(
        "no_root",
        "normalized",
        lambda at: at("deviation") / at("variance"),
        "You divided by the variance. Divide by its root, the standard deviation.",
    ),
    Mistake(
        "one_less",
        "normalized",
        lambda at: at("deviation") / np.sqrt(at("square_sum") / (_width(at) - 1)),
        "You divided the squares by one less than there are numbers. Average them over all of the numbers.",
    ),
    Mistake(
        "mean_not_subtracted",
        "normalized",
        lambda at: (at("deviation") + at("mean")) / at("std"),
        "You forgot to subtract the mean before dividing.",
    ),
    Mistake(
        "not_tamed",
        "normalized",
        lambda at: at("deviation") + at("mean"),
        "You took the row as it was. Normalize it first: subtract its mean, and divide by the standard deviation.",
        far=True,
    ),
    Mistake("no_skip", "residual", _what_is_added, "You left the old row out. Add it to what comes in.", far=True),
    Mistake(
        "tamed_on_top",
        "residual",
        lambda at: _what_is_added(at) + at("norm1.normalized"),
        "You added the normalized row. The residual goes round the layer norm: add the row that went in.",
        far=True,
    ),
    Mistake(
        "by_mean",
        "normalized",
        lambda at: (at("deviation") + at("mean")) / at("mean"),
        "You divided by the mean. Subtract the mean, and divide by the standard deviation.",
        far=True,
    ),
    *(
        Mistake(key, "normalized", lambda at, work=work: _before_rms(at) / work(_before_rms(at)), message, far=True)
        for key, work, message in (
            ("by_sum", lambda x: x.sum(-1, keepdims=True), "You divided by the sum of the row. Divide by the root of the average square."),
            (
                "by_squares",
                lambda x: (x * x).sum(-1, keepdims=True),
                "You divided by the sum of the squares. Average the squares, and take the root.",
            ),
            ("by_root_of_sum", lambda x: np.sqrt((x * x).sum(-1, keepdims=True)), "You took the root of the sum of squares. Average them first."),
            (
                "by_spread",
                lambda x: np.sqrt(((x - x.mean(-1, keepdims=True)) * (x - x.mean(-1, keepdims=True))).mean(-1, keepdims=True)),
                "You divided by the standard deviation. Here the squares are those of the numbers as they are.",
            ),
            ("by_mean_alone", lambda x: x.mean(-1, keepdims=True), "You divided by the average. Divide by the root of the average square."),
        )
    ),
    Mistake("not_divided", "normalized", lambda at: at("deviation") * 1, "These are the deviations. Divide each by the standard deviation."),
    Mistake("no_gain", "affine", lambda at: _affine(at, gain=False), "You left the gain out. Multiply each normalized number by its gain first."),
    Mistake("no_bias", "affine", lambda at: _affine(at, bias=False), "You left the bias out. Multiply by the gain, then add the bias."),
    Mistake(
        "bias_first",
        "affine",
        lambda at: _affine(at, bias_first=True),
        "You added the bias before the gain. Multiply by the gain first, then add the bias.",
    ),
    Mistake(
        "sign_dropped",
        "activated",
        lambda at: np.abs(at("hidden")),
        "You dropped the minus signs. ReLU makes what is below zero a zero.",
    ),
    *(Mistake("no_bias", name, without_bias(name), "You forgot the bias. Add it to the sum of the products.") for name in ("hidden", "logit")),
    Mistake("no_relu", "activated", lambda at: at("hidden") * 1, "You left the numbers below zero as they are. ReLU makes them zero."),
    Mistake(
        "sign_of_power",
        "prob",
        lambda at: at("exp") / (1 + at("exp")),
        "You raised e to the number. The sigmoid raises e to minus the number.",
    ),
    Mistake(
        "tanh_for_sigmoid",
        "prob",
        lambda at: (1 - at("exp") * at("exp")) / (1 + at("exp") * at("exp")),
        "You took tanh. A probability comes from sigmoid, which gives a number between zero and one.",
    ),
    Mistake(
        "power_alone",
        "prob",
        lambda at: np.exp(_number_of(at)),
        "You raised e to the number and stopped. The sigmoid raises e to minus the number, adds one, and divides one by that.",
    ),
    Mistake(
        "without_power",
        "prob",
        lambda at: _number_of(at) / (1 + _number_of(at)),
        "You divided the number by one more than itself. The sigmoid raises e to minus the number first.",
        far=True,
    ),
    *(
        Mistake("degrees", name, lambda at, function=function: _turned_by_degrees(at, function), DEGREES)
        for name, function in (("sin", np.sin), ("cos", np.cos))
    ),
    Mistake(
        "degrees",
        "encoding",
        lambda at: np.stack([_turned_by_degrees(at, function) for function in (np.sin, np.cos)], axis=-1).reshape(at("encoding").shape),
        DEGREES,
    ),
    Mistake("no_minus", "loss", lambda at: -at("loss"), "The logarithm of a probability is below zero, so the loss has a minus in front of it."),
    Mistake(
        "log_of_ten",
        "loss",
        lambda at: at("loss") / np.log(10.0),
        "You took the logarithm of base ten. The loss takes the natural one, ln.",
    ),
)
