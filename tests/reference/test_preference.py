"""The preference losses: against loops, and general properties."""

import math
import statistics

import numpy as np
import pytest
from draws import arrays, check_refusal
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import clipped_objective, dpo_loss, grpo_advantages, kl_estimate, masked_cross_entropy, token_log_probs
from pencil.trace import Trace, backward

SMALL = st.floats(-8, 8, allow_nan=False)
BETAS = st.sampled_from([0.01, 0.1, 0.5, 2.0])
GROUPS = st.lists(st.integers(-3, 3), min_size=2, max_size=8).map(lambda rewards: np.array(rewards, float))


def four(*numbers):
    return [np.array(x, float) for x in numbers]


@given(arrays(4, 5, low=-3), st.lists(st.integers(0, 4), min_size=4, max_size=4), st.lists(st.integers(0, 1), min_size=4, max_size=4).filter(any))
def test_the_masked_loss_is_the_mean_over_the_answer(logits, ids, mask):
    misses = [math.log(math.fsum(math.exp(z) for z in row)) - row[i] for row, i in zip(logits, ids, strict=True)]
    answer = [miss for miss, counts in zip(misses, mask, strict=True) if counts]
    assert masked_cross_entropy(token_log_probs(logits, ids), np.array(mask)) == pytest.approx(math.fsum(answer) / len(answer), abs=1e-12)


@given(arrays(4, 5, low=-3), st.lists(st.integers(0, 1), min_size=4, max_size=4).filter(any))
def test_a_token_that_does_not_count_has_no_slope(logits, mask):
    trace = Trace()
    log_probs = token_log_probs(trace.given("logits", logits), [0, 1, 2, 3], note=trace)
    slopes = backward(masked_cross_entropy(log_probs, trace.given("mask", mask), note=trace))["logits"].exact
    assert [bool(np.abs(row).max() > 0) for row in slopes] == [bool(counts) for counts in mask]
    np.testing.assert_allclose(slopes.sum(-1), 0, atol=1e-12)  # what one score gains the others lose


@given(SMALL, SMALL, BETAS)
def test_a_model_that_is_its_own_reference_loses_ln_2(chosen, rejected, beta):
    assert dpo_loss(*four(chosen, rejected, chosen, rejected), beta=beta) == pytest.approx(math.log(2), abs=1e-12)


@given(SMALL, SMALL, SMALL, SMALL, BETAS)
def test_swapping_the_two_answers_turns_the_chance_round(a, b, c, d, beta):
    one, other = (math.exp(-dpo_loss(*four(*way), beta=beta)) for way in ((a, b, c, d), (b, a, d, c)))
    assert one + other == pytest.approx(1, abs=1e-12)
    assert dpo_loss(*four(a, b, c, d), beta=beta) == pytest.approx(math.log1p(math.exp(-beta * ((a - c) - (b - d)))), abs=1e-9)


@given(arrays(3, low=-3), BETAS)
def test_the_first_step_of_dpo_moves_the_two_answers_alone_and_alike(logits, beta):
    trace = Trace()
    scores = trace.given("logits", logits)
    now = token_log_probs(np.stack([scores, scores]), [1, 0], note=trace)
    before = token_log_probs(np.stack([logits, logits]), [1, 0])
    slopes = backward(trace("loss", dpo_loss(now[:1], now[1:], before[:1], before[1:], beta=beta).sum()))["logits"].exact
    np.testing.assert_allclose(slopes, [beta / 2, -beta / 2, 0], atol=1e-12)


@given(GROUPS, st.sampled_from([0, 1]))
def test_advantages_add_up_to_zero_and_have_the_deviation_one(rewards, ddof):
    advantages = grpo_advantages(rewards, ddof=ddof)
    assert advantages.sum() == pytest.approx(0, abs=1e-9)
    if len(set(rewards)) == 1:
        assert not advantages.any()
    else:
        assert (statistics.stdev if ddof else statistics.pstdev)(advantages.tolist()) == pytest.approx(1, abs=1e-9)


