"""Word vectors learned from the embedded reviews, and GloVe's: reproducible, and malformed lines are refused with their number."""

import lzma
import zipfile

import numpy as np
import pytest

from pencil.data import DataError, reviews, vectors
from pencil.data.vectors import Vectors, learn, load, read
from pencil.reference import PADDING, build_vocabulary, tokenize

BOOK_WORDS = "the cat sat on table mat king queen man woman good bad boring dull not film movie was nolan ended"
LINE = "{} " + " ".join(str(k / 8) for k in range(50)) + "\n"


@pytest.fixture(scope="module")
def embedded():
    return load("embedded")


def test_the_embedded_sticks_are_fifty_wide_and_hold_the_words_of_the_book(embedded):
    assert embedded.table.shape == (len(embedded.words), 50) and embedded.table.dtype == float
    assert not [word for word in BOOK_WORDS.split() if word not in embedded]
    assert load() is embedded  # learned once


def test_they_are_those_of_plain_counting(embedded):
    """The same road with lists and loops up to the SVD, and then every product of two sticks from the table it cut."""
    texts = [tokenize(text) for text in reviews.load("embedded").train.texts]
    ranks = build_vocabulary(texts, size=vectors.WORDS).ranks
    assert [word for word, rank in ranks.items() if rank <= vectors.WORDS] == list(embedded.words)
    at = {word: i for i, word in enumerate(embedded.words)}
    counts = np.zeros((len(at), len(at)))
    for text in texts:
        known = [at.get(word, -1) for word in text]
        for i, a in enumerate(known):
            for b in known[i + 1 : i + 1 + vectors.WINDOW]:
                if a >= 0 and b >= 0:
                    counts[a, b] += 1
                    counts[b, a] += 1
    share = counts / counts.sum()
    chance = np.outer(share.sum(1), share.sum(0))
    table = np.where(share > chance, np.log(np.where(share > 0, share, 1) / chance), 0)
    values, directions = np.linalg.eigh(table @ table.T)
    top = directions[:, ::-1][:, : vectors.WIDTH] * np.sqrt(values[::-1][: vectors.WIDTH])
    np.testing.assert_allclose(embedded.table @ embedded.table.T, top @ top.T, atol=1e-7)


def test_no_two_directions_reach_equally_far_so_every_machine_finds_the_same(embedded):
    """The noise of a float is 1e-16 of the greatest reach; a gap 10,000,000,000 times as wide keeps every printed digit."""
    reach = np.linalg.norm(embedded.table, axis=0)
    assert (np.diff(-reach) / reach[0]).min() > 1e-6
    longest = np.sort(np.abs(embedded.table), axis=0)[::-1]
    assert (embedded.table[np.abs(embedded.table).argmax(0), range(50)] > 0).all()
    assert (1 - longest[1] / longest[0]).min() > 1e-5  # nor do two words tie for the sign


def test_company_shows(embedded):
    assert embedded.nearest("king", 1)[0][0] == "queen"
    assert "dull" in [word for word, _ in embedded.nearest("boring", 3)]
    assert "bad" in [word for word, _ in embedded.nearest("good", 3)]  # opposites too
    landed = embedded["king"] - embedded["man"] + embedded["woman"]
    assert [word for word, _ in embedded.nearest(landed, 2)] == ["king", "queen"]
    assert embedded.nearest(landed, 1, without=("king", "man", "woman"))[0][0] == "queen"


def test_neither_padding_nor_the_unknown_gets_a_stick():
    found = learn([["a", "b", "a", "b", "c"], ["b", "a", "c", "a", "d"]], words=3, window=2, width=2)
    assert found.words == ("a", "b", "c") and found.table.shape == (3, 2) and PADDING == 0
    skipped = learn([["a", "b", "a", "b", "c"], [], ["b", "a", "c", "a", "d"]], words=3, window=2, width=2)
    np.testing.assert_array_equal(found.table, skipped.table)


def test_sticks_by_word(embedded):
    np.testing.assert_array_equal(embedded["cat"], embedded.table[embedded.words.index("cat")])
    np.testing.assert_array_equal(embedded.of("cat", "the"), np.array([embedded["cat"], embedded["the"]]))
    assert "cat" in embedded and "qxzbr" not in embedded
    assert repr(embedded) == "Vectors of 600 words, 50 numbers each"
    with pytest.raises(ValueError, match=r"'qxzbr' has no vector here; these 600 words have: the"):
        embedded.of("cat", "qxzbr")


