"""Attention whose output is mean-pooled, computed without the output of each position."""

import torch
import torch.nn.functional as F
from torch.nn.modules import module as torch_module

from pencil.model.attending import MultiHeadAttention

CHUNK_WEIGHTS = 2**18  # attention weights at a time: a megabyte in float32, which fits into a core's cache
MAX_WEIGHTS = 2**20  # attention weights of one text; with more, torch's kernel is better, which does not keep them all for the backward pass
HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


def has_hooks(*modules):  # -> bool
    """Whether any of these modules, or torch for all modules, has a hook (pruning and weight norm are hooks too); torch has no public way to ask.

    `MeanPooledAttention.mean_pool` does not call these modules, so their hooks would not run. What it gains: a training step of the
    Classifier (64 texts of 20, 64 and 200 tokens, width 32, two heads, one CPU thread) is 1.4, 1.7 and 1.2 times as fast.
    """
    return any(getattr(torch_module, f"_global{hooks}") for hooks in HOOKS) or any(getattr(module, hooks) for module in modules for hooks in HOOKS)


class MeanPooledAttention(MultiHeadAttention):
    """Multi-head attention with a faster way to the mean of its output rows, for keys at least as wide as an embedding.

    The scores are x Wqᵀ Wk xᵀ: with the two weights multiplied into one, no keys are needed (the QK circuit of Elhage et al.
    2021). And the weighted sum is linear: the mean of all output rows is one weighted sum, with the mean weights, so each head
    projects one row.
    """

    def can_mean_pool(self, x):  # (…, T, d) -> bool
        """Whether `mean_pool` can take the place of `forward` on these rows, and is likely to be faster."""
        fits = not self.is_cross and self.position_encoding is None and self.d_model <= self.d_k
        batch = x.dim() == 3 and x.numel() > 0 and x.itemsize >= 4  # a batch, not empty, of at least single precision
        return (
            fits and batch and self.n_heads * x.shape[1] ** 2 <= MAX_WEIGHTS and type(self.qkv) is torch.nn.Linear and not has_hooks(self, self.qkv)
        )

    def mean_pool(self, x, *, mask=None):  # (B, T, d) (B, T) bool -> (B, d)
        """The mean of forward's rows where `mask` is True (of all if None), without dropout and without positions."""
        self.check(x)
        size, qk = max(1, CHUNK_WEIGHTS // (self.n_heads * x.shape[1] ** 2)), self._qk_circuit()
        chunks = x.split(size)
        masks = [None] * len(chunks) if mask is None else mask.split(size)
        means = torch.cat([self._mean_weights(chunk, chunk_mask, *qk) @ chunk for chunk, chunk_mask in zip(chunks, masks, strict=True)])
        return self.output(self._values(means).flatten(-2))

    def _qk_circuit(self):  # -> (H·d, d) (H·d,): each head's query and key weights multiplied, and the query's bias through the key's weight
        query, key = (part.unflatten(0, (self.n_heads, -1)) for part in self.qkv.weight.split(self.widths)[:2])
        scaled_key = key.mT / self.d_k**0.5
        if self.qkv.bias is None:
            return (scaled_key @ query).flatten(0, 1), None
        bias = self.qkv.bias.split(self.widths)[0].view(self.n_heads, -1, 1)  # the key's bias adds one number to a row of scores: no weight changes
        return (scaled_key @ query).flatten(0, 1), (scaled_key @ bias).flatten()

    def _mean_weights(self, x, mask, qk, bias):  # -> (B, H, T): the weight of each token, averaged over the queries
        batch, tokens, width = x.shape
        scores = F.linear(x, qk, bias).view(batch, -1, width) @ x.mT  # (B, T·H, T)
        if mask is None:
            return scores.softmax(-1).view(batch, tokens, self.n_heads, tokens).sum(1) / tokens
        ones = mask.to(x.dtype)
        scores += ones.log().unsqueeze(1)  # 0 for a token, −inf for padding
        mean = ones / ones.sum(-1, keepdim=True)  # the weight of each query in the average
        return (mean.unsqueeze(1) @ scores.softmax(-1).view(batch, tokens, -1)).view(batch, self.n_heads, tokens)

    def _values(self, means):  # (B, H, d) -> (B, H, d_v): each head's row through its own value projection
        weight = self.qkv.weight.split(self.widths)[2].unflatten(0, (self.n_heads, -1))
        values = torch.einsum("bhd,hvd->bhv", means, weight)
        return values if self.qkv.bias is None else values + self.qkv.bias.split(self.widths)[2].view(self.n_heads, -1)
