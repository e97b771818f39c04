"""Speculative decoding against `transformers`: its rule with the same lots, and whole texts of small GPT-2s, in float64."""

import numpy as np
import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel
from transformers.generation.utils import _speculative_sampling

from pencil.reference import probabilities, sample, speculate, speculative_sampling

pytestmark = pytest.mark.slow


def theirs(monkeypatch, drafts, draft_logits, target_logits, u):  # -> how many are accepted, the probabilities that the next is drawn from
    """Their rule, with these lots in the place of torch's."""
    drawn_from = []

    def instead(probs, num_samples):
        drawn_from.append(probs[0].numpy())
        return torch.zeros(1, 1, dtype=torch.long)

    with monkeypatch.context() as patched:
        patched.setattr(torch, "rand_like", lambda ratio: torch.tensor(u[:-1]))
        patched.setattr(torch, "multinomial", instead)
        ids = torch.tensor([[7, *drafts]])  # the text so far stands in front
        _, accepted = _speculative_sampling(ids, torch.tensor(draft_logits)[None], len(drafts), torch.tensor(target_logits)[None])
    return int(accepted), drawn_from[0]


@pytest.mark.parametrize("n_drafts, size", [(1, 9), (4, 9), (7, 60)])
@pytest.mark.parametrize("noise", [0.0, 0.5, 3.0])
def test_a_round_with_the_same_random_numbers(n_drafts, size, noise, monkeypatch):
    rng, found = np.random.default_rng(size + n_drafts), set()
    for _ in range(40):
        target = rng.normal(0, 2, (n_drafts + 1, size))
        draft = target[:-1] + rng.normal(0, noise, (n_drafts, size)) if noise else target[:-1].copy()
        draft_probs, u, named = probabilities(draft), rng.random(n_drafts + 1), {}
        drafts = sample(draft_probs, rng.random(n_drafts))
        accepted, _ = speculative_sampling(drafts, draft_probs, probabilities(target), u, note=lambda name, x, named=named: named.setdefault(name, x))
        wanted, probs = theirs(monkeypatch, drafts, draft, target, u)
        assert accepted == wanted
        np.testing.assert_allclose(named["next_probs"], probs, atol=1e-12)
        found.add(int(accepted))
    assert found == {n_drafts} if noise == 0 else len(found) > 1


def gpt2(seed, layers):
    torch.manual_seed(seed)
    config = GPT2Config(
        vocab_size=40, n_positions=64, n_embd=16, n_layer=layers, n_head=2, initializer_range=0.5, bos_token_id=None, eos_token_id=None
    )
    return GPT2LMHeadModel(config).double().eval()


@pytest.mark.parametrize("seed", range(3))
def test_a_greedy_text_with_an_assistant(seed):
    """Ours with their models, theirs with an assistant, theirs alone: one text."""
    target, assistant = gpt2(seed, 2), gpt2(seed + 10, 1)

    def following(model):
        def probs(ids, rows):
            with torch.no_grad():
                return probabilities(model(torch.tensor([ids])).logits[0, -rows:].numpy(), top_k=1)

        return probs

    begun = torch.tensor([[3, 1, 4]])
    asked = {"max_new_tokens": 20, "do_sample": False, "pad_token_id": 0}
    alone, assisted = (
        target.generate(begun, attention_mask=torch.ones_like(begun), **asked, **more)[0].tolist() for more in ({}, {"assistant_model": assistant})
    )
    ours = speculate(following(target), [3, 1, 4], 20, rng=np.random.default_rng(0), drafter=following(assistant), n_drafts=5)
    assert ours == alone == assisted and len(set(ours)) > 3
