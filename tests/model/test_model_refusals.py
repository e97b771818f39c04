"""What a reader can get wrong is refused by name, with the remedy."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from model_draws import Draw

from pencil import examples, reference
from pencil.model import (
    Block,
    Classifier,
    Config,
    Decoder,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Head,
    LayerNorm,
    MultiHeadAttention,
    Stack,
    attention,
    causal_mask,
    key_mask,
    padding_mask,
)
from pencil.reference import Attention, Recipe

HEAD = examples.PAIR_HEAD
ROWS = torch.tensor(examples.ROWS)
NARROW = reference.Grids(HEAD.query[:2], HEAD.key[:2], HEAD.value)


def refused(message, make, *args, **kwargs):
    with pytest.raises(ValueError) as caught:
        make(*args, **kwargs)
    assert message in str(caught.value), str(caught.value)


@pytest.mark.parametrize(
    "sizes, message",
    [
        ((10, 4), "d_model=10 does not split into n_heads=4; try 2 or 5"),
        ((7, 2), "d_model=7 does not split into n_heads=2; try 1 or 7"),
        ((2, 3), "d_model=2 does not split into n_heads=3; try 2"),
        ((12, 5), "d_model=12 does not split into n_heads=5; try 4 or 6"),
        ((0, 1), "d_model=0; a size is at least 1"),
        ((4, 0), "n_heads=0; a size is at least 1"),
    ],
)
def test_sizes(sizes, message):
    refused(message, Config, *sizes)
    assert Config(10, 4, d_k=3).d_v == 3


def test_what_is_not_given_and_is_needed():
    refused("rows is not given", Decoder, Config(4))
    refused("max_len is not given", Encoder, Config(4, rows=5, wave=True))


def test_heads_that_are_not_alike():
    refused("head2.query is (2, 4) and head1.query (4, 4)", MultiHeadAttention.like, Attention((HEAD, NARROW), np.ones((4, 8))))
    biased = replace(HEAD, query_bias=np.ones(4))
    refused("head1.key_bias and head1.query_bias: one is there and one is not", MultiHeadAttention.like, Attention((biased,), np.eye(4)))
    refused("no heads", MultiHeadAttention.like, Attention((), np.eye(4)))
    crooked = reference.Grids(HEAD.query[:2], HEAD.key, HEAD.value)
    refused("a query is 2 wide and a key 4", MultiHeadAttention.like, Attention((crooked,), np.eye(4)))


def test_grids_that_do_not_fit():
    refused("the glue of the heads is 4 wide and the output grid (4, 3) reads 3", MultiHeadAttention.like, Attention((HEAD,), np.ones((4, 3))))
    wrong = replace(examples.PAIR_BLOCK, feed_forward=replace(examples.PAIR_BLOCK.feed_forward, narrow=np.ones((4, 5))))
    refused("the bent row is 4 wide and the narrowing grid (4, 5) reads 5", Block.like, wrong)
    refused("3 norms for 2 moves", Block.like, replace(examples.PAIR_BLOCK, norms=(reference.Norm(),) * 3))
    refused("no blocks", Stack.like, [])


def test_rows_of_another_width_and_a_single_row():
    block = Block.like(examples.PAIR_BLOCK)
    refused("x has the shape (2, 3); the query grid reads rows of 4", block, ROWS[:, :3])
    refused("x has the shape (4,)", block, ROWS[0])


def test_memories():
    draw = Draw(1)
    refused("a memory, and no grids to ask it with", Block.like(examples.PAIR_BLOCK), ROWS, memory=ROWS)
    asks = Block.like(draw.block(4, d_memory=4))
    refused("the block has cross grids and nothing to ask", asks, ROWS)
    refused("grids that ask another text, and no memory", asks.cross, ROWS)


def test_masks():
    block = Block.like(examples.PAIR_BLOCK)
    refused("the mask holds torch.float64; write True where a query may look", block, ROWS, mask=torch.zeros(2, 2, dtype=torch.float64))
    refused("the mask holds torch.float64", block, ROWS, mask=torch.zeros(2, 2, dtype=torch.float64), note=lambda name, value: value)
    nowhere = torch.tensor([[True, False], [False, False]])
    refused("a whole row of scores is masked (−inf)", block, ROWS, mask=nowhere, note=lambda name, value: value)
    assert block(ROWS, mask=nowhere).isfinite().all(), "the fast path gives zeros, never NaN"
    refused("0 words need no mask", causal_mask, 0)


def test_a_flat_row_when_eps_is_0():
    block = Block.like(examples.PAIR_BLOCK)
    refused("give layer_norm a small eps, such as 1e-5", block, torch.ones(2, 4, dtype=torch.float64), note=lambda name, value: value)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
def test_how_flat_a_row_may_be_hangs_on_the_digits_that_its_type_holds(dtype):
    norm, row = LayerNorm.like(reference.Norm(), width=4, dtype=dtype), torch.ones(4, dtype=dtype)
    row[0] += torch.finfo(dtype).eps  # the last digit that there is: noise
    refused("a flat row", norm, row, note=lambda name, value: value)
    row[0] += 0.25
    assert norm(row, note=lambda name, value: value).argmax() == 0


@pytest.mark.parametrize("dtype, row", [(torch.float16, [100, 100, 100, 100.5]), (torch.float32, [1000, 1000, 1000, 1000.006])])
def test_a_row_whose_numbers_differ_little_and_by_more_than_noise_is_not_flat(dtype, row):
    norm = LayerNorm.like(reference.Norm(), width=4, dtype=dtype)
    assert norm(torch.tensor(row, dtype=dtype), note=lambda name, value: value).argmax() == 3
    refused("a flat row", norm, torch.tensor([0.3, 0.1 + 0.2] * 2, dtype=torch.float64), note=lambda name, value: value)


def test_texts_of_padding_alone():
    ids = torch.tensor([[1, 2], [0, 0]])
    for model in (Encoder(Config(4, rows=5)), Decoder(Config(4, rows=5)), Classifier(Config(4, rows=5))):
        refused("all 2 slots of a text are padding", model, ids)
        refused("all 2 slots of a text are padding", model, ids, note=lambda name, value: value)
    refused("all 2 slots of a text are padding", EncoderDecoder(Config(4, rows=5)), ids, ids[:1])
    assert key_mask(padding_mask(ids[:1])) is None and key_mask(padding_mask(torch.tensor([[1, 0]]))).shape == (1, 1, 2)


def test_seats():
    refused("3 words and 2 seats", Encoder(Config(4, rows=5, max_len=2)), torch.tensor([1, 2, 3]))
    given = Recipe(positions=reference.Alibi(seats=np.array([0.0])))
    refused("2 words and 1 seats", Block.like(examples.PAIR_BLOCK, given), ROWS)
    refused("a head's query is 1 wide; take 2", Block, Config(4, 4), Recipe(positions=reference.Rotary()))


def test_recipes_and_pools():
    refused("bend=tanh has no torch form here; take relu, gelu or gelu_erf", Block, Config(4), Recipe(bend=np.tanh))
    assert Block(Config(4), Recipe(eps=1e-5, bend=torch.nn.functional.silu))(ROWS.float()).shape == (2, 4)
    refused("have no torch form here; take Rotary() or Alibi()", Block, Config(4), Recipe(positions="rotary"))
    refused("pool=middle is not known; take average, greatest, first, last", Classifier, Config(4, rows=5), pool="middle")


def test_a_worker_whose_grids_do_not_fit_one_another():
    grids = reference.FeedForward(np.ones((8, 4)), np.ones((4, 7)))
    refused("the bent row is 8 wide and the narrowing grid (4, 7) reads 7", FeedForward, grids)


def test_a_noted_look_hides_what_the_fast_one_hides():
    rows, noted = torch.randn(3, 4, dtype=torch.float64), {}
    assert torch.allclose(attention(rows, rows, rows, note=noted.setdefault, causal=True), attention(rows, rows, rows, causal=True))
    assert torch.equal(noted["weights"] > 0, causal_mask(3))
    refused("the mask holds torch.float32", attention, rows, rows, rows, mask=torch.zeros(3, 3), note=noted.setdefault)


def test_a_head_alone_runs_while_it_practises():
    bundle = Draw(1).classifier().head
    summary = np.ones(4)
    ours = Head.like(bundle)(torch.tensor(summary)).sigmoid()
    np.testing.assert_allclose(ours.detach(), reference.classify(summary, bundle), atol=1e-12)
