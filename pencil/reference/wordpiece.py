"""WordPiece, as BERT has it: a word is split into the longest pieces of the vocabulary, from left to right.

A piece that goes on with a word has ## in front: *unaffable* is un, ##aff, ##able. How the vocabulary is chosen is not part of this file.
"""

import re
import string
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle

import numpy as np

UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"  # a word without pieces; in front of a text, and behind it
NOTHING = r"(?!)"  # a pattern that matches nothing
LONGEST = 100  # characters of a word that is split at all
IDEOGRAPHS = (  # the CJK ranges in which BERT makes each character a word
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


@dataclass(frozen=True)
class WordPiece:
    """A trained tokenizer.

    - `pieces`: the vocabulary, by id
    - `lowercase`: whether a text is put into lower case and loses its accents
    - `special`: tokens that no text is split into, such as [SEP]: where one stands in a text, it is one piece

    Source: Devlin et al. 2019, in their code; the split of a word is that of Wu et al. 2016, 4.1. The kinds of characters are those of
    Python's Unicode. Raises ValueError where one of [UNK], [CLS], [SEP] and the special tokens is not among the pieces.
    """

    pieces: tuple
    lowercase: bool = True
    special: tuple = (UNKNOWN, BEGIN, END)

    def __post_init__(self):
        for token in (UNKNOWN, BEGIN, END):
            if token not in self._ids:
                raise ValueError(f"{token} is none of the {len(self.pieces)} pieces; a WordPiece has {UNKNOWN}, {BEGIN} and {END}")
        if lost := next((token for token in self.special if token not in self._ids), None):
            raise ValueError(f"{lost} is none of the {len(self.pieces)} pieces; add it to them, or leave it out of special")

    def encode(self, text, *, add_special_tokens=False):  # str -> (T,) ids
        """The ids of a text, on demand between [CLS] and [SEP]. Raises ValueError for no str."""
        return np.array([self._ids[piece] for piece in self.tokenize(text, add_special_tokens=add_special_tokens)], int)

    def tokenize(self, text, *, add_special_tokens=False):  # str -> list of pieces
        """The pieces of a text, on demand between [CLS] and [SEP]. Raises ValueError for no str."""
        if not isinstance(text, str):
            raise ValueError(f"{text!r} is a {type(text).__name__}, not a text; hand in a str")
        pieces = []
        for part, is_token in zip(self._finder.split(text), cycle((False, True)), strict=False):
            pieces += [part] if is_token else [piece for word in self.words(part) for piece in self.split(word)]
        return [BEGIN, *pieces, END] if add_special_tokens else pieces

    def words(self, text):  # str -> list of str
        """The words and punctuation marks of a text, cleaned: without control characters, and with `lowercase` in lower case without accents."""
        text = "".join(f" {c} " if _is_ideograph(c) else " " if c.isspace() else c for c in text if not _is_control(c))
        if self.lowercase:
            text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn").lower()
        return "".join(f" {c} " if _is_punctuation(c) else c for c in text).split()

    def split(self, word):  # str -> list of pieces
        """The pieces of one word: the longest that it begins with, then the longest that goes on; [UNK] where there is none."""
        pieces, start = [], 0
        while start < len(word) <= LONGEST:
            prefix = "##" if start else ""
            end = next((end for end in range(len(word), start, -1) if prefix + word[start:end] in self._ids), None)
            if end is None:
                return [UNKNOWN]
            pieces.append(prefix + word[start:end])
            start = end
        return pieces or [UNKNOWN]

    def decode(self, ids):  # (T,) -> str
        """The pieces of a row of ids, with a blank before each that begins a word. Raises ValueError for an id outside the vocabulary."""
        outside = [i for i in np.ravel(ids).tolist() if not 0 <= i < len(self.pieces) or i != int(i)]
        if outside:
            raise ValueError(f"id {outside[0]} is none of the {len(self.pieces)} pieces (0 to {len(self.pieces) - 1})")
        return " ".join(self.pieces[int(i)] for i in np.ravel(ids).tolist()).replace(" ##", "")

    @cached_property
    def _ids(self):
        return {piece: i for i, piece in enumerate(self.pieces)}

    @cached_property
    def _finder(self):
        return re.compile("(" + ("|".join(map(re.escape, sorted(self.special, key=len, reverse=True))) or NOTHING) + ")")


def _is_ideograph(character):
    return any(first <= ord(character) <= last for first, last in IDEOGRAPHS)


def _is_control(character):
    return character not in "\t\n\r" and (unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs") or character == "\ufffd")


def _is_punctuation(character):
    return character in string.punctuation or unicodedata.category(character)[0] == "P"
