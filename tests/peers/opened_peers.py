"""What agreement of an opened checkpoint means: every value that the library lets out, the logits in every way to run it, and the greedy text."""

import numpy as np
import torch
import transformers
from agree import assert_close
from pairs import DOUBLE, keep
from pairs_modern import in_full, tables
from pairs_transformers import NO_IDS

from pencil.model import Cache, generate
from pencil.reference import decoder


def scope(heads, head):  # a single head has none
    return "" if heads == 1 else f"head{head}."


def assert_opened_as(found, ids, logits, named, mask=None):
    """The reference and the model, value by value, and the model without a note and with a cache."""
    params, model = found.params(torch.float64), found.model(torch.float64)
    ours, theirs = {}, {}
    decoder(ids.numpy(), params, config=found.config, note=ours.setdefault)
    with torch.no_grad():
        model(ids, note=theirs.setdefault)
        plain, cache = model(ids), Cache()
        stepped = torch.cat([model(ids[:, k : k + 1], cache=cache) for k in range(ids.shape[1])], 1)
    for name, value in named.items():
        assert_close(ours[name], value, DOUBLE, name)
        assert_close(theirs[name], value, DOUBLE, name)
    assert_close(plain, logits, DOUBLE, "without a note")
    assert_close(stepped, logits, DOUBLE, "with a cache")


class Angles(torch.nn.Module):
    """Cosines and sines in float64."""

    def __init__(self, width, base, **scaled):
        super().__init__()
        self.width, self.base, self.scaled = width, base, scaled

    def forward(self, x, position_ids):
        return tables(position_ids.shape[-1], self.width, x.dtype, self.base, **self.scaled)


def llama_config(d, heads, pairs, d_k, d_ff, tied=False, bias=False, base=10_000.0):
    sizes = {"hidden_size": d, "num_attention_heads": heads, "num_key_value_heads": pairs, "head_dim": d_k, "intermediate_size": d_ff}
    rest = {"num_hidden_layers": 2, "vocab_size": 13, "tie_word_embeddings": tied, "attention_bias": bias, "mlp_bias": bias, "rms_norm_eps": 1e-5}
    return transformers.LlamaConfig(**sizes, **rest, rope_theta=base, attn_implementation="sdpa", **NO_IDS)


def assert_every_block_agrees(found, peer, *, d_k, base, length, **scaled):
    """The opened model has the peer's rows after each attention, network and block, its logits, and its greedy text."""
    body = in_full(peer, 1e-5).model
    body.rotary_emb = Angles(d_k, base, **scaled)
    modules = {"embedding": body.embed_tokens, "norm.affine": body.norm}
    for i, one in enumerate(body.layers, start=1):
        modules |= {f"block{i}.attn_out": one.self_attn.o_proj, f"block{i}.mlp_out": one.mlp.down_proj, f"block{i}.out": one}
    kept, ids = keep(modules), torch.tensor(np.random.default_rng(0).integers(0, 13, (2, length)))
    with torch.no_grad():
        logits = peer(ids, use_cache=False).logits
    assert_opened_as(found, ids, logits, kept | {"logits": logits})
    assert_the_same_greedy_text(found, peer, ids)


def assert_the_same_greedy_text(found, peer, ids, count=8):
    """The opened model continues each text by the peer's tokens, where both take the most probable one."""
    wanted = peer.generate(ids, max_new_tokens=count, do_sample=False, use_cache=False, pad_token_id=None, eos_token_id=None)
    continued = generate(found.model(torch.float64), ids.tolist(), max_new_tokens=count, temperature=0)
    assert continued == wanted[:, ids.shape[1] :].tolist()
