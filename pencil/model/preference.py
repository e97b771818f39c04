"""The losses that make a chatbot of a writer, in torch: the twins of `pencil.reference.preference`, for batches."""

import torch
import torch.nn.functional as F

from pencil.model.masks import can_inspect
from pencil.model.module import named
from pencil.note import scoped
from pencil.reference.functional import NOISE
from pencil.reference.preference import check_group


def token_log_probs(logits, ids, *, note=None):  # (..., T, V), (..., T) -> (..., T)
    """The log-probability of each token that came, from the logits before it: torch's log_softmax.

    It has a number also where the probability is 0 in floats and the reference refuses: −800 for the logits [0, −800] and the id 1.
    torch raises its own error for an id outside the vocabulary.
    """
    log_probs = logits.log_softmax(-1)
    if note is not None:
        note("weights", log_probs.exp())
    log_prob = log_probs.gather(-1, ids[..., None])[..., 0]
    if note is not None:
        note("prob", log_prob.exp())
    return named(note, "log_prob", log_prob)


def masked_cross_entropy(log_probs, mask, *, note=None):  # (...), (...) -> ()
    """The mean loss of the tokens that the mask lets count: those of the answer. A masked −∞ does not count either.

    Raises ValueError for a mask that holds anything but 0 and 1, and for one that lets nothing count. Where `can_inspect` is False the mask
    is not looked at: it has to hold 0 and 1, and where it lets nothing count the loss is 0.
    """
    if can_inspect(mask):
        if not ((mask == 0) | (mask == 1)).all():
            raise ValueError(f"the mask is {mask.tolist()}; write 1 where a token counts and 0 elsewhere")
        if not mask.any():
            raise ValueError("the mask lets no token count, and the mean of nothing is no number; let at least one count")
    counted = named(note, "counted", named(note, "token_loss", -log_probs).masked_fill(mask == 0, 0))
    return named(note, "loss", counted.sum() / named(note, "count", mask.sum()).clamp_min(1))


def dpo_loss(chosen, rejected, ref_chosen, ref_rejected, *, beta=0.1, note=None):  # (...) four times -> (...)
    """Direct preference optimization (Rafailov et al. 2023, eq. 7): −ln of the probability that the chosen answer wins; one loss for each pair.

    Raises ValueError for a beta that is not above 0.
    """
    if beta <= 0:
        raise ValueError(f"beta={beta}; it must be above 0")
    chosen_ratio = named(note, "chosen_ratio", chosen - ref_chosen)
    rejected_ratio = named(note, "rejected_ratio", rejected - ref_rejected)
    logit = named(note, "logit", beta * named(note, "margin", chosen_ratio - rejected_ratio))
    if note is not None:
        scoped(note, "win")("prob", logit.sigmoid())
    return named(note, "loss", -F.logsigmoid(logit))


def grpo_advantages(rewards, *, ddof=0, eps=0.0, note=None):  # (..., G) -> (..., G)
    """(reward − mean) / standard deviation of each group, 0 where all rewards of a group are equal; `ddof` and `eps` as in the reference.

    Raises ValueError for a ddof that leaves nothing to divide by.
    """
    size = rewards.shape[-1]
    check_group(size, ddof)
    mean = named(note, "mean", rewards.mean(-1, keepdim=True))
    deviation = named(note, "deviation", rewards - mean)
    square_sum = named(note, "square_sum", deviation.square().sum(-1, keepdim=True))
    std = named(note, "std", named(note, "variance", square_sum / (size - ddof)).sqrt())
    flat = std <= (size + NOISE) * torch.finfo(rewards.dtype).eps * rewards.abs().amax(-1, keepdim=True)
    return named(note, "advantage", torch.where(flat, 0, deviation / (std.masked_fill(flat, 1) + eps)))


def clipped_objective(log_prob, old_log_prob, advantage, *, eps=0.2, note=None):  # (...) three times -> (...)
    """The smaller of ratio · advantage and clipped ratio · advantage, token by token (Schulman et al. 2017, eq. 7)."""
    ratio = named(note, "ratio", (log_prob - old_log_prob).exp())
    clipped = named(note, "clipped", ratio.clamp(1 - eps, 1 + eps))
    return named(note, "objective", torch.minimum(named(note, "plain", ratio * advantage), named(note, "bounded", clipped * advantage)))


def kl_estimate(log_prob, ref_log_prob, *, note=None):  # (...), (...) -> (...)
    """An estimate of the KL divergence from the reference, token by token: r − ln r − 1 (Shao et al. 2024, eq. 4)."""
    log_ratio = named(note, "log_ratio", ref_log_prob - log_prob)
    return named(note, "kl", named(note, "ratio", log_ratio.exp()) - log_ratio - 1)
