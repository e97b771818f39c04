"""How much a word moves the answer, by its position: the norm of the logit's gradient with respect to the word's embedding."""

import numpy as np
import torch

from pencil.experiments.contest.encoding import Encoded


def gradient_norms(model, ids):  # model, (texts, T) without padding -> (T,) mean norm of the gradient at each position
    """The gradient saliency of each position (Simonyan et al. 2013), in eval mode.

    Each word of each text gets a row of its own in a temporary embedding table, so that a word that stands twice is
    counted at each of its positions. Raises ValueError for rows with padding.
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
        with torch.enable_grad(), torch.backends.cudnn.flags(enabled=False):  # in eval mode cuDNN's RNNs have no backward pass
            grads = torch.autograd.grad(model.logit(own_ids).sum(), own)[0]
    finally:
        model.embedding = shared
    return grads[1:].norm(dim=-1).view(texts, length).mean(0).cpu().numpy()


def late_to_early(norms, ends=10):  # (T,) -> how many times the mean of the first `ends` positions that of the last ones is
    """How much more the end of a text moves the answer than its beginning; one position alone would stray too much."""
    return np.mean(norms[-ends:]) / np.mean(norms[:ends])


def full_rows(encoded: Encoded, count=200):  # -> (at most count, max_len)
    """The first rows of a split that have no padding."""
    return encoded.ids[np.flatnonzero(encoded.lengths == encoded.ids.shape[1])[:count]]
