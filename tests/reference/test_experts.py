"""Mixture of experts: by hand, in fractions, against a loop over tokens, and general properties."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from draws import arrays, check_refusal, close
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import (
    BlockConfig,
    ExpertsParams,
    FeedForwardParams,
    Routing,
    balancing_bias,
    feed_forward,
    load_balancing_loss,
    mixture_of_experts,
    queue_places,
    route,
    sigmoid,
    silu,
    softmax,
)
from pencil.trace import Trace, backward, check_replay, ln


def drawn(rng, n_experts, d, d_ff, gated=True, bias=True, shared=True):
    own = FeedForwardParams(rng.normal(size=(2, d)), rng.normal(size=(d, 2)), gate=rng.normal(size=(2, d)) if gated else None)
    grids = rng.normal(size=(n_experts, d_ff, d)), rng.normal(size=(n_experts, d, d_ff)), rng.normal(size=(n_experts, d_ff, d)) if gated else None
    return ExpertsParams(rng.normal(size=(n_experts, d)), *grids, rng.normal(size=n_experts) if bias else None, own if shared else None)


def by_loop(x, params, routing, activation):
    """Each token by itself, each expert as a network of its own."""
    n_experts, seated, out = len(params.router), np.zeros(len(params.router), int), np.zeros_like(x)
    logits = x @ params.router.T
    probs = softmax(logits) if routing.scores is softmax else 1 / (1 + np.exp(-logits))
    favoured = probs + (0 if params.router_bias is None else params.router_bias)
    ranked = [sorted(range(n_experts), key=lambda e, row=row: (-row[e], e))[: routing.k] for row in favoured]
    for choice in range(routing.k):  # all first choices, then all second ones
        for t, experts in enumerate(ranked):
            e = experts[choice]
            seated[e] += 1
            if routing.capacity is not None and seated[e] > routing.capacity:
                continue
            weight = probs[t, e] / (sum(probs[t, i] for i in experts) if routing.normalize else 1) * routing.scale
            own = FeedForwardParams(params.up[e], params.down[e], gate=None if params.gate is None else params.gate[e])
            out[t] += weight * feed_forward(x[t], own, activation=activation)
    return out + (0 if params.shared is None else feed_forward(x, params.shared, activation=activation))


ROUTINGS = [
    Routing(), Routing(1, normalize=False), Routing(3, sigmoid, scale=2.5), Routing(2, capacity=1), Routing(2, capacity=3), Routing(1, capacity=2),
]  # fmt: skip


@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("tokens, n_experts, d, d_ff", [(1, 3, 1, 1), (7, 4, 3, 5), (20, 6, 2, 4)])
def test_a_mixture_is_each_token_by_itself(routing, whole, tokens, n_experts, d, d_ff):
    rng = np.random.default_rng(tokens)
    x, params = rng.normal(size=(tokens, d)), drawn(rng, n_experts, d, d_ff, whole, whole, whole)
    ours = mixture_of_experts(x, params, routing=routing, activation=silu)
    np.testing.assert_allclose(ours, by_loop(x, params, routing, silu), **close)


def test_tokens_of_a_batch_are_routed_alone_and_seated_together():
    rng = np.random.default_rng(0)
    x, params = rng.normal(size=(2, 3, 4)), drawn(rng, 3, 4, 2)
    for routing in (Routing(), Routing(2, capacity=2)):
        flat = mixture_of_experts(x.reshape(6, 4), params, routing=routing)
        np.testing.assert_allclose(mixture_of_experts(x, params, routing=routing).reshape(6, 4), flat, **close)


# ---- by pencil


def traced(x=((2, 1), (1, 2)), **routing):
    trace = Trace()
    grids = [[[1, 1], [1, -1]], [[0, 1], [1, 0]], [[1, 2], [0, 1]]], [[[2, 1], [1, -3]], [[2, -1], [3, 2]], [[1, 0], [1, 1]]]
    params = ExpertsParams(ln([[2, 1], [1, 3], [1, 2]]), *(np.array(grid, float) for grid in grids))
    mixture_of_experts(trace.given("x", x), trace.given_each("params", params), routing=Routing(**routing), note=trace)
    return trace


def test_by_pencil_in_fractions():
    reading = traced().fractions()
    assert (reading["router.weights"] * [[9], [15]]).tolist() == [[4, 3, 2], [2, 9, 4]]
    assert reading["router.gates"].tolist() == [[Fraction(4, 7), Fraction(3, 7), 0], [0, Fraction(9, 13), Fraction(4, 13)]]
    assert reading["mlp_out"].tolist() == [[4, 3], [Fraction(47, 13), Fraction(100, 13)]]


def test_a_run_with_other_rows_picks_other_experts():
    trace = traced()
    again = Trace.load(trace.program(), {"x": [[1, 2], [2, 1]]})
    np.testing.assert_allclose(again.names["mlp_out"].exact, trace.names["mlp_out"].exact[::-1], **close)

    def run(givens, note):
        params = ExpertsParams(*(givens[f"params.{name}"] for name in ("router", "up", "down")))
        mixture_of_experts(givens["x"], params, routing=Routing(2, capacity=1), note=note)

    assert check_replay(run, traced(capacity=1)) > 0


def test_the_bill_is_of_the_experts_at_work_alone():
    def multiplied(trace):
        return trace.bill().multiplications

    one, two = (multiplied(traced(k=k)) for k in (1, 2))
    assert two - one == 2 * (4 + 4 + 2)  # for each of two words: two more grids of four, and the two numbers times their gate


def test_the_router_learns_from_how_much_its_choice_counts():
    x, params, step = np.array([[0.3, -0.8]]), drawn(np.random.default_rng(3), 4, 2, 3, bias=False), 1e-6
    for routing in (Routing(2), Routing(1, normalize=False), Routing(3, sigmoid)):
        trace = Trace()
        found = backward(mixture_of_experts(trace.given("x", x), trace.given_each("p", params), routing=routing, note=trace).sum())
        moved = []
        for place in np.ndindex(params.router.shape):
            router = params.router.copy()
            router[place] += step
            moved.append(mixture_of_experts(x, replace(params, router=router), routing=routing).sum())
        slope = (np.array(moved) - mixture_of_experts(x, params, routing=routing).sum()) / step
        np.testing.assert_allclose(found["p.router"].exact.ravel(), slope, atol=1e-5)
    trace = Trace()
    alone = mixture_of_experts(trace.given("x", x), trace.given_each("p", params), routing=Routing(1), note=trace)
    np.testing.assert_allclose(backward(alone.sum())["p.router"].exact, 0, atol=1e-12)  # one expert with the gate 1: nothing to learn from


# ---- the laws


@given(st.integers(1, 4), st.integers(1, 4), arrays(5, 3), st.booleans())
def test_alike_experts_are_one_network_however_they_are_chosen(n_experts, k, x, gated):
    k, rng = min(k, n_experts), np.random.default_rng(n_experts)
    params = drawn(rng, n_experts, 3, 2, gated, shared=False)
    grids = {name: getattr(params, name) for name in ("up", "down", "gate")}
    alike = replace(params, **{name: None if grid is None else np.repeat(grid[:1], n_experts, 0) for name, grid in grids.items()})
    one = FeedForwardParams(params.up[0], params.down[0], gate=params.gate[0] if gated else None)
    np.testing.assert_allclose(mixture_of_experts(x, alike, routing=Routing(k)), feed_forward(x, one), **close)


@given(arrays(6, 3), arrays(5, 3), arrays(5), st.integers(1, 5), st.booleans())
def test_gates_count_the_best_alone_and_a_bias_picks_without_counting(x, router, bias, k, biased):
    params = ExpertsParams(router, None, None, router_bias=bias if biased else None)
    probs, chosen, gates = route(x, params, routing=Routing(k))
    favoured = probs + bias if biased else probs
    assert ((gates > 0).sum(-1) == k).all()
    np.testing.assert_allclose(gates.sum(-1), 1, **close)
    for t in range(len(x)):
        others = set(range(5)) - set(chosen[t].tolist())
        assert set(np.flatnonzero(gates[t])) == set(chosen[t].tolist())
        assert all(favoured[t, chosen[t, -1]] >= favoured[t, e] for e in others)
        np.testing.assert_allclose(gates[t, chosen[t]] / probs[t, chosen[t]], 1 / probs[t, chosen[t]].sum(), **close)


def test_of_equal_experts_the_first_are_chosen():
    _, chosen, gates = route(np.ones((1, 2)), ExpertsParams(np.zeros((4, 2)), None, None))
    assert chosen.tolist() == [[0, 1]] and gates.tolist() == [[0.5, 0.5, 0, 0]]


@given(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2, unique=True), min_size=1, max_size=9))
def test_nobody_shares_a_place_and_first_choices_come_first(chosen):
    places = queue_places(np.array(chosen), n_experts=4)
    for expert in range(4):
        own = [(k, t, places[t, k]) for t, row in enumerate(chosen) for k, e in enumerate(row) if e == expert]
        assert [place for *_, place in sorted(own)] == list(range(1, len(own) + 1))


def test_with_a_capacity_a_later_token_can_take_the_room_of_an_earlier_one():
    alone, later = queue_places(np.array([[0, 1]]), n_experts=2), queue_places(np.array([[0, 1], [1, 0]]), n_experts=2)
    assert alone.tolist() == [[1, 1]] and later.tolist() == [[1, 2], [1, 2]]  # the second choice of the first token is moved back
    x, params = np.array([[2.0, 1], [1, 2]]), replace(drawn(np.random.default_rng(0), 2, 2, 3, bias=False), router=np.eye(2))
    alone, both = (mixture_of_experts(x[:n], params, routing=Routing(2, capacity=1), activation=silu)[0] for n in (1, 2))
    assert np.abs(both - alone).max() > 0.01
    alone, both = (mixture_of_experts(x[:n], params, routing=Routing(1, capacity=1), activation=silu)[0] for n in (1, 2))
    np.testing.assert_allclose(both, alone, **close)  # with one choice only earlier tokens count


@pytest.mark.parametrize("dtype, score", [(np.float64, -800), (np.float32, -104)])
def test_scores_that_are_too_small_for_floats_count_nothing(dtype, score):
    x, router = np.ones((2, 1), dtype), np.array([[score], [score], [2 * score]], dtype)
    x[1] = -0.01
    with np.errstate(over="ignore", under="ignore"):
        _, _, gates = route(x, ExpertsParams(router, None, None), routing=Routing(2, sigmoid))
    assert gates[0].tolist() == [0, 0, 0] and gates[1].sum() == pytest.approx(1)


def test_padding_counts_for_no_place_and_no_balance():
    rng = np.random.default_rng(0)
    probs, chosen, mask = softmax(rng.normal(size=(2, 4, 3))), rng.integers(0, 3, (2, 4, 1)), np.array([[True, True, False, False], [True] * 4])
    assert load_balancing_loss(probs, chosen, padding_mask=mask) == pytest.approx(load_balancing_loss(probs[mask], chosen[mask]))
    places = queue_places(chosen, n_experts=3, padding_mask=mask)
    assert not places[~mask].any() and np.array_equal(places[mask], queue_places(chosen[mask], n_experts=3))
    check_refusal(lambda: load_balancing_loss(probs, chosen, padding_mask=~mask & mask), ["all positions are padding"])


def test_the_balancing_loss_by_pencil():
    trace = Trace()
    probs = trace.given("probs", [[Fraction(8, 10), Fraction(2, 10)], [Fraction(7, 10), Fraction(3, 10)],
                                  [Fraction(6, 10), Fraction(4, 10)], [Fraction(3, 10), Fraction(7, 10)]])  # fmt: skip
    load_balancing_loss(probs, trace.given("chosen", [[0], [0], [0], [1]]), note=trace)
    reading = trace.fractions()
    assert reading["counts"].tolist() == [3, 1] and reading["mean_probs"].tolist() == [Fraction(3, 5), Fraction(2, 5)]
    assert reading["balance_loss"] == Fraction(11, 10)


@pytest.mark.parametrize("n_experts, k", [(2, 1), (4, 2), (6, 3)])
def test_even_is_one_and_one_expert_for_all_is_their_number(n_experts, k):
    everyone = np.array([[(t + i) % n_experts for i in range(k)] for t in range(n_experts)])
    assert load_balancing_loss(np.full((n_experts, n_experts), 1 / n_experts), everyone) == pytest.approx(1)
    assert load_balancing_loss(np.eye(n_experts)[[0] * 5], np.zeros((5, 1), int)) == pytest.approx(n_experts)


def test_the_balancing_loss_is_of_scores_that_add_up_to_one():
    scores, chosen = np.full((4, 4), 0.5), np.array([[t] for t in range(4)])  # sigmoids, even choices
    assert load_balancing_loss(scores, chosen) == pytest.approx(2)
    assert load_balancing_loss(scores / scores.sum(-1, keepdims=True), chosen) == pytest.approx(1)


@given(arrays(7, 4), st.integers(0, 99))
def test_the_slope_of_the_loss_presses_on_who_is_loaded(logits, seed):
    chosen = np.random.default_rng(seed).integers(0, 4, (7, 1))
    trace = Trace()
    slopes = backward(load_balancing_loss(softmax(trace.given("logits", logits), note=trace), trace.given("chosen", chosen), note=trace))
    counts = np.bincount(chosen[:, 0], minlength=4)
    np.testing.assert_allclose(slopes["weights"].exact, np.tile(4 * counts / 7 / 7, (7, 1)), **close)  # the counts themselves have none


def test_the_bias_goes_up_for_the_idle_and_down_for_the_busy():
    trace = Trace()
    bias, counts = trace.given("bias", [0.5, 0, 0, -0.5]), trace.given("counts", [5, 2, 3, 2])
    assert balancing_bias(bias, counts, rate=0.125, note=trace).exact.tolist() == [0.375, 0.125, 0, -0.375]


def test_the_bias_evens_out_what_scores_alone_do_not():
    rng = np.random.default_rng(0)
    x, params = rng.normal(size=(400, 3)) + 1, ExpertsParams(rng.normal(size=(4, 3)), None, None, router_bias=np.zeros(4))

    def counts(bias):
        return np.bincount(route(x, replace(params, router_bias=bias))[1].ravel(), minlength=4)

    bias, before = params.router_bias, counts(params.router_bias)
    for _ in range(300):
        bias = balancing_bias(bias, counts(bias).astype(float), rate=0.002)
    assert np.ptp(before) > 200 and np.ptp(counts(bias)) < 30


def test_what_does_not_fit_is_refused():
    x, params = np.ones((2, 3)), drawn(np.random.default_rng(0), 4, 3, 2)
    check_refusal(lambda: mixture_of_experts(x, params, routing=Routing(5)), ["k=5 of 4 experts; take at most 4"])
    check_refusal(lambda: mixture_of_experts(x, replace(params, up=params.up[:3])), ["E is 4 in params.router"])
    check_refusal(lambda: mixture_of_experts(x, replace(params, router=np.ones((4, 2)))), ["d is 3 in x"])
    check_refusal(lambda: queue_places(np.array([[2]]), n_experts=2), ["of 2 experts, which are 0 to 1"])
    check_refusal(lambda: load_balancing_loss(np.ones((1, 2)) / 2, np.array([[-1]])), ["of 2 experts, which are 0 to 1"])
    check_refusal(lambda: balancing_bias(np.zeros(2), np.ones(2), rate=-1), ["rate=-1.0"])
    for wrong in ({"k": 0}, {"k": 2.0}, {"k": True}, {"scale": 0}, {"capacity": 0}, {"capacity": 2.5}, {"capacity": True}):
        check_refusal(lambda wrong=wrong: Routing(**wrong), [next(iter(wrong))])
    assert BlockConfig().feed_forward is feed_forward
