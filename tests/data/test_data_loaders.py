"""The embedded texts, names and images, and the readers of files in the formats of the public data sets."""

import gzip
import lzma
import struct
import subprocess
import sys
import tarfile

import numpy as np
import pytest

import pencil.data
from pencil.data import DataError, downloads, images, names, reviews, text
from pencil.data.registry import SETS


@pytest.mark.parametrize("loader", [reviews, text, names, images])
def test_a_source_that_is_not_known_names_the_two_that_are(loader):
    with pytest.raises(ValueError, match=r"source='imdb' is not known; take one of embedded, full"):
        loader.load("imdb")


@pytest.mark.parametrize("loader", [reviews, text, names, images])
def test_the_real_thing_that_is_not_here_says_how_to_get_it(loader, monkeypatch, tmp_path):
    monkeypatch.setenv("PENCIL_DATA", str(tmp_path))
    monkeypatch.setattr(downloads, "DEVELOPMENT", tmp_path)
    monkeypatch.setattr(downloads, "_cache", lambda: tmp_path)
    for remembers in (f for f in vars(loader).values() if hasattr(f, "cache_clear")):
        remembers.cache_clear()
    with pytest.raises(DataError, match=r"is not on this machine .*: type `python -m pencil data fetch [a-z]+`"):
        loader.load("full")


def test_the_text_is_the_reviews_to_learn_from():
    assert text.load().splitlines() == list(reviews.load().train.texts)


def test_the_names_are_short_words_in_small_letters():
    assert "nolan" in names.load() and len(set(names.load())) == len(names.load()) >= 100
    assert all(name.isascii() and name.isalpha() and name.islower() for name in names.load())


def test_a_table_of_reviews_is_read_by_number_and_verdict(tmp_path):
    rows = 'split,label,stars,id,text\ntrain,1,9,10,"ten, ""good"""\ntrain,1,8,2,two\ntrain,0,1,0,bad\ntest,0,2,7,"seven\nlines"\n'
    (tmp_path / "imdb.csv.xz").write_bytes(lzma.compress(rows.encode()))
    assert reviews.read_csv(tmp_path / "imdb.csv.xz") == [
        ("test", 0, 7, "seven\nlines"),
        ("train", 1, 2, "two"),
        ("train", 1, 10, 'ten, "good"'),
        ("train", 0, 0, "bad"),
    ]


@pytest.mark.parametrize(
    "rows",
    [
        "split,label,id\ntrain,1,10\n",
        "split,label,stars,id,text\ntrain,yes,9,10,good\n",
        "split,label,stars,id,text\ntrain,7,9,10,good\n",
        "split,label,stars,id,text\ntrain,1,9,ten,good\n",
        "split,label,stars,id,text\nother,1,9,10,good\n",
        "split,label,stars,id,text\ntrain,1\n",
        "split,label,stars,id,text\ntrain,1,9,10,good,and more\n",
        'split,label,stars,id,text\ntrain,1,9,10,"good\ntrain,1,9,11,"better"\n',
        'split,label,stars,id,text\ntrain,1,9,10,"good\ntrain,1,9,11,better\n',
        "split,label,stars,text,id\ntrain,1,9,good,10\n",
        "split,label,stars,id,text\n" + "\0" * 2_000_000,
        f"split,label,stars,id,text\ntrain,1,9,10,{'x' * 200_000}\n",
    ],
)
def test_a_table_that_is_no_table_of_reviews_is_refused(tmp_path, rows):
    (tmp_path / "imdb.csv.xz").write_bytes(lzma.compress(rows.encode()))
    with pytest.raises(DataError, match=r"is no table of reviews .*its columns are split, label, stars, id and text; fetch it anew"):
        reviews.read_csv(tmp_path / "imdb.csv.xz")


