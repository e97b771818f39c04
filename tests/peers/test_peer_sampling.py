"""Temperature, top-k and top-p against the logits processors of Hugging Face `transformers`, in float64."""

import numpy as np
import pytest
import torch
from transformers.generation.logits_process import LogitsProcessorList, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from pencil.reference import probabilities

pytestmark = pytest.mark.slow


def theirs(scores, t, k, p):
    """In the order in which `generate` lines them up."""
    line = [TemperatureLogitsWarper(t)] + ([TopKLogitsWarper(k)] if k else []) + ([TopPLogitsWarper(p)] if p else [])
    return LogitsProcessorList(line)(None, torch.tensor(scores)).softmax(-1).numpy()


@pytest.mark.parametrize("rows, size", [(1, 3), (5, 57), (2, 1000)])
@pytest.mark.parametrize("p", [None, 0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("k", [None, 1, 2, 40])
@pytest.mark.parametrize("t", [0.3, 1.0, 1.7])
def test_the_shares_that_are_drawn_from(t, k, p, rows, size):
    scores = np.random.default_rng(size).normal(0, 3, (rows, size))
    np.testing.assert_allclose(probabilities(scores, temperature=t, top_k=k, top_p=p), theirs(scores, t, k, p), rtol=1e-10, atol=1e-15)
