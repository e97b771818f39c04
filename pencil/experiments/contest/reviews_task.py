"""The task of the contest: sentiment classification of reviews, for the training loop."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from pencil.experiments.contest.encoding import Encoded
from pencil.experiments.training.batches import in_batches

POOL = 50  # batches in a pool within which reviews are sorted by length


@dataclass(frozen=True)
class ReviewsTask:
    """A training set and a validation set, with length bucketing.

    A batch holds reviews of similar length and is trimmed to the longest of them. With `padding=False` the models treat padding
    as a word, so batches are neither sorted nor trimmed.
    """

    train: Encoded
    validation: Encoded
    padding: bool = True

    def batches(self, seed, epoch, size):  # -> list of arrays of indices
        """Shuffle, sort by length within pools of 50 batches, split, and shuffle the batches."""
        rng = np.random.default_rng((seed, epoch))
        order = rng.permutation(len(self.train))
        if not self.padding:
            return in_batches(order, size)
        lengths = self.train.lengths
        pools = [pool[np.argsort(lengths[pool], kind="stable")] for pool in in_batches(order, POOL * size)]
        batches = [batch for pool in pools for batch in in_batches(pool, size)]
        return [batches[i] for i in rng.permutation(len(batches))]

    def loss(self, model, index, device):  # -> tensor (), summed over the reviews
        """Binary cross-entropy."""
        ids, labels = self.batch(self.train, index, device)
        return F.binary_cross_entropy_with_logits(model.logit(ids).squeeze(-1), labels, reduction="sum")

    def eval_batches(self, size):  # -> list of arrays of indices
        """The whole validation set, sorted by length."""
        return in_batches(np.argsort(self.validation.lengths, kind="stable") if self.padding else np.arange(len(self.validation)), size)

    def metrics(self, model, index, device):  # -> {name: sum}
        """The number of correct predictions, and the loss."""
        ids, labels = self.batch(self.validation, index, device)
        logit = model.logit(ids).squeeze(-1)
        right = (logit > 0) == (labels > 0.5)
        return {"accuracy": right.sum(), "val_loss": F.binary_cross_entropy_with_logits(logit.to(labels.dtype), labels, reduction="sum")}

    def batch(self, encoded, index, device):  # -> ids (n, T), labels (n,)
        """The reviews with these indices, as tensors."""
        ids = encoded.ids[index]
        longest = (ids != 0).sum(1).max() if self.padding else ids.shape[1]
        return torch.from_numpy(ids[:, :longest]).to(device), torch.from_numpy(encoded.labels[index]).to(device, torch.get_default_dtype())


@torch.no_grad()
def predict(model, encoded, padding=True, device="cpu", size=256):  # -> (reviews,) bool
    """A model's predictions, True for positive, in the order of the reviews; `size` is the batch size."""
    model.eval()
    answers, task = np.zeros(len(encoded), dtype=bool), ReviewsTask(encoded, encoded, padding)
    for index in task.eval_batches(size):
        ids, _ = task.batch(encoded, index, torch.device(device))
        answers[index] = (model.logit(ids).squeeze(-1) > 0).cpu().numpy()
    return answers
