"""Mixture of experts (Shazeer et al. 2017; Mixtral, Jiang et al. 2024): a router, and the networks of all experts as grouped matrix products.

The choices are sorted by expert, so that the tokens of each expert are adjacent. Each layer of all experts is then one grouped matrix product,
and each token runs through its own experts only.
"""

from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from pencil import reference
from pencil.model.config import Config
from pencil.model.functional import activation_of
from pencil.model.module import Module, check_fit, config_of, init_std, named
from pencil.model.networks import FeedForward, check_layers, network
from pencil.note import scoped
from pencil.reference.contracts import numbers
from pencil.reference.networks import FeedForwardParams

SCORES = {reference.softmax: ("weights", partial(torch.softmax, dim=-1)), reference.sigmoid: ("prob", torch.sigmoid)}
GROUPED = (torch.float32, torch.bfloat16, torch.float16)  # what torch's grouped product takes, in rows of whole 16 bytes


class Router(nn.Module):
    """Scores all experts for each token, and picks the k best.

    Args:
        params: ExpertsParams, of which the shapes are used.
        routing: a Routing.
    """

    def __init__(self, params, routing):
        super().__init__()
        n_experts, d_model = params.router.shape
        if routing.k > n_experts:
            raise ValueError(f"k={routing.k} of {n_experts} experts; take at most {n_experts}")
        if routing.scores not in SCORES:
            name = getattr(routing.scores, "__name__", repr(routing.scores))
            raise ValueError(f"scores={name} has no torch form here; take softmax or sigmoid of pencil.reference")
        self.routing, (self.score_name, self.score) = routing, SCORES[routing.scores]
        self.weight = nn.Parameter(torch.randn(n_experts, d_model) * init_std(d_model))
        self.register_buffer(
            "bias", None if params.router_bias is None else torch.zeros(n_experts)
        )  # updated by `reference.balancing_bias`, not by gradients

    def forward(self, x, *, note=None):  # (..., d) -> (..., E), (..., k), (..., k)
        """The scores of all experts, the k chosen ones, the best first (of equal ones the first), and the weights of these."""
        k, normalize, scale = self.routing.k, self.routing.normalize, self.routing.scale
        probs = named(note, self.score_name, self.score(named(note, "logits", F.linear(x, self.weight))))
        biased = probs if self.bias is None else named(note, "biased", probs + self.bias)
        chosen = biased.sort(dim=-1, descending=True, stable=True).indices[..., :k]
        top = probs.gather(-1, chosen)
        total = top.sum(-1, keepdim=True)
        weights = (top / torch.where(total == 0, 1, total) if normalize else top) * scale  # a sum that underflows is 0
        if note is not None:
            zeros = torch.zeros_like(probs)
            note("top", zeros.scatter(-1, chosen, top))
            if normalize:
                note("top_sum", total)
            note("gates", zeros.scatter(-1, chosen, weights))
        return probs, chosen, weights


