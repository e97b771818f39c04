"""Word vectors: cosine similarity and the most similar words, truncated SVD, skip-gram with negative sampling, and GloVe."""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import Array, check_number, check_tokens, numbers, shapes
from pencil.reference.functional import binary_cross_entropy, check_squares, sigmoid


@shapes("n d, m d -> n m")
def cosine_similarity(a, b, *, note=no_note):
    """Dot product over the product of the lengths: 1 for the same direction, 0 at right angles, −1 for opposite ones.

    - `a`: (n, d), and `b`: (m, d); each row of `a` is compared with each row of `b`

    Source: torch.nn.functional.cosine_similarity. Raises ValueError for rows of different widths, and as `vector_norm` does.
    """
    dot = note("dot", a @ b.T)
    product = note("length_product", vector_norm(a, note=scoped(note, "left")) * vector_norm(b, note=scoped(note, "right")).T)
    return note("cosine", dot / product)


@shapes("n d -> n 1")
def vector_norm(x, *, note=no_note):
    """The Euclidean length of each row.

    Raises ValueError for a row of zeros, which has no direction, and for one whose squares are more or less than a float holds.
    """
    if (zero := np.flatnonzero(~numbers(x).any(-1))).size:
        raise ValueError(f"row {zero[0]} is all zeros: it has no direction, and no angle with another vector; leave it out")
    check_squares(x)
    square_sum = note("square_sum", (x * x).sum(-1, keepdims=True))
    return note("length", np.sqrt(square_sum))


@shapes("d, table: n d")
def most_similar(vector, words, table, *, count=5, without=()):  # -> list of (word, cosine)
    """The words whose vectors have the greatest cosine similarity with this one, best first.

    - `vector`: (d,), what the words are compared with
    - `words`, `table`: n words, and (n, d), the vector of each
    - `count`: how many words to return
    - `without`: a list of words to leave out

    Source: Mikolov et al. 2013. Raises ValueError for a table with another number of rows than words, for a word in `without`
    that is not among the words, and for a `without` that is a str instead of a list.
    """
    check_tokens(without)
    if len(words) != len(table):
        raise ValueError(f"{len(words)} words and {len(table)} vectors; give each word one vector")
    if unknown := sorted(set(without) - set(words)):
        raise ValueError(f"{unknown[0]!r} has no vector here, so it cannot be left out; take it off the list")
    similarity = cosine_similarity(vector[None, :], table)[0]
    order = (i for i in np.argsort(-similarity, kind="stable") if words[i] not in without)
    return [(words[i], float(similarity[i])) for i, _ in zip(order, range(count), strict=False)]


_TIE = 1e-6  # relative: magnitudes that differ by less count as equal, so that float error does not choose the sign


@dataclass(frozen=True)
class SVD:
    """A truncated SVD: `vectors @ components` is the best approximation of the table of that rank."""

    vectors: Array  # (n, width), a row for each row of the table
    components: Array  # (width, m), orthonormal rows
    singular_values: Array  # (width,) in descending order: the length of each column of `vectors`


@shapes("n m")
def truncated_svd(table, *, width):  # -> SVD
    """The first `width` right singular vectors of a table, and its rows projected onto them.

    - `table`: (n, m), one row for each word
    - `width`: how many components to keep, at most the lesser of n and m

    Source: Eckart and Young 1936. Computed by np.linalg.svd. A component is determined up to its sign: the first of the largest magnitudes in
    each column of `vectors` is made positive. Not traced: an SVD is not worked out on paper. Raises ValueError for a width that
    the table does not have.
    """
    if not 1 <= width <= min(table.shape):
        raise ValueError(f"width={width}, and a table of {table.shape} has 1 to {min(table.shape)} components; choose one of these")
    left, singular_values, right = np.linalg.svd(table, full_matrices=False)
    vectors = left[:, :width] * singular_values[:width]
    sign = svd_signs(vectors)
    return SVD(vectors * sign + 0.0, right[:width] * sign[:, None] + 0.0, singular_values[:width])  # + 0.0: no minus zero


