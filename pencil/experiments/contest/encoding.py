"""Encode reviews as rows of token ids, and hold out a validation set."""

from dataclasses import dataclass

import numpy as np

from pencil.experiments.training.device import refuse_beyond_memory
from pencil.reference.text import build_vocabulary, pad_or_truncate, tokenize

NUMBER_BYTES = 12  # of an id: eight while its row is looked up, four as it is kept


@dataclass(frozen=True)
class EncodingConfig:
    """How a review becomes a row of ids: vocabulary size, length of a row, and which end of a long review is kept."""

    vocab_size: int = 10_000
    max_len: int = 100
    keep: str = "first"  # or "last"

    def __post_init__(self):
        if self.keep not in ("first", "last"):
            raise ValueError(f"keep={self.keep!r}; say first or last")


@dataclass(frozen=True)
class Encoded:
    """Encoded reviews and their labels. Rows are padded at the end with id 0."""

    ids: np.ndarray  # (reviews, max_len)
    labels: np.ndarray  # (reviews,) 0 or 1

    lengths = property(lambda self: (self.ids != 0).sum(1))

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):  # -> Encoded
        return Encoded(self.ids[index], self.labels[index])


def encode_texts(texts, labels, vocabulary, config):  # lists of tokens, (n,), Vocabulary, EncodingConfig -> Encoded
    """Look up each token's id, pad or truncate to `max_len`. Raises ValueError for rows that the memory does not hold."""
    refuse_beyond_memory(len(texts) * config.max_len * NUMBER_BYTES, {"reviews": len(texts), "max_len": config.max_len})
    cut = "end" if config.keep == "first" else "front"
    rows = [pad_or_truncate(vocabulary.ids(text), max_len=config.max_len, truncating=cut) for text in texts]
    return Encoded(np.array(rows, dtype=np.int32), np.asarray(labels, dtype=np.int8))


def encode(reviews, config=EncodingConfig()):  # Reviews -> Vocabulary, Encoded training set, Encoded test set
    """Tokenize and encode a data set. The vocabulary is built from the training set alone."""
    splits = (reviews.train, reviews.test)
    texts = [[tokenize(text) for text in split.texts] for split in splits]
    vocabulary = build_vocabulary(texts[0], size=config.vocab_size)
    train, test = (encode_texts(tokens, split.labels, vocabulary, config) for tokens, split in zip(texts, splits, strict=True))
    return vocabulary, train, test


def hold_out(encoded, share=0.2, seed=0):  # Encoded -> Encoded training set, Encoded validation set
    """Split a random validation set, of this share, off a training set."""
    order = np.random.default_rng(seed).permutation(len(encoded))
    count = int(share * len(encoded) + 0.5)
    return encoded[np.sort(order[count:])], encoded[np.sort(order[:count])]
