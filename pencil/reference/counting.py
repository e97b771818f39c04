"""Count-based representations: one-hot rows, bags of words, tf-idf, co-occurrence counts and PPMI."""

import numpy as np

from pencil.note import no_note
from pencil.reference.contracts import check_tokens, numbers, shapes


@shapes("-> T V")
def one_hot(tokens, vocabulary):
    """A row for each token: 1 in the column of its word, 0 elsewhere (torch.nn.functional.one_hot).

    - `tokens`: a list of T words
    - `vocabulary`: the V words in their order, each once

    Raises ValueError for a token that is not in the vocabulary, and for a str instead of a list of tokens.
    """
    index = _word_index(vocabulary)
    check_tokens(tokens)
    unknown = [token for token in tokens if token not in index]
    if unknown:
        raise ValueError(f"{unknown[0]!r} has no place among the {len(index)} words; give it one, or map it to an unknown word first")
    return np.eye(len(index))[[index[token] for token in tokens]]


@shapes("-> n V")
def bag_of_words(texts, vocabulary):
    """A row for each text: how often each word of the vocabulary occurs in it; other words are ignored.

    - `texts`: a list of n texts, each a list of words
    - `vocabulary`: the V words in their order, each once

    Source: scikit-learn's CountVectorizer. Raises ValueError for a text that is a str, and for a vocabulary with a word twice.
    """
    index, counts = _word_index(vocabulary), np.zeros((len(texts), len(vocabulary)))
    for row, tokens in zip(counts, texts, strict=True):
        check_tokens(tokens)
        np.add.at(row, [index[token] for token in tokens if token in index], 1)
    return counts


def _word_index(vocabulary):  # -> {word: column}
    index = {word: column for column, word in enumerate(vocabulary)}
    if len(index) < len(vocabulary):
        raise ValueError(f"a word stands twice among {list(vocabulary)}; give each word one place")
    return index


@shapes("n V -> n V")
def tf_idf(counts, *, note=no_note):
    """Counts times inverse document frequency, each row then scaled to length 1.

    - `counts`: (n, V), how often each word occurs in each text

    A word that occurs in f of n texts has the weight ln((1 + n) / (1 + f)) + 1. Source: Sparck Jones 1972; scikit-learn's
    TfidfTransformer. Raises ValueError for a negative count, and for a text without a word of the vocabulary.
    """
    _check_counts(numbers(counts))
    doc_freq = note("doc_freq", np.where(counts > 0, 1.0, 0.0).sum(0))
    weighted = note("weighted", counts * note("idf", idf(doc_freq, len(counts))))
    length = note("length", np.sqrt(note("square_sum", (weighted * weighted).sum(-1, keepdims=True))))
    return note("tf_idf", weighted / length)


def idf(doc_freq, n_texts):  # (V,) int -> (V,)
    """The inverse document frequency of words that occur in `doc_freq` of the texts, smoothed."""
    return np.log((1 + n_texts) / (1 + doc_freq)) + 1  # smoothed as if one more text held every word


def _check_counts(counts):
    if (counts < 0).any():
        raise ValueError(f"a count is {float(counts.min())}; counts are 0 or more")
    empty = np.flatnonzero(~counts.any(-1)).tolist()
    if empty:
        raise ValueError(f"text {empty[0]} has no word of the vocabulary: its length is 0, and nothing can be divided by it; leave it out")


_GAP = -1  # written between two texts, so that no pair crosses the boundary


@shapes("-> size size")
def cooccurrence(texts, *, size, window, dtype=float):
    """How often each two words are at most `window` tokens apart within a text; symmetric.

    - `texts`: a list of rows of ids, one for each text
    - `size`: the rows of the vocabulary; every id is below it
    - `window`: the greatest distance of a pair
    - `dtype`: the type of the counts

    Every pair counts 1, near or far (GloVe counts a pair at distance k as 1/k). Source: the counts of Pennington et al. 2014,
    without their distance weights. Raises ValueError for a window below 1, for no texts, for a text that is not a row of whole
    numbers, and for an id outside 0 to size − 1.
    """
    if not (window >= 1 and window == int(window)):
        raise ValueError(f"window={window} sees no neighbour; give it a whole number, at least 1")
    flat = _concatenate(texts, size, window)
    counts = np.zeros((size, size), dtype)
    for distance in range(1, window + 1):
        left, right = flat[:-distance], flat[distance:]
        both = (left != _GAP) & (right != _GAP)
        cells, times = np.unique(left[both] * size + right[both], return_counts=True)
        counts.reshape(-1)[cells] += times
    counts += counts.T.copy()
    return counts


def _concatenate(texts, size, window):  # all texts in one row, with a gap after each
    gap, rows = np.full(window, _GAP), []
    for text in texts:
        ids = _row(text)
        outside = ids[(ids < 0) | (ids >= size)]
        if outside.size:
            raise ValueError(f"id {outside[0]} is outside 0 to {size - 1}; give `size` the rows of the vocabulary")
        rows += [ids, gap]
    if not rows:
        raise ValueError("no texts: there is nothing to count; give at least one row of ids")
    return np.concatenate(rows)


@shapes("ints T -> T", name="cooccurrence")
def _row(text):
    return np.asarray(text).astype(int)


@shapes("words neighbours -> words neighbours")
def ppmi(counts, *, note=no_note):
    """Positive pointwise mutual information, in nats: ln(observed / expected count), and 0 where a pair is rarer than expected.

    - `counts`: (words, neighbours), how often each pair occurred

    Source: Church and Hanks 1990; Bullinaria and Levy 2007. Raises ValueError for a negative count, and for a word or a
    neighbour that never occurred.
    """
    plain = numbers(counts)
    if (plain < 0).any():
        raise ValueError(f"a count of {plain.min()} cannot be; a count is 0 or more")
    for axis, what in ((1, "word (row)"), (0, "neighbour (column)")):
        if (unseen := np.flatnonzero(plain.sum(axis) == 0)).size:
            raise ValueError(f"{what} {unseen[0]} was never seen: its ratio would be 0/0; leave it out of the counts")
    word_total = note("word_total", counts.sum(1, keepdims=True))
    neighbour_total = note("neighbour_total", counts.sum(0))
    total = note("total", word_total.sum())
    expected = note("expected", word_total * neighbour_total / total)
    ratio = note("ratio", counts / expected)
    return note("ppmi", np.log(np.maximum(ratio, 1)))  # ln 1 = 0
