"""Sparse attention: an indexer's scores, the mask of the best k, and tokens pressed together; as in `pencil.reference`."""

import torch

from pencil.model.module import named
from pencil.note import scoped
from pencil.reference.contracts import check_size


def index_scores(query, key, weights, *, note=None):  # (..., H, T, d_i), (..., S, d_i), (..., T, H) -> (..., T, S)
    """The indexer's score of every key: the sum over its heads of weight · ReLU(query · key); see the reference.

    Raises ValueError unless each head has a weight.
    """
    if query.shape[-3] != weights.shape[-1]:
        raise ValueError(f"{query.shape[-3]} heads and {weights.shape[-1]} weights; give each head one")
    total = 0
    for h in range(query.shape[-3]):
        head = scoped(note, f"head{h + 1}")
        scores = named(head, "scores", query[..., h, :, :] @ key.mT)
        kept = named(head, "kept", scores.relu())
        total = total + named(head, "weighted", weights[..., h : h + 1] * kept)
    return named(note, "index_scores", total)


def top_k_mask(scores, mask=None, *, k):  # (..., T, S), (..., T, S) bool or None, int -> (..., T, S) bool
    """True for the k best scores of each row, of equal ones the first; where `mask` allows fewer, all of them.

    Raises ValueError for k below 1.
    """
    check_size("k", k)
    allowed = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
    order = allowed.argsort(dim=-1, descending=True, stable=True)
    best = order.argsort(dim=-1) < k
    return best if mask is None else best & mask


def compress(x, gates=None, *, rate, note=None):  # (..., T, d), (..., T, d) or None, int -> (..., T // rate, d)
    """One row for every `rate` tokens: their mean, or weighted by the softmax of the gates over the tokens; see the reference.

    Raises ValueError for a rate below 1, and where there are fewer than `rate` tokens.
    """
    check_size("rate", rate)
    if (count := x.shape[-2] // rate) == 0:
        raise ValueError(f"{x.shape[-2]} tokens at a rate of {rate} fill no entry; give at least {rate}")
    rows, *others = (each[..., : count * rate, :].unflatten(-2, (count, rate)) for each in ([x] if gates is None else [x, gates]))
    shares = others[0].softmax(-2) if others else 1 / rate
    if note is not None and others:  # each entry's shares have a row for each number, as the reference names them
        for number in range(count):
            note(f"entry{number + 1}.weights", shares[..., number, :, :].mT)
    return named(note, "entries", (shares * rows).sum(-2))
