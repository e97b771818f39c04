"""Two figures of chapter 08 by other people's code: scikit-learn cuts and counts the words, scikit-learn or plain torch learns from them.

Of pencil there are the raw texts alone; which fifth of them is held out is drawn here again. Tolerances: a share of 5,000 answers strays by
half a point (the chapter works it), and the counters have no luck in them, so they may differ by a few reviews of equal counts.
"""

import re

import numpy as np
import pytest

pytestmark = pytest.mark.slow
WORDS, LENGTH, STRAY = 10_000, 100, 0.006
MARKS = re.compile(r"""[!"#$%&()*+,\-./:;<=>?@\[\\\]^_`{|}~\t\n]""")  # those of Keras' Tokenizer


@pytest.fixture(scope="module")
def reviews(real_data):
    """(texts, words) counts and (texts,) labels of the four fifths and of the fifth, and the texts as ids, 0 where there is no word."""
    real_data("imdb")
    from sklearn.feature_extraction.text import CountVectorizer

    from pencil.data.reviews import load

    study = load("full").train
    words = [MARKS.sub(" ", text.lower()).split() for text in study.texts]
    every = CountVectorizer(analyzer=list, max_features=WORDS).fit(words)
    first = [text[:LENGTH] for text in words]
    counts = CountVectorizer(analyzer=list, vocabulary=every.vocabulary_).transform(first)
    ids = np.zeros((len(words), LENGTH), int)
    for row, text in zip(ids, first, strict=True):
        row[: len(text)] = [every.vocabulary_.get(word, WORDS) + 1 for word in text]
    order = np.random.default_rng(0).permutation(len(words))
    chosen = np.isin(np.arange(len(words)), order[: len(words) // 5])
    return counts, np.asarray(study.labels), ids, chosen


def recorded(name):
    from pencil.experiments.contest import leaderboard
    from pencil.experiments.records import read

    record = read("contest")
    if name == "naive-Bayes features":
        return [leaderboard.baselines(record)[name]["validation"]]
    return [max(run["accuracy"]) for run in leaderboard.runs(record, name)]


def test_naive_bayes_features_by_scikit_learn(reviews):
    from sklearn.linear_model import LogisticRegression

    counts, labels, _, chosen = reviews
    seen = (counts > 0).astype(float)
    liked, other = (np.asarray(seen[~chosen][labels[~chosen] == label].sum(0)).ravel() + 1 for label in (1, 0))
    features = seen.multiply(np.log(liked / liked.sum()) - np.log(other / other.sum())).tocsr()
    marks = [
        LogisticRegression(C=c, max_iter=1000).fit(features[~chosen], labels[~chosen]).score(features[chosen], labels[chosen]) for c in (0.1, 1.0)
    ]
    assert max(marks) == pytest.approx(recorded("naive-Bayes features")[0], abs=0.003)


def test_averages_by_plain_torch(reviews):
    import torch
    from torch import nn

    _, labels, ids, chosen = reviews
    torch.manual_seed(1)
    bag = nn.EmbeddingBag(WORDS + 2, 32, mode="mean", padding_idx=0)
    nn.init.uniform_(bag.weight, -0.05, 0.05)  # as Keras begins; torch's own rows are twenty times as long, and learn more slowly
    model = nn.Sequential(bag, nn.Dropout(0.1), nn.Linear(32, 20), nn.ReLU(), nn.Dropout(0.1), nn.Linear(20, 1), nn.Flatten(0))
    adam, marks = torch.optim.Adam(model.parameters(), lr=0.001), []
    (x, y), (held, truth) = ((torch.tensor(ids[part]), torch.tensor(labels[part], dtype=torch.float32)) for part in (~chosen, chosen))
    for _ in range(5):
        for batch in torch.randperm(len(x)).split(64):
            adam.zero_grad()
            nn.functional.binary_cross_entropy_with_logits(model.train()(x[batch]), y[batch]).backward()
            adam.step()
        with torch.no_grad():
            marks.append(((model.eval()(held) > 0) == (truth > 0)).float().mean().item())
    theirs = recorded("Averages")
    assert min(theirs) - STRAY < max(marks) < max(theirs) + STRAY
