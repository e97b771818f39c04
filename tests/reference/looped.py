"""What the comparisons with lists and loops share: the sum inside a gate, and how named values are compared."""

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


def assert_same(noted, expected, rtol=1e-12, atol=1e-14):
    """The same names, and values that differ only in the order of their sums."""
    assert set(noted) == set(expected)
    for name, value in expected.items():
        assert np.shape(noted[name]) == np.shape(value), name
        np.testing.assert_allclose(noted[name], value, rtol=rtol, atol=atol, err_msg=name)


def plainly(array):
    """The array as lists; None stays None."""
    return None if array is None else array.tolist()
