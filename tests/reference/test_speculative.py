"""Speculative decoding: in fractions, against loops, and by frequencies of generated tokens."""

from fractions import Fraction

import numpy as np
import pytest
from draws import check_refusal
from hypothesis import example, given
from hypothesis import strategies as st

from pencil.reference import (
    acceptance_rate,
    adjusted_probs,
    count_ngrams,
    expected_tokens,
    next_token_probs,
    ngram_probs,
    output_probs,
    sample,
    speculate,
    speculative_sampling,
)
from pencil.trace import Trace, check_replay, same, scoped

FAIR, LOADED = np.full(6, 1 / 6), np.array([3, 1, 1, 1, 1, 1]) / 8
CRITICAL = {2: 13.816, 4: 18.467, 5: 20.515}  # chi-square, so many degrees of freedom: one in a thousand fair draws lies above


def worked(parts, note, n_drafts=4):
    draft_probs, target_probs = (note(f"{name}_probs", one / one.sum()) for name, one in parts.items())
    expected_tokens(acceptance_rate(draft_probs, target_probs, note=scoped(note, "alone")), n_drafts=n_drafts, note=note)
    output_probs(draft_probs, target_probs, note=note)


def traced(draft, target, n_drafts=4):
    trace = Trace()
    worked({name: trace.given(name, parts) for name, parts in (("draft", draft), ("target", target))}, trace, n_drafts)
    return trace


def test_a_fair_die_drafts_for_a_loaded_one_by_pencil():
    trace = traced([1] * 6, [3, 1, 1, 1, 1, 1])
    reading = trace.fractions()
    assert reading["acceptance_rate"] == Fraction(19, 24) and reading["rejection_rate"] == Fraction(5, 24)
    assert reading["adjusted"].tolist() == [1, 0, 0, 0, 0, 0]
    assert reading["output"].tolist() == [Fraction(3, 8)] + [Fraction(1, 8)] * 5
    assert reading["expected_tokens"] == Fraction(1097305, 331776) and float(reading["expected_tokens"]) == pytest.approx(3.307, abs=5e-4)
    assert check_replay(worked, trace, redraw={name: lambda rng: rng.integers(1, 9, 6) for name in ("draft", "target")}) > 0


PARTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=7).filter(
    lambda pairs: any(q for q, _ in pairs) and any(p for _, p in pairs)
)


@given(PARTS, st.integers(1, 6))
@example([(2, 1), (6, 3), (6, 3), (6, 3), (6, 3)], 1)  # equal rows: their overlap is 1 and one bit more
def test_what_is_written_is_the_target_s_exactly_and_a_round_is_as_long_as_the_quotient_says(pairs, n_drafts):
    trace = traced(*zip(*pairs, strict=True), n_drafts=n_drafts)
    assert same(trace, trace, {"output": "target_probs"})
    reading = trace.fractions()
    rate, tokens = reading["acceptance_rate"], reading["expected_tokens"]
    assert tokens == n_drafts + 1 if rate == 1 else tokens == (1 - rate ** (n_drafts + 1)) / (1 - rate)
    assert reading["adjusted"].sum() == 1 and rate == 1 - sum(abs(reading["draft_probs"] - reading["target_probs"])) / 2


def by_loop(drafts, draft_probs, target_probs, u):
    """Algorithm 1 of the paper, a draft at a time."""
    for k, token in enumerate(drafts):
        if u[k] >= target_probs[k][token] / draft_probs[k][token]:
            left = [max(0, p - q) for p, q in zip(target_probs[k], draft_probs[k], strict=True)]
            return k, int(sample(np.array(left) / sum(left), u[-1]))
    return len(drafts), int(sample(target_probs[-1], u[-1]))


def drawn(rng, rows, size, batch=()):
    parts = rng.random((*batch, rows, size)) ** 3
    return parts / parts.sum(-1, keepdims=True)


