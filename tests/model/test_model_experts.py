"""Mixture of experts in torch against the reference: with and without the grouped product, with capacity, in a decoder."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from pencil import reference
from pencil.model import Block, Cache, Config, Decoder, Encoder, Experts, FeedForward, load_arrays, state_arrays, verify
from pencil.model import experts as module
from pencil.params import flatten, unflatten
from pencil.reference import (
    BlockConfig,
    ExpertsParams,
    FeedForwardParams,
    Rotary,
    Routing,
    decoder,
    feed_forward,
    mixture_of_experts,
    relu,
    sigmoid,
    silu,
)
from pencil.trace import Trace

MIXED = Config.llama(8, 2, n_layers=2, vocab_size=9, n_experts=4, d_ff=4, tie_embeddings=True, feed_forward=Routing(2))
IDS = [1, 3, 2, 5, 4]


def drawn(n_experts, d, d_ff, gated=True, bias=True, shared=True, seed=0):
    rng = np.random.default_rng(seed)
    own = FeedForwardParams(rng.normal(size=(2, d)), rng.normal(size=(d, 2)), gate=rng.normal(size=(2, d)) if gated else None)
    grids = rng.normal(size=(n_experts, d_ff, d)), rng.normal(size=(n_experts, d, d_ff)), rng.normal(size=(n_experts, d_ff, d)) if gated else None
    return ExpertsParams(rng.normal(size=(n_experts, d)), *grids, rng.normal(size=n_experts) if bias else None, own if shared else None)


@pytest.mark.parametrize("routing", [Routing(), Routing(1, normalize=False), Routing(3, sigmoid, scale=2.5), Routing(2, capacity=2)])
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("tokens, n_experts, d, d_ff", [(1, 3, 1, 1), (7, 4, 3, 5), (9, 8, 4, 2)])
def test_it_has_the_numbers_of_the_reference(routing, whole, tokens, n_experts, d, d_ff):
    params, trace = drawn(n_experts, d, d_ff, whole, whole, whole), Trace()
    x = trace.given("x", 0.5 * np.random.default_rng(1).normal(size=(tokens, d)))
    activation = silu if whole else relu
    mixture_of_experts(x, trace.given_each("params", params), routing=routing, activation=activation, note=trace)
    agreement = verify(trace, Experts.from_params(params, BlockConfig(activation=activation, feed_forward=routing)))
    assert {"router.gates", f"choice{routing.k}.weighted", "mlp_out"} <= set(agreement.names) and "in a batch" in agreement.runs


@pytest.mark.parametrize("capacity", [None, 3])
def test_the_grouped_product_of_torch_is_a_product_for_each_expert(capacity, monkeypatch):
    params = drawn(8, 16, 4)
    model = Experts.from_params(params, BlockConfig(activation=silu, feed_forward=Routing(2, capacity=capacity)), dtype=torch.float32)
    x, outs, slopes = torch.randn(3, 5, 16, generator=torch.Generator().manual_seed(0)), [], []
    for kinds in (module.GROUPED, ()):  # with torch's product, and without
        monkeypatch.setattr(module, "GROUPED", kinds)
        out = model(x)
        outs.append(out.detach().numpy())
        slopes.append([slope.numpy() for slope in torch.autograd.grad(out.square().sum(), list(model.parameters()))])
    np.testing.assert_allclose(*outs, rtol=1e-5, atol=1e-5)
    for one, other in zip(*slopes, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)


@pytest.mark.skipif(not hasattr(torch.nn.functional, "grouped_mm"), reason="this torch has no grouped product")
def test_each_layer_of_all_experts_is_one_product(monkeypatch):
    calls, real = [], torch.nn.functional.grouped_mm
    monkeypatch.setattr(torch.nn.functional, "grouped_mm", lambda *args, **kwargs: calls.append(args[0].shape) or real(*args, **kwargs))
    model = Experts(replace(MIXED, d_model=16)).eval()
    model(torch.randn(1, 40, 16))
    assert calls == [(80, 16), (80, 16), (80, 4)]  # 40 tokens, two choices each; and never more, however many experts


def test_a_dropped_token_is_not_worked_at_all():
    model = Experts.from_params(drawn(2, 4, 3, shared=False), BlockConfig(activation=silu, feed_forward=Routing(1, capacity=1)))
    x = torch.randn(1, 4, dtype=torch.double).repeat(5, 1)  # five alike, and room for one
    out = model(x)
    assert out[0].abs().sum() > 0 and (out[1:] == 0).all()


def test_a_decoder_with_experts_in_every_way_to_run_it():
    params, rng, trace = MIXED.decoder_params(), np.random.default_rng(0), Trace()
    params = unflatten(params, {name: 0.5 * rng.normal(size=array.shape) for name, array in flatten(params).items()})
    config = replace(MIXED, position_encoding=Rotary(trace.given("positions", range(5))))
    decoder(np.array(IDS), trace.given_each("params", params), config=config, note=trace)
    agreement = verify(trace, Decoder.from_params(params, MIXED), ids=IDS)
    assert {"block1.router.gates", "block2.choice2.mlp_out"} <= set(agreement.names) and "with an allocated cache" in agreement.runs
    assert set(state_arrays(Decoder(MIXED))) == set(flatten(params))


def test_the_bias_is_no_learned_number_and_is_kept_all_the_same():
    model = Experts(MIXED)
    assert "router.bias" not in dict(model.named_parameters()) and (state_arrays(model)["router_bias"] == 0).all()
    load_arrays(model, state_arrays(model) | {"router_bias": np.array([0, 9.0, 9.0, 0])})
    assert model.router(torch.randn(1, 8))[1].sort().values.tolist() == [[1, 2]] and "router.bias" in model.state_dict()


def test_a_stack_scales_what_experts_add_too():
    sizes = replace(MIXED, d_model=64, d_ff=64, n_layers=8)
    block, alone = Decoder(sizes).stack.blocks[0].feed_forward, Experts(sizes)
    assert float(block.down.detach().std()) == pytest.approx(float(alone.down.detach().std()) / 4, rel=0.05)


def test_a_plain_block_may_stand_before_one_with_experts():
    plain, mixed = replace(MIXED, n_experts=None).decoder_params(), MIXED.decoder_params()
    params, rng, trace = replace(mixed, blocks=(plain.blocks[0], mixed.blocks[1])), np.random.default_rng(1), Trace()
    params = unflatten(params, {name: 0.5 * rng.normal(size=array.shape) for name, array in flatten(params).items()})
    config = replace(MIXED, position_encoding=Rotary(trace.given("positions", range(5))))
    decoder(np.array(IDS), trace.given_each("params", params), config=config, note=trace)
    model = Decoder.from_params(params, MIXED)
    assert [type(block.feed_forward) for block in model.stack.blocks] == [FeedForward, Experts]
    assert "block1.hidden" in verify(trace, model, ids=IDS).names


def test_writing_with_experts_needs_no_more_than_the_new_word():
    model, cache = Decoder(MIXED).eval(), Cache()
    with torch.no_grad():
        whole = model(torch.tensor([IDS]))
        parts = [model(torch.tensor([[token]]), cache=cache) for token in IDS]
    torch.testing.assert_close(torch.cat(parts, 1), whole, atol=1e-5, rtol=1e-5)


def test_with_a_capacity_a_text_cannot_be_written_token_by_token():
    limited = replace(MIXED, feed_forward=Routing(2, capacity=2))
    model, cache = Decoder(limited).eval(), Cache()
    with pytest.raises(ValueError, match="a cache and experts with a capacity"):
        model(torch.tensor([IDS]), cache=cache)
    assert cache.length == 0
    params, trace = limited.decoder_params(), Trace()
    params = unflatten(params, {name: 0.5 * np.random.default_rng(0).normal(size=array.shape) for name, array in flatten(params).items()})
    decoder(np.array(IDS), trace.given_each("params", params), note=trace,
            config=replace(limited, position_encoding=Rotary(trace.given("positions", range(5)))))  # fmt: skip
    agreement = verify(trace, Decoder.from_params(params, limited), ids=IDS)
    assert {"block1.kept", "block2.mlp_out"} <= set(agreement.names) and not any("cache" in run for run in agreement.runs)


@pytest.mark.parametrize("capacity", [1, 2, 3])
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("reads", ["encoder", "decoder"])
def test_padding_takes_no_place_of_an_expert(reads, k, capacity):
    config = replace(MIXED, feed_forward=Routing(k, capacity=capacity), position_encoding=None)
    params, rng = getattr(config, f"{reads}_params")(), np.random.default_rng(2)
    params = unflatten(params, {name: 0.5 * rng.normal(size=array.shape) for name, array in flatten(params).items()})
    run, model = getattr(reference, reads), {"encoder": Encoder, "decoder": Decoder}[reads].from_params(params, config, padding=True)
    padded, trace = [*IDS, 0, 0, 0], Trace()
    run(np.array(padded), trace.given_each("params", params), config=config, padding=True, note=trace)
    assert {"block1.kept", "block2.place"} <= set(verify(trace, model, ids=padded).names)
    alone = run(np.array(IDS), params, config=config)
    np.testing.assert_allclose(run(np.array(padded), params, config=config, padding=True)[: len(IDS)], alone, rtol=1e-10, atol=1e-10)
    batch = torch.tensor([[1] + [0] * 7, padded])  # the texts of a batch share the queues
    torch.testing.assert_close(model(batch)[:, :5][batch[:, :5] != 0], model(batch[:, :5])[batch[:, :5] != 0])
    torch.testing.assert_close(model(torch.tensor([padded]))[:, : len(IDS)], model(torch.tensor([IDS])))


@pytest.mark.parametrize("dtype, score", [(torch.float64, -800.0), (torch.float32, -104.0)])
def test_scores_that_are_too_small_for_floats_count_nothing(dtype, score):
    params = replace(drawn(3, 1, 2, bias=False, shared=False), router=np.array([[score], [score], [2 * score]]))
    model = Experts.from_params(params, BlockConfig(activation=silu, feed_forward=Routing(2, sigmoid)), dtype=dtype)
    x = torch.ones(1, 1, dtype=dtype, requires_grad=True)
    out = model(x)
    out.sum().backward()
    assert model.router(x)[2].tolist() == [[0, 0]] and out.tolist() == [[0]]
    assert all(slopes.grad.isfinite().all() for slopes in (x, *model.parameters()))


def test_the_slopes_of_a_plain_sum_go_through_the_grouped_product():
    x, weight, counts = torch.randn(7, 8), torch.randn(3, 4, 8, requires_grad=True), torch.tensor([2, 0, 5])
    module.grouped_linear(x, weight=weight, counts=counts).sum().backward()
    wanted = torch.stack([part.sum(0).expand(4, 8) for part in x.split(counts.tolist())])
    torch.testing.assert_close(weight.grad, wanted)


@pytest.mark.parametrize(
    "sizes, message",
    [
        ({"router": (3, 8)}, r"up \(4, 6, 8\) is not .* the router's 3 experts"),
        ({"up": (3, 6, 8)}, r"up \(3, 6, 8\) is not .* the router's 4 experts"),
        ({"gate": (3, 6, 8)}, r"gate \(3, 6, 8\) is not .* the router's 4 experts"),
        ({"down": (8, 6)}, r"down \(8, 6\) is not \(experts, numbers out, numbers in\)"),
        ({"down": (4, 8, 5)}, "the activated row is 6 wide and the down projection"),
        ({"down": (4, 7, 6)}, "writes 7 numbers where 8 are wanted"),
        ({"gate": (4, 5, 8)}, "the gate projection .* writes 5 numbers where 6 are wanted"),
        ({"router": (4, 7)}, "the row is 7 wide and the up projection"),
        ({"shared": (2, 7)}, "the row is 8 wide and the up projection of the shared expert"),
    ],
    ids=str,
)
def test_grids_that_do_not_fit_are_refused(sizes, message):
    shapes = {"router": (4, 8), "up": (4, 6, 8), "down": (4, 8, 6), "gate": (4, 6, 8), "shared": (2, 8)} | sizes
    grids = {name: np.ones(shape) for name, shape in shapes.items()}
    grids["shared"] = FeedForwardParams(grids["shared"], grids["shared"].T)
    with pytest.raises(ValueError, match=message):
        Experts(ExpertsParams(**grids), MIXED)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="nothing says how many experts"):
        Experts(replace(MIXED, feed_forward=feed_forward))
    with pytest.raises(ValueError, match="k=5 of 4 experts"):
        Block(replace(MIXED, feed_forward=Routing(5)))
    with pytest.raises(ValueError, match="scores=relu has no torch form"):
        Experts(replace(MIXED, feed_forward=Routing(2, relu)))
    with pytest.raises(ValueError, match="the router"):
        block = MIXED.block_params()
        Block(replace(block, feed_forward=drawn(4, 7, 2)), MIXED)
