"""Mistakes in attention: from query, key and value to the context. What stands in braces is filled with the page's word (wording)."""

import numpy as np

from pencil.exercises.mistake import Mistake, by_columns, unread
from pencil.trace.operations import TraceError


def _others(x):  # (T, T) -> (T, T−1): every row without its own place
    return np.stack([np.concatenate([x[i, :i], x[i, i + 1 :]]) for i in range(len(x))])


def _softmax(x, axis=-1):
    exps = np.exp(x)
    return exps / exps.sum(axis, keepdims=True)


def _divided_by_sum(at):  # the scores, divided by their own sum; what is covered counts as nothing
    seen = np.where(at("exp") > 0, _raised(at), 0)
    return seen / seen.sum(-1, keepdims=True)


def _raised(at):  # the scaled scores, covered by a mask or lowered for their distance where they were
    return at(next((name for name in ("masked", "biased") if _has(at, name)), "scaled"))


def _covered(at, scores):  # the scores with what was done to the scaled ones
    return scores + (_raised(at) - at("scaled"))


def _has(at, name):
    try:
        return at(name) is not None
    except KeyError:
        return False


def _embedding(at):  # what query and key were made of
    step = at("query").args[0]
    if step.op == "matmul" and at("key").args[0].op == "matmul" and at("key").args[0].args[0] is step.args[0]:
        return step.args[0]
    raise TraceError("query and key are not made of the same rows")


def _each_with_each(query, key):
    if query.shape != key.shape:
        raise TraceError("one asks, and several are looked at")
    return query @ query.T


def _read_by(at, name):  # what a query, a key or a value was made of
    step = at(name).args[0]
    if step.op != "matmul":
        raise TraceError("not made of rows")
    return step.args[0]


def _evenly(weights):  # the same share for each that has one
    seen = np.where(weights > 0, 1.0, 0.0)
    return seen / seen.sum(-1, keepdims=True)


def _of_others(at):  # the exp of the others, added up
    if at("exp").shape[-1] < 3 or np.allclose(at("exp").exact, at("exp").exact[..., :1]):  # of two, it is the one over the other
        raise TraceError("two, or all alike")
    return at("exp_sum") - at("exp")


def _without(weights, k):  # the shares, and nothing for one of the words
    if not 1 < weights.shape[-1] > k:
        raise TraceError("no such word")
    return np.where(np.arange(weights.shape[-1]) == k, 0, weights)


def _swapped(weights):
    if weights.shape[-1] != 2:
        raise TraceError("not of two words")
    return np.flip(weights, -1)


