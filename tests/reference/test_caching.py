"""Attention with a KV cache agrees with full attention exactly; paged and ring caches against loops; sizes of real models."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pencil.examples import CACHE_HEAD, CACHE_ROWS, CACHE_WORDS
from pencil.reference import (
    Alibi,
    QKVParams,
    Rotary,
    attention,
    cached_attention,
    causal_mask,
    kv_bytes,
    linear,
    page_slots,
    ring_slots,
    self_attention,
    write_slots,
)
from pencil.trace import Trace, same, scoped


def in_steps(lengths, trace, params=CACHE_HEAD, x=CACHE_ROWS, **options):
    given_params, past, rows, start = trace.given_each("params", params), None, [], 0
    for number, length in enumerate(lengths):
        part = trace.given(f"step{number}.x", x[start : start + length])
        row, past = cached_attention(part, given_params, past=past, note=scoped(trace, f"step{number}"), **options)
        rows.append(row)
        start += length
    trace("context", np.concatenate(rows)), trace("kept_keys", past.key + 0), trace("kept_values", past.value + 0)
    return trace


def at_once(trace, x=CACHE_ROWS, window=None):
    self_attention(trace.given("x", x), trace.given_each("params", CACHE_HEAD), mask=causal_mask(len(x), window=window), note=trace)
    return trace


@pytest.mark.parametrize("lengths", [[1] * 6, [3, 1, 1, 1], [2, 3, 1], [6]], ids=str)
@pytest.mark.parametrize("window", [None, 1, 3, 6])
def test_word_by_word_is_as_at_once_in_fractions_and_on_paper(lengths, window):
    cached, whole = in_steps(lengths, Trace(), window=window), at_once(Trace(), window=window)
    assert same(cached, whole, {"context": "context", "kept_keys": "key", "kept_values": "value"})
    assert np.array_equal(cached.names["context"].paper, whole.names["context"].paper)


def test_the_rows_are_those_worked_with_a_pencil():
    rows = at_once(Trace()).fractions()["context"]
    assert rows[3].tolist() == [Fraction(2 * 3 + 2 * 6 + 3, 9), Fraction(2 * 3 + 4 * 6 + 3, 9)]
    assert rows[4].tolist() == [Fraction(66, 19), Fraction(60, 19)]
    assert len(CACHE_WORDS) == len(rows) == 6


@pytest.mark.parametrize("encoding", [Rotary(), Alibi(slope=0.5), Rotary(np.arange(5) * 2.0), Alibi(np.arange(5) * 2.0)], ids=repr)
@pytest.mark.parametrize("lengths", [(3, 2), (1, 1, 1, 1, 1), (5,)])
def test_a_new_token_has_its_own_position(encoding, lengths):
    rng = np.random.default_rng(0)
    params, x = QKVParams(*(rng.normal(size=(4, 4)) for _ in range(3))), rng.normal(size=(2, 5, 4))
    noted, rows, past = {}, [], None
    wanted = self_attention(x, params, mask=causal_mask(5), position_encoding=encoding, note=noted.setdefault)
    for end, length in zip(np.cumsum(lengths), lengths, strict=True):
        given = None if encoding.positions is None else encoding.positions[:end]
        row, past = cached_attention(x[:, end - length : end], params, past=past, position_encoding=replace(encoding, positions=given))
        rows.append(row)
    np.testing.assert_allclose(np.concatenate(rows, 1), wanted, atol=1e-12)
    np.testing.assert_allclose(past.key, noted.get("key.rotated", noted["key"]), atol=1e-12)


def test_position_four_lies_in_the_third_logical_block_and_in_block_five():
    assert page_slots([4], [3, 0, 5], block_size=2).tolist() == [5 * 2]
    assert page_slots(range(6), [3, 0, 5], block_size=2).tolist() == [6, 7, 0, 1, 10, 11]


@given(st.data(), st.integers(1, 5), st.integers(1, 20))
def test_shuffled_pages_give_the_same_bits(data, block_size, length):
    used = -(-length // block_size)
    table = data.draw(st.permutations(range(used + 2)))[:used]
    slots = page_slots(range(length), table, block_size=block_size)
    assert [divmod(slot, block_size) for slot in slots.tolist()] == [(table[p // block_size], p % block_size) for p in range(length)]
    rows = np.random.default_rng(length).normal(size=(length, 3))
    store = write_slots(rows, slots, n_slots=(used + 2) * block_size)
    assert store[slots].tobytes() == rows.tobytes()
    assert 0 <= used * block_size - length <= block_size - 1  # what is left over in the last block


@given(st.integers(1, 6), st.integers(1, 20))
def test_a_ring_holds_the_last_words(window, length):
    slots = ring_slots(range(length), window=window)
    held = write_slots(np.arange(1.0, length + 1)[:, None], slots, n_slots=window)[:, 0]  # row p + 1 for position p, 0 for an empty slot
    assert sorted(held[held > 0] - 1) == list(range(max(0, length - window), length))
    assert slots.tolist() == [p % window for p in range(length)]


@pytest.mark.parametrize("length", [1, 2, 4, 5, 6])
def test_a_word_that_asks_a_ring_is_as_through_the_window(length):
    whole, ring = at_once(Trace(), CACHE_ROWS[:length], window=3), Trace()
    key, value = (whole.names[name].exact for name in ("key", "value"))
    slots, kept = ring_slots(range(length), window=3), min(length, 3)
    stores = [ring.given(f"{name}_ring", write_slots(rows, slots, n_slots=3)[:kept]) for name, rows in (("key", key), ("value", value))]
    params = ring.given_each("params", CACHE_HEAD)
    ring("row", attention(linear(ring.given("x", CACHE_ROWS[length - 1 : length]), params.query), *stores, note=ring)[0])
    whole("row", whole.names["context"][length - 1])
    assert same(ring, whole, {"row": "row"})


def test_real_caches_are_as_large_as_their_papers_say():
    assert kv_bytes(1, n_layers=40, n_kv_heads=40, d_k=128) == 819_200  # OPT 13B: 800 KB a token (Kwon et al. 2023, 3)
    assert kv_bytes(2048, n_layers=40, n_kv_heads=40, d_k=128) / 2**30 == pytest.approx(1.6, abs=0.05)  # "as much as 1.6 GB"
    assert kv_bytes(2**17, n_layers=32, n_kv_heads=8, d_k=128) == 2**34  # Llama 3.1 8B at its full length
    assert kv_bytes(3, n_layers=1, n_kv_heads=1, d_k=4, d_v=2, bytes_per_number=1) == 18


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: page_slots([6], [3, 0, 5], block_size=2), r"positions \[6\] in a table of 3 blocks of 2, which hold 0 to 5; add a block"),
        (lambda: page_slots([-1], [3], block_size=2), r"positions \[-1\]"),
        (lambda: page_slots([0], [3], block_size=0), "block_size=0 holds no token"),
        (lambda: ring_slots([0], window=0), "window=0 leaves no slot"),
        (lambda: ring_slots([-1], window=3), "they count from 0"),
        (lambda: write_slots(np.ones((1, 2)), [4], n_slots=4), r"slots \[4\] in a store of 4, which has 0 to 3"),
        (lambda: cached_attention(np.ones((1, 3)), CACHE_HEAD), "cached_attention|qkv"),
    ],
)
def test_what_does_not_fit_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()
