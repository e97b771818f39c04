"""The preference losses in torch: named values and gradients agree with the reference; batches agree with their rows."""

from functools import partial

import numpy as np
import pytest
import torch

from pencil import reference
from pencil.model import preference, verify
from pencil.trace import Trace, backward

RNG = np.random.default_rng(0)
FOUR = dict(zip(("chosen", "rejected", "ref_chosen", "ref_rejected"), RNG.normal(-3, 1, (4, 5)), strict=True))
RUNS = {  # name of the function: its arrays, its options
    "masked_cross_entropy": ({"log_probs": RNG.normal(-2, 1, 6), "mask": np.array([0.0, 0, 1, 1, 0, 1])}, {}),
    "dpo_loss": (FOUR, {"beta": 0.3}),
    "grpo_advantages": ({"rewards": np.array([[1.0, 0, 0, 1], [0.5, 0.1, 2, 7]])}, {"ddof": 1, "eps": 1e-4}),
    "clipped_objective": ({name: RNG.normal(0, 0.4, 9) for name in ("log_prob", "old_log_prob", "advantage")}, {}),
    "kl_estimate": ({name: RNG.normal(0, 1, 9) for name in ("log_prob", "ref_log_prob")}, {}),
}


class Loss(torch.nn.Module):
    """A function as a module, for `verify`."""

    def __init__(self, function):
        super().__init__()
        self.forward = function


@pytest.mark.parametrize("name", RUNS)
def test_every_named_value_is_the_references(name):
    arrays, options = RUNS[name]
    trace = Trace()
    getattr(reference, name)(*(trace.given(*each) for each in arrays.items()), **options, note=trace)
    module = Loss(partial(getattr(preference, name), **options))
    inputs = {key: torch.tensor(array) for key, array in arrays.items()}
    noted = {}
    module(**inputs, note=noted.setdefault)
    assert set(noted) == {key for key, step in trace.names.items() if step.op != "given" and key != "win.exp"}
    if name == "masked_cross_entropy":  # its mean is over all rows, so a batch of one is no row of it
        for key, value in noted.items():
            np.testing.assert_allclose(value, trace.names[key].exact, atol=1e-12)
    else:
        assert verify(trace, module).max_difference < 1e-12


def test_the_chances_of_the_tokens_and_the_loss_of_a_batch():
    logits, ids, mask = RNG.normal(0, 2, (3, 4, 5)), RNG.integers(0, 5, (3, 4)), RNG.integers(0, 2, (3, 4)).astype(float)
    ours, noted = {}, {}
    rows = reference.token_log_probs(logits, ids, note=lambda name, value: ours.setdefault(name, value))
    theirs = torch.tensor(logits, requires_grad=True)
    log_probs = preference.token_log_probs(theirs, torch.tensor(ids), note=noted.setdefault)
    for name in ("weights", "prob", "log_prob"):
        np.testing.assert_allclose(noted[name].detach(), ours[name], atol=1e-12)
    preference.masked_cross_entropy(log_probs, torch.tensor(mask)).backward()
    trace = Trace()
    given = trace.given("logits", logits)
    slopes = backward(reference.masked_cross_entropy(reference.token_log_probs(given, ids), trace.given("mask", mask), note=trace))
    np.testing.assert_allclose(slopes["logits"].exact, theirs.grad, atol=1e-12)
    assert rows.shape == (3, 4)


def test_what_is_masked_may_be_infinite_and_something_has_to_count():
    log_probs, mask = torch.tensor([[-torch.inf, -1.0], [-3.0, -torch.inf]], requires_grad=True), torch.tensor([[0.0, 1], [1, 0]])
    loss = preference.masked_cross_entropy(log_probs, mask)
    loss.backward()
    assert loss.item() == 2 and log_probs.grad.tolist() == [[0, -0.5], [-0.5, 0]]
    for nothing in (torch.zeros(2, 2), torch.zeros(2, 2, dtype=torch.bool)):
        with pytest.raises(ValueError, match="the mask lets no token count, and the mean of nothing is no number"):
            preference.masked_cross_entropy(log_probs, nothing)


def test_a_mask_of_weights_is_refused_as_the_reference_refuses_it():
    for odd in ([1.0, 0.5, 0.0], [1.0, 2.0, 0.0], [1.0, -1.0, 0.0]):
        says = []
        for kind, function in ((torch.tensor, preference.masked_cross_entropy), (np.array, reference.masked_cross_entropy)):
            with pytest.raises(ValueError, match="write 1 where a token counts and 0 elsewhere") as refused:
                function(kind([-1.0, -2.0, -3.0]), kind(odd))
            says.append(str(refused.value))
        assert says[0] == says[1]


def test_on_a_gpu_a_batch_of_which_nothing_counts_teaches_nothing(monkeypatch):
    monkeypatch.setattr(preference, "can_inspect", lambda mask: False)
    log_probs = torch.tensor([-1.0, -torch.inf], requires_grad=True)
    loss = preference.masked_cross_entropy(log_probs, torch.zeros(2))
    loss.backward()
    assert loss.item() == 0 and not log_probs.grad.any()


def test_a_group_of_equal_rewards_teaches_nothing():
    rewards = torch.tensor([[0.1, 0.1, 0.1], [1, 0, 0]], dtype=torch.float64)
    np.testing.assert_allclose(preference.grpo_advantages(rewards), reference.grpo_advantages(rewards.numpy()), atol=1e-12)
    assert not preference.grpo_advantages(rewards)[0].any()


def test_a_beta_of_nothing_is_refused():
    with pytest.raises(ValueError, match="beta=0; it must be above 0"):
        preference.dpo_loss(*torch.ones(4, 1), beta=0)


def test_a_group_is_flat_in_the_floats_it_is_in():
    for size in (3, 7, 50):
        assert not preference.grpo_advantages(torch.full((size,), 0.1), ddof=1).any()
    assert preference.grpo_advantages(torch.tensor([0.1, 0.1001])).tolist() == pytest.approx([-1, 1], rel=1e-2)
    with pytest.raises(ValueError, match="a group of 1 with ddof=1 leaves 0 to divide by"):
        preference.grpo_advantages(torch.ones(3, 1), ddof=1)


def test_a_token_without_a_chance_in_floats_has_its_log_probability():
    assert preference.token_log_probs(torch.tensor([[0.0, -800.0]]), torch.tensor([1])).tolist() == [-800]
