"""Masks: True where a query may attend to a key. They broadcast to (queries, keys), and lie on the device of what is masked.

A mask of two axes is always (queries, keys), the same for the whole batch; `key_mask` makes one of a batch's padding (B, S): (B, 1, S).
"""

import torch

from pencil.reference.text import PADDING


def causal_mask(queries, keys=None, *, window=None, device=None):  # count -> (T, S) bool
    """Each position may attend to itself and to what came before it (Vaswani et al. 2017, 3.2.3).

    Args:
        queries: T, their number.
        keys: S, their number, with the last query at the last key; as many as queries if None.
        window: how many it may attend to, itself and the `window` − 1 before it (sliding window attention); None is all.
        device: of the mask.

    Raises ValueError for no queries and for a window below 1.
    """
    if queries < 1:
        raise ValueError(f"{queries} queries need no mask; give it at least 1")
    if window is not None and window < 1:
        raise ValueError(f"window={window} leaves no position to attend to, not even itself; give it at least 1")
    keys = queries if keys is None else keys
    mask = torch.ones(queries, keys, dtype=torch.bool, device=device).tril(keys - queries)
    return mask if window is None else mask.triu(keys - queries - window + 1)


def padding_mask(ids):  # (..., T) -> (..., T) bool
    """True where the id is not 0, the id of padding. Raises ValueError as `check_ids` does."""
    check_ids(ids)
    return ids != PADDING


def check_ids(ids):
    """Raise ValueError for ids that are no tensor of int64 or int32, the types that torch looks embeddings up by."""
    if not isinstance(ids, torch.Tensor):
        raise ValueError(f"ids are a {type(ids).__name__}, no tensor; write torch.tensor([[1, 2]])")
    if ids.dtype == torch.bool:
        raise ValueError("ids are torch.bool, a mask of True and False; hand in the ids themselves")
    if ids.dtype not in (torch.int64, torch.int32):
        raise ValueError(f"ids are {ids.dtype}, and an embedding is looked up by int64 or int32; write ids.long()")


def check_padding_at_end(mask):  # (..., T) bool
    """Raise ValueError where a token stands after padding: the positions of the reference count the padding, those of the model do not."""
    if token_after_padding(mask):
        raise ValueError(
            "a token stands after padding, which is masked and has no position; put the padding (id 0) at the end, or leave padding=True out"
        )


def token_after_padding(mask):  # (..., T) bool -> bool
    """Whether any text of a padding mask has a token after padding."""
    return bool((mask[..., 1:] & ~mask[..., :-1]).any())


def key_mask(mask, *, note=None):  # (..., T) bool -> (..., 1, T) bool, or None
    """A padding mask as a mask of keys, the same for every query.

    With a note, or where `can_inspect` is True, it is None if there is no padding, as in the reference, and a text of padding only
    raises ValueError. Elsewhere the mask always comes back, and attention gives such a text's rows zeros. Raises ValueError for ids,
    which the reference's function of this name takes: here `padding_mask` makes the mask first.
    """
    if mask.dtype != torch.bool:
        raise ValueError(f"the padding mask holds {mask.dtype}; hand in True for a token and False for padding: key_mask(padding_mask(ids))")
    if note is not None or can_inspect(mask):
        if not mask.any(-1).all():
            raise ValueError(f"all {mask.shape[-1]} positions of a text are padding: there is nothing to attend to; leave such a text out")
        if mask.all():
            return None
    return mask.unsqueeze(-2)


def can_inspect(mask):  # mask -> bool
    """Whether code may branch on a tensor's values: on a CPU, outside torch.compile and torch.jit.trace.

    On a GPU the program would wait for the values, and a compiled or traced graph would keep the branch of one mask for good.
    """
    return mask.device.type == "cpu" and not torch.compiler.is_compiling() and not torch.jit.is_tracing()


def combined(mask, other):  # masks or None -> mask or None
    """True where both masks are; None stands for a mask that is True everywhere."""
    if mask is None or other is None:
        return other if mask is None else mask
    return mask & other


def with_causal(mask, queries, keys, device):  # (..., T, S) or None, T, S -> (..., T, S)
    """The mask, and the causal one besides. Raises ValueError for a mask of numbers."""
    check_mask(mask)
    return combined(mask, causal_mask(queries, keys, device=device))


def in_window(mask, queries, keys, window, device, positions=None):  # (..., T, S) or None, T, S -> (..., T, S) or None
    """The mask, where a query sees none farther back than `window` − 1 tokens; None changes nothing.

    `positions` (..., S) are those of each row in its own text, 0, 1, 2, … if None. A query that would then see nothing (padding behind padding)
    sees what the mask lets it see.
    """
    if window is None or window >= keys:
        return mask
    check_mask(mask)
    positions = torch.arange(keys, device=device) if positions is None else positions
    near = positions.unsqueeze(-2) > positions[..., keys - queries :].unsqueeze(-1) - window
    return near if mask is None else torch.where((near & mask).any(-1, keepdim=True), near & mask, mask)


def per_head(mask):  # (..., T, S) -> (..., 1, T, S)
    """The mask with an axis for the heads, where it has one for the batch; None stays None."""
    return mask if mask is None or mask.dim() < 3 else mask.unsqueeze(-3)


def check_axes(mask, x):
    """Raise ValueError for a mask with more axes than the rows x (…, T, d) of the queries, for two that are not (T, S), and for 0 and 1 as floats."""
    if mask is None:
        return
    if mask.dim() > x.dim():
        remedy = f"the heads share it, so leave out their axis: {(*mask.shape[:-3], *mask.shape[-2:])}" if mask.dim() == 4 else "leave the others out"
        raise ValueError(f"the mask {tuple(mask.shape)} has more axes than the rows {tuple(x.shape)}; {remedy}")
    if mask.dim() == 2 and mask.shape[0] not in (1, x.shape[-2]):
        raise ValueError(
            f"the mask {tuple(mask.shape)} has two axes, and {x.shape[-2]} queries need (queries, keys), the same for the whole batch; "
            "make a padding mask of a batch (B, S) a mask of keys first: key_mask(padding_mask(ids))"
        )
    _check_zeros_and_ones(mask)


def _check_zeros_and_ones(mask):  # torch would add them to the scores; of other floats only a few are looked at
    if mask.dim() < 2 or not mask.is_floating_point() or not can_inspect(mask) or not (mask[..., 0, 0] == 1).any():
        return
    if ((mask == 0) | (mask == 1)).all() and (mask == 0).any():  # 1 added to all scores changes nothing
        raise ValueError("the mask holds 0 and 1 as floats, which are added to the scores; write mask.bool()")


def check_mask(mask, *, every_row=False):
    """Raise ValueError for a mask of numbers, which would be added to the scores; with `every_row` also for a row that lets nothing be seen."""
    if mask is not None and mask.dtype != torch.bool:
        raise ValueError(f"the mask holds {mask.dtype}; write True where a query may attend and False elsewhere, not numbers to add")
    if every_row and not mask.any(-1).all():
        raise ValueError("a whole row of scores is masked (−inf), and its weights would be 0/0; leave each query at least one key to attend to")
