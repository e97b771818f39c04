"""Hyper-connections: Sinkhorn's steps in fractions, against plain loops, and the torch twin value by value."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch

from pencil.model import FeedForward, HyperConnection, verify
from pencil.reference import BlockConfig, FeedForwardParams, HyperConnectionParams, feed_forward, hyper_connection, mix_streams, sinkhorn
from pencil.trace import Trace

RNG = np.random.default_rng(0)


def draw(*shape):
    return RNG.normal(size=shape)


def params_of(n, d):
    sizes = n, n, n * n
    return HyperConnectionParams(*(draw(rows, n * d) for rows in sizes), *(draw(rows) for rows in sizes))


def test_two_iterations_in_fractions():
    trace = Trace()
    sinkhorn(trace.given("matrix", [[3, 1], [1, 1]]), iterations=2, note=trace)
    found = {name: [[trace.names[name].exact[i, j] for j in (0, 1)] for i in (0, 1)] for name in ("rows1", "columns1", "rows2", "columns2")}
    f = Fraction
    wanted = {
        "rows1": [[f(3, 4), f(1, 4)], [f(1, 2), f(1, 2)]],
        "columns1": [[f(3, 5), f(1, 3)], [f(2, 5), f(2, 3)]],
        "rows2": [[f(9, 14), f(5, 14)], [f(3, 8), f(5, 8)]],
        "columns2": [[f(12, 19), f(4, 11)], [f(7, 19), f(7, 11)]],
    }
    for name, rows in wanted.items():
        np.testing.assert_allclose(np.array(found[name], float), np.array(rows, float), rtol=1e-14)


def test_many_iterations_make_rows_and_columns_add_up_to_one():
    matrix = sinkhorn(np.exp(draw(3, 4, 4)), iterations=200)
    np.testing.assert_allclose(matrix.sum(-1), 1, rtol=1e-9)
    np.testing.assert_allclose(matrix.sum(-2), 1, rtol=1e-12)


def test_the_sum_of_the_streams_stays_under_a_doubly_stochastic_mixing():
    streams, mixing = draw(5, 4, 3), sinkhorn(np.exp(draw(5, 4, 4)), iterations=200)
    none = np.zeros((5, 4))
    out = mix_streams(streams, lambda row: row, read=none, write=none, mixing=mixing)
    np.testing.assert_allclose(out.sum(-2), streams.sum(-2), atol=1e-8)


def test_against_loops():
    streams, params = draw(3, 2, 4), params_of(2, 4)
    out = hyper_connection(streams, params, np.tanh, iterations=3, eps=1e-6)
    for t, token in enumerate(streams):
        flat = np.concatenate(list(token)) / np.sqrt(np.mean(np.concatenate(list(token)) ** 2) + 1e-6)
        read = 1 / (1 + np.exp(-(params.read @ flat + params.read_bias)))
        write = 2 / (1 + np.exp(-(params.write @ flat + params.write_bias)))
        mixing = np.exp(params.mixing @ flat + params.mixing_bias).reshape(2, 2)
        for _ in range(3):
            mixing = np.array([row / row.sum() for row in mixing])
            mixing = np.array([column / column.sum() for column in mixing.T]).T
        made = np.tanh(read[0] * token[0] + read[1] * token[1])
        for k in (0, 1):
            wanted = mixing[0, k] * token[0] + mixing[1, k] * token[1] + write[k] * made
            np.testing.assert_allclose(out[t, k], wanted, rtol=1e-12)


@pytest.mark.parametrize("n, d", [(1, 3), (2, 4), (4, 3)])
def test_the_torch_twin_has_the_same_values(n, d):
    inner, params, trace = FeedForwardParams(draw(5, d), draw(d, 5)), params_of(n, d), Trace()
    hyper_connection(trace.given("streams", draw(3, n, d)), params, lambda row: feed_forward(row, inner), iterations=2, note=trace)
    agreement = verify(trace, HyperConnection.from_params(params, BlockConfig(sinkhorn_iterations=2), sublayer=FeedForward.from_params(inner)))
    assert {"collapsed", "mixed", "written", "new_streams", "mixing.columns2", "read.prob"} <= {*agreement.names}


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="not above zero"):
        sinkhorn(np.eye(2))
    with pytest.raises(ValueError, match="iterations"):
        sinkhorn(np.ones((2, 2)), iterations=0)
    with pytest.raises(ValueError, match="2 streams of 3 numbers"):
        hyper_connection(draw(2, 3), params_of(2, 4), np.tanh)
    with pytest.raises(ValueError, match="there are 2"):
        HyperConnection.from_params(params_of(2, 4), sublayer=torch.nn.Identity())(torch.zeros(3, 4))


def test_large_logits_of_the_mixing_overflow_nothing_and_mix_as_in_the_model():
    params = replace(params_of(2, 4), mixing_bias=np.array([0.0, 720.0, 719.0, 0.0]))
    streams = draw(3, 2, 4)
    torch.set_default_dtype(torch.double)
    try:
        module = HyperConnection.from_params(params, sublayer=torch.tanh)
    finally:
        torch.set_default_dtype(torch.float)
    with torch.no_grad():
        found = module(torch.tensor(streams)).numpy()
    np.testing.assert_allclose(hyper_connection(streams, params, np.tanh), found, atol=1e-12)


@pytest.mark.parametrize(("name", "rows"), [("write", 1), ("mixing", 3), ("mixing", 2)])
def test_projections_of_other_streams_are_refused_by_both(name, rows):
    params = replace(params_of(2, 4), **{name: draw(rows, 8), f"{name}_bias": draw(rows)})
    with pytest.raises(ValueError, match=name):
        hyper_connection(draw(3, 2, 4), params, np.tanh)
    with pytest.raises(ValueError, match=rf"{name} is \({rows}, 8\); 2 streams"):
        HyperConnection(params, sublayer=torch.tanh)