def test_nobody_can_change_what_everybody_shares(embedded):
    with pytest.raises(ValueError, match="read-only"):
        embedded.table[0, 0] = 1


def test_another_source_is_refused():
    with pytest.raises(ValueError, match=r"embedded.*full"):
        load("half")


# ---- GloVe's file


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "byte order mark"])
@pytest.mark.parametrize("kind", ["txt", "xz", "zip"])
def test_glove_is_read_from_each_kind_of_file(tmp_path, kind, mark):
    text = mark + LINE.format("the") + LINE.format("naïve").replace("0.125", "-1.5e-3")
    file = tmp_path / f"glove.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("glove.6B.100d.txt", "wrong one")
            archive.writestr("glove.6B.50d.txt", text)
    else:
        file.write_bytes(lzma.compress(text.encode()) if kind == "xz" else text.encode())
    found = read(file)
    assert found.words == ("the", "naïve") and found.table.shape == (2, 50) and found.table.dtype == np.float32
    assert found["naïve"][1] == np.float32(-0.0015) and found["the"][2] == 0.25


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "is empty"),
        ("\0" * 2_000_000, "line 1 is longer than 1,000,000 letters; fetch it anew"),
        (LINE.format("a") + "b 1 2 3\n", "line 2: 3 numbers behind 'b', and 50 are wanted"),
        (LINE.format("a").replace("0.25", "many"), "line 1: could not convert string to float: 'many'"),
        (LINE.format("a") + LINE.format("b").replace("0.25", "nan"), "line 2: a number behind 'b' is not finite"),
        (LINE.format("a").replace("0.25", "1_0"), "line 1: '1_0' is no number"),
        (LINE.format("a").replace("0.25", "-inf"), "line 1: a number behind 'a' is not finite"),
        (LINE.format("a") + LINE.format("b") + LINE.format("a"), "has 'a' more than once, and a word has one vector"),
        (LINE.format("a") + LINE.format("two words"), "line 2: could not convert string to float: 'words'"),
    ],
)
def test_a_broken_file_is_refused_by_line(tmp_path, text, says):
    (tmp_path / "glove.txt").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=says):
        read(tmp_path / "glove.txt")


@pytest.mark.parametrize("kind", ["xz", "zip"])
def test_a_packed_file_that_is_not_whole_says_so(tmp_path, kind):
    text, file = "".join(LINE.format(f"word{k}") for k in range(50)), tmp_path / f"glove.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("glove.6B.50d.txt", text)
    else:
        file.write_bytes(lzma.compress(text.encode()))
    content = file.read_bytes()
    for spoilt in (content[:-30], content[:60] + bytes(20) + content[80:], b"<html>sign in</html>"):
        file.write_bytes(spoilt)
        with pytest.raises(DataError, match=r"cannot be read to its end .*: remove it and fetch it anew"):
            read(file)


def test_a_zip_that_is_encrypted_says_so(tmp_path):
    file = tmp_path / "glove.zip"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("glove.6B.50d.txt", LINE.format("the"))
    content = bytearray(file.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # the flags of the member and of the directory
        content[content.index(mark) + at] |= 1
    file.write_bytes(content)
    with pytest.raises(DataError, match="is encrypted, and GloVe's own is not: remove it"):
        read(file)


def test_a_zip_without_the_sticks_says_so(tmp_path):
    with zipfile.ZipFile(tmp_path / "glove.zip", "w") as packed:
        packed.writestr("glove.6B.100d.txt", "the wrong width")
    with pytest.raises(DataError, match=r"holds no glove.6B.50d.txt: remove it and type `python -m pencil data fetch glove`"):
        read(tmp_path / "glove.zip")


@pytest.mark.slow
def test_the_real_sticks_are_float32_and_begin_as_they_should(real_data):
    real_data("glove")
    found = load("full")
    assert isinstance(found, Vectors) and found.table.dtype == np.float32
    np.testing.assert_array_equal(found["the"][:5], np.array([0.418, 0.24968, -0.41242, 0.1217, 0.34527], np.float32))
