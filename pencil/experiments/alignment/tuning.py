"""Four ways to teach a writer a wish: answers to copy, pairs of answers (DPO), and rewards (REINFORCE with a baseline, and GRPO).

Each changes the model of the writer in place.
"""

from dataclasses import dataclass

import torch

from pencil.experiments.alignment.answers import write_answers
from pencil.model.preference import clipped_objective, dpo_loss, grpo_advantages, kl_estimate, masked_cross_entropy


@dataclass(frozen=True)
class Tuning:
    """The choices of a run.

    Args:
        steps: of the optimizer, or of the rounds of sampling where a method samples.
        batch: answers (or pairs) in one step; where a method samples, the group.
        lr: learning rate of Adam.
        beta: of DPO; of GRPO the weight of the KL term.
        updates: steps that GRPO takes with one group.
        eps: where GRPO clips the ratio.
        normalize: whether the advantages are divided by the group's standard deviation.
    """

    steps: int
    batch: int = 64
    lr: float = 3e-4
    beta: float = 0.0
    updates: int = 1
    eps: float = 0.2
    normalize: bool = True


def imitate(writer, good, tuning, generator):  # TinyGPT, Answers -> [loss]
    """Supervised fine-tuning: copy the answers that meet the wish; the prompt's tokens do not count."""

    def loss(index):
        some = good.take(index)
        return masked_cross_entropy(some.log_probs(writer.model), some.mask.float())

    return _descend(writer.model, loss, len(good), tuning, generator)


def prefer(writer, reference, chosen, rejected, tuning, generator):  # TinyGPT, model, Answers, Answers -> [loss]
    """DPO on pairs: row i of `chosen` was preferred to row i of `rejected`."""
    with torch.no_grad():
        ref_chosen, ref_rejected = (each.log_probs(reference).sum(-1) for each in (chosen, rejected))

    def loss(index):
        now = [each.take(index).log_probs(writer.model).sum(-1) for each in (chosen, rejected)]
        return dpo_loss(*now, ref_chosen[index], ref_rejected[index], beta=tuning.beta).mean()

    return _descend(writer.model, loss, len(chosen), tuning, generator)


def reward(writer, reference, tuning, generator):  # TinyGPT, model -> [mean reward of each group]
    """GRPO: a group of answers, each with its advantage; `normalize=False, beta=0, updates=1` is REINFORCE with the mean as its baseline."""
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
            _step(optimizer, -(objective.sum(-1) / group.mask.sum(-1)).mean())  # the mean of an answer's tokens, then of the answers
    return met


def _descend(model, loss, count, tuning, generator):  # index -> loss -> [loss]
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
