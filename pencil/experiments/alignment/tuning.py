"""Fine-tuning on a preference: supervised (SFT, on good answers), DPO on pairs, REINFORCE with a baseline, and GRPO.

Each changes the model in place.
"""

from dataclasses import dataclass

import torch

from pencil.experiments.alignment.answers import write_answers
from pencil.model.preference import clipped_objective, dpo_loss, grpo_advantages, kl_estimate, masked_cross_entropy


@dataclass(frozen=True)
class Tuning:
    """The hyperparameters of a run.

    Args:
        steps: optimizer steps; for GRPO and REINFORCE, rounds of sampling.
        batch: answers or pairs in a step; for GRPO and REINFORCE, the size of a group.
        lr: learning rate of Adam.
        beta: beta of DPO, or the weight of GRPO's KL term.
        updates: optimizer steps of GRPO per group.
        eps: GRPO clips the probability ratio to 1 ± eps.
        normalize: whether advantages are divided by the group's standard deviation.
    """

    steps: int
    batch: int = 64
    lr: float = 3e-4
    beta: float = 0.0
    updates: int = 1
    eps: float = 0.2
    normalize: bool = True


def sft(writer, good, tuning, generator):  # TinyGPT, Answers -> [loss]
    """Supervised fine-tuning on answers that meet the preference; prompt tokens have no loss. Returns the loss of each step."""

    def loss(index):
        some = good.take(index)
        return masked_cross_entropy(some.log_probs(writer.model), some.mask.float())

    return _descend(writer.model, loss, len(good), tuning, generator)


def dpo(writer, reference, chosen, rejected, tuning, generator):  # TinyGPT, model, Answers, Answers -> [loss]
    """DPO: answer i of `chosen` was preferred to answer i of `rejected`; `reference` is the frozen model. Returns the loss of each step."""
    with torch.no_grad():
        ref_chosen, ref_rejected = (each.log_probs(reference).sum(-1) for each in (chosen, rejected))

    def loss(index):
        now = [each.take(index).log_probs(writer.model).sum(-1) for each in (chosen, rejected)]
        return dpo_loss(*now, ref_chosen[index], ref_rejected[index], beta=tuning.beta).mean()

    return _descend(writer.model, loss, len(chosen), tuning, generator)


def grpo(writer, reference, tuning, generator):  # TinyGPT, model -> [mean reward of each group]
    """GRPO; with `normalize=False, beta=0, updates=1` it is REINFORCE with the group's mean reward as the baseline."""
    model, met = writer.model, []
    optimizer = torch.optim.Adam(model.parameters(), lr=tuning.lr)
    for _ in range(tuning.steps):
        group = write_answers(writer, tuning.batch, generator)
        met.append(group.rewards.mean().item())
        advantages = grpo_advantages(group.rewards) if tuning.normalize else group.rewards - group.rewards.mean()
        with torch.no_grad():
            old, anchor = group.log_probs(model), group.log_probs(reference)
        for _ in range(tuning.updates):
            now = group.log_probs(model)
            objective = clipped_objective(now, old, advantages[:, None].expand_as(now), eps=tuning.eps)
            objective = (objective - tuning.beta * kl_estimate(now, anchor)) * group.mask
            _step(optimizer, -(objective.sum(-1) / group.mask.sum(-1)).mean())  # mean over an answer's tokens, then over the answers
    return met


def _descend(model, loss, count, tuning, generator):  # `loss` is a function of the indices of a batch -> [loss of each step]
    optimizer, losses = torch.optim.Adam(model.parameters(), lr=tuning.lr), []
    for _ in range(tuning.steps):
        index = torch.randint(count, (tuning.batch,), generator=generator)
        losses.append(_step(optimizer, loss(index)))
    return losses


def _step(optimizer, loss):  # -> float
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    return loss.item()
