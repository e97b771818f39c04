"""Co-occurrence counts, PPMI, truncated SVD, cosine similarity, skip-gram and GloVe against loops and finite differences."""

import math

import numpy as np
import pytest
from draws import arrays, book_counts, full_counts
from hypothesis import given
from hypothesis import strategies as st

from pencil import examples
from pencil.reference import (
    build_vocabulary,
    cooccurrence,
    cosine_similarity,
    most_similar,
    ppmi,
    tokenize,
    truncated_svd,
)
from pencil.reference.vectors import svd_signs

SIZE = 5
texts = st.lists(st.lists(st.integers(0, SIZE - 1), max_size=9), min_size=1, max_size=4)


# ---- counting


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


@given(st.integers(0, 10_000).map(lambda seed: np.random.default_rng(seed).integers(0, 4, (4, 5)) + np.eye(4, 5)))
def test_ppmi_is_the_logarithm_of_joint_over_product_of_shares(counts):
    counts[:, -1] += 1  # nobody is silent
    total = math.fsum(counts.ravel())
    for i, row in enumerate(ppmi(counts)):
        for j, found in enumerate(row):
            joint, word, neighbour = counts[i, j] / total, math.fsum(counts[i]) / total, math.fsum(counts[:, j]) / total
            wanted = max(math.log2(joint / (word * neighbour)) * math.log(2), 0) if joint else 0  # by way of bits
            assert found == pytest.approx(wanted, abs=1e-12)


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


@given(arrays(5, 4))
def test_at_full_width_nothing_is_lost(table):
    found = truncated_svd(table, width=4)
    np.testing.assert_allclose(found.vectors @ found.components, table, atol=1e-12)
    np.testing.assert_allclose(cosine_similarity(found.vectors, found.vectors), cosine_similarity(table, table), atol=1e-10)


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


@given(arrays(3, 4), arrays(2, 4))
def test_cosine_is_that_of_a_loop(a, b):
    for i, row in enumerate(cosine_similarity(a, b)):
        for j, found in enumerate(row):
            dot = math.fsum(x * y for x, y in zip(a[i], b[j], strict=True))
            assert found == pytest.approx(dot / (math.hypot(*a[i]) * math.hypot(*b[j])), abs=1e-12)


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


# ---- traced, and refused