ATTENTION = (
    *(
        Mistake(
            "grid_left_out",
            name,
            unread(name),
            "You left the weight matrix out and took the vector as it was. Dot each row of the matrix with it.",
            far=True,
        )
        for name in ("query", "attn_out", "mlp_out")
    ),
    *(
        Mistake("columns", name, by_columns(name), "You went by the columns of the weight matrix. Dot its rows with the vector that comes in.")
        for name in ("query", "key", "value", "attn_out", "hidden", "from_hidden")
    ),
    Mistake(
        "value_for_key",
        "scores",
        lambda at: at("query") @ at("value").T,
        "You dotted with the {value}. The {score} is the {query} with the {key}.",
    ),
    Mistake(
        "sticks_dotted",
        "scores",
        lambda at: _embedding(at) @ _embedding(at).T,
        "You dotted the vectors themselves. Make {query} and {key} first, and dot those.",
    ),
    Mistake(
        "queries_dotted",
        "scores",
        lambda at: _each_with_each(at("query"), at("key")),
        "You dotted a {query} with a {query}. The {score} is the {query} with the {key}.",
    ),
    Mistake(
        "keys_dotted",
        "scores",
        lambda at: at("key") @ at("key").T,
        "You dotted a {key} with a {key}. The {score} is the {query} with the {key}.",
    ),
    Mistake("roles_swapped", "scores", lambda at: at("scores").T, "You let the other word ask. The row belongs to the word whose {query} it is."),
    Mistake(
        "own_left_out", "scores", lambda at: _others(at("scores")), "A word has a {score} with itself as well: the row has one number for every word."
    ),
    Mistake("forgot_root", "scaled", lambda at: at("scores") * 1, "You left the {scores} as they were. Divide each by the root of the width."),
    Mistake("multiplied", "scaled", lambda at: at("scores") * at("key").shape[-1] ** 0.5, "You multiplied by the root of the width. Divide by it."),
    Mistake("by_width", "scaled", lambda at: at("scores") / at("key").shape[-1], "You divided by the width. Divide by its root."),
    Mistake(
        "root_of_words",
        "scaled",
        lambda at: at("scores") / at("scores").shape[-1] ** 0.5,
        "You divided by the root of the number of words. Divide by the root of the width.",
        far=True,
    ),
    Mistake(
        "root_of_score",
        "scaled",
        lambda at: np.sqrt(at("scores")),
        "You took the root of the {score} itself. Divide the {score} by the root of the width.",
        far=True,
    ),
    Mistake(
        "standardised",
        "scaled",
        lambda at: (lambda away: away / np.sqrt((away * away).mean(-1, keepdims=True)))(at("scores") - at("scores").mean(-1, keepdims=True)),
        "You subtracted the mean and divided by the standard deviation. Divide by the root of the width, and subtract nothing.",
    ),
    Mistake("times_e", "exp", lambda at: at("scaled") * np.exp(1.0), "You multiplied by e. Raise e to the number instead: that is exp."),
    Mistake("added_scores", "exp_sum", lambda at: at("scaled").sum(-1, keepdims=True), "You added the {scores}. Take exp of each first, then add."),
    Mistake(
        "forgot_mask",
        "weights",
        lambda at: _softmax(at("scaled")) if _has(at, "masked") else None,
        "You left the mask out. Cover what may not be seen before you take exp.",
    ),
    Mistake(
        "masked_after",
        "weights",
        lambda at: _softmax(at("scaled")) * (at("exp") > 0) if _has(at, "masked") else None,
        "You covered after sharing out, so the rest adds up to less than one. Cover the {scores}, then take exp.",
    ),
    Mistake(
        "masked_with_zero",
        "weights",
        lambda at: _softmax(np.where(at("exp") > 0, at("scaled"), 0)) if _has(at, "masked") else None,
        "You covered with zero, and e to the power of zero is one. Cover with minus infinity.",
    ),
    Mistake(
        "added_scores",
        "weights",
        _divided_by_sum,
        "You divided each {score} by the sum of the {scores}. Take exp of each first.",
    ),
    Mistake(
        "forgot_root",
        "weights",
        lambda at: _softmax(_covered(at, at("scores"))),
        "You forgot to divide the {scores} by the root of the width before taking exp.",
    ),
    Mistake(
        "wrong_axis",
        "weights",
        lambda at: _softmax(_covered(at, at("scaled")), 0),
        "Your columns add up to one. Softmax goes along a row: each word's own {shares} add up to one.",
    ),
    Mistake(
        "no_softmax",
        "weights",
        lambda at: at("scaled") * 1,
        "You took the {scores} for {shares}. Take exp of each, and divide by the sum of exp.",
        far=True,
    ),
    Mistake(
        "no_root_no_softmax",
        "weights",
        lambda at: at("scores") * 1,
        "You took the {scores} for {shares}. Divide each by the root of the width, take exp, and divide by the sum of exp.",
        far=True,
    ),
    Mistake("not_divided", "weights", lambda at: at("exp") * 1, "These are the numbers after exp. Divide each by their sum."),
    Mistake(
        "by_how_many",
        "weights",
        lambda at: at("exp") / at("exp").shape[-1],
        "You divided each exp by how many there are. Divide each by the sum of exp.",
        far=True,
    ),
    *(
        Mistake(
            f"by_the_{which}",
            "weights",
            lambda at, k=k: at("exp") / at("exp")[..., k],
            f"You divided by the {which} exp alone. Divide each by the sum of all.",
            far=True,
        )
        for k, which in ((slice(0, 1), "first"), (slice(-1, None), "last"))
    ),
    Mistake(
        "evenly",
        "weights",
        lambda at: _evenly(at("weights")),
        "You gave each the same {share}. The larger the {score}, the larger the {share}.",
        far=True,
    ),
    Mistake(
        "by_the_others",
        "weights",
        lambda at: at("exp") / _of_others(at),
        "You divided each exp by the sum of the others. Its own belongs to the sum as well.",
        far=True,
    ),
    Mistake(
        "no_rescale",
        "rescale",
        lambda at: at("rescale") * 0 + 1,
        "You left the factor out. What was added up before still counts from the old largest number: multiply it by the factor first.",
        far=True,
    ),
    Mistake(
        "key_for_value", "context", lambda at: at("weights") @ at("key"), "You mixed the {keys}. Mix the {values}: they are what is handed over."
    ),
    Mistake(
        "sticks_mixed",
        "context",
        lambda at: at("weights") @ _read_by(at, "value"),
        "You mixed the vectors themselves. Mix the {values}: they are what is handed over.",
    ),
    Mistake(
        "streams_mixed",
        "context",
        lambda at: at("weights") @ at("x"),
        "You mixed the rows that came into the block. Mix the {values}: they are what is handed over.",
        far=True,
    ),
    Mistake(
        "swapped_weights",
        "context",
        lambda at: _swapped(at("weights")) @ at("value"),
        "You gave each word the {share} of the other. The first {share} belongs to the first word.",
    ),
    Mistake(
        "plain_average",
        "context",
        lambda at: _evenly(at("weights")) @ at("value"),
        "You gave every word the same {share}. Weight each row by its own.",
    ),
    Mistake(
        "plain_sum",
        "context",
        lambda at: at("weights") * 0 @ at("value") + at("value").sum(0),
        "You added the rows without their {shares}. Multiply each row by its {share} first.",
    ),
    *(
        Mistake(
            f"without_{which}",
            "context",
            lambda at, k=k: _without(at("weights"), k) @ at("value"),
            f"You left the {which} word's part out. Each {{value}} is weighed, and all the parts are added.",
            far=True,
        )
        for k, which in enumerate(("first", "second", "third"))
    ),
    Mistake(
        "transposed_weights",
        "context",
        lambda at: at("weights").T @ at("value"),
        "You used the {shares} that others give to this word. Use the {shares} that it gives.",
    ),
)
