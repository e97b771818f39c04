"""Executable WRONG TURNs: what comes out when a step is done in one of the ways that people do it wrong.

Each is worked out under the trace from the values beside it, so it follows every given number, and the page's
engine works it out again for a reader's own.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pencil.trace.array import TracedArray
from pencil.trace.notes import SLOPE
from pencil.trace.operations import TraceError

SCOPE = "wrong"


@dataclass(frozen=True)
class WrongTurn:
    """One mistake: the value that it spoils, how it is worked, and what to say to who made it.

    `work` takes a function that finds a value of the same scope by its name, and gives the wrong one.
    """

    key: str
    value: str  # the last part of the name of the value: "weights" spoils head1.weights as well
    work: Callable
    says: str


def _others(x):  # (T, T) -> (T, T−1): every row without its own place
    return np.stack([np.concatenate([x[i, :i], x[i, i + 1 :]]) for i in range(len(x))])


def _softmax(x, axis=-1):
    raised = np.exp(x)
    return raised / raised.sum(axis, keepdims=True)


def _share(x):
    return x / x.sum(-1, keepdims=True)


def _columns(at, name):  # a stick times the columns of the grid, not its rows
    step = at(name).args[0]
    if step.op == "matmul" and step.args[1].op == "gather":
        return step.args[0] @ step.args[1].args[0]
    raise TraceError("not made by a grid")


def _tuned(at, gain=True, bias=True, bias_first=False):  # tamed · gain + bias, done otherwise
    step = at("affine").args[0]
    if step.op != "add" or step.args[0].op != "multiply":
        raise TraceError("not made by a gain and a bias")
    (tamed, by), plus = step.args[0].args, step.args[1]
    if bias_first:
        return (tamed + plus) * by
    return (tamed * by if gain else tamed) + (plus if bias else 0 * plus)


def _of_grid(name):
    return lambda at: _columns(at, name)


WRONG_TURNS = (
    *(
        WrongTurn("columns", name, _of_grid(name), "You multiplied the stick with the columns of the grid. A grid is read by rows: row times stick.")
        for name in ("query", "key", "value", "projected", "hidden")
    ),
    WrongTurn(
        "value_for_key",
        "scores",
        lambda at: at("query") @ at("value").T,
        "You dotted with GIVE (the value). The match is WANT with HAVE: query with key.",
    ),
    WrongTurn(
        "roles_swapped", "scores", lambda at: at("scores").T, "You let the other word ask. The row belongs to the word whose WANT (query) it is."
    ),
    WrongTurn("own_left_out", "scores", lambda at: _others(at("scores")), "A word matches itself as well: the row has one number for every word."),
    WrongTurn("forgot_root", "scaled", lambda at: at("scores") * 1, "You left the matches as they were. Divide each by the root of the width."),
    WrongTurn("by_width", "scaled", lambda at: at("scores") / at("key").shape[-1], "You divided by the width. Divide by its root."),
    WrongTurn(
        "standardised",
        "scaled",
        lambda at: (lambda away: away / np.sqrt((away * away).mean(-1, keepdims=True)))(at("scores") - at("scores").mean(-1, keepdims=True)),
        "You took off the middle and divided by the spread. The divisor is the root of the width, and nothing is taken off.",
    ),
    WrongTurn(
        "times_e", "raised", lambda at: at("scaled") * np.exp(1.0), "You multiplied by e. Raise e to the number: e with the number as its power."
    ),
    WrongTurn("added_scores", "total", lambda at: at("scaled").sum(-1, keepdims=True), "You added the scores. Raise e to each first, then add."),
    WrongTurn("added_scores", "weights", lambda at: _share(at("scaled")), "You divided each score by the sum of the scores. Raise e to each first."),
    WrongTurn(
        "forgot_root", "weights", lambda at: _softmax(at("scores")), "You forgot to divide the scores by the root of the width before raising e."
    ),
    WrongTurn(
        "wrong_axis",
        "weights",
        lambda at: _softmax(at("scaled"), 0),
        "Your columns add up to one. Softmax goes along a row: each word's own shares add up to one.",
    ),
    WrongTurn("not_divided", "weights", lambda at: at("raised") * 1, "These are the raised numbers. Divide each by their total."),
    WrongTurn("keys_mixed", "mixed", lambda at: at("weights") @ at("key"), "You mixed HAVE (the keys). What is handed over is GIVE: the values."),
    WrongTurn(
        "plain_average",
        "mixed",
        lambda at: at("weights") * 0 @ at("value") + at("value").mean(0),
        "You gave every word the same share. Weight each row by its own.",
    ),
    WrongTurn(
        "plain_sum",
        "mixed",
        lambda at: at("weights") * 0 @ at("value") + at("value").sum(0),
        "You added the rows without their shares. Multiply each row by its share first.",
    ),
    WrongTurn(
        "other_shares",
        "mixed",
        lambda at: at("weights").T @ at("value"),
        "You used the shares that others give to this word. Use the shares that it gives.",
    ),
    WrongTurn(
        "not_divided", "summary", lambda at: at("summary") * _count(at("summary")), "You added the rows and stopped. Divide by how many there are."
    ),
    WrongTurn(
        "one_less",
        "summary",
        lambda at: at("summary") * _one_less(_count(at("summary"))),
        "You divided by one less than there are rows. An average divides by all of them.",
    ),
    WrongTurn("not_divided", "mean", lambda at: at("mean") * _count(at("mean")), "You added the numbers and stopped. Divide by how many there are."),
    WrongTurn(
        "one_less",
        "variance",
        lambda at: at("square_sum") / (_width(at) - 1),
        "You divided by one less. Here the squares are averaged over all the slots.",
    ),
    WrongTurn("no_root", "std", lambda at: at("variance") * 1, "This is the average square. Take its root."),
    WrongTurn(
        "one_less",
        "std",
        lambda at: np.sqrt(at("square_sum") / (_width(at) - 1)),
        "You divided by one less than there are slots. Average the squares over all of them.",
    ),
    WrongTurn("no_root", "normalized", lambda at: at("deviation") / at("variance"), "You divided by the average square. Divide by its root."),
    WrongTurn(
        "one_less",
        "normalized",
        lambda at: at("deviation") / np.sqrt(at("square_sum") / (_width(at) - 1)),
        "You divided the squares by one less than there are slots. Average them over all of the slots.",
    ),
    WrongTurn(
        "middle_left_in", "normalized", lambda at: (at("deviation") + at("mean")) / at("std"), "You forgot to take off the middle before dividing."
    ),
    WrongTurn("not_divided", "normalized", lambda at: at("deviation") * 1, "These are the deviations. Divide each by the typical distance."),
    WrongTurn("no_gain", "affine", lambda at: _tuned(at, gain=False), "You left the gain out. Multiply each tamed number by its gain first."),
    WrongTurn("no_bias", "affine", lambda at: _tuned(at, bias=False), "You left the bias out. Multiply by the gain, then add the bias."),
    WrongTurn(
        "bias_first",
        "affine",
        lambda at: _tuned(at, bias_first=True),
        "You added the bias before the gain. Multiply by the gain first, then add the bias.",
    ),
    WrongTurn(
        "sign_dropped",
        "bent",
        lambda at: np.maximum(at("hidden"), -at("hidden")),
        "You dropped the minus signs. ReLU makes what is below nought a nought.",
    ),
    WrongTurn("not_bent", "bent", lambda at: at("hidden") * 1, "You left the numbers below nought as they are. ReLU makes them nought."),
    WrongTurn(
        "sign_of_power",
        "answer",
        lambda at: at("answer") / at("answer") - at("answer"),
        "You raised e to the number. In the sigmoid the power has a minus in front.",
    ),
    *(
        turn
        for vote in ("keep", "admit", "show")
        for turn in (
            WrongTurn(
                "sign_of_power",
                vote,
                lambda at, vote=vote: 1 / (1 + np.exp(at(f"{vote}.summed"))),
                "You raised e to the number. In the sigmoid the power has a minus in front.",
            ),
            WrongTurn(
                "tanh_for_vote",
                vote,
                lambda at, vote=vote: np.tanh(at(f"{vote}.summed")),
                "You took tanh. A vote goes through sigmoid, to between nought and one.",
            ),
        )
    ),
    WrongTurn(
        "vote_for_tanh",
        "candidate",
        lambda at: 1 / (1 + np.exp(-at("candidate.summed"))),
        "You took sigmoid. The candidate is no vote: it goes through tanh, to between minus one and one.",
    ),
    WrongTurn(
        "all_admitted",
        "belt",
        lambda at: at("belt") - at("admit") * at("candidate") + at("candidate"),
        "You let the whole candidate onto the belt. Multiply it by the admit vote.",
    ),
    WrongTurn("not_crushed", "memory", lambda at: at("show") * at("belt"), "You showed the belt as it is. Take tanh of it first."),
    WrongTurn("all_shown", "memory", lambda at: at("crushed") * 1, "This is the belt, crushed. Multiply it by the show vote."),
    WrongTurn("no_minus", "loss", lambda at: -at("loss"), "The logarithm of a chance is below nought, so the miss has a minus in front of it."),
    WrongTurn(
        "log_of_ten",
        "loss",
        lambda at: at("loss") / np.log(10.0),
        "You took the logarithm of base ten. The miss is counted with the natural one, ln.",
    ),
)


def _count(x):  # how many numbers each number of a mean is the mean of
    step = x.args[0]
    if step.op != "mean":
        raise TraceError("no mean")
    return step.args[0].size // step.size


def _one_less(count):
    if count < 3:  # of two, one less is one: that is the sum, which was not divided
        raise TraceError("a mean of two")
    return count / (count - 1)


def _width(at):
    return at("deviation").shape[-1]


def known(trace, name, harmless=False):  # Trace, name of a value -> {key: what to say}
    """Every wrong turn that this value can take, worked out as wrong.KEY.NAME in the same trace.

    What cannot be worked with these numbers is left out, and so is what comes out right all the same, unless the
    `harmless` are wanted as well: with other numbers they may do harm.
    """
    scope, _, last = name.rpartition(".")
    found = {}

    def at(part):
        return trace.names[f"{scope}.{part}" if scope else part]

    if scope.partition(".")[0] == SLOPE:  # d.scaled is no scaled: who errs there forgot no root
        return found
    for turn in WRONG_TURNS:
        if turn.value == last and (f"{SCOPE}.{turn.key}.{name}" in trace.names or _noted(trace, turn, name, at, harmless) is not None):
            found[turn.key] = turn.says
    return found


def _noted(trace, turn, name, at, harmless):
    value = _worked(turn, at)
    if value is None or (not harmless and _same(value, trace.names[name])):
        return None
    try:
        return trace.note(f"{SCOPE}.{turn.key}.{name}", value)
    except ValueError:  # no number on paper
        return None


def _worked(turn, at):  # -> traced value; None where it cannot be worked here
    with np.errstate(all="ignore"):
        try:
            value = turn.work(at)
        except (KeyError, ValueError, TraceError, IndexError):  # a value is not there, or the widths do not fit
            return None
    finite = isinstance(value, TracedArray) and np.isfinite(value.exact).all() and np.isfinite(value.paper).all()
    return value if finite else None


def _same(value, right):
    return value.shape == right.shape and np.allclose(value.exact, right.exact, rtol=1e-9, atol=1e-9)
