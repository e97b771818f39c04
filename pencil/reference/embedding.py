"""Words to ids, ids to sticks. An id is a name-tag, never a weight."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pencil.reference.checks import check_numbers, check_rows, check_split, numbers
from pencil.trace.notes import exact

PADDING = 0  # marks an empty slot; never a word


@dataclass(frozen=True)
class Dictionary:
    """Words ranked by count (the commonest is 1), of which the first `size` keep an id of their own.

    Padding is id 0 and every rarer word shares `unknown`, an id after the last kept rank: an empty
    slot and a rare word must never look the same. The table so needs `rows` = size + 2 sticks.
    (The num_words of Keras' Tokenizer counts padding in: it keeps one word fewer, and drops the rest unless an oov_token is given.)
    """

    ranks: Mapping[str, int]
    size: int

    unknown = property(lambda self: self.size + 1)
    rows = property(lambda self: self.size + 2)

    def __post_init__(self):
        if self.size < 1:
            raise ValueError(f"size={self.size} keeps no word; give it at least 1")
        low = {w: r for w, r in self.ranks.items() if r < 1}
        if low:
            raise ValueError(f"ranks start at 1, but {low}; 0 is padding")
        if len(set(self.ranks.values())) < len(self.ranks):
            raise ValueError(f"two words share a rank in {dict(self.ranks)}; give each word a rank of its own")

    def ids(self, tokens):  # words -> (T,) ids
        """The id of each token. Raises ValueError for a text that is not split into words, and for no words at all."""
        check_split(tokens)
        if not len(tokens):
            raise ValueError("no tokens: an empty review has nothing to look up; give it at least one word")
        ranks = (self.ranks.get(t, self.unknown) for t in tokens)
        return np.array([min(r, self.unknown) for r in ranks])


def dictionary(texts, size):  # lists of tokens -> Dictionary
    """Count every token and rank it; of words that are equally common the first one seen comes first.

    Source: the frequency ranking of Keras' IMDB set. Raises ValueError for a text that is not split into words.
    """
    for tokens in texts:
        check_split(tokens)
    counts = Counter(t for tokens in texts for t in tokens)
    return Dictionary({w: rank for rank, (w, _) in enumerate(counts.most_common(), start=1)}, size)


def pad_or_chop(ids, max_len, pad="end", chop="end"):  # (T,) -> (max_len,)
    """Fill a short review up with padding, or keep `max_len` ids of a long one: at its "end", or at its "front".

    As Keras' pad_sequences, which does both at the front ("pre") unless it is told "post". Raises ValueError for a
    `max_len` below 1, for another word than "end" and "front", and for ids that are not one row of whole numbers.
    """
    if max_len < 1:
        raise ValueError(f"max_len={max_len} leaves no slot; give it at least 1")
    for name, side in (("pad", pad), ("chop", chop)):
        if side not in ("end", "front"):
            raise ValueError(f'{name}={side!r} is neither side of a review; say "end" (Keras: "post") or "front" (Keras: "pre")')
    check_ids(ids)
    if np.ndim(ids) != 1:
        raise ValueError(f"ids of the shape {np.shape(ids)} are not one review; hand in one row of ids at a time")
    kept = np.asarray(ids)[:max_len] if chop == "end" else np.asarray(ids)[-max_len:]
    empty = np.full(max_len - len(kept), PADDING)
    return np.concatenate([kept.astype(int), empty] if pad == "end" else [empty, kept.astype(int)])


def check_ids(ids):
    """Refuse ids that are no whole numbers, and a mask in their place."""
    plain = numbers(ids)
    if np.asarray(getattr(ids, "exact", ids)).dtype.kind == "b":
        raise ValueError("ids are whole numbers, and this is a mask of True and False; hand in the ids")
    odd = plain[plain != np.floor(plain)].tolist()
    if odd:
        raise ValueError(f"id {odd[0]} is no whole number; an id is a name-tag, not a weight")


def embed(ids, table, note=exact):  # (T,) (rows, d) -> (T, d)
    """Swap each id for its stick (torch.nn.Embedding).

    Raises ValueError for an id outside the table, which would fetch another word's stick.
    """
    check_numbers(ids=ids if hasattr(ids, "shape") else np.array(ids), table=table)
    check_rows(table=table)
    check_ids(ids)
    low, high, rows = int(numbers(ids).min()), int(numbers(ids).max()), len(table)
    if low < 0 or high >= rows:
        raise ValueError(f"id {low if low < 0 else high} is outside the table's {rows} rows (0 to {rows - 1}); map rare words to unknown first")
    whole = ids if hasattr(ids, "exact") else np.asarray(ids).astype(int)  # 2.0 is an id, and no index
    return note("stick", table[whole])
