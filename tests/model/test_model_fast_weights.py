"""Linear attention and the delta rule: the square, the state token by token and the chunks are equal, in NumPy, in torch, and in fractions."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from model_draws import close

from pencil import model, reference
from pencil.trace import Trace

SIZES = st.tuples(st.integers(1, 7), st.integers(1, 4), st.integers(1, 4))
FUNCTIONS = ("linear_attention", "recurrent_attention", "chunked_attention")


def drawn(seed, sizes, batch, beta, decay, state):  # -> arrays, {name: array}
    rng, (length, d_k, d_v) = np.random.default_rng(seed), sizes
    rows = [rng.normal(size=(*batch, length, width)) for width in (d_k, d_k, d_v)]
    gates = {"beta": rng.uniform(size=(*batch, length)) if beta else None, "decay": rng.uniform(size=(*batch, length)) if decay else None}
    return rows, gates | {"state": rng.normal(size=(*batch, d_k, d_v)) if state else None}


def in_torch(arrays):
    return {name: None if array is None else torch.tensor(array) for name, array in arrays.items()}


@given(st.integers(0, 10**6), SIZES, st.sampled_from([(), (2,), (2, 3)]), st.booleans(), st.booleans(), st.booleans(), st.integers(1, 8))
def test_token_by_token_and_in_chunks_of_any_size(seed, sizes, batch, beta, decay, state, chunk_size):
    rows, gates = drawn(seed, sizes, batch, beta, decay, state)
    context, last = reference.recurrent_attention(*rows, **gates)
    for package, tensors, made in ((reference, rows, gates), (model, [torch.tensor(row) for row in rows], in_torch(gates))):
        for found in (package.recurrent_attention(*tensors, **made), package.chunked_attention(*tensors, chunk_size=chunk_size, **made)):
            close(found[0], context)
            close(found[1], last)
        if not beta and not state:
            close(package.linear_attention(*tensors, decay=made["decay"]), context)


@given(st.integers(0, 10**6), SIZES, st.booleans(), st.integers(1, 3))
def test_a_text_may_be_cut_anywhere_and_goes_on_from_its_state(seed, sizes, beta, cut):
    rows, gates = drawn(seed, sizes, (), beta, True, False)
    whole, last = reference.recurrent_attention(*rows, **gates)
    front, back = (({name: None if gate is None else gate[part] for name, gate in gates.items()}) for part in (slice(cut), slice(cut, None)))
    first, state = reference.chunked_attention(*(row[:cut] for row in rows), chunk_size=2, **front)
    if len(rows[0]) > cut:
        second, state = reference.chunked_attention(*(row[cut:] for row in rows), chunk_size=2, **(back | {"state": state}))
        first = np.concatenate([first, second])
    close(first, whole)
    close(state, last)


@given(st.integers(0, 10**6), SIZES, st.booleans(), st.booleans(), st.integers(1, 4))
def test_every_named_value_in_torch(seed, sizes, beta, decay, chunk_size):
    rows, gates = drawn(seed, sizes, (), beta, decay, True)
    for name in FUNCTIONS:
        own = {"decay": gates["decay"]} if name == "linear_attention" else dict(gates)
        own |= {"chunk_size": chunk_size} if name == "chunked_attention" else {}
        ours, theirs = {}, {}
        getattr(reference, name)(*rows, **own, note=lambda key, value, kept=ours: kept.setdefault(key, value))
        tensors = {key: value if key == "chunk_size" else None if value is None else torch.tensor(value) for key, value in own.items()}
        getattr(model, name)(*[torch.tensor(row) for row in rows], **tensors, note=lambda key, value, kept=theirs: kept.setdefault(key, value))
        assert ours.keys() == theirs.keys()
        for key, value in ours.items():
            close(theirs[key], value, name=key)


def test_equal_in_fractions():
    query, key, value = [[1, 2], [0, 1], [1, 1], [2, 0]], [[1, 0], [1, 1], [0, 1], [1, 2]], [[2, 1], [0, 3], [4, 0], [1, 1]]
    beta, decay, found = [1, 0.5, 0.25, 0.5], [1, 0.5, 0.75, 0.5], {}
    for name in FUNCTIONS[1:]:
        trace = Trace()
        given_rows = [trace.given(label, rows) for label, rows in (("query", query), ("key", key), ("value", value))]
        gates = {"beta": trace.given("beta", beta), "decay": trace.given("decay", decay), "state": trace.given("state", [[1, 0], [0, 2]])}
        own = {"chunk_size": 2} if name == "chunked_attention" else {}
        trace("last", getattr(reference, name)(*given_rows, **gates, **own, note=trace)[1] * 1)
        read = trace.fractions()
        found[name] = [read.value(label) if hasattr(read, "value") else read[label] for label in ("context", "last")]
    for one, other in zip(*found.values(), strict=True):
        assert np.array_equal(one, other) and isinstance(np.ravel(one)[0], Fraction | int)


def test_the_delta_rule_replaces_what_a_key_finds_and_plain_writing_adds_to_it():
    key = np.array([[1.0, 0], [1, 0], [1, 0]])
    value = np.array([[2.0, 1], [5, 5], [0, 3]])
    plain, _ = reference.recurrent_attention(key, key, value)
    exact, state = reference.recurrent_attention(key, key, value, beta=np.ones(3))
    np.testing.assert_array_equal(plain, [[2, 1], [7, 6], [7, 9]])
    np.testing.assert_array_equal(exact, value)
    np.testing.assert_array_equal(state, [[0, 3], [0, 0]])


@pytest.mark.parametrize("package", [reference, model])
def test_what_does_not_fit_is_refused(package):
    rows = np.ones((3, 2)) if package is reference else torch.ones(3, 2)
    with pytest.raises(ValueError, match="chunk_size=0"):
        package.chunked_attention(rows, rows, rows, chunk_size=0)
    if package is model:
        for name in FUNCTIONS:
            own = {"chunk_size": 2} if name == "chunked_attention" else {}
            for wrong in ({"decay": torch.ones(2)}, {"decay": torch.ones(9)}):
                with pytest.raises(ValueError, match=r"3 queries, and decay is of \d tokens"):
                    getattr(model, name)(rows, rows, rows, **own, **wrong)
            with pytest.raises(ValueError, match="3 queries, and value is of 2 tokens"):
                getattr(model, name)(rows, rows, rows[:2], **own)
    if package is reference:
        with pytest.raises(ValueError, match="decay"):
            reference.linear_attention(rows, rows, rows, decay=np.ones(2))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_chunks_in_half_precision(dtype):
    rows, gates = drawn(0, (6, 4, 3), (2,), True, True, False)
    wanted = reference.chunked_attention(*rows, chunk_size=3, **gates)[0]
    halves = {name: None if gate is None else gate.to(dtype) for name, gate in in_torch(gates).items()}
    found = model.chunked_attention(*[torch.tensor(row).to(dtype) for row in rows], chunk_size=3, **halves)[0]
    assert found.dtype == dtype and np.abs(found.double().numpy() - wanted).max() < 0.05 * np.abs(wanted).max()
