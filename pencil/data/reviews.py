"""Film reviews with their verdicts: made by rule in pencil/data/grammar.py, or the Large Movie Review Dataset (Maas et al. 2011)."""

import csv
import lzma
from dataclasses import dataclass
from functools import cache

import numpy as np

from pencil.data import DataError, archive, check_source
from pencil.data.grammar import corpus

SEED = 0
SIZES = {"train": 3000, "test": 1000}


@dataclass(frozen=True)
class Pile:
    """Texts and, for each, 1 where it praises and 0 where it does not."""

    texts: tuple[str, ...]
    labels: np.ndarray  # (n,) int8

    def __len__(self):
        return len(self.texts)


@dataclass(frozen=True)
class Reviews:
    """One pile to learn from, and one to be asked about."""

    train: Pile
    test: Pile


def load(source="embedded"):  # -> Reviews
    """The same reviews in the same order each time. "full" is IMDB: 25,000 and 25,000, half of each praise.

    All its praise stands before all that is not, each by the archive's numbering: mix it before training.
    """
    return _embedded() if check_source(source) == "embedded" else _full()


@cache
def _embedded():
    return Reviews(*(_pile(pairs) for pairs in corpus(SEED, SIZES.values())))


def _pile(pairs):  # (text, label) -> Pile
    labels = np.array([label for _, label in pairs], dtype=np.int8)
    labels.flags.writeable = False  # every caller gets the same array
    return Pile(tuple(text for text, _ in pairs), labels)


@cache
def _full():
    from pencil.data.fetch import find

    file = find("imdb")
    rows = read_csv(file) if file.suffix == ".xz" else read_archive(file)
    return Reviews(*(_pile([(text, label) for split, label, _, text in rows if split == wanted]) for wanted in SIZES))


def read_archive(file):  # aclImdb_v1.tar.gz -> [(split, label, number, text)]
    """The labelled reviews of the archive; nothing is unpacked to disk. Raises DataError for one that is broken or not IMDB's."""
    rows = []
    with archive.whole(file):
        for path, content in archive.members(file):
            split, verdict, name = [*path.split("/")[1:], "", "", ""][:3]  # aclImdb/train/pos/0_9.txt: number 0, 9 stars
            if split in SIZES and verdict in ("pos", "neg"):
                number = name.split("_")[0]
                if not (number.isascii() and number.isdecimal()):
                    raise DataError(f"{file} holds {path}, which is no numbered review: remove the file and fetch it from its home")
                rows.append((split, int(verdict == "pos"), int(number), content.decode("utf-8")))
    return sorted(rows, key=_place)


def read_csv(file):  # imdb.csv.xz -> [(split, label, number, text)]
    """The same rows from a table with the columns split, label, stars, id, text. Raises DataError for a file that is broken."""
    with archive.whole(file), lzma.open(file, "rt", encoding="utf-8", newline="") as table:
        return sorted(((row["split"], int(row["label"]), int(row["id"]), row["text"]) for row in csv.DictReader(table)), key=_place)


def _place(row):  # praise first, by number: words that are equally common rank by who comes first, so the order is part of the figures
    split, label, number, _ = row
    return split, -label, number
