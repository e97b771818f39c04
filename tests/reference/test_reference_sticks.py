"""Counting, chance, squeezing, nearness, guessing, GloVe: each against loops, finite differences and what must hold."""

import math

import numpy as np
import pytest
from draws import arrays, check_refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from pencil import examples
from pencil.reference import (
    cooccurrence,
    cosine,
    dictionary,
    glove,
    glove_slopes,
    glove_weight,
    nearest,
    ppmi,
    skip_gram,
    skip_gram_step,
    squeeze,
    tokens,
)
from pencil.reference.squeeze import signs
from pencil.trace import Trace

quick = settings(max_examples=50, deadline=None, derandomize=True)
SIZE = 5
texts = st.lists(st.lists(st.integers(0, SIZE - 1), max_size=9), min_size=1, max_size=4)
full_counts = st.integers(0, 10_000).map(lambda seed: np.random.default_rng(seed).integers(1, 9, (4, 3)).astype(float))


def book_counts():
    """The counts of the chapter, by a dictionary and loops of their own."""
    counts = {(word, other): 0 for word in examples.STICK_WORDS for other in examples.STICK_NEIGHBOURS}
    for sentence in examples.STICK_TEXT:
        words = sentence.rstrip(".").lower().split()
        for i, word in enumerate(words):
            for j, other in enumerate(words):
                if 0 < abs(i - j) <= examples.STICK_WINDOW and (word, other) in counts:
                    counts[word, other] += 1
    return np.array([[counts[word, other] for other in examples.STICK_NEIGHBOURS] for word in examples.STICK_WORDS], float)


# ---- counting


@quick
@given(texts, st.integers(1, 4))
def test_counts_are_those_of_a_walk_over_all_pairs(rows, window):
    counts = np.zeros((SIZE, SIZE))
    for row in rows:
        for i, a in enumerate(row):
            for j, b in enumerate(row):
                counts[a, b] += 0 < abs(i - j) <= window
    found = cooccurrence(rows, SIZE, window)
    np.testing.assert_array_equal(found, counts)
    np.testing.assert_array_equal(found, found.T)


def test_no_pair_reaches_from_one_text_into_the_next():
    assert cooccurrence([[0], [1]], 2, 3).sum() == 0
    assert cooccurrence([[0, 1]], 2, 3).tolist() == [[0, 1], [1, 0]]


def test_a_word_beside_itself_is_counted_from_both_sides():
    assert cooccurrence([[1, 1]], 2, 1)[1, 1] == 2


def test_the_counts_of_the_chapter():
    read = [tokens(sentence) for sentence in examples.STICK_TEXT]
    words = dictionary(read, 30)
    everybody = cooccurrence([words.ids(t) for t in read], words.rows, examples.STICK_WINDOW)
    places = [[words.ranks[w] for w in listed] for listed in (examples.STICK_WORDS, examples.STICK_NEIGHBOURS)]
    np.testing.assert_array_equal(everybody[np.ix_(*places)], book_counts())
    assert book_counts().tolist() == [[2, 1, 0], [1, 2, 0], [0, 0, 3], [0, 0, 3]]


# ---- chance


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
    np.testing.assert_allclose(ppmi(counts, lambda name, value: seen.setdefault(name, value)), 0, atol=1e-15)
    np.testing.assert_allclose(seen["expected"], counts)
    np.testing.assert_allclose(seen["ratio"], 1)
    assert seen["word_total"].ravel().tolist() == [9, 18, 27] and seen["neighbour_total"].tolist() == [24, 30] and seen["total"] == 54


# ---- squeezing


@quick
@given(arrays(6, 4), st.integers(1, 4))
def test_a_squeezed_table_is_the_best_of_its_width(table, width):
    found = squeeze(table, width)
    assert found.sticks.shape == (6, width) and found.directions.shape == (width, 4)
    np.testing.assert_allclose(found.directions @ found.directions.T, np.eye(width), atol=1e-12)
    np.testing.assert_allclose(found.sticks.T @ found.sticks, np.diag(found.stretch**2), atol=1e-12)
    np.testing.assert_allclose(found.sticks, table @ found.directions.T, atol=1e-12)
    values = np.sqrt(np.maximum(np.linalg.eigvalsh(table.T @ table)[::-1], 0))  # stretches by another way
    np.testing.assert_allclose(found.stretch, values[:width], atol=1e-7)
    lost = np.linalg.norm(table - found.sticks @ found.directions) ** 2
    assert lost == pytest.approx((values[width:] ** 2).sum(), abs=1e-10)  # Eckart and Young


