"""The lesson of a writer: at each token of a text, guess the next one."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from pencil.labs.reading import cut


@dataclass(frozen=True)
class Writing:
    """One long text to learn from and one that stays sealed, both as ids, read in windows of `length` tokens.

    A pass draws `windows` of them anywhere in the text; without a number, as many as lay it out once. The exam lays
    the sealed text out in windows side by side, so a token there has half a window before it, on average.
    """

    study: np.ndarray  # (tokens,)
    sealed: np.ndarray  # (tokens,)
    length: int
    windows: int | None = None

    def __post_init__(self):
        for name, ids in (("study", self.study), ("sealed", self.sealed)):
            if len(ids) <= self.length:
                raise ValueError(f"{name} has {len(ids)} tokens, and a window reads {self.length + 1}; give it a longer text or shorter windows")

    def batches(self, seed, number, size):  # -> list of rows of places at which a window begins
        """Places drawn by lot."""
        draw = np.random.default_rng((seed, number))
        return cut(draw.integers(0, len(self.study) - self.length, self.windows or len(self.study) // self.length), size)

    def loss(self, model, index, device):  # -> the misses a token, added up over the windows
        """Cross-entropy of each next token: minus the natural logarithm of the chance that it was given."""
        return self._missed(self.study, model, index, device)

    def exam(self, size):  # -> list of rows of places
        """The sealed text, window by window."""
        return cut(np.arange(0, len(self.sealed) - self.length, self.length), size)

    def marks(self, model, index, device):  # -> {name: sum over the windows}
        """The miss a token."""
        return {"exam_loss": self._missed(self.sealed, model, index, device)}

    def _missed(self, ids, model, index, device):
        rows = torch.from_numpy(ids[np.asarray(index)[:, None] + np.arange(self.length + 1)].astype(np.int64)).to(device)
        scores = model(rows[:, :-1])
        return F.cross_entropy(scores.flatten(0, 1).float(), rows[:, 1:].flatten(), reduction="sum") / self.length
