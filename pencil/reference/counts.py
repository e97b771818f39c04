"""Words as rows of noughts and ones: one row a token, or one row of counts a text."""

import numpy as np

from pencil.reference.checks import check_split


def one_hot(tokens, vocabulary):  # words, (V words) -> (T, V)
    """A row for each token: 1 in the place of its word, 0 elsewhere (torch.nn.functional.one_hot).

    Raises ValueError for a token that is not in the vocabulary, and for a text that is not split into words.
    """
    places = _places(vocabulary)
    check_split(tokens)
    strange = [t for t in tokens if t not in places]
    if strange:
        raise ValueError(f"{strange[0]!r} has no place among the {len(places)} words; give it one, or map it to an unknown word first")
    return np.eye(len(places))[[places[t] for t in tokens]]


def count_vectors(texts, vocabulary):  # lists of words, (V words) -> (n, V)
    """A row for each text: how often each word of the vocabulary stands in it; other words are passed over.

    Source: a bag of words, as scikit-learn's CountVectorizer makes it. Raises ValueError for a text that is not split
    into words, and for a vocabulary with a word twice.
    """
    places, counts = _places(vocabulary), np.zeros((len(texts), len(vocabulary)))
    for row, tokens in zip(counts, texts, strict=True):
        check_split(tokens)
        np.add.at(row, [places[t] for t in tokens if t in places], 1)
    return counts


def _places(vocabulary):
    places = {word: place for place, word in enumerate(vocabulary)}
    if len(places) < len(vocabulary):
        raise ValueError(f"a word stands twice among {list(vocabulary)}; give each word one place")
    return places
