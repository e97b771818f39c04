"""Which parameters have weight decay, against nanoGPT's rule; betas; and runs recorded with decay on everything."""

from dataclasses import replace

import pytest
import torch
from small_tasks import SMALL, mean_embedding, same, task
from torch import nn

from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.loop import train
from pencil.experiments.training.optimizer import build_optimizer, parameter_groups
from pencil.experiments.vision.recording import models
from pencil.model import Config, Decoder

SIZES = Config(8, 2, n_layers=2, max_len=6, vocab_size=11)


class PlainGPT(nn.Module):
    """GPT-2's parts under torch's own names, its output tied to its embedding."""

    def __init__(self):
        super().__init__()
        self.wte, self.wpe, self.block = nn.Embedding(11, 8), nn.Embedding(6, 8), nn.TransformerEncoderLayer(8, 2, 32)
        self.conv, self.head = nn.Conv2d(1, 2, 3), nn.Linear(8, 11)
        self.head.weight = self.wte.weight


def decaying(model, weight_decay=0.1):
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    groups = parameter_groups(model, weight_decay)
    in_groups = [[names[id(parameter)] for parameter in group["params"]] for group in groups]
    assert sorted(name for group in in_groups for name in group) == sorted(names.values())  # each once
    assert [group["weight_decay"] for group in groups] == [0.1, 0.0]
    return in_groups[0]


def nanogpt(model):
    """model.py of nanoGPT, configure_optimizers: what has two dimensions or more decays, and so do its embeddings."""
    return {name for name, parameter in model.named_parameters() if parameter.requires_grad and parameter.dim() >= 2}


@pytest.mark.parametrize(
    "model, embeddings",
    [
        (Decoder(SIZES), {"embedding", "positions"}),
        (PlainGPT(), {"wte.weight", "wpe.weight"}),
        (models(8, 2)["ViT, learned positions"](), {"positions", "class_token"}),
    ],
)
def test_the_groups_are_nanogpt_s_without_the_embeddings(model, embeddings):
    found = decaying(model)
    assert set(found) == nanogpt(model) - embeddings and embeddings <= nanogpt(model)
    assert not [name for name in found if "bias" in name or "norm" in name]


def test_decay_pulls_at_weight_matrices_alone():
    start, still, pulled, all_pulled = (Decoder(SIZES).requires_grad_(True) for _ in range(4))
    for model in (still, pulled, all_pulled):
        model.load_state_dict(start.state_dict())
        for parameter in model.parameters():
            parameter.data.add_(1.0)  # biases begin at 0: nothing would show
            parameter.grad = torch.zeros_like(parameter)
    config = TrainingConfig(lr=0.1, weight_decay=0.5)
    for model, of_this in ((pulled, config), (all_pulled, replace(config, decay_all=True))):
        build_optimizer(model, of_this).step()
    before, after, all_after = (dict(model.named_parameters()) for model in (still, pulled, all_pulled))
    for name in before:
        shrunk = 0.95 if name.endswith(".weight") else 1.0
        torch.testing.assert_close(after[name], before[name] * shrunk)
        torch.testing.assert_close(all_after[name], before[name] * 0.95)


def test_the_loop_takes_betas_and_groups():
    plain, ours = mean_embedding(), mean_embedding()
    config = replace(SMALL, epochs=1, betas=(0.8, 0.9), weight_decay=0.3)
    train(ours, made := task(), config)
    matrices = [p for name, p in plain.named_parameters() if p.ndim == 2 and name != "embedding"]
    others = [p for name, p in plain.named_parameters() if p.ndim < 2 or name == "embedding"]
    groups = [{"params": matrices}, {"params": others, "weight_decay": 0.0}]
    adam = torch.optim.AdamW(groups, lr=config.lr, betas=(0.8, 0.9), eps=config.eps, weight_decay=0.3)
    for index in made.batches(0, 1, 8):
        adam.zero_grad()
        (made.loss(plain.train(), index, torch.device("cpu")) / len(index)).backward()
        adam.step()
    for one, other in zip(ours.parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-6)
    other = mean_embedding()
    train(other, made, replace(config, betas=(0.9, 0.999)))
    assert not same(ours, other)


@pytest.mark.parametrize("betas", [(0.9,), (0.9, 1.0), (-0.1, 0.9), (0.9, float("nan"))])
def test_betas_that_make_no_sense_are_refused(betas):
    with pytest.raises(ValueError, match="betas="):
        TrainingConfig(betas=betas)
