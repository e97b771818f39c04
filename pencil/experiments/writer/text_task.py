"""The language modelling task (next-token prediction), and the windows in which a text is evaluated."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
import torch.nn.functional as F

from pencil.experiments.training.batches import in_batches
from pencil.reference.contracts import check_number


@dataclass(frozen=True)
class TextTask:
    """A training text and a validation text as ids, read in windows of `length` tokens.

    An epoch has `windows` random windows of the training text; None means as many as would cover it once. The validation text
    is read in overlapping windows, `stride` tokens apart (None is half a window), see `eval_windows`.
    In training, `label_smoothing` of the probability that is aimed at is shared out to all tokens alike (Szegedy et al. 2016, 7).
    Raises ValueError for a text of fewer than `length` + 1 tokens, and for a label_smoothing that is not from 0 to below 1.
    """

    train: np.ndarray  # (tokens,)
    validation: np.ndarray  # (tokens,)
    length: int
    windows: int | None = None
    stride: int | None = None
    label_smoothing: float = 0.0

    def __post_init__(self):
        check_number("label_smoothing", self.label_smoothing, least=0)
        if self.label_smoothing >= 1:
            raise ValueError(f"label_smoothing={self.label_smoothing} leaves nothing for the token that comes; give it less than 1")
        for name, ids in (("train", self.train), ("validation", self.validation)):
            if len(ids) <= self.length:
                raise ValueError(f"{name} has {len(ids)} tokens, and a window reads {self.length + 1}; give it a longer text or shorter windows")

    def batches(self, seed, epoch, size):  # -> list of arrays of start positions
        """Random windows of the training text."""
        rng = np.random.default_rng((seed, epoch))
        return in_batches(rng.integers(0, len(self.train) - self.length, self.windows or len(self.train) // self.length), size)

    def loss(self, model, index, device):  # -> tensor ()
        """The cross-entropy per token in nats, smoothed, summed over the windows."""
        return cross_entropy(model, self.train, index, self.length, device, self.label_smoothing).sum() / self.length

    def eval_batches(self, size):  # -> list of arrays of window numbers
        """All windows of the validation text."""
        return in_batches(np.arange(len(self._windows[0])), size)

    def metrics(self, model, index, device):  # -> {name: sum over the windows}
        """The loss, scaled so that the mean over all windows is the mean over all tokens but the first."""
        starts, scored = self._windows
        losses = cross_entropy(model, self.validation, starts[index], self.length, device)
        is_scored = torch.arange(self.length) >= self.length - torch.from_numpy(scored[index])[:, None]
        return {"val_loss": losses[is_scored.to(device)].sum() * (len(starts) / scored.sum())}

    @cached_property
    def _windows(self):
        return eval_windows(len(self.validation), self.length, self.stride)


def cross_entropy(model, ids, starts, length, device="cpu", label_smoothing=0.0):  # ids (tokens,), starts (windows,) -> (windows, length)
    """The cross-entropy of each next token in nats, in the windows of `length` tokens at these start positions."""
    rows = torch.from_numpy(ids[np.asarray(starts)[:, None] + np.arange(length + 1)].astype(np.int64)).to(device)
    logits = model(rows[:, :-1]).transpose(1, 2).float()
    return F.cross_entropy(logits, rows[:, 1:], reduction="none", label_smoothing=label_smoothing)


def eval_windows(n_tokens, length, stride=None):  # -> starts (windows,), scored (windows,)
    """The windows of a sliding-window evaluation: their start positions, and how many tokens at the end of each are scored.

    A window reads `length` tokens and predicts the next one at each. The first window scores all its predictions, the others only
    the last `stride`, which have more than `length - stride` tokens of context; so each token but the first is scored once. The
    last window ends with the text. None means a stride of half a window; with `stride=length` windows do not overlap, and half of
    the tokens have less than half a window of context.
    Raises ValueError for a stride below 1 or above `length`.
    """
    if stride is not None and not 1 <= stride <= length:
        raise ValueError(f"stride={stride} and windows of {length} tokens; from 1 to {length}, so that every token is scored once")
    last = n_tokens - 1 - length
    starts = np.append(np.arange(0, last, stride or max(length // 2, 1)), last)
    return starts, np.diff(starts, prepend=-length)


@torch.no_grad()
def loss_by_position(model, ids, length, stride=None, size=64):  # ids (tokens,) -> (length,)
    """The mean cross-entropy of the next token in nats, by position in a window; position 0 has one token of context.

    - `length`: tokens of a window
    - `stride`: between the starts of two windows; None means that they do not overlap
    - `size`: windows per batch
    """
    model.eval()
    starts, total = np.arange(0, len(ids) - length, stride or length), torch.zeros(length, dtype=torch.float64)
    for part in in_batches(starts, size):
        total += cross_entropy(model, ids, part, length).double().sum(0)
    return (total / len(starts)).numpy()
