"""Co-occurrence counts, PPMI, truncated SVD, cosine similarity, skip-gram and GloVe against loops and finite differences."""

import math

import numpy as np
import pytest
from draws import arrays, check_refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from pencil import examples
from pencil.reference import (
    build_vocabulary,
    cooccurrence,
    cosine_similarity,
    glove,
    glove_weight,
    most_similar,
    ppmi,
    skip_gram,
    skip_gram_step,
    tokenize,
    truncated_svd,
)
from pencil.reference.vectors import svd_signs
from pencil.trace import Trace

quick = settings(max_examples=50, deadline=None, derandomize=True)
SIZE = 5
texts = st.lists(st.lists(st.integers(0, SIZE - 1), max_size=9), min_size=1, max_size=4)
full_counts = st.integers(0, 10_000).map(lambda seed: np.random.default_rng(seed).integers(1, 9, (4, 3)).astype(float))


def book_counts():
    """The counts of the chapter, by a dictionary and loops of their own."""
    counts = {(word, other): 0 for word in examples.CONTEXT_WORDS for other in examples.CONTEXT_NEIGHBOURS}
    for sentence in examples.CONTEXT_TEXT:
        words = sentence.rstrip(".").lower().split()
        for i, word in enumerate(words):
            for j, other in enumerate(words):
                if 0 < abs(i - j) <= examples.CONTEXT_WINDOW and (word, other) in counts:
                    counts[word, other] += 1
    return np.array([[counts[word, other] for other in examples.CONTEXT_NEIGHBOURS] for word in examples.CONTEXT_WORDS], float)


# ---- counting


@quick
@given(texts, st.integers(1, 4))
def test_counts_are_those_of_a_walk_over_all_pairs(rows, window):
    counts = np.zeros((SIZE, SIZE))
    for row in rows:
        for i, a in enumerate(row):
            for j, b in enumerate(row):
                counts[a, b] += 0 < abs(i - j) <= window
    found = cooccurrence(rows, size=SIZE, window=window)
    np.testing.assert_array_equal(found, counts)
    np.testing.assert_array_equal(found, found.T)


def test_no_pair_reaches_from_one_text_into_the_next():
    assert cooccurrence([[0], [1]], size=2, window=3).sum() == 0
    assert cooccurrence([[0, 1]], size=2, window=3).tolist() == [[0, 1], [1, 0]]


def test_a_word_beside_itself_is_counted_from_both_sides():
    assert cooccurrence([[1, 1]], size=2, window=1)[1, 1] == 2


def test_the_counts_of_the_chapter():
    read = [tokenize(sentence) for sentence in examples.CONTEXT_TEXT]
    words = build_vocabulary(read, size=30)
    everybody = cooccurrence([words.ids(t) for t in read], size=words.num_embeddings, window=examples.CONTEXT_WINDOW)
    places = [[words.ranks[w] for w in listed] for listed in (examples.CONTEXT_WORDS, examples.CONTEXT_NEIGHBOURS)]
    np.testing.assert_array_equal(everybody[np.ix_(*places)], book_counts())
    assert book_counts().tolist() == [[2, 1, 0], [1, 2, 0], [0, 0, 3], [0, 0, 3]]


# ---- PPMI


@quick
@given(st.integers(0, 10_000).map(lambda seed: np.random.default_rng(seed).integers(0, 4, (4, 5)) + np.eye(4, 5)))
def test_ppmi_is_the_logarithm_of_joint_over_product_of_shares(counts):
    counts[:, -1] += 1  # nobody is silent
    total = math.fsum(counts.ravel())
    for i, row in enumerate(ppmi(counts)):
        for j, found in enumerate(row):
            joint, word, neighbour = counts[i, j] / total, math.fsum(counts[i]) / total, math.fsum(counts[:, j]) / total
            wanted = max(math.log2(joint / (word * neighbour)) * math.log(2), 0) if joint else 0  # by way of bits
            assert found == pytest.approx(wanted, abs=1e-12)


@quick
@given(full_counts, st.integers(2, 50))
def test_ppmi_does_not_care_how_long_the_text_is(counts, times):
    np.testing.assert_allclose(ppmi(counts * times), ppmi(counts), atol=1e-12)
    np.testing.assert_allclose(ppmi(counts.T), ppmi(counts).T, atol=1e-12)


