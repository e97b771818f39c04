"""The loaders on the public data sets: known figures of each."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pencil.data import images, names, reviews, text
from pencil.data.registry import SETS

pytestmark = pytest.mark.slow


@pytest.fixture
def imdb(real_data):
    real_data("imdb")
    return reviews.load("full")


def test_imdb_has_its_four_cells(imdb):
    for split in (imdb.train, imdb.test):
        assert len(split) == len(split.texts) == 25_000 and split.labels.tolist() == [1] * 12_500 + [0] * 12_500
    assert imdb.train.texts[0].startswith("Bromwell High is a cartoon comedy")  # train/pos/0_9
    assert len(set(imdb.train.texts) & set(imdb.test.texts)) == 123


def test_imdb_has_its_tokens_and_its_ranks(imdb):
    from pencil.reference.text import tokenize

    counts = Counter(token for review in imdb.train.texts for token in tokenize(review))
    assert len(counts) == 88_582
    ranks = {word: rank for rank, (word, _) in enumerate(counts.most_common(), start=1)}
    assert {w: ranks[w] for w in ("movie", "was", "boring", "ended", "nolan")} == {
        "movie": 17, "was": 13, "boring": 355, "ended": 1_051, "nolan": 5_686,
    }  # fmt: skip


def test_glove_has_its_ranks(real_data):
    from pencil.data import vectors

    real_data("glove")
    words = vectors.load("full").words
    assert {w: words.index(w) + 1 for w in ("the", "on", "table", "sat", "cat")} == {"the": 1, "on": 14, "table": 1802, "sat": 3224, "cat": 5451}


def test_shakespeare_has_its_letters(real_data):
    real_data("shakespeare")
    assert len(text.load("full").encode()) == 1_115_394 and len(set(text.load("full"))) == 65


def test_there_are_so_many_names(real_data):
    real_data("names")
    assert len(names.load("full")) == 32_033 and names.load("full")[0] == "emma"


def test_mnist_has_its_pictures(real_data):
    split = images.read(real_data("mnist", "t10k-images-idx3-ubyte.gz"), real_data("mnist", "t10k-labels-idx1-ubyte.gz"))
    assert split.pixels.shape == (10_000, 28, 28) and np.bincount(split.labels).tolist() == [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]
    assert split.pixels.min() == 0 and split.pixels.max() == 1


def test_all_of_mnist(real_data):
    real_data("mnist")
    loaded = images.load("full")
    assert loaded.train.pixels.shape == (60_000, 28, 28) and len(loaded.test) == 10_000


def test_the_small_digits_are_scikit_learns():
    from sklearn.datasets import load_digits

    loaded, bunch = images.load(), load_digits()
    assert len(loaded.train) + len(loaded.test) == 1797 and loaded.train.pixels.shape[1:] == (8, 8) and loaded.train.pixels.max() == 1
    assert np.bincount(loaded.test.labels).tolist() == (np.bincount(bunch.target) // 5).tolist()
    both = sorted(
        (label, pixels.tobytes()) for split in (loaded.train, loaded.test) for label, pixels in zip(split.labels, split.pixels, strict=True)
    )
    assert both == sorted((label, (pixels / 16).astype(np.float32).tobytes()) for label, pixels in zip(bunch.target, bunch.images, strict=True))


@pytest.mark.parametrize("name, file", [(name, file.name) for name, one in SETS.items() for file in one.files])
def test_what_is_here_is_as_it_should_be(real_data, name, file):
    from pencil.data.downloads import _sha256

    path = real_data(name, file)
    assert _sha256(path) in {thing.sha256 for thing in (*SETS[name].files, *SETS[name].copies) if Path(thing.name).name == path.name}