class Experts(Module):
    """A few of many feed-forward networks for each token, and a shared one for all where there is one.

    Args:
        sizes: a Config with `n_experts`, or ExpertsParams, of which the shapes are used.
        config: a BlockConfig whose `feed_forward` is a Routing; its `activation` is used as well.

    Raises ValueError without a Routing, for weights that do not fit one another, for fewer experts than are picked, and for an activation or
    scores without a torch form.
    """

    def __init__(self, sizes, config=None):
        super().__init__()
        config = config_of(sizes, config)
        params = sizes.feed_forward_params() if isinstance(sizes, Config) else sizes
        if not isinstance(config.feed_forward, reference.Routing):
            raise ValueError(
                "nothing says how many experts a token runs through; give the config a Routing: replace(config, feed_forward=Routing(k=2))"
            )
        _check_matrices(params)
        self.router = Router(params, config.feed_forward)
        self.up, self.down, self.gate = (None if grid is None else _new(grid.shape) for grid in (params.up, params.down, params.gate))
        self.shared = None if params.shared is None else FeedForward(params.shared, config)
        self.activation, self.capacity = activation_of(config), config.feed_forward.capacity

    def forward(self, x, *, padding_mask=None, note=None):  # (..., d) (...) -> (..., d)
        """The output for each row. Names and errors are those of `pencil.reference.mixture_of_experts`.

        With a note every choice is computed and named, and those beyond an expert's capacity have weight 0; without a note they are skipped.
        `padding_mask` is False for padding, to which experts with a capacity give no place.
        """
        rows, n_experts = x.reshape(-1, x.shape[-1]), len(self.up)
        _, chosen, weights = self.router(x, note=scoped(note, "router"))
        k = chosen.shape[-1]
        flat = chosen.reshape(-1, k).T.reshape(-1)  # the first choices of all tokens, then the second ones
        order, counts = flat.argsort(stable=True), F.one_hot(flat, n_experts).sum(0)
        if self.capacity is not None:
            is_token = torch.ones(len(rows), dtype=torch.bool, device=x.device) if padding_mask is None else padding_mask.reshape(-1)
            weights, order, counts = self._within_capacity(weights, flat, order, counts, is_token, note)
        choice_note = _unsorted(note, order, chosen.shape)
        layers = (partial(grouped_linear, weight=grid, counts=counts) if grid is not None else None for grid in (self.up, self.down, self.gate))
        token = order % len(rows)
        written = network(rows.index_select(0, token), *layers, activation=self.activation, note=choice_note)
        weighted = named(choice_note, "weighted", weights.reshape(-1, k).T.reshape(-1, 1)[order] * written)
        out = torch.zeros_like(rows).index_add(0, token, weighted).reshape(x.shape)
        return named(note, "mlp_out", out if self.shared is None else out + self.shared(x, note=scoped(note, "shared")))

    def _within_capacity(self, weights, flat, order, counts, is_token, note):  # the same without padding and the choices beyond the capacity
        queued, first = is_token[order % len(is_token)], (counts.cumsum(0) - counts)[flat[order]]  # the first choice of its expert
        before = queued.cumsum(0) - queued.long()
        place = (before - before[first] + 1) * queued
        kept = queued & (place <= self.capacity)
        if note is None:
            return weights, order[kept], torch.zeros_like(counts).index_add(0, flat[order], kept.long())

        def in_order(sorted_values):  # sorted by expert -> as the tokens come
            return torch.empty_like(sorted_values).scatter(0, order, sorted_values).reshape(weights.shape[-1], -1).T.reshape(weights.shape)

        note("place", in_order(place))
        return note("kept", torch.where(in_order(kept), weights, 0)), order, counts

    def arrays(self):
        """router, up, down, and where there are any gate, router_bias and shared.…"""
        shared = {} if self.shared is None else {f"shared.{name}": array for name, array in self.shared.arrays().items()}
        grids = {"router": self.router.weight, "up": self.up, "down": self.down, "gate": self.gate, "router_bias": self.router.bias}
        return {name: array for name, array in grids.items() if array is not None} | shared

    def residual_weights(self):
        """The matrices that write into the residual stream."""
        return [self.down, *([] if self.shared is None else self.shared.residual_weights())]


def limited(model):  # module -> bool
    """Whether any experts in it have a capacity, so that the output of a token depends on others; see `Routing`."""
    return any(isinstance(module, Experts) and module.capacity is not None for module in model.modules())


def grouped_linear(x, *, weight, counts):  # (rows, d_in), (groups, d_out, d_in), (groups,) -> (rows, d_out)
    """A linear layer with a matrix for each group of rows, `counts` rows a group: torch's grouped product, or a loop where it is not supported."""
    aligned = all(size * x.element_size() % 16 == 0 for size in weight.shape[1:])
    if aligned and x.dtype in GROUPED and x.device.type in ("cpu", "cuda") and hasattr(F, "grouped_mm") and not torch.compiler.is_compiling():
        out = F.grouped_mm(x, weight.mT, offs=counts.cumsum(0, dtype=torch.int32))
        if out.requires_grad:
            out.register_hook(torch.Tensor.contiguous)  # its backward refuses a gradient of strides 0, such as that of sum()
        return out
    return torch.cat([part @ own.T for part, own in zip(x.split(counts.tolist()), weight, strict=True)])


def _check_matrices(params):
    n_experts, width = np.shape(numbers(params.router))
    for name in ("up", "down", "gate"):
        shape = np.shape(numbers(getattr(params, name)))
        if shape and (len(shape) != 3 or shape[0] != n_experts):
            raise ValueError(f"{name} {shape} is not (experts, numbers out, numbers in) with the router's {n_experts} experts")
    up, down, gate = (None if grid is None else numbers(grid)[0] for grid in (params.up, params.down, params.gate))
    check_layers(FeedForwardParams(up, down, gate=gate))  # all experts have the sizes of the first
    check_fit("the row", width, "the up projection", up)
    if params.shared is not None:
        check_fit("the row", width, "the up projection of the shared expert", params.shared.up)


def _new(shape):  # (groups, d_out, d_in) -> Parameter
    return nn.Parameter(torch.randn(shape) * init_std(shape[-1]))


def _unsorted(note, order, shape):  # a note of values sorted by expert, which names them in the order of the tokens, as choice1.…, choice2.…
    if note is None:
        return None
    inverse = order.argsort()

    def choice_note(name, value):
        for number, choice in enumerate(value[inverse].reshape(shape[-1], *shape[:-1], -1), start=1):
            note(f"choice{number}.{name}", choice)
        return value

    return choice_note
