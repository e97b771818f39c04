"""The indexer and the compressed entries against transformers' DeepSeek-V3.2, GLM and DeepSeek-V4, whose own weights and rotations are used."""

import numpy as np
import pytest
import torch
from transformers.models.deepseek_v4 import modeling_deepseek_v4 as pressed
from transformers.models.deepseek_v32 import modeling_deepseek_v32 as indexed
from transformers.models.glm_moe_dsa import modeling_glm_moe_dsa as glm

from pencil import model, reference
from pencil.examples import INDEXER_SIZES, PRESSED_RATES

INDEXERS = {
    "DeepSeek-V3.2": (indexed.DeepseekV32Indexer, indexed.DeepseekV32Config, indexed.apply_rotary_pos_emb),
    "GLM": (glm.GlmMoeDsaIndexer, glm.GlmMoeDsaConfig, glm.apply_rotary_pos_emb_interleave),
}


def close(found, wanted):
    np.testing.assert_allclose(np.asarray(found), wanted.detach().numpy(), rtol=1e-4, atol=1e-5)


def drawn(module):  # random weights in place of the empty ones
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(std=0.5)
    return module.eval()


def both(name, *arrays, **how):  # -> the result of the reference and of the model
    tensors = [None if array is None else torch.tensor(array) for array in arrays]
    return getattr(reference, name)(*arrays, **how), getattr(model, name)(*tensors, **how)


@pytest.mark.parametrize("which", INDEXERS)
@pytest.mark.parametrize("batch, length, heads, width, rotated, k", [(1, 1, 1, 4, 2, 3), (2, 7, 3, 6, 4, 3), (1, 9, 2, 8, 8, 1), (2, 5, 4, 6, 2, 5)])
def test_the_indexer_and_its_best(which, batch, length, heads, width, rotated, k):
    torch.manual_seed(length)
    kind, config, rotate = INDEXERS[which]
    sizes = {"hidden_size": 12, "q_lora_rank": 5, "qk_rope_head_dim": rotated, "index_n_heads": heads, "index_head_dim": width, "index_topk": k}
    peer = drawn(kind(config(**sizes), 0))
    x, residual, causal = torch.randn(batch, length, 12), torch.randn(batch, length, 5), torch.ones(length, length).tril().bool()
    angles = torch.randn(1, length, rotated // 2)
    cos, sin = (torch.cat([part(angles)] * 2, -1) for part in (torch.cos, torch.sin))
    chosen = peer(x, residual, (cos, sin), causal, None)

    with torch.no_grad():
        query = peer.wq_b(residual).unflatten(-1, (heads, width))
        key = peer.k_norm(peer.wk(x)).unsqueeze(2)
        turned = rotate(query[..., :rotated], key[..., :rotated], cos, sin, unsqueeze_dim=2)
        query, key = (torch.cat([one, rest[..., rotated:]], -1) for one, rest in zip(turned, (query, key), strict=True))
        query, key = query.transpose(1, 2) * peer.softmax_scale, key.squeeze(2)
        weights = peer.weights_proj(x) * heads**-0.5
    for package, scores in zip((reference, model), both("index_scores", query.numpy(), key.numpy(), weights.numpy()), strict=True):
        mask = package.top_k_mask(scores, causal.numpy() if package is reference else causal, k=k)
        theirs = torch.zeros(batch, length, length, dtype=torch.bool).scatter(-1, chosen.long(), True) & causal
        assert (np.asarray(mask) == theirs.numpy()).all()


@pytest.mark.parametrize("batch, length, heads, width, entries", [(1, 1, 1, 3, 2), (2, 5, 3, 4, 6)])
def test_the_scores_of_entries(batch, length, heads, width, entries):
    torch.manual_seed(length)
    peer = drawn(pressed.DeepseekV4IndexerScorer(pressed.DeepseekV4Config(hidden_size=7, index_n_heads=heads, index_head_dim=width)))
    query, key, x = torch.randn(batch, length, heads, width), torch.randn(batch, entries, width), torch.randn(batch, length, 7)
    weights = (peer.weights_proj(x) * peer.weights_scaling * peer.softmax_scale).detach()
    for found in both("index_scores", query.transpose(1, 2).numpy(), key.numpy(), weights.numpy()):
        close(found, peer(query, key, x))


@pytest.mark.parametrize("batch, length, rate, width", [(1, 3, 3, 4), (2, 11, 3, 6), (1, 8, 2, 8), (2, 5, 4, 6)])
def test_tokens_pressed_together_and_who_may_look_at_them(batch, length, rate, width):
    torch.manual_seed(length)
    rates = {"compressed_sparse_attention": 2, "heavily_compressed_attention": rate}
    sizes = {"hidden_size": 10, "head_dim": width, "num_attention_heads": 2, "num_hidden_layers": 2, "partial_rotary_factor": 2 / width}
    peer = drawn(pressed.DeepseekV4HCACompressor(pressed.DeepseekV4Config(**sizes, compress_rates=rates)))
    x, positions = torch.randn(batch, length, 10), torch.arange(length)[None].expand(batch, -1)
    entries, bias = peer(x, None, positions, None, 0)

    with torch.no_grad():
        gates = peer.gate_proj(x)
        full = length // rate * rate
        gates[:, :full] += peer.position_bias.tile(length // rate, 1)
        rows = peer.kv_proj(x)
    for found in both("compress", rows.numpy(), gates.numpy(), rate=rate):
        made = peer.kv_norm(torch.as_tensor(found))
        cos, sin = peer.rotary_emb(made, position_ids=torch.arange(length // rate)[None] * rate, layer_type=peer.rope_layer_type)
        close(pressed.apply_rotary_pos_emb(made.unsqueeze(1), cos, sin).detach(), entries)
    mask = reference.compressed_mask(length, rate=rate)
    assert ((bias[0, 0] == 0).numpy() == mask).all()


def test_the_sizes_of_the_chapter_are_those_of_the_models():
    theirs = indexed.DeepseekV32Config()
    ours = {"heads": theirs.num_attention_heads, "latent": theirs.kv_lora_rank, "rotated": theirs.qk_rope_head_dim}
    ours |= {"index_heads": theirs.index_n_heads, "index_width": theirs.index_head_dim, "k": theirs.index_topk}
    assert ours == INDEXER_SIZES and glm.GlmMoeDsaConfig().index_topk == theirs.index_topk
    config = pressed.DeepseekV4Config()
    assert (*config.compress_rates.values(),) == PRESSED_RATES and config.sliding_window == PRESSED_RATES[1]
