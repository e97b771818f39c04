"""Mixture of experts: many feed-forward networks, of which a router picks a few for each token; and load balancing.

The papers: Shazeer et al. 2017 (arXiv 1701.06538), Switch (Fedus et al. 2021, arXiv 2101.03961), Mixtral (Jiang et al. 2024, arXiv 2401.04088),
DeepSeekMoE (Dai et al. 2024, arXiv 2401.06066), balance without a loss (Wang et al. 2024, arXiv 2408.15664), and DeepSeek-V3 (arXiv 2412.19437).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import Array, check_number, check_size, numbers, shapes
from pencil.reference.functional import linear, relu, softmax
from pencil.reference.networks import FeedForwardParams, feed_forward, network


@dataclass(frozen=True)
class ExpertsParams:
    """The parameters of a mixture of experts: the router, and the weights of all experts in one array each."""

    router: Array  # (n_experts, d_model)
    up: Array  # (n_experts, d_ff, d_model)
    down: Array  # (n_experts, d_model, d_ff)
    gate: Array | None = None  # (n_experts, d_ff, d_model)
    router_bias: Array | None = None  # (n_experts,), added where experts are chosen and nowhere else; see `balancing_bias`
    shared: FeedForwardParams | None = None  # a network that every token runs through


@dataclass(frozen=True)
class Routing:
    """How tokens are routed. A `BlockConfig` takes it as its `feed_forward`.

    With a capacity the output of a token depends on the other tokens of the call, for k above 1 also on later ones (see `queue_places`):
    a decoder is then not causal, a text depends on the others of its batch, and the models refuse a cache. Use it in training, not to generate.
    Raises ValueError for k or a capacity that is no whole number of 1 or more, and for a scale that is not above 0.
    """

    k: int = 2  # experts for each token
    scores: Callable = softmax  # or sigmoid (DeepSeek-V3)
    normalize: bool = True  # the chosen scores are divided by their sum (Mixtral, DeepSeek-V3), or not (Switch)
    scale: float = 1.0  # multiplies the experts' outputs (DeepSeek-V3: 2.5)
    capacity: int | None = None  # the most tokens that an expert takes; None is no limit

    def __post_init__(self):
        check_size("k", self.k)
        check_size("capacity", 1 if self.capacity is None else self.capacity)
        check_number("scale", self.scale, above=0)

    def __call__(self, x, params, *, padding_mask=None, activation=relu, note=no_note):
        """Take the place of `feed_forward` in a block: a mixture of experts, or for FeedForwardParams (DeepSeek-V3's first three blocks) the MLP."""
        if isinstance(params, FeedForwardParams):
            return feed_forward(x, params, activation=activation, note=note)
        return mixture_of_experts(x, params, routing=self, padding_mask=padding_mask, activation=activation, note=note)


@shapes("... d, params.router: E d, params.router_bias?: E -> ... E, ... k, ... E")
def route(x, params, *, routing=Routing(), note=no_note):
    """Score all experts for each token, and choose the k best.

    - `x`: (..., d), one row for each token
    - `params`: ExpertsParams, of which the router is used
    - `routing`: see `Routing`

    Returns the scores (..., n_experts); the indices of the chosen experts (..., k), the best first, of equal ones the first; and the gates
    (..., n_experts), the weights of the experts, 0 for those not chosen. The router's bias counts for the choice and not for the gates.
    Where all chosen scores underflow to 0, the gates are 0 (as with DeepSeek-V3's 1e-20 in the divisor).
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
    "params.shared.up?: d_shared d, padding_mask?: bool ... -> ... d"
)
def mixture_of_experts(x, params, *, routing=Routing(), padding_mask=None, activation=relu, note=no_note):
    """The outputs of the chosen experts of each token, weighted by their gates and summed.

    - `x`: (..., d), one row for each token
    - `params`: ExpertsParams
    - `routing`: how tokens are routed; see `Routing`
    - `padding_mask`: (...), False for padding, to which experts with a capacity give no place; None where there is none
    - `activation`: as in `feed_forward`

    An expert with a capacity drops the tokens beyond it, and adds nothing to them (Switch, section 2.2). The values of a token's best expert
    are named choice1.…, those of the next choice2.… . A shared network runs for all tokens, and has no gate (DeepSeekMoE).
    Source: Shazeer et al. 2017, equation 1; Mixtral (Jiang et al. 2024), section 2.1. Raises ValueError as `route` and `feed_forward` do.
    """
    _, chosen, gates = route(x, params, routing=routing, note=scoped(note, "router"))
    weights = np.take_along_axis(gates, chosen, -1)
    if routing.capacity is not None:
        places = queue_places(chosen, n_experts=len(params.router), padding_mask=padding_mask, note=note)
        weights = np.where(places <= routing.capacity, weights, 0)
        weights = note("kept", weights if padding_mask is None else np.where(padding_mask[..., None], weights, 0))
    parts = []
    for k in range(routing.k):
        up, down, gate = (None if weight is None else _own_linear(weight[chosen[..., k]]) for weight in (params.up, params.down, params.gate))
        choice = scoped(note, f"choice{k + 1}")
        written = network(x, up, down, gate, activation=activation, note=choice)
        parts.append(choice("weighted", weights[..., k : k + 1] * written))
    if params.shared is not None:
        parts.append(feed_forward(x, params.shared, activation=activation, note=scoped(note, "shared")))
    return note("mlp_out", sum(parts[1:], parts[0]))


@shapes("int ... k, padding_mask?: bool ... -> ... k")
def queue_places(chosen, *, n_experts, padding_mask=None, note=no_note):
    """The place of each token in the queue of its expert, from 1: the first choices of all tokens come before the second ones.

    - `chosen`: (..., k), the experts of each token, as `route` returns them
    - `n_experts`: how many experts there are
    - `padding_mask`: (...), False for padding, which is in no queue: its place is 0

    With one choice for each token the queue follows the order of the text, so the last tokens are dropped. With more, the first choice of a
    later token comes before the second choice of an earlier one, and can displace it: the output of a token then depends on later ones. All
    tokens of a batch share a queue. Source: Lepikhin et al. 2020 (GShard, arXiv 2006.16668), algorithm 1, without its random second
    choices; with one choice: Fedus et al. 2021, section 2.2. Raises ValueError for an expert that does not exist.
    """
    hits = _one_hot(chosen, n_experts)
    hits = np.moveaxis(hits if padding_mask is None else np.where(padding_mask[..., None, None], hits, 0), -2, 0)  # (k, ..., E)
    places = np.cumsum(hits.reshape(-1, n_experts), axis=0).reshape(hits.shape)
    return note("place", np.moveaxis((places * hits).sum(-1), 0, -1))


@shapes("... E, int ... k, padding_mask?: bool ... -> ()")
def load_balancing_loss(probs, chosen, *, padding_mask=None, note=no_note):
    """The load balancing loss: E · Σ (fraction of the choices · mean score) over the E experts. It is 1 for an even load, and E for a single expert.

    - `probs`: (..., n_experts), the scores of each token, which add up to 1, as those of softmax; divide sigmoid's by their sum first,
      as DeepSeek-V3 does
    - `chosen`: (..., k), its experts
    - `padding_mask`: (...), False for padding, which does not count; None where there is none

    Source: Switch (Fedus et al. 2021), equations 4 to 6, without its factor α. With k choices a token, transformers' `load_balancing_loss_func`
    is k times this for one layer: it divides the counts by the tokens, and not by the choices. For several layers it pools all tokens first,
    which is not the mean of the layers' losses. Raises ValueError for an expert that does not exist, and for padding alone.
    """
    n_experts = probs.shape[-1]
    probs, chosen = probs.reshape(-1, n_experts), chosen.reshape(-1, chosen.shape[-1])
    if padding_mask is not None:
        tokens = np.flatnonzero(padding_mask)
        if not tokens.size:
            raise ValueError("all positions are padding: there is no token to count; leave such a batch out")
        probs, chosen = probs[tokens], chosen[tokens]
    counts = note("counts", _one_hot(chosen, n_experts).reshape(-1, n_experts).sum(0))
    fraction = note("fraction", counts / chosen.size)
    mean_probs = note("mean_probs", probs.mean(0))
    products = note("products", fraction * mean_probs)
    return note("balance_loss", n_experts * products.sum())


@shapes("E, E -> E")
def balancing_bias(bias, counts, *, rate, note=no_note):
    """The router's bias after a training step: raised by `rate` for each expert below the mean count, lowered for each above it.

    - `bias`: (n_experts,), the router's bias so far
    - `counts`: (n_experts,), how many tokens each expert had in this step
    - `rate`: the size of the change

    Source: Wang et al. 2024, algorithm 1. Raises ValueError for a rate below 0.
    """
    check_number("rate", rate, least=0)
    gap = note("gap", counts.mean() - counts)
    return note("new_bias", bias + rate * (np.where(gap > 0, 1, 0) - np.where(gap < 0, 1, 0)))


def _or_one(total):  # a divisor, with 1 in place of 0
    return total if numbers(total).all() else np.where(total == 0, 1, total)


def _own_linear(weight):  # (..., d_out, d_in), a matrix for each row -> a function of (..., d_in)
    return lambda x: (weight @ x[..., None])[..., 0]


def _one_hot(chosen, n_experts):  # (..., k) -> (..., k, E)
    if ((numbers(chosen) < 0) | (numbers(chosen) >= n_experts)).any():
        raise ValueError(f"chosen={numbers(chosen).tolist()} of {n_experts} experts, which are 0 to {n_experts - 1}")
    return np.stack([np.where(np.equal(chosen, expert), 1, 0) for expert in range(n_experts)], -1)
