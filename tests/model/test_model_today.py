"""Sinks, the gate behind attention and latent attention in torch: verified under a trace, what their cache holds, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from model_draws import close

from pencil import reference as ref
from pencil.model import Block, Cache, Config, Decoder, Encoder, LatentAttention, MultiHeadAttention, RingCache, attention, generate, verify
from pencil.params import map_arrays
from pencil.trace import Trace

SMALL = Config(6, 2, n_layers=2, vocab_size=7, softmax=ref.stable_softmax)
LATENT = replace(SMALL, latent_dim=3, rope_dim=2, query_latent_dim=4, position_encoding=ref.Rotary(), norm=ref.rms_norm, norm_bias=False)
YARN = ref.Rotary(base=100.0, scaling=ref.YarnScaling(4.0, 8))
KINDS = {
    "sinks": replace(SMALL, sinks=True),
    "sinks, shared": replace(SMALL, n_heads=4, d_k=2, n_kv_heads=2, sinks=True, position_encoding=ref.Alibi()),
    "gate": replace(SMALL, gated_attention=True),
    "latent": LATENT,
    "window": replace(SMALL, window=2, window_layers=(2,), layers_without_positions=(1,), position_encoding=ref.Alibi()),
    "window, latent": replace(LATENT, window=3),
    "two rotary bases": replace(SMALL, d_k=2, window=2, window_layers=(2,), window_position_encoding=ref.Rotary(base=9.0), position_encoding=YARN),
    "sandwich": replace(SMALL, sandwich_norm=True, scale_embeddings=True, score_width=3),
    "sandwich, Post-LN, latent": replace(LATENT, sandwich_norm=True, norm_first=False, score_width=0.5),
    "streams": replace(SMALL, n_streams=2, norm=ref.rms_norm, norm_bias=False, sinkhorn_iterations=3),
    "latent, nothing turned": replace(LATENT, rope_dim=None, position_encoding=None, query_latent_dim=None, n_heads=1),
}

ENCODINGS = ("position_encoding", "window_position_encoding")


def filled(params):
    rng = np.random.default_rng(1)
    return map_arrays(params, lambda _, array: rng.normal(size=np.shape(array)) / np.sqrt(np.shape(array)[-1]))


def traced(config, trace, tokens):
    """The description with positions that the trace knows."""
    if config.position_encoding is None:
        return config
    positions = trace.given("positions", np.arange(float(tokens)))
    own = {name: encoding for name in ENCODINGS if (encoding := getattr(config, name)) is not None}
    return replace(config, **{name: replace(encoding, positions=positions) for name, encoding in own.items()})


@pytest.mark.parametrize("config", KINDS.values(), ids=list(KINDS))
@pytest.mark.parametrize("masked", [False, True])
def test_it_has_the_numbers_of_the_reference_in_every_way_to_run_it(config, masked):
    params, trace = filled(config.block_params()), Trace()
    config = traced(config, trace, 4)
    mask = {"mask": ref.causal_mask(4)} if masked else {}
    x = trace.given("x", np.random.default_rng(2).normal(size=(4, 6 * (config.n_streams or 1))))
    ref.block(x, trace.given_each("params", params), config=config, **mask, note=trace)
    agreed = verify(trace, Block.from_params(params, config), **mask)
    wanted = "attn_gate" if config.gated_attention else "latent" if config.latent_dim else "head1.weights"
    assert wanted in agreed.names


@pytest.mark.parametrize("config", KINDS.values(), ids=list(KINDS))
def test_a_decoder_and_its_cache(config):
    params, ids = filled(config.decoder_params()), np.array([3, 1, 4, 1, 5])
    trace = Trace()
    config = traced(config, trace, len(ids))
    ref.decoder(ids, trace.given_each("params", params), config=config, note=trace)
    agreed = verify(trace, Decoder.from_params(params, config), ids=ids)
    assert any("cache" in run for run in agreed.runs)


def test_the_cache_holds_the_latent_and_the_rotated_key_alone():
    model, cache = Decoder(LATENT).eval(), Cache()
    model(torch.tensor([[1, 2, 3]]), cache=cache)
    layer = cache.layer(1)
    assert layer.value.shape == (1, 1, 3, 3) and layer.key.shape == (1, 1, 3, 2)  # one row of d_c and one of d_r, for both heads
    usual, cache = Decoder(SMALL).eval(), Cache()
    usual(torch.tensor([[1, 2, 3]]), cache=cache)
    assert cache.layer(1).value.shape == cache.layer(1).key.shape == (1, 2, 3, 3)


def test_a_sink_beside_torch_itself():
    query, key, value = (torch.randn(2, 3, 4, 5, dtype=torch.float64) for _ in range(3))
    sink = torch.randn(3, 1, 1, dtype=torch.float64)
    scores = torch.cat([query @ key.mT / 5**0.5, sink.expand(2, 3, 4, 1)], -1)
    close(attention(query, key, value, sink=sink), scores.softmax(-1)[..., :-1] @ value)
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    wanted = attention(query, key, value, sink=sink, mask=causal)
    close(attention(query, key, value, sink=sink, causal=True), wanted)
    close(attention(query, key, value, sink=sink, mask=torch.zeros(4, 4, dtype=torch.float64).masked_fill(~causal, -torch.inf)), wanted)
    for low in (torch.float32, torch.bfloat16):
        assert attention(*(part.to(low) for part in (query, key, value)), sink=sink.to(low), causal=True).dtype is low


@pytest.mark.parametrize("window", [1, 2, 3, 9])
def test_a_window_is_the_mask_of_the_reference_in_each_layer_that_has_it(window):
    params, ids = filled(SMALL.decoder_params()), np.array([3, 1, 4, 1, 5, 2])
    everywhere, second = replace(SMALL, window=window), replace(SMALL, window=window, window_layers=(2,))
    x = ref.embed(ids, params.embedding)
    for config, masks in ((everywhere, (window, window)), (second, (None, window))):
        rows = x
        for block, width in zip(params.blocks, masks, strict=True):
            rows = ref.block(rows, block, config=SMALL, mask=ref.causal_mask(6, window=width))
        wanted = ref.unembed(ref.layer_norm(rows, norm=params.norm, eps=SMALL.eps), params)
        close(Decoder.from_params(params, config)(torch.tensor(ids)), wanted)
        close(ref.decoder(ids, params, config=config), wanted)


@pytest.mark.parametrize("own", [{}, {"sinks": True}, {"gated_attention": True}], ids=str)
def test_an_encoder_has_a_window_too(own):
    config = Config.bert(6, 2, n_layers=2, vocab_size=7, max_len=6, softmax=ref.stable_softmax, window=2, **own)
    params, ids = filled(config.encoder_params()), np.array([[3, 1, 4, 1, 5, 2], [6, 2, 5, 0, 0, 0]])
    wanted = ref.encoder(ids, params, config=config)
    close(Encoder.from_params(params, config)(torch.tensor(ids))[torch.tensor(ids > 0)], wanted[ids > 0])
    assert not np.allclose(wanted[0], ref.encoder(ids, params, config=replace(config, window=None))[0])


def test_a_ring_as_long_as_the_window_holds_all_that_it_sees():
    config, ids = replace(SMALL, window=3, position_encoding=ref.Alibi()), torch.tensor([[3, 1, 4, 1, 5, 2, 6]])
    model = Decoder.from_params(filled(config.decoder_params()), config).eval()
    for cache in (RingCache(3), Cache(7), Cache()):
        with torch.no_grad():
            close(torch.cat([model(ids[:, k : k + 1], cache=cache) for k in range(7)], 1), model(ids))


def test_padding_takes_no_place_in_a_window():
    config = replace(SMALL, window=2, position_encoding=ref.Alibi())
    model = Decoder.from_params(filled(config.decoder_params()), config).eval()
    prompts = [[3, 1, 4, 1], [5], [2, 6]]
    alone = [generate(model, [prompt], max_new_tokens=5, temperature=0)[0] for prompt in prompts]
    assert generate(model, prompts, max_new_tokens=5, temperature=0) == alone


def test_layers_without_positions_do_not_rotate():
    config = replace(SMALL, d_k=2, position_encoding=ref.Rotary(), layers_without_positions=(1,))
    named = {}
    Decoder(config).eval()(torch.tensor([1, 2, 3]), note=lambda name, value: named.setdefault(name, value))
    assert "block2.head1.query.rotated" in named and "block1.head1.query.rotated" not in named


def test_new_sinks_are_scores_of_zero():
    assert MultiHeadAttention(KINDS["sinks"]).sinks.tolist() == [0, 0]


@pytest.mark.parametrize(
    "change, says",
    [
        ({"rope_dim": 2}, "rope_dim=2 and no latent_dim"),
        ({"query_latent_dim": 2}, "query_latent_dim=2 and no latent_dim"),
        ({"latent_dim": 3, "sinks": True}, "latent_dim=3 and sinks=True: latent attention does not have it"),
        ({"latent_dim": 3, "n_kv_heads": 1}, "latent_dim=3 and n_kv_heads=1"),
        ({"latent_dim": 3, "qk_norm": True}, "qk_norm=True"),
        ({"latent_dim": 3, "qkv_bias": True}, "qkv_bias=True"),
        ({"latent_dim": 3, "gated_attention": True}, "gated_attention=True"),
        ({"latent_dim": 3, "position_encoding": ref.Rotary()}, "without a rope_dim"),
        ({"latent_dim": 3, "rope_dim": 3, "position_encoding": ref.Rotary()}, "rope_dim=3; take 4"),
        ({"latent_dim": 0}, "latent_dim=0; a size is at least 1"),
        ({"latent_dim": True}, "latent_dim=True is a bool"),
        ({"sinks": 1}, "sinks=1 is a int; it is True or False"),
        ({"window": 0}, "window=0; a size is at least 1"),
        ({"window": 2.0}, "window=2.0 is a float"),
        ({"window_layers": (1,)}, "and no window; say how many tokens it has"),
        ({"window": 2, "window_layers": [1]}, "give a tuple of the layers' numbers, from 1 on"),
        ({"window": 2, "window_layers": (0,)}, "give a tuple of the layers' numbers, from 1 on"),
        ({"layers_without_positions": (True,)}, "layers_without_positions=.* give a tuple"),
        ({"layers_without_positions": (1, 3)}, "and n_layers=2; there is no such layer"),
        ({"layers_without_positions": None}, "layers_without_positions=None; give a tuple"),
        ({"window_position_encoding": ref.Rotary()}, "and no window; say how many tokens it has"),
        ({"window": 2, "window_position_encoding": ref.Rotary}, "window_position_encoding=Rotary is the class"),
        ({"window": 2, "window_position_encoding": ref.Rotary(), "latent_dim": 3}, "without a rope_dim"),
        ({"score_width": 0}, "score_width=0"),
        ({"scale_embeddings": 1}, "scale_embeddings=1; take True or False"),
        ({"sandwich_norm": None}, "sandwich_norm=None is a NoneType"),
        ({"n_streams": 0}, "n_streams=0; a size is at least 1"),
        ({"n_streams": 2, "norm_first": False}, "n_streams=2 and norm_first=False: hyper-connections add no sum"),
        ({"sinkhorn_iterations": 0}, "sinkhorn_iterations=0; a size is at least 1"),
    ],
)
def test_a_description_that_cannot_be_run_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        replace(SMALL, **change)


@pytest.mark.parametrize("change, name", [({"sandwich_norm": True}, "sandwich_norms"), ({"n_streams": 1}, "hyper_connections")])
def test_a_block_needs_one_of_each_for_every_sublayer(change, name):
    params = filled(replace(SMALL, **change).block_params())
    short = replace(params, **{name: getattr(params, name)[:1]})
    for run in (lambda: ref.block(np.ones((2, 6)), short, config=SMALL), lambda: Block.from_params(short, SMALL)):
        with pytest.raises(ValueError, match=f"1 {name.replace('_', ' ')} for 2 sublayers"):
            run()


def test_streams_are_those_of_the_block_before_and_a_plain_one_is_the_residual_connection():
    config = replace(SMALL, n_streams=2)
    params, x = filled(config.block_params()), np.random.default_rng(3).normal(size=(4, 6))
    with pytest.raises(ValueError, match="hyper-connections and start=2"):
        ref.stack(x, [params], start=2, config=config)
    post = replace(SMALL, norm_first=False)
    for run in (lambda: ref.block(np.ones((2, 12)), params, config=post), lambda: Block.from_params(params, post)):
        with pytest.raises(ValueError, match="hyper-connections and norm_first=False"):
            run()
    # one stream that is read and written whole (a sigmoid of 1, twice one of 1/2) is a residual connection
    plain = ref.HyperConnectionParams(*(np.zeros((1, 6)),) * 3, np.array([800.0]), np.zeros(1), np.zeros(1))
    one = replace(params, hyper_connections=(plain, plain))
    close(ref.stack(x, [one, one], config=config), ref.stack(x, [replace(one, hyper_connections=())] * 2, config=config))


def test_layers_with_the_window_have_a_position_encoding_of_their_own():
    near, far = ref.Rotary(base=9.0), ref.Alibi()
    config = replace(
        SMALL, n_layers=3, window=2, window_layers=(1, 3), position_encoding=far, window_position_encoding=near, layers_without_positions=(3,)
    )
    layers = [config.of_layer(i) for i in (1, 2, 3)]
    assert [(one.window, one.position_encoding) for one in layers] == [(2, near), (None, far), (2, None)]
    everywhere = replace(config, window_layers=None, layers_without_positions=())
    assert {everywhere.of_layer(i).position_encoding for i in (1, 2, 3)} == {near}


def test_embeddings_are_scaled_before_the_positions_are_added():
    config, named = Config(4, vocab_size=3, max_len=2, scale_embeddings=True), {}
    params = filled(config.decoder_params())
    ref.decoder(np.array([2, 1]), params, config=config, note=named.setdefault)
    close(named["x"], 2 * params.embedding[[2, 1]] + params.positions)


def test_params_that_torch_cannot_hold_are_refused():
    params = filled(LATENT.attention_params())
    one, other = params.heads
    for change, says in (
        ({"heads": (one, replace(other, value=other.value[:1]))}, r"head2.value is \(1, 3\) and head1.value \(3, 3\)"),
        ({"heads": (replace(one, key=one.key[:, :2]), replace(other, key=other.key[:, :2]))}, "the latent is 3 wide"),
        ({"output": params.output[:, :5]}, "the concatenation of the heads is 6 wide"),
        ({"query_down": params.query_down[:3]}, "what the queries are made from is 3 wide"),
        ({"rotary_key": params.rotary_key[:, :4]}, "the row is 6 wide"),
        ({"heads": ()}, "no heads"),
    ):
        with pytest.raises(ValueError, match=says):
            LatentAttention.from_params(replace(params, **change), LATENT)
    with pytest.raises(ValueError, match="the latent's weight reads rows of 6"):
        LatentAttention(LATENT)(torch.zeros(2, 5))
    with pytest.raises(ValueError, match="sinks has the shape"):
        MultiHeadAttention.from_params(replace(filled(SMALL.attention_params()), sinks=np.zeros(1)))
