"""The average of what all words gather, without working out what each of them gathers."""

import torch
import torch.nn.functional as F

from pencil.model.heads import MultiHeadAttention

TOGETHER = 2**18  # shares at a time: a megabyte, which stays in a core's own memory
MOST = 2**20  # shares of one text: past that it is left to torch's own kernel, which does not keep them all for the way back
HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


class AveragedAttention(MultiHeadAttention):
    """Attention of which a summary takes the average: fewer sums for the same numbers, where a tag is no narrower than a stick.

    A query's dot with a key is x Wq Wkᵀ xᵀ: with the two grids multiplied into one, sticks need no key (Elhage et al. 2021 call
    it the QK circuit). And mixing is linear: the average of all mixes is one mix, with the average shares; so one stick a head is
    tagged with a value and projected.
    """

    def can_average(self, x):  # (…, T, d) -> bool
        """Whether `average` would be quicker than `forward` on these rows, and nobody waits for what `forward` works out on the way."""
        fits = not self.apart and self.positions is None and self.d_model <= self.d_k
        texts = x.dim() == 3 and x.numel() > 0 and x.itemsize >= 4  # several, not empty, in single precision at least
        return fits and texts and self.n_heads * x.shape[1] ** 2 <= MOST and self._is_plain()

    def _is_plain(self):  # nobody listens, and the grid is a plain one
        return type(self.tags) is torch.nn.Linear and not any(getattr(part, hooks) for part in (self, self.tags) for hooks in HOOKS)

    def average(self, x, real=None):  # (B, T, d) (B, T) bool -> (B, d)
        """The average of forward's rows, of those that are `real`. It knows no dropout and no positions."""
        self.check(x)
        few, grid = max(1, TOGETHER // (self.n_heads * x.shape[1] ** 2)), self._matching()
        parts = x.split(few)
        masks = [None] * len(parts) if real is None else real.split(few)
        sticks = torch.cat([self._shares(some, mask, *grid) @ some for some, mask in zip(parts, masks, strict=True)])
        return self.output(self._values(sticks).flatten(-2))

    def _matching(self):  # -> (H·d, d) (H·d,): each head's grid that says what its query wants of a stick itself
        query, key = (part.unflatten(0, (self.n_heads, -1)) for part in self.tags.weight.split(self.widths)[:2])
        answers = key.mT / self.d_k**0.5
        if self.tags.bias is None:
            return (answers @ query).flatten(0, 1), None
        nudge = self.tags.bias.split(self.widths)[0].view(self.n_heads, -1, 1)  # a key's adds as much to every score of a row: no share changes
        return (answers @ query).flatten(0, 1), (answers @ nudge).flatten()

    def _shares(self, x, real, grid, nudge):  # -> (B, H, T): what each word gets of all attention, on average over those who ask
        texts, words, width = x.shape
        scores = F.linear(x, grid, nudge).view(texts, -1, width) @ x.mT  # every word, head by head, against every word
        if real is None:
            return scores.softmax(-1).view(texts, words, self.n_heads, words).sum(1) / words
        counts = real.to(x.dtype)
        scores += counts.log().unsqueeze(1)  # 0 where a slot is real, −inf where it is empty
        asks = counts / counts.sum(-1, keepdim=True)
        return (asks.unsqueeze(1) @ scores.softmax(-1).view(texts, words, -1)).view(texts, self.n_heads, words)

    def _values(self, sticks):  # (B, H, d) -> (B, H, d_v): each head's stick through its own value grid
        grid = self.tags.weight.split(self.widths)[2].unflatten(0, (self.n_heads, -1))
        values = torch.einsum("bhd,hvd->bhv", sticks, grid)
        return values if self.tags.bias is None else values + self.tags.bias.split(self.widths)[2].view(self.n_heads, -1)
