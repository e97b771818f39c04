"""Linear attention, decay and the delta rule against transformers' Qwen3-Next, Mamba-2, MiniMax and RWKV, which compute in float32."""

import numpy as np
import pytest
import torch
from transformers.models.mamba2 import modeling_mamba2 as mamba
from transformers.models.minimax import modeling_minimax as minimax
from transformers.models.qwen3_next import modeling_qwen3_next as peer
from transformers.models.rwkv.modeling_rwkv import rwkv_linear_attention

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


def both_ways(query, key, value, **gates):  # arrays -> (context, state) of the reference, and of the model token by token and in chunks
    tensors = [torch.tensor(rows) for rows in (query, key, value)]
    held = {name: None if gate is None else torch.tensor(gate) for name, gate in gates.items()}
    yield reference.recurrent_attention(query, key, value, **gates)
    yield model.recurrent_attention(*tensors, **held)
    yield model.chunked_attention(*tensors, chunk_size=3, **held)


def close(found, wanted):
    np.testing.assert_allclose(np.asarray(found), wanted.detach().numpy(), rtol=1e-4, atol=1e-5)


def test_rows_of_padding_on_the_left_write_nothing():
    rng = np.random.default_rng(1)
    query, key, value = (rng.normal(size=(2, 3, 5, width)) for width in (4, 4, 6))
    key /= np.linalg.norm(key, axis=-1, keepdims=True)
    beta, decay = (rng.uniform(0.1, 1, (2, 3, 8)) for _ in range(2))  # of the padding too
    padded = [torch.tensor(np.pad(rows, ((0, 0), (0, 0), (3, 0), (0, 0)))).transpose(1, 2).float() for rows in (query, key, value)]
    gates = [torch.tensor(gate).transpose(1, 2).float() for gate in (np.log(decay), beta)]
    context, last = peer.torch_chunk_gated_delta_rule(*padded, *gates, chunk_size=4, output_final_state=True)
    for found in both_ways(query / 2, key, value, beta=beta[..., 3:], decay=decay[..., 3:]):
        close(found[0], context.transpose(1, 2)[..., 3:, :])
        close(found[1], last)