@quick
@given(arrays(5, 4))
def test_at_full_width_nothing_is_lost(table):
    found = squeeze(table, 4)
    np.testing.assert_allclose(found.sticks @ found.directions, table, atol=1e-12)
    np.testing.assert_allclose(cosine(found.sticks, found.sticks), cosine(table, table), atol=1e-10)


@quick
@given(arrays(5, 4), st.integers(0, 15))
def test_the_sign_is_fixed_whatever_the_library_answers(table, flips):
    """Turned columns are another right answer of an SVD; ours has to come out all the same."""
    sign = np.array([1 - 2 * (flips >> k & 1) for k in range(4)])
    found = squeeze(table, 4)
    with pytest.MonkeyPatch.context() as patch:
        left, stretch, right = np.linalg.svd(table, full_matrices=False)
        patch.setattr(np.linalg, "svd", lambda *_, **__: (left * sign, stretch, right * sign[:, None]))
        again = squeeze(table, 4)
    np.testing.assert_array_equal(found.sticks, again.sticks)
    np.testing.assert_array_equal(found.directions, again.directions)
    longest = np.abs(found.sticks).argmax(0)
    assert (found.sticks[longest, range(4)] >= 0).all()


def test_of_two_equally_long_numbers_the_first_is_positive():
    found = squeeze(ppmi(book_counts()), 3)
    np.testing.assert_allclose(found.sticks[:, 2], [0.490129, -0.490129, 0, 0], atol=1e-6)
    assert not np.signbit(found.sticks[np.abs(found.sticks) < 1e-9]).any()  # and no minus zero
    assert signs(np.array([[-1, 2], [1 + 1e-9, -2 - 1e-9]])).tolist() == [-1, 1]  # noise makes none of the two the longer


def test_the_directions_of_the_chapter_are_those_of_the_svd():
    table = ppmi(book_counts())
    found = squeeze(table, 3)
    ways = examples.STICK_DIRECTIONS / np.linalg.norm(examples.STICK_DIRECTIONS, axis=1, keepdims=True)
    np.testing.assert_allclose(found.directions, ways, atol=1e-12)
    high, low = math.log(8 / 3), math.log(4 / 3)  # film and plot, with chance at 3/4
    np.testing.assert_allclose(found.stretch, [high + low, math.sqrt(2) * math.log(2), high - low], atol=1e-12)
    assert np.diff(-found.stretch).min() > 0.2  # well apart, so every machine finds the same order


# ---- nearness


@quick
@given(arrays(3, 4), arrays(2, 4))
def test_cosine_is_that_of_a_loop(a, b):
    for i, row in enumerate(cosine(a, b)):
        for j, found in enumerate(row):
            dot = math.fsum(x * y for x, y in zip(a[i], b[j], strict=True))
            assert found == pytest.approx(dot / (math.hypot(*a[i]) * math.hypot(*b[j])), abs=1e-12)


@quick
@given(arrays(3, 4), st.floats(0.1, 10))
def test_cosine_lies_within_one_and_forgets_the_length(a, factor):
    assert (np.abs(cosine(a, a)) <= 1 + 1e-12).all()
    np.testing.assert_allclose(np.diag(cosine(a, a)), 1)
    np.testing.assert_allclose(cosine(a, a * factor), cosine(a, a), atol=1e-12)
    np.testing.assert_allclose(cosine(a, -a), -cosine(a, a), atol=1e-12)


def test_turning_all_sticks_together_changes_no_cosine():
    random = np.random.default_rng(0)
    sticks, turn = random.normal(size=(6, 4)), np.linalg.qr(random.normal(size=(4, 4)))[0]
    np.testing.assert_allclose(cosine(sticks @ turn, sticks @ turn), cosine(sticks, sticks), atol=1e-12)
    assert np.abs(sticks @ turn - sticks).min() > 1e-4


def test_nearest_ranks_by_cosine_and_leaves_out_what_it_is_told():
    words, table = ("a", "b", "c", "d"), np.array([[1.0, 0], [2, 1], [0, 3], [-1, 0]])
    assert [word for word, _ in nearest(table[0], words, table)] == ["a", "b", "c", "d"]
    assert nearest(table[0], words, table, 1, without=("a",)) == [("b", pytest.approx(2 / math.sqrt(5)))]
    assert nearest(table[2], words, table, 9, without=words) == []


