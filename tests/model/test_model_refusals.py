"""Wrong arguments are refused with a remedy."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from model_draws import Draw

from pencil import examples, reference
from pencil.model import (
    Block,
    Cache,
    Classifier,
    Config,
    Decoder,
    Encoder,
    EncoderDecoder,
    FeedForward,
    LayerNorm,
    MLPHead,
    MultiHeadAttention,
    RNNClassifier,
    Stack,
    attention,
    causal_mask,
    key_mask,
    padding_mask,
)
from pencil.reference import AttentionParams, BlockConfig

HEAD = examples.PAIR_HEAD
ROWS = torch.tensor(examples.ROWS)
NARROW = reference.QKVParams(HEAD.query[:2], HEAD.key[:2], HEAD.value)


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
        ((8.0, 2), "d_model=8.0 is a float; a size is a whole number, an int"),
        ((True, 1), "d_model=True is a bool; a size is a whole number, an int"),
        (("8", 1), "d_model='8' is a str; a size is a whole number"),
    ],
)
def test_sizes(sizes, message):
    refused(message, Config, *sizes)
    assert Config(10, 4, d_k=3).value_dim == 3 and Config(np.int64(8), 2).key_dim == 4


def test_what_is_not_given_and_is_needed():
    refused("vocab_size is not given", Decoder, Config(4))
    refused("max_len is not given", Encoder, Config(4, vocab_size=5, sinusoidal=True))


def test_heads_that_are_not_alike():
    refused("head2.query is (2, 4) and head1.query (4, 4)", MultiHeadAttention.from_params, AttentionParams((HEAD, NARROW), np.ones((4, 8))))
    biased = replace(HEAD, query_bias=np.ones(4))
    refused("head1.key_bias and head1.query_bias: one is there and one is not", MultiHeadAttention.from_params, AttentionParams((biased,), np.eye(4)))
    refused("no heads", MultiHeadAttention.from_params, AttentionParams((), np.eye(4)))
    crooked = reference.QKVParams(HEAD.query[:2], HEAD.key, HEAD.value)
    refused("a query is 2 wide and a key 4", MultiHeadAttention.from_params, AttentionParams((crooked,), np.eye(4)))


def test_grids_that_do_not_fit():
    refused(
        "the concatenation of the heads is 4 wide and the output weight (4, 3) reads 3",
        MultiHeadAttention.from_params,
        AttentionParams((HEAD,), np.ones((4, 3))),
    )
    wrong = replace(examples.PAIR_BLOCK, feed_forward=replace(examples.PAIR_BLOCK.feed_forward, down=np.ones((4, 5))))
    refused("the activated row is 4 wide and the down projection (4, 5) reads 5", Block.from_params, wrong)
    refused("3 norms for 2 sublayers", Block.from_params, replace(examples.PAIR_BLOCK, norms=(reference.LayerNormParams(),) * 3))
    refused("no blocks", Stack.from_params, [])


def test_rows_of_another_width_and_a_single_row():
    block = Block.from_params(examples.PAIR_BLOCK)
    refused("x has the shape (2, 3); the query weight reads rows of 4", block, ROWS[:, :3])
    refused("x has the shape (4,)", block, ROWS[0])


def test_memories():
    draw = Draw(1)
    refused("a memory, and the block has no cross-attention", Block.from_params(examples.PAIR_BLOCK), ROWS, memory=ROWS)
    asks = Block.from_params(draw.block(4, d_memory=4))
    refused("the block has cross-attention and no memory", asks, ROWS)
    refused("cross-attention without a memory", asks.cross, ROWS)


def test_masks():
    block = Block.from_params(examples.PAIR_BLOCK)
    refused("the mask holds torch.float64; write True where a query may attend", block, ROWS, mask=torch.zeros(2, 2, dtype=torch.float64))
    refused("the mask holds torch.float64", block, ROWS, mask=torch.zeros(2, 2, dtype=torch.float64), note=lambda name, value: value)
    nowhere = torch.tensor([[True, False], [False, False]])
    refused("a whole row of scores is masked (−inf)", block, ROWS, mask=nowhere, note=lambda name, value: value)
    assert block(ROWS, mask=nowhere).isfinite().all(), "the fast path gives zeros, never NaN"
    refused("0 queries need no mask", causal_mask, 0)


@pytest.mark.parametrize("note", [None, lambda name, value: value], ids=["fast", "noted"])
def test_masks_of_other_axes(note):
    layer, x = MultiHeadAttention(Config(8, 2)), torch.randn(3, 5, 8)
    of_heads = torch.ones(3, 1, 5, 5, dtype=torch.bool)
    refused(
        "the mask (3, 1, 5, 5) has more axes than the rows (3, 5, 8); the heads share it, so leave out their axis: (3, 5, 5)",
        layer,
        x,
        mask=of_heads,
        note=note,
    )
    refused("the mask (3, 5, 5) has more axes than the rows (5, 8)", layer, x[0], mask=of_heads[:, 0], note=note)
    refused("the mask (3, 5) has two axes, and 5 queries need (queries, keys)", layer, x, mask=of_heads[:, 0, 0], note=note)
    refused("the mask (3, 1, 5, 5) has more axes than the rows (3, 5, 8)", attention, x, x, x, mask=of_heads, note=note)
    assert layer(x, mask=of_heads[:, 0], note=note).shape == x.shape


@pytest.mark.parametrize("note", [None, lambda name, value: value], ids=["fast", "noted"])
def test_causal_and_a_memory(note):
    cross, x = MultiHeadAttention(Config(8, 2), cross=True), torch.randn(3, 5, 8)
    for context in (None, cross.attention_context(x, memory=x)):
        refused("causal=True and a memory", cross, x, memory=x, causal=True, attn_context=context, note=note)


@pytest.mark.parametrize("model", [Encoder, Decoder, Classifier, RNNClassifier])
@pytest.mark.parametrize("padding", [True, False])
def test_ids_that_are_none(model, padding):
    made = model(Config(4, vocab_size=5), padding=padding)
    refused("ids are a list, no tensor; write torch.tensor([[1, 2]])", made, [[1, 2]])
    refused("ids are torch.float32, and an embedding is looked up by int64 or int32; write ids.long()", made, torch.ones(1, 2))
    refused("ids are torch.uint8", made, torch.ones(1, 2, dtype=torch.uint8))
    refused("ids are torch.bool, a mask of True and False; hand in the ids", made, torch.ones(1, 2, dtype=torch.bool))
    assert made(torch.ones(1, 2, dtype=torch.int32)).isfinite().all()
    refused("the padding mask holds torch.int64; hand in True for a token", key_mask, torch.ones(1, 2).long())


@pytest.mark.parametrize("model", [Encoder, Decoder, Classifier, RNNClassifier])
@pytest.mark.parametrize("wrong", [5, -1])
def test_ids_outside_the_vocabulary(model, wrong):
    ids = torch.tensor([[1, wrong]])
    refused(f"id {wrong} is outside the embedding's 5 rows (0 to 4); map rare words to unknown first", model(Config(4, vocab_size=5)), ids)


@pytest.mark.parametrize("sizes", [8, {"d_model": 8}, BlockConfig()], ids=["a number", "a dict", "a BlockConfig"])
def test_sizes_that_are_none(sizes):
    for make in (Block, Decoder, Encoder, Stack):
        refused("hand in a Config, such as Config(d_model=64, n_heads=4), or reference params", make, sizes)


def test_floats_that_look_like_a_mask():
    x, seen = torch.randn(3, 4), torch.ones(3, 3).tril()
    refused("the mask holds 0 and 1 as floats, which are added to the scores; write mask.bool()", attention, x, x, x, mask=seen)
    assert attention(x, x, x, mask=seen - 1).isfinite().all()  # other numbers are added, as torch does


def test_settings_that_make_no_sense():
    refused("eps=-1e-05; give it a finite number, 0 or more", BlockConfig, eps=-1e-5)
    refused("bias='no' is a str; it is True or False", Config, 4, bias="no")


def test_a_softmax_that_torch_would_not_run():
    config = BlockConfig(softmax=lambda scores, note: scores)
    for make in (Block, FeedForward, MultiHeadAttention, LayerNorm, Stack):
        refused("softmax=<lambda> has no torch form here; take softmax or stable_softmax", make, Config(4, softmax=config.softmax))
    refused("config is a float, no BlockConfig; give other options by name, such as dropout=0.1", Block, examples.PAIR_BLOCK, 0.1)
    for make in (Block, Stack, Decoder, Encoder, MultiHeadAttention, Classifier, MLPHead):
        with pytest.raises(TypeError, match="positional"):
            make(Config(4, vocab_size=5), None, 0.1)


def test_a_flat_row_when_eps_is_0():
    block = Block.from_params(examples.PAIR_BLOCK)
    refused("give layer_norm a small eps, such as 1e-5", block, torch.ones(2, 4, dtype=torch.float64), note=lambda name, value: value)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
def test_how_flat_a_row_may_be_hangs_on_the_digits_that_its_type_holds(dtype):
    norm, row = LayerNorm.from_params(reference.LayerNormParams(), width=4, dtype=dtype), torch.ones(4, dtype=dtype)
    row[0] += torch.finfo(dtype).eps  # the last digit that there is: noise
    refused("a flat row", norm, row, note=lambda name, value: value)
    row[0] += 0.25
    assert norm(row, note=lambda name, value: value).argmax() == 0


@pytest.mark.parametrize("dtype, row", [(torch.float16, [100, 100, 100, 100.5]), (torch.float32, [1000, 1000, 1000, 1000.006])])
def test_a_row_whose_numbers_differ_little_and_by_more_than_noise_is_not_flat(dtype, row):
    norm = LayerNorm.from_params(reference.LayerNormParams(), width=4, dtype=dtype)
    assert norm(torch.tensor(row, dtype=dtype), note=lambda name, value: value).argmax() == 3
    refused("a flat row", norm, torch.tensor([0.3, 0.1 + 0.2] * 2, dtype=torch.float64), note=lambda name, value: value)


def test_texts_of_padding_alone():
    ids = torch.tensor([[1, 2], [0, 0]])
    for model in (Encoder(Config(4, vocab_size=5)), Decoder(Config(4, vocab_size=5), padding=True), Classifier(Config(4, vocab_size=5))):
        refused("all 2 positions of a text are padding", model, ids)
        refused("all 2 positions of a text are padding", model, ids, note=lambda name, value: value)
    refused("all 2 positions of a text are padding", EncoderDecoder(Config(4, vocab_size=5)), ids, ids[:1])
    assert key_mask(padding_mask(ids[:1])) is None and key_mask(padding_mask(torch.tensor([[1, 0]]))).shape == (1, 1, 2)


def test_more_tokens_than_positions():
    refused("3 tokens and 2 positions", Encoder(Config(4, vocab_size=5, max_len=2)), torch.tensor([1, 2, 3]))
    given = BlockConfig(position_encoding=reference.Alibi(positions=np.array([0.0])))
    refused("2 tokens and 1 positions", Block.from_params(examples.PAIR_BLOCK, given), ROWS)
    refused("a head's query is 1 wide; take 2", Block, Config(4, 4, position_encoding=reference.Rotary()))


def test_recipes_and_pools():
    refused("activation=tanh has no torch form here; take relu, gelu, gelu_erf or silu", Block, Config(4, activation=np.tanh))
    assert Block(Config(4, activation=torch.nn.functional.silu))(ROWS.float()).shape == (2, 4)
    for wrong, says in (("rotary", "'rotary'; take Rotary() or Alibi()"), (reference.Rotary, "Rotary is the class; write Rotary()")):
        refused(f"position_encoding={says}", BlockConfig, position_encoding=wrong)
        refused(f"position_encoding={says}", reference.self_attention, np.eye(4), examples.PAIR_HEAD, position_encoding=wrong)
    refused("pool=middle is not known; take mean_pool, max_pool, first_token, last_token", Classifier, Config(4, vocab_size=5), pool="middle")


def test_params_of_another_kind():
    refused("Block takes other params: AttentionParams has no cross", Block.from_params, examples.PAIR_BLOCK.attention)
    refused("Decoder takes other params: BlockParams has no embedding", Decoder.from_params, examples.PAIR_BLOCK)
    head = examples.PAIR_HEAD
    refused("heads is a QKVParams; give the layer a tuple of heads, also of one", reference.AttentionParams, head, np.eye(4))


def test_a_note_that_returns_nothing():
    says = "the note returned nothing"
    for note in (lambda name, value: None, print):
        refused(f"{says} for ", Decoder(Config(4, vocab_size=5)), torch.tensor([1, 2]), note=note)
        refused(f"softmax: {says}", reference.softmax, np.eye(2), note=note)
        refused(says, reference.block, np.array(examples.ROWS), examples.PAIR_BLOCK, note=note)
        refused(says, reference.mean_pool, np.eye(2), note=note)


def test_a_tensor_for_the_reference():
    says = "query is a torch Tensor; hand in its numbers, query.detach().cpu().numpy(), or take pencil.model"
    refused(says, reference.attention, *torch.ones(3, 2, 2))


def test_a_cache_of_another_batch():
    model, cache = Decoder(Config(4, vocab_size=5)), Cache()
    with torch.no_grad():
        model(torch.tensor([[1, 2], [3, 4]]), cache=cache)
        refused("the cache has a batch of the shape (2,), and this one is (1,); begin a new Cache()", model, torch.tensor([[1]]), cache=cache)
        refused("the cache has a batch of the shape (2,), and this one is ()", model, torch.tensor([1]), cache=cache)
    assert cache.length == 2


def test_a_worker_whose_grids_do_not_fit_one_another():
    params = reference.FeedForwardParams(np.ones((8, 4)), np.ones((4, 7)))
    refused("the activated row is 8 wide and the down projection (4, 7) reads 7", FeedForward, params)


def test_a_noted_look_hides_what_the_fast_one_hides():
    rows, noted = torch.randn(3, 4, dtype=torch.float64), {}
    assert torch.allclose(attention(rows, rows, rows, note=noted.setdefault, causal=True), attention(rows, rows, rows, causal=True))
    assert torch.equal(noted["weights"] > 0, causal_mask(3))
    refused("the mask holds torch.float32", attention, rows, rows, rows, mask=torch.zeros(3, 3), note=noted.setdefault)
    refused("dropout=0.5 and a note", attention, rows, rows, rows, dropout=0.5, note=noted.setdefault)


@pytest.mark.parametrize("mask", [None, torch.tensor([True, True, False, True, True])])
def test_causal_is_the_same_mask_with_a_note_and_without_one(mask):
    """Also where the queries are the last of more keys, and beside another mask: torch's own causal mask takes neither."""
    query, key, value = (torch.randn(n, 4, dtype=torch.float64) for n in (2, 5, 5))
    noted = attention(query, key, value, mask=mask, causal=True, note=lambda name, value: value)
    assert torch.allclose(attention(query, key, value, mask=mask, causal=True), noted)
    seen = causal_mask(2, 5) if mask is None else causal_mask(2, 5) & mask
    assert torch.allclose(noted, reference_attention(query, key, value, seen))
    refused("the mask holds torch.float64", attention, query, key, value, mask=torch.zeros(2, 5, dtype=torch.float64), causal=True)


def reference_attention(query, key, value, mask):
    return torch.tensor(reference.attention(*(x.numpy() for x in (query, key, value)), mask=mask.numpy()))


def test_a_head_alone_runs_while_it_practises():
    bundle = Draw(1).classifier().head
    summary = np.ones(4)
    ours = MLPHead.from_params(bundle)(torch.tensor(summary)).sigmoid()
    np.testing.assert_allclose(ours.detach(), reference.mlp_head(summary, bundle), atol=1e-12)