@pytest.mark.parametrize("chunk_size", [1, 3, 8])
@pytest.mark.parametrize("sizes", [(1, 1, 1, 1, 1, 1), (2, 7, 4, 2, 3, 5), (1, 9, 6, 3, 5, 2)], ids=str)
@pytest.mark.parametrize("begun", [False, True])
def test_the_scan_of_mamba_2_is_linear_attention_with_a_decay(sizes, chunk_size, begun):
    batch, length, heads, groups, width, d_state = sizes
    torch.manual_seed(length)
    x, step, a = torch.randn(batch, length, heads, width), torch.rand(batch, length, heads), -torch.rand(heads)
    b, c = torch.randn(2, batch, length, groups, d_state)
    state = torch.randn(batch, heads, width, d_state) if begun else None
    wanted = mamba.mamba2_chunk_scan(x, step, a, b, c, chunk_size, initial_states=state, return_final_states=True)
    query, key = (rows.repeat_interleave(heads // groups, 2).transpose(1, 2).numpy() for rows in (c, b))
    value, decay = (x * step[..., None]).transpose(1, 2).numpy(), (a * step).exp().transpose(1, 2).numpy()
    for found in both_ways(query, key, value, decay=decay, state=None if state is None else state.mT.numpy()):
        close(found[0], wanted[0].transpose(1, 2))
        close(found[1], wanted[1].mT)
    held, rows = torch.zeros(batch, heads, width, d_state) if state is None else state.clone(), []  # and token by token
    for t in range(length):
        steps = step[:, t, :, None].expand(-1, -1, width), a[:, None, None].expand(-1, width, d_state)
        rows.append(mamba.mamba2_selective_state_update(held, x[:, t], *steps, b[:, t], c[:, t]))
    close(model.recurrent_attention(*map(torch.tensor, (query, key, value)), decay=torch.tensor(decay), state=None if state is None else state.mT)[0],
          torch.stack(rows, 2))  # fmt: skip


def drawn(module):
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(std=0.5)
    return module.eval()


@pytest.mark.parametrize(
    "batch, length, padding, heads, width, groups, d_state", [(2, 7, 3, 4, 3, 2, 5), (1, 4, 0, 6, 2, 3, 3), (2, 1, 2, 2, 5, 1, 1)]
)
def test_the_mixer_of_mamba_2_with_padding_on_the_left(batch, length, padding, heads, width, groups, d_state):
    torch.manual_seed(length)
    sizes = {"hidden_size": heads * width // 2, "expand": 2, "num_heads": heads, "head_dim": width, "n_groups": groups, "state_size": d_state}
    theirs = drawn(mamba.Mamba2Mixer(mamba.Mamba2Config(**sizes, chunk_size=3, num_hidden_layers=1), 0))
    x = torch.randn(batch, length, heads * width // 2)
    padded = torch.cat([torch.randn(batch, padding, x.shape[-1]), x], 1)
    wanted = theirs(padded, attention_mask=(torch.arange(padding + length) >= padding).long().expand(batch, -1))[:, padding:]
    with torch.no_grad():
        gate, rows, step = theirs.in_proj(x).split([heads * width, theirs.conv_dim, heads], -1)
        rows = torch.nn.functional.silu(theirs.conv1d(rows.mT)[..., :length]).mT
        value, key, query = rows.split([heads * width, groups * d_state, groups * d_state], -1)
        value, step = value.unflatten(-1, (heads, width)), torch.nn.functional.softplus(step + theirs.dt_bias)
        query, key = (each.unflatten(-1, (groups, d_state)).repeat_interleave(heads // groups, 2).transpose(1, 2) for each in (query, key))
        decay = (-theirs.A_log.exp() * step).exp().transpose(1, 2)
        for found, _ in both_ways(query.numpy(), key.numpy(), (value * step[..., None]).transpose(1, 2).numpy(), decay=decay.numpy()):
            context = torch.as_tensor(found).float().transpose(1, 2) + theirs.D[:, None] * value
            close(theirs.out_proj(theirs.norm(context.flatten(2), gate)), wanted)


@pytest.mark.parametrize("batch, length, padding, heads, width, block", [(2, 7, 2, 4, 3, 3), (1, 5, 0, 2, 6, 8), (2, 1, 3, 1, 1, 2)])
def test_a_fixed_decay_for_each_head(batch, length, padding, heads, width, block):
    """MiniMax's lightning attention, which is RetNet's retention with other decays."""
    torch.manual_seed(length)
    sizes = {"hidden_size": 5, "num_attention_heads": heads, "num_key_value_heads": heads, "head_dim": width, "num_hidden_layers": 2}
    theirs = drawn(minimax.MiniMaxLightningAttention(minimax.MiniMaxConfig(**sizes, block_size=block), 0))
    x = torch.randn(batch, length, 5)
    padded = torch.cat([torch.randn(batch, padding, 5), x], 1)
    mask = (torch.arange(padding + length) >= padding).expand(batch, -1)
    wanted = theirs(padded, None, mask)[0][:, padding:]
    with torch.no_grad():
        rows = theirs.act_fn(theirs.qkv_proj(x)).unflatten(-1, (heads, 3 * width)).transpose(1, 2)
        query, key, value = (each.numpy() for each in rows.split(width, -1))
        decay = torch.exp(-theirs.slope_rate[:, :, 0]).expand(batch, heads, length).numpy()
        square = reference.linear_attention(query, key, value, decay=decay)
        for context in (square, *(found for found, _ in both_ways(query, key, value, decay=decay))):
            normed = theirs.norm(torch.as_tensor(context).float().transpose(1, 2).flatten(2))
            close(theirs.out_proj(torch.sigmoid(theirs.output_gate(x)) * normed), wanted)


@pytest.mark.parametrize("batch, length, width", [(1, 2, 1), (2, 7, 3)])
def test_rwkv_is_linear_attention_with_keys_of_one_number_and_a_sum_beside_the_values(batch, length, width):
    torch.manual_seed(length)
    key, value = torch.randn(2, batch, length, width)
    first, slow = torch.randn(2, width)
    wanted, _ = rwkv_linear_attention(slow, first, key, value)
    keys, ones = key.exp().mT[..., None], torch.ones(batch, width, length, 1)  # each place of a row is a head of its own
    rows = ones.numpy(), keys.numpy(), torch.stack([value.mT, ones[..., 0]], -1).numpy()
    for before, _ in both_ways(*rows, decay=torch.exp(-slow.exp())[:, None].expand(batch, width, length).numpy()):
        before = np.concatenate([np.zeros((batch, width, 1, 2)), np.asarray(before)[:, :, :-1]], 2)  # a token reads what those before it have left,
        own = (key + first).exp().mT.numpy()  # and itself with a weight of its own
        close((before[..., 0] + own * value.mT.numpy()) / (before[..., 1] + own), wanted.mT)


def test_the_sizes_of_the_chapter_are_those_of_the_model():
    theirs = peer.Qwen3NextConfig()
    ours = {"layers": theirs.num_hidden_layers, "attention_layers": theirs.layer_types.count("full_attention")}
    ours |= {"kv_heads": theirs.num_key_value_heads, "d_k": theirs.head_dim}
    ours |= {"state_heads": theirs.linear_num_value_heads, "state_width": theirs.linear_key_head_dim}
    assert ours == HYBRID_SIZES and theirs.linear_value_head_dim == theirs.linear_key_head_dim
    assert theirs.layer_types[:4] == ["linear_attention"] * 3 + ["full_attention"]
