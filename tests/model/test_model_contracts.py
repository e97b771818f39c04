"""Conventions of all modules: order of arguments, defaults, sizes that follow `replace`, and correct values in hooks."""

import inspect
from dataclasses import replace

import numpy as np
import pytest
import torch
from model_draws import Draw

from pencil import examples, model, reference
from pencil.model import masks, pooling, positions, recurrent, vision
from pencil.model.module import Module, config_of

FUNCTIONS = [
    model.attention, model.key_mask, positions.add_positions, positions.sinusoid, positions.sinusoidal, positions.apply_rope, positions.alibi,
    pooling.mean_pool, pooling.max_pool, pooling.first_token, pooling.last_token, vision.patchify, vision.prepend_class_token,
    vision.sinusoidal_2d, recurrent.rnn_step, recurrent.preactivation, recurrent.lstm_step, recurrent.Recurrent.final_hidden,
    recurrent.Bidirectional.final_hidden, model.EncoderDecoder.encode, model.Encoder.embed, masks.causal_mask,
]  # fmt: skip
FORWARDS = [thing.forward for name in model.__all__ if inspect.isclass(thing := getattr(model, name)) and issubclass(thing, Module)]
ORDER = [
    "mask",
    "bias",
    "memory",
    "memory_mask",
    "lengths",
    "start",
    "positions",
    "causal",
    "dropout",
    "cache",
    "layer_cache",
    "attn_context",
    "base",
    "note",
]
SETTINGS = {"width", "slope", "size"}  # numbers that have to be given, and by name: beside an array nobody could tell which is which


@pytest.mark.parametrize("function", FUNCTIONS + FORWARDS, ids=lambda function: function.__qualname__)
def test_what_may_be_left_out_is_given_by_name_and_the_note_stands_last(function):
    parameters = [p for name, p in inspect.signature(function).parameters.items() if name != "self"]
    named = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    for parameter in parameters:
        optional = parameter.default is not parameter.empty
        by_name = optional or parameter.name in SETTINGS
        assert by_name == (parameter.kind is parameter.KEYWORD_ONLY) or (function is masks.causal_mask and parameter.name == "keys")
    assert "note" not in named or named[-1] == "note"
    places = [ORDER.index(name) for name in named if name in ("mask", "bias", "memory", "memory_mask", "note")]
    assert places == sorted(places)


# ---- one default


def test_a_module_of_a_bundle_has_one_default_recipe_however_it_is_made():
    draw = Draw(0)
    made = [(model.Block, draw.block(4)), (model.Encoder, draw.encoder()), (model.Decoder, draw.decoder()), (model.Stack, [draw.block(4)])]
    for kind, bundle in [*made, (model.EncoderDecoder, draw.encoder_decoder()), (model.ViT, examples.LETTERS)]:
        drawn, carried = kind(bundle), kind.from_params(bundle)
        for module in (drawn, carried):
            norms = [part.eps for part in module.modules() if isinstance(part, model.LayerNorm)]
            bends = [part.activation for part in module.modules() if isinstance(part, model.FeedForward)]
            assert norms and set(norms) == {reference.BlockConfig().eps} and set(bends) == {torch.nn.functional.relu}


def test_a_config_says_how_its_blocks_compute():
    config = model.Config(4, vocab_size=5)
    for sizes in (config, (config, config)):
        assert config_of(sizes, None) is config
        with pytest.raises(ValueError, match="a Config and a config"):
            config_of(sizes, reference.BlockConfig())
    assert config_of(examples.PAIR_BLOCK, None) == reference.BlockConfig()
    assert model.Block(config).norm1.eps == model.EncoderDecoder(config).decoder.stack.norm.eps == 1e-5


# ---- sizes


def test_what_was_not_given_follows_the_sizes_that_it_comes_from():
    wide = replace(model.Config(64, n_heads=4), d_model=128)
    assert (wide.key_dim, wide.value_dim, wide.feedforward_dim, wide.memory_dim, wide.head_hidden_dim, wide.rnn_hidden_dim) == (
        32,
        32,
        512,
        128,
        128,
        128,
    )
    assert wide == model.Config(128, n_heads=4)
    assert replace(wide, n_heads=8).key_dim == 16 and replace(wide, d_k=5).value_dim == 5
    block = model.Block(wide)
    assert block.attention.d_k == 32 and block.feed_forward.up.out_features == 512
    with pytest.raises(ValueError, match="d_model=10 does not split into n_heads=4; try 2 or 5"):
        replace(model.Config(64, n_heads=4), d_model=10)


