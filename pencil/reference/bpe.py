"""Byte-pair encoding: a vocabulary of word pieces, learned by merging the most frequent pair again and again."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from numbers import Integral

import numpy as np

CHUNK = r" ?\w+| ?[^\w\s]+|\s+(?!\S)|\s"  # a word or punctuation, with the blank in front; other blanks


@dataclass(frozen=True)
class BPE:
    """A trained tokenizer: `merges`, pairs of pieces in the order in which they are merged, and `pieces`, indexed by id.

    The single characters come first, in the order of their code points, then each new piece. `decode` undoes `encode` for
    every text over these characters.
    """

    merges: tuple
    pieces: tuple

    def tokenize(self, word):  # str -> list of str
        """The pieces of one word."""
        return _merge_all(list(word), self._ranks)

    def encode(self, text):  # str -> (T,) ids
        """The ids of a text, chunk by chunk. Raises ValueError for what is not a str, and for a character that is not among the pieces."""
        chunks = pre_tokenize(text)
        unknown = sorted(set(text) - set(self._ids))
        if unknown:
            raise ValueError(f"{unknown[0]!r} is none of the {len(self.pieces)} pieces; train on a text that has it, or give it in initial_alphabet=")
        known = {chunk: [self._ids[piece] for piece in self.tokenize(chunk)] for chunk in set(chunks)}
        return np.array([i for chunk in chunks for i in known[chunk]], int)

    def decode(self, ids):  # (T,) -> str
        """The text of a row of ids. Raises ValueError for an id outside the vocabulary."""
        if np.ravel(ids).dtype.kind not in "iuf":
            raise ValueError(f"{ids!r} are no ids; give whole numbers from 0 to {len(self.pieces) - 1}")
        outside = [i for i in np.ravel(ids).tolist() if not 0 <= i < len(self.pieces) or i != int(i)]
        if outside:
            raise ValueError(f"id {outside[0]} is none of the {len(self.pieces)} pieces (0 to {len(self.pieces) - 1})")
        return "".join(self.pieces[int(i)] for i in np.ravel(ids).tolist())

    @cached_property
    def _ranks(self):
        return {pair: rank for rank, pair in enumerate(self.merges)}

    @cached_property
    def _ids(self):
        return {piece: i for i, piece in enumerate(self.pieces)}


def pre_tokenize(text):  # str -> list of str
    """Split a text into chunks that no merge may cross: words and runs of punctuation, each with the blank in front of it.

    Joined, the chunks are the text again. Source: the rule of GPT-2 (Radford et al. 2019), without its English contractions.
    Raises ValueError for what is not a str.
    """
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is a {type(text).__name__}, not a text; hand in a str")
    return re.findall(CHUNK, text)


def pair_counts(words, *, merges=()):  # words, or {word: count} -> {(piece, piece): count}
    """How often each two pieces are adjacent in the words, after the merges (Sennrich et al. 2016).

    - `words`: a list of words, or the count of each
    - `merges`: the pairs of pieces to merge first, in their order

    Raises ValueError for a str instead of a list.
    """
    ranks, found = {tuple(pair): rank for rank, pair in enumerate(merges)}, Counter()
    for word, count in _word_counts(words).items():
        pieces = _merge_all(list(word), ranks)
        for pair in pairwise(pieces):
            found[pair] += count
    return dict(found)


def train_bpe(words, *, num_merges, initial_alphabet=""):  # words, or {word: count} -> BPE
    """Merge the most frequent pair of pieces, again and again (Sennrich et al. 2016, algorithm 1).

    - `words`: a list of words, or the count of each
    - `num_merges`: how many merges to learn; it learns fewer where every word has become one piece
    - `initial_alphabet`: further characters of the vocabulary

    Of equally frequent pairs the one with the smaller ids comes first, as in Hugging Face's tokenizers. Raises ValueError for a
    str instead of a list, and for a negative number of merges.
    """
    if not isinstance(num_merges, Integral) or num_merges < 0:
        raise ValueError(f"num_merges={num_merges}; say how many pairs to merge, a whole number, 0 or more")
    counts = _word_counts(words)
    ids = {letter: i for i, letter in enumerate(sorted({*initial_alphabet, *"".join(counts)}))}
    corpus, ranks = _Corpus(counts, ids), {}
    while len(ranks) < num_merges and corpus.pairs:
        pair = corpus.most_frequent()
        ranks[pair] = len(ranks)
        ids.setdefault("".join(pair), len(ids))
        corpus.merge(pair, ranks)
    return BPE(tuple(ranks), tuple(ids))


class _Corpus:
    """The words as they are split so far, the count of each pair, and the words it is in, so that a merge touches only these."""

    def __init__(self, counts, ids):
        self.counts, self.splits, self.ids = list(counts.values()), [list(word) for word in counts], ids
        self.pairs, self.places = Counter(), defaultdict(set)
        for place in range(len(self.splits)):
            self._add(place, 1)
        self.queue = []
        self._enqueue(self.pairs)

    def most_frequent(self):
        """The most frequent pair; of several the one with the smaller ids."""
        while True:
            count, _, _, pair = heappop(self.queue)
            if self.pairs.get(pair) == -count:  # otherwise its count has changed since, and a newer entry is in the queue
                return pair

    def merge(self, pair, ranks):
        """Merge a pair wherever it is, and update the counts."""
        changed = set()
        for place in list(self.places[pair]):
            changed |= self._add(place, -1)
            self.splits[place] = _merge_all(self.splits[place], ranks)
            changed |= self._add(place, 1)
        self._enqueue(changed)

    def _enqueue(self, pairs):
        for pair in pairs:
            if pair in self.pairs:
                heappush(self.queue, (-self.pairs[pair], self.ids[pair[0]], self.ids[pair[1]], pair))

    def _add(self, place, sign):  # -> the pairs of that word
        found = list(pairwise(self.splits[place]))
        for pair in found:
            self.pairs[pair] += sign * self.counts[place]
            if sign > 0:
                self.places[pair].add(place)
            else:
                self.places[pair].discard(place)
            if not self.pairs[pair]:
                del self.pairs[pair]
        return set(found)


def _merge_all(pieces, ranks):
    """Merge the pair that was learned first, wherever it is, from the left; repeat until no learned pair is left.

    A queue of the learned pairs keeps the time of a long word near its length, where looking for the first pair again would square it.
    """
    pieces, size, queue = list(pieces), len(pieces), []
    before, after = [*range(-1, size - 1)], [*range(1, size + 1)]

    def enqueue(place):
        pair = (pieces[place], pieces[after[place]]) if place >= 0 and after[place] < size else None
        if pair in ranks:
            heappush(queue, (ranks[pair], place))

    for place in range(size):
        enqueue(place)
    while queue:
        first, merged = queue[0][0], []
        while queue and queue[0][0] == first:
            place = heappop(queue)[1]
            right = after[place]
            if pieces[place] and right < size and ranks.get((pieces[place], pieces[right])) == first:  # otherwise a neighbour took one of them
                pieces[place] += pieces[right]
                pieces[right] = ""
                after[place] = after[right]
                if after[right] < size:
                    before[after[right]] = place
                merged.append(place)
        for place in merged:
            enqueue(before[place])
            enqueue(place)
    return [piece for piece in pieces if piece]


def _word_counts(words):
    if isinstance(words, str):
        raise ValueError(f"{words[:40]!r} is a text; split it first: pre_tokenize(text)")
    counts = dict(words) if isinstance(words, Mapping) else Counter(words if isinstance(words, Iterable) else [words])
    if odd := [word for word in counts if not isinstance(word, str)]:
        raise ValueError(f"{odd[0]!r} is no word; give a list of words, or the count of each")
    if odd := [word for word, count in counts.items() if not isinstance(count, Integral) or count < 0]:
        raise ValueError(f"{odd[0]!r} is there {counts[odd[0]]!r} times; give it a whole number, 0 or more")
    return counts
