"""Word vectors: everything runs under a trace, and wrong arguments are refused with a remedy."""

import numpy as np
import pytest
from draws import book_counts, check_refusal

from pencil import examples
from pencil.reference import (
    cooccurrence,
    cosine_similarity,
    glove,
    glove_weight,
    most_similar,
    ppmi,
    skip_gram,
    skip_gram_step,
    truncated_svd,
)
from pencil.trace import Trace


def test_all_of_it_runs_under_the_trace():
    trace = Trace()
    table = ppmi(trace.given("counts", book_counts()), note=trace)
    cosine_similarity(table, table, note=trace)
    np.testing.assert_array_equal(table.exact, ppmi(book_counts()))
    assert {"expected", "ratio", "ppmi", "cosine"} <= set(trace.names)
    guess = Trace()
    step = skip_gram_step(
        guess.given("w", examples.SKIP_GRAM_WORD),
        guess.given("n", examples.SKIP_GRAM_NEIGHBOURS),
        guess.given("t", examples.SKIP_GRAM_TARGET),
        lr=1,
        note=guess,
    )
    np.testing.assert_array_equal(
        step[0].exact, skip_gram_step(examples.SKIP_GRAM_WORD, examples.SKIP_GRAM_NEIGHBOURS, examples.SKIP_GRAM_TARGET, lr=1)[0]
    )
    wish, rows = Trace(), np.ones((2, 3))
    plain = rows, rows, np.ones((2, 1)), np.ones(2), 7 * np.ones((2, 2))
    traced = glove(*(wish.given(f"g{i}", g) for i, g in enumerate(plain)), note=wish)
    np.testing.assert_array_equal(traced.exact, glove(*plain))


ones = np.ones


WRONG = {
    "no window": (lambda: cooccurrence([[0, 1]], size=2, window=0), ["window=0", "at least 1"]),
    "nothing to count": (lambda: cooccurrence([], size=2, window=1), ["no texts", "at least one"]),
    "an id beyond the size": (lambda: cooccurrence([[0, 2]], size=2, window=1), ["id 2", "0 to 1"]),
    "an id below 0": (lambda: cooccurrence([[-1, 0]], size=2, window=1), ["id -1"]),
    "half an id": (
        lambda: cooccurrence([[0.5, 1]], size=2, window=1),
        ["cooccurrence: text holds 0.5, which is no whole number; an id is a label, not a quantity"],
    ),
    "one text instead of several": (lambda: cooccurrence([0, 1], size=2, window=1), ["cooccurrence: text has the shape (); it takes (T,)"]),
    "a negative count": (lambda: ppmi(np.array([[1.0, -2]])), ["-2", "0 or more"]),
    "a word that never occurs": (lambda: ppmi(np.array([[1.0, 1], [0, 0]])), ["word (row) 1", "leave it out"]),
    "a neighbour never seen": (lambda: ppmi(np.array([[1.0, 0], [1, 0]])), ["neighbour (column) 1", "leave it out"]),
    "counts in one row": (lambda: ppmi(ones(3)), ["ppmi: counts has the shape (3,); it takes (words, neighbours)"]),
    "wider than the table": (lambda: truncated_svd(ones((3, 2)), width=3), ["width=3", "1 to 2"]),
    "no width": (lambda: truncated_svd(ones((3, 2)), width=0), ["width=0"]),
    "a NaN in the table": (lambda: truncated_svd(np.array([[1.0, np.nan]]), width=1), ["NaN"]),
    "two widths": (lambda: cosine_similarity(ones((1, 2)), ones((1, 3))), ["cosine_similarity: d is 2 in a (1, 2) and 3 in b (1, 3)"]),
    "a vector of zeros": (lambda: cosine_similarity(ones((1, 2)), np.array([[1.0, 1], [0, 0]])), ["row 1", "no direction"]),
    "too few vectors": (lambda: most_similar(ones(2), ("a", "b"), ones((1, 2))), ["2 words and 1 vectors"]),
    "an unknown word left out": (lambda: most_similar(ones(2), ("a",), ones((1, 2)), without=("b",)), ["'b'", "no vector"]),
    "a word instead of words left out": (lambda: most_similar(ones(2), ("a",), ones((1, 2)), without="a"), ["'a' is a text"]),
    "a neighbour of another width": (
        lambda: skip_gram(ones((1, 2)), ones((3, 4)), ones((1, 3))),
        ["skip_gram: d is 2 in word (1, 2) and 4 in neighbours (3, 4)"],
    ),
    "a target too many": (
        lambda: skip_gram(ones((1, 2)), ones((3, 2)), ones((1, 4))),
        ["skip_gram: n is 3 in neighbours (3, 2) and 4 in target (1, 4)"],
    ),
    "half a target": (lambda: skip_gram_step(ones((1, 2)), ones((1, 2)), np.array([[0.5]]), lr=1), ["0.5", "write 1"]),
    "a pair that never occurred": (lambda: glove_weight(np.array([3.0, 0])), ["count of 0", "no logarithm"]),
    "a bias too few": (
        lambda: glove(ones((2, 2)), ones((3, 2)), ones((1, 1)), ones(3), ones((2, 3))),
        ["glove: n is 2 in words (2, 2) and 1 in word_bias (1, 1)"],
    ),
    "a bias in a column": (
        lambda: glove(ones((2, 2)), ones((3, 2)), ones((2, 1)), ones((3, 1)), ones((2, 3))),
        ["glove: neighbour_bias has the shape (3, 1); it takes (m,)"],
    ),
    "counts the other way": (
        lambda: glove(ones((2, 2)), ones((3, 2)), ones((2, 1)), ones(3), ones((3, 2))),
        ["glove: n is 2 in words (2, 2) and 3 in counts (3, 2)"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake, parts", WRONG.values(), ids=WRONG)
def test_what_cannot_be_is_refused_with_the_remedy(mistake, parts):
    check_refusal(mistake, parts)
