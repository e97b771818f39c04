"""Mixture of experts against `transformers`: Mixtral's router and whole block, DeepSeek-V3's router and block, the balancing loss, and the plans.

Their routers compute in float32 whatever they are given, so what passes through one agrees within 1e-5, and within 1e-10 from the logits on.
"""

from dataclasses import replace

import numpy as np
import pytest
import torch
from agree import assert_close
from pairs import DOUBLE, SINGLE, draw, shaken
from transformers import DeepseekV3Config, DeepseekV3ForCausalLM, MixtralConfig, MixtralForCausalLM
from transformers.models.deepseek_v3.modeling_deepseek_v3 import DeepseekV3MoE
from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock, load_balancing_loss_func

from pencil.model import Experts
from pencil.reference import (
    BlockConfig,
    ExpertsParams,
    FeedForwardParams,
    Routing,
    load_balancing_loss,
    mixture_of_experts,
    route,
    sigmoid,
    silu,
    softmax,
)

pytestmark = pytest.mark.slow
every = pytest.mark.parametrize
SHAPES = [(1, 1, 2, 1, 1, 1), (2, 5, 3, 7, 4, 2), (1, 9, 12, 8, 8, 2), (3, 4, 5, 3, 6, 5)]  # batch, words, width, units, experts, at work


def read(weight):
    return weight.detach().double().numpy()


def params_of(block, bias=None, shared=None):
    """MixtralSparseMoeBlock or DeepseekV3MoE -> ExpertsParams. Theirs has gate and up in one array."""
    gate, up = np.split(read(block.experts.gate_up_proj), 2, axis=1)
    return ExpertsParams(read(block.gate.weight), up, read(block.experts.down_proj), gate, bias, shared)


def mixtral(shape, seed):
    _, _, width, units, experts, k = shape
    config = MixtralConfig(hidden_size=width, intermediate_size=units, num_local_experts=experts, num_experts_per_tok=k)
    config._experts_implementation = "eager"
    return shaken(MixtralSparseMoeBlock(config), seed, torch.float64).eval()


@every("shape", SHAPES, ids=str)
@every("seed", [0, 1])
def test_mixtral_s_router_and_block(shape, seed):
    peer, x, routing = mixtral(shape, seed), draw(seed, *shape[:3]), Routing(shape[-1])
    params = params_of(peer)
    _, weights, chosen = peer.gate(torch.tensor(x))
    _, ours, gates = route(x, params, routing=routing)
    np.testing.assert_array_equal(ours.reshape(chosen.shape), chosen)
    assert_close(np.take_along_axis(gates, ours, -1).reshape(weights.shape), weights, SINGLE, "weights")
    wanted = peer(torch.tensor(x))
    assert_close(mixture_of_experts(x, params, routing=routing, activation=silu), wanted, SINGLE, "the reference")
    model = Experts.from_params(params, BlockConfig(activation=silu, feed_forward=routing))
    assert_close(model(torch.tensor(x)), wanted, SINGLE, "the model")


@every("shape", SHAPES, ids=str)
def test_the_experts_themselves_and_their_slopes(shape):
    """With the same choices and weights handed to both, nothing is in float32 any more."""
    peer, x = mixtral(shape, 3), torch.tensor(draw(3, shape[0] * shape[1], shape[2]), requires_grad=True)
    model = Experts.from_params(params_of(peer), BlockConfig(activation=silu, feed_forward=Routing(shape[-1])))
    with torch.no_grad():
        _, chosen, weights = model.router(x)
    model.router.forward = lambda x, note=None: (None, chosen, weights)
    ours, theirs = model(x), peer.experts(x, chosen, weights)
    assert_close(ours, theirs, DOUBLE, "the output")
    pull = torch.tensor(draw(4, *ours.shape))
    found = torch.autograd.grad((ours * pull).sum(), [x, model.gate, model.up, model.down])
    wanted = torch.autograd.grad((theirs * pull).sum(), [x, peer.experts.gate_up_proj, peer.experts.down_proj])
    for name, one, other in zip(("x", "gate and up", "down"), (found[0], torch.cat(found[1:3], 1), found[3]), wanted, strict=True):
        assert_close(one, other, DOUBLE, f"the slope of {name}")


@every("shape", [shape for shape in SHAPES if shape[4] > 1], ids=str)  # their groups take the best two of each
@every("scale, normalized", [(2.5, True), (1.0, False)])
def test_deepseek_s_router_bias_and_shared_expert(shape, scale, normalized):
    _, _, width, units, experts, k = shape
    config = DeepseekV3Config(
        hidden_size=width, moe_intermediate_size=units, n_routed_experts=experts, num_experts_per_tok=k, n_group=1, topk_group=1,
        routed_scaling_factor=scale, norm_topk_prob=normalized, n_shared_experts=2,
    )  # fmt: skip
    config._experts_implementation = "eager"
    peer, x = shaken(DeepseekV3MoE(config), 5, torch.float64).eval(), draw(5, *shape[:3])
    peer.gate.e_score_correction_bias = torch.tensor(draw(6, experts))
    own = peer.shared_experts
    shared = FeedForwardParams(*map(read, (own.up_proj.weight, own.down_proj.weight)), gate=read(own.gate_proj.weight))
    params, routing = params_of(peer, read(peer.gate.e_score_correction_bias), shared), Routing(k, sigmoid, normalized, scale)
    _, weights, chosen = peer.gate(torch.tensor(x))
    _, ours, gates = route(x, params, routing=routing)
    np.testing.assert_array_equal(np.sort(ours.reshape(chosen.shape)), chosen.sort().values)  # theirs are in no order
    assert_close(np.take_along_axis(gates.reshape(-1, experts), chosen.numpy(), -1), weights, SINGLE, "weights")
    unbiased = route(x, replace(params, router_bias=None), routing=routing)[1]
    assert shape[4] == k or (np.sort(unbiased) != np.sort(ours)).any()  # the bias chooses
    wanted = peer(torch.tensor(x))
    assert_close(mixture_of_experts(x, params, routing=routing, activation=silu), wanted, SINGLE * 10, "the reference")
    model = Experts.from_params(params, BlockConfig(activation=silu, feed_forward=routing))
    assert_close(model(torch.tensor(x)), wanted, SINGLE * 10, "the model")


@every("words, experts, k", [(1, 2, 1), (7, 3, 2), (40, 8, 2), (11, 5, 5)])
def test_their_balancing_loss_is_ours_times_the_experts_at_work(words, experts, k):
    logits = draw(words, words, experts)
    _, chosen, _ = route(logits, ExpertsParams(np.eye(experts), None, None), routing=Routing(k))
    theirs = load_balancing_loss_func((torch.tensor(logits),), experts, k)
    assert_close(k * load_balancing_loss(softmax(logits), chosen), theirs, SINGLE, "the balancing loss")


@every("make, config, held", [(MixtralForCausalLM, MixtralConfig, 46_702_792_704), (DeepseekV3ForCausalLM, DeepseekV3Config, 671_026_419_200)])
def test_the_dials_that_the_chapter_counts(make, config, held):
    with torch.device("meta"):  # no memory is taken
        model = make(config())
    names = {name: array.numel() for name, array in model.named_parameters() if "mtp" not in name.lower()}
    biases = sum(array.numel() for name, array in model.named_buffers() if name.endswith("e_score_correction_bias"))
    assert sum(names.values()) + biases == held
