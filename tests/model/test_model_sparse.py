"""Sparse attention: the masks, the indexer and the entries against loops, in NumPy and in torch."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from model_draws import close

from pencil import model, reference
from pencil.model.verification import UNNAMED
from pencil.trace import Trace

SIZES = st.tuples(st.integers(1, 3), st.integers(1, 7), st.integers(1, 7), st.integers(1, 4))


def in_both(name, *arrays, **how):
    """The function of the reference and of the model."""
    yield getattr(reference, name)(*arrays, **how)
    yield getattr(model, name)(*(None if array is None else torch.tensor(array) for array in arrays), **how)


@given(st.integers(0, 10**6), SIZES, st.sampled_from([(), (2,), (2, 3)]))
def test_an_index_score_is_the_weighted_sum_of_what_relu_leaves(seed, sizes, batch):
    rng, (heads, n_queries, n_keys, width) = np.random.default_rng(seed), sizes
    query, key = rng.normal(size=(*batch, heads, n_queries, width)), rng.normal(size=(*batch, n_keys, width))
    weights = rng.normal(size=(*batch, n_queries, heads))
    wanted = np.einsum("...ht,...hts->...ts", np.moveaxis(weights, -1, -2), np.maximum(np.einsum("...htd,...sd->...hts", query, key), 0))
    for found in in_both("index_scores", query, key, weights):
        close(found, wanted)


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 8), st.booleans())
def test_the_best_k_of_those_allowed_and_of_equal_ones_the_first(seed, k, length, masked):
    rng = np.random.default_rng(seed)
    scores, mask = rng.integers(-2, 3, (2, length, length)).astype(float), rng.random((length, length)) < 0.6 if masked else None
    for found in in_both("top_k_mask", scores, mask, k=k):
        for n, t in np.ndindex(2, length):
            allowed = [s for s in range(length) if mask is None or mask[t, s]]
            best = sorted(allowed, key=lambda s: (-scores[n, t, s], s))[:k]
            assert np.flatnonzero(np.asarray(found)[n, t]).tolist() == sorted(best)


@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(1, 4), st.integers(1, 4), st.integers(0, 8))
def test_the_blocks_of_the_best_means_and_always_the_own(seed, length, block_size, k, left_out):
    rng = np.random.default_rng(seed)
    query, key = rng.normal(size=(2, length, 3)), rng.normal(size=(2, length, 3))
    first = min(left_out, length - 1)
    found = reference.block_mask(query[:, first:], key, block_size=block_size, k=k)
    for n in range(2):
        for t in range(first, length):
            own = t // block_size
            score = {b: query[n, t] @ key[n, b * block_size : (b + 1) * block_size].mean(0) for b in range(own)}
            blocks = {own, *sorted(score, key=score.get, reverse=True)[: k - 1]}
            assert np.flatnonzero(found[n, t - first]).tolist() == [s for s in range(t + 1) if s // block_size in blocks]


@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(1, 4), st.booleans())
def test_an_entry_is_the_mean_of_its_tokens_weighted_by_their_gates(seed, length, rate, gated):
    rng = np.random.default_rng(seed)
    x, gates = rng.normal(size=(2, length, 3)), rng.normal(size=(2, length, 3)) if gated else None
    if length < rate:
        for package, array in ((reference, x), (model, torch.tensor(x))):
            with pytest.raises(ValueError, match=f"{length} tokens at a rate of {rate} fill no entry"):
                package.compress(array, rate=rate)
        return
    shares = np.exp(gates) if gated else np.ones_like(x)
    groups = [slice(start, start + rate) for start in range(0, length - rate + 1, rate)]
    wanted = np.stack([(shares[:, group] * x[:, group]).sum(1) / shares[:, group].sum(1) for group in groups], 1)
    for found in in_both("compress", x, gates, rate=rate):
        close(found, wanted)
    mask = reference.compressed_mask(length, rate=rate)
    assert mask.tolist() == [[(e + 1) * rate <= t + 1 for e in range(len(groups))] for t in range(length)]


def test_a_window_with_sinks():
    assert reference.sink_mask(6, window=2, sinks=1)[-1].tolist() == [True, False, False, False, True, True]
    for length, window, sinks in ((5, 2, 2), (3, 5, 1), (4, 1, 9)):
        seen = reference.sink_mask(length, window=window, sinks=sinks)
        assert seen.tolist() == [[s <= t and (t - s < window or s < sinks) for s in range(length)] for t in range(length)]


def test_attention_to_the_chosen_alone_is_that_under_the_mask():
    rng = np.random.default_rng(0)
    query, key, value = rng.normal(size=(3, 7, 4))
    mask = reference.top_k_mask(query @ key.T, k=3)
    context = reference.attention(query, key, value, mask=mask)
    for t in range(7):
        close(reference.attention(query[t : t + 1], key[mask[t]], value[mask[t]])[0], context[t])
    close(reference.attention(query, key, value, mask=reference.top_k_mask(query @ key.T, k=7)), reference.attention(query, key, value))


def test_all_k_keep_every_block_and_every_value_is_named():
    trace, rng = Trace(), np.random.default_rng(1)
    key = trace.given("key", rng.normal(size=(5, 2)))
    causal = reference.attention(key, key, key, mask=reference.causal_mask(5))
    chosen = reference.block_mask(key, key, block_size=2, k=3, note=trace)
    close(reference.attention(key, key, key, mask=chosen).exact, causal.exact)
    arrays = trace.given("query", rng.normal(size=(2, 1, 2))), key, trace.given("weights", [[1, -0.5]])
    reference.index_scores(*arrays, note=trace)
    named = {}
    model.index_scores(*(torch.tensor(array.exact) for array in arrays), note=named.setdefault)
    for name, value in named.items():
        close(value, trace.find(name).exact)
    assert {"head2.kept", "index_scores"} <= set(named)


def test_the_entries_and_the_shares_of_each_are_named_alike():
    rng, trace, named = np.random.default_rng(2), Trace(), {}
    x, gates = (trace.given(name, rng.normal(size=(5, 3))) for name in ("x", "gates"))
    reference.compress(x, gates, rate=2, note=trace)
    model.compress(*(torch.tensor(each.exact) for each in (x, gates)), rate=2, note=named.setdefault)
    computed = {name for name in trace.names if name.rpartition(".")[-1] not in {*UNNAMED, "x", "gates"}}
    assert computed == set(named) == {"entry1.weights", "entry2.weights", "entries"}
    for name, value in named.items():
        close(value, trace.find(name).exact, name=name)


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda x: reference.top_k_mask(x, k=0), "k"),
        (lambda x: model.top_k_mask(torch.tensor(x), k=0), "k"),
        (lambda x: reference.block_mask(x, x, block_size=0, k=1), "block_size"),
        (lambda x: reference.block_mask(x, x, block_size=1, k=0), "k"),
        (lambda x: reference.block_mask(x, x[:2], block_size=1, k=1), "3 queries and 2 keys"),
        (lambda x: reference.sink_mask(3, window=1, sinks=0), "sinks"),
        (lambda x: reference.compressed_mask(3, rate=4), "fill no entry"),
        (lambda x: reference.index_scores(x[None], x, x), "index_scores"),
        (lambda x: model.index_scores(*map(torch.tensor, (x[None], x, x))), "1 heads and 3 weights"),
    ],
)
def test_what_fits_nowhere_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call(np.eye(3))
