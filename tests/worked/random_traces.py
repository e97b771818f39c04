"""Random small models on short numbers, for testing worked lines."""

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from pencil.reference import (  # fmt: skip
    Alibi,
    AttentionParams,
    BlockConfig,
    BlockParams,
    FeedForwardParams,
    LayerNormParams,
    MLPParams,
    QKVParams,
    Rotary,
    binary_cross_entropy,
    block,
    cross_attention,
    feed_forward,
    gelu,
    layer_norm,
    mean_pool,
    mlp_head,
    multi_head_attention,
    relu,
    self_attention,
    sinusoidal,
    stable_softmax,
)
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


def params(draw, trace, scope, width, d_k, d_v):
    plain = QKVParams(grid(draw, d_k, width, 1), grid(draw, d_k, width, 1), grid(draw, d_v, width, 2))
    return trace.given_each(scope, plain)


def reorder(draw, d):
    return np.eye(d)[draw(st.permutations(range(d)))]


def mask(draw, count):
    return draw(st.sampled_from([None, np.tri(count, dtype=bool)]))


def run_attention(draw, trace):
    x = rows(draw, trace, draw(st.integers(1, 4)))
    head = params(draw, trace, "grid", x.shape[1], draw(st.integers(1, 4)), draw(st.integers(1, 3)))
    self_attention(x, head, note=trace, mask=mask(draw, len(x)), **draw(st.sampled_from([{}, SOFTMAX])))


def run_heads(draw, trace):
    x = rows(draw, trace, draw(st.integers(1, 3)))
    heads = tuple(params(draw, trace, f"grids{i}", x.shape[1], draw(st.integers(1, 2)), 2) for i in (1, 2))
    output = trace.given("output", grid(draw, x.shape[1], 4, 1))
    multi_head_attention(x, AttentionParams(heads, output), note=trace, mask=mask(draw, len(x)))
    mean_pool(trace.names["attn_out"], note=trace)


def run_head(draw, trace):
    summary = trace.given("pooled", grid(draw, 1, 3)[0])
    plain = MLPParams(grid(draw, 2, 3, 1), grid(draw, 1, 2, 1)[0], grid(draw, 1, 2, 1), grid(draw, 1, 1, 1)[0])
    answer = mlp_head(summary, trace.given_each("head", plain), note=trace)
    assume(0 < answer.exact < 1)
    binary_cross_entropy(answer, trace.given("target", [draw(st.integers(0, 1))]), note=trace)


def run_loss(draw, trace):
    truth = trace.given("target", draw(st.lists(st.integers(0, 1), min_size=2, max_size=2)), words=NAMES[:2])
    said = trace.given("said", [draw(st.integers(1, 99)) / 100 for _ in NAMES[:2]], words=NAMES[:2])
    binary_cross_entropy(said, truth, note=trace)


def run_layer_norm(draw, trace):
    layer_norm(rows(draw, trace, draw(st.integers(2, 5))), note=trace, eps=draw(st.sampled_from([0.0, 1e-5, 0.25])))


def run_block(draw, trace):
    d, hidden = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    x = rows(draw, trace, d)
    inner = QKVParams(grid(draw, d, d, 1), grid(draw, d, d, 1), grid(draw, d, d, 1))
    plain = BlockParams(AttentionParams((inner,), grid(draw, d, d, 1)), FeedForwardParams(grid(draw, hidden, d, 1), grid(draw, d, hidden, 1)))
    block(x, trace.given_each("params", plain), note=trace, mask=mask(draw, len(x)), config=BlockConfig(eps=draw(st.sampled_from([0.0, 1e-5]))))


def run_tidy_block(draw, trace):  # like the book's own: rows such as [2, 1, 1, 0] and grids that only re-order
    x = trace.given("x", [draw(st.permutations([2, 1, 1, 0])) for _ in range(2)], words=NAMES[:2])
    inner = QKVParams(reorder(draw, 4), reorder(draw, 4), reorder(draw, 4))
    tidy = BlockParams(AttentionParams((inner,), reorder(draw, 4)), FeedForwardParams(reorder(draw, 4), reorder(draw, 4)))
    block(x, trace.given_each("params", tidy), note=trace)


def run_cross(draw, trace):
    x, memory = rows(draw, trace, 2), trace.given("memory", grid(draw, 2, 3), words=("elm", "fir"))
    plain = QKVParams(grid(draw, 2, 2, 1), grid(draw, 2, 3, 1), grid(draw, 2, 3, 2), grid(draw, 1, 2)[0], None, grid(draw, 1, 2)[0])
    cross_attention(x, memory, trace.given_each("params", plain), note=trace)


def run_seats(draw, trace):
    x, d_k = rows(draw, trace, 2), draw(st.sampled_from([2, 4]))
    head = params(draw, trace, "grid", 2, d_k, 2)
    positions = trace.given("positions", range(len(x)), words=NAMES[: len(x)])
    self_attention(x, head, note=trace, mask=mask(draw, len(x)), position_encoding=draw(st.sampled_from([Rotary(positions), Alibi(positions, 0.25)])))


def run_stamp(draw, trace):
    sinusoidal(trace.given("positions", grid(draw, 1, 2, 9)[0], words=NAMES[:2]), width=draw(st.sampled_from([2, 4])), note=trace)


def run_worker(draw, trace):
    plain = FeedForwardParams(grid(draw, 3, 2), grid(draw, 2, 3), grid(draw, 1, 3)[0], grid(draw, 1, 2)[0])
    feed_forward(rows(draw, trace, 2), trace.given_each("params", plain), note=trace, activation=draw(st.sampled_from([relu, gelu])))


def run_post_block(draw, trace):
    inner = QKVParams(grid(draw, 3, 3, 1), grid(draw, 3, 3, 1), grid(draw, 3, 3, 1))
    norms = (LayerNormParams(grid(draw, 1, 3, 2)[0], grid(draw, 1, 3, 1)[0]), LayerNormParams(bias=grid(draw, 1, 3, 1)[0]))
    plain = BlockParams(AttentionParams((inner,), grid(draw, 3, 3, 1)), FeedForwardParams(grid(draw, 2, 3, 1), grid(draw, 3, 2, 1)), norms)
    block(rows(draw, trace, 3), trace.given_each("params", plain), note=trace, config=BlockConfig(norm_first=False, eps=1e-5))


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
def traces(draw, params=None):
    """A finished trace of one machine. Draws that no page could show (a flat row, a power that overflows) are thrown away."""
    trace = Trace()
    try:
        MACHINES[params or draw(st.sampled_from(sorted(MACHINES)))](draw, trace)
    except ValueError:  # a flat row, a chance of nothing
        assume(False)
    assume(all((np.abs(v.paper) < 1e9).all() or name.endswith("masked") for name, v in trace.names.items()))
    return trace