@given(GROUPS, st.floats(0.5, 3), st.floats(-5, 5))
def test_another_scale_of_rewards_changes_no_advantage(rewards, times, more):
    np.testing.assert_allclose(grpo_advantages(times * rewards + more), grpo_advantages(rewards), atol=1e-9)


def test_the_groups_of_the_page():
    assert grpo_advantages(np.array([1.0, 0, 0, 1])).tolist() == [1, -1, -1, 1]
    np.testing.assert_allclose(grpo_advantages(np.array([1.0, 0, 0, 1]), ddof=1), np.array([1, -1, -1, 1]) * math.sqrt(3) / 2)
    assert grpo_advantages(np.full(3, 0.1)).tolist() == [0, 0, 0]  # whose mean is not quite 0.1


@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(-3, 3), st.sampled_from([0.1, 0.2]))
def test_the_clip_is_a_pessimist(new, old, advantage, eps):
    ratio = math.exp(new - old)
    got = clipped_objective(*four(new, old, advantage), eps=eps)
    assert got <= ratio * advantage + 1e-12
    assert got == pytest.approx(min(ratio * advantage, min(max(ratio, 1 - eps), 1 + eps) * advantage))


@pytest.mark.parametrize("new, advantage, pulls", [(0.3, 1, False), (0.3, -1, True), (0.1, 1, True), (0.1, -1, False), (0.21, 1, True)])
def test_what_is_clipped_pulls_no_more(new, advantage, pulls):
    trace = Trace()
    log_prob = trace.given("log_prob", math.log(new))
    slope = backward(clipped_objective(log_prob, *four(math.log(0.2), advantage), note=trace))["log_prob"].exact
    assert (slope != 0) == pulls


@given(SMALL, SMALL)
def test_the_kl_estimate_is_never_below_zero(new, ref):
    kl = kl_estimate(*four(new, ref))
    assert kl == pytest.approx(math.exp(ref - new) - (ref - new) - 1) and kl > -1e-12
    assert kl_estimate(*four(new, new)) == 0


def test_over_all_tokens_the_estimate_is_the_divergence():
    p, q = np.array([0.6, 0.3, 0.1]), np.array([0.2, 0.5, 0.3])
    assert p @ kl_estimate(np.log(p), np.log(q)) == pytest.approx(p @ np.log(p / q))


@pytest.mark.parametrize(
    "mistake, parts",
    [
        (lambda: token_log_probs(np.ones((2, 3)), [0, 3]), ["[0, 3]", "3 tokens", "0 to 2"]),
        (lambda: masked_cross_entropy(np.ones(2), np.array([1, 2])), ["[1.0, 2.0]", "1 where a token counts"]),
        (lambda: masked_cross_entropy(np.ones(2), np.zeros(2)), ["no token count", "at least one"]),
        (lambda: dpo_loss(*np.ones((4, 1)), beta=0), ["beta=0", "above 0"]),
        (lambda: dpo_loss(*four([-9e5], [0], [0], [0])), ["margin of -900000", "smaller beta"]),
        (lambda: grpo_advantages(np.ones(1), ddof=1), ["group of 1", "ddof=1", "larger group"]),
        (lambda: clipped_objective(*np.ones((3, 1)), eps=1.5), ["eps=1.5", "below 1"]),
    ],
)
def test_mistakes_are_refused(mistake, parts):
    check_refusal(mistake, parts)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("size", [3, 7, 50])
def test_a_group_is_flat_in_the_floats_it_is_in(kind, size):
    assert not grpo_advantages(np.full(size, 0.1, kind), ddof=1).any()
    np.testing.assert_allclose(grpo_advantages(np.array([0.1, 0.1001], kind)), [-1, 1], rtol=1e-2)


def test_a_token_without_a_chance_in_floats_is_refused():
    with pytest.raises(ValueError, match=r"token 1 has the probability 0 in floats.*log_softmax"):
        token_log_probs(np.array([[0.0, -800.0]]), [1])
    assert token_log_probs(np.array([[0.0, -800.0]]), [0]).tolist() == [0]
