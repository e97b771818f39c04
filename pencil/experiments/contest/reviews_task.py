"""The task of the contest: read a review, predict whether its writer liked the film."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from pencil.experiments.contest.encoding import Encoded
from pencil.experiments.training.batches import in_batches

POOL = 50  # batches among which reviews are sorted by length


@dataclass(frozen=True)
class ReviewsTask:
    """A training set and a validation set, for the training loop.

    A batch holds reviews of similar length and is cut after the longest, so that nothing is computed on positions that
    are padding in the whole batch. With `padding=False` padding counts as a word, so nothing is cut.
    """

    train: Encoded
    validation: Encoded
    padding: bool = True

    def batches(self, seed, epoch, size):  # -> list of arrays of indices
        """Shuffle, sort within pools of 50 batches, cut, and shuffle the batches."""
        rng = np.random.default_rng((seed, epoch))
        order = rng.permutation(len(self.train))
        if not self.padding:
            return in_batches(order, size)
        lengths = self.train.lengths
        pools = [pool[np.argsort(lengths[pool], kind="stable")] for pool in in_batches(order, POOL * size)]
        batches = [batch for pool in pools for batch in in_batches(pool, size)]
        return [batches[i] for i in rng.permutation(len(batches))]

    def loss(self, model, index, device):  # -> tensor (), summed over the reviews
        """Binary cross-entropy, from the logit."""
        ids, labels = self.batch(self.train, index, device)
        return F.binary_cross_entropy_with_logits(model.logit(ids).squeeze(-1), labels, reduction="sum")

    def eval_batches(self, size):  # -> list of arrays of indices
        """The whole validation set, by length."""
        return in_batches(np.argsort(self.validation.lengths, kind="stable") if self.padding else np.arange(len(self.validation)), size)

    def metrics(self, model, index, device):  # -> {name: sum}
        """The number of right answers, and the loss."""
        ids, labels = self.batch(self.validation, index, device)
        logit = model.logit(ids).squeeze(-1)
        right = (logit > 0) == (labels > 0.5)
        return {"accuracy": right.sum(), "val_loss": F.binary_cross_entropy_with_logits(logit.to(labels.dtype), labels, reduction="sum")}

    def batch(self, encoded, index, device):  # -> ids (n, T), labels (n,)
        """Some reviews as tensors."""
        ids = encoded.ids[index]
        longest = (ids != 0).sum(1).max() if self.padding else ids.shape[1]
        return torch.from_numpy(ids[:, :longest]).to(device), torch.from_numpy(encoded.labels[index]).to(device, torch.get_default_dtype())


@torch.no_grad()
def predict(model, encoded, padding=True, device="cpu", size=256):  # -> (reviews,) True where the model says liked
    """A model's answer to each review, in the order of the reviews."""
    model.eval()
    answers, task = np.zeros(len(encoded), dtype=bool), ReviewsTask(encoded, encoded, padding)
    for index in task.eval_batches(size):
        ids, _ = task.batch(encoded, index, torch.device(device))
        answers[index] = (model.logit(ids).squeeze(-1) > 0).cpu().numpy()
    return answers
