"""Parts of today's machines in transformers: sinks (gpt-oss), a gate (Qwen3-Next), latents (DeepSeek-V3), residual streams (DeepSeek-V4)."""

import numpy as np
import pytest
import torch
from agree import assert_close, assert_model_agrees, assert_reference_agrees, reference
from pairs import DOUBLE, SEEDS, masks
from pairs_today import LATENT_SHAPES, SHAPES, gate_pair, latent_pair, sinks_pair
from transformers import DeepseekV4Config
from transformers.models.deepseek_v4.modeling_deepseek_v4 import DeepseekV4HyperConnection

from pencil.model import HyperConnection
from pencil.note import no_note
from pencil.params import map_arrays
from pencil.reference import BlockConfig, HyperConnectionParams, hyper_connection, latent_attention, rms_norm

pytestmark = pytest.mark.slow
every = pytest.mark.parametrize


def agrees(make, seed, shape, option):
    for mask in masks(seed, shape[1], shape[1]):
        pair = make(seed, shape, torch.float64, mask, option)
        assert_reference_agrees(pair)
        assert_model_agrees(pair)
    assert_model_agrees(make(seed, shape, torch.float64, masks(seed, shape[1], shape[1])[-1], option), explicit=True)


@every("make", [sinks_pair, gate_pair])
@every("bias", [False, True])
@every("seed", SEEDS)
@every("shape", SHAPES, ids=str)
def test_sinks_and_a_gate(make, seed, shape, bias):
    agrees(make, seed, shape, bias)


@every("interleave", [False, True])
@every("seed", SEEDS)
@every("shape", LATENT_SHAPES, ids=str)
def test_latents(seed, shape, interleave):
    agrees(latent_pair, seed, shape, interleave)


@every("shape", LATENT_SHAPES, ids=str)
def test_the_absorbed_form_is_the_same(shape):
    pair = latent_pair(1, shape, torch.float64, np.tri(shape[1], dtype=bool))
    params, x = map_arrays(pair.bundle(lambda parameter: parameter.detach().numpy()), lambda _, array: array), pair.inputs[0].detach().numpy()

    def norm(rows, **more):
        return rms_norm(rows, eps=pair.config.eps, **more)

    options = {"mask": pair.mask, "position_encoding": pair.config.position_encoding, "softmax": pair.config.softmax, "norm": norm}
    absorbed = latent_attention(x, params, absorbed=True, **options)
    assert_close(absorbed, pair.run(*pair.inputs)[0], DOUBLE, "the absorbed form")
    assert_close(absorbed, reference(pair, no_note), DOUBLE, "the expanded form")


@every("seed", SEEDS)
@every("n, d, iterations", [(1, 3, 1), (2, 4, 2), (4, 6, 20), (3, 5, 7)])
def test_residual_streams(seed, n, d, iterations):
    torch.manual_seed(seed)
    sizes = {"hidden_size": d, "hc_mult": n, "hc_sinkhorn_iters": iterations, "hc_eps": 0.0, "rms_norm_eps": 1e-6}
    peer = DeepseekV4HyperConnection(DeepseekV4Config(**sizes)).float()
    for parameter in peer.parameters():
        torch.nn.init.normal_(parameter)
    scales = peer.scale.repeat_interleave(torch.tensor([n, n, n * n]))
    weights, biases = ((peer.fn * scales[:, None]).split([n, n, n * n]), peer.base.split([n, n, n * n]))
    params = HyperConnectionParams(*(part.detach().numpy() for part in (*weights, *biases)))
    streams = torch.randn(2, 3, n, d)
    post, comb, collapsed = peer(streams)
    wanted = post.unsqueeze(-1) * torch.tanh(collapsed).unsqueeze(-2) + comb.transpose(-1, -2) @ streams  # as the library's decoder layer
    ours = HyperConnection.from_params(params, BlockConfig(eps=1e-6, sinkhorn_iterations=iterations), torch.float32, sublayer=torch.nn.Tanh())
    assert_close(ours(streams), wanted, 1e-5, "the torch twin")
    found = hyper_connection(streams.numpy(), params, np.tanh, iterations=iterations, eps=1e-6)
    assert_close(found, wanted, 1e-5, "the reference")