@pytest.mark.parametrize("kind", ["csv", "archive"])
def test_a_set_without_reviews_says_so(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(downloads, "find", lambda name: tmp_path / ("imdb.csv.xz" if kind == "csv" else "imdb.tar.gz"))
    (tmp_path / "imdb.csv.xz").write_bytes(lzma.compress(b"split,label,stars,id,text\ntrain,1,9,1,good\n"))
    with tarfile.open(tmp_path / "imdb.tar.gz", "w:gz") as packed:
        packed.addfile(tarfile.TarInfo("aclImdb/README"))
    with pytest.raises(DataError, match=f"has no reviews of the {'test' if kind == 'csv' else 'train'} set: remove it"):
        reviews._full.__wrapped__()


def test_a_label_that_is_no_digit_is_refused(pair, tmp_path):
    with pytest.raises(DataError, match="holds the label 255, and digits go from 0 to 9"):
        images.read(pair[0], idx(tmp_path / "odd.gz", np.array([7, 255, 1], np.uint8)))


def test_a_set_of_no_pictures_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"l\.gz holds no labels: remove it and fetch it anew"):
        images.read(idx(tmp_path / "i.gz", np.zeros((0, 2, 4), np.uint8)), idx(tmp_path / "l.gz", np.zeros(0, np.uint8)))


def idx(path, array, kind=8):
    path.write_bytes(gzip.compress(bytes((0, 0, kind, array.ndim)) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()))
    return path


@pytest.fixture
def pair(tmp_path):
    """Three images of 2×4 and their labels, in MNIST's form."""
    return idx(tmp_path / "i.gz", np.arange(24, dtype=np.uint8).reshape(3, 2, 4)), idx(tmp_path / "l.gz", np.array([7, 0, 9], np.uint8))


def test_pictures_in_the_form_of_mnist(pair):
    split = images.read(*pair)
    assert split.pixels.shape == (3, 2, 4) and split.pixels.dtype == np.float32 and split.labels.tolist() == [7, 0, 9] and len(split) == 3
    np.testing.assert_allclose(split.pixels[1, 1], np.array([12, 13, 14, 15]) / 255, rtol=1e-6)
    assert not split.pixels.flags.writeable


def test_files_that_are_no_pair_or_of_another_form_are_refused(pair, tmp_path):
    pixels, labels = pair
    with pytest.raises(DataError, match=r"3 images and .* 2 labels: they are not a pair"):
        images.read(pixels, idx(tmp_path / "two.gz", np.array([1, 2], np.uint8)))
    for spoiled in ((labels, labels), (pixels, pixels), (idx(tmp_path / "floats.gz", np.zeros((1, 2, 4), np.uint8), kind=13), labels)):
        with pytest.raises(DataError, match=r"is not in MNIST's form with . axes, or not whole"):
            images.read(*spoiled)
    content = gzip.decompress(pixels.read_bytes())
    wraps = content[:4] + b"\x80\0\0\0" * 3  # three sizes whose product is 0 in 64 bits
    for short in (content[:-1], content[:6], b"", content + b"x", wraps):
        pixels.write_bytes(gzip.compress(short))
        with pytest.raises(DataError, match=r"or not whole: remove it and fetch it anew"):
            images.read(pixels, labels)


def test_the_small_digits_are_asked_for_politely(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    images._digits.cache_clear()
    with pytest.raises(DataError, match=r"come with scikit-learn, which this Python does not have: type `pip install scikit-learn`"):
        images.load()


def test_the_registry_is_whole():
    assert list(SETS) == ["imdb", "glove", "shakespeare", "names", "mnist", "gpt2", "tiktoken"]
    for one in SETS.values():
        assert all((one.title, one.home, one.licence, one.cite, one.proof))
        assert one.bytes == sum(file.bytes for file in one.files)
        for thing in (*one.files, *one.copies):
            assert len(thing.sha256) == 64 and set(thing.sha256) <= set("0123456789abcdef")
        assert all(file.url.startswith("https://") and file.url.endswith(f"/{file.name.split('/')[-1]}") for file in one.files)
        assert {copy.of for copy in one.copies} <= {file.name for file in one.files}
    hashes = [file.sha256 for one in SETS.values() for file in one.files]
    assert len(set(hashes)) == len(hashes)


def test_a_data_error_is_a_sentence_to_every_command():
    from pencil.errors import TaskError

    assert issubclass(DataError, TaskError) and pencil.data.DataError is DataError


@pytest.mark.parametrize("module", ["pencil.data", "pencil.data.reviews", "pencil.data.downloads", "pencil.data.registry", "pencil.cli.data"])
def test_nothing_heavy_comes_in_before_something_is_fetched(module):
    code = f"import sys, {module}; print(*{{m.split('.')[0] for m in sys.modules}})"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert not loaded & {"pooch", "requests", "tqdm", "torch", "sklearn", "pandas", "matplotlib"}
