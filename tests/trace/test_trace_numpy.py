"""Ordinary NumPy code traces as it is: NumPy's further functions are lowered to the operations of a trace."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from rows import ROWS, plain

from pencil.trace import Trace, TraceError, backward
from pencil.trace.array import TracedArray
from pencil.trace.lowering import LOWERED
from pencil.worked import Worked

# the same code on a plain array must give the same numbers; in the second part within the rounding of floats
TO_THE_LAST_BIT = {
    "np.var": np.var,
    "np.var of rows": lambda x: np.var(x, axis=-1, keepdims=True),
    "np.var of a sample": lambda x: np.var(x, -1, ddof=1),
    "np.std": lambda x: np.std(x, axis=-1),
    "np.min": np.min,
    "np.amin of rows": lambda x: np.amin(x, -1, keepdims=True),
    "np.clip": lambda x: np.clip(x, 0.5, 1.5),
    "np.clip from below": lambda x: np.clip(x, 0.5, None),
    "np.clip from above": lambda x: np.clip(x, a_min=None, a_max=1.5),
    "np.clip by names": lambda x: np.clip(x, min=0.5, max=1.5),
    "np.round": lambda x: np.round(x * 0.77),
    "np.around to a decimal": lambda x: np.around(x * 0.77, decimals=1),
    "np.round to tens": lambda x: np.round(x * 31, -1),
    "np.reciprocal": lambda x: np.reciprocal(x + 1),
    "np.outer": lambda x: np.outer(x[0], x[1]),
    "np.sort": lambda x: np.sort(x, axis=0),
    "np.sort of all": lambda x: np.sort(x, None),
    "np.take": lambda x: np.take(x, [1, 0, 3], axis=1),
    "np.take of all": lambda x: np.take(x, [[7, 0], [1, 1]]),
    "np.diff": np.diff,
    "np.diff down": lambda x: np.diff(x, axis=0),
    "np.sign": lambda x: np.sign(x - 1),
    "np.tril": lambda x: np.tril(x, 1),
    "np.triu": lambda x: np.triu(x, k=-1),
    "np.triu of a row": lambda x: np.triu(x[:, :2]),
    "+x": lambda x: +x,
    "x.var": lambda x: x.var(-1),
    "x.std": lambda x: x.std(axis=1, keepdims=True),
    "x.min": lambda x: x.min(0),
    "x.clip": lambda x: x.clip(1, 2),
    "x.round": lambda x: (x * 0.77).round(1),
    "x.argsort": lambda x: x.argsort(-1, kind="stable"),
    "x.repeat": lambda x: x.repeat(2, axis=0),
    "x.take": lambda x: x.take([0, 0], axis=0),
    "x.astype": lambda x: (x > 0).astype(float) * x.astype(x.dtype),
}
WITHIN_ROUNDING = {
    "np.prod": lambda x: np.prod(x + 1),
    "np.prod of rows": lambda x: np.prod(x + 1, axis=-1),
    "np.log2": lambda x: np.log2(x + 1),
    "np.log10": lambda x: np.log10(x + 1),
    "np.linalg.norm": np.linalg.norm,
    "np.linalg.norm of rows": lambda x: np.linalg.norm(x, axis=-1, keepdims=True),
    "np.linalg.norm of a row": lambda x: np.linalg.norm(x[0], 2),
    "np.dot": lambda x: np.dot(x, plain.T),
    "np.dot of plain first": lambda x: np.dot(plain, x.T),
    "np.dot of rows": lambda x: np.dot(x[0], x[1]),
    "np.dot by a number": lambda x: np.dot(x, 3),
    "x.dot": lambda x: x.dot(x.T),
    "np.inner": lambda x: np.inner(plain, x),
    "np.inner by a row": lambda x: np.inner(x, x[1]),
    "np.einsum, a product": lambda x: np.einsum("ij,kj->ik", x, plain),
    "np.einsum of heads": lambda x: np.einsum("hqd, hkd -> hqk", x.reshape(2, 2, 2), x.reshape(2, 2, 2)),
    "np.einsum without an arrow": lambda x: np.einsum("ij,jk", x, x.T),
    "np.einsum to a number": lambda x: np.einsum("ij,ij->", x, plain),
    "np.einsum of three": lambda x: np.einsum("ij,jk,k->i", x, x.T, x[:, 0]),
    "np.einsum that transposes": lambda x: np.einsum("ij->ji", x),
}
LOGARITHMS = [WITHIN_ROUNDING["np.log2"], WITHIN_ROUNDING["np.log10"]]
STEPPED = [TO_THE_LAST_BIT["np.sign"], TO_THE_LAST_BIT["x.argsort"]]  # they have no slope
CASES = TO_THE_LAST_BIT | WITHIN_ROUNDING
FLOATS = arrays(float, (2, 4), elements=st.floats(-50, 50).filter(lambda x: x == 0 or abs(x) > 1e-3))


def test_every_lowering_has_a_case(monkeypatch):
    met = set()
    for function, own in list(LOWERED.items()):
        monkeypatch.setitem(LOWERED, function, lambda *a, _f=function, _own=own, **k: met.add(_f) or _own(*a, **k))
    for step in CASES.values():
        step(Trace().given("x", ROWS))
    assert met == set(LOWERED)


@pytest.mark.parametrize("step", CASES.values(), ids=CASES)
@settings(max_examples=8, deadline=None)
@given(numbers=FLOATS)
def test_what_is_lowered_equals_numpy(step, numbers):
    numbers = np.abs(numbers) if step in LOGARITHMS else numbers
    with np.errstate(all="ignore"):
        out, wanted = step(Trace().given("x", numbers)), step(numbers)
    assert isinstance(out, TracedArray) and out.shape == np.shape(wanted)
    if step in TO_THE_LAST_BIT.values():
        assert np.array_equal(out.exact, wanted, equal_nan=True) and np.array_equal(out.paper, wanted, equal_nan=True)
    else:
        assert np.allclose(out.exact, wanted, rtol=1e-12, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("step", CASES.values(), ids=CASES)
def test_what_is_lowered_has_a_line_a_slope_and_a_program(step):
    trace, numbers = Trace(), np.array(ROWS) + 0.25
    out = trace("out", step(trace.given("x", numbers)))
    first = "out" + (f"[{', '.join('0' * out.ndim)}]" if out.ndim else "")
    assert re.fullmatch(r"(out|x).* = .*\d", Worked(trace).text(first))
    again = Trace.load(json.loads(json.dumps(trace.program())), {"x": numbers[::-1] * 1.5})
    assert np.allclose(again.names["out"].exact, step(numbers[::-1] * 1.5), rtol=1e-12)
    assert ("x" in backward(trace("total", out.sum()))) == (step not in STEPPED)


def test_lines_of_what_is_lowered():
    trace = Trace()
    x = trace.given("x", [2, 0, 4])
    for name, value in {"least": np.min(x), "kept": np.clip(x, 1, 3), "bits": np.log2(x[0]), "product": np.prod(x), "variance": x[:2].var()}.items():
        trace(name, value)
    assert [Worked(trace).text(reference) for reference in ("least", "kept[2]", "bits", "product", "variance")] == [
        "least = −max(−2, 0, −4) = 0",
        "kept number 3 = min(max(4, 1), 3) = 3",
        "bits = ln(2) / ln(2) = 1",
        "product = 2·0·4 = 0",
        "variance = ((2 − (2 + 0) / 2)·(2 − (2 + 0) / 2) + (0 − (2 + 0) / 2)·(0 − (2 + 0) / 2)) / 2 = 1",
    ]


# ---- a GPT as others write it


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def softmax(x):
    shifted = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return shifted / np.sum(shifted, axis=-1, keepdims=True)


def layer_norm(x, scale, shift, eps=1e-5):
    mean, variance = np.mean(x, axis=-1, keepdims=True), np.var(x, axis=-1, keepdims=True)
    return scale * (x - mean) / np.sqrt(variance + eps) + shift


def linear(x, w, b):
    return x @ w + b


def ffn(x, up, down):
    return linear(gelu(linear(x, *up)), *down)


def mha(x, qkv, out, n_heads):
    heads = [np.split(part, n_heads, axis=-1) for part in np.split(linear(x, *qkv), 3, axis=-1)]
    mask = (1 - np.tri(x.shape[0], dtype=x.dtype)) * -1e10
    mixed = [softmax(q @ k.T / np.sqrt(q.shape[-1]) + mask) @ v for q, k, v in zip(*heads, strict=True)]
    return linear(np.hstack(mixed), *out)


def gpt(w, note, ids, n_heads=2):
    x = note("embedding", w["wte"][ids] + w["wpe"][range(len(ids))])
    attended = mha(layer_norm(x, w["g1"], w["b1"]), (w["qkv"], w["qkv_b"]), (w["out"], w["out_b"]), n_heads)
    x = note("residual", x + attended)
    x = note("hidden", x + ffn(layer_norm(x, w["g2"], w["b2"]), (w["up"], w["up_b"]), (w["down"], w["down_b"])))
    return note("logits", layer_norm(x, w["g3"], w["b3"]) @ w["wte"].T)


def test_a_gpt_as_others_write_it_traces_unchanged():
    shapes = {"wte": (7, 4), "wpe": (5, 4), "qkv": (4, 12), "qkv_b": (12,), "out": (4, 4), "out_b": (4,)}
    shapes |= {"up": (4, 16), "up_b": (16,), "down": (16, 4), "down_b": (4,), **{f"{kind}{k}": (4,) for kind in "gb" for k in (1, 2, 3)}}
    rng, ids = np.random.default_rng(0), [3, 1, 6]
    weights = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    seen, trace = {}, Trace()
    wanted = gpt(weights, seen.setdefault, ids)
    out = gpt({name: trace.given(name, value) for name, value in weights.items()}, trace, ids)
    assert np.allclose(out.exact, wanted, rtol=1e-13)
    assert all(np.allclose(trace.names[name].exact, value, rtol=1e-13) for name, value in seen.items())
    again = Trace.load(trace.program(), {"wte": weights["wte"] * 2})
    assert np.allclose(again.names["logits"].exact, gpt(weights | {"wte": weights["wte"] * 2}, lambda name, x: x, ids), rtol=1e-12)


# ---- what is written first, and its remedy


def added_up(x):
    out = np.zeros(2)
    for i in range(2):
        out[i] += x[i, 0] * plain[i, 0]


def row_by_row(x):
    out = np.zeros((2, 4))
    for i in range(2):
        out[i] = x[i] * 2


def in_torch(x):
    import torch

    return torch.tensor(x)


WRITTEN_FIRST = {
    "numbers that a loop adds up": (added_up, "np.stack([...])"),
    "rows that a loop makes": (row_by_row, "np.stack([...])"),
    "a list of rows": (lambda x: np.array([row * 2 for row in x]), "np.stack([...])"),
    "a list of numbers": (lambda x: np.array([x[0, 0], x[0, 1]]), "np.stack([...])"),
    "a function of a list": (lambda x: np.exp([x[0, 0], x[0, 1]]), "np.stack([...])"),
    "digits": (lambda x: f"{x[0]:.2f}", "write {x}"),
    "torch": (in_torch, "torch.tensor(x.exact)"),
    "torch, of a number": (lambda x: in_torch(x[0, 0]), "torch.tensor(x.exact)"),
    "a picture": (lambda x: np.asarray(x), "x.exact"),
}


@pytest.mark.parametrize("step, remedy", WRITTEN_FIRST.values(), ids=WRITTEN_FIRST)
def test_what_is_written_first_is_answered_with_its_remedy(x, step, remedy):
    with pytest.raises(TraceError, match=re.escape(remedy)):
        step(x)


def test_a_traced_value_prints_its_numbers(capsys):
    trace = Trace()
    x = trace.given("x", [[2, 1.23456], [54.598, -0.5]])
    print(x, x[0, 1], x > 1, f"{x[0]}")
    assert capsys.readouterr().out == "[[2.000 1.235]\n [54.60 −0.500]] 1.235 [[ True  True]\n [ True False]] [2.000 1.235]\n"
    assert repr(x) == "<x (2, 2)>"
