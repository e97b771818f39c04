"""Attention without softmax, as a state that tokens write into and read from: linear attention, decay, the delta rule, and all of them in chunks."""

import torch

from pencil.model.module import named
from pencil.note import scoped
from pencil.reference.contracts import check_size


def linear_attention(query, key, value, *, decay=None, note=None):  # (..., T, d_k) (..., T, d_k) (..., T, d_v) -> (..., T, d_v)
    """Causal attention whose scores are the shares, times a mask of decays (..., T) where there are any; see the reference.

    Raises ValueError unless there is one row of each, and one decay, for each token.
    """
    _check_tokens(query, key=key, value=value, decay=decay)
    scores = named(note, "scores", query @ key.mT)
    weights = named(note, "weights", scores * decay_mask(query, decay, note=note))
    if note is None:
        return weights @ value
    weighted_values = note("weighted_values", weights.unsqueeze(-1) * value.unsqueeze(-3))
    return note("context", weighted_values.sum(-2))


def decay_mask(x, decay, *, note=None):  # (..., T, d), (..., T) or None -> (T, T) or (..., T, T)
    """What is left at token i of what token j wrote: the product of the decays of j + 1 to i; 0 where j comes later. `x` says T, dtype and device."""
    length = x.shape[-2]
    if decay is None:
        return x.new_ones(length, length).tril()
    earlier = torch.ones(length, length, dtype=torch.bool, device=x.device).tril(-1)  # the decay of token i counts for all before it
    mask = torch.where(earlier, decay.unsqueeze(-1), 1.0).cumprod(-2).tril()
    return mask if length == 1 else named(note, "decay_mask", mask)


def _check_tokens(query, **others):
    length = query.shape[-2]
    for name, rows in others.items():
        count = None if rows is None else rows.shape[-1 if name in ("beta", "decay") else -2]
        if count not in (None, length):
            raise ValueError(f"{length} queries, and {name} is of {count} tokens; give each token one")
    if length == 0:
        raise ValueError("there is no token; give at least one")


def recurrent_attention(query, key, value, *, beta=None, decay=None, state=None, note=None):  # -> (..., T, d_v), (..., d_k, d_v)
    """The same, token by token: each writes into the state and then reads it; with a `beta` (..., T) by the delta rule.

    Args:
        query, key, value: (…, T, d_k) twice, (…, T, d_v).
        beta: (…, T), how much of the error each token corrects; None writes the values as they are.
        decay: (…, T), by how much the state shrinks before each token; None is 1.
        state: (…, d_k, d_v), from the tokens before; None is zeros.
        note: a function of (name, value).

    Returns the rows read, and the state after the last token. Raises ValueError unless there is one row of each for each token.
    """
    _check_tokens(query, key=key, value=value, beta=beta, decay=decay)
    state = _empty(key, value) if state is None else state
    outputs = []
    for t in range(query.shape[-2]):
        step = scoped(note, f"token{t + 1}")
        if decay is not None:
            state = named(step, "decayed", state * decay[..., t, None, None])
        written = value[..., t, :]
        if beta is not None:
            found = named(step, "found", _read(key[..., t, :], state))
            error = named(step, "error", written - found)
            written = named(step, "written", error * beta[..., t, None])
        product = named(step, "product", key[..., t, :, None] * written[..., None, :])
        state = named(step, "state", state + product)
        outputs.append(named(step, "context", _read(query[..., t, :], state)))
    return named(note, "context", torch.stack(outputs, -2)), state


def chunked_attention(query, key, value, *, chunk_size, beta=None, decay=None, state=None, note=None):  # -> (..., T, d_v), (..., d_k, d_v)
    """The same in chunks, for training: inside a chunk matrix products, between chunks the state. The arguments are those of `recurrent_attention`.

    Raises ValueError for a chunk_size below 1, and as `recurrent_attention` does.
    """
    check_size("chunk_size", chunk_size)
    _check_tokens(query, key=key, value=value, beta=beta, decay=decay)
    state = _empty(key, value) if state is None else state
    outputs = []
    for number, start in enumerate(range(0, query.shape[-2], chunk_size), start=1):
        part = slice(start, start + chunk_size)
        gates = (None if gate is None else gate[..., part] for gate in (beta, decay))
        rows = query[..., part, :], key[..., part, :], value[..., part, :]
        context, state = _chunk(*rows, *gates, state, scoped(note, f"chunk{number}"))
        outputs.append(context)
    return named(note, "context", torch.cat(outputs, -2)), state


def _chunk(query, key, value, beta, decay, state, note):
    scores = named(note, "scores", query @ key.mT)
    mask, left = decay_mask(query, decay, note=note), None
    if decay is not None:
        left = named(note, "left", mask[..., :, :1] * decay[..., :1, None])  # of the state before the chunk, at each token
    before, found = (rows @ state if left is None else rows @ state * left for rows in (query, key))
    written = value if beta is None else named(note, "written", _solved(key, value - found, beta, mask))
    context = named(note, "context", before + named(note, "weights", scores * mask) @ written)
    kept = state if left is None else state * left[..., -1:, :]
    return context, named(note, "state", kept + (key * mask[..., -1, :, None]).mT @ written)


def _solved(key, error, beta, mask):  # (I + B·L)·written = B·error, L the strictly lower part of the likenesses
    system = (key @ key.mT * mask).tril(-1) * beta.unsqueeze(-1)
    wide = torch.promote_types(key.dtype, torch.float32)  # torch solves in no narrower type
    solved = torch.linalg.solve_triangular(system.to(wide), (error * beta.unsqueeze(-1)).to(wide), upper=False, unitriangular=True)
    return solved.to(key.dtype)


def _empty(key, value):
    return key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])


def _read(row, state):  # (..., d_k) (..., d_k, d_v) -> (..., d_v)
    return (row.unsqueeze(-2) @ state).squeeze(-2)
