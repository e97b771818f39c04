"""The task of chapter 15: classify a handwritten digit. The models that learn it, training and accuracy."""

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
POSITION_STD = 0.5  # positions as small as GPT-2's are small beside the embeddings of an image, and are learned late


@dataclass(frozen=True)
class ImagesTask:
    """A training set and a validation set; `noise_std` is the standard deviation of the noise on a pixel in training."""

    train: Digits
    validation: Digits
    noise_std: float = 0.0

    def batches(self, seed, epoch, size):  # -> list of arrays of indices
        """Shuffle and cut."""
        return in_batches(np.random.default_rng((seed, epoch)).permutation(len(self.train)), size)

    def loss(self, model, index, device):  # -> tensor (), summed over the images
        """Cross-entropy."""
        images, labels = _batch(self.train, index, device)
        if self.noise_std:
            images = images + self.noise_std * torch.randn_like(images)
        return F.cross_entropy(model(images), labels, reduction="sum")

    def eval_batches(self, size):  # -> list of arrays of indices
        """The whole validation set, in its order."""
        return in_batches(np.arange(len(self.validation)), size)

    def metrics(self, model, index, device):  # -> {name: sum}
        """The number of right answers, and the loss."""
        images, labels = _batch(self.validation, index, device)
        logits = model(images)
        return {"accuracy": (logits.argmax(-1) == labels).sum(), "val_loss": F.cross_entropy(logits, labels, reduction="sum")}


def _batch(digits, index, device):  # -> images (n, height, width), labels (n,)
    return torch.from_numpy(digits.pixels[index]).to(device), torch.from_numpy(digits.labels[index]).long().to(device)


def small_vit(side, patch, d_model=32, n_heads=4, n_layers=2, positions=True, sinusoidal=False):  # -> ViT
    """A small vision transformer for square images: positions are learned, sinusoidal (`sinusoidal`), or left out."""
    max_len = 1 + (side // patch) ** 2 if positions else None
    model = ViT(Config(d_model, n_heads, n_layers=n_layers, patch_size=patch, n_classes=CLASSES, max_len=max_len, sinusoidal=sinusoidal))
    if positions and not sinusoidal:
        nn.init.normal_(model.positions, std=POSITION_STD)
    return model


def logistic_regression(side):  # -> nn.Module
    """Scores for the ten digits, straight from the pixels."""
    return nn.Sequential(nn.Flatten(), nn.Linear(side**2, CLASSES))


def convnet(side, first=16, second=32):  # -> nn.Module
    """A small convolutional network: two convolutions, each followed by ReLU and max pooling, and a linear layer."""
    return nn.Sequential(
        nn.Unflatten(1, (1, side)), nn.Conv2d(1, first, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(first, second, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(second * (side // 4) ** 2, CLASSES),
    )  # fmt: skip


def fit(model, digits, config, noise_std=0.2):  # -> TrainingResult
    """Train. What is evaluated on the way is a part of the training set, so no test image is looked at."""
    return train(model, ImagesTask(digits, Digits(digits.pixels[:64], digits.labels[:64]), noise_std), config)


def accuracy(model, digits):  # -> float
    """The share of the digits that the model names right."""
    return evaluate(model, ImagesTask(digits, digits))["accuracy"]


def permute_patches(images, size, order):  # (n, H, W), the old place of each patch -> (n, H, W)
    """The same images with their patches in other places."""
    n, height, width = images.shape
    patches = images.reshape(n, height // size, size, width // size, size).swapaxes(2, 3).reshape(n, -1, size, size)[:, order]
    return patches.reshape(n, height // size, width // size, size, size).swapaxes(2, 3).reshape(n, height, width)
