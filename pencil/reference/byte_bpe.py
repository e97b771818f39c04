"""Byte-pair encoding of bytes, as GPT-2 and Llama 3 have it: every text can be written, whatever its letters.

A text is split into chunks, each chunk becomes its bytes in UTF-8, each byte is written as one printable letter, and on those the merges of
`pencil.reference.bpe` run. A blank is written Ġ.
"""

import re
import sys
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import cycle
from unicodedata import category

import numpy as np

from pencil.reference.bpe import BPE

# The published patterns; {L} are letters, {N} numerals, {s} blanks of every kind, as Unicode has them.
GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?[{L}]+| ?[{N}]+| ?[^{s}{L}{N}]+|[{s}]+(?![^{s}])|[{s}]+"
LLAMA3_PATTERN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n{L}{N}]?[{L}]+|[{N}]{1,3}| ?[^{s}{L}{N}]+[\r\n]*|[{s}]*[\r\n]+|[{s}]+(?![^{s}])|[{s}]+"


@cache
def byte_letters():  # -> 256 letters
    """The letter for each byte: itself where it can be printed, else the next of those from code point 256 on (GPT-2: Radford et al. 2019)."""
    printable = {*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)}
    others = iter(range(256, 512))
    return tuple(chr(byte if byte in printable else next(others)) for byte in range(256))


@cache
def _compiled(pattern):
    kinds = {"L": [], "N": [], "s": []}  # Unicode's White_Space, which has no separators of information (re's own \s has them)
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        kind = "s" if letter.isspace() and not 0x1C <= code <= 0x1F else category(letter)[0]
        if kind in kinds:
            kinds[kind].append(code)
    for kind, codes in kinds.items():
        starts = [c for c, before in zip(codes, [-2, *codes], strict=False) if c != before + 1]
        ends = [c for c, behind in zip(codes, [*codes[1:], -2], strict=True) if c != behind - 1]
        ranges = "".join(f"{re.escape(chr(start))}-{re.escape(chr(end))}" for start, end in zip(starts, ends, strict=True))
        pattern = pattern.replace(f"{{{kind}}}", ranges)
    return re.compile(pattern)


@dataclass(frozen=True)
class ByteBPE:
    """A trained tokenizer of bytes.

    - `bpe`: the merges and pieces, in the letters of `byte_letters`; a special token stands among the pieces as it is written
    - `special`: tokens that no text is split into, such as <|endoftext|>: where one stands in a text, it is one piece
    - `pattern`: how a text is split into chunks, `GPT2_PATTERN` or `LLAMA3_PATTERN`
    - `ignore_merges`: whether a chunk that is a piece stays whole, whatever the merges say
    - `normalized`: those of `special` that are looked for only in what the others leave (normalized=True of Hugging Face's AddedToken)
    - `begin`: the tokens that stand in front of a text where the model was trained so, such as Llama 3's <|begin_of_text|>

    Source: Radford et al. 2019, 2.2; the letters and kinds are those of Python's Unicode.
    """

    bpe: BPE
    special: tuple = ()
    pattern: str = GPT2_PATTERN
    ignore_merges: bool = False
    begin: tuple = ()
    normalized: tuple = ()

    pieces = property(lambda self: self.bpe.pieces)

    def encode(self, text, *, add_special_tokens=False):  # str -> (T,) ids
        """The ids of a text, on demand with `begin` in front. Raises ValueError for no str, and for a byte that is not among the pieces."""
        if not isinstance(text, str):
            raise ValueError(f"{text!r} is a {type(text).__name__}, not a text; hand in a str")
        ids = [self._ids[token] for token in self.begin] if add_special_tokens else []
        for part, is_token in self._split(text):
            if is_token:
                ids.append(self._ids[part])
                continue
            for chunk in _compiled(self.pattern).findall(part):
                ids += self._chunk_ids(chunk)
        return np.array(ids, int)

    def decode(self, ids):  # (T,) -> str
        """The text of a row of ids; bytes that are no UTF-8 become �. Raises ValueError for an id outside the vocabulary."""
        outside = [i for i in np.ravel(ids).tolist() if not 0 <= i < len(self.pieces) or i != int(i)]
        if outside:
            raise ValueError(f"id {outside[0]} is none of the {len(self.pieces)} pieces (0 to {len(self.pieces) - 1})")
        return b"".join(map(self._bytes, np.ravel(ids).tolist())).decode("utf-8", errors="replace")

    def _bytes(self, i):
        piece = self.pieces[int(i)]
        return piece.encode() if piece in self.special else bytes(self._byte_of[letter] for letter in piece)

    def _chunk_ids(self, chunk):
        known = self._known
        if chunk not in known:
            written = "".join(byte_letters()[byte] for byte in chunk.encode("utf-8", errors="surrogatepass"))
            pieces = [written] if self.ignore_merges and written in self._ids else self.bpe.tokenize(written)
            if unknown := [piece for piece in pieces if piece not in self._ids]:
                raise ValueError(f"the byte {self._byte_of[unknown[0]]} of {chunk!r} is none of the {len(self.pieces)} pieces")
            known[chunk] = [self._ids[piece] for piece in pieces]
        return known[chunk]

    @cached_property
    def _known(self):  # {chunk: its ids}, of all chunks so far
        return {}

    @cached_property
    def _ids(self):
        return {piece: i for i, piece in enumerate(self.pieces)}

    def _split(self, text):  # -> [(part of the text, whether it is a special token)]
        parts = [(text, False)]
        for finds in self._finders:
            split = []
            for part, is_token in parts:
                split += [(part, True)] if is_token else zip(finds.split(part), cycle((False, True)), strict=False)
            parts = split
        return parts

    @cached_property
    def _finders(self):  # of two tokens that begin at one place, the longer one is found
        rounds = [token for token in self.special if token not in self.normalized], self.normalized
        return [re.compile("(" + "|".join(map(re.escape, sorted(tokens, key=len, reverse=True))) + ")") for tokens in rounds if tokens]

    @cached_property
    def _byte_of(self):
        return {letter: byte for byte, letter in enumerate(byte_letters())}
