"""Byte-pair encoding: words cut into pieces that are learned by joining the commonest pair, again and again."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise

import numpy as np

CHUNK = r" ?\w+| ?[^\w\s]+|\s+(?!\S)|\s"  # a word or marks, with the blank in front; other blanks


@dataclass(frozen=True)
class BytePairs:
    """What was learned: `merges`, pairs of pieces in the order in which they are joined, and `pieces`, of which an id is the place.

    The letters come first, in the order of their code points, then each new piece. `encode` and `decode` undo each
    other for every text over these letters.
    """

    merges: tuple
    pieces: tuple

    def cut(self, word):  # str -> list of str
        """The pieces of one word."""
        return _join_up(list(word), self._ranks)

    def encode(self, text):  # str -> (T,) ids
        """A text into ids, chunk by chunk. Raises ValueError for what is no text, and for a letter that is none of the pieces."""
        cut = chunks(text)
        strange = sorted(set(text) - set(self._ids))
        if strange:
            raise ValueError(f"{strange[0]!r} is none of the {len(self.pieces)} pieces; learn from a text that has it, or name it in letters=")
        known = {chunk: [self._ids[piece] for piece in self.cut(chunk)] for chunk in set(cut)}
        return np.array([i for chunk in cut for i in known[chunk]], int)

    def decode(self, ids):  # (T,) -> str
        """Ids back into the text. Raises ValueError for an id that is no piece's."""
        odd = [i for i in np.ravel(ids).tolist() if not 0 <= i < len(self.pieces) or i != int(i)]
        if odd:
            raise ValueError(f"id {odd[0]} is none of the {len(self.pieces)} pieces (0 to {len(self.pieces) - 1})")
        return "".join(self.pieces[int(i)] for i in np.ravel(ids).tolist())

    @cached_property
    def _ranks(self):
        return {pair: rank for rank, pair in enumerate(self.merges)}

    @cached_property
    def _ids(self):
        return {piece: i for i, piece in enumerate(self.pieces)}


def chunks(text):  # str -> list of str
    """Cut a text where no pair may reach across: before each word, with the blank in front of it, and round its marks.

    Joined, the chunks are the text again. Source: the rule of GPT-2 (Radford et al. 2019), without its English endings.
    Raises ValueError for what is no text.
    """
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is a {type(text).__name__}, not a text; hand in a str")
    return re.findall(CHUNK, text)


def pair_counts(words, merges=()):  # words, or {word: count} -> {(piece, piece): count}
    """How often each two pieces stand side by side in the words, once the merges are made (Sennrich et al. 2016).

    Raises ValueError for a text that is not split into words.
    """
    ranks, found = {tuple(pair): rank for rank, pair in enumerate(merges)}, Counter()
    for word, count in _counted(words).items():
        pieces = _join_up(list(word), ranks)
        for pair in pairwise(pieces):
            found[pair] += count
    return dict(found)


def byte_pairs(words, merges, letters=""):  # words, or {word: count} -> BytePairs
    """Join the commonest pair of pieces, `merges` times or until every word is one piece (Sennrich et al. 2016, algorithm 1).

    Of pairs that are equally common the one with the smaller ids comes first, as in Hugging Face's tokenizers. `letters`
    names further letters to know. Raises ValueError for a text that is not split into words, and for fewer than no merges.
    """
    if merges < 0:
        raise ValueError(f"merges={merges}; say how many pairs to join, 0 or more")
    counted = _counted(words)
    ids = {letter: i for i, letter in enumerate(sorted({*letters, *"".join(counted)}))}
    sheet, ranks = _Sheet(counted, ids), {}
    while len(ranks) < merges and sheet.pairs:
        pair = sheet.commonest()
        ranks[pair] = len(ranks)
        ids.setdefault("".join(pair), len(ids))
        sheet.join(pair, ranks)
    return BytePairs(tuple(ranks), tuple(ids))


class _Sheet:
    """The words as they are cut now, how often each pair stands in them, and where: only words with the pair are cut anew."""

    def __init__(self, counted, ids):
        self.counts, self.cut, self.ids = list(counted.values()), [list(word) for word in counted], ids
        self.pairs, self.places = Counter(), defaultdict(set)
        for place in range(len(self.cut)):
            self._add(place, 1)
        self.queue = []
        self._line_up(self.pairs)

    def commonest(self):
        """The commonest pair, of several the one with the smaller ids."""
        while True:
            count, _, _, pair = heappop(self.queue)
            if self.pairs.get(pair) == -count:  # else it has been counted anew since, and stands in the queue again
                return pair

    def join(self, pair, ranks):
        changed = set()
        for place in list(self.places[pair]):
            changed |= self._add(place, -1)
            self.cut[place] = _join_up(self.cut[place], ranks)
            changed |= self._add(place, 1)
        self._line_up(changed)

    def _line_up(self, pairs):
        for pair in pairs:
            if pair in self.pairs:
                heappush(self.queue, (-self.pairs[pair], self.ids[pair[0]], self.ids[pair[1]], pair))

    def _add(self, place, sign):  # -> the pairs of that word
        found = list(pairwise(self.cut[place]))
        for pair in found:
            self.pairs[pair] += sign * self.counts[place]
            if sign > 0:
                self.places[pair].add(place)
            else:
                self.places[pair].discard(place)
            if not self.pairs[pair]:
                del self.pairs[pair]
        return set(found)


def _join_up(pieces, ranks):
    """Join the pair that was learned first, wherever it stands, from the left; and again, until no learned pair is left."""
    while len(pieces) > 1:
        pair = min(pairwise(pieces), key=lambda pair: ranks.get(pair, len(ranks)))
        if pair not in ranks:
            break
        pieces = _join(pieces, pair)
    return pieces


def _join(pieces, pair):
    out, i = [], 0
    while i < len(pieces):
        here = tuple(pieces[i : i + 2]) == pair
        out.append("".join(pair) if here else pieces[i])
        i += 2 if here else 1
    return out


def _counted(words):
    if isinstance(words, str):
        raise ValueError(f"{words[:40]!r} is a text; cut it first: chunks(text)")
    return dict(words) if isinstance(words, Mapping) else Counter(words)
