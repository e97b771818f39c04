"""RMSNorm, SiLU, the gated network, grouped-query attention, QK norm and the window, against torch."""

from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from pencil.reference import (
    AttentionParams,
    FeedForwardParams,
    LayerNormParams,
    QKVParams,
    Rotary,
    attention,
    causal_mask,
    feed_forward,
    multi_head_attention,
    rms_norm,
    silu,
)


def draw(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


@pytest.mark.parametrize("eps", [0.0, 1e-6, 0.5])
@pytest.mark.parametrize("width", [1, 2, 7])
def test_rms_norm_is_that_of_torch(width, eps):
    x, gain = draw(2, 3, width), draw(width)
    ours = rms_norm(x, norm=LayerNormParams(gain), eps=eps)
    np.testing.assert_allclose(ours, F.rms_norm(torch.tensor(x), (width,), torch.tensor(gain), eps), rtol=1e-12)


def test_the_middle_is_not_taken_and_the_scale_is():
    assert rms_norm(np.array([1.0, 7, 1, 7])).tolist() == [0.2, 1.4, 0.2, 1.4]
    assert rms_norm(np.array([10.0, 70, 10, 70])).tolist() == [0.2, 1.4, 0.2, 1.4]
    assert rms_norm(np.array([2.0, 8, 2, 8]))[0] != 0.2


def test_rms_norm_refuses_a_bias_and_a_row_of_zeros():
    with pytest.raises(ValueError, match="RMSNorm has a gain and no bias"):
        rms_norm(np.ones(3), norm=LayerNormParams(np.ones(3), np.ones(3)))
    with pytest.raises(ValueError, match="a row of zeros"):
        rms_norm(np.zeros((1, 3)))
    assert rms_norm(np.zeros((1, 3)), eps=1e-6).tolist() == [[0, 0, 0]]


def test_rms_norm_refuses_rows_whose_squares_no_float_holds():
    for x in (np.array([1e200, 1]), np.array([1, 1e20], np.float32), np.array([1.0, -1.3e154, 1.3e154])):
        with pytest.raises(ValueError, match="are more than a float holds"):
            rms_norm(x)
    np.testing.assert_allclose(rms_norm(np.array([6e153, 6e153])), [1, 1])
    for x in (np.array([1e-200, 2e-200]), np.array([1e-30, 2e-30], np.float32)):
        with pytest.raises(ValueError, match=r"come to 0\.0, less than a float holds"):
            rms_norm(x)
    with pytest.raises(ValueError, match=r"eps=-9\.0; give it a finite number, 0 or more"):
        rms_norm(np.ones(3), eps=-9)


def test_silu_is_that_of_torch():
    x = np.array([-800.0, -3, -1, 0, 1, 3, 800])
    np.testing.assert_allclose(silu(x), F.silu(torch.tensor(x)), rtol=1e-12, atol=1e-300)


def test_a_gate_multiplies_what_passes():
    x, up, gate, down = draw(4, 3), draw(5, 3), draw(5, 3, seed=1), draw(3, 5)
    biases = {"up_bias": draw(5, seed=2), "gate_bias": draw(5, seed=3), "down_bias": draw(3)}
    ours = feed_forward(x, FeedForwardParams(up, down, gate=gate, **biases), activation=silu)
    wide, open_ = x @ up.T + biases["up_bias"], x @ gate.T + biases["gate_bias"]
    np.testing.assert_allclose(ours, (F.silu(torch.tensor(open_)).numpy() * wide) @ down.T + biases["down_bias"], rtol=1e-12)
    with pytest.raises(ValueError, match="d_ff"):
        feed_forward(x, FeedForwardParams(up, down, gate=gate[:4]), activation=silu)


def grouped(heads, pairs, width=6, d_k=4):
    own = [draw(d_k, width, seed=k) for k in range(2 * pairs)]
    parts = []
    for h in range(heads):
        k, rest = divmod(h * pairs, heads)
        parts.append(QKVParams(draw(d_k, width, seed=90 + h), *([] if rest else own[2 * k : 2 * k + 2])))
    return AttentionParams(tuple(parts), draw(width, heads * d_k))


@pytest.mark.parametrize("heads, pairs", [(2, 1), (4, 2), (6, 3), (3, 3)])
def test_a_head_without_a_key_uses_that_of_the_head_before_it(heads, pairs):
    params, x, noted = grouped(heads, pairs), draw(5, 6), {}
    ours = multi_head_attention(x, params, mask=causal_mask(5), position_encoding=Rotary(), note=noted.setdefault)
    filled, last = [], None
    for head in params.heads:
        last = head if head.key is not None else last
        filled.append(replace(head, key=last.key, value=last.value))
    repeated = multi_head_attention(x, replace(params, heads=tuple(filled)), mask=causal_mask(5), position_encoding=Rotary())
    np.testing.assert_allclose(ours, repeated, rtol=1e-12)
    assert sum(name.endswith(".key") for name in noted) == sum(name.endswith(".key.rotated") for name in noted) == pairs


def test_shared_pairs_are_those_of_sdpa():
    query, key, value = draw(4, 5, 3), draw(2, 5, 3), draw(2, 5, 3, seed=1)
    theirs = F.scaled_dot_product_attention(*map(torch.tensor, (query, key, value)), enable_gqa=True)
    for h in range(4):
        np.testing.assert_allclose(attention(query[h], key[h // 2], value[h // 2]), theirs[h], rtol=1e-10)


def test_qk_norm_tames_before_the_turn():
    params, x, noted = grouped(2, 1), draw(3, 6), {}
    tamed = replace(params, query_norm=LayerNormParams(), key_norm=LayerNormParams(np.full(4, 2.0)))
    multi_head_attention(x, tamed, position_encoding=Rotary(), qk_norm=rms_norm, note=noted.setdefault)
    for name in ("head1.query.rotated", "head2.query.rotated"):  # a turn leaves lengths as they are
        np.testing.assert_allclose(np.square(noted[name]).mean(-1), 1, rtol=1e-12)
    np.testing.assert_allclose(np.square(noted["head1.key.rotated"]).mean(-1), 4, rtol=1e-12)


def test_what_cannot_be_shared_is_refused():
    params = grouped(2, 1)
    with pytest.raises(ValueError, match="first head has no key"):
        multi_head_attention(draw(3, 6), replace(params, heads=params.heads[::-1]))
    with pytest.raises(ValueError, match="a key or a value, and not the other"):
        multi_head_attention(draw(3, 6), replace(params, heads=(replace(params.heads[0], value=None), params.heads[1])))
    with pytest.raises(ValueError, match="has a bias for them, which nothing would add"):
        multi_head_attention(draw(3, 6), replace(params, heads=(params.heads[0], replace(params.heads[1], key_bias=np.ones(4)))))


def test_a_window_is_a_band():
    assert causal_mask(4, window=2).astype(int).tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    assert (causal_mask(4, window=4) == causal_mask(4)).all() and (causal_mask(3, window=1) == np.eye(3, dtype=bool)).all()
    with pytest.raises(ValueError, match="window=0"):
        causal_mask(3, window=0)
