"""The losses of a chatbot against TRL and transformers: their own code, on random log-probabilities, masks and rewards.

TRL works its losses out inside its trainers. A stand-in with the settings that the loss reads, and a model that returns given
log-probabilities, let that code run as it is.
"""

from collections import defaultdict
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import pytest
import torch
from transformers.loss.loss_utils import ForCausalLMLoss
from trl import DPOTrainer, GRPOTrainer
from trl.trainer.utils import nanstd

from pencil import reference
from pencil.model import preference

pytestmark = pytest.mark.slow
SEEDS = range(5)


def drawn(seed, *shape):
    return torch.from_numpy(np.random.default_rng([seed, *shape]).normal(-2, 1, shape))


def stand_in(**settings):
    """What a trainer's loss reads of it; whatever else it touches is only written down."""
    same = SimpleNamespace(device="cpu", gather=lambda x: x, gather_for_metrics=lambda x: x, reduce=lambda x, reduction: x, num_processes=1)
    return MagicMock(accelerator=same, _metrics=defaultdict(lambda: defaultdict(list)), aux_loss_enabled=False, **settings)


def trl_dpo(now, before, beta):  # (2 pairs, T) log-probabilities, chosen first -> ()
    size, length = now.shape
    trainer = stand_in(
        beta=beta, ld_alpha=None, precompute_ref_logps=True, f_divergence_type="reverse_kl", loss_types=["sigmoid"], loss_weights=[1.0],
        use_weighting=False, label_smoothing=0.0, _total_train_tokens=0, _tp_size=1,
    )  # fmt: skip
    told = {"entropy": torch.zeros(size, length), "mean_logits": torch.zeros(size, length), "is_top1": torch.zeros(size, length, dtype=torch.bool)}
    ids = torch.zeros(size, length + 1, dtype=torch.long)
    ref_chosen, ref_rejected = before.sum(-1).chunk(2)
    inputs = {
        "input_ids": ids,
        "attention_mask": ids + 1,
        "completion_mask": ids + 1,
        "ref_chosen_logps": ref_chosen,
        "ref_rejected_logps": ref_rejected,
    }
    return DPOTrainer._compute_loss(trainer, lambda **_: SimpleNamespace(log_probs=now, **told), inputs, False)


@pytest.mark.parametrize("beta", [0.1, 0.5])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_loss_of_dpo_and_its_slopes(seed, beta):
    before, now = drawn(seed, 6, 4), (drawn(seed + 100, 6, 4)).requires_grad_()
    theirs = trl_dpo(now, before, beta)
    four = [*now.sum(-1).chunk(2), *before.sum(-1).chunk(2)]
    ours = preference.dpo_loss(*four, beta=beta).mean()
    torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-12)
    torch.testing.assert_close(*(torch.autograd.grad(loss, now)[0] for loss in (ours, theirs)), rtol=1e-10, atol=1e-12)
    by_pencil = reference.dpo_loss(*(each.detach().numpy() for each in four), beta=beta).mean()
    assert by_pencil == pytest.approx(theirs.item(), rel=1e-10)


def trl_grpo(now, old, anchor, advantages, mask, beta, eps):  # -> ()
    args = SimpleNamespace(delta=None, use_bias_correction_kl=False)
    trainer = stand_in(
        beta=beta, args=args, epsilon_low=eps, epsilon_high=eps, loss_type="grpo", importance_sampling_level="token", top_entropy_quantile=1.0,
        off_policy_mask_threshold=None, use_vllm=False, _entropy_bonus_enabled=False, current_gradient_accumulation_steps=1,
    )  # fmt: skip
    trainer._get_per_token_logps_and_entropies.return_value = now, torch.zeros_like(mask), None
    ids = mask.long()
    inputs = {"prompt_ids": ids[:, :0], "prompt_mask": ids[:, :0], "completion_ids": ids, "completion_mask": mask}
    return GRPOTrainer._compute_loss(trainer, None, inputs | {"advantages": advantages, "old_per_token_logps": old, "ref_per_token_logps": anchor})


@pytest.mark.parametrize("beta", [0.0, 0.04])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_loss_of_grpo_and_its_slopes(seed, beta):
    old, anchor, advantages = drawn(seed, 4, 7), drawn(seed + 50, 4, 7), drawn(seed, 4) + 2
    now = (old + 0.3 * drawn(seed + 100, 4, 7) + 0.6).requires_grad_()
    mask = (torch.arange(7) < torch.tensor([[7], [3], [5], [1]])).double()
    theirs = trl_grpo(now, old, anchor, advantages, mask, beta, 0.2)
    each = preference.clipped_objective(now, old, advantages[:, None].expand_as(now)) - beta * preference.kl_estimate(now, anchor)
    ours = -((each * mask).sum(-1) / mask.sum(-1)).mean()
    torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-12)
    torch.testing.assert_close(*(torch.autograd.grad(loss, now)[0] for loss in (ours, theirs)), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_deviation_of_a_group_is_the_samples(seed):
    rewards = drawn(seed, 3, 8)
    theirs = (rewards - rewards.mean(1, keepdim=True)) / (
        nanstd(rewards, dim=1, keepdim=True) + 1e-4
    )  # as in its trainer; its correction is single precision
    torch.testing.assert_close(preference.grpo_advantages(rewards, ddof=1, eps=1e-4), theirs, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(reference.grpo_advantages(rewards.numpy(), ddof=1, eps=1e-4), theirs, rtol=1e-6)
    assert nanstd(torch.tensor([1.0, 0, 0, 1])).item() == pytest.approx(3**-0.5)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_loss_of_an_answer_alone(seed):
    rng = np.random.default_rng(seed)
    logits, ids, mask = drawn(seed, 3, 6, 9), torch.from_numpy(rng.integers(0, 9, (3, 6))), torch.from_numpy(rng.random((3, 6)) < 0.5)
    theirs = ForCausalLMLoss(logits, ids.masked_fill(~mask, -100), 9)  # in single precision
    log_probs = preference.token_log_probs(logits[:, :-1], ids[:, 1:])
    assert preference.masked_cross_entropy(log_probs, mask[:, 1:].double()).item() == pytest.approx(theirs.item(), rel=1e-5)
