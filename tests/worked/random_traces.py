"""Random small machines on numbers that a person could have written: what the worked lines must hold for."""

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from pencil.reference import (
    Alibi,
    Attention,
    Block,
    FeedForward,
    Grids,
    Head,
    Norm,
    Recipe,
    Rotary,
    average,
    binary_cross_entropy,
    block,
    classify,
    cross_attention,
    feed_forward,
    gelu,
    layer_norm,
    multi_head_attention,
    relu,
    self_attention,
    sine_cosine,
    stable_softmax,
)  # fmt: skip
from pencil.trace import Trace

NAMES = ("ash", "birch", "cedar", "dale")
SOFTMAX = {"softmax": stable_softmax}


def grid(draw, rows, columns, largest=3):  # one kind of number a grid: whole, halves, one decimal, two
    step = draw(st.sampled_from([1, 2, 10, 100]))
    entry = st.integers(-largest * step, largest * step).map(lambda n: n / step)
    return np.array(draw(st.lists(entry, min_size=rows * columns, max_size=rows * columns)), float).reshape(rows, columns)


def rows(draw, trace, width, name="x"):
    count = draw(st.sampled_from([2, 3, 1]))
    return trace.given(name, grid(draw, count, width), words=NAMES[:count])


def grids(draw, trace, scope, width, d_k, d_v):
    plain = Grids(grid(draw, d_k, width, 1), grid(draw, d_k, width, 1), grid(draw, d_v, width, 2))
    return trace.given_each(scope, plain)


def reorder(draw, d):
    return np.eye(d)[draw(st.permutations(range(d)))]


def mask(draw, count):
    return draw(st.sampled_from([None, np.tri(count, dtype=bool)]))


def run_attention(draw, trace):
    x = rows(draw, trace, draw(st.integers(1, 4)))
    head = grids(draw, trace, "grid", x.shape[1], draw(st.integers(1, 4)), draw(st.integers(1, 3)))
    self_attention(x, head, trace, mask(draw, len(x)), **draw(st.sampled_from([{}, SOFTMAX])))


def run_heads(draw, trace):
    x = rows(draw, trace, draw(st.integers(1, 3)))
    heads = tuple(grids(draw, trace, f"grids{i}", x.shape[1], draw(st.integers(1, 2)), 2) for i in (1, 2))
    output = trace.given("output", grid(draw, x.shape[1], 4, 1))
    multi_head_attention(x, Attention(heads, output), trace, mask(draw, len(x)))
    average(trace.names["projected"], note=trace)


def run_head(draw, trace):
    summary = trace.given("summary", grid(draw, 1, 3)[0])
    plain = Head(grid(draw, 2, 3, 1), grid(draw, 1, 2, 1)[0], grid(draw, 1, 2, 1), grid(draw, 1, 1, 1)[0])
    answer = classify(summary, trace.given_each("head", plain), trace)
    assume(0 < answer.exact < 1)
    binary_cross_entropy(trace.given("truth", [draw(st.integers(0, 1))]), answer, trace)


def run_loss(draw, trace):
    truth = trace.given("truth", draw(st.lists(st.integers(0, 1), min_size=2, max_size=2)), words=NAMES[:2])
    said = trace.given("said", [draw(st.integers(1, 99)) / 100 for _ in NAMES[:2]], words=NAMES[:2])
    binary_cross_entropy(truth, said, trace)


def run_layer_norm(draw, trace):
    layer_norm(rows(draw, trace, draw(st.integers(2, 5))), trace, eps=draw(st.sampled_from([0.0, 1e-5, 0.25])))


def run_block(draw, trace):
    d, hidden = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    x = rows(draw, trace, d)
    inner = Grids(grid(draw, d, d, 1), grid(draw, d, d, 1), grid(draw, d, d, 1))
    plain = Block(Attention((inner,), grid(draw, d, d, 1)), FeedForward(grid(draw, hidden, d, 1), grid(draw, d, hidden, 1)))
    block(x, trace.given_each("grid", plain), trace, mask(draw, len(x)), Recipe(eps=draw(st.sampled_from([0.0, 1e-5]))))


def run_tidy_block(draw, trace):  # like the book's own: rows such as [2, 1, 1, 0] and grids that only re-order
    x = trace.given("x", [draw(st.permutations([2, 1, 1, 0])) for _ in range(2)], words=NAMES[:2])
    inner = Grids(reorder(draw, 4), reorder(draw, 4), reorder(draw, 4))
    tidy = Block(Attention((inner,), reorder(draw, 4)), FeedForward(reorder(draw, 4), reorder(draw, 4)))
    block(x, trace.given_each("grid", tidy), trace)


def run_cross(draw, trace):
    x, memory = rows(draw, trace, 2), trace.given("memory", grid(draw, 2, 3), words=("elm", "fir"))
    plain = Grids(grid(draw, 2, 2, 1), grid(draw, 2, 3, 1), grid(draw, 2, 3, 2), grid(draw, 1, 2)[0], None, grid(draw, 1, 2)[0])
    cross_attention(x, memory, trace.given_each("grid", plain), trace)


def run_seats(draw, trace):
    x, d_k = rows(draw, trace, 2), draw(st.sampled_from([2, 4]))
    head = grids(draw, trace, "grid", 2, d_k, 2)
    seats = trace.given("seats", range(len(x)), words=NAMES[: len(x)])
    self_attention(x, head, trace, mask(draw, len(x)), positions=draw(st.sampled_from([Rotary(seats), Alibi(seats, 0.25)])))


def run_stamp(draw, trace):
    sine_cosine(trace.given("seats", grid(draw, 1, 2, 9)[0], words=NAMES[:2]), draw(st.sampled_from([2, 4])), trace)


def run_worker(draw, trace):
    plain = FeedForward(grid(draw, 3, 2), grid(draw, 2, 3), grid(draw, 1, 3)[0], grid(draw, 1, 2)[0])
    feed_forward(rows(draw, trace, 2), trace.given_each("grid", plain), trace, draw(st.sampled_from([relu, gelu])))


def run_post_block(draw, trace):
    inner = Grids(grid(draw, 3, 3, 1), grid(draw, 3, 3, 1), grid(draw, 3, 3, 1))
    norms = (Norm(grid(draw, 1, 3, 2)[0], grid(draw, 1, 3, 1)[0]), Norm(bias=grid(draw, 1, 3, 1)[0]))
    plain = Block(Attention((inner,), grid(draw, 3, 3, 1)), FeedForward(grid(draw, 2, 3, 1), grid(draw, 3, 2, 1)), norms)
    block(rows(draw, trace, 3), trace.given_each("grid", plain), trace, recipe=Recipe(norm_first=False, eps=1e-5))


RUNS = (
    run_cross,
    run_seats,
    run_stamp,
    run_worker,
    run_post_block,
    run_attention,
    run_heads,
    run_head,
    run_loss,
    run_layer_norm,
    run_block,
    run_tidy_block,
)
MACHINES = {f.__name__.removeprefix("run_"): f for f in RUNS}


@st.composite
def traces(draw, machine=None):
    """A finished trace of one machine. Draws that no page could show (a flat row, a power that overflows) are thrown away."""
    trace = Trace()
    try:
        MACHINES[machine or draw(st.sampled_from(sorted(MACHINES)))](draw, trace)
    except ValueError:  # a flat row, a chance of nothing
        assume(False)
    assume(all((np.abs(v.paper) < 1e9).all() or name.endswith("masked") for name, v in trace.names.items()))
    return trace
