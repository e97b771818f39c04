"""Gemma 3 checkpoints that transformers writes, and rotary positions scaled by YaRN, opened by the book's code. Nothing is fetched."""

import json

import numpy as np
import pytest
import torch
import transformers
from agree import assert_close
from opened_peers import Angles, assert_every_block_agrees, assert_opened_as, assert_the_same_greedy_text, llama_config, scope
from pairs import keep, shaken
from pairs_modern import in_full
from pairs_today import dealt, in_heads
from pairs_transformers import NO_IDS

from pencil.experiments.pretrained import checkpoint
from pencil.model import Config
from pencil.reference import LinearScaling, Rotary

every = pytest.mark.parametrize
SIZES = [(2, 1, 1, 2, 1), (12, 6, 3, 4, 9), (9, 3, 1, 6, 7)]  # width, heads, heads with a key, width of a head, width of the network
EPS = 1e-5
ROPES = {
    "full_attention": {"rope_theta": 500.0, "rope_type": "linear", "factor": 4.0},
    "sliding_attention": {"rope_theta": 20.0, "rope_type": "default"},
}

OTHERS = [{}, {"layer_types": ["full_attention", "sliding_attention"] * 2, "tie_word_embeddings": False}, {"sliding_window_pattern": 2}]


class BothAngles(torch.nn.Module):
    """Cosines and sines in float64, by kind of layer."""

    def __init__(self, width, ropes):
        super().__init__()
        self.angles = {kind: Angles(width, rope["rope_theta"], stretch=np.full(width // 2, rope.get("factor", 1.0))) for kind, rope in ropes.items()}

    def forward(self, x, position_ids, layer_type):
        return self.angles[layer_type](x, position_ids)


def gemma(sizes, **others):
    d, heads, pairs, d_k, d_ff = sizes
    theirs = {"hidden_size": d, "num_attention_heads": heads, "num_key_value_heads": pairs, "head_dim": d_k, "intermediate_size": d_ff}
    theirs |= {"num_hidden_layers": 4, "vocab_size": 13, "rms_norm_eps": EPS, "query_pre_attn_scalar": 5, "sliding_window": 3}
    theirs |= {"rope_parameters": {kind: dict(rope) for kind, rope in ROPES.items()}, "attn_implementation": "sdpa"}
    return shaken(transformers.Gemma3ForCausalLM(transformers.Gemma3TextConfig(**(theirs | NO_IDS | others))), 0, torch.float64)


def named_gemma(peer, ids):  # -> logits, {our name: value}
    body, modules = peer.model, {"scaled_embedding": peer.model.embed_tokens, "norm.affine": peer.model.norm}
    for i, one in enumerate(body.layers, start=1):
        attention, mlp = one.self_attn, one.mlp
        modules |= {f"block{i}.{name}": module for name, module in {
            "norm1.affine": one.input_layernorm, "sandwich_norm1.affine": one.post_attention_layernorm, "norm2.affine": one.pre_feedforward_layernorm,
            "sandwich_norm2.affine": one.post_feedforward_layernorm, "attn_out": attention.o_proj, "gate": mlp.gate_proj, "hidden": mlp.up_proj,
            "activated": mlp.act_fn, "mlp_out": mlp.down_proj, "out": one,
            "value": attention.v_proj, "query_norm.affine": attention.q_norm, "key_norm.affine": attention.k_norm,
        }.items()}  # fmt: skip
    kept = keep(modules)
    logits = peer(ids, use_cache=False).logits
    heads, pairs = peer.config.num_attention_heads, peer.config.num_key_value_heads
    for i in range(1, len(body.layers) + 1):
        owners = {"query_norm.affine": range(1, heads + 1), "key_norm.affine": range(1, heads + 1, heads // pairs)}
        for name, own in owners.items():
            normed = dealt(kept.pop(f"block{i}.{name}"))
            kept |= {f"block{i}.{scope(heads, h)}{name}": normed[:, k] for k, h in enumerate(own)}
        values = in_heads(kept.pop(f"block{i}.value"), pairs)
        kept |= {f"block{i}.{scope(heads, h)}value": values[:, k] for k, h in enumerate(owners["key_norm.affine"])}
        kept[f"block{i}.residual"] = kept[f"block{i}.out"] - kept[f"block{i}.sandwich_norm2.affine"]
    return logits, kept | {"logits": logits}


@every("sizes", SIZES, ids=str)
@every("others", OTHERS, ids=str)
def test_a_gemma3(tmp_path, sizes, others):
    peer = gemma(sizes, **others)
    peer.save_pretrained(tmp_path)
    found = checkpoint.read(tmp_path)
    assert found.config.window_layers == tuple(i for i, kind in enumerate(peer.config.layer_types, start=1) if kind == "sliding_attention")
    in_full(peer, EPS).model.rotary_emb = BothAngles(sizes[3], ROPES)
    peer.model.embed_tokens.embed_scale = torch.nn.Buffer(torch.tensor(sizes[0] ** 0.5, dtype=torch.float64))  # theirs is rounded to float32
    ids = torch.tensor(np.random.default_rng(0).integers(0, 13, (2, 7)))
    with torch.no_grad():
        logits, named = named_gemma(peer, ids)
    assert len(named) >= 4 * 13
    assert_opened_as(found, ids, logits, named)
    assert_the_same_greedy_text(found, peer, ids)


def test_an_older_file_of_a_gemma3_says_its_positions_elsewhere(tmp_path):
    gemma(SIZES[1]).save_pretrained(tmp_path)
    written = json.loads((tmp_path / "config.json").read_text())
    for name in ("rope_parameters", "layer_types"):
        del written[name]
    older = {"rope_theta": 500.0, "rope_local_base_freq": 20.0, "rope_scaling": {"rope_type": "linear", "factor": 4.0}, "sliding_window_pattern": 3}
    (tmp_path / "config.json").write_text(json.dumps(written | older))
    config, ids = checkpoint.read(tmp_path).config, torch.tensor([[3, 1, 12, 0, 0, 5, 7, 2, 9]])
    assert config.position_encoding == Rotary(base=500.0, scaling=LinearScaling(4.0)) and config.window_position_encoding == Rotary(base=20.0)
    assert config.window_layers == (1, 2, 4)
    peer = transformers.Gemma3ForCausalLM.from_pretrained(tmp_path, dtype=torch.float32)
    with torch.no_grad():
        assert_close(checkpoint.read(tmp_path).model()(ids), peer(ids).logits, 1e-4, "logits")


def test_its_description_by_name_is_that_of_the_file(tmp_path):
    gemma((12, 6, 3, 4, 9), rope_parameters=None).save_pretrained(tmp_path)
    config = checkpoint.read(tmp_path).config
    sizes = {"d_k": 4, "n_kv_heads": 3, "d_ff": 9, "n_layers": 4, "vocab_size": 13}
    assert config == Config.gemma3(12, 6, **sizes, window=3, score_width=5, eps=EPS, softmax=config.softmax)


@every("setting, says", [
    ({"layer_types": ["sliding_attention"] * 3}, "layer_types="),
    ({"layer_types": ["chunked_attention"] * 4}, "layer_types="),
    ({"attn_logit_softcapping": 50.0}, "attn_logit_softcapping=50.0"),
    ({"use_bidirectional_attention": True}, "use_bidirectional_attention=True"),
    ({"rope_parameters": {"rope_theta": 10.0}}, "full_attention"),
    ({"query_pre_attn_scalar": 0}, "query_pre_attn_scalar=0"),
    ({"model_type": "gemma3"}, "model_type='gemma3'; known are"),
], ids=str)  # fmt: skip
def test_a_gemma3_of_another_kind_is_refused_by_name(tmp_path, setting, says):
    gemma(SIZES[1]).save_pretrained(tmp_path)
    written = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(written | setting))
    with pytest.raises(ValueError, match=says):
        checkpoint.read(tmp_path)


YARNS = [
    {"factor": 4.0, "original_max_position_embeddings": 8},
    {"factor": 40.0, "original_max_position_embeddings": 64, "beta_fast": 4, "beta_slow": 2.0, "truncate": False},
    {"factor": 2.0, "original_max_position_embeddings": 30, "attention_factor": 1.5},
    {"factor": 3.0, "original_max_position_embeddings": 4096},
]


@every("yarn", YARNS, ids=str)
@every("sizes", [(12, 6, 3, 8, 9), (2, 1, 1, 2, 1), (10, 2, 2, 22, 11)], ids=str)
def test_yarn(tmp_path, sizes, yarn):
    config = llama_config(*sizes, base=100.0)
    config.rope_parameters = {"rope_theta": 100.0, "rope_type": "yarn"} | yarn
    peer = shaken(transformers.LlamaForCausalLM(config), 0, torch.float64)
    peer.save_pretrained(tmp_path)
    found, d_k = checkpoint.read(tmp_path), sizes[3]
    encoding, theirs = found.config.position_encoding, peer.model.rotary_emb
    stretch = encoding.stretch(d_k)
    np.testing.assert_allclose(1 / (100.0 ** (np.arange(0, d_k, 2) / d_k) * stretch), theirs.inv_freq.numpy(), rtol=1e-6)
    np.testing.assert_allclose(encoding.amplitude, theirs.attention_scaling, rtol=1e-12)
    assert_every_block_agrees(found, peer, d_k=d_k, base=100.0, length=9, stretch=stretch, amplitude=encoding.amplitude)
