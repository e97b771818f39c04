"""Checks of a layer's heads: torch runs them all at once, so they need one shape, and groups of one size."""

from pencil.model.module import check_fit
from pencil.reference.attending import check_own

QKV = ("query", "key", "value")


def is_grouped(query, key):  # (…, H, T, d_k) (…, K, S, d_k) -> bool
    """Whether each head of keys serves a group of query heads (1 < K < H); a single head of keys broadcasts by itself."""
    if min(query.dim(), key.dim()) < 3:
        return False
    heads, pairs = query.shape[-3], key.shape[-3]
    return bool(1 < pairs < heads and heads % pairs == 0)  # torch.jit traces sizes as tensors


def check_noted(query, key, dropout):
    """Raise ValueError for what attention with a note does not support: dropout, and grouped heads."""
    if dropout:
        raise ValueError(f"dropout={dropout} and a note: every run would name other numbers; leave one of them out")
    if is_grouped(query, key):
        heads, pairs = query.shape[-3], key.shape[-3]
        raise ValueError(
            f"{pairs} heads of keys for {heads} of queries, and a note: leave the note out, or repeat keys and values: "
            f"key.repeat_interleave({heads // pairs}, -3)"
        )


def check_heads(params):  # AttentionParams -> whether the projections have biases
    """Raise ValueError for heads of different widths, for groups of different sizes, for biases on some projections only, and as `check_own`."""
    if not params.heads:
        raise ValueError("no heads: give at least one QKVParams(query, key, value)")
    for head in params.heads:
        check_own(head)
    first, group = params.heads[0], _group_size(params.heads)
    for h, head in enumerate(params.heads):
        for name in QKV if h % group == 0 else QKV[:1]:
            shape, wanted = getattr(head, name).shape, getattr(first, name).shape
            if shape != wanted:
                raise ValueError(
                    f"head{h + 1}.{name} is {tuple(shape)} and head1.{name} {tuple(wanted)}; torch runs all heads at once: give them one shape"
                )
            if (getattr(head, f"{name}_bias") is None) != (first.query_bias is None):
                raise ValueError(
                    f"head{h + 1}.{name}_bias and head1.query_bias: one is there and one is not; give all projections a bias (of zeros) or none"
                )
    if first.query.shape[0] != first.key.shape[0]:
        raise ValueError(f"a query is {first.query.shape[0]} wide and a key {first.key.shape[0]}; a dot product needs one width for both")
    if first.key.shape[1] != first.value.shape[1]:
        raise ValueError(f"the key weight reads {first.key.shape[1]} numbers and the value weight {first.value.shape[1]}; they read the same rows")
    concat = len(params.heads) * first.value.shape[0]
    check_fit("the concatenation of the heads", concat, "the output weight", params.output, out=first.query.shape[1])
    return first.query_bias is not None


def _group_size(heads):  # how many heads share a key and a value
    own = [head.key is not None for head in heads]
    group = len(heads) // max(1, sum(own))
    if own != [h % group == 0 for h in range(len(heads))]:
        told = ", ".join("own" if has else "shared" for has in own)
        raise ValueError(f"keys and values of the heads are {told}; torch shares them in groups of one size, each led by a head that has its own")
    return group
