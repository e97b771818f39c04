"""Hyper-connections: several residual streams a token, from which a sublayer reads, to which it writes, and which are mixed.

n is the number of streams, d their width (Zhu et al. 2024; with a doubly stochastic mixing matrix Xie et al. 2025, as in DeepSeek-V4).
"""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import check_size, numbers, shapes
from pencil.reference.functional import linear, rms_norm, sigmoid


@dataclass(frozen=True)
class HyperConnectionParams:
    """Projections of a token's streams, laid side by side, to the logits of what is read, written and mixed; each with a bias."""

    read: object  # (n, n · d)
    write: object  # (n, n · d)
    mixing: object  # (n · n, n · d)
    read_bias: object  # (n,)
    write_bias: object  # (n,)
    mixing_bias: object  # (n · n,)


def check_streams(params):
    """Raises ValueError unless `read`, `write` and `mixing` have n, n and n · n rows, all n · d wide."""
    n, wide = params.read.shape
    sizes = {"read": (n, wide), "write": (n, wide), "mixing": (n * n, wide)}
    for name, size in sizes.items():
        if tuple(getattr(params, name).shape) != size or wide % n:
            raise ValueError(f"{name} is {tuple(getattr(params, name).shape)}; {n} streams of equal width need {size}, with a width that {n} divides")


@shapes("... n n -> ... n n")
def sinkhorn(matrix, *, iterations=20, note=no_note):
    """Divide each row by its sum and then each column by its sum, again and again: rows and columns come to add up to 1 (Sinkhorn et al. 1967).

    - `matrix`: (..., n, n), numbers above zero
    - `iterations`: how often both are done; after any number of them the columns add up to 1

    Raises ValueError for a number that is not above zero, and for iterations that are no whole number of at least 1.
    """
    check_size("iterations", iterations)
    if not (numbers(matrix) > 0).all():
        raise ValueError(
            "a number of the matrix is not above zero, and zeros may leave no sum to divide by; take exponentials of numbers less far apart"
        )
    for k in range(1, iterations + 1):
        matrix = note(f"rows{k}", matrix / matrix.sum(-1, keepdims=True))
        matrix = note(f"columns{k}", matrix / matrix.sum(-2, keepdims=True))
    return matrix


@shapes("... n d, read: ... n, write: ... n, mixing: ... n n -> ... n d")
def mix_streams(streams, sublayer, *, read, write, mixing, note=no_note):
    """The streams after a sublayer: mixed, and what it makes of its input added to each.

    - `streams`: (..., n, d), the residual streams of each token
    - `sublayer`: a function of (..., d), one row a token, such as attention behind its norm
    - `read`: (..., n), how much of each stream is in the sublayer's input
    - `write`: (..., n), how much of its output is added to each stream
    - `mixing`: (..., n, n); column k says how much of each stream the new stream k has

    Raises ValueError for shapes that do not fit one another. Source: Zhu et al. 2024.
    """
    out = sublayer(note("collapsed", (read[..., None] * streams).sum(-2)))
    mixed = note("mixed", mixing.swapaxes(-1, -2) @ streams)
    return note("new_streams", mixed + note("written", write[..., None] * out[..., None, :]))


@shapes(
    "... n d, params.read: n wide, params.write: n wide, params.mixing: cells wide, params.read_bias: n, params.write_bias: n, "
    "params.mixing_bias: cells -> ... n d"
)
def hyper_connection(streams, params, sublayer, *, iterations=20, eps=0.0, note=no_note):
    """A sublayer between streams, with read, write and mixing weights that each token works from its own streams (Xie et al. 2025).

    - `streams`: (..., n, d), the residual streams of each token
    - `params`: the projections to the logits; wide is n · d, and cells are n · n
    - `sublayer`: as in `mix_streams`
    - `iterations`: of `sinkhorn`, which makes the mixing matrix of the exponentials of its logits
    - `eps`: of the norm of the streams, laid side by side

    Raises ValueError for shapes that do not fit, and as `rms_norm` and `sinkhorn` do.
    """
    check_streams(params)
    n, d = streams.shape[-2:]
    if params.read.shape != (n, n * d):
        raise ValueError(f"{n} streams of {d} numbers need projections {n * d} wide, and {n * n} rows in mixing; these have {params.mixing.shape}")
    flat = rms_norm(streams.reshape(*streams.shape[:-2], n * d), eps=eps, note=scoped(note, "streams_norm"))
    in_read, in_write, in_mixing = (scoped(note, name) for name in ("read", "write", "mixing"))
    read = sigmoid(in_read("logits", linear(flat, params.read, params.read_bias)), note=in_read)
    write = in_write("weights", 2 * sigmoid(in_write("logits", linear(flat, params.write, params.write_bias)), note=in_write))
    logits = in_mixing("logits", linear(flat, params.mixing, params.mixing_bias)).reshape(*flat.shape[:-1], n, n)
    exps = np.exp(logits - logits.max(-1, keepdims=True))  # each row is divided by its sum, so a factor of a whole row does not count
    mixing = sinkhorn(exps, iterations=iterations, note=in_mixing)
    return mix_streams(streams, sublayer, read=read, write=write, mixing=mixing, note=note)
