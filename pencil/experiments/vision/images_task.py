"""Classification of handwritten digits (chapter 15): the task, the models, training and accuracy."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from pencil.data.images import Digits
from pencil.experiments.training.batches import in_batches
from pencil.experiments.training.loop import evaluate, train
from pencil.model import Config, ViT

CLASSES = 10
POSITION_STD = 0.5  # std of new position embeddings; GPT-2's 0.02 is tiny beside patch embeddings, and learns slowly


@dataclass(frozen=True)
class ImagesTask:
    """A training set and a validation set; in training, pixels get Gaussian noise of standard deviation `noise_std`."""

    train: Digits
    validation: Digits
    noise_std: float = 0.0

    def batches(self, seed, epoch, size):  # -> list of arrays of indices
        """Shuffled batches of the training set."""
        return in_batches(np.random.default_rng((seed, epoch)).permutation(len(self.train)), size)

    def loss(self, model, index, device):  # -> tensor (), summed over the images
        """Cross-entropy on training images."""
        images, labels = _batch(self.train, index, device)
        if self.noise_std:
            images = images + self.noise_std * torch.randn_like(images)
        return F.cross_entropy(model(images), labels, reduction="sum")

    def eval_batches(self, size):  # -> list of arrays of indices
        """The whole validation set, in order."""
        return in_batches(np.arange(len(self.validation)), size)

    def metrics(self, model, index, device):  # -> {name: sum}
        """The number of correct predictions, and the loss."""
        images, labels = _batch(self.validation, index, device)
        logits = model(images)
        return {"accuracy": (logits.argmax(-1) == labels).sum(), "val_loss": F.cross_entropy(logits, labels, reduction="sum")}


def _batch(digits, index, device):  # -> images (n, height, width), labels (n,)
    return torch.from_numpy(digits.pixels[index]).to(device), torch.from_numpy(digits.labels[index]).long().to(device)


def small_vit(side, patch, d_model=32, n_heads=4, n_layers=2, positions=True, sinusoidal=False):  # -> ViT
    """A small vision transformer for square images of `side` pixels, with learned, sinusoidal or no positions."""
    max_len = 1 + (side // patch) ** 2 if positions else None
    model = ViT(Config(d_model, n_heads, n_layers=n_layers, patch_size=patch, n_classes=CLASSES, max_len=max_len, sinusoidal=sinusoidal))
    if positions and not sinusoidal:
        nn.init.normal_(model.positions, std=POSITION_STD)
    return model


def logistic_regression(side):  # -> nn.Module
    """Logistic regression on the pixels."""
    return nn.Sequential(nn.Flatten(), nn.Linear(side**2, CLASSES))


def convnet(side, first=16, second=32):  # -> nn.Module
    """A small CNN: two convolutions, each followed by ReLU and max pooling, then a linear layer."""
    return nn.Sequential(
        nn.Unflatten(1, (1, side)), nn.Conv2d(1, first, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(first, second, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(second * (side // 4) ** 2, CLASSES),
    )  # fmt: skip


def fit(model, digits, config, noise_std=0.2):  # -> TrainingResult
    """Train. The metrics of each epoch are those of 64 training images, so no test image is used."""
    return train(model, ImagesTask(digits, Digits(digits.pixels[:64], digits.labels[:64]), noise_std), config)


def accuracy(model, digits):  # -> float
    """The accuracy of a model."""
    return evaluate(model, ImagesTask(digits, digits))["accuracy"]


def permute_patches(images, size, order):  # (n, H, W) int (patches,) -> (n, H, W)
    """The images with their size × size patches permuted: patch i of the result is patch order[i]."""
    n, height, width = images.shape
    patches = images.reshape(n, height // size, size, width // size, size).swapaxes(2, 3).reshape(n, -1, size, size)[:, order]
    return patches.reshape(n, height // size, width // size, size, size).swapaxes(2, 3).reshape(n, height, width)
