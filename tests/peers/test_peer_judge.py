"""The loss of our tiny GPT, and of nanoGPT's, computed by transformers' GPT-2 with their weights."""

import sys

import numpy as np
import pytest
import torch

from pencil.experiments.writer.samples import eval_loss
from pencil.model import Config, Decoder
from pencil.model.module import seeded
from pencil.paths import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def parts():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        from parts import judge, nanogpt

        yield judge, nanogpt
    for name in [name for name in sys.modules if name.split(".")[0] == "parts"]:
        del sys.modules[name]


def shaken(model, seed):
    """Every number drawn anew, gains and biases too, so that each counts."""
    with seeded(seed), torch.no_grad():
        for weight in model.parameters():
            weight.add_(0.3 * torch.randn_like(weight))
    return model


@pytest.mark.parametrize("seed, rows, length, width, heads, blocks", [(0, 11, 6, 8, 2, 1), (3, 57, 12, 24, 4, 3)])
@pytest.mark.parametrize("whose", ["ours", "nanoGPT", "nanoGPT with biases"])
def test_transformers_finds_the_same_loss(parts, seed, rows, length, width, heads, blocks, whose):
    judge, nanogpt = parts
    if whose == "ours":
        model = Decoder(Config(width, heads, n_layers=blocks, max_len=length, vocab_size=rows))
    else:
        model = nanogpt.NanoGPT(rows, length, width, heads, blocks, bias="biases" in whose)
    model, ids = shaken(model, seed), np.random.default_rng(seed).integers(0, rows, 10 * length + 3)
    theirs = judge.as_gpt2(model)
    assert judge.judged_loss(theirs, ids, length, size=4) == pytest.approx(eval_loss(model, ids, length), rel=1e-5)
    theirs.transformer.h[-1].ln_2.weight.data[0] += 1  # a number that is not ours is seen
    assert judge.judged_loss(theirs, ids, length) != pytest.approx(eval_loss(model, ids, length), rel=1e-5)
