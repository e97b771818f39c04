"""Small tasks and models for the tests of the training loop."""

from dataclasses import replace

import numpy as np
import torch

from pencil.experiments.contest import entrants
from pencil.experiments.contest.encoding import Encoded
from pencil.experiments.contest.mean_embedding import MeanEmbeddingClassifier
from pencil.experiments.contest.reviews_task import ReviewsTask
from pencil.experiments.training.config import TrainingConfig
from pencil.model import Config, Decoder
from pencil.reference import Rotary

ROWS = 30
SMALL = TrainingConfig(epochs=3, batch_size=8, lr=1e-2)
LONG = replace(SMALL, epochs=4, save_every=3)  # long enough to be interrupted


def encoded_reviews(count=100, max_len=12, seed=0):
    """Rows of random length; positive where more ids lie in the upper half."""
    rng = np.random.default_rng(seed)
    ids = rng.integers(1, ROWS, (count, max_len)).astype(np.int32)
    for row, length in zip(ids, rng.integers(3, max_len + 1, count), strict=True):
        row[length:] = 0
    labels = (ids > ROWS // 2).sum(1) > ((ids > 0) & (ids <= ROWS // 2)).sum(1)
    return Encoded(ids, labels.astype(np.int8))


def task(padding=True):
    return ReviewsTask(encoded_reviews(), encoded_reviews(40, seed=1), padding)


def mean_embedding(seed=0, dropout=0.0):
    torch.manual_seed(seed)
    return MeanEmbeddingClassifier(Config(d_model=8, vocab_size=ROWS, head_hidden_size=4), dropout=dropout)


def build(name, dropout=0.1, padding=True):
    return entrants.build_model(
        name,
        ROWS,
        seed=0,
        padding=padding,
        sizes=replace(entrants.POST_CONFIG, d_model=8, d_k=4, d_v=4, hidden_size=8, head_hidden_size=4),
        dropout=dropout,
    )


def rotary(slower=1.0):
    """A writer whose positions turn queries and keys, so many times slower."""
    torch.manual_seed(0)
    return Decoder(Config(8, 2, vocab_size=ROWS, position_encoding=Rotary(positions=np.arange(8) / slower)))


def same(model, other):
    """Are all weights of two models the same to the last bit?"""
    ours, theirs = model.state_dict(), other.state_dict()
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)
