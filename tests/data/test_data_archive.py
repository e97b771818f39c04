"""Archives are read member by member; unsafe paths and truncated files are refused."""

import gzip
import io
import lzma
import tarfile
from random import Random

import pytest

from pencil.data import DataError, archive, reviews
from pencil.data.reviews import read_archive, read_csv


def packed(path, members):
    """A .tar.gz of (name, text) pairs; a text of None makes a link to /etc/hosts."""
    with tarfile.open(path, "w:gz") as out:
        for name, text in members:
            info = tarfile.TarInfo(name)
            if text is None:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/hosts"
                out.addfile(info)
            else:
                info.size = len(text.encode())
                out.addfile(info, io.BytesIO(text.encode()))
    return path


LAYOUT = [
    ("aclImdb/README", "not a review"),
    ("aclImdb/train/pos/10_9.txt", "ten, good"),
    ("aclImdb/train/pos/2_7.txt", "two, gööd"),
    ("aclImdb/train/neg/0_1.txt", "nought, bad"),
    ("aclImdb/train/unsup/0_0.txt", "no verdict"),
    ("aclImdb/train/urls_pos.txt", "addresses"),
    ("aclImdb/train/labeledBow.feat", "counts"),
    ("aclImdb/test/neg/5_2.txt", "five, bad<br />"),
    ("aclImdb/test/pos/5_8.txt", "five, good"),
]


def test_the_reviews_of_an_archive_in_the_layout_of_its_home(tmp_path, monkeypatch):
    path = packed(tmp_path / "aclImdb_v1.tar.gz", LAYOUT)
    assert read_archive(path) == [
        ("test", 1, 5, "five, good"),
        ("test", 0, 5, "five, bad<br />"),
        ("train", 1, 2, "two, gööd"),
        ("train", 1, 10, "ten, good"),
        ("train", 0, 0, "nought, bad"),
    ]
    monkeypatch.setenv("PENCIL_DATA", str(tmp_path))
    loaded = reviews._full.__wrapped__()  # past the memory of an earlier load
    assert loaded.train.texts == ("two, gööd", "ten, good", "nought, bad") and loaded.train.labels.tolist() == [1, 1, 0]
    assert loaded.test.texts == ("five, good", "five, bad<br />") and loaded.test.labels.tolist() == [1, 0]
    assert sorted(p.name for p in tmp_path.iterdir()) == [path.name]


@pytest.mark.parametrize("name", ["../evil.txt", "aclImdb/../../evil.txt", "/evil.txt", "C:/evil.txt", "C:evil.txt", "aclImdb\\..\\..\\evil.txt"])
def test_a_path_that_climbs_out_of_its_folder_is_refused(tmp_path, name):
    path = packed(tmp_path / "x.tar.gz", [("aclImdb/train/pos/0_9.txt", "good"), (name, "evil")])
    with pytest.raises(DataError, match=r"leads out of its folder; nothing was read: remove the file and fetch it from its home"):
        read_archive(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.tar.gz"]


def test_dots_inside_a_name_are_no_climbing(tmp_path):
    assert [name for name, _ in archive.members(packed(tmp_path / "x.tar.gz", [("a/b..c.txt", "x")]))] == ["a/b..c.txt"]


def test_a_link_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"holds a link, aclImdb/train/pos/0_9.txt"):
        read_archive(packed(tmp_path / "x.tar.gz", [("aclImdb/train/pos/0_9.txt", None)]))


@pytest.mark.parametrize("keep", [0, 10, 0.5, -9, -5000])
def test_an_archive_that_was_cut_off_says_so(tmp_path, keep):
    random = Random(0)
    whole = packed(tmp_path / "x.tar.gz", [(f"a/{n}.txt", random.randbytes(2000).hex()) for n in range(50)])
    content = whole.read_bytes()
    whole.write_bytes(content[: int(len(content) * keep) if isinstance(keep, float) else keep])
    with pytest.raises(DataError, match=r"cannot be read to its end .*: remove it and fetch it anew"):
        list(archive.members(whole))


def test_one_wrong_byte_in_an_archive_is_noticed(tmp_path):
    whole = packed(tmp_path / "x.tar.gz", [("a/0.txt", Random(0).randbytes(3000).hex())])
    content = bytearray(whole.read_bytes())
    content[-6] ^= 1  # in the checksum: the text reads as before
    whole.write_bytes(content)
    with pytest.raises(DataError, match=r"cannot be read to its end"):
        list(archive.members(whole))


def test_what_is_no_review_in_the_place_of_one_says_so(tmp_path):
    with pytest.raises(DataError, match=r"holds aclImdb/train/pos/notes.txt, which is no numbered review"):
        read_archive(packed(tmp_path / "x.tar.gz", [("aclImdb/train/pos/notes.txt", "good")]))
    whole = packed(tmp_path / "y.tar.gz", [("aclImdb/train/pos/0_9.txt", "good")])
    whole.write_bytes(gzip.compress(gzip.decompress(whole.read_bytes()).replace(b"good", b"g\xff\xffd")))
    with pytest.raises(DataError, match=r"cannot be read to its end \('utf-8' codec"):
        read_archive(whole)


def test_a_table_of_reviews_that_was_cut_off_says_so(tmp_path):
    content = lzma.compress(b"split,label,stars,id,text\n" + b"train,1,9,10,good\n" * 50)
    for spoilt in (content[:-20], b"<html>", b"", lzma.compress(b"\xff")):
        (tmp_path / "imdb.csv.xz").write_bytes(spoilt)
        with pytest.raises(DataError, match=r"cannot be read to its end"):
            read_csv(tmp_path / "imdb.csv.xz")


def test_what_is_no_archive_says_so(tmp_path):
    (tmp_path / "x.tar.gz").write_text("<html>sign in to this network</html>")
    with pytest.raises(DataError, match=r"cannot be read to its end"):
        list(archive.members(tmp_path / "x.tar.gz"))


@pytest.mark.parametrize("spoil", [lambda c: c[:-5], lambda c: c[:20] + bytes(8) + c[28:], lambda c: b"x" + c])
def test_a_gzipped_file_that_is_not_whole_says_so(tmp_path, spoil):
    (tmp_path / "x.gz").write_bytes(spoil(gzip.compress(bytes(range(256)) * 20)))
    with pytest.raises(DataError, match=r"cannot be read to its end"):
        archive.unpacked(tmp_path / "x.gz")
