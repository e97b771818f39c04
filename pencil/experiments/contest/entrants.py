"""The models of the contest and one run of each, in the setting of Rahul Rai's post.

A vocabulary of 10,000 words, 100 positions, embeddings and hidden states 32 wide, two heads of width 32, dropout 0.1, a hidden
layer of 20 with ReLU, one output with a sigmoid, Adam, batches of 64, five epochs. We add a fifth model: the Transformer without
its attention.
"""

from dataclasses import dataclass, replace
from functools import partial

from pencil.errors import did_you_mean
from pencil.experiments.contest.encoding import Encoded, EncodingConfig, encode, hold_out
from pencil.experiments.contest.mean_embedding import MeanEmbeddingClassifier
from pencil.experiments.contest.reviews_task import ReviewsTask, predict
from pencil.experiments.contest.transformer_classifier import TransformerClassifier
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.distributed import SINGLE_PROCESS
from pencil.experiments.training.loop import train
from pencil.model.classify import Classifier, RNNClassifier
from pencil.model.config import Config
from pencil.model.module import seeded

MODELS = {
    "SimpleRNN": partial(RNNClassifier, rnn="rnn"),
    "LSTM": partial(RNNClassifier, rnn="lstm"),
    "BiLSTM": partial(RNNClassifier, rnn="bidirectional"),
    "Transformer": Classifier,
    "Averages": MeanEmbeddingClassifier,
}
WITH_POSITIONS = "Transformer with positions"  # not in the post: whole blocks with residuals and norms, and learned positions
FOUR = ("SimpleRNN", "LSTM", "BiLSTM", "Transformer")
POST_CONFIG = Config(d_model=32, n_heads=2, d_k=32, head_hidden_size=20)
DROPOUT = 0.1


def refuse_unknown(name, models=MODELS):
    """Raise ValueError, with the name that may have been meant, for a model that is none of these."""
    if name not in models:
        raise ValueError(f"there is no model {name!r} in this experiment; take one of {', '.join(models)}.{did_you_mean(name, models)}")


def build_model(name, vocab_size, seed=0, padding=True, sizes=POST_CONFIG, dropout=DROPOUT):  # -> module, untrained
    """A model of the contest with an embedding of `vocab_size` rows. Raises ValueError for an unknown name."""
    refuse_unknown(name)
    with seeded(seed):
        return MODELS[name](replace(sizes, vocab_size=vocab_size), dropout=dropout, padding=padding)


def build_block(vocab_size, max_len, seed=0, dropout=DROPOUT):  # -> TransformerClassifier, untrained
    """The Transformer with learned positions and a whole block, of the same width as the others."""
    with seeded(seed):
        return TransformerClassifier(replace(POST_CONFIG, vocab_size=vocab_size, max_len=max_len), dropout=dropout)


@dataclass(frozen=True)
class Splits:
    """Encoded training, validation and test sets, and the vocabulary of the training set."""

    vocabulary: object
    train: Encoded
    validation: Encoded
    test: Encoded


def make_splits(reviews, config=EncodingConfig(), share=0.2):  # Reviews -> Splits
    """Encode the reviews; the validation set is a `share` of the training set."""
    vocabulary, train_set, test_set = encode(reviews, config)
    return Splits(vocabulary, *hold_out(train_set, share), test_set)


@dataclass(frozen=True)
class Result:
    """The history of a run, and its accuracy on the test set.

    `last` is the accuracy after the last epoch, as in the post; `best` that after `best_epoch`, which is chosen on the validation
    set. `short` is `last` on the reviews shorter than `max_len`, or None if there are none.
    """

    model: str
    history: tuple
    best_epoch: int
    last: float
    best: float
    short: float | None


def run_model(
    name, splits, config=TrainingConfig(), padding=True, folder=None, group=SINGLE_PROCESS, dropout=DROPOUT
):  # -> Result, the model after its last epoch
    """Train one model, then evaluate it on the test set."""
    model = build_model(name, splits.vocabulary.num_embeddings, config.seed, padding, dropout=dropout)
    trained = train(model, ReviewsTask(splits.train, splits.validation, padding), config, folder, group, name)
    target, short = splits.test.labels > 0, splits.test.lengths < splits.test.ids.shape[1]
    right = predict(model, splits.test, padding, config.device) == target
    last_state = {key: value.clone() for key, value in model.state_dict().items()}
    model.load_state_dict(trained.best_state)
    right_at_best = predict(model, splits.test, padding, config.device) == target
    model.load_state_dict(last_state)
    of_short = float(right[short].mean()) if short.any() else None
    return Result(name, trained.history, trained.best_epoch, float(right.mean()), float(right_at_best.mean()), of_short), model
