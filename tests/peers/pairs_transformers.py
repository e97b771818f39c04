"""Pairs with Hugging Face `transformers`: blocks and whole small models from random configs. Nothing is fetched."""

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # must stand before the first import

import numpy as np
import torch
import transformers
from pairs import Pair, attention_of, bert_block, draw, forbidden, gpt2_block, keep, leaf, linear_pair, norm_of, shaken, shares
from transformers.models.bert.modeling_bert import BertLayer
from transformers.models.bloom.modeling_bloom import BloomBlock, build_alibi_tensor
from transformers.models.gpt2.modeling_gpt2 import GPT2Block
from transformers.models.gptj.modeling_gptj import GPTJAttention

from pencil.reference import Alibi, BlockConfig, BlockParams, DecoderParams, EncoderParams, Rotary, gelu, gelu_erf

transformers.logging.set_verbosity_error()  # ids of start and end tokens that lie outside our small tables

ROWS = 13  # of the small tables
NO_IDS = {"bos_token_id": None, "eos_token_id": None, "pad_token_id": 0}


def gpt2_config(shape, depth=1, how="eager", rows=ROWS, positions=16, eps=1e-5):
    _, _, width, heads, d_ff = shape
    sizes = {"n_embd": width, "n_head": heads, "n_layer": depth, "n_inner": d_ff, "n_positions": positions, "vocab_size": rows}
    rest = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0, "layer_norm_epsilon": eps, "attn_implementation": how}
    return transformers.GPT2Config(**sizes, **rest, **NO_IDS)


def bert_config(shape, depth=1, how="eager", rows=ROWS, positions=16, eps=1e-12):
    _, _, width, heads, d_ff = shape
    sizes = {"hidden_size": width, "num_attention_heads": heads, "num_hidden_layers": depth, "intermediate_size": d_ff, "vocab_size": rows}
    rest = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "layer_norm_eps": eps, "attn_implementation": how}
    return transformers.BertConfig(**sizes, **rest, max_position_embeddings=positions, hidden_act="gelu", **NO_IDS)


def added(mask, dtype):
    """What is hidden as numbers to add, (1, 1, T, S)."""
    return None if mask is None else torch.zeros(mask.shape, dtype=dtype).masked_fill(forbidden(mask), -torch.inf)[None, None]


def gpt2_block_pair(seed, shape, dtype, mask=None, eps=1e-5):
    """Pre-LN, GELU with tanh."""
    batch, words, width, _, _ = shape
    peer = shaken(GPT2Block(gpt2_config(shape, eps=eps), layer_idx=0), seed, dtype)
    parts = {
        "attn_out": peer.attn,
        "hidden": peer.mlp.c_fc,
        "activated": peer.mlp.act,
        "mlp_out": peer.mlp,
        "norm1.affine": peer.ln_1,
        "norm2.affine": peer.ln_2,
    }
    kept = keep(parts)
    weights = []
    peer.attn.register_forward_hook(lambda _, __, out: weights.append(out[1]))

    def run(x):
        out = peer(x, attention_mask=added(mask, dtype))
        return out, kept | shares(weights.pop())

    inputs = [leaf(draw(seed, batch, words, width), dtype)]
    return Pair("block", lambda read: gpt2_block(peer, read), run, inputs, dtype, mask, config=BlockConfig(eps=eps, activation=gelu))


def bert_layer_pair(seed, shape, dtype, mask=None, eps=1e-12):
    """Post-LN, the exact GELU."""
    batch, words, width, _, _ = shape
    peer = shaken(BertLayer(bert_config(shape, eps=eps), layer_idx=0), seed, dtype)
    look = peer.attention
    kept = keep({
        "attn_out": look.output.dense, "norm1.affine": look.output.LayerNorm, "hidden": peer.intermediate.dense,
        "activated": peer.intermediate, "mlp_out": peer.output.dense, "norm2.affine": peer.output.LayerNorm,
    })  # fmt: skip
    weights = []
    look.self.register_forward_hook(lambda _, __, out: weights.append(out[1]))

    def run(x):
        out = peer(x, added(mask, dtype))
        return out, kept | shares(weights.pop())

    inputs = [leaf(draw(seed, batch, words, width), dtype)]
    return Pair(
        "block", lambda read: bert_block(peer, read), run, inputs, dtype, mask, config=BlockConfig(norm_first=False, eps=eps, activation=gelu_erf)
    )


def random_ids(seed, batch, words, padded=False):
    """Ids from 1 on; `padded` leaves the last slots of some texts empty, never all of one."""
    rng = np.random.default_rng([seed, batch, words])
    ids = rng.integers(1, ROWS, (batch, words))
    if padded:
        ids[np.arange(words) >= rng.integers(1, words + 1, batch)[:, None]] = 0
    return ids


def inside(outputs, tail, prefix=""):
    """hidden_states and attentions of a model's answer, under our names; the last hidden state stands behind the `tail`."""
    states = dict(zip([f"block{i}.out" for i in range(1, len(outputs.attentions))], outputs.hidden_states[1:-1], strict=True))
    states |= {tail: outputs.hidden_states[-1]}
    for i, weights in enumerate(outputs.attentions, start=1):
        states |= shares(weights, f"block{i}.")
    return states


