"""Word vectors: small ones learned from the embedded reviews, or GloVe's."""

import lzma
import zipfile
from collections import Counter
from dataclasses import dataclass
from functools import cache
from io import TextIOWrapper
from pathlib import Path

import numpy as np

from pencil.data import DataError, archive, check_source, reviews
from pencil.reference import build_vocabulary, cooccurrence, most_similar, ppmi, tokenize, truncated_svd

WORDS, WINDOW, WIDTH = 600, 5, 50  # of the embedded vectors: number of words, context window to each side, dimension
GLOVE_WIDTH = 50
ENCRYPTED = 1  # flag bit of a zip member
_MEMBER = f"glove.6B.{GLOVE_WIDTH}d.txt"


@dataclass(frozen=True, eq=False)
class Vectors:
    """Word vectors: row i of the table belongs to words[i]. Words are sorted by frequency, the most frequent first."""

    words: tuple
    table: np.ndarray  # (n, d)

    def __post_init__(self):
        self.table.setflags(write=False)  # cached: all callers share the array
        object.__setattr__(self, "_row", {word: row for row, word in enumerate(self.words)})

    def __repr__(self):
        return f"Vectors of {len(self.words)} words, {self.table.shape[1]} numbers each"

    def __contains__(self, word):
        return word in self._row

    def __getitem__(self, word):  # -> (d,)
        return self.of(word)[0]

    def of(self, *words):  # -> (len(words), d)
        """The vectors of some words as rows. Raises ValueError for an unknown word."""
        missing = [word for word in words if word not in self._row]
        if missing:
            raise ValueError(f"{missing[0]!r} has no vector here; these {len(self.words)} words have: {', '.join(self.words[:5])} …")
        return self.table[[self._row[word] for word in words]]

    def nearest(self, word, count=5, without=None):  # word or (d,) -> list of (word, cosine)
        """The `count` words with the highest cosine similarity to a word, which is itself left out, or to a vector."""
        if isinstance(word, str):
            return most_similar(self[word], self.words, self.table, count=count, without=(word,) if without is None else without)
        return most_similar(word, self.words, self.table, count=count, without=without or ())


def load(source="embedded"):  # -> Vectors
    """Load vectors learned from the embedded reviews by PPMI and SVD ("embedded"), or GloVe 6B, 50-dimensional ("full").

    Raises ValueError for any other source, and DataError if GloVe has not been downloaded.
    """
    if check_source(source) == "embedded":
        return _embedded()
    from pencil.data.downloads import find

    return read(find("glove"))


@cache
def _embedded():
    return learn([tokenize(text) for text in reviews.load("embedded").train.texts])


def learn(texts, words=WORDS, window=WINDOW, width=WIDTH):  # lists of tokens -> Vectors
    """Co-occurrence counts, PPMI, and a truncated SVD."""
    kept = build_vocabulary(texts, size=words)
    names = tuple(list(kept.ranks)[:words])
    counts = cooccurrence([kept.ids(text) for text in texts if text], size=kept.num_embeddings, window=window)
    table = ppmi(counts[1 : len(names) + 1, 1 : len(names) + 1])  # without padding and unknown
    return Vectors(names, truncated_svd(table, width=width).vectors)


@cache
def read(file):  # Path -> Vectors in float32
    """Read a GloVe file: .txt, .txt.xz, or the .zip of all dimensions. Each line is a word and its numbers, separated by spaces.

    Raises ValueError, with the line number, for a malformed line, and DataError for a broken archive.
    """
    words, rows = [], []
    with archive.reading(file), _lines(Path(file)) as lines:
        for number, line in enumerate(_bounded(file, lines), start=1):
            word, *digits = line.rstrip("\n").split(" ")
            words.append(word)
            try:
                rows.append(np.array([*map(float, digits)], np.float32))
            except ValueError as odd:
                raise ValueError(f"{file}, line {number}: {odd}; it should hold a word and {GLOVE_WIDTH} numbers: fetch it anew") from None
            if not np.isfinite(rows[-1]).all():
                raise ValueError(f"{file}, line {number}: a number behind {word!r} is not finite; fetch it anew")
            if odd := next((one for one in digits if "_" in one), ""):  # Python would read 1_0 as 10
                raise ValueError(f"{file}, line {number}: {odd!r} is no number; fetch it anew")
            if len(digits) != GLOVE_WIDTH:
                raise ValueError(f"{file}, line {number}: {len(digits)} numbers behind {word!r}, and {GLOVE_WIDTH} are wanted; fetch it anew")
    if not words:
        raise ValueError(f"{file} is empty; fetch it anew")
    if len(set(words)) < len(words):
        twice, _ = Counter(words).most_common(1)[0]
        raise ValueError(f"{file} has {twice!r} more than once, and a word has one vector; fetch it anew")
    return Vectors(tuple(words), np.array(rows))


def _bounded(file, lines):
    try:
        yield from archive.lines(lines)
    except UnicodeDecodeError:  # a ValueError that `reading` has a sentence for
        raise
    except ValueError as odd:
        raise ValueError(f"{file}, {odd}; fetch it anew") from None


def _lines(file):
    if file.suffix == ".xz":
        return lzma.open(file, "rt", encoding="utf-8-sig", newline="\n")
    if file.suffix == ".zip":
        packed = zipfile.ZipFile(file)
        if _MEMBER not in packed.namelist():
            raise DataError(f"{file} holds no {_MEMBER}: remove it and type `python -m pencil data fetch glove`")
        if packed.getinfo(_MEMBER).flag_bits & ENCRYPTED:
            raise DataError(f"{file} is encrypted, and GloVe's own is not: remove it and type `python -m pencil data fetch glove`")
        return TextIOWrapper(packed.open(_MEMBER), encoding="utf-8-sig", newline="\n")
    return open(file, encoding="utf-8-sig", newline="\n")  # with or without a byte order mark
