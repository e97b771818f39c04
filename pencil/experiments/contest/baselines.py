"""Linear baselines on word counts (scikit-learn): naive Bayes, and logistic regression on TF-IDF or on naive-Bayes features.

The last one is NBSVM (Wang and Manning 2012). The L2 penalty is chosen on the validation set.
"""

from scipy.sparse import diags_array
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer

from pencil.experiments.contest.bigrams import counts

PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0)  # the weight of |w|² / 2 relative to the summed loss, which is 1 / C
NAMES = ("naive Bayes", "TF-IDF", "naive-Bayes features")


class LogCountRatios(TransformerMixin, BaseEstimator):
    """Scale each column by the log-count ratio of naive Bayes: log P(word | positive) − log P(word | negative)."""

    def fit(self, counted, labels):  # (texts, words) of 0 and 1, (texts,) 0 or 1 -> self
        """Estimate the ratios by naive Bayes with add-one smoothing."""
        negative, positive = MultinomialNB().fit(counted, labels).feature_log_prob_
        self.ratio_ = positive - negative
        return self

    def transform(self, counted):  # (texts, words) -> (texts, words)
        """Scale the columns."""
        return counted @ diags_array(self.ratio_)


def logistic(penalty):  # -> LogisticRegression
    """Logistic regression that minimizes the summed cross-entropy + penalty · |weights|² / 2; the bias is not penalized."""
    return LogisticRegression(C=1 / penalty, tol=1e-6, max_iter=1_000)


def pipeline(name, penalty=None):  # -> Pipeline
    """The baseline `name` (one of NAMES), which takes a matrix of counts; naive Bayes has no penalty."""
    if name == "naive Bayes":
        return make_pipeline(Binarizer(), MultinomialNB())
    features = (TfidfTransformer(),) if name == "TF-IDF" else (Binarizer(), LogCountRatios())
    return make_pipeline(*features, logistic(penalty))


def chosen(name, train, validation):  # (counts, labels) × 2 -> fitted pipeline, its validation accuracy, its penalty or None
    """The baseline `name`, fitted on the training set with the penalty that is best on the validation set."""
    penalties = (None,) if name == "naive Bayes" else PENALTIES
    tried = {penalty: pipeline(name, penalty).fit(*train) for penalty in penalties}
    scores = {penalty: float(each.score(*validation)) for penalty, each in tried.items()}
    best = max(scores, key=scores.get)
    return tried[best], scores[best], best


def fit_baselines(train, validation, test, width):  # Encoded × 3, number of ids -> {name: {"validation", "test", "strength"}}
    """The accuracies of all baselines; "strength" is the penalty, chosen on the validation set."""
    train, validation, test = ((counts(split.ids, width), split.labels) for split in (train, validation, test))
    found = {}
    for name in NAMES:
        best, score, penalty = chosen(name, train, validation)
        found[name] = {"validation": score, "test": float(best.score(*test))}
        if penalty is not None:
            found[name]["strength"] = penalty
    return found
