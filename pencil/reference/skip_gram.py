"""Learn sticks by guessing: is this a real neighbour, or one that we drew at random? (skip-gram with negative sampling)"""

from pencil.reference.checks import check_fit, check_numbers, check_rows, numbers
from pencil.reference.head import binary_cross_entropy, sigmoid
from pencil.trace.notes import exact


def skip_gram(word, neighbours, truth, note=exact):  # (1, d) (n, d) (1, n) -> (1, n)
    """The miss of each guess: dot the word's stick with each neighbour's, crush it to a chance, compare with the truth.

    `truth` is 1 for a neighbour that stood there and 0 for one drawn at random (Mikolov et al. 2013, eq. 4). Word and
    neighbour have a table each. Raises ValueError for widths that differ and for a truth that is not 0 or 1.
    """
    return _guess(word, neighbours, truth, note)[1]


def skip_gram_step(word, neighbours, truth, rate, note=exact):  # (1, d) (n, d) (1, n) () -> (1, d) (n, d)
    """One turn of the dials: the word's stick and the neighbours', each a small step down its slope of the summed miss.

    The slope of a miss for its score is answer − truth; all else follows from the dot product. Returns both, after the
    step. Source: Mikolov et al. 2013. Raises ValueError as `skip_gram` does.
    """
    answer, _ = _guess(word, neighbours, truth, note)
    error = note("error", answer - truth)
    word_slope = note("word_slope", error @ neighbours)
    neighbour_slope = note("neighbour_slope", error.T @ word)  # with the stick as it was, not as it will be
    new_word = note("new_word", word - rate * word_slope)
    return new_word, note("new_neighbours", neighbours - rate * neighbour_slope)


def _guess(word, neighbours, truth, note):  # -> the chances, the misses
    _check(word, neighbours, truth)
    scores = note("scores", word @ neighbours.T)
    answer = sigmoid(scores, note)
    return answer, binary_cross_entropy(truth, answer, note)


def _check(word, neighbours, truth):
    check_numbers(word=word, neighbours=neighbours, truth=truth)
    check_rows(word=word, neighbours=neighbours, truth=truth)
    check_fit("the word's stick", word.shape[-1], "the neighbours' table", neighbours)
    t = numbers(truth)
    if t.shape != (word.shape[0], neighbours.shape[0]):
        raise ValueError(f"truth has the shape {t.shape} for {word.shape[0]} word(s) and {neighbours.shape[0]} neighbours; one for each pair")
    if not ((t == 0) | (t == 1)).all():
        raise ValueError(f"truth is {t.tolist()}; write 1 for a neighbour that stood there and 0 for one that was drawn")