def test_ppmi_of_independent_words_is_zero_and_notes_its_steps():
    counts, seen = np.outer([1.0, 2, 3], [4.0, 5]), {}
    np.testing.assert_allclose(ppmi(counts, note=lambda name, value: seen.setdefault(name, value)), 0, atol=1e-15)
    np.testing.assert_allclose(seen["expected"], counts)
    np.testing.assert_allclose(seen["ratio"], 1)
    assert seen["word_total"].ravel().tolist() == [9, 18, 27] and seen["neighbour_total"].tolist() == [24, 30] and seen["total"] == 54


# ---- truncated SVD


@quick
@given(arrays(6, 4), st.integers(1, 4))
def test_a_truncated_svd_is_the_best_approximation_of_its_rank(table, width):
    found = truncated_svd(table, width=width)
    assert found.vectors.shape == (6, width) and found.components.shape == (width, 4)
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(width), atol=1e-12)
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.diag(found.singular_values**2), atol=1e-12)
    np.testing.assert_allclose(found.vectors, table @ found.components.T, atol=1e-12)
    values = np.sqrt(np.maximum(np.linalg.eigvalsh(table.T @ table)[::-1], 0))  # singular values by another way
    np.testing.assert_allclose(found.singular_values, values[:width], atol=1e-7)
    lost = np.linalg.norm(table - found.vectors @ found.components) ** 2
    assert lost == pytest.approx((values[width:] ** 2).sum(), abs=1e-10)  # Eckart and Young


@quick
@given(arrays(5, 4))
def test_at_full_width_nothing_is_lost(table):
    found = truncated_svd(table, width=4)
    np.testing.assert_allclose(found.vectors @ found.components, table, atol=1e-12)
    np.testing.assert_allclose(cosine_similarity(found.vectors, found.vectors), cosine_similarity(table, table), atol=1e-10)


@quick
@given(arrays(5, 4), st.integers(0, 15))
def test_the_sign_is_fixed_whatever_the_library_answers(table, flips):
    """Turned columns are another right answer of an SVD; ours has to come out all the same."""
    sign = np.array([1 - 2 * (flips >> k & 1) for k in range(4)])
    found = truncated_svd(table, width=4)
    with pytest.MonkeyPatch.context() as patch:
        left, singular_values, right = np.linalg.svd(table, full_matrices=False)
        patch.setattr(np.linalg, "svd", lambda *_, **__: (left * sign, singular_values, right * sign[:, None]))
        again = truncated_svd(table, width=4)
    np.testing.assert_array_equal(found.vectors, again.vectors)
    np.testing.assert_array_equal(found.components, again.components)
    longest = np.abs(found.vectors).argmax(0)
    assert (found.vectors[longest, range(4)] >= 0).all()


def test_of_two_equally_long_numbers_the_first_is_positive():
    found = truncated_svd(ppmi(book_counts()), width=3)
    np.testing.assert_allclose(found.vectors[:, 2], [0.490129, -0.490129, 0, 0], atol=1e-6)
    assert not np.signbit(found.vectors[np.abs(found.vectors) < 1e-9]).any()  # and no minus zero
    assert svd_signs(np.array([[-1, 2], [1 + 1e-9, -2 - 1e-9]])).tolist() == [-1, 1]  # noise makes none of the two the longer


def test_the_components_of_the_chapter_are_those_of_the_svd():
    table = ppmi(book_counts())
    found = truncated_svd(table, width=3)
    ways = examples.SVD_DIRECTIONS / np.linalg.norm(examples.SVD_DIRECTIONS, axis=1, keepdims=True)
    np.testing.assert_allclose(found.components, ways, atol=1e-12)
    high, low = math.log(8 / 3), math.log(4 / 3)  # film and plot, with the expected count at 3/4
    np.testing.assert_allclose(found.singular_values, [high + low, math.sqrt(2) * math.log(2), high - low], atol=1e-12)
    assert np.diff(-found.singular_values).min() > 0.2  # well apart, so every machine finds the same order


# ---- cosine similarity


@quick
@given(arrays(3, 4), arrays(2, 4))
def test_cosine_is_that_of_a_loop(a, b):
    for i, row in enumerate(cosine_similarity(a, b)):
        for j, found in enumerate(row):
            dot = math.fsum(x * y for x, y in zip(a[i], b[j], strict=True))
            assert found == pytest.approx(dot / (math.hypot(*a[i]) * math.hypot(*b[j])), abs=1e-12)


@quick
@given(arrays(3, 4), st.floats(0.1, 10))
def test_cosine_lies_within_one_and_forgets_the_length(a, factor):
    assert (np.abs(cosine_similarity(a, a)) <= 1 + 1e-12).all()
    np.testing.assert_allclose(np.diag(cosine_similarity(a, a)), 1)
    np.testing.assert_allclose(cosine_similarity(a, a * factor), cosine_similarity(a, a), atol=1e-12)
    np.testing.assert_allclose(cosine_similarity(a, -a), -cosine_similarity(a, a), atol=1e-12)


