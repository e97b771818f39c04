"""`verify` compares the model with a trace of the reference, and reports the first difference."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from model_draws import Draw

from pencil import examples, reference
from pencil.model import Block, Classifier, Decoder, Disagreement, Encoder, EncoderDecoder, LayerNorm, Stack, verify
from pencil.params import flatten
from pencil.reference import BlockConfig
from pencil.trace import Trace

PAPER, EPS = BlockConfig(), BlockConfig(eps=1e-5)


def traced(config=PAPER, bundle=examples.PAIR_BLOCK, mask=None, times=1):
    """The book's block, from sticks and seats on."""
    trace = Trace()
    vectors = trace.given("embedding", examples.PAIR_EMBEDDINGS, words=examples.PAIR)
    x = reference.add_positions(vectors, trace.given("positions", examples.PAIR_POSITIONS), note=trace)
    params = trace.given_each("params", bundle)
    if times == 1:
        reference.block(x, params, mask=mask, config=config, note=trace)
    else:
        reference.stack(x, [params] * times, mask=mask, config=config, note=trace)
    return trace


def test_the_block_of_the_book_agrees_name_by_name():
    agreed = verify(traced(), Block.from_params(examples.PAIR_BLOCK))
    assert repr(agreed) == "28 named values agree within 1e-10"
    assert agreed.max_difference < 1e-14
    assert agreed.names[0] == "norm1.mean" and agreed.names[-1] == "out" and "exp" not in agreed.names and "x" not in agreed.names


@pytest.mark.parametrize(
    "config",
    [
        BlockConfig(norm_first=False),
        EPS,
        BlockConfig(activation=reference.gelu),
        BlockConfig(position_encoding=reference.Rotary()),
        BlockConfig(position_encoding=reference.Alibi()),
    ],
)
def test_every_config_of_the_pair(config):
    trace = Trace()
    if config.position_encoding is not None:  # seats are given, so that the trace has angles
        config = replace(config, position_encoding=type(config.position_encoding)(positions=trace.given("positions", [0, 1])))
    reference.block(trace.given("x", examples.ROWS, words=examples.PAIR), trace.given_each("params", examples.PAIR_BLOCK), config=config, note=trace)
    agreed = verify(trace, Block.from_params(examples.PAIR_BLOCK, config))
    assert len(agreed.names) >= 28 and agreed.max_difference < 1e-14
    assert ("angle" in agreed.names) == isinstance(config.position_encoding, reference.Rotary)
    assert ("biased" in agreed.names) == isinstance(config.position_encoding, reference.Alibi)


def test_masks_are_handed_in():
    mask = reference.causal_mask(2)
    trace, block = traced(mask=mask), Block.from_params(examples.PAIR_BLOCK)
    assert "masked" in verify(trace, block, mask=mask).names
    assert verify(trace, block, mask=torch.tensor(mask)) == verify(trace, block, causal=True)
    with pytest.raises(Disagreement, match=r"the model has named no masked; it has named norm1\.mean, "):
        verify(trace, block)


def test_stacked_twice_with_the_same_grids():
    agreed = verify(traced(times=2), Stack.from_params([examples.PAIR_BLOCK] * 2))
    assert repr(agreed) == "56 named values agree within 1e-10" and "block2.norm1.mean" in agreed.names


def test_whole_machines():
    draw, ids = Draw(1), np.array([3, 1, 4, 0])
    for kind, function in ((Encoder, reference.encoder), (Decoder, reference.decoder)):
        bundle, trace = getattr(draw, kind.__name__.lower())(heads=2), Trace()
        function(ids, trace.given_each("params", bundle), config=replace(EPS, softmax=reference.stable_softmax), note=trace)
        agreed = verify(trace, kind.from_params(bundle, EPS), ids=ids)
        assert {"embedding", "x", "block2.head2.weights", "norm.affine"} <= set(agreed.names)
        assert not {"block2.head2.shifted", "block2.head2.max"} & set(agreed.names)
    bundle, trace = draw.encoder_decoder(), Trace()
    reference.encoder_decoder(ids, ids[:2], trace.given_each("params", bundle), config=EPS, note=trace)
    agreed = verify(trace, EncoderDecoder.from_params(bundle, EPS), source=ids, target=ids[:2])
    assert {"encoder.block1.scores", "decoder.block1.cross.weights", "decoder.logits"} <= set(agreed.names)


