"""What a contest proves nothing without: machines that count words and look at none of them twice.

Three of them: naive Bayes, logistic regression on TF-IDF, and logistic regression on naive-Bayes features
(Wang and Manning 2012). How strongly the dials are held near zero is chosen on the validation pile.
"""

from dataclasses import dataclass

import numpy as np
import torch

from pencil.labs.sparse import Sparse, counts
from pencil.reference.tf_idf import idf

STRENGTHS = (0.01, 0.1, 1.0, 10.0, 100.0)  # how much a dial's square counts beside all the misses, added up
SMOOTH = 1.0  # what naive Bayes adds to every count


@dataclass(frozen=True)
class Linear:
    """A weight a word and one bias: what the machine says is the sign of their sum."""

    weights: np.ndarray  # (words,)
    bias: float

    def says(self, table):  # Sparse -> (texts,) True where liked
        """Liked, or not."""
        return table.times(self.weights) + self.bias > 0


def naive_bayes(table, labels):  # Sparse, (texts,) -> Linear
    """How much likelier each word is in a liked review, as a logarithm; words are taken to know nothing of one another."""
    liked, disliked = (table.back((labels == side).astype(float)) + SMOOTH for side in (1, 0))
    ratio = np.log(liked / liked.sum()) - np.log(disliked / disliked.sum())
    return Linear(ratio, float(np.log(labels.mean() / (1 - labels.mean()))))


def inverse_frequency(table):  # Sparse -> (words,)
    """The rarer a word, the more it says: the weights of the reference's TF-IDF."""
    return idf(np.bincount(table.columns, minlength=table.shape[1]), table.shape[0])


def logistic(table, labels, strength):  # Sparse, (texts,) -> Linear
    """The weights with the least cross-entropy plus strength · |weights|² / 2, by L-BFGS (Liu and Nocedal 1989).

    It takes 100 steps at most, and may stop short of the least where the strength is small.
    """
    dials = torch.zeros(table.shape[1] + 1, dtype=torch.float64)  # the last one is the bias
    dials.grad = torch.zeros_like(dials)
    solver = torch.optim.LBFGS([dials], max_iter=100, line_search_fn="strong_wolfe")

    def miss():
        weights, bias = dials[:-1].numpy(), dials[-1].item()
        logit = table.times(weights) + bias
        errors = 1 / (1 + np.exp(-logit)) - labels
        slopes = np.append(table.back(errors) + strength * weights, errors.sum())
        dials.grad.copy_(torch.from_numpy(slopes / len(labels)))
        return float((np.logaddexp(0, logit) - labels * logit).sum() + strength * (weights**2).sum() / 2) / len(labels)

    solver.step(miss)
    return Linear(dials[:-1].numpy().copy(), dials[-1].item())


def features(name, study):  # -> function of a Sparse of counts that makes the table the machine of that name reads
    """What is learned of the study pile before any dial is turned."""
    table, labels = study
    if name == "TF-IDF":
        weights = inverse_frequency(table)
        return lambda counted: counted.scaled(weights).unit_rows()
    ratio = naive_bayes(table.present(), labels).weights
    return lambda counted: counted.present().scaled(ratio)


def baselines(study, choose, sealed, width):  # Sheets × 3, ids in all -> {name: {"validation", "test", "strength"}}
    """Each of the three, taught on the study pile, chosen by the validation pile, and marked on the sealed one."""
    tables = [counts(pile.ids, width) for pile in (study, choose, sealed)]
    labels = [pile.labels for pile in (study, choose, sealed)]
    simple = naive_bayes(tables[0].present(), labels[0])
    found = {"naive Bayes": _marks(simple, [t.present() for t in tables], labels)}
    for name in ("TF-IDF", "naive-Bayes features"):
        make = features(name, (tables[0], labels[0]))
        made = [make(table) for table in tables]
        best = max(
            ((strength, logistic(made[0], labels[0], strength)) for strength in STRENGTHS),
            key=lambda pair: _right(pair[1], made[1], labels[1]),
        )
        found[name] = _marks(best[1], made, labels) | {"strength": best[0]}
    return found


def _marks(machine, tables, labels):
    return {"validation": _right(machine, tables[1], labels[1]), "test": _right(machine, tables[2], labels[2])}


def _right(machine, table: Sparse, labels):
    return float((machine.says(table) == (labels > 0)).mean())
