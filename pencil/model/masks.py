"""Who may look where. A mask is True where a query may look; it broadcasts to (queries, keys). All on the device of what is masked."""

import torch

from pencil.reference.embedding import PADDING


def causal_mask(words, keys=None, device=None):  # count -> (T, S) bool
    """Each word may look at itself and at what came before it; the last query stands at the last key (Vaswani et al. 2017, 3.2.3).

    Raises ValueError for no words.
    """
    if words < 1:
        raise ValueError(f"{words} words need no mask; give it at least 1")
    keys = words if keys is None else keys
    return torch.ones(words, keys, dtype=torch.bool, device=device).tril(keys - words)


def padding_mask(ids):  # (..., T) -> (..., T) bool
    """True where a slot holds a word: where the id is not 0, the padding's. Raises ValueError for what is no tensor."""
    if not isinstance(ids, torch.Tensor):
        raise ValueError(f"ids are a {type(ids).__name__}; write torch.tensor([[1, 2]])")
    return ids != PADDING


def key_mask(real, note=None):  # (..., T) bool -> (..., 1, T) bool
    """The padding mask laid over the keys. Where it may look it is None if no slot is empty, as in the reference.

    It looks with a note and where it `may_peep`, and there raises ValueError for a text that is padding alone. Elsewhere such a
    text's rows hold zeros from attention.
    """
    if note is not None or may_peep(real):
        if not real.any(-1).all():
            raise ValueError(f"all {real.shape[-1]} slots of a text are padding: there is nothing to look at; leave such a text out")
        if real.all():
            return None
    return real.unsqueeze(-2)


def may_peep(mask):  # mask -> bool
    """Whether code may be chosen by what a mask holds: on a CPU, outside torch.compile and jit.trace.

    A GPU would make the program wait for it, and a graph would keep for good what one mask held.
    """
    return mask.device.type == "cpu" and not torch.compiler.is_compiling() and not torch.jit.is_tracing()


def both(mask, other):  # masks or None -> mask or None
    """May look by one mask and by the other."""
    if mask is None or other is None:
        return other if mask is None else mask
    return mask & other


def for_heads(mask):  # (..., T, S) -> (..., 1, T, S)
    """The mask with an axis for the heads, where it has one for the batch."""
    return mask if mask is None or mask.dim() < 3 else mask.unsqueeze(-3)


def check_mask(mask):
    """Refuse a mask of numbers: it would be added where it is meant to allow."""
    if mask is not None and mask.dtype != torch.bool:
        raise ValueError(f"the mask holds {mask.dtype}; write True where a query may look and False elsewhere, not numbers to add")
