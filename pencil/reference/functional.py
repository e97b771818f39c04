"""The building blocks of layers: linear, softmax, LayerNorm and RMSNorm, activations, and binary cross-entropy."""

from dataclasses import dataclass
from math import erf, pi, sqrt

import numpy as np

from pencil.note import no_note
from pencil.reference.contracts import Array, check_number, limits, numbers, shapes


@shapes("... d_in, d_out d_in, bias?: d_out -> ... d_out")
def linear(x, weight, bias=None):
    """A linear layer: x @ weight.T + bias, as torch.nn.Linear.

    - `x`: (..., d_in), one row or more
    - `weight`: (d_out, d_in), a row of weights for each number that comes out
    - `bias`: (d_out,), or None

    Raises ValueError for sizes that do not fit one another.
    """
    return x @ weight.T if bias is None else x @ weight.T + bias


_REMEDY = "; use stable_softmax (or softmax=stable_softmax), which takes the row's maximum off first"


@shapes("masked ... S, sink?: () -> ... S")
def softmax(scores, *, sink=None, note=no_note):
    """Softmax: exp(score) over the sum of its row: the textbook form (Bridle 1990).

    - `scores`: (..., S), finite numbers, or −∞ where masked; the softmax is taken along the last axis
    - `sink`: a score that belongs to no column: its exponential joins the sum of each row, whose weights then add up to less than 1
      (gpt-oss: OpenAI 2025; after Xiao et al. 2024); None where there is none

    Raises ValueError for a NaN, for +∞, for a row that is masked whole, and for a score whose exponential a float cannot
    hold; that message names `stable_softmax`, which gives the same weights.
    """
    _check_scores(scores)
    return _softmax(scores, sink, note)


def _softmax(scores, sink, note):
    row_max, held = numbers(scores).max(-1, keepdims=True), limits(scores)  # np.longdouble: the limits of a long double overflow a double
    row_max = row_max if sink is None else np.maximum(row_max, numbers(sink))
    if row_max.max() + np.log(scores.shape[-1] + (sink is not None)) > np.log(np.longdouble(held.max)):  # the sum has to fit as well
        raise ValueError(f"e^{float(row_max.max())} is more than a float holds{_REMEDY}")
    if row_max.min() < np.log(np.longdouble(held.tiny)):
        raise ValueError(f"e^{float(row_max.min())} is less than a float holds{_REMEDY}")
    exps = note("exp", np.exp(scores))
    exp_sum = exps.sum(-1, keepdims=True)
    if sink is not None:
        exp_sum = exp_sum + note("sink_exp", np.exp(sink))
    return note("weights", exps / note("exp_sum", exp_sum))


@shapes("masked ... S, sink?: () -> ... S")
def stable_softmax(scores, *, sink=None, note=no_note):
    """Softmax for scores of any size: the row's maximum is subtracted first, and cancels in the quotient (as in torch.softmax).

    - `scores`, `sink`: as in `softmax`; a sink counts for the maximum too

    Raises ValueError for a NaN, for +∞, and for a row that is masked whole.
    """
    _check_scores(scores)
    row_max = scores.max(-1, keepdims=True)
    row_max = note("max", row_max if sink is None else np.maximum(row_max, sink))
    shifted = note("shifted", scores - row_max)
    return _softmax(shifted, None if sink is None else note("sink_shifted", sink - row_max), note)


def _check_scores(scores):
    if (numbers(scores).max(-1) == -np.inf).any():
        raise ValueError("a whole row of scores is masked (−inf), and its weights would be 0/0; leave each query at least one key to attend to")


NOISE = 4  # units in the last place: rows that vary by no more count as constant, such as [0.3, 0.1 + 0.2]


@dataclass(frozen=True)
class LayerNormParams:
    """The parameters of a LayerNorm or an RMSNorm, each optional: a gain for each column and, in a LayerNorm, a bias."""

    gain: Array | None = None  # (d,)
    bias: Array | None = None  # (d,)


@shapes("... d, norm.gain?: d, norm.bias?: d -> ... d")
def layer_norm(x, *, norm=LayerNormParams(), eps=0.0, note=no_note):
    """Subtract the row's mean, divide by its standard deviation, then gain and bias (Ba, Kiros and Hinton 2016).

    - `x`: (..., d), rows, each of which is normalized by itself
    - `norm`: the learned gain and bias
    - `eps`: added to the variance, under the root

    Raises ValueError for a constant row when eps is 0, for a row whose squares are more or less than a float holds, for an eps below 0,
    and for a gain or bias of another width than the row.
    """
    check_number("eps", eps, least=0)
    if eps == 0 and _is_constant(x).any():
        raise ValueError("a flat row has the standard deviation 0 and cannot be divided by it; give layer_norm a small eps, such as 1e-5")
    check_squares(x, centred=True, eps=eps)
    return _layer_norm(x, norm, eps, note)


def _layer_norm(x, norm, eps, note):
    mean = note("mean", x.mean(-1, keepdims=True))
    deviation = note("deviation", x - mean)
    square = note("square", deviation * deviation)
    square_sum = note("square_sum", square.sum(-1, keepdims=True))
    variance = note("variance", square_sum / x.shape[-1])  # divide by d, not d − 1
    std = note("std", np.sqrt(variance + eps if eps else variance))
    return _affine(note("normalized", deviation / std), norm, note)


