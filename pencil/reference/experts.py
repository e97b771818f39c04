"""Mixture of experts: many feed-forward networks, of which a router picks a few for each token; and what keeps all of them at work.

The papers: Shazeer et al. 2017 (arXiv 1701.06538), Switch (Fedus et al. 2021, arXiv 2101.03961), Mixtral (Jiang et al. 2024, arXiv 2401.04088),
DeepSeekMoE (Dai et al. 2024, arXiv 2401.06066), balance without a loss (Wang et al. 2024, arXiv 2408.15664), and DeepSeek-V3 (arXiv 2412.19437).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import check_number, check_size, numbers, shapes
from pencil.reference.functional import linear, relu, softmax
from pencil.reference.networks import FeedForwardParams, feed_forward, network


@dataclass(frozen=True)
class ExpertsParams:
    """The router and the networks of a mixture, those of all experts in one array."""

    router: object  # (n_experts, d_model)
    up: object  # (n_experts, d_ff, d_model)
    down: object  # (n_experts, d_model, d_ff)
    gate: object = None  # (n_experts, d_ff, d_model)
    router_bias: object = None  # (n_experts,), added where experts are chosen and nowhere else; see `balancing_bias`
    shared: FeedForwardParams | None = None  # a network that is at work for every token


@dataclass(frozen=True)
class Routing:
    """How tokens are routed: what is chosen and not learned. In a `BlockConfig` it stands where `feed_forward` does otherwise.

    With a capacity what is written for a token depends on the other tokens of the call, for k above 1 also on later ones (see `queue_places`):
    a decoder is then not causal, a text depends on the others of its batch, and the models refuse a cache. Train with it, and write without.
    Raises ValueError for k or a capacity that is no whole number of 1 or more, and for a scale that is not above 0.
    """

    k: int = 2  # how many experts are at work for a token
    scores: Callable = softmax  # or sigmoid (DeepSeek-V3)
    normalize: bool = True  # the chosen scores are divided by their sum (Mixtral, DeepSeek-V3), or not (Switch)
    scale: float = 1.0  # multiplies what the experts write (DeepSeek-V3: 2.5)
    capacity: int | None = None  # how many tokens an expert takes; None is all

    def __post_init__(self):
        check_size("k", self.k)
        check_size("capacity", 1 if self.capacity is None else self.capacity)
        check_number("scale", self.scale, above=0)

    def __call__(self, x, params, *, activation=relu, note=no_note):
        """What stands in for `feed_forward`: a mixture of experts. A block that has a plain network (DeepSeek-V3's first three) keeps it."""
        if isinstance(params, FeedForwardParams):
            return feed_forward(x, params, activation=activation, note=note)
        return mixture_of_experts(x, params, routing=self, activation=activation, note=note)


@shapes("... d, params.router: E d, params.router_bias?: E -> ... E, ... k, ... E")
def route(x, params, *, routing=Routing(), note=no_note):
    """Score all experts for each token and pick the k best: their scores, who is chosen, and the gates: how much of each chosen one counts.

    - `x`: (..., d), one row for each token
    - `params`: ExpertsParams, of which the router is used
    - `routing`: see `Routing`

    Returns the scores (..., n_experts), the experts (..., k) from the best on, counted from 0, and the gates (..., n_experts), 0 for those
    not chosen. Of equal ones the first is chosen. The router's bias is added for the choice, and the gates do without it.
    Where all chosen scores are too small for floats, so that their sum is 0, the gates are 0 (as with DeepSeek-V3's 1e-20 in the divisor).
    Source: Shazeer et al. 2017, section 2.1 (without its noise); the bias: Wang et al. 2024. Raises ValueError for fewer experts than k.
    """
    if routing.k > (n_experts := len(params.router)):
        raise ValueError(f"k={routing.k} of {n_experts} experts; take at most {n_experts}")
    probs = routing.scores(note("logits", linear(x, params.router)), note=note)
    favoured = probs if params.router_bias is None else note("biased", probs + params.router_bias)
    order = np.argsort(-favoured, axis=-1, kind="stable")
    top = note("top", np.where(np.argsort(order, axis=-1, kind="stable") < routing.k, probs, 0))
    gates = top / _or_one(note("top_sum", top.sum(-1, keepdims=True))) if routing.normalize else top
    return probs, order[..., : routing.k], note("gates", gates if routing.scale == 1 else gates * routing.scale)


@shapes(
    "... d, params.router: E d, params.router_bias?: E, params.up: E d_ff d, params.gate?: E d_ff d, params.down: E d d_ff, "
    "params.shared.up?: d_shared d -> ... d"
)
def mixture_of_experts(x, params, *, routing=Routing(), activation=relu, note=no_note):
    """A few of many feed-forward networks for each token: what they write, each times its gate, added up.

    - `x`: (..., d), one row for each token
    - `params`: ExpertsParams
    - `routing`: how tokens are routed; see `Routing`
    - `activation`: as in `feed_forward`

    Source: Shazeer et al. 2017, equation 1; Mixtral (Jiang et al. 2024), section 2.1.
    Where an expert has a capacity, tokens behind it are dropped: it writes nothing for them (Switch, section 2.2). The values of a token's
    best expert are named choice1.…, those of the next choice2.… . A shared network is at work for all tokens, and has no gate (DeepSeekMoE).
    Raises ValueError as `route` and `feed_forward` do.
    """
    _, chosen, gates = route(x, params, routing=routing, note=scoped(note, "router"))
    weights = np.take_along_axis(gates, chosen, -1)
    if routing.capacity is not None:
        weights = note("kept", np.where(queue_places(chosen, n_experts=len(params.router), note=note) <= routing.capacity, weights, 0))
    parts = []
    for k in range(routing.k):
        own = FeedForwardParams(*(None if grid is None else grid[chosen[..., k]] for grid in (params.up, params.down)))
        gate = None if params.gate is None else params.gate[chosen[..., k]]
        choice = scoped(note, f"choice{k + 1}")
        written = network(x, *map(_own_linear, (own.up, own.down, gate)), activation=activation, note=choice)
        parts.append(choice("weighted", weights[..., k : k + 1] * written))
    if params.shared is not None:
        parts.append(feed_forward(x, params.shared, activation=activation, note=scoped(note, "shared")))
    return note("mlp_out", sum(parts[1:], parts[0]))


@shapes("int ... k -> ... k")
def queue_places(chosen, *, n_experts, note=no_note):
    """Which token of its expert each one is, counted from 1: the first choices of all tokens come before the second ones.

    - `chosen`: (..., k), the experts of each token, as `route` returns them
    - `n_experts`: how many experts there are

    With one choice for each token the places follow the order of the text, so that who is dropped for want of room comes late in it. With more,
    the first choice of a later token stands before the second choice of an earlier one, and can take its room: what is written for a token then
    depends on later ones. The tokens of a batch stand in one line. Source: Lepikhin et al. 2020 (GShard, arXiv 2006.16668), algorithm 1,
    without its drawing of second choices; with one choice: Fedus et al. 2021, section 2.2. Raises ValueError for an expert that there is not.
    """
    hits = np.moveaxis(_one_hot(chosen, n_experts), -2, 0)  # (k, ..., E)
    places = np.cumsum(hits.reshape(-1, n_experts), axis=0).reshape(hits.shape)
    return note("place", np.moveaxis((places * hits).sum(-1), 0, -1))


@shapes("... E, int ... k -> ()")
def load_balancing_loss(probs, chosen, *, note=no_note):
    """How unevenly experts are loaded: their number times the sum of (part of all choices · mean score). Even is 1, and one for all is E.

    - `probs`: (..., n_experts), the scores of each token, which add up to 1, as those of softmax; divide sigmoid's by their sum first,
      as DeepSeek-V3 does
    - `chosen`: (..., k), its experts

    Source: Switch (Fedus et al. 2021), equations 4 to 6, without its factor α. With k choices a token, transformers' `load_balancing_loss_func`
    is k times this for one layer: it divides the counts by the tokens, and not by the choices. Of several layers it first puts all tokens
    together, which is not the mean of the layers' losses. Raises ValueError for an expert that there is not.
    """
    n_experts = probs.shape[-1]
    counts = note("counts", _one_hot(chosen, n_experts).reshape(-1, n_experts).sum(0))
    fraction = note("fraction", counts / chosen.size)
    mean_probs = note("mean_probs", probs.reshape(-1, n_experts).mean(0))
    products = note("products", fraction * mean_probs)
    return note("balance_loss", n_experts * products.sum())


@shapes("E, E -> E")
def balancing_bias(bias, counts, *, rate, note=no_note):
    """The router's bias after a step: a fixed bit more for each expert below the mean count, a bit less for each above.

    - `bias`: (n_experts,), the router's bias so far
    - `counts`: (n_experts,), how many tokens each expert had in this step
    - `rate`: the bit

    Source: Wang et al. 2024, algorithm 1. Raises ValueError for a rate below 0.
    """
    check_number("rate", rate, least=0)
    gap = note("gap", counts.mean() - counts)
    return note("new_bias", bias + rate * (np.where(gap > 0, 1, 0) - np.where(gap < 0, 1, 0)))


def _or_one(total):  # a divisor that is not 0
    return total if numbers(total).all() else np.where(total == 0, 1, total)


def _own_linear(weight):  # (..., d_out, d_in), a matrix for each row -> a function of (..., d_in), or None
    return None if weight is None else partial(lambda weight, x: (weight @ x[..., None])[..., 0], weight)


def _one_hot(chosen, n_experts):  # (..., k) -> (..., k, E)
    if ((numbers(chosen) < 0) | (numbers(chosen) >= n_experts)).any():
        raise ValueError(f"chosen={numbers(chosen).tolist()} of {n_experts} experts, which are 0 to {n_experts - 1}")
    return np.stack([np.where(np.equal(chosen, expert), 1, 0) for expert in range(n_experts)], -1)
