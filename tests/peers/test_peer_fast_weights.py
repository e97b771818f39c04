"""The gated delta rule against transformers' own, which computes in float32 whatever it is given."""

import numpy as np
import pytest
import torch
from transformers.models.qwen3_next import modeling_qwen3_next as peer

from pencil import model, reference
from pencil.examples import HYBRID_SIZES


@pytest.mark.parametrize("chunk_size", [None, 1, 4, 64])
@pytest.mark.parametrize("sizes", [(1, 1, 1, 1, 1), (2, 3, 7, 4, 5), (1, 2, 9, 6, 2)], ids=str)
@pytest.mark.parametrize("begun", [False, True])
def test_the_gated_delta_rule(sizes, chunk_size, begun):
    batch, heads, length, d_k, d_v = sizes
    rng = np.random.default_rng(0)
    query, key, value = (rng.normal(size=(batch, heads, length, width)) for width in (d_k, d_k, d_v))
    key /= np.linalg.norm(key, axis=-1, keepdims=True)
    beta, decay = (rng.uniform(0.1, 1, (batch, heads, length)) for _ in range(2))
    state = rng.normal(size=(batch, heads, d_k, d_v)) if begun else None
    swapped = [torch.tensor(rows).transpose(1, 2).float() for rows in (query, key, value, np.log(decay), beta)]
    first = {"initial_state": None if state is None else torch.tensor(state).float(), "output_final_state": True}
    if chunk_size is None:
        context, last = peer.torch_recurrent_gated_delta_rule(*swapped, **first)
    else:
        context, last = peer.torch_chunk_gated_delta_rule(*swapped, chunk_size=chunk_size, **first)
    gates = {"beta": beta, "decay": decay, "state": state}
    tensors = {name: None if gate is None else torch.tensor(gate) for name, gate in gates.items()}
    rows = [torch.tensor(rows) for rows in (query / d_k**0.5, key, value)]
    for found in (
        reference.recurrent_attention(query / d_k**0.5, key, value, **gates),
        model.recurrent_attention(*rows, **tensors),
        model.chunked_attention(*rows, chunk_size=chunk_size or 2, **tensors),
    ):
        np.testing.assert_allclose(found[0], context.transpose(1, 2).numpy(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(found[1], last.numpy(), rtol=1e-4, atol=1e-5)


def test_the_sizes_of_the_chapter_are_those_of_the_model():
    theirs = peer.Qwen3NextConfig()
    ours = {"layers": theirs.num_hidden_layers, "attention_layers": theirs.layer_types.count("full_attention")}
    ours |= {"kv_heads": theirs.num_key_value_heads, "d_k": theirs.head_dim}
    ours |= {"state_heads": theirs.linear_num_value_heads, "state_width": theirs.linear_key_head_dim}
    assert ours == HYBRID_SIZES and theirs.linear_value_head_dim == theirs.linear_key_head_dim
    assert theirs.layer_types[:4] == ["linear_attention"] * 3 + ["full_attention"]