def test_rotating_all_vectors_changes_no_cosine():
    random = np.random.default_rng(0)
    vectors, turn = random.normal(size=(6, 4)), np.linalg.qr(random.normal(size=(4, 4)))[0]
    np.testing.assert_allclose(cosine_similarity(vectors @ turn, vectors @ turn), cosine_similarity(vectors, vectors), atol=1e-12)
    assert np.abs(vectors @ turn - vectors).min() > 1e-4


def test_nearest_ranks_by_cosine_and_leaves_out_what_it_is_told():
    words, table = ("a", "b", "c", "d"), np.array([[1.0, 0], [2, 1], [0, 3], [-1, 0]])
    assert [word for word, _ in most_similar(table[0], words, table)] == ["a", "b", "c", "d"]
    assert most_similar(table[0], words, table, count=1, without=("a",)) == [("b", pytest.approx(2 / math.sqrt(5)))]
    assert most_similar(table[2], words, table, count=9, without=words) == []


# ---- skip-gram and GloVe


def gradients(function, *givens):
    """The gradient of the sum of a function for each argument, by central differences."""
    found = []
    for at, array in enumerate(givens):
        gradient = np.zeros(array.shape)
        for place in np.ndindex(array.shape):
            ends = []
            for step in (1e-5, -1e-5):
                moved = [g.copy() for g in givens]
                moved[at][place] += step
                ends.append(function(*moved).sum())
            gradient[place] = (ends[0] - ends[1]) / 2e-5
        found.append(gradient)
    return found


@quick
@given(arrays(1, 3), arrays(4, 3), st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_a_step_of_skip_gram_goes_down_the_gradient_of_its_loss(word, neighbours, told):
    target = np.array([told], float)
    wanted = gradients(lambda w, n: skip_gram(w, n, target), word, neighbours)
    new_word, new_neighbours = skip_gram_step(word, neighbours, target, lr=0.5)
    np.testing.assert_allclose(new_word, word - 0.5 * wanted[0], atol=1e-8)
    np.testing.assert_allclose(new_neighbours, neighbours - 0.5 * wanted[1], atol=1e-8)
    for i, (said, row) in enumerate(zip(skip_gram(word, neighbours, target)[0], neighbours, strict=True)):
        prob = 1 / (1 + math.exp(-math.fsum(a * b for a, b in zip(word[0], row, strict=True))))
        assert said == pytest.approx(-math.log(prob if told[i] else 1 - prob), abs=1e-12)


@quick
@given(arrays(1, 3), arrays(4, 3), st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_a_small_step_lowers_the_loss(word, neighbours, told):
    target = np.array([told], float)
    before = skip_gram(word, neighbours, target).sum()
    assert skip_gram(*skip_gram_step(word, neighbours, target, lr=0.01), target).sum() < before


def test_the_skip_gram_step_of_the_chapter():
    word, neighbours = skip_gram_step(examples.SKIP_GRAM_WORD, examples.SKIP_GRAM_NEIGHBOURS, examples.SKIP_GRAM_TARGET, lr=1)
    prob = 1 / (1 + math.exp(-1))
    np.testing.assert_allclose(word, [[1 - prob, 1]])
    np.testing.assert_allclose(neighbours, [[0.5, 1], [1 - prob, 0], [-0.5, -1]])


@quick
@given(arrays(4, 2), arrays(3, 2), arrays(4, 1), arrays(3), full_counts)
def test_glove_is_its_formula(words, neighbours, first, second, counts):
    counts = counts * 20  # some above the full count of 100, some below
    terms = glove(words, neighbours, first, second, counts)
    for i, j in np.ndindex(4, 3):
        dot = math.fsum(a * b for a, b in zip(words[i], neighbours[j], strict=True))
        wanted = min((counts[i, j] / 100) ** 0.75, 1) * (dot + first[i, 0] + second[j] - math.log(counts[i, j])) ** 2
        assert terms[i, j] == pytest.approx(wanted, rel=1e-12)


def test_a_weight_grows_to_one_and_stays():
    weights = glove_weight(np.array([1.0, 16, 100, 101, 10_000]))
    np.testing.assert_allclose(weights, [100**-0.75, 0.4 * math.sqrt(0.4), 1, 1, 1])
    assert weights.max() == 1


# ---- traced, and refused


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