def gpt2_pair(seed, shape, dtype, depth=2, padded=False, how="eager"):
    """GPT2LMHeadModel: table and seats, blocks, a last norm, and the table again for the scores."""
    batch, words, _, _, _ = shape
    peer = shaken(transformers.GPT2LMHeadModel(gpt2_config(shape, depth, how)), seed, dtype)
    body = peer.transformer
    ids = random_ids(seed, batch, words, padded)

    def bundle(read):
        return DecoderParams(read(body.wte.weight), tuple(gpt2_block(b, read) for b in body.h), read(body.wpe.weight), norm_of(body.ln_f, read))

    def run():
        look = {"output_attentions": True, "output_hidden_states": True} if how == "eager" else {}
        answer = peer(torch.tensor(ids), attention_mask=torch.tensor(ids != 0).long(), use_cache=False, **look)
        named = {"logits": answer.logits}
        if how == "eager":
            named |= {"x": answer.hidden_states[0]} | inside(answer, "norm.affine")
        return answer.logits, named

    return Pair("decoder", bundle, run, [], dtype, config=BlockConfig(eps=1e-5, activation=gelu), more={"ids": ids, "padding": padded})


def bert_pair(seed, shape, dtype, depth=2, padded=True):
    """BertModel's stack, from its normalized embeddings on."""
    batch, words, width, _, _ = shape
    peer = shaken(transformers.BertModel(bert_config(shape, depth), add_pooling_layer=False), seed, dtype)
    real = random_ids(seed, batch, words, padded) != 0

    def bundle(read):
        return EncoderParams(None, tuple(bert_block(b, read) for b in peer.encoder.layer))

    def run(x):
        mask = torch.zeros(real.shape, dtype=dtype).masked_fill(~torch.tensor(real), -torch.inf)[:, None, None]
        kept = keep({f"block{i}.out": layer for i, layer in enumerate(peer.encoder.layer, start=1)})
        out = peer.encoder(x, mask).last_hidden_state
        return out, kept

    inputs = [leaf(draw(seed, batch, words, width), dtype)]
    return Pair("stack", bundle, run, inputs, dtype, real[:, None, :], config=BlockConfig(norm_first=False, eps=1e-12, activation=gelu_erf))


def gptj_attention_pair(seed, shape, dtype, eps=None):
    """Attention with query and key turned in pairs of slots; transformers works its scores out in float32 whatever it is given."""
    batch, words, width, heads, _ = shape
    config = transformers.GPTJConfig(
        n_embd=width, n_head=heads, n_positions=16, rotary_dim=width // heads, attn_pdrop=0.0, resid_pdrop=0.0, vocab_size=ROWS, **NO_IDS
    )
    peer = shaken(GPTJAttention(config, layer_idx=0), seed, dtype)
    mask = np.tri(words, dtype=bool)

    def bundle(read):
        return attention_of(heads, *(read(p.weight) for p in (peer.q_proj, peer.k_proj, peer.v_proj)), read(peer.out_proj.weight))

    def run(x):
        out, weights = peer(x, attention_mask=added(mask, dtype), position_ids=torch.arange(words)[None])
        return out, {"attn_out": out} | shares(weights)

    return Pair("attention", bundle, run, [leaf(draw(seed, batch, words, width), dtype)], dtype, mask, config=BlockConfig(position_encoding=Rotary()))


def bloom_block_pair(seed, shape, dtype, eps=1e-5):
    """A block whose scores lean; transformers adds slope · seat of the key, which under a causal mask gives the same shares."""
    batch, words, width, heads, _ = shape
    config = transformers.BloomConfig(
        hidden_size=width, n_head=heads, n_layer=1, vocab_size=ROWS, hidden_dropout=0.0, attention_dropout=0.0, layer_norm_epsilon=eps, **NO_IDS
    )
    peer = shaken(BloomBlock(config, layer_idx=0), seed, dtype)
    mask = np.tri(words, dtype=bool)

    def bundle(read):
        look, mlp = peer.self_attention, peer.mlp
        params = read(look.query_key_value.weight).reshape(heads, 3, -1, width)  # head by head: its query, its key, its value
        biases = read(look.query_key_value.bias).reshape(heads, 3, -1)
        attention = attention_of(
            heads, *(params[:, i].reshape(width, width) for i in range(3)), read(look.dense.weight),
            [biases[:, i].reshape(width) for i in range(3)], read(look.dense.bias),
        )  # fmt: skip
        norms = norm_of(peer.input_layernorm, read), norm_of(peer.post_attention_layernorm, read)
        return BlockParams(attention, linear_pair(mlp.dense_h_to_4h, mlp.dense_4h_to_h, read), norms)

    def run(x):
        lean = build_alibi_tensor(torch.ones(batch, words, dtype=torch.long), heads, dtype)
        out, weights = peer(x, alibi=lean, attention_mask=added(mask, dtype))
        return out, {"out": out} | shares(weights)

    config = BlockConfig(eps=eps, activation=gelu, position_encoding=Alibi())
    return Pair("block", bundle, run, [leaf(draw(seed, batch, words, width), dtype)], dtype, mask, config=config)
