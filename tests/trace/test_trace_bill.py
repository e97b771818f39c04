"""Operation counts of a run, against formulas of papers, counting by hand, a simulated slow memory, and torch's FLOP counter."""

import numpy as np
import pytest
import torch
from machines_alike import naive
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from pencil.model import Block
from pencil.reference import (
    AttentionParams,
    BlockConfig,
    BlockParams,
    FeedForwardParams,
    QKVParams,
    attention,
    block,
    causal_mask,
    stable_softmax,
    weighted_sum,
)
from pencil.trace import Trace, backward
from pencil.trace.gradients import ELEMENTWISE, OF_ARRAYS
from pencil.trace.operations import EACH_COSTS, OPERATIONS

RNG = np.random.default_rng(0)
FREE = {"negative", "absolute", "rint", "where", "gather", "take", "take_along_axis", "note", "argsort"}


def attention_run(words, width, **options):
    trace = Trace()
    query, key, value = (trace.given(name, RNG.normal(size=(words, width)) / 4) for name in ("query", "key", "value"))
    attention(query, key, value, note=trace, **options)
    return trace


def params_of(width, units, heads=1):
    def grid(*shape):
        return RNG.normal(size=shape) / 4

    head = [QKVParams(*(grid(width // heads, width) for _ in range(3))) for _ in range(heads)]
    return BlockParams(AttentionParams(tuple(head), grid(width, width)), FeedForwardParams(grid(units, width), grid(width, units)))


def block_run(words, params):
    trace = Trace()
    width = params.feed_forward.up.shape[1]
    x, given = trace.given("x", RNG.normal(size=(words, width))), trace.given_each("params", params)
    return trace, block(x, given, config=BlockConfig(softmax=stable_softmax), note=trace)


def test_every_operation_has_a_cost_an_adjoint_and_a_run():
    assert set(EACH_COSTS) | FREE | {"matmul", "sum", "mean", "max", "cumsum"} == set(OPERATIONS) == set(ELEMENTWISE) | set(OF_ARRAYS)


# ---- arithmetic, counted as a pencil does it


def test_one_sum_counted_by_hand():
    trace = Trace()
    x, w = trace.given("x", [[1, 2, 3], [4, 5, 6]]), trace.given("w", [[1, 0, 1]])
    scores = trace("scores", x @ w.T)  # 2 dot products of 3
    trace("mean", scores.mean())  # 1 addition, 1 division
    trace("bent", np.maximum(np.exp(scores) - 1, 0))
    assert vars(trace.bill()) | {"reads": 0, "writes": 0, "peak": 0} == {
        "multiplications": 6, "additions": 4 + 1 + 2, "divisions": 1, "functions": 2, "comparisons": 2, "multiply_adds": 6,
        "reads": 0, "writes": 0, "peak": 0,
    }  # fmt: skip
    assert (trace.bill("mean").additions, trace.bill("mean").multiplications, trace.bill("scores").additions) == (1, 0, 4)
    assert str(trace.bill("scores")) == "6 multiplications, 4 additions\n9 reads, 2 writes"
    assert str(trace.bill("x")) == "nothing to compute\n0 reads, 0 writes"
    with pytest.raises(KeyError, match="nothing is named 'weights'"):
        trace.bill("weights")
    for odd in (-1, 2.5, float("nan"), "1000"):
        with pytest.raises(ValueError, match=f"fast={odd!r} numbers cannot fit; take a whole number, 0 or more"):
            trace.bill(fast=odd)


@pytest.mark.parametrize("words, width", [(1, 1), (3, 2), (5, 4), (8, 4)])
def test_attention_costs_n_n_d_twice(words, width):
    trace = attention_run(words, width)
    assert trace.bill("scores").multiplications == words * words * width
    assert trace.bill("scores").additions == words * words * (width - 1)
    assert trace.bill().multiplications == 2 * words * words * width  # scores, and the mix that `weighted_values` writes out
    assert trace.bill("exp").functions == words * words and trace.bill("exp_sum").additions == words * (words - 1)


@pytest.mark.parametrize("words, width, units, heads", [(2, 4, 8, 1), (3, 4, 16, 2), (5, 8, 12, 4)])
def test_a_block_costs_four_d_d_and_two_d_d_ff_a_token_whatever_its_heads(words, width, units, heads):
    trace, _ = block_run(words, params_of(width, units, heads))
    dials = 4 * width * width + 2 * width * units  # the numbers of its grids
    assert sum(step.size for step in trace.names.values() if step.op == "given" and step.name.startswith("params.")) == dials
    # Kaplan et al. (2020) have 2N a word, and for what attends d_attn a word looked at; their 2N leave out the mix, which is as much again
    assert trace.bill().flops == 2 * words * (dials + 2 * words * width)


def test_backward_costs_twice():
    """Each product of the way forward has two on the way back, for what stands on its left and on its right."""
    trace, out = block_run(3, params_of(4, 8))
    forward = trace.bill().multiply_adds
    backward(trace("loss", (out * trace.given("pull", RNG.normal(size=out.shape))).sum()))
    assert trace.bill().multiply_adds == 3 * forward


# ---- torch's counter


def torch_counts(f):  # attention in its own steps, for torch counts nothing of what is fused on a CPU
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        f()
    return counter.get_total_flops()


@pytest.mark.parametrize("words, columns, width", [(2, 3, 1), (4, 4, 5), (1, 7, 3)])
def test_attention_as_torch_counts_it(words, columns, width):
    scores, values = RNG.normal(size=(words, columns)), RNG.normal(size=(columns, width))
    trace = Trace()
    naive(trace.given("scores", scores), trace.given("values", values), trace)
    assert trace.bill().flops == torch_counts(lambda: torch.softmax(torch.from_numpy(scores), -1) @ torch.from_numpy(values))


@pytest.mark.parametrize("words, width, units", [(2, 4, 8), (3, 4, 16), (5, 8, 12)])
def test_a_block_as_torch_counts_it_forwards_and_back(words, width, units):
    params = params_of(width, units)
    trace, out = block_run(words, params)
    model = Block.from_params(params)
    x = torch.from_numpy(trace.names["x"].exact.copy()).to(next(model.parameters()).dtype)[None].requires_grad_()
    forward = trace.bill().flops
    assert torch_counts(lambda: model(x)) == forward
    backward(trace("loss", out.sum()))
    assert torch_counts(lambda: model(x).sum().backward()) == trace.bill().flops == 3 * forward


# ---- what is read and written


def test_without_fast_memory_each_step_reads_and_writes_all():
    trace = Trace()
    x = trace.given("x", [[1, 2], [3, 4]])
    doubled = trace("doubled", x.T * 2)  # reads 4, writes 4
    trace("total", (doubled + doubled[0]).sum())  # reads 4, each once; writes 4; reads 4; writes 1
    bill = trace.bill()
    assert (bill.reads, bill.writes, bill.peak) == (4 + 4 + 4, 4 + 4 + 1, 8)
    assert (bill.bytes("bf16"), bill.bytes("int4"), bill.bytes("fp8_e4m3")) == (21 * 2, 21 / 2, 21)
    with pytest.raises(ValueError, match="there is no format 'fp4'"):
        bill.bytes("fp4")


def test_with_room_for_all_the_givens_are_read_once_and_the_result_is_written():
    for trace, out in ((attention_run(5, 4), 5 * 4), (attention_run(3, 2, mask=causal_mask(3)), 3 * 2)):
        bill = trace.bill(fast=10_000)
        assert (bill.reads, bill.writes) == (sum(s.size for s in trace.names.values() if s.op == "given"), out)


def test_more_room_never_costs_more():
    trace = attention_run(6, 4)
    bills = [trace.bill(fast=room) for room in (0, 5, 20, 50, 100, 200, 400)]
    traffic = [b.reads + b.writes for b in bills]
    assert traffic == sorted(traffic, reverse=True) and traffic[0] > 4 * traffic[-1]
    assert len({b.multiplications for b in bills}) == 1


def test_what_is_read_again_was_written():
    trace = Trace()
    doubled = trace("doubled", trace.given("x", [1, 2]) * 2)
    trace("total", doubled.sum())
    bills = [trace.bill(fast=room) for room in range(4)]
    # with room for one, doubled[0] drives out doubled[1], which the same step has yet to read: it is written first
    assert [(bill.reads, bill.writes) for bill in bills] == [(4, 3), (4, 3), (2, 1), (2, 1)]


PARTS = {  # in the letters of an einsum: the shapes of two arrays, their product, and whether its sum is a matrix product
    "mix": ((2, 3), (3, 4), lambda a, b: (a[:, :, None] * b).sum(1), True),
    "mix of heads": ((5, 2, 3), (5, 3, 4), lambda a, b: (a[..., None] * b[:, None]).sum(-2), True),
    "mix of one word": ((1, 3), (3, 4), lambda a, b: (a[:, :, None] * b).sum(1), True),
    "mix of one word with itself": ((1, 1), (1, 4), lambda a, b: (a[:, :, None] * b).sum(1), True),
    "scores": ((2, 4), (3, 4), lambda a, b: (a[:, None] * b[None]).sum(-1), True),
    "dot products, row by row": ((2, 4), (2, 4), lambda a, b: (a * b).sum(-1), False),
    "squares": ((2, 4), (2, 4), lambda a, b: (a * a).sum(-1), False),
    "rows scaled, then added": ((2, 1), (2, 4), lambda a, b: (a * b).sum(0), False),
    "a product added along what repeats": ((2, 1), (1, 4), lambda a, b: (a * b).sum(1), False),
}


@pytest.mark.parametrize("what", PARTS)
def test_a_matrix_product_that_is_written_part_by_part(what):
    left, right, program, is_product = PARTS[what]
    trace = Trace()
    trace("out", program(trace.given("a", RNG.normal(size=left)), trace.given("b", RNG.normal(size=right))))
    assert trace.bill().flops == 2 * trace.bill().multiplications * is_product


@pytest.mark.parametrize("words, keys, width", [(2, 2, 4), (3, 3, 4), (5, 5, 4), (1, 3, 4), (1, 1, 4), (1, 3, 1), (2, 1, 4), (2, 3, 1)])
def test_a_mix_part_by_part_counts_as_torch_counts_its_product_forwards_and_back(words, keys, width):
    trace = Trace()
    arrays = RNG.normal(size=(words, keys)), RNG.normal(size=(keys, width))
    context = weighted_sum(trace.given("weights", arrays[0]), trace.given("value", arrays[1]), note=trace)
    weights, value = (torch.from_numpy(array).requires_grad_() for array in arrays)
    assert trace.bill().flops == trace.bill("context").flops == torch_counts(lambda: weights @ value)
    backward(trace("loss", context.sum()))
    assert trace.bill().flops == torch_counts(lambda: (weights @ value).sum().backward())


def test_of_a_table_only_what_is_looked_up_is_read():
    trace = Trace()
    table, ids = trace.given("table", np.ones((100, 4))), trace.given("ids", [3, 7, 3])
    trace("rows", table[ids] * 2)
    assert trace.bill().reads == (3 + 2 * 4) + 3 * 4  # three ids and two rows, then what was looked up


# ---- FlashAttention (Dao et al. 2022): Θ(N²d²/M) numbers read, not Θ(N² + N·d)


def flash_run(words, width, block):
    """Attention from scores that are never written down as a square: a tile of queries meets a tile of keys."""
    trace = Trace()
    query, key, value = (trace.given(name, RNG.normal(size=(words, width)) / 4) for name in ("query", "key", "value"))
    for number, start in enumerate(range(0, words, block), 1):
        rows = query[start : start + block]
        tiled_rows(rows, key, value, lambda name, x, number=number: trace(f"row{number}.{name}", x), block)
    return trace


def tiled_rows(query, key, value, note, block):
    greatest = total = mix = None
    for start in range(0, len(key), block):
        part = query @ key[start : start + block].T
        top = part.max(-1, keepdims=True)
        now = top if greatest is None else np.maximum(greatest, top)
        raised = np.exp(part - now)
        here, mixed = raised.sum(-1, keepdims=True), raised @ value[start : start + block]
        if greatest is not None:
            factor = np.exp(greatest - now)
            here, mixed = factor * total + here, factor * mix + mixed
        greatest, total, mix = now, here, mixed
    note("out", mix / total)


def square_run(words, width):
    trace = Trace()
    query, key, value = (trace.given(name, RNG.normal(size=(words, width)) / 4) for name in ("query", "key", "value"))
    naive(query @ key.T, value, trace)
    return trace


def room_for(width, block):
    """What is in use at once while two tiles meet: six tiles of rows, and a few squares of scores."""
    return 6 * block * width + 3 * block * block + 6 * block


@pytest.mark.parametrize("words, width, block", [(24, 4, 4), (24, 8, 4), (32, 4, 4), (48, 4, 8)])
def test_tiles_read_keys_and_values_once_for_each_tile_of_queries(words, width, block):
    bill = flash_run(words, width, block).bill(fast=room_for(width, block))
    most = words * width + 2 * words * words * width // block  # N·d, and 2·N²·d/B: N²d²/M for a B that goes with M/d
    assert 0.9 * most <= bill.reads <= most  # the last round may find its last tiles still there
    assert bill.writes == words * width  # the result, and nothing else
    assert bill.peak < words * words + words * width  # the square is never there


def test_twice_the_memory_halves_what_is_read_and_the_square_reads_more():
    words, width = 96, 4
    reads = {block: flash_run(words, width, block).bill(fast=room_for(width, block)).reads - words * width for block in (4, 8, 16)}
    assert reads[4] / reads[8] == pytest.approx(2, rel=0.1) and reads[4] / reads[16] == pytest.approx(4, rel=0.2)
    square = square_run(words, width).bill(fast=room_for(width, 16))
    assert square.reads > 3 * words * words and square.peak >= 2 * words * words
    tiles = flash_run(words, width, 16).bill(fast=room_for(width, 16))
    assert tiles.reads + tiles.writes < (square.reads + square.writes) / 4
    assert tiles.multiplications > square.multiplications  # less reading is paid for with a few more sums


def test_the_tiles_give_what_the_square_gives():
    flash, square = flash_run(8, 4, 4), Trace()
    query, key, value = (square.given(name, flash.names[name].exact) for name in ("query", "key", "value"))
    naive(query @ key.T, value, square)
    out = np.concatenate([flash.names[f"row{k}.out"].exact for k in (1, 2)])
    assert np.allclose(out, square.names["mixed"].exact, atol=1e-12)
