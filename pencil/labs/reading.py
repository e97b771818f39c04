"""The lesson of the contest: read a review, say whether its writer liked the film."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from pencil.labs.sheets import Sheets

POOL = 50  # batches among which reviews are sorted by length


@dataclass(frozen=True)
class Reading:
    """Sheets to learn from and sheets to be examined on.

    Batches are made of reviews of about one length, and cut after the longest: nobody computes on slots that
    are empty in the whole batch. With `padding=False` the empty slots are part of the sum, so none is cut.
    """

    study: Sheets
    sealed: Sheets
    padding: bool = True

    def batches(self, seed, number, size):  # -> list of rows of indices
        """Shuffle, sort within pools of 50 batches, cut, and shuffle the batches."""
        draw = np.random.default_rng((seed, number))
        order = draw.permutation(len(self.study))
        if not self.padding:
            return cut(order, size)
        lengths = self.study.lengths
        pools = [pool[np.argsort(lengths[pool], kind="stable")] for pool in cut(order, POOL * size)]
        made = [batch for pool in pools for batch in cut(pool, size)]
        return [made[i] for i in draw.permutation(len(made))]

    def loss(self, model, index, device):  # -> the misses, added up
        """Binary cross-entropy, from the logit."""
        ids, labels = self._rows(self.study, index, device)
        return F.binary_cross_entropy_with_logits(model.logit(ids).squeeze(-1), labels, reduction="sum")

    def exam(self, size):  # -> list of rows of indices
        """All reviews of the exam, by length."""
        return cut(np.argsort(self.sealed.lengths, kind="stable") if self.padding else np.arange(len(self.sealed)), size)

    def marks(self, model, index, device):  # -> {name: sum}
        """How many answers are right, and the miss."""
        ids, labels = self._rows(self.sealed, index, device)
        logit = model.logit(ids).squeeze(-1)
        right = (logit > 0) == (labels > 0.5)
        return {"accuracy": right.sum(), "exam_loss": F.binary_cross_entropy_with_logits(logit.to(labels.dtype), labels, reduction="sum")}

    def _rows(self, sheets, index, device):
        ids = sheets.ids[index]
        longest = (ids != 0).sum(1).max() if self.padding else ids.shape[1]
        return torch.from_numpy(ids[:, :longest]).to(device), torch.from_numpy(sheets.labels[index]).to(device, torch.get_default_dtype())


def cut(order, size):  # (n,) -> rows of `size`, the last one perhaps shorter
    """Cut a row into batches."""
    return [order[start : start + size] for start in range(0, len(order), size)]


@torch.no_grad()
def answers(model, sheets, padding=True, device="cpu", size=256):  # -> (reviews,) True where the machine says liked
    """What a machine says of each review, in the pile's order."""
    model.eval()
    said, lesson = np.zeros(len(sheets), dtype=bool), Reading(sheets, sheets, padding)
    for index in lesson.exam(size):
        ids, _ = lesson._rows(sheets, index, torch.device(device))
        said[index] = (model.logit(ids).squeeze(-1) > 0).cpu().numpy()
    return said
