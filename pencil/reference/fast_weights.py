"""Attention without softmax, as a state that tokens write into and read from: linear attention, decay, the delta rule, and all of them in chunks.

T tokens have queries and keys of width d_k and values of width d_v; the state is a matrix (d_k, d_v), however many tokens there are.
It is also called fast weights, for each token changes it (Schmidhuber 1992; Schlag et al. 2021).
"""

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.attending import attention_scores, weighted_sum
from pencil.reference.contracts import check_size, shapes


@shapes("... T d_k, ... T d_k, ... T d_v, decay?: ... T -> ... T d_v")
def linear_attention(query, key, value, *, decay=None, note=no_note):
    """Causal attention whose scores are the shares: (q·k) v, summed over a token and those before it.

    - `query`, `key`, `value`: one row for each token
    - `decay`: (..., T), by how much what was written before each token shrinks there; None is 1. The share of token j at i is then
      multiplied by the decays of j + 1 to i: masked attention with a mask of decays (Mamba-2: Dao and Gu 2024)

    There is no scale: divide the queries by √d_k where a model does.
    Source: Katharopoulos et al. 2020, 3.2, without a feature map. Raises ValueError for shapes that do not fit.
    """
    scores = attention_scores(query, key, note=note)
    return weighted_sum(note("weights", scores * decay_mask(query.shape[-2], decay, note=note)), value, note=note)


def decay_mask(length, decay, *, note=no_note):  # int, (..., T) or None -> (T, T) or (..., T, T)
    """What is left at token i of what token j wrote: the product of the decays of j + 1 to i; 0 where j comes later."""
    if decay is None:
        return np.tril(np.ones((length, length)))
    one = np.ones((*decay.shape[:-1], 1))
    rows = [one]
    for t in range(1, length):
        rows.append(np.concatenate([rows[-1] * decay[..., t : t + 1], one], axis=-1))
    rows = [row if t + 1 == length else np.concatenate([row, *[0 * one] * (length - 1 - t)], axis=-1) for t, row in enumerate(rows)]
    mask = np.stack(rows, axis=-2)
    return mask if length == 1 else note("decay_mask", mask)  # of a single token it depends on no decay


@shapes("... T d_k, ... T d_k, ... T d_v, beta?: ... T, decay?: ... T, state?: ... d_k d_v -> ... T d_v, ... d_k d_v")
def recurrent_attention(query, key, value, *, beta=None, decay=None, state=None, note=no_note):
    """The same, token by token: each writes into the state and then reads it. Returns the rows read, and the state after the last token.

    - `query`, `key`, `value`: one row for each token
    - `beta`: (..., T), how much of the error each token corrects: the delta rule, which first reads what its key finds and writes the
      difference (Schlag et al. 2021, 4.2); None writes the value as it is
    - `decay`: (..., T), by how much the state shrinks before each token; with a beta this is the gated delta rule (Yang et al. 2025, eq. 10)
    - `state`: (..., d_k, d_v), from the tokens before; None is zeros

    Raises ValueError for shapes that do not fit.
    """
    state = _empty(key, value) if state is None else state
    outputs = []
    for t in range(query.shape[-2]):
        step = scoped(note, f"token{t + 1}")
        if decay is not None:
            state = step("decayed", state * decay[..., t, None, None])
        written = value[..., t, :]
        if beta is not None:
            found = step("found", _read(key[..., t, :], state))
            error = step("error", written - found)
            written = step("written", error * beta[..., t, None])
        product = step("product", key[..., t, :, None] * written[..., None, :])
        state = step("state", state + product)
        outputs.append(step("context", _read(query[..., t, :], state)))
    return note("context", np.stack(outputs, axis=-2)), state


def _empty(key, value):  # -> zeros (..., d_k, d_v)
    return np.zeros((*key.shape[:-2], key.shape[-1], value.shape[-1]))


def _read(row, state):  # (..., d_k) (..., d_k, d_v) -> (..., d_v)
    return (row[..., None, :] @ state)[..., 0, :]


@shapes("... T d_k, ... T d_k, ... T d_v, beta?: ... T, decay?: ... T, state?: ... d_k d_v -> ... T d_v, ... d_k d_v")
def chunked_attention(query, key, value, *, chunk_size, beta=None, decay=None, state=None, note=no_note):
    """The same in chunks: inside a chunk the square of `linear_attention`, between chunks the state. In fractions both are equal.

    - `chunk_size`: how many tokens a chunk has; the last one may have fewer
    - the others as in `recurrent_attention`

    With a beta, what the tokens of a chunk write depends on what those before them wrote: a triangular system, solved row by row.
    Source: Yang et al. 2024, 3.2 (DeltaNet in chunks), and 2025, 3.3 (gated).
    Raises ValueError for a chunk_size below 1 and for shapes that do not fit.
    """
    check_size("chunk_size", chunk_size)
    state = _empty(key, value) if state is None else state
    outputs = []
    for number, start in enumerate(range(0, query.shape[-2], chunk_size), start=1):
        part = slice(start, start + chunk_size)
        rows = (query[..., part, :], key[..., part, :], value[..., part, :])
        gates = (None if gate is None else gate[..., part] for gate in (beta, decay))
        context, state = _chunk(*rows, *gates, state, scoped(note, f"chunk{number}"))
        outputs.append(context)
    return note("context", np.concatenate(outputs, axis=-2)), state


def _chunk(query, key, value, beta, decay, state, note):
    mask = decay_mask(query.shape[-2], decay, note=note)
    left = None if decay is None else note("left", mask[..., :, :1] * decay[..., :1, None])  # of the state before the chunk, at each token

    def before(rows):  # what rows read of that state
        return rows @ state if left is None else rows @ state * left

    written = value if beta is None else note("written", _solved(key, value - before(key), beta, mask))
    weights = note("weights", attention_scores(query, key, note=note) * mask)
    context = note("context", before(query) + weights @ written)
    kept = state if left is None else state * left[..., -1:, :]
    last = mask[..., -1, :, None]  # what is left of each token's product at the end of the chunk
    return context, note("state", kept + (key * last).swapaxes(-1, -2) @ written)


def _solved(key, error, beta, mask):  # what each token writes, given what those before it in the chunk have written
    likeness = (key @ key.swapaxes(-1, -2)) * mask
    rows = []
    for t in range(key.shape[-2]):
        row = error[..., t, :]
        if rows:
            row = row - (likeness[..., t, None, :t] @ np.stack(rows, axis=-2))[..., 0, :]
        rows.append(row * beta[..., t, None])
    return np.stack(rows, axis=-2)
