"""The average of what all words gather, without working out what each of them gathers."""

import torch

from pencil.model.heads import MultiHeadAttention, part_of

TOGETHER = 2**18  # shares at a time: a megabyte, which stays in a core's own memory


class AveragedAttention(MultiHeadAttention):
    """Attention of which a summary takes the average. Mixing is linear: the average of all mixes is one mix, with the average shares.

    So the shares are averaged, the sticks mixed once a head, and each head's one stick is tagged with a value and projected.
    """

    def average(self, x, real=None):  # (B, T, d) (B, T) bool -> (B, d)
        """The average of forward's rows, of those that are `real`. It knows no dropout and no positions."""
        texts, words, _ = x.shape
        few = max(1, TOGETHER // (self.n_heads * words * words))
        masks = [None] * texts if real is None else real.split(few)
        sticks = torch.cat([self._shares(some, mask) @ some for some, mask in zip(x.split(few), masks, strict=False)])
        return self.output(self._values(sticks).flatten(-2))

    def _shares(self, x, real):  # -> (B, H, T): what each word gets of all attention, on average over those who ask
        tags = part_of(x, self.tags, slice(None, sum(self.widths[:2])))
        query, key = tags.unflatten(-1, (2, self.n_heads, self.d_k)).permute(2, 0, 3, 1, 4).contiguous().unbind()
        scores = (query / self.d_k**0.5) @ key.mT
        if real is None:
            return scores.softmax(-1).sum(-2) / x.shape[-2]
        counts = real.to(x.dtype)
        scores += counts.log()[:, None, None]  # 0 where a slot is real, −inf where it is empty
        asks = counts / counts.sum(-1, keepdim=True)
        return (asks[:, None, None] @ scores.softmax(-1)).squeeze(-2)

    def _values(self, sticks):  # (B, H, d) -> (B, H, d_v): each head's stick through its own value grid
        start = sum(self.widths[:2])
        values = torch.einsum("bhd,hvd->bhv", sticks, self.tags.weight[start:].unflatten(0, (self.n_heads, -1)))
        return values if self.tags.bias is None else values + self.tags.bias[start:].view(self.n_heads, -1)
