"""The slides' two machines, one head of width 50 and ten of width 5, against torch: nn.MultiheadAttention and its function.

Random grids as the slides draw them (scores up to 50, nearly one share a row) and as a layer starts. In float64 within 1e-10, every
head's shares and the output; and the head twice, given the same dials, stays the same twice through training.
"""

from functools import partial

import numpy as np
import pytest
import torch
from agree import assert_close, assert_reference_agrees
from pairs import DOUBLE, Pair, draw, leaf, shares, torch_attention
from torch import nn
from torch.nn import functional

from pencil.experiments.facts import slides_heads
from pencil.reference import AttentionParams, BlockConfig, multi_head_attention, stable_softmax

every = pytest.mark.parametrize
WORDS, WIDTH = 5, 50
STABLE = BlockConfig(softmax=stable_softmax)


def rows(seed):
    return draw(seed, WORDS, WIDTH) * 0.65  # about as long as GloVe's


def params(seed, count, how, mixing):
    drawn = slides_heads.heads(np.random.RandomState(seed), count, WIDTH, getattr(slides_heads, how))
    return AttentionParams(drawn.heads, draw(seed, WIDTH, WIDTH)) if mixing else drawn


def stacked(layer, name):
    return torch.tensor(np.concatenate([getattr(head, name) for head in layer.heads]))


over = [every("seed", [0, 42]), every("count", [1, 10]), every("how", ["rand", "randn"]), every("mixing", [False, True])]


def over_all(test):
    for mark in over:
        test = mark(test)
    return test


@over_all
def test_the_layer(seed, count, how, mixing):
    ours, peer = params(seed, count, how, mixing), nn.MultiheadAttention(WIDTH, count, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        peer.in_proj_weight.copy_(torch.cat([stacked(ours, name) for name in ("query", "key", "value")]))
        peer.out_proj.weight.copy_(torch.tensor(ours.output))

    def run(x):
        out, weights = peer(x, x, x, average_attn_weights=False)
        return out, {"attn_out": out} | shares(weights)

    assert_reference_agrees(
        Pair("attention", partial(torch_attention, peer), run, [leaf(rows(seed)[None], torch.float64)], torch.float64, config=STABLE)
    )


@over_all
def test_the_function(seed, count, how, mixing):
    ours, x, noted = params(seed, count, how, mixing), rows(seed), {}
    out = multi_head_attention(x, ours, note=noted.setdefault, softmax=stable_softmax)
    column = torch.tensor(x)[:, None, :]  # words, batch, width
    theirs, weights = functional.multi_head_attention_forward(
        column, column, column, WIDTH, count, None, None, None, None, False, 0.0, torch.tensor(ours.output), None, training=False,
        use_separate_proj_weight=True, average_attn_weights=False,
        q_proj_weight=stacked(ours, "query"), k_proj_weight=stacked(ours, "key"), v_proj_weight=stacked(ours, "value"),
    )  # fmt: skip
    assert_close(out, theirs[:, 0], DOUBLE, "the output")
    for name, value in shares(weights[0]).items():
        assert_close(noted[name], value, DOUBLE, name)


@every("how", ["rand", "randn"])
def test_another_divisor_would_be_seen(how):
    """The ten heads divide by the root of their own width, 5, and not of the stick's."""
    ours, x, noted = params(0, 10, how, False), rows(0), {}
    multi_head_attention(x, ours, note=noted.setdefault, softmax=stable_softmax)
    query, key, value = (stacked(ours, name) @ torch.tensor(x).T for name in ("query", "key", "value"))
    query, key, value = (tag.reshape(10, 5, WORDS).transpose(1, 2) for tag in (query, key, value))
    mixed = functional.scaled_dot_product_attention(query, key, value)
    assert_close(noted["concat"], mixed.transpose(0, 1).reshape(WORDS, WIDTH), DOUBLE, "the glue")
    wrong = functional.scaled_dot_product_attention(query, key, value, scale=WIDTH**-0.5)
    assert np.abs(noted["concat"] - wrong.transpose(0, 1).reshape(WORDS, WIDTH).numpy()).max() > 0.01


@every("same_output", [True, False])
def test_twins_stay_twins_where_the_output_grid_treats_them_alike(same_output):
    """Two heads with the same dials: with the same part of the output grid, every step of training turns both alike."""
    generator = torch.Generator().manual_seed(0)
    layer = nn.MultiheadAttention(8, 2, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        for part in layer.in_proj_weight.chunk(3):
            part[4:] = part[:4]
        if same_output:
            layer.out_proj.weight[:, 4:] = layer.out_proj.weight[:, :4]
    x, wanted = torch.randn(2, 16, WORDS, 8, generator=generator, dtype=torch.float64)
    steps = torch.optim.Adam(layer.parameters(), 0.01)
    losses = []
    for _ in range(50):
        steps.zero_grad()
        losses.append(((layer(x, x, x)[0] - wanted) ** 2).mean())
        losses[-1].backward()
        steps.step()
    assert losses[-1] < 0.95 * losses[0]  # it does learn
    difference = max(float((part[4:] - part[:4]).abs().max()) for part in layer.in_proj_weight.detach().chunk(3))
    assert difference < 1e-9 if same_output else difference > 0.01