# ---- guessing, and GloVe


def slopes(function, *givens):
    """The slope of a sum for every number that goes in, by small steps to either side."""
    found = []
    for at, grid in enumerate(givens):
        slope = np.zeros(grid.shape)
        for place in np.ndindex(grid.shape):
            ends = []
            for step in (1e-5, -1e-5):
                moved = [g.copy() for g in givens]
                moved[at][place] += step
                ends.append(function(*moved).sum())
            slope[place] = (ends[0] - ends[1]) / 2e-5
        found.append(slope)
    return found


@quick
@given(arrays(1, 3), arrays(4, 3), st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_a_step_of_skip_gram_goes_down_the_slope_of_its_miss(word, neighbours, told):
    truth = np.array([told], float)
    wanted = slopes(lambda w, n: skip_gram(w, n, truth), word, neighbours)
    new_word, new_neighbours = skip_gram_step(word, neighbours, truth, 0.5)
    np.testing.assert_allclose(new_word, word - 0.5 * wanted[0], atol=1e-8)
    np.testing.assert_allclose(new_neighbours, neighbours - 0.5 * wanted[1], atol=1e-8)
    for i, (said, row) in enumerate(zip(skip_gram(word, neighbours, truth)[0], neighbours, strict=True)):
        chance = 1 / (1 + math.exp(-math.fsum(a * b for a, b in zip(word[0], row, strict=True))))
        assert said == pytest.approx(-math.log(chance if told[i] else 1 - chance), abs=1e-12)


@quick
@given(arrays(1, 3), arrays(4, 3), st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_a_small_step_makes_the_miss_smaller(word, neighbours, told):
    truth = np.array([told], float)
    before = skip_gram(word, neighbours, truth).sum()
    assert skip_gram(*skip_gram_step(word, neighbours, truth, 0.01), truth).sum() < before


def test_the_guess_of_the_chapter():
    word, neighbours = skip_gram_step(examples.GUESS_WORD, examples.GUESS_NEIGHBOURS, examples.GUESS_TRUTH, 1)
    chance = 1 / (1 + math.exp(-1))
    np.testing.assert_allclose(word, [[1 - chance, 1]])
    np.testing.assert_allclose(neighbours, [[0.5, 1], [1 - chance, 0], [-0.5, -1]])


@quick
@given(arrays(4, 2), arrays(3, 2), arrays(4, 1), arrays(3), full_counts)
def test_glove_is_its_formula_and_its_slopes_are_its_slopes(words, neighbours, first, second, counts):
    counts = counts * 20  # some above the full count of 100, some below
    terms = glove(words, neighbours, first, second, counts)
    for i, j in np.ndindex(4, 3):
        dot = math.fsum(a * b for a, b in zip(words[i], neighbours[j], strict=True))
        wanted = min((counts[i, j] / 100) ** 0.75, 1) * (dot + first[i, 0] + second[j] - math.log(counts[i, j])) ** 2
        assert terms[i, j] == pytest.approx(wanted, rel=1e-12)
    given_ = (words, neighbours, first, second)
    for ours, small_steps in zip(glove_slopes(*given_, counts), slopes(lambda *g: glove(*g, counts), *given_), strict=True):
        np.testing.assert_allclose(ours, small_steps, rtol=1e-6, atol=1e-6)


def test_a_weight_grows_to_one_and_stays():
    weights = glove_weight(np.array([1.0, 16, 100, 101, 10_000]))
    np.testing.assert_allclose(weights, [100**-0.75, 0.4 * math.sqrt(0.4), 1, 1, 1])
    assert weights.max() == 1


# ---- traced, and refused


def test_all_of_it_runs_under_the_trace():
    trace = Trace()
    table = ppmi(trace.given("counts", book_counts()), trace)
    cosine(table, table, trace)
    np.testing.assert_array_equal(table.exact, ppmi(book_counts()))
    assert {"expected", "ratio", "ppmi", "cosine"} <= set(trace.names)
    guess = Trace()
    step = skip_gram_step(
        guess.given("w", examples.GUESS_WORD), guess.given("n", examples.GUESS_NEIGHBOURS), guess.given("t", examples.GUESS_TRUTH), 1, guess
    )
    np.testing.assert_array_equal(step[0].exact, skip_gram_step(examples.GUESS_WORD, examples.GUESS_NEIGHBOURS, examples.GUESS_TRUTH, 1)[0])
    wish, rows = Trace(), np.ones((2, 3))
    plain = rows, rows, np.ones((2, 1)), np.ones(2), 7 * np.ones((2, 2))
    traced = glove_slopes(*(wish.given(f"g{i}", g) for i, g in enumerate(plain)), wish)
    for ours, theirs in zip(traced, glove_slopes(*plain), strict=True):
        np.testing.assert_array_equal(ours.exact, theirs)


ones = np.ones
WRONG = {
    "no window": (lambda: cooccurrence([[0, 1]], 2, 0), ["window=0", "at least 1"]),
    "nothing to count": (lambda: cooccurrence([], 2, 1), ["no texts", "at least one"]),
    "an id beyond the size": (lambda: cooccurrence([[0, 2]], 2, 1), ["id 2", "0 to 1"]),
    "an id below 0": (lambda: cooccurrence([[-1, 0]], 2, 1), ["id -1"]),
    "half an id": (lambda: cooccurrence([[0.5, 1]], 2, 1), ["id 0.5 is no whole number"]),
    "one text instead of several": (lambda: cooccurrence([0, 1], 2, 1), ["a text of the shape ()", "one for each text"]),
    "a negative count": (lambda: ppmi(np.array([[1.0, -2]])), ["-2", "0 or more"]),
    "a silent word": (lambda: ppmi(np.array([[1.0, 1], [0, 0]])), ["word (row) 1", "leave it out"]),
    "a neighbour never seen": (lambda: ppmi(np.array([[1.0, 0], [1, 0]])), ["neighbour (column) 1", "leave it out"]),
    "counts in one row": (lambda: ppmi(ones(3)), ["rows of numbers"]),
    "wider than the table": (lambda: squeeze(ones((3, 2)), 3), ["width=3", "1 to 2"]),
    "no width": (lambda: squeeze(ones((3, 2)), 0), ["width=0"]),
    "a NaN to squeeze": (lambda: squeeze(np.array([[1.0, np.nan]]), 1), ["NaN"]),
    "two widths": (lambda: cosine(ones((1, 2)), ones((1, 3))), ["2", "3", "one width"]),
    "a stick of zeros": (lambda: cosine(ones((1, 2)), np.array([[1.0, 1], [0, 0]])), ["row 1", "points nowhere"]),
    "too few sticks": (lambda: nearest(ones(2), ("a", "b"), ones((1, 2))), ["2 words and 1 sticks"]),
    "an unknown word left out": (lambda: nearest(ones(2), ("a",), ones((1, 2)), without=("b",)), ["'b'", "no stick"]),
    "a word instead of words left out": (lambda: nearest(ones(2), ("a",), ones((1, 2)), without="a"), ["'a' is a text"]),
    "a neighbour of another width": (lambda: skip_gram(ones((1, 2)), ones((3, 4)), ones((1, 3))), ["2 wide", "(3, 4)"]),
    "a truth too many": (lambda: skip_gram(ones((1, 2)), ones((3, 2)), ones((1, 4))), ["(1, 4)", "one for each pair"]),
    "half a truth": (lambda: skip_gram_step(ones((1, 2)), ones((1, 2)), np.array([[0.5]]), 1), ["0.5", "write 1"]),
    "a pair that never met": (lambda: glove_weight(np.array([3.0, 0])), ["count of 0", "no logarithm"]),
    "a nudge too few": (lambda: glove(ones((2, 2)), ones((3, 2)), ones((1, 1)), ones(3), ones((2, 3))), ["word_nudge", "(2, 1)"]),
    "a nudge standing up": (lambda: glove(ones((2, 2)), ones((3, 2)), ones((2, 1)), ones((3, 1)), ones((2, 3))), ["neighbour_nudge", "(3,)"]),
    "counts the other way": (lambda: glove(ones((2, 2)), ones((3, 2)), ones((2, 1)), ones(3), ones((3, 2))), ["(3, 2)", "one for each pair"]),
}  # fmt: skip


@pytest.mark.parametrize("mistake, parts", WRONG.values(), ids=WRONG)
def test_what_cannot_be_is_refused_with_the_remedy(mistake, parts):
    check_refusal(mistake, parts)