@shapes("... d, norm.gain?: d -> ... d")
def rms_norm(x, *, norm=LayerNormParams(), eps=0.0, note=no_note):
    """Divide the row by its root mean square, then the gain; no mean is subtracted (Zhang and Sennrich 2019, eq. 4; torch.nn.functional.rms_norm).

    - `x`: (..., d), rows, each of which is normalized by itself
    - `norm`: the learned gain; it has no bias
    - `eps`: added to the mean square, under the root

    Raises ValueError for a row of zeros when eps is 0, for a row whose squares are more or less than a float holds, for an eps below 0,
    for a gain of another width than the row, and for a bias.
    """
    check_number("eps", eps, least=0)
    if norm.bias is not None:
        raise ValueError("RMSNorm has a gain and no bias; leave the bias out: LayerNormParams(gain)")
    if eps == 0 and not numbers(x).any(-1).all():
        raise ValueError("a row of zeros has the root mean square 0 and cannot be divided by it; give rms_norm a small eps, such as 1e-6")
    check_squares(x, eps=eps)
    return _rms_norm(x, norm, eps, note)


def _rms_norm(x, norm, eps, note):
    square = note("square", x * x)
    square_sum = note("square_sum", square.sum(-1, keepdims=True))
    mean_square = note("mean_square", square_sum / x.shape[-1])
    rms = note("rms", np.sqrt(mean_square + eps if eps else mean_square))
    return _affine(note("normalized", x / rms), norm, note)


def _affine(x, norm, note):
    if norm.gain is None and norm.bias is None:
        return x
    scaled = x if norm.gain is None else x * norm.gain
    return note("affine", scaled if norm.bias is None else scaled + norm.bias)


def check_squares(x, *, centred=False, eps=0.0):
    """Raise ValueError for a row whose squares, or those of the distances to its mean if `centred`, are more or less than a float holds.

    Squares below the smallest normal float lose precision, and in the end are 0, so dividing by their root would be wrong; with an eps
    they do not matter.
    """
    plain, held = numbers(x, None), limits(x)
    with np.errstate(over="ignore", under="ignore"):
        square_sum = np.square(plain - plain.mean(-1, keepdims=True) if centred else plain).sum(-1)
    largest = max(float(plain.max()), -float(plain.min()))
    if not square_sum.max() <= held.max:
        raise ValueError(f"the squares of a row with {largest} in it are more than a float holds; divide the row first")
    if eps == 0 and square_sum.min() < plain.shape[-1] * held.tiny:
        raise ValueError(f"the squares of a row come to {square_sum.min()}, less than a float holds; multiply the row first")


def _is_constant(x):  # (..., d) -> (...) bool; up to float error, for the mean of 0.1, 0.1, 0.1 is not exactly 0.1
    rows = numbers(x)
    return np.ptp(rows, axis=-1) <= NOISE * limits(x).eps * np.abs(rows).max(-1)


@shapes("*shape -> *shape")
def sigmoid(z, *, note=no_note):
    """The logistic function 1 / (1 + e^−z), between 0 and 1: the second weight of softmax over (0, z) (torch.sigmoid).

    - `z`: numbers of any shape

    Raises ValueError for a NaN or an empty array.
    """
    with np.errstate(over="ignore"):  # e^800 is infinite, and 1 / (1 + ∞) is the 0 that is wanted
        exps = note("exp", np.exp(-z))
    return note("prob", 1 / (1 + exps))


@shapes("*shape, *shape -> *shape")
def binary_cross_entropy(prob, target, *, note=no_note):
    """Binary cross-entropy in nats: −ln of the probability that the target was given.

    - `prob`: the probability of a 1 for each question
    - `target`: 0 or 1, in the same shape

    torch.nn.functional.binary_cross_entropy with reduction="none". Raises ValueError for shapes that differ, for a target that
    is not 0 or 1, for a probability outside 0 to 1, and where the true answer has the probability 0: its loss is infinite.
    """
    plain_target, plain_prob = numbers(target), numbers(prob)
    if not np.isin(plain_target, (0, 1)).all():
        raise ValueError(f"target is {plain_target.tolist()}; it must be 0 or 1")
    if (plain_prob < 0).any() or (plain_prob > 1).any():
        raise ValueError(f"prob is {plain_prob.tolist()}; a probability lies between 0 and 1: run it through sigmoid first")
    target_prob = note("target_prob", target * prob + (1 - target) * (1 - prob))
    if (numbers(target_prob) == 0).any():
        raise ValueError("the true answer has the probability 0, and −ln 0 is infinite; keep probabilities inside 0 and 1")
    return note("loss", -np.log(target_prob))


@shapes("... -> ...")
def relu(x):
    """The rectifier: max(x, 0)."""
    return np.maximum(x, 0)


@shapes("*shape -> *shape")
def silu(x):
    """SiLU, also called Swish: x · sigmoid(x) (Hendrycks and Gimpel 2016; Ramachandran et al. 2017; torch.nn.functional.silu).

    Raises ValueError for a NaN or an empty array.
    """
    return x * sigmoid(x)


@shapes("... -> ...")
def gelu(x):
    """GELU in its tanh form (Hendrycks and Gimpel 2016; GPT-2; approximate="tanh" in torch)."""
    return 0.5 * x * (1 + np.tanh(sqrt(2 / pi) * (x + 0.044715 * x * x * x)))


_erf = np.frompyfunc(erf, 1, 1)  # NumPy has no erf


@shapes("... -> ...")
def gelu_erf(x):
    """GELU in its exact form: x times the normal distribution function of x (BERT). A trace cannot follow it: use `gelu` there."""
    return 0.5 * x * (1 + np.asarray(_erf(x / sqrt(2)), float))