def test_ids_that_the_trace_was_given():
    trace, bundle = Trace(), Draw(2).classifier()
    reference.classifier(trace.given("ids", [2, 1, 2]), trace.given_each("params", bundle), padding=False, note=trace)
    assert verify(trace, Classifier.from_params(bundle, padding=False)).names[-1] == "sigmoid.prob"


def test_a_model_in_float32_is_held_within_what_float32_holds():
    assert verify(traced(), Block.from_params(examples.PAIR_BLOCK, dtype=torch.float32)).tolerance == 1e-5
    assert verify(traced(), Block.from_params(examples.PAIR_BLOCK, dtype=torch.float32), tolerance=1e-3).tolerance == 1e-3


# ---- where the two part


def found(trace, model, **inputs):
    with pytest.raises(Disagreement) as caught:
        verify(trace, model, **inputs)
    assert isinstance(caught.value, ValueError)
    return str(caught.value)


def changed(name, place, by):
    """The book's block with one number of one grid changed."""
    block = Block.from_params(examples.PAIR_BLOCK)
    with torch.no_grad():
        block.arrays()[name][place] += by
    return block


@pytest.mark.parametrize("name", flatten(examples.PAIR_BLOCK))
def test_one_changed_weight_is_found_where_it_is_first_used(name):
    first = {"attention.output": "attn_out", "feed_forward.up": "hidden", "feed_forward.down": "mlp_out"}
    value = first.get(name, name.rpartition(".")[2])
    trace = traced()
    message = found(trace, changed(name, (1, 2), 1e-6))
    place = message.partition(" is ")[0]
    assert place.startswith(f"cat.{value}[1]") or place.startswith(f"sat.{value}[1]")
    assert np.ndim(trace.find(place).exact) == 0, "the place is a reference that finds one number"


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda out: out * 2, r"^cat\.out\[0\] is .* in the reference and .* in what the model returns$"),
        (lambda out: out[:1], r"^out has the shape \(2, 4\) in the reference and \(1, 4\) in what the model returns$"),
        (lambda out: torch.zeros_like(out), "in what the model returns$"),
    ],
)
def test_what_is_returned_is_compared_too(change, says):
    class Changed(Block):
        def forward(self, x, *, note=None):
            return change(super().forward(x, note=note))

    with pytest.raises(Disagreement, match=says):
        verify(traced(), Changed.from_params(examples.PAIR_BLOCK))


def test_a_wrong_eps_is_found_at_the_first_spread():
    assert (
        found(traced(), Block.from_params(examples.PAIR_BLOCK, BlockConfig(eps=0.1)))
        == "cat.norm1.std is 0.707 in the reference and 0.775 in the model"
    )


def test_a_small_difference_is_written_with_as_many_digits_as_it_takes():
    message = found(traced(), Block.from_params(examples.PAIR_BLOCK, BlockConfig(eps=1e-9)))
    assert message == "cat.norm1.std is 0.7071067812 in the reference and 0.7071067819 in the model"


def test_swapped_grids_are_found_at_the_query():
    head = examples.PAIR_HEAD
    swapped = replace(examples.PAIR_BLOCK, attention=reference.AttentionParams((replace(head, query=head.key, key=head.query),), np.eye(4)))
    assert found(traced(), Block.from_params(swapped)).startswith("cat.query[")


def test_a_wrong_divisor_in_the_norm_is_found_at_the_variance():
    block = Block.from_params(examples.PAIR_BLOCK)

    def sample(x, *, note=None):  # d − 1 for d
        mean = note("mean", x.mean(-1, keepdim=True))
        deviation = note("deviation", x - mean)
        square_sum = note("square_sum", note("square", deviation * deviation).sum(-1, keepdim=True))
        variance = note("variance", square_sum / (x.shape[-1] - 1))
        return note("normalized", deviation / note("std", variance.sqrt()))

    block.norm2.forward = sample
    trace = traced()
    message = found(trace, block)
    assert message.startswith("cat.norm2.variance is ") and trace.find("cat.norm2.variance").exact.shape == ()


def test_a_wrong_divisor_of_the_scores_is_found_at_scaled(monkeypatch):
    monkeypatch.setattr(torch.Tensor, "__truediv__", lambda a, b: torch.div(a, b if isinstance(b, torch.Tensor) or b != 2.0 else 4.0))
    assert found(traced(), Block.from_params(examples.PAIR_BLOCK)).startswith("cat.scaled[sat] is 1.000 in the reference and 0.500 ")


