"""A mixture of experts against transformers' Mixtral block of the same size and weights, so that each token goes to the same experts."""

from functools import partial
from importlib.util import find_spec

import torch

from parts.contenders import forward, forward_backward, products_of, row, tidy
from pencil.model import Config, Experts
from pencil.reference import Routing, silu

N_EXPERTS, TOP_K = 8, 2  # as in Mixtral
PEERS = {"transformers' Mixtral block": "grouped_mm", "the same, a loop over experts": "eager"}  # peer: its experts_implementation


def mixtures(setting):
    """(ours, {peer's name: Mixtral's block}); a token's two experts together are as wide as a dense network."""
    from transformers import MixtralConfig
    from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock

    sizes = Config(
        setting.width,
        setting.heads,
        d_ff=2 * setting.width,
        n_experts=N_EXPERTS,
        gated=True,
        bias=False,
        activation=silu,
        feed_forward=Routing(TOP_K),
    )
    ours = Experts(sizes)
    weights = {"gate.weight": ours.router.weight, "experts.gate_up_proj": torch.cat([ours.gate, ours.up], 1), "experts.down_proj": ours.down}
    theirs = {"hidden_size": setting.width, "intermediate_size": sizes.d_ff, "num_local_experts": N_EXPERTS, "num_experts_per_tok": TOP_K}
    peers = {}
    for name, way in PEERS.items():
        if way == "grouped_mm" and setting.dtype == "float64":  # not supported by torch
            continue
        peers[name] = MixtralSparseMoeBlock(MixtralConfig(**theirs, experts_implementation=way))
        peers[name].load_state_dict(weights)
    return setting.place(ours), {name: setting.place(peer) for name, peer in peers.items()}


def mixture_rows(setting):
    """Forward, and forward and backward, against Mixtral's block and against its loop."""
    if find_spec("transformers") is None:
        return
    ours, peers = mixtures(setting)
    x, grad_output = (setting.draw(setting.batch, setting.length, setting.width) for _ in range(2))
    matrices = [matrix for stacked in (ours.up, ours.gate, ours.down) for matrix in stacked]
    each = setting.batch * setting.length * TOP_K // N_EXPERTS  # tokens per expert, if the load is uniform
    operations = 2 * each * sum(matrix.numel() for matrix in matrices)
    for back in (False, True):
        x.requires_grad_(back)
        what, least = f"experts {'there and back' if back else 'forward'}, eager", products_of(setting, matrices, each, back)
        for name, peer in peers.items():
            runs = [partial(forward_backward, module, module, x, grad_output) if back else partial(forward, module, x) for module in (ours, peer)]
            yield row(setting, what, name, runs, least, (3 if back else 1) * operations)
    tidy(setting)
