"""AdamW with two parameter groups: biases, norms and embeddings get no weight decay."""

import torch
from torch import nn

EMBEDDINGS = ("embedding", "positions", "class_token")  # names of embedding parameters in pencil.model


def decays(module, name, parameter):  # -> bool
    """Whether a parameter gets weight decay: matrices and kernels do, vectors and embeddings do not.

    minGPT does the same; nanoGPT decays embeddings too.
    """
    return parameter.ndim >= 2 and not isinstance(module, nn.Embedding) and name not in EMBEDDINGS


def parameter_groups(model, weight_decay):  # -> list of dicts for torch.optim
    """The parameters with weight decay, then those without; empty groups are left out.

    A parameter that several modules share is grouped by the first of them.
    """
    groups, seen = ([], []), set()
    for module in model.modules():
        for name, parameter in module.named_parameters(recurse=False):
            if id(parameter) not in seen:
                seen.add(id(parameter))
                groups[not decays(module, name, parameter)].append(parameter)
    return [{"params": each, "weight_decay": decay} for each, decay in zip(groups, (weight_decay, 0.0), strict=True) if each]


def build_optimizer(model, config):  # module, TrainingConfig -> torch.optim.AdamW
    """AdamW (Loshchilov and Hutter 2019) with the settings of a run."""
    params = model.parameters() if config.decay_all else parameter_groups(model, config.weight_decay)
    settings = {"lr": config.lr, "betas": config.betas, "eps": config.eps, "weight_decay": config.weight_decay}
    return torch.optim.AdamW(params, **settings, fused=config.device != "mps")
