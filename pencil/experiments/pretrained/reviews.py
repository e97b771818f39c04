"""Film reviews judged from MiniLM's vectors by a linear classifier: what pre-training on other texts is worth (the thousand labels of chapter 14c).

The reviews, the words that are read of each, and the validation set are those of `pencil.experiments.contest.pretraining`.
"""

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from pencil.experiments.contest.encoding import Encoded, hold_out
from pencil.experiments.contest.pretraining import WINDOW
from pencil.experiments.pretrained import checkpoint, minilm
from pencil.experiments.records import as_recorded
from pencil.reference.text import tokenize

LABELS, BATCH = 1_000, 32
PENALTIES = (0.1, 1.0, 10.0, 100.0)  # of scikit-learn's C, the inverse strength


def splits(reviews, labels=LABELS):  # Reviews -> (texts, labels) for training, and for validation
    """The first words of each review, for `labels` random reviews of the training set and for the whole validation set."""
    places = Encoded(np.arange(len(reviews.train))[:, None], reviews.train.labels)
    train, validation = hold_out(places)
    train = train[np.random.default_rng(0).permutation(len(train))[:labels]]
    return [([_first_words(reviews.train.texts[i]) for i in part.ids[:, 0]], part.labels) for part in (train, validation)]


def _first_words(text):
    return " ".join(tokenize(text)[:WINDOW])


def vectors(texts, model, tokenizer):  # list of str, Encoder, WordPiece -> (n, d)
    """The vector of each text, a batch at a time."""
    parts = [minilm.sentence_vectors(texts[i : i + BATCH], model, tokenizer) for i in range(0, len(texts), BATCH)]
    return torch.cat(parts).numpy()


def judged(train, validation):  # (vectors, labels) × 2 -> {"accuracy", "penalty"}
    """Logistic regression, with the penalty that is best on the validation set."""
    scores = {c: LogisticRegression(C=c, max_iter=1000).fit(*train).score(*validation) for c in PENALTIES}
    best = max(scores, key=scores.get)
    return {"accuracy": as_recorded(scores[best]), "penalty": best}


def measure(threads=1, source="full"):  # -> JSON-able, for `python -m pencil record minilm_reviews`
    """The accuracy on the validation set."""
    from pencil.data.reviews import load

    torch.set_num_threads(threads)
    found = checkpoint.read(minilm.folder())
    model, tokenizer = found.model(), found.tokenizer()
    parts = [(vectors(texts, model, tokenizer), labels) for texts, labels in splits(load(source))]
    return {"file": minilm.provenance(), "words": WINDOW, "labels": len(parts[0][1]), "validation": len(parts[1][1])} | judged(*parts)