def test_a_value_that_is_no_number_is_wrong():
    message = found(traced(), changed("attention.output", (0, 0), torch.nan))
    assert message.startswith("cat.attn_out[0] is ") and message.endswith("and NaN in the model")


def test_another_shape_is_said():
    trace = traced()
    assert found(trace, Block.from_params(examples.PAIR_BLOCK), x=examples.ROWS[None]) == (
        "norm1.mean has the shape (2, 1) in the reference and (1, 2, 1) in the model"
    )


def test_a_batch_without_words_is_placed_by_numbers():
    trace, draw = Trace(), Draw(4)
    bundle, x = draw.block(4), draw.rng.normal(size=(2, 3, 4))
    reference.block(trace.given("x", x), trace.given_each("params", bundle), config=EPS, note=trace)
    assert verify(trace, Block.from_params(bundle, EPS)).max_difference < 1e-13
    x[1, 2, 3] += 1
    message = found(trace, Block.from_params(bundle, EPS), x=x)
    assert message.startswith("norm1.mean[1, 2] is ")
    assert trace.find("norm1.mean[1, 2]").exact.shape == ()


def test_one_head_leans_by_the_slope_that_was_chosen():
    trace = Trace()
    config = BlockConfig(position_encoding=reference.Alibi(trace.given("positions", [0, 1]), slope=0.5))
    reference.block(trace.given("x", examples.ROWS), trace.given_each("params", examples.PAIR_BLOCK), config=config, note=trace)
    model = Block.from_params(examples.PAIR_BLOCK, config)
    assert "biased" in verify(trace, model).names
    x = torch.tensor(examples.ROWS)
    np.testing.assert_allclose(model(x).detach(), trace.names["out"].exact, atol=1e-12)  # the fast path as well


def test_nothing_to_run_on_and_nothing_to_compare_are_refused():
    model, trace = Block.from_params(examples.PAIR_BLOCK), Trace()
    for one, other in ((None, model), (trace, None), (trace, examples.PAIR_BLOCK)):
        with pytest.raises(ValueError, match="verify compares a Trace with a module, and these are a "):
            verify(one, other)
    with pytest.raises(ValueError, match=r"the trace names no x to run the model on; pass it: verify\(trace, model, x=...\)"):
        verify(trace, model)
    reference.block(trace.given("x", examples.ROWS), examples.PAIR_BLOCK)  # the note was forgotten
    with pytest.raises(ValueError, match="has named nothing that was computed"):
        verify(trace, model)


def test_a_part_that_learns_nothing():
    trace = Trace()
    reference.layer_norm(trace.given("x", examples.ROWS), note=trace)
    assert verify(trace, LayerNorm.from_params(reference.LayerNormParams(), width=4)).names[-1] == "normalized"


def test_float32_is_compared_in_full_and_tf32_stands_as_it_was_afterwards():
    places = [torch.backends.cuda.matmul, torch.backends.cudnn.rnn, torch.backends.cudnn.conv]
    before, seen = [place.fp32_precision for place in places], []

    class Norm(LayerNorm):
        def forward(self, x, *, note=None):
            seen.append([place.fp32_precision for place in places])
            return super().forward(x, note=note)

    trace, params = Trace(), reference.LayerNormParams(np.ones(3), np.zeros(3))
    reference.layer_norm(trace.given("x", np.array([[1.0, 2.0, 6.0]])), norm=params, note=trace)
    try:
        for wanted in ("tf32", "ieee"):
            for place in places:
                place.fp32_precision = wanted
            verify(trace, Norm.from_params(params, BlockConfig(eps=0.0)))
            assert [place.fp32_precision for place in places] == [wanted] * 3
    finally:
        for place, value in zip(places, before, strict=True):
            place.fp32_precision = value
    assert seen and all(each == ["ieee"] * 3 for each in seen)


@pytest.mark.parametrize("ids", [[3, 1, 4], np.array([3, 1, 4])], ids=["list", "array"])
def test_ids_are_passed_as_they_were_to_the_reference(ids):
    params, trace = Draw(1).decoder(), Trace()
    reference.decoder(ids, trace.given_each("params", params), note=trace)
    model = Decoder.from_params(params)
    with pytest.raises(
        ValueError, match=r"names no ids .* pass it, the plain array of ids that the reference ran on: verify\(trace, model, ids=...\)"
    ):
        verify(trace, model)
    assert "logits" in verify(trace, model, ids=ids).names
