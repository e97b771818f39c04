"""Temperature, top-k, top-p and sampling: against loops, against the probabilities, and on paper."""

import math
import tracemalloc
from functools import partial

import numpy as np
import pytest
from draws import check_refusal
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import greedy, probabilities, sample, softmax, temperature, top_k, top_p
from pencil.trace import Trace, no_note, scoped

SCORES = st.lists(st.integers(-4, 4), min_size=1, max_size=7)  # whole numbers, so that many are equal


def in_line(scores):  # the places, the likeliest first, of equal ones the first first
    return sorted(range(len(scores)), key=lambda i: (-scores[i], i))


def shared(scores):
    raised = [math.exp(s) if s > -math.inf else 0.0 for s in scores]
    return [r / math.fsum(raised) for r in raised]


def struck(scores, kept):
    return [s if i in kept else -math.inf for i, s in enumerate(scores)]


def first_k(scores, k):
    return struck(scores, in_line(scores)[:k])


def first_p(scores, p):
    kept, mass, shares = [], 0.0, shared(scores)
    for i in in_line(scores):
        kept.append(i)
        mass += shares[i]
        if mass >= p:
            break
    return struck(scores, kept)


@given(SCORES, st.integers(1, 9))
def test_top_k_keeps_the_k_first_in_line(scores, k):
    kept = top_k(np.array(scores, float), k=k)
    assert kept.tolist() == first_k(scores, k) and np.isfinite(kept).sum() == min(k, len(scores))


@given(SCORES, st.floats(0.01, 0.99))
def test_top_p_keeps_the_shortest_line_that_reaches_p(scores, p):
    shares = sorted(shared(scores), reverse=True)
    if min(abs(math.fsum(shares[:n]) - p) for n in range(len(scores) + 1)) > 1e-9:  # else the last bit decides
        assert top_p(np.array(scores, float), p=p).tolist() == first_p(scores, p)


def test_top_p_strikes_out_who_stands_behind_shares_that_reach_p_to_the_last_bit():
    def halves(scores, note):
        return np.array([0.5, 0.25, 0.25])

    assert top_p(np.array([2.0, 1, 1]), p=0.5, softmax=halves).tolist() == [2, -np.inf, -np.inf]
    assert top_p(np.array([2.0, 1, 1]), p=0.75, softmax=halves).tolist() == [2, 1, -np.inf]


@given(SCORES, st.sampled_from([0.3, 1.0, 2.5]), st.one_of(st.none(), st.integers(1, 8)), st.sampled_from([None, 0.31, 0.77, 1.0]))
def test_chances_cools_first_then_strikes_out_then_shares(scores, t, k, p):
    left = [s / t for s in scores]
    left = left if k is None else first_k(left, k)
    left = left if p is None or p == 1 else first_p(left, p)
    np.testing.assert_allclose(probabilities(np.array(scores, float), temperature=t, top_k=k, top_p=p), shared(left), rtol=1e-12)


@given(SCORES, st.integers(1, 9), st.sampled_from([0.31, 0.77, 1.0]))
def test_sorting_keeps_what_comparing_each_with_each_keeps(scores, k, p):
    scores, noted = np.array(scores, float), lambda name, value: value
    for keep in (partial(top_k, k=k), partial(top_p, p=p)):
        assert keep(scores).tolist() == keep(scores, note=noted).tolist() == keep(Trace().given("scores", scores)).exact.tolist()


@pytest.mark.parametrize("n", [*range(1, 13), 20, 33, 50])
def test_of_n_equal_scores_k_have_the_share_of_k_nths(n):
    """A sum of shares is not exact, and the last bit decides nothing: it would be another one for each way of adding up."""
    scores = np.zeros(n)
    traced = Trace().given("scores", scores)
    for k in range(1, n + 1):
        for kept in (top_p(scores, p=k / n), top_p(scores, p=k / n, note=lambda name, value: value), top_p(traced, p=k / n).exact):
            assert np.isfinite(kept).tolist() == [True] * k + [False] * (n - k)


@pytest.mark.parametrize("p", [1e-300, 1e-13, 1.0])
def test_the_likeliest_stays_however_small_p_is(p):
    assert np.isfinite(top_p(np.array([0.0, 2, 1]), p=p)).tolist() == [p == 1, True, p == 1]


@pytest.mark.parametrize("note", [no_note, lambda name, value: value])
def test_a_large_vocabulary_needs_no_table_of_each_word_against_each(note):
    scores = np.random.default_rng(0).integers(-9, 9, 3000).astype(float)  # many are equal
    tracemalloc.start()
    sample(probabilities(scores, temperature=0.8, top_k=40, top_p=0.9, note=note), 0.5, note=note)
    assert tracemalloc.get_traced_memory()[1] < 100 * scores.nbytes
    tracemalloc.stop()


def test_in_single_precision_the_small_shares_of_a_large_vocabulary_are_not_lost():
    shares = np.full(50_257, 0.001 / 50_256, np.float32)
    shares[0] = 0.999
    assert sample(shares, 0.9995) == pytest.approx(25_128, abs=5)


def test_several_rows_at_once_are_each_by_itself():
    scores = np.random.default_rng(0).normal(size=(2, 3, 6))
    together = probabilities(scores, temperature=0.7, top_k=4, top_p=0.8)
    for at in np.ndindex(2, 3):
        np.testing.assert_allclose(together[at], probabilities(scores[at], temperature=0.7, top_k=4, top_p=0.8), rtol=1e-12)
    lots = np.random.default_rng(1).random((2, 3))
    assert sample(together, lots).tolist() == [[int(sample(together[i, j], lots[i, j])) for j in range(3)] for i in range(2)]
    assert greedy(scores).tolist() == scores.argmax(-1).tolist()


