"""The contest: four machines, one pile of reviews, the settings of Rahul Rai's post.

10,000 words, 100 slots, sticks and memories 32 wide, two heads of 32, dropout 0.1, 20 workers with ReLU, one with sigmoid,
Adam, handfuls of 64, five passes. A fifth machine runs along, the Transformer with its attention taken out.
"""

from dataclasses import dataclass, replace
from functools import partial

import torch

from pencil.labs.averages import Averages
from pencil.labs.loop import train
from pencil.labs.reading import Reading, answers
from pencil.labs.sheets import Sheets, Slots, encode, split
from pencil.labs.team import ALONE
from pencil.labs.training import Training
from pencil.model.classifier import Classifier
from pencil.model.config import Config
from pencil.model.walker import WalkerClassifier

MACHINES = {
    "SimpleRNN": partial(WalkerClassifier, walk="rnn"),
    "LSTM": partial(WalkerClassifier, walk="lstm"),
    "BiLSTM": partial(WalkerClassifier, walk="bidirectional"),
    "Transformer": Classifier,
    "Averages": Averages,
}
FOUR = ("SimpleRNN", "LSTM", "BiLSTM", "Transformer")
SOURCE = Config(d_model=32, n_heads=2, d_k=32, hidden=20)
DROPOUT = 0.1


def machine(name, rows, seed=0, padding=True, sizes=SOURCE, dropout=DROPOUT):  # -> module at its first numbers
    """A machine of the contest for a table of so many rows. Raises ValueError for another name."""
    if name not in MACHINES:
        raise ValueError(f"there is no machine {name!r} in the contest; take one of {', '.join(MACHINES)}")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return MACHINES[name](replace(sizes, rows=rows), dropout=dropout, padding=padding)


@dataclass(frozen=True)
class Piles:
    """Laid-out reviews: to learn from, to choose by, and sealed; `words` is their dictionary."""

    words: object
    learn: Sheets
    choose: Sheets
    sealed: Sheets


def piles(reviews, slots=Slots(), share=0.2):  # Reviews -> Piles
    """The study pile is parted by lot: four fifths to learn from, one fifth to choose by. The sealed pile stays apart."""
    words, study, sealed = encode(reviews, slots)
    return Piles(words, *split(study, share), sealed)


@dataclass(frozen=True)
class Result:
    """What one machine did: its history, and its share of right answers on the sealed pile.

    `last` is after the last pass, as in the post; `best` after the pass that the validation pile chose. `short` is that
    of `last` on reviews that do not fill their slots.
    """

    machine: str
    history: tuple
    chosen: int
    last: float
    best: float
    short: float | None


def enter(name, piles, training=Training(), padding=True, folder=None, team=ALONE, dropout=DROPOUT):  # -> Result, the machine after its last pass
    """Train one machine; then open the sealed pile, once."""
    model = machine(name, piles.words.rows, training.seed, padding, dropout=dropout)
    trained = train(model, Reading(piles.learn, piles.choose, padding), training, folder, team, says=name)
    truth, part = piles.sealed.labels > 0, piles.sealed.lengths < piles.sealed.ids.shape[1]
    right = answers(model, piles.sealed, padding, training.device) == truth
    after_last = {key: value.clone() for key, value in model.state_dict().items()}
    model.load_state_dict(trained.best_weights)
    best = answers(model, piles.sealed, padding, training.device) == truth
    model.load_state_dict(after_last)
    short = float(right[part].mean()) if part.any() else None
    return Result(name, trained.history, trained.best, float(right.mean()), float(best.mean()), short), model


def hold(piles, names=FOUR, training=Training(), padding=True):  # -> {name: Result}
    """The whole contest, one machine after the other."""
    return {name: enter(name, piles, training, padding)[0] for name in names}
