"""Flash attention: equal to attention in fractions, to torch in floats, forward and backward; and its memory reads counted."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import attention, causal_mask, flash_attention, flash_attention_backward, stable_softmax, tiles
from pencil.trace import Trace, backward, check_replay, ln, same
from pencil.trace.logarithm import Log

POWERS, VALUES = [1, 3, 6, 2], [[4, 0], [0, 4], [2, 2], [6, 0]]
SIZES = [(1, 1, 1, 1), (4, 4, 2, 2), (5, 5, 3, 2), (3, 7, 2, 5), (7, 7, 4, 1)]  # queries, keys, d_k, d_v
TILES = [(1, 1), (2, 2), (3, 2), (2, 5), (9, 9)]
every_size = pytest.mark.parametrize("sizes", SIZES, ids=str)
every_tile = pytest.mark.parametrize("block_size", TILES, ids=str)
either_way = pytest.mark.parametrize("causal", [False, True])


def drawn(sizes, *batch):
    queries, keys, d_k, d_v = sizes
    rng = np.random.default_rng([*sizes, *batch])
    return [3 * rng.normal(size=(*batch, *shape)) for shape in ((queries, d_k), (keys, d_k), (keys, d_v))]


def sees(queries, keys, causal):
    return causal_mask(keys)[keys - queries :] if causal else np.ones((queries, keys), bool)


def traced(run, arrays, **options):
    trace = Trace()
    run(*(trace.given(name, array) for name, array in zip(("query", "key", "value"), arrays, strict=True)), note=trace, **options)
    return trace


# ---- by pencil


def test_the_running_softmax_by_pencil():
    trace = traced(flash_attention, ([[1]], ln(np.reshape(POWERS, (4, 1))), VALUES), block_size=(1, 2))
    reading, names = trace.fractions(), ("1.running_max", "1.running_sum", "1.acc", "2.rescale", "2.running_sum", "2.acc")
    assert {name: reading[f"tile{name}"].ravel().tolist() for name in names} == {
        "1.running_max": [Log(3)], "1.running_sum": [Fraction(4, 3)], "1.acc": [Fraction(4, 3), 4],
        "2.rescale": [Fraction(1, 2)], "2.running_sum": [2], "2.acc": [Fraction(14, 3), 4],
    }  # fmt: skip
    assert reading["context"].tolist() == [[Fraction(7, 3), 2]] and reading["logsumexp"].item() == Log(12)
    assert check_replay(lambda given, note: flash_attention(*given.values(), block_size=(1, 2), note=note), trace)


@given(st.data(), st.integers(1, 4), st.integers(1, 3), st.integers(1, 3), st.booleans())
def test_in_fractions_the_tiles_give_what_the_square_gives(data, words, rows, columns, causal):
    whole = st.integers(-3, 3)
    powers = data.draw(st.lists(st.builds(Fraction, st.integers(1, 9), st.integers(1, 9)), min_size=words, max_size=words))
    query, value = ([[data.draw(whole) for _ in range(width)] for _ in range(words)] for width in (1, 2))
    arrays = query, ln(np.reshape(powers, (words, 1))), value
    options = {"mask": causal_mask(words)} if causal else {}
    square = traced(attention, arrays, softmax=stable_softmax, **options)
    assert same(square, traced(flash_attention, arrays, block_size=(rows, columns), causal=causal), {"context": "context"})


def test_the_slopes_of_two_words_by_pencil():
    arrays = [[1]], ln([[1], [3]]), [[4, 0], [0, 4]]
    trace = traced(flash_attention, arrays, block_size=(1, 1))
    at = trace.names
    back = flash_attention_backward(trace.given("grad.context", [[1, 0]]), *(at[name] for name in ("query", "key", "value", "context", "logsumexp")),
                                    block_size=(1, 1), note=lambda name, x: trace(f"back.{name}", x))  # fmt: skip
    reading = trace.fractions()
    said = {name: reading[f"back.{name}"].ravel().tolist() for name in ("delta", "tile1.weights", "tile2.weights", "tile1.grad_scaled",
                                                                        "tile2.grad_scaled", "grad.key", "grad.value")}  # fmt: skip
    quarter = Fraction(1, 4)
    assert said == {
        "delta": [1], "tile1.weights": [quarter], "tile2.weights": [3 * quarter], "tile1.grad_scaled": [3 * quarter],
        "tile2.grad_scaled": [-3 * quarter], "grad.key": [3 * quarter, -3 * quarter], "grad.value": [quarter, 0, 3 * quarter, 0],
    }  # fmt: skip
    assert back[0].exact == pytest.approx(-0.75 * np.log(3))


# ---- in floats


@every_size
@every_tile
@either_way
def test_it_is_that_of_torch_forward_and_backward(sizes, block_size, causal):
    query, key, value = (torch.tensor(x, requires_grad=True) for x in drawn(sizes, 2))
    mask = torch.tensor(sees(*sizes[:2], causal))
    wanted = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    scaled = (query @ key.mT / sizes[2] ** 0.5).masked_fill(~mask, -torch.inf)
    arrays = [x.detach().numpy() for x in (query, key, value)]
    context, logsumexp = flash_attention(*arrays, block_size=block_size, causal=causal)
    np.testing.assert_allclose(context, wanted.detach(), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(logsumexp[..., 0], scaled.logsumexp(-1).detach(), rtol=1e-10)
    grad = torch.linspace(-1, 2, wanted.numel(), dtype=torch.double).view(wanted.shape)
    wanted.backward(grad)
    found = flash_attention_backward(grad.numpy(), *arrays, context, logsumexp, block_size=block_size, causal=causal)
    for x, ours in zip((query, key, value), found, strict=True):
        np.testing.assert_allclose(ours, x.grad, rtol=1e-9, atol=1e-11)


@either_way
def test_its_slopes_are_those_that_a_trace_works_through_the_square(causal):
    sizes = 5, 5, 3, 2
    arrays, grad = drawn(sizes), np.arange(10.0).reshape(5, 2) - 3
    square = traced(attention, arrays, softmax=stable_softmax, mask=sees(5, 5, causal))
    found = backward((square.names["context"] * grad).sum())
    back = flash_attention_backward(grad, *arrays, *flash_attention(*arrays, block_size=(2, 2), causal=causal), block_size=(2, 2), causal=causal)
    for name, ours in zip(("query", "key", "value"), back, strict=True):
        np.testing.assert_allclose(ours, found[name].exact, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_kind_of_number_stays_and_large_scores_do_no_harm(kind):
    query, key, value = (x.astype(kind) for x in drawn((4, 6, 3, 2)))
    context, logsumexp = flash_attention(1000 * query, key, value, block_size=(2, 2))
    assert context.dtype == logsumexp.dtype == kind and np.isfinite(context).all()
    np.testing.assert_allclose(context, attention(1000 * query, key, value, softmax=stable_softmax), rtol=1e-4, atol=1e-5)


# ---- which tiles


@pytest.mark.parametrize("sizes", [(1, 1), (4, 4), (5, 5), (3, 7), (7, 7)], ids=str)
@every_tile
@either_way
def test_the_tiles_cover_what_is_seen_and_no_tile_is_in_vain(sizes, block_size, causal):
    seen, worked = sees(*sizes, causal), np.zeros(sizes, int)
    for rows, row_tiles in tiles(*sizes, block_size, causal=causal):
        for columns, mask in row_tiles:
            part = seen[rows, columns]
            assert part.any() and (part.all() if mask is None else (part == mask).all() and not mask.all())
            worked[rows, columns] += part
    assert (worked == seen).all()


def test_causal_tiles_are_left_out():
    for side in (1, 2, 4, 16):
        count = [sum(len(row_tiles) for _, row_tiles in tiles(4 * side, 4 * side, (4, 4), causal=causal)) for causal in (False, True)]
        assert count == [side**2, side * (side + 1) // 2]


def test_what_makes_no_tiles_is_refused():
    with pytest.raises(ValueError, match=r"3 queries and 4 keys in tiles of \(0, 2\); each takes at least 1"):
        tiles(3, 4, (0, 2))
    with pytest.raises(ValueError, match="5 queries and 3 keys: the first query would see none"):
        flash_attention(np.ones((5, 2)), np.ones((3, 2)), np.ones((3, 2)), block_size=(2, 2), causal=True)
    with pytest.raises(ValueError, match=r"flash_attention: S is 3 in key \(3, 2\) and 4 in value \(4, 2\)"):
        flash_attention(np.ones((5, 2)), np.ones((3, 2)), np.ones((4, 2)), block_size=(2, 2))


# ---- what it reads (Dao et al. 2022, theorem 2)


def reads(words, width, rows, room):
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(words, width)) for _ in range(3)]
    return traced(flash_attention, arrays, block_size=(rows, 1)).bill(fast=room).reads


def test_four_times_the_words_are_sixteen_times_the_reads_and_twice_the_memory_halves_them():
    room = {rows: 2 * rows * 4 + 12 * rows + 16 for rows in (4, 8, 16)}  # queries and their mix, and a few numbers a row
    base = reads(32, 4, 8, room[8]) - 32 * 4
    assert base == pytest.approx(2 * 32 * 32 * 4 / 8, rel=0.05)
    assert (reads(64, 4, 8, room[8]) - 64 * 4) / base == pytest.approx(4, rel=0.05)
    assert base / (reads(32, 4, 16, room[16]) - 32 * 4) == pytest.approx(2, rel=0.05)
    assert (reads(32, 4, 4, room[4]) - 32 * 4) / base == pytest.approx(2, rel=0.05)


@either_way
def test_the_masks_make_no_square_either(causal):
    tracemalloc.start()
    try:
        tiles(1024, 1024, (64, 64), causal=causal)
        assert tracemalloc.get_traced_memory()[1] < 1024**2 / 4  # a square of truth values takes a byte for each
    finally:
        tracemalloc.stop()