@given(SCORES, st.floats(0, 1, exclude_max=True))
def test_the_draw_takes_the_share_in_which_u_falls(scores, u):
    shares, running = shared(scores), 0.0
    for place, share in enumerate(shares):
        running += share
        if u < running - 1e-12 or place == len(shares) - 1:
            break
        if abs(u - running) <= 1e-12:  # the last bit decides
            return
    assert sample(np.array(shares), u) == place


CRITICAL = {2: 13.816, 3: 16.266, 4: 18.467}  # chi-square, so many degrees of freedom: one in a thousand fair draws lies above


@pytest.mark.parametrize("t, k, p", [(1.0, None, None), (0.5, None, None), (2.0, 4, None), (1.0, None, 0.9), (1.5, 4, 0.9)])
def test_the_draw_is_fair(t, k, p):
    """The frequencies of 50,000 draws against the shares, by chi-square; what was struck out never comes."""
    shares = probabilities(np.array([2.0, 1.0, 0.5, 0.0, -1.0]), temperature=t, top_k=k, top_p=p)
    found = np.bincount(sample(np.broadcast_to(shares, (50_000, 5)), np.random.default_rng(7).random(50_000)), minlength=5)
    there = shares > 0
    assert (found[~there] == 0).all() and there.sum() > 2
    expected = 50_000 * shares[there]
    assert ((found[there] - expected) ** 2 / expected).sum() < CRITICAL[there.sum() - 1]


def test_chi_square_finds_an_unfair_draw():
    """The measure of the test above is worth something: draws from other shares fail it."""
    shares, others = (probabilities(np.array([2.0, 1.0, 0.0]), temperature=t) for t in (1.0, 1.05))
    found = np.bincount(sample(np.broadcast_to(others, (50_000, 3)), np.random.default_rng(7).random(50_000)), minlength=3)
    assert ((found - 50_000 * shares) ** 2 / (50_000 * shares)).sum() > CRITICAL[2]


def test_a_share_of_nothing_is_never_drawn():
    almost = np.nextafter(1, 0)
    assert sample(np.array([0.0, 1.0, 0.0]), 0.0) == 1 and sample(np.array([0.0, 1.0, 0.0]), almost) == 1
    assert sample(np.array([0.333, 0.333, 0.333, 0.0]), almost) == 2  # on paper a whole may be 0.999
    assert sample(np.array([0.5, 0.5]), 0.5) == 1  # the edge belongs to the next


def test_on_paper_and_under_the_trace():
    trace = Trace()
    scores = trace.given("scores", [2, 1, 0], columns=("down", "up", "off"))
    t, k, p, u = (trace.given(name, value) for name, value in (("t", 0.5), ("k", 2), ("p", 0.8), ("u", 0.6)))
    sample(probabilities(scores, temperature=t, top_k=k, top_p=p, note=trace, softmax=softmax), u, note=trace)
    sample(probabilities(scores, note=scoped(trace, "warm"), softmax=softmax), u, note=scoped(trace, "warm"))
    assert trace.find("warm.weights").paper.tolist() == [0.665, 0.245, 0.090]
    assert trace.find("top_k.kept").exact.tolist() == [4, 2, -np.inf] and trace.find("top_p.kept").exact.tolist() == [4, -np.inf, -np.inf]
    again = Trace.load(trace.program(), {"t": 2, "k": 3, "p": 1, "u": 0.95, "scores": [0, 1, 2]})
    np.testing.assert_allclose(again.find("weights").exact, probabilities(np.array([0.0, 1.0, 2.0]), temperature=2.0), rtol=1e-12)
    assert again.find("drawn").exact == 2


@pytest.mark.parametrize(
    "mistake, parts",
    [
        (lambda: temperature(np.ones(3), t=0), ["the temperature is 0", "greedy(scores)"]),
        (lambda: temperature(np.ones(3), t=-1.0), ["-1.0", "above 0"]),
        (lambda: top_k(np.ones(3), k=0), ["k=0", "at least 1"]),
        (lambda: top_k(np.ones(3), k=2.5), ["k=2.5", "a whole number, such as 2"]),
        (lambda: top_p(np.ones(3), p=0.0), ["p=0.0", "above 0 and at most 1"]),
        (lambda: top_p(np.ones(3), p=90), ["p=90", "at most 1"]),
        (lambda: sample(np.array([0.5, 0.5]), 1.0), ["u=1.0", "rng.random()"]),
        (lambda: sample(np.array([2.0, 1.0]), 0.5), ["do not add up to 1", "softmax(scores)"]),
        (lambda: sample(np.array([1.5, -0.5]), 0.5), ["do not add up to 1"]),
        (lambda: greedy([1, 2]), ["scores is a list"]),
        (lambda: greedy(np.array([[0.0, -np.inf], [-np.inf, -np.inf]])), ["greedy", "every score of a row is −inf", "at least one token"]),
        (lambda: greedy(np.array([0.0, np.inf])), ["scores[1] is infinite"]),
        (lambda: top_k(np.array([1.0, np.nan]), k=1), ["scores[1] is NaN"]),
    ],
)
def test_mistakes_are_refused(mistake, parts):
    check_refusal(mistake, parts)
