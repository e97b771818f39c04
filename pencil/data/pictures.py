"""Handwritten digits: the small ones that come with scikit-learn (8×8), or MNIST (28×28)."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from pencil.data import DataError, check_source
from pencil.data.archive import unpacked

HELD_BACK = 5  # every fifth 0, every fifth 1 … of scikit-learn's digits is for the test


@dataclass(frozen=True)
class Digits:
    """Pictures, from 0 (paper) to 1 (ink), and the digit that each of them shows."""

    pixels: np.ndarray  # (n, height, width) float32
    labels: np.ndarray  # (n,) int8

    def __len__(self):
        return len(self.labels)


@dataclass(frozen=True)
class Pictures:
    """One pile to learn from, and one to be asked about."""

    train: Digits
    test: Digits


def load(source="embedded"):  # -> Pictures
    """1,797 digits of 8×8, or 70,000 of 28×28. Raises DataError where scikit-learn, or MNIST, is not on this machine."""
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
        held[np.flatnonzero(bunch.target == digit)[HELD_BACK - 1 :: HELD_BACK]] = True
    return Pictures(*(_pile(bunch.images[rows] / 16, bunch.target[rows]) for rows in (~held, held)))


@cache
def _mnist():
    from pencil.data.fetch import find

    images, labels, test_images, test_labels = find("mnist")
    return Pictures(read(images, labels), read(test_images, test_labels))


def mnist_test():  # -> Digits
    """The 10,000 test pictures of MNIST alone, for those who have no more of it. Raises DataError where they are not on this machine."""
    from pencil.data.fetch import find

    return read(*(find("mnist", f"t10k-{part}-ubyte.gz") for part in ("images-idx3", "labels-idx1")))


def read(images, labels):  # two files in MNIST's own form, .gz -> Digits
    """The pictures of a pair of files. Raises DataError for files that are not such, or not a pair."""
    pile = _pile(_grid(images, 3) / 255, _grid(labels, 1))
    if len(pile.pixels) != len(pile.labels):
        raise DataError(f"{images} has {len(pile.pixels):,} pictures and {labels} {len(pile.labels):,} labels: they are not a pair")
    return pile


def _grid(file, axes):  # idx: two zeros, 8 for bytes, the number of axes, the sizes, the bytes
    content = unpacked(file)
    start = 4 * (1 + axes)
    shape = np.frombuffer(content[4:start].ljust(4 * axes, b"\0"), ">u4").astype(int)
    if content[:4] != bytes((0, 0, 8, axes)) or len(content) != start + shape.prod():
        raise DataError(f"{file} is not in MNIST's form with {axes} axes, or not whole: remove it and fetch it anew")
    return np.frombuffer(content[start:], np.uint8).reshape(shape)


def _pile(pixels, labels):
    pile = Digits(pixels.astype(np.float32), labels.astype(np.int8))
    pile.pixels.setflags(write=False)  # loaded once, and handed to everybody
    pile.labels.setflags(write=False)
    return pile
