"""Attention patterns, the logit lens and head ablation: by hand, and against other formulas."""

from dataclasses import replace

import numpy as np
import pytest

from pencil import reference
from pencil.model import Config
from pencil.params import map_arrays
from pencil.reference import decoder, gate_heads, head_output, logit_lens, multi_head_attention, pattern_score, without_head
from pencil.trace import Trace

IDS = np.array([4, 7, 4, 9, 7, 4])
MASKS = {  # (token that looks, token that is looked at), counted by hand in "4 7 4 9 7 4"
    "previous_token_mask": {(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)},
    "first_token_mask": {(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)},
    "same_token_mask": {(2, 0), (4, 1), (5, 0), (5, 2)},
    "induction_mask": {(2, 1), (4, 2), (5, 1), (5, 3)},
}


@pytest.mark.parametrize("name, looks", MASKS.items())
def test_a_mask_is_the_looks_that_a_hand_counts(name, looks):
    mask = getattr(reference, name)(IDS)
    assert mask.dtype == bool and {tuple(pair) for pair in np.argwhere(mask).tolist()} == looks


def test_a_token_right_behind_itself_looks_at_no_future():
    assert not np.triu(reference.induction_mask([3, 3, 3])).any()
    assert np.argwhere(reference.induction_mask([3, 3, 3])).tolist() == [[2, 1]]


def test_a_score_is_the_average_share_of_the_tokens_that_have_such_a_look():
    weights = np.tri(6) / np.arange(1, 7)[:, None]
    assert pattern_score(weights, reference.induction_mask(IDS)) == pytest.approx((1 / 3 + 1 / 5 + 2 / 6) / 3)
    for name in MASKS:
        mask = getattr(reference, name)(IDS)
        perfect = mask / np.maximum(1, mask.sum(-1, keepdims=True))
        assert pattern_score(perfect, mask) == pytest.approx(1)
    with pytest.raises(ValueError, match="the pattern is empty"):
        pattern_score(weights, reference.same_token_mask(np.arange(6)))


CONFIG = Config(6, 3, n_layers=2, vocab_size=10, max_len=8)


@pytest.fixture(scope="module")
def machine():
    draw = np.random.default_rng(0)
    return map_arrays(CONFIG.decoder_params(), lambda _, array: draw.normal(size=array.shape))


def run(params, ids=IDS):
    named = {}
    logits = decoder(ids, params, config=CONFIG, note=named.setdefault)
    return logits, named


def test_the_lens_behind_the_last_block_is_the_answer_and_before_it_something_else(machine):
    logits, named = run(machine)
    np.testing.assert_array_equal(logit_lens(named["block2.out"], machine, config=CONFIG), logits)
    early = logit_lens(named["block1.out"], machine, config=CONFIG)
    cut, _ = run(reference.DecoderParams(machine.embedding, machine.blocks[:1], machine.positions, machine.norm))
    np.testing.assert_array_equal(early, cut)  # it is the answer of a machine that ends there
    assert np.abs(early - logits).max() > 0.1


def test_heads_add_up_and_a_gate_takes_its_head_out(machine):
    _, named = run(machine)
    layer = machine.blocks[0].attention
    parts = [head_output(named[f"block1.head{h}.context"], layer, head=h) for h in (1, 2, 3)]
    np.testing.assert_allclose(sum(parts) + layer.output_bias, named["block1.attn_out"], rtol=0, atol=1e-12)
    x = named["block1.norm1.affine"]
    mask = np.tri(6, dtype=bool)
    gated = multi_head_attention(x, gate_heads(layer, np.array([1.0, 0.0, 0.5])), mask=mask)
    np.testing.assert_allclose(gated, parts[0] + parts[2] / 2 + layer.output_bias, rtol=0, atol=1e-12)


def test_without_a_head_all_else_stays_as_it_is(machine):
    whole, named = run(machine)
    for block, head in ((1, 3), (2, 1)):
        less, other = run(without_head(machine, block=block, head=head))
        gone = head_output(named[f"block{block}.head{head}.context"], machine.blocks[block - 1].attention, head=head)
        name = f"block{block}.attn_out"
        np.testing.assert_allclose(named[name] - other[name], gone, rtol=0, atol=1e-12)
        assert np.abs(whole - less).max() > 1e-3
    again, _ = run(machine)
    np.testing.assert_array_equal(again, whole)


def test_a_head_s_mean_stands_in_for_it(machine):
    _, named = run(machine)
    layer = machine.blocks[0].attention
    gone = head_output(named["block1.head2.context"], layer, head=2)
    _, other = run(without_head(machine, block=1, head=2, mean=gone.mean(0)))
    np.testing.assert_allclose(other["block1.attn_out"], named["block1.attn_out"] - gone + gone.mean(0), rtol=0, atol=1e-12)
    bare = replace(machine, blocks=tuple(replace(each, attention=replace(each.attention, output_bias=None)) for each in machine.blocks))
    _, other = run(without_head(bare, block=1, head=2, mean=gone.mean(0)))
    np.testing.assert_allclose(other["block1.attn_out"] + layer.output_bias, named["block1.attn_out"] - gone + gone.mean(0), rtol=0, atol=1e-12)


def test_all_of_it_can_be_traced(machine):
    trace = Trace()
    params = trace.given_each("machine", machine)
    gates = trace.given("gates", [1.0, 0.0, 1.0])
    layer = gate_heads(params.blocks[0].attention, gates)
    x = trace.given("x_in", np.random.default_rng(1).normal(size=(6, 6)))
    multi_head_attention(x, layer, mask=np.tri(6, dtype=bool), note=trace)
    pattern_score(trace.names["head2.weights"], reference.previous_token_mask(IDS), note=trace)
    logit_lens(x, params, config=CONFIG, note=trace)
    assert {"pattern_score", "logits"} <= set(trace.names)


@pytest.mark.parametrize(
    "mistake, says",
    [
        (lambda m: without_head(m, block=3, head=1), "there is no block 3; there are 1 to 2"),
        (lambda m: without_head(m, block=1, head=0), "there is no head 0; there are 1 to 3"),
        (lambda m: without_head(m, block=1, head=1, mean=np.ones(2)), "the mean has the shape .2,.; a row that the head adds to is 6 wide"),
        (lambda m: gate_heads(m.blocks[0].attention, np.ones(2)), "2 gates for 3 heads"),
        (lambda m: head_output(np.ones((4, 3)), m.blocks[0].attention, head=1), "the context is 3 wide, and head 1 has 2 columns"),
        (lambda m: logit_lens(np.ones((4, 3)), m, config=CONFIG), "norm.gain"),
    ],
)
def test_what_does_not_fit_is_refused(machine, mistake, says):
    with pytest.raises(ValueError, match=says):
        mistake(machine)
