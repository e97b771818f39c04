"""Gradient saliency by position: the norm of the logit's gradient with respect to the embedding of each word."""

import numpy as np
import torch

from pencil.experiments.contest.encoding import Encoded


def gradient_norms(model, ids):  # model, (texts, T) without padding -> (T,)
    """The mean norm of the gradient at each position (Simonyan et al. 2013), in eval mode.

    Each word of each text gets its own row in a temporary embedding table, so that repeated words have separate gradients.
    Raises ValueError for rows with padding.
    """
    if not (ids != 0).all():
        raise ValueError("a row with padding has its words at other positions than the rest; hand in full rows only")
    texts, length = ids.shape
    shared = model.embedding
    own = torch.nn.Parameter(torch.cat([shared.detach()[:1], shared.detach()[torch.from_numpy(ids).long().flatten()]]))
    own_ids = torch.arange(1, len(own), device=own.device).view(texts, length)
    model.eval()
    try:
        model.embedding = own
        with torch.enable_grad(), torch.backends.cudnn.flags(enabled=False):  # cuDNN's RNNs have no backward pass in eval mode
            grads = torch.autograd.grad(model.logit(own_ids).sum(), own)[0]
    finally:
        model.embedding = shared
    return grads[1:].norm(dim=-1).view(texts, length).mean(0).cpu().numpy()


def late_to_early(norms, ends=10):  # (T,) -> float
    """The mean of the last `ends` norms over the mean of the first `ends`; single positions are too noisy."""
    return np.mean(norms[-ends:]) / np.mean(norms[:ends])


def full_rows(encoded: Encoded, count=200):  # -> (at most count, max_len)
    """The first `count` rows without padding."""
    return encoded.ids[np.flatnonzero(encoded.lengths == encoded.ids.shape[1])[:count]]
