"""Handwritten digits: scikit-learn's (8×8), or MNIST (28×28)."""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from pencil.data import DataError, check_source
from pencil.data.archive import unpacked

TEST_EVERY = 5  # every fifth example of each class of scikit-learn's digits is in the test set


@dataclass(frozen=True)
class Digits:
    """Images, with pixels from 0 (paper) to 1 (ink), and their labels."""

    pixels: np.ndarray  # (n, height, width) float32
    labels: np.ndarray  # (n,) int8

    def __len__(self):
        return len(self.labels)


@dataclass(frozen=True)
class DigitSplits:
    """A training set and a test set."""

    train: Digits
    test: Digits


def load(source="embedded"):  # -> DigitSplits
    """Load 1,797 digits of 8×8 ("embedded"), or MNIST's 70,000 of 28×28 ("full").

    Raises DataError if scikit-learn, or MNIST, is not on this machine.
    """
    return _digits() if check_source(source) == "embedded" else _mnist()


@cache
def _digits():
    try:
        from sklearn.datasets import load_digits
    except ModuleNotFoundError:
        raise DataError("the small digits come with scikit-learn, which this Python does not have: type `pip install scikit-learn`") from None
    bunch = load_digits()
    held = np.zeros(len(bunch.target), bool)
    for digit in range(10):
        held[np.flatnonzero(bunch.target == digit)[TEST_EVERY - 1 :: TEST_EVERY]] = True
    return DigitSplits(*(_digits_of(bunch.images[rows] / 16, bunch.target[rows]) for rows in (~held, held)))


@cache
def _mnist():
    from pencil.data.downloads import find

    images, labels, test_images, test_labels = find("mnist")
    return DigitSplits(read(images, labels), read(test_images, test_labels))


def mnist_test():  # -> Digits
    """MNIST's 10,000 test images alone. Raises DataError if they are not on this machine."""
    from pencil.data.downloads import find

    return read(*(find("mnist", f"t10k-{part}-ubyte.gz") for part in ("images-idx3", "labels-idx1")))


def read(images, labels):  # Path, Path -> Digits
    """Read a pair of gzipped IDX files. Raises DataError for another format, and for different numbers of images and labels."""
    said = _read_idx(labels, 1)
    if not said.size:
        raise DataError(f"{labels} holds no labels: remove it and fetch it anew")
    if (odd := said[said > 9]).size:
        raise DataError(f"{labels} holds the label {odd[0]}, and digits go from 0 to 9: remove it and fetch it anew")
    digits = _digits_of(_read_idx(images, 3) / 255, said)
    if len(digits.pixels) != len(digits.labels):
        raise DataError(f"{images} has {len(digits.pixels):,} images and {labels} {len(digits.labels):,} labels: they are not a pair")
    return digits


def _read_idx(file, axes):  # IDX format: two zeros, 8 for uint8, the number of axes, the sizes, the data
    content = unpacked(file)
    start = 4 * (1 + axes)
    shape = np.frombuffer(content[4:start].ljust(4 * axes, b"\0"), ">u4").astype(int)
    if content[:4] != bytes((0, 0, 8, axes)) or len(content) != start + math.prod(shape.tolist()):  # int64 would wrap
        raise DataError(f"{file} is not in MNIST's form with {axes} axes, or not whole: remove it and fetch it anew")
    return np.frombuffer(content[start:], np.uint8).reshape(shape)


def _digits_of(pixels, labels):
    digits = Digits(pixels.astype(np.float32), labels.astype(np.int8))
    digits.pixels.setflags(write=False)  # cached: all callers share the array
    digits.labels.setflags(write=False)
    return digits