def test_what_was_given_stays():
    given = {"d_k": 3, "d_v": 5, "d_ff": 7, "d_memory": 9, "head_hidden_size": 11, "hidden_size": 13}
    wide = replace(model.Config(64, n_heads=4, **given), d_model=128)
    assert (wide.key_dim, wide.value_dim, wide.feedforward_dim, wide.memory_dim, wide.head_hidden_dim, wide.rnn_hidden_dim) == tuple(given.values())


# ---- hooks


@pytest.mark.parametrize("activation", [reference.relu, reference.gelu, reference.gelu_erf])
@pytest.mark.parametrize("slopes", [True, False])
def test_a_hook_sees_the_numbers_that_the_layer_gave(activation, slopes):
    worker = model.FeedForward(model.Config(4, activation=activation))
    rows, seen = torch.randn(3, 4), []
    listener = torch.nn.modules.module.register_module_forward_hook(lambda part, given, out: seen.append(out) if part is worker.up else None)
    try:
        with torch.set_grad_enabled(slopes):
            worker(rows)
    finally:
        listener.remove()
    assert torch.equal(seen[0], torch.nn.functional.linear(rows, worker.up.weight, worker.up.bias))


def test_attention_takes_a_bias_by_a_note_or_in_its_mask():
    rows = torch.randn(3, 4, dtype=torch.float64)
    pushed = model.attention(rows, rows, rows, score_mod=lambda scaled, note: note("biased", scaled + 1), note={}.setdefault)
    np.testing.assert_allclose(pushed, model.attention(rows, rows, rows, mask=torch.ones(3, 3, dtype=torch.float64)))
    with pytest.raises(ValueError, match="a score_mod and no note: add its numbers to the scores by the mask, or give a note"):
        model.attention(rows, rows, rows, score_mod=lambda scaled, note: scaled)


def test_every_module_is_made_of_a_config_or_of_params():
    config = model.Config(6, head_hidden_size=3)
    assert model.MLPHead(config)(torch.ones(2, 6)).shape == (2, 1)
    norm = model.LayerNorm(config)
    assert norm.eps == config.eps and norm(torch.randn(2, 6)).shape == (2, 6)
    params = reference.LayerNormParams(gain=np.full(6, 2.0))
    rows = np.arange(6.0)[None]
    np.testing.assert_allclose(model.LayerNorm.from_params(params)(torch.tensor(rows)).detach(), reference.layer_norm(rows, norm=params))
    with pytest.raises(ValueError, match="params without a gain and a bias do not say how wide a row is; give the LayerNorm a width"):
        model.LayerNorm(reference.LayerNormParams())
    with pytest.raises(ValueError, match="the gain is 6 wide, and a row is 4"):
        model.LayerNorm(params, width=4)


def test_an_encoder_decoder_is_made_of_a_list_of_configs_too():
    config = model.Config(4, vocab_size=5)
    assert model.EncoderDecoder([config, config])(torch.tensor([1, 2]), torch.tensor([3])).shape == (1, 5)


@pytest.mark.parametrize("pool", sorted(pooling.POOLS))
def test_a_text_of_padding_only_has_a_finite_logit_where_nobody_may_look(pool, monkeypatch):
    for module in ("masks", "classify"):
        monkeypatch.setattr(f"pencil.model.{module}.can_inspect", lambda mask: False)
    ids = torch.tensor([[0, 0], [1, 2]])
    config = model.Config(4, vocab_size=5)
    assert model.Classifier(config, pool=pool)(ids).isfinite().all() and model.RNNClassifier(config)(ids).isfinite().all()
    pooled = pooling.POOLS[pool](torch.zeros(1, 2, 4), mask=torch.tensor([[False, False]]))
    assert torch.equal(pooled, torch.zeros(1, 4))


def test_a_config_prints_what_differs_from_the_defaults():
    assert repr(model.Config(8, 2)) == "Config(d_model=8, n_heads=2)"
    small = model.Config.llama(8, 2, position_encoding=reference.Alibi(), n_layers=3)
    assert repr(small) == (
        "Config(d_model=8, n_heads=2, n_layers=3, bias=False, norm_bias=False, gated=True, tie_embeddings=False, "
        "eps=1e-06, activation=silu, position_encoding=Alibi(positions=None, slope=0.00390625), norm=rms_norm)"
    )