@pytest.mark.parametrize("n_drafts, size", [(1, 2), (3, 5), (6, 40)])
def test_a_batch_of_rounds_is_each_round_by_the_paper_s_algorithm(n_drafts, size):
    rng = np.random.default_rng(n_drafts)
    draft_probs, target_probs = drawn(rng, n_drafts, size, (200,)), drawn(rng, n_drafts + 1, size, (200,))
    drafts, u = sample(draft_probs, rng.random((200, n_drafts))), rng.random((200, n_drafts + 1))
    accepted, tokens = speculative_sampling(drafts, draft_probs, target_probs, u)
    expected = [by_loop(*each) for each in zip(drafts, draft_probs, target_probs, u, strict=True)]
    assert list(zip(accepted.tolist(), tokens.tolist(), strict=True)) == expected
    assert set(accepted.tolist()) >= {0, 1}


def test_one_round_under_the_trace():
    trace = Trace()
    drafts, u = trace.given("drafts", [2, 4, 0]), trace.given("u", [0.5, 0.8, 0.1, 0.3])
    draft_probs, target_probs = trace.given("draft_probs", np.tile(FAIR, (3, 1))), trace.given("target_probs", np.tile(LOADED, (4, 1)))
    n_accepted, token = speculative_sampling(drafts, draft_probs, target_probs, u, note=trace)
    assert trace.names["accepted"].exact.tolist() == [1, 0, 1] and n_accepted.exact == 1 and token.exact == 0
    again = Trace.load(trace.program(), {"u": [0.5, 0.7, 0.1, 0.6]})
    assert again.names["n_accepted"].exact == 3 and again.names["drawn"].exact == 2


def chi_square(found, probs):
    expected = found.sum() * probs
    return float(((found - expected) ** 2 / expected).sum())


@pytest.mark.parametrize("draft, target", [(FAIR, LOADED), (LOADED, FAIR), (np.array([0.7, 0.2, 0.1]), np.array([0.1, 0.3, 0.6]))])
def test_200_000_rolls_are_the_target_s(draft, target):
    rng, n, size = np.random.default_rng(5), 200_000, len(draft)
    drafts, rows = sample(np.broadcast_to(draft, (n, 1, size)), rng.random((n, 1))), np.broadcast_to(target, (n, 2, size))
    accepted, behind = speculative_sampling(drafts, np.broadcast_to(draft, (n, 1, size)), rows, rng.random((n, 2)))
    first = np.bincount(np.where(accepted == 1, drafts[:, 0], behind), minlength=size)
    assert chi_square(first, target) < CRITICAL[size - 1]
    assert accepted.mean() == pytest.approx(acceptance_rate(draft, target), abs=0.004)


def test_rolling_the_target_anew_after_a_rejection_is_found_out():
    """The measure of the test above is worth something: without the adjusted probabilities the die is another one."""
    rng, n = np.random.default_rng(5), 200_000
    drafts = rng.integers(6, size=n)
    accepted = rng.random(n) < (LOADED / FAIR)[drafts]
    first = np.where(accepted, drafts, rng.choice(6, n, p=LOADED))
    assert chi_square(np.bincount(first), LOADED) > 1000


def test_rounds_of_four_are_as_long_as_expected():
    rng, n = np.random.default_rng(2), 20_000
    rounds = rng.integers(6, size=(n, 4)), np.broadcast_to(FAIR, (n, 4, 6)), np.broadcast_to(LOADED, (n, 5, 6))
    accepted, _ = speculative_sampling(*rounds, rng.random((n, 5)))
    assert accepted.mean() + 1 == pytest.approx(expected_tokens(np.array(19 / 24), n_drafts=4), abs=0.04)


# ---- whole texts


def of_pairs(table):
    """A model whose next token depends on the last one alone."""
    return lambda ids, rows=1: table[ids[-rows:]]


