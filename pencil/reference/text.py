"""From a text to the rows that a model reads: tokenization, a vocabulary, padding, and the embedding."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pencil.note import no_note
from pencil.reference.contracts import check_size, check_tokens, numbers, shapes

PUNCTUATION = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'  # what Keras' Tokenizer filters out; the apostrophe is not among them
_TO_BLANKS = str.maketrans(dict.fromkeys(PUNCTUATION, " "))
_WORD_OR_PUNCTUATION = re.compile(r"\w+|[^\w\s]")


def tokenize(text):  # str -> list of str
    """The words of a text: lower case, punctuation replaced by blanks, split at blanks (the rule of Keras' Tokenizer).

    An apostrophe stays: "Don't!" is ["don't"]. Raises ValueError for what is not a str.
    """
    _check_text(text)
    return [piece for piece in text.lower().translate(_TO_BLANKS).split(" ") if piece]


def words_and_punctuation(text):  # str -> list of str
    """The words and the punctuation marks of a text, each a token, in their own case: "It ends." is ["It", "ends", "."].

    A run of letters, digits and underscores is a word; every other character that is not a blank is a token of its own.
    Source: the pattern of NLTK's wordpunct_tokenize, which keeps a run of marks together. Raises ValueError for what is not a str.
    """
    _check_text(text)
    return _WORD_OR_PUNCTUATION.findall(text)


def _check_text(text):
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is a {type(text).__name__}, not a text; hand in one text at a time, as a str")


PADDING = 0  # the id of an empty position


@dataclass(frozen=True)
class Vocabulary:
    """Words ranked by count (the commonest is 1), of which the first `size` keep an id of their own: their rank.

    Padding has id 0, and all rarer words share the id `unknown` = size + 1, so that padding and a rare word differ. An embedding
    therefore has `num_embeddings` = size + 2 rows.
    (The num_words of Keras' Tokenizer counts padding in: it keeps one word fewer, and drops the rest unless an oov_token is given.)
    """

    ranks: Mapping[str, int]
    size: int

    unknown = property(lambda self: self.size + 1)
    num_embeddings = property(lambda self: self.size + 2)

    def __post_init__(self):
        if self.size < 1:
            raise ValueError(f"size={self.size} keeps no word; give it at least 1")
        check_size("size", self.size)
        low = {w: r for w, r in self.ranks.items() if r < 1}
        if low:
            raise ValueError(f"ranks start at 1, but {low}; 0 is padding")
        if len(set(self.ranks.values())) < len(self.ranks):
            raise ValueError(f"two words share a rank in {dict(self.ranks)}; give each word a rank of its own")

    def ids(self, tokens):  # words -> (T,) ids
        """The id of each token. Raises ValueError for a str instead of a list of tokens, and for an empty list."""
        check_tokens(tokens)
        if not len(tokens):
            raise ValueError("no tokens: an empty text has nothing to look up; give it at least one word")
        ranks = (self.ranks.get(t, self.unknown) for t in tokens)
        return np.array([min(r, self.unknown) for r in ranks])


def build_vocabulary(texts, *, size):  # lists of tokens -> Vocabulary
    """Rank the tokens by count; of words that are equally common the one seen first comes first.

    - `texts`: a list of texts, each a list of tokens
    - `size`: how many words keep an id of their own

    Source: the frequency ranking of Keras' IMDB set. Raises ValueError for a text that is a str.
    """
    for tokens in texts:
        check_tokens(tokens)
    counts = Counter(t for tokens in texts for t in tokens)
    return Vocabulary({w: rank for rank, (w, _) in enumerate(counts.most_common(), start=1)}, size)


@shapes("ints T -> max_len")
def pad_or_truncate(ids, *, max_len, padding="end", truncating="end"):
    """Extend a short row of ids with padding, or keep `max_len` ids of a long one.

    - `ids`: (T,), one text
    - `max_len`: the length of the result
    - `padding`, `truncating`: the side at which padding is added, and at which ids are cut off: "end" or "front"

    As Keras' pad_sequences, which does both at the front ("pre") unless it is told "post". Raises ValueError for a
    `max_len` below 1, for another side than "end" and "front", and for ids that are not one row of whole numbers.
    """
    if max_len < 1:
        raise ValueError(f"max_len={max_len} leaves no room; give it at least 1")
    check_size("max_len", max_len)
    for name, side in (("padding", padding), ("truncating", truncating)):
        if side not in ("end", "front"):
            raise ValueError(f'{name}={side!r} is neither side of a text; say "end" (Keras: "post") or "front" (Keras: "pre")')
    kept = np.asarray(ids)[:max_len] if truncating == "end" else np.asarray(ids)[-max_len:]
    empty = np.full(max_len - len(kept), PADDING)
    return np.concatenate([kept.astype(int), empty] if padding == "end" else [empty, kept.astype(int)])


@shapes("int ..., rows d -> ... d")
def embed(ids, embedding, *, note=no_note):
    """The row of each id (torch.nn.Embedding).

    - `ids`: (...), whole numbers from 0 to `rows` − 1, one text or a batch; may be a plain list
    - `embedding`: (rows, d), one row for each id

    Raises ValueError for an id that has no row; NumPy would take a negative one from the end.
    """
    low, high, rows = int(numbers(ids).min()), int(numbers(ids).max()), len(embedding)
    if low < 0 or high >= rows:
        raise ValueError(f"id {low if low < 0 else high} is outside the embedding's {rows} rows (0 to {rows - 1}); map rare words to unknown first")
    index = ids if hasattr(ids, "exact") else np.asarray(ids).astype(int)  # the id 2.0 is valid, but NumPy takes no float as an index
    return note("embedding", embedding[index])
