"""Helpers for gated networks: a gate's preactivation with loops, and the comparison of named values."""

import math

import numpy as np


def rows(words, d=3, seed=1):
    return np.random.default_rng(seed).normal(size=(words, d))


def looped_preactivation(x, hidden, params, out, scope):
    width = len(params.weight_ih)
    from_input = [
        math.fsum(w * v for w, v in zip(params.weight_ih[i], x, strict=True)) + (params.bias[i] if params.bias else 0.0) for i in range(width)
    ]
    out[f"{scope}.from_input"] = z = from_input
    if hidden is not None:
        from_hidden = out[f"{scope}.from_hidden"] = [math.fsum(w * v for w, v in zip(params.weight_hh[i], hidden, strict=True)) for i in range(width)]
        z = [a + b for a, b in zip(from_input, from_hidden, strict=True)]
    out[f"{scope}.preactivation"] = z
    return z


def assert_same(noted, expected):
    assert set(noted) == set(expected)
    for name, value in expected.items():
        np.testing.assert_allclose(noted[name], value, rtol=1e-12, atol=1e-14, err_msg=name)
