"""The records of chapter 15: vision transformers with three kinds of positions, a CNN and logistic regression, on handwritten digits."""

from dataclasses import replace
from time import process_time

import numpy as np
import torch

from pencil.data import images
from pencil.data.images import Digits
from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.vision import images_task

DIGITS = TrainingConfig(epochs=60, lr=3e-3, warmup_steps=50, linear_decay=True, weight_decay=0.05, decay_all=True, grad_clip=1.0)
MNIST = TrainingConfig(epochs=8, lr=2e-3, warmup_steps=100, linear_decay=True, weight_decay=0.05, decay_all=True, grad_clip=1.0)
MNIST_TRAIN = 8_000  # of MNIST's test images; the other 2,000 are the test set here


def models(side, patch, d_model=32):  # -> {name in the record: function that builds it}
    """Three vision transformers that differ only in their positions, and two models without attention."""
    return {
        "ViT, learned positions": lambda: images_task.small_vit(side, patch, d_model),
        "ViT, sinusoidal positions": lambda: images_task.small_vit(side, patch, d_model, sinusoidal=True),
        "ViT, no positions": lambda: images_task.small_vit(side, patch, d_model, positions=False),
        "convolutional network": lambda: images_task.convnet(side),
        "logistic regression": lambda: images_task.logistic_regression(side),
    }


def one_run(build, train_set, test_set, seed, config):  # -> the trained model, JSON-able
    """Train one model with one seed: test accuracy, number of parameters, CPU time in seconds."""
    config = replace(config, seed=seed)
    torch.manual_seed(seed)
    model, start = build(), process_time()
    images_task.fit(model, train_set, config)
    took = process_time() - start
    accuracy, n_parameters = images_task.accuracy(model, test_set), sum(p.numel() for p in model.parameters() if p.requires_grad)
    return model, {"accuracy": as_recorded(accuracy), "n_parameters": n_parameters, "cpu_seconds": as_recorded(took)}


def all_runs(train_set, test_set, built, config, seeds):  # -> JSON-able
    """`one_run` for every model and seed."""
    runs = {name: [one_run(build, train_set, test_set, seed, config)[1] for seed in seeds] for name, build in built.items()}
    return {"n_train": len(train_set), "n_test": len(test_set), "epochs": config.epochs, "seeds": list(seeds), "runs": runs}


def digits(seed=0, threads=1, config=DIGITS, runs=2):  # -> JSON-able, for `python -m pencil record digits_vit`
    """All models on scikit-learn's digits, four fifths of them for training."""
    torch.set_num_threads(threads)
    splits = images.load()
    return all_runs(splits.train, splits.test, models(8, 2), config, range(seed, seed + runs))


def mnist(seed=0, threads=1, config=MNIST, n_train=MNIST_TRAIN):  # -> JSON-able, for `python -m pencil record mnist_vit`
    """All models on MNIST's 10,000 test images alone, split at random into training and test set."""
    torch.set_num_threads(threads)
    test_images = images.mnist_test()
    order = np.random.default_rng(0).permutation(len(test_images))
    train_set, test_set = (Digits(test_images.pixels[rows], test_images.labels[rows]) for rows in (order[:n_train], order[n_train:]))
    return all_runs(train_set, test_set, models(28, 7, 48), config, [seed])


def mnist_full(seed=0, threads=1, config=MNIST):  # -> JSON-able, for `python -m pencil record mnist_full`
    """All models on the standard split of MNIST: 60,000 training images and 10,000 test images."""
    torch.set_num_threads(threads)
    splits = images.load("full")
    return all_runs(splits.train, splits.test, models(28, 7, 48), config, [seed])
