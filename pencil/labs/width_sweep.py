"""How wide should a stick be? Learn sticks, average them over a review, let one worker judge; and again at every width."""

from dataclasses import dataclass

import numpy as np

from pencil.data import reviews
from pencil.labs.baselines import logistic
from pencil.labs.records import as_recorded
from pencil.reference import cooccurrence, dictionary, ppmi, squeeze, tokens

WIDTHS = (8, 16, 32, 50, 100, 200, 300)
WORDS, WINDOW = 10_000, 5
SEEDS = 5
HELD_OUT = 0.2  # of the training pile; the test pile is left alone
STRENGTH = 1.0  # how strongly the worker's dials are held near zero; not tuned
EXTRA, PASSES = 20, 4  # of the sketch


@dataclass(frozen=True)
class Dense:
    """A (texts, width) table that the logistic regression can read."""

    table: np.ndarray

    shape = property(lambda self: self.table.shape)

    def times(self, weights):  # (width,) -> (texts,)
        """The dot product of each row with the weights."""
        return self.table @ weights

    def back(self, errors):  # (texts,) -> (width,)
        """What each column collects."""
        return errors @ self.table


def width_sweep(seed=0, source="full", widths=WIDTHS, words=WORDS, seeds=SEEDS):  # -> what is recorded
    """The share of held-out reviews judged rightly, for each width, over several splits of the training pile.

    Raises ValueError for fewer than two splits, which have no spread.
    """
    if seeds < 2:
        raise ValueError(f"seeds={seeds} has no spread; give at least 2")
    pile = reviews.load(source).train
    texts = [tokens(text) for text in pile.texts]
    runs = np.array([one_split(texts, pile.labels, widths, words, run) for run in range(seed, seed + seeds)])  # (seeds, widths)
    held = int(HELD_OUT * len(texts))
    return {
        "widths": list(widths),
        "words": words,
        "window": WINDOW,
        "seeds": seeds,
        "study": len(texts) - held,
        "held_out": held,
        "accuracy": as_recorded(runs.T),
        "mean": as_recorded(runs.mean(0)),
        "spread": as_recorded(runs.std(0, ddof=1)),
    }


def one_split(texts, labels, widths, words, seed):  # lists of tokens, (texts,) -> one accuracy for each width
    """Hold some reviews out, learn sticks and worker on the others, and mark on those held out."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(texts))
    held, study = np.split(order, [int(HELD_OUT * len(texts))])
    kept = dictionary([texts[i] for i in study], words)
    ids = [kept.ids(text) if text else np.array([], int) for text in texts]
    counts = cooccurrence([ids[i] for i in study], kept.rows, WINDOW, np.float32)[1:-1, 1:-1]  # neither padding nor the unknown
    sticks = np.zeros((kept.rows, max(widths)))
    sticks[1:-1] = widest(ppmi(counts), max(widths), rng)
    means = np.array([_average(sticks, row, kept.unknown) for row in ids])
    return [_accuracy(means[:, :width], labels, study, held) for width in widths]


def widest(table, width, rng):  # (n, m) -> (n, width)
    """`squeeze(table, width).sticks` for a table too large for it: sketch the widest directions, then squeeze the sketch (Halko et al. 2011)."""
    guess = table @ rng.normal(size=(table.shape[1], min(width + EXTRA, *table.shape))).astype(table.dtype)
    for _ in range(PASSES):
        guess = table @ (table.T @ np.linalg.qr(guess)[0])  # what reaches far reaches farther each time
    frame = np.linalg.qr(guess)[0]
    return frame @ squeeze(frame.T @ table, width).sticks


def _average(sticks, ids, unknown):  # the rare words have no stick to add
    known = ids[ids != unknown]
    return sticks[known].mean(0) if len(known) else np.zeros(sticks.shape[1])


def _accuracy(means, labels, study, held):
    middle, spread = means[study].mean(0), means[study].std(0)
    even = (means - middle) / np.where(spread > 0, spread, 1)  # every slot equally wide, so that STRENGTH means the same for each
    worker = logistic(Dense(even[study]), labels[study].astype(float), STRENGTH)
    return float((worker.says(Dense(even[held])) == (labels[held] == 1)).mean())
