"""The task of a language model: at each token of a text, predict the next one."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
import torch.nn.functional as F

from pencil.experiments.training.batches import in_batches


@dataclass(frozen=True)
class TextTask:
    """Two texts as ids, read in windows of `length` tokens.

    An epoch draws `windows` of them anywhere in the training text; without a number, as many as would cover it once. The
    validation text is read in overlapping windows, `stride` tokens apart (half a window where it is None), as `exam_windows` says.
    Raises ValueError for a text shorter than a window and the token behind it.
    """

    train: np.ndarray  # (tokens,)
    validation: np.ndarray  # (tokens,)
    length: int
    windows: int | None = None
    stride: int | None = None

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
        return cross_entropy(model, self.train, index, self.length, device).sum() / self.length

    def eval_batches(self, size):  # -> list of arrays of windows, counted from 0
        """The validation text, window by window."""
        return in_batches(np.arange(len(self._exam[0])), size)

    def metrics(self, model, index, device):  # -> {name: sum over the windows}
        """The loss per token, of every token but the first: its mean over the windows is that over the tokens."""
        starts, scored = self._exam
        losses = cross_entropy(model, self.validation, starts[index], self.length, device)
        is_scored = torch.arange(self.length) >= self.length - torch.from_numpy(scored[index])[:, None]
        return {"val_loss": losses[is_scored.to(device)].sum() * (len(starts) / scored.sum())}

    @cached_property
    def _exam(self):
        return exam_windows(len(self.validation), self.length, self.stride)


def cross_entropy(model, ids, starts, length, device="cpu"):  # ids (tokens,), starts (windows,) -> (windows, length)
    """The cross-entropy of each next token, in nats, in the windows of `length` tokens that begin at these places."""
    rows = torch.from_numpy(ids[np.asarray(starts)[:, None] + np.arange(length + 1)].astype(np.int64)).to(device)
    return F.cross_entropy(model(rows[:, :-1]).transpose(1, 2).float(), rows[:, 1:], reduction="none")


def exam_windows(n_tokens, length, stride=None):  # -> starts (windows,), scored (windows,)
    """Where the windows of an exam start, and how many tokens at the end of each are scored, so that all but the first are scored once.

    A window reads `length` tokens and predicts as many, the next one at each. The first scores them all; the others start `stride`
    further on and score the last `stride` alone, so that each of these tokens has more than `length - stride` tokens before it. The
    last window ends with the text. Windows side by side (`stride=length`) would have half of the tokens guessed from less than half a
    window. `stride` is half of `length` where it is None.
    Raises ValueError for a stride below 1 or above `length`.
    """
    if stride is not None and not 1 <= stride <= length:
        raise ValueError(f"stride={stride} and windows of {length} tokens; from 1 to {length}, so that every token is scored once")
    last = n_tokens - 1 - length
    starts = np.append(np.arange(0, last, stride or max(length // 2, 1)), last)
    return starts, np.diff(starts, prepend=-length)


@torch.no_grad()
def loss_by_position(model, ids, length, stride=None, size=64):  # ids (tokens,) -> (length,)
    """The mean cross-entropy of the next token at each position of a window, in nats; position 0 has one token to go on.

    - `length`: tokens that a window reads
    - `stride`: from the start of a window to that of the next; None lays them side by side
    - `size`: windows that are read at once
    """
    model.eval()
    starts, total = np.arange(0, len(ids) - length, stride or length), torch.zeros(length, dtype=torch.float64)
    for part in in_batches(starts, size):
        total += cross_entropy(model, ids, part, length).double().sum(0)
    return (total / len(starts)).numpy()
