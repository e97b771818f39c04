"""The task of a language model: at each token of a text, predict the next one."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from pencil.experiments.training.batches import in_batches


@dataclass(frozen=True)
class TextTask:
    """Two texts as ids, read in windows of `length` tokens.

    An epoch draws `windows` of them anywhere in the training text; without a number, as many as would cover it once. The
    validation text is cut into windows side by side, so a token there has half a window before it, on average.
    Raises ValueError for a text shorter than a window and the token behind it.
    """

    train: np.ndarray  # (tokens,)
    validation: np.ndarray  # (tokens,)
    length: int
    windows: int | None = None

    def __post_init__(self):
        for name, ids in (("train", self.train), ("validation", self.validation)):
            if len(ids) <= self.length:
                raise ValueError(f"{name} has {len(ids)} tokens, and a window reads {self.length + 1}; give it a longer text or shorter windows")

    def batches(self, seed, epoch, size):  # -> list of arrays of positions at which a window begins
        """Positions drawn at random."""
        rng = np.random.default_rng((seed, epoch))
        return in_batches(rng.integers(0, len(self.train) - self.length, self.windows or len(self.train) // self.length), size)

    def loss(self, model, index, device):  # -> tensor (), the loss per token, summed over the windows
        """Cross-entropy of each next token, in nats."""
        return self._cross_entropy(self.train, model, index, device)

    def eval_batches(self, size):  # -> list of arrays of positions
        """The validation text, window by window."""
        return in_batches(np.arange(0, len(self.validation) - self.length, self.length), size)

    def metrics(self, model, index, device):  # -> {name: sum over the windows}
        """The loss per token."""
        return {"val_loss": self._cross_entropy(self.validation, model, index, device)}

    def _cross_entropy(self, ids, model, index, device):
        rows = torch.from_numpy(ids[np.asarray(index)[:, None] + np.arange(self.length + 1)].astype(np.int64)).to(device)
        logits = model(rows[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1).float(), rows[:, 1:].flatten(), reduction="sum") / self.length


@torch.no_grad()
def loss_by_position(model, ids, length, stride=None, size=64):  # ids (tokens,) -> (length,)
    """The mean cross-entropy of the next token at each position of a window, in nats; position 0 has one token to go on.

    - `length`: tokens that a window reads
    - `stride`: from the start of a window to that of the next; None lays them side by side
    - `size`: windows that are read at once
    """
    model.eval()
    starts, total = np.arange(0, len(ids) - length, stride or length), torch.zeros(length, dtype=torch.float64)
    for first in range(0, len(starts), size):
        rows = torch.from_numpy(ids[starts[first : first + size, None] + np.arange(length + 1)].astype(np.int64))
        total += F.cross_entropy(model(rows[:, :-1]).transpose(1, 2), rows[:, 1:], reduction="none").double().sum(0)
    return (total / len(starts)).numpy()
