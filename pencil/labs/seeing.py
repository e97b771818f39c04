"""The lesson of chapter 15: look at a handwritten digit, say which one it is. The machines that take it, and its piles."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from pencil.data.pictures import Digits
from pencil.labs.loop import examine, train
from pencil.labs.reading import cut
from pencil.model import Config, ViT

CLASSES = 10
SEAT_STD = 0.5  # seats as small as GPT-2's drown beside the sticks of a picture, and are learned late


@dataclass(frozen=True)
class Seeing:
    """A pile to learn from and a pile to be examined on. `smudge` is how much a pixel strays by chance in practice."""

    study: Digits
    sealed: Digits
    smudge: float = 0.0

    def batches(self, seed, number, size):  # -> list of rows of indices
        """Shuffle and cut."""
        return cut(np.random.default_rng((seed, number)).permutation(len(self.study)), size)

    def loss(self, model, index, device):  # -> the misses, added up
        """Minus the logarithm of the chance that each digit was given."""
        pictures, labels = _rows(self.study, index, device)
        if self.smudge:
            pictures = pictures + self.smudge * torch.randn_like(pictures)
        return F.cross_entropy(model(pictures), labels, reduction="sum")

    def exam(self, size):  # -> list of rows of indices
        """The whole pile, in its order."""
        return cut(np.arange(len(self.sealed)), size)

    def marks(self, model, index, device):  # -> {name: sum}
        """How many digits are right, and the miss."""
        pictures, labels = _rows(self.sealed, index, device)
        scores = model(pictures)
        return {"accuracy": (scores.argmax(-1) == labels).sum(), "exam_loss": F.cross_entropy(scores, labels, reduction="sum")}


def _rows(pile, index, device):
    return torch.from_numpy(pile.pixels[index]).to(device), torch.from_numpy(pile.labels[index]).long().to(device)


def looks_across(side, patch, d_model=32, n_heads=4, n_blocks=2, seats=True, wave=False):  # -> ViT
    """A small vision transformer for square pictures of that side."""
    max_len = 1 + (side // patch) ** 2 if seats else None
    model = ViT(Config(d_model, n_heads, n_blocks=n_blocks, patch=patch, classes=CLASSES, max_len=max_len, wave=wave))
    if seats and not wave:
        nn.init.normal_(model.seats, std=SEAT_STD)
    return model


def plain_rival(side):  # -> nn.Module
    """Logistic regression: a score for each digit straight from the pixels."""
    return nn.Sequential(nn.Flatten(), nn.Linear(side**2, CLASSES))


def sliding_rival(side, first=16, second=32):  # -> nn.Module
    """A small convolution net: two layers of sliding grids, each followed by the greatest of every four, and a score for each digit."""
    return nn.Sequential(
        nn.Unflatten(1, (1, side)), nn.Conv2d(1, first, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(first, second, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(second * (side // 4) ** 2, CLASSES),
    )  # fmt: skip


def learn(model, study, setting, smudge=0.2):  # -> Trained
    """Practise on the study pile; what it watches on the way is a piece of that same pile, so no sealed picture is looked at."""
    return train(model, Seeing(study, Digits(study.pixels[:64], study.labels[:64]), smudge), setting)


def sit(model, pile):  # -> float
    """The share of a pile's digits that the machine names right."""
    return examine(model, Seeing(pile, pile))["accuracy"]


def patches_moved(pictures, size, order):  # (n, H, W), the old place of each patch -> (n, H, W)
    """The same pictures with their patches in other places."""
    n, height, width = pictures.shape
    squares = pictures.reshape(n, height // size, size, width // size, size).swapaxes(2, 3).reshape(n, -1, size, size)[:, order]
    return squares.reshape(n, height // size, width // size, size, size).swapaxes(2, 3).reshape(n, height, width)