def svd_signs(columns):  # (n, width) -> (width,) of −1 and 1
    """The sign that makes the first of the largest magnitudes of each column positive."""
    size = np.abs(columns)
    first = (size >= (1 - _TIE) * size.max(0)).argmax(0)
    return np.where(columns[first, np.arange(columns.shape[1])] < 0, -1.0, 1.0)


@shapes("w d, n d, w n -> w n")
def skip_gram(word, neighbours, target, *, note=no_note):
    """The loss of each pair: sigmoid of the dot product, then binary cross-entropy (skip-gram with negative sampling).

    - `word`: (w, d), the vector of the word as a row, or of several words
    - `neighbours`: (n, d), the vectors of the neighbours, from a table of their own
    - `target`: (w, n), 1 for a real neighbour and 0 for one drawn at random

    Source: Mikolov et al. 2013, eq. 4. Raises ValueError for widths that differ and for a target that is not 0 or 1.
    """
    return _predict(word, neighbours, target, note)[1]


@shapes("w d, n d, w n, lr: () -> w d, n d")
def skip_gram_step(word, neighbours, target, *, lr, note=no_note):
    """One step of gradient descent on the summed loss; returns the new vectors of the word and of the neighbours.

    - `word`, `neighbours`, `target`: as in `skip_gram`
    - `lr`: the learning rate, a scalar

    The gradient of a loss for its score is prob − target; the rest follows from the dot product. Source: Mikolov et al. 2013.
    Raises ValueError as `skip_gram` does.
    """
    prob, _ = _predict(word, neighbours, target, note)
    error = note("error", prob - target)
    word_grad = note("word_grad", error @ neighbours)
    neighbour_grad = note("neighbour_grad", error.T @ word)  # with the vector of the word before the step
    new_word = note("new_word", word - lr * word_grad)
    return new_word, note("new_neighbours", neighbours - lr * neighbour_grad)


def _predict(word, neighbours, target, note):  # -> the probabilities, the losses
    plain = numbers(target)
    if not ((plain == 0) | (plain == 1)).all():
        raise ValueError(f"target is {plain.tolist()}; write 1 for a real neighbour and 0 for one that was drawn")
    scores = note("scores", word @ neighbours.T)
    prob = sigmoid(scores, note=note)
    return prob, binary_cross_entropy(prob, target, note=note)


X_MAX, ALPHA = 100, 0.75  # Pennington et al. 2014, section 4.2


@shapes("*pairs -> *pairs")
def glove_weight(counts, *, x_max=X_MAX, alpha=ALPHA, note=no_note):
    """The weight of a pair: (count / x_max)^alpha, and at most 1 (Pennington et al. 2014, eq. 9).

    - `counts`: how often each pair occurred, all above 0
    - `x_max`: the count from which on the weight is 1
    - `alpha`: the exponent below it

    Raises ValueError for a count of 0 or less: such a pair has no term in the loss.
    """
    if (numbers(counts) <= 0).any():
        raise ValueError(f"a count of {numbers(counts).min()} has no logarithm, and GloVe no term for it; keep the pairs that occurred")
    check_number("x_max", x_max, above=0)
    check_number("alpha", alpha)
    # a power as chapter 02 works it on paper: its worked line says e^(0.75·ln(3 / 100))
    return note("weight", np.minimum(np.exp(alpha * np.log(counts / x_max)), 1))


@shapes("n d, m d, n 1, m, n m -> n m")
def glove(words, neighbours, word_bias, neighbour_bias, counts, *, note=no_note):
    """The loss term of every pair: weight × (word · neighbour + both biases − ln count)² (Pennington et al. 2014, eq. 8).

    - `words`, `neighbours`: (n, d) and (m, d), the vectors of the words and of the neighbours
    - `word_bias`, `neighbour_bias`: (n, 1) and (m,), their biases
    - `counts`: (n, m), how often each pair occurred, all above 0

    Raises ValueError for widths that differ, for biases or counts of another shape, and for a pair that never occurred.
    """
    weight = glove_weight(counts, note=note)
    scores = note("scores", words @ neighbours.T)
    prediction = note("prediction", scores + word_bias + neighbour_bias)
    target = note("target", np.log(counts))
    error = note("error", prediction - target)
    return note("loss_term", weight * (error * error))
