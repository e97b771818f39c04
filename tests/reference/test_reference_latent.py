"""Sinks, the gate behind attention, and latent attention: what each is, against torch and plain sums, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from pencil.reference import (
    Alibi,
    AttentionParams,
    LatentAttentionParams,
    LayerNormParams,
    QKVParams,
    Rotary,
    attention,
    causal_mask,
    latent_attention,
    multi_head_attention,
    rms_norm,
    softmax,
    stable_softmax,
)
from pencil.trace import Trace


def draw(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def layer(heads=2, d=4, d_k=3, d_v=2, **more):
    made = tuple(QKVParams(draw(d_k, d, seed=h), draw(d_k, d, seed=h + 9), draw(d_v, d, seed=h)) for h in range(heads))
    return AttentionParams(made, draw(d, heads * d_v), **more)


def latent_layer(heads=2, d=5, d_k=3, d_v=2, d_c=4, d_r=2, d_q=None, **more):
    query = (d_k + d_r, d_q or d)
    made = tuple(QKVParams(draw(*query, seed=h), draw(d_k, d_c, seed=h), draw(d_v, d_c, seed=h + 9)) for h in range(heads))
    short = {"query_down": draw(d_q, d), "query_norm": LayerNormParams(draw(d_q))} if d_q else {}
    return LatentAttentionParams(made, draw(d_c, d), draw(d, heads * d_v), rotary_key=draw(d_r, d) if d_r else None, **short | more)


@pytest.mark.parametrize("function", [softmax, stable_softmax])
@pytest.mark.parametrize("sink", [-3.0, 0.0, 2.5])
def test_a_sink_is_one_more_score_whose_weight_is_dropped(function, sink):
    scores = draw(2, 3, 5)
    wanted = torch.tensor(np.concatenate([scores, np.full((2, 3, 1), sink)], -1)).softmax(-1)[..., :-1]
    ours = function(scores, sink=np.float64(sink))
    np.testing.assert_allclose(ours, wanted, rtol=1e-13)
    assert (ours.sum(-1) < 1).all()


def test_a_sink_takes_as_much_as_an_equal_score():
    assert softmax(np.zeros((1, 3)), sink=np.float64(0)).tolist() == [[0.25, 0.25, 0.25]]
    assert attention(np.ones((1, 1)), np.ones((1, 1)), np.full((1, 1), 8.0), sink=np.float64(1)).tolist() == [[4]]


def test_great_sinks_need_the_stable_form():
    with pytest.raises(ValueError, match="is more than a float holds"):
        softmax(np.zeros((1, 2)), sink=np.float64(800))
    assert stable_softmax(np.zeros((1, 2)), sink=np.float64(800)).tolist() == [[0, 0]]
    with pytest.raises(ValueError, match=r"sink.* is NaN"):
        softmax(np.zeros((1, 2)), sink=np.float64("nan"))


def test_each_head_has_its_sink_and_none_is_far_below():
    x, plain = draw(3, 4), layer()
    for sinks, same in (([-60.0, -60.0], True), ([-60.0, 1.0], False), ([1.0, -60.0], False)):
        close = np.allclose(multi_head_attention(x, replace(plain, sinks=np.array(sinks))), multi_head_attention(x, plain), atol=1e-12)
        assert close == same
    named = {}
    multi_head_attention(x, replace(plain, sinks=np.array([0.0, -60.0])), note=lambda name, value: named.setdefault(name, value))
    assert (named["head1.weights"].sum(-1) < 1 - 1e-9).all() and np.allclose(named["head2.weights"].sum(-1), 1)


def test_the_gate_multiplies_what_the_heads_found():
    x, plain = draw(3, 4), layer()
    half, open_gate = np.zeros((4, 4)), np.full(4, 50.0)
    np.testing.assert_allclose(multi_head_attention(x, replace(plain, gate=half)), multi_head_attention(x, plain) / 2, rtol=1e-12)
    with_bias = replace(plain, gate=half, gate_bias=open_gate)
    np.testing.assert_allclose(multi_head_attention(x, with_bias), multi_head_attention(x, plain), rtol=1e-12)
    gate, named = draw(4, 4), {}
    multi_head_attention(x, replace(plain, gate=gate), note=lambda name, value: named.setdefault(name, value))
    wanted = named["concat"] / (1 + np.exp(-(x @ gate.T)))
    np.testing.assert_allclose(named["gated_concat"], wanted, rtol=1e-12)
    np.testing.assert_allclose(named["attn_out"], wanted @ plain.output.T, rtol=1e-12)


@pytest.mark.parametrize("sizes", [{}, {"heads": 1}, {"d_r": 0}, {"d_q": 3}, {"heads": 3, "d_k": 1, "d_v": 5, "d_c": 2, "d_r": 4}], ids=str)
@pytest.mark.parametrize("encoding", [None, Rotary(), Alibi()], ids=str)
def test_both_forms_of_latent_attention_are_equal(sizes, encoding):
    if isinstance(encoding, Rotary) and sizes.get("d_r") == 0:
        return
    params = latent_layer(**sizes, norm=LayerNormParams(draw(sizes.get("d_c", 4))))
    x, options = draw(2, 6, 5), {"mask": causal_mask(6), "position_encoding": encoding, "norm": rms_norm, "softmax": stable_softmax}
    named, short = {}, {}
    expanded = latent_attention(x, params, **options, note=lambda name, value: named.setdefault(name, value))
    absorbed = latent_attention(x, params, absorbed=True, **options, note=lambda name, value: short.setdefault(name, value))
    np.testing.assert_allclose(absorbed, expanded, rtol=1e-10, atol=1e-12)
    one = "" if sizes.get("heads") == 1 else "head1."
    for name in ("scaled", "weights"):
        np.testing.assert_allclose(short[f"{one}short.{name}"], named[one + name], rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(short[f"{one}context"], named[f"{one}context"], rtol=1e-10, atol=1e-12)
    assert f"{one}key" in named and f"{one}key" not in short and f"{one}value" not in short  # no key and no value is made


def test_both_forms_are_equal_to_the_last_digit_in_whole_numbers():
    whole = np.random.default_rng(0).integers(-3, 4, (2, 40)).astype(float)
    head = QKVParams(whole[0, :8].reshape(4, 2), whole[0, 8:14].reshape(2, 3), whole[0, 14:20].reshape(2, 3))
    params = LatentAttentionParams((head,), whole[0, 20:26].reshape(3, 2), np.eye(2), rotary_key=whole[0, 26:30].reshape(2, 2))
    x, named, short = whole[1, :6].reshape(3, 2), {}, {}
    for absorbed, kept in ((False, named), (True, short)):
        latent_attention(x, params, absorbed=absorbed, note=lambda name, value, kept=kept: kept.setdefault(name, value), softmax=stable_softmax)
    assert named["scores"].tolist() == short["short.scores"].tolist() and np.abs(named["scores"]).max() > 1


def test_latent_attention_is_attention_of_what_is_made():
    params, x = latent_layer(d_r=0), draw(4, 5)
    latent = x @ params.down.T
    contexts = [attention(x @ head.query.T, latent @ head.key.T, latent @ head.value.T) for head in params.heads]
    np.testing.assert_allclose(latent_attention(x, params), np.concatenate(contexts, -1) @ params.output.T, rtol=1e-12)


def test_the_rotated_part_alone_knows_positions():
    x, params = np.tile(draw(1, 5), (4, 1)), latent_layer()
    named = {}
    latent_attention(x, params, position_encoding=Rotary(), note=lambda name, value: named.setdefault(name, value))
    assert np.ptp(named["head1.key"], 0).max() < 1e-12 < np.ptp(named["head1.key.rotated"], 0).max()
    assert named["head1.scaled"].shape == (4, 4) and np.ptp(np.diag(named["head1.scaled"])) < 1e-12  # only distances count
    assert "head2.key.rotated" not in named  # one for all heads


def test_a_trace_follows_each_of_them():
    x = draw(3, 4)
    for params in (layer(sinks=draw(2), gate=draw(4, 4)), latent_layer(d=4)):
        trace = Trace()
        rows, made = trace.given("x", x, words=["the", "cat", "sat"]), trace.given_each("params", params)
        latent = isinstance(params, LatentAttentionParams)
        out = (latent_attention if latent else multi_head_attention)(rows, made, note=trace)
        np.testing.assert_allclose(out.exact.astype(float), (latent_attention if latent else multi_head_attention)(x, params), rtol=1e-12)


@pytest.mark.parametrize(
    "change, says",
    [
        ({"heads": ()}, "no heads"),
        ({"heads": (QKVParams(np.ones((5, 5))),)}, "head1 has no key or no value; in latent attention each head makes its own"),
        (
            {"heads": (QKVParams(np.ones((4, 5)), np.ones((3, 4)), np.ones((2, 4))),)},
            "head1.query makes 4 numbers, and key and rotary key together 5",
        ),
        ({"heads": (QKVParams(np.ones((5, 5)), np.ones((3, 4)), np.ones((2, 4)), np.ones(5)),)}, "head1 has a bias"),
        ({"heads": (QKVParams(np.ones((5, 5)), np.ones((3, 3)), np.ones((2, 4))),)}, "d_c is 4"),
        ({"rotary_key": np.ones((2, 3))}, "d_model is 5"),
        ({"rotary_key": None}, "head1.query makes 5 numbers"),
    ],
)
def test_what_latent_attention_does_not_have_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        latent_attention(draw(3, 5), replace(latent_layer(heads=1), **change))


def test_rotary_needs_a_part_to_turn():
    with pytest.raises(ValueError, match=r"Rotary turns the rotary key, and there is none; .* rope_dim"):
        latent_attention(draw(3, 5), latent_layer(d_r=0), position_encoding=Rotary())


def test_sinks_and_gates_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="3 sinks for 2 heads; give each head one"):
        multi_head_attention(draw(3, 4), layer(sinks=np.zeros(3)))
    with pytest.raises(ValueError, match="a gate_bias and no gate"):
        multi_head_attention(draw(3, 4), layer(gate_bias=np.zeros(4)))
    with pytest.raises(ValueError, match="d_concat is 4"):
        multi_head_attention(draw(3, 4), layer(gate=np.zeros((3, 4))))
