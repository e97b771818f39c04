"""The optimizer of a run: AdamW, whose weight decay leaves biases, norms and embeddings alone."""

import torch
from torch import nn

EMBEDDINGS = ("embedding", "positions", "class_token")  # as the modules of pencil.model call theirs


def decays(module, name, parameter):  # -> bool
    """Whether weight decay pulls this parameter of a module towards 0: a matrix or a kernel does, a vector and an embedding do not.

    nanoGPT lets everything of two dimensions or more decay, its embeddings too; minGPT leaves them out, as here.
    """
    return parameter.ndim >= 2 and not isinstance(module, nn.Embedding) and name not in EMBEDDINGS


def parameter_groups(model, weight_decay):  # -> list of dicts, as torch.optim takes them; a group of none is left out
    """The parameters that decay, then those that do not. One that several modules share belongs to the first of them."""
    groups, seen = ([], []), set()
    for module in model.modules():
        for name, parameter in module.named_parameters(recurse=False):
            if id(parameter) not in seen:
                seen.add(id(parameter))
                groups[not decays(module, name, parameter)].append(parameter)
    return [{"params": each, "weight_decay": decay} for each, decay in zip(groups, (weight_decay, 0.0), strict=True) if each]


def build_optimizer(model, config):  # module, TrainingConfig -> torch.optim.AdamW
    """AdamW with the settings of a run (Loshchilov and Hutter 2019)."""
    params = model.parameters() if config.decay_all else parameter_groups(model, config.weight_decay)
    settings = {"lr": config.lr, "betas": config.betas, "eps": config.eps, "weight_decay": config.weight_decay}
    return torch.optim.AdamW(params, **settings, fused=config.device != "mps")
