"""The flat dictionary of arrays between the reference and the model, in both directions."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from model_draws import Draw
from torch.nn.utils import prune

from pencil import examples, reference
from pencil.model import (
    RNN,
    Block,
    Classifier,
    Config,
    Decoder,
    Encoder,
    EncoderDecoder,
    FeedForward,
    LoRALinear,
    MultiHeadAttention,
    QuantizedLinear,
    Stack,
    load_arrays,
    replace_linear,
    state_arrays,
)
from pencil.model.module import config_of
from pencil.params import flatten, unflatten
from pencil.reference import BlockConfig

DRAWS = {
    "attention": (MultiHeadAttention, lambda d: d.attention(6, heads=3, d_k=2, d_v=5)),
    "attention across": (MultiHeadAttention, lambda d: d.attention(6, heads=2, d_memory=5)),
    "feed_forward": (FeedForward, lambda d: d.block(6).feed_forward),
    "block": (Block, lambda d: d.block(6, heads=3)),
    "block across": (Block, lambda d: d.block(6, heads=2, d_memory=6)),
    "encoder": (Encoder, lambda d: d.encoder(heads=2)),
    "decoder": (Decoder, lambda d: d.decoder(heads=2, output=True)),
    "encoder_decoder": (EncoderDecoder, lambda d: d.encoder_decoder(heads=2)),
    "classifier": (Classifier, lambda d: d.classifier(heads=2)),
}


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", DRAWS)
def test_what_goes_in_comes_out(kind, bias, affine):
    make, draw = DRAWS[kind]
    bundle = draw(Draw(1, bias, affine))
    wanted, got = flatten(bundle), state_arrays(make.from_params(bundle))
    assert set(got) == set(wanted)
    for name, array in wanted.items():
        np.testing.assert_array_equal(got[name], array, err_msg=name)
    assert flatten(unflatten(bundle, got)).keys() == wanted.keys()


def test_a_model_of_first_numbers_runs_in_the_reference():
    config = Config(8, 2, vocab_size=11, max_len=6, n_layers=2)
    model = EncoderDecoder(config).double()
    bundle = unflatten(reference.EncoderDecoderParams(config.encoder_params(), config.decoder_params(cross=True)), state_arrays(model))
    ids = np.array([[3, 1, 4], [1, 5, 9]])
    theirs = reference.encoder_decoder(ids, ids, bundle, config=config)
    np.testing.assert_allclose(model(torch.tensor(ids), torch.tensor(ids)).detach(), theirs, rtol=1e-10, atol=1e-10)


def test_norms_without_a_gain_learn_nothing():
    names = dict(Block.from_params(examples.PAIR_BLOCK).named_parameters())
    assert not [name for name in names if "norm" in name]
    half = replace(examples.PAIR_BLOCK, norms=(reference.LayerNormParams(gain=np.full(4, 2.0)), reference.LayerNormParams(bias=np.ones(4))))
    block = Block.from_params(half)
    assert {"norm1.gain", "norm2.bias"} < set(state_arrays(block)) and not {"norm1.bias", "norm2.gain"} & set(state_arrays(block))
    np.testing.assert_allclose(block(torch.tensor(examples.ROWS)).detach(), reference.block(examples.ROWS, half), atol=1e-12)


def test_every_learned_number_is_in_the_dictionary_once():
    model = EncoderDecoder(Config(8, 2, vocab_size=11, max_len=6, tie_embeddings=False))
    assert sum(a.size for a in state_arrays(model).values()) == sum(p.numel() for p in model.parameters())


def test_the_dictionary_is_a_copy_and_a_load_is_a_copy():
    block = Block.from_params(examples.PAIR_BLOCK)
    arrays = state_arrays(block)
    arrays["attention.output"][:] = 7
    assert not (state_arrays(block)["attention.output"] == 7).any()
    load_arrays(block, arrays)
    arrays["attention.output"][:] = 8
    assert (state_arrays(block)["attention.output"] == 7).all()


def test_bfloat16_comes_out_as_numbers_that_numpy_knows():
    arrays = state_arrays(Block.from_params(examples.PAIR_BLOCK, dtype=torch.bfloat16))
    assert all(a.dtype == np.float32 for a in arrays.values())
    np.testing.assert_array_equal(arrays["attention.head1.query"], examples.PAIR_HEAD.query)


@pytest.mark.parametrize(
    "spoil, message",
    [
        (lambda a: a.pop("attention.head1.key"), r"'attention.head1.key' is missing; the arrays are attention.head1.query, "),
        (lambda a: a.update({"attention.head2.key": np.eye(4)}), r"'attention.head2.key' is not known here; the arrays are "),
        (lambda a: a.update({"feed_forward.up": np.eye(3)}), r"feed_forward.up has the shape \(3, 3\); \(4, 4\) is wanted"),
    ],
)
def test_a_wrong_dictionary_is_refused_and_changes_nothing(spoil, message):
    block = Block.from_params(examples.PAIR_BLOCK)
    arrays = {name: array + 1 for name, array in state_arrays(block).items()}
    spoil(arrays)
    with pytest.raises(ValueError, match=message):
        load_arrays(block, arrays)
    np.testing.assert_array_equal(state_arrays(block)["attention.output"], np.eye(4))


@pytest.mark.parametrize(
    "replaced",
    [lambda layer: LoRALinear(layer, 1), QuantizedLinear, lambda layer: prune.identity(layer, "weight")],
    ids=["LoRA", "quantized", "pruned"],
)
def test_a_weight_that_is_computed_from_others_takes_no_numbers(replaced):
    block = replace_linear(Block.from_params(examples.PAIR_BLOCK), replaced)
    arrays = {name: array + 1 for name, array in state_arrays(block).items()}
    before = {name: tensor.clone() for name, tensor in block.state_dict().items()}
    with pytest.raises(ValueError, match=r"head1.query is computed from other numbers in each forward .*; load the arrays before you replace"):
        load_arrays(block, arrays)
    assert all(torch.equal(tensor, before[name]) for name, tensor in block.state_dict().items())


def test_a_stack_names_its_blocks_and_its_norm():
    draw = Draw(2)
    blocks, norm = [draw.block(4), draw.block(4, d_ff=5)], draw.norm(4)
    names = set(state_arrays(Stack.from_params(blocks, norm=norm)))
    assert names == {f"block{i}.{n}" for i, b in enumerate(blocks, 1) for n in flatten(b)} | {"norm.gain", "norm.bias"}


@pytest.mark.parametrize("config", [BlockConfig(), None])
def test_a_fault_of_the_library_is_not_told_as_one_of_the_params(config):
    class Broken(Block):
        def __init__(self, sizes, config=None):
            super().__init__(sizes, config)
            self.dropout = config_of(sizes, config).droput

    with pytest.raises(AttributeError, match="'BlockConfig' object has no attribute 'droput'"):
        Broken.from_params(examples.PAIR_BLOCK, config)
    with pytest.raises(ValueError, match="RNN takes other params: BlockConfig has no "):
        RNN.from_params(BlockConfig())