def test_a_text_is_the_target_s_with_any_drafter():
    """All texts of three tokens behind the first, counted: they are as likely as the target makes them."""
    rng = np.random.default_rng(0)
    target, drafter = drawn(rng, 3, 3), drawn(rng, 3, 3)
    texts = [speculate(of_pairs(target), [0], 3, rng=rng, drafter=of_pairs(drafter), n_drafts=2) for _ in range(2500)]
    assert {len(text) for text in texts} == {4} and {text[0] for text in texts} == {0}
    pairs = np.zeros((3, 3))
    for text in texts:
        np.add.at(pairs, (text[:-1], text[1:]), 1)
    assert all(chi_square(pairs[token], target[token]) < CRITICAL[2] for token in range(3))


def test_greedy_is_greedy_whoever_drafts():
    rng = np.random.default_rng(1)
    target = np.eye(5)[[1, 2, 4, 0, 3]]
    plain = speculate(of_pairs(target), [0], 20, rng=rng)
    for drafter in (target, drawn(rng, 5, 5), np.eye(5)[[2, 2, 2, 2, 2]]):
        for n_drafts in (1, 3, 30):
            assert speculate(of_pairs(target), [0], 20, rng=rng, drafter=of_pairs(drafter), n_drafts=n_drafts) == plain


def test_a_watcher_sees_each_round():
    rng, seen = np.random.default_rng(1), []
    table = drawn(rng, 4, 4)
    speculate(of_pairs(table), [0, 1], 12, rng=rng, drafter=of_pairs(table), n_drafts=4, watch=lambda *one: seen.append(one))
    assert [n for *_, n in seen] == [4, 4, 1] == [len(drafts) for drafts, *_ in seen], "a drafter that agrees is never rejected"
    assert [rows.shape for _, _, rows, _ in seen] == [(5, 4), (5, 4), (2, 4)]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_probabilities_behind_a_text_are_those_of_its_tokens(order):
    rng = np.random.default_rng(order)
    counted = count_ngrams(rng.integers(0, 7, 90), order=order, vocab_size=9)  # two tokens never came
    for length in range(5):
        text = rng.integers(0, 9, length)
        one_by_one = [next_token_probs(counted, np.array([*text, token]))[-1] for token in range(9)]
        np.testing.assert_allclose(ngram_probs(counted, text), one_by_one, rtol=1e-12)


@pytest.mark.parametrize(
    "mistake, parts",
    [
        (lambda: speculative_sampling(np.array([1]), FAIR[None], LOADED[None], np.array([0.5])), ["1 drafts and 1 rows", "one behind the last"]),
        (
            lambda: speculative_sampling(np.array([1]), np.eye(6)[:1], np.tile(LOADED, (2, 1)), np.array([0.5, 0.5])),
            ["draft probability 0", "hand in the row that it was sampled from"],
        ),
        (lambda: expected_tokens(np.array(1.2), n_drafts=3), ["rate=1.2", "from 0 to 1"]),
        (lambda: expected_tokens(np.array(0.5), n_drafts=0), ["n_drafts=0", "at least 1"]),
        (lambda: adjusted_probs(FAIR, LOADED[:5]), ["V is 6 in draft_probs", "5 in target_probs"]),
        (lambda: speculate(of_pairs(FAIR[None]), [], 3, rng=None), ["the text is empty"]),
        (lambda: ngram_probs(count_ngrams(np.arange(3), order=2, vocab_size=3), np.array([3])), ["id 3 is none of the 3 tokens"]),
    ],
)
def test_mistakes_are_refused(mistake, parts):
    check_refusal(mistake, parts)


def test_ids_that_are_no_tokens_and_lots_outside_their_range_are_refused():
    draft, target = np.full((1, 3), 1 / 3), np.full((2, 3), 1 / 3)
    for draft_id in (-1, 3):  # NumPy would count −1 from the end
        with pytest.raises(ValueError, match=rf"draft_ids=\[{draft_id}\.\] of 3 tokens, which are 0 to 2"):
            speculative_sampling(np.array([draft_id]), draft, target, np.array([0.5, 0.5]))
    for u in ([-0.1, 0.5], [1.5, 0.5], [0.5, 1.0]):
        with pytest.raises(ValueError, match="draw it from 0 to just below 1"):
            speculative_sampling(np.array([1]), draft, target, np.array(u))
