"""Binary classifiers of token ids.

`MLPHead` makes a logit of a pooled row. `Classifier` pools the rows of an attention layer, `RNNClassifier` takes the last hidden
state of a recurrent network.
"""

from pencil import reference
from pencil.model.attending import MultiHeadAttention
from pencil.model.config import Config
from pencil.model.masks import can_inspect, check_ids, key_mask, padding_mask
from pencil.model.module import Module, check_eval, check_fit, dropout, linear, look_up, named, new_embedding
from pencil.model.pooling import pool_of
from pencil.model.recurrent import RNNS, Bidirectional


class MLPHead(Module):
    """A linear layer, ReLU, and a linear layer with one output.

    Args:
        sizes: a Config, or MLPParams, of which the shapes are used.
        config: not used; `from_params` passes it.
        dropout: the dropout probability in training, of the input and of the hidden layer.

    Raises ValueError for weights that do not fit one another.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0):
        super().__init__()
        params = sizes.mlp_head_params() if isinstance(sizes, Config) else sizes
        check_fit("the hidden row", params.weight1.shape[0], "weight2", params.weight2, out=1)
        self.dropout = dropout
        self.layer1, self.layer2 = linear(*params.weight1.shape, True), linear(*params.weight2.shape, True)

    def forward(self, x, *, note=None):  # (..., d) -> (..., 1)
        """The logit, of which sigmoid makes a probability; names hidden, activated, logit."""
        check_eval(self, note)
        hidden = named(note, "hidden", self.layer1(dropout(x, self.dropout, self.training)))
        activated = named(note, "activated", hidden.relu())
        return named(note, "logit", self.layer2(dropout(activated, self.dropout, self.training)))

    def arrays(self):
        """weight1, bias1, weight2, bias2."""
        return {"weight1": self.layer1.weight, "bias1": self.layer1.bias, "weight2": self.layer2.weight, "bias2": self.layer2.bias}


class Classifier(Module):
    """Embedding, attention, pooling, head (the Keras model of Rahul Rai's post, with padding masked).

    Args:
        sizes: a Config, or ClassifierParams, of which the shapes are used.
        config: not used (no norm, no feed-forward network, no positions); `from_params` passes it.
        dropout: the dropout probability in training, in the head.
        padding: whether id 0 is padding; with False it is a token like any other.
        pool: "mean_pool", "max_pool", "first_token" or "last_token", or the reference's function of that name.

    Raises ValueError for another pooling.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0, padding=True, pool="mean_pool"):
        super().__init__()
        params = sizes.classifier_params() if isinstance(sizes, Config) else sizes
        self.padding, self.pool = padding, pool_of(pool)
        self.embedding = new_embedding(params.embedding)
        self.attention = MultiHeadAttention(params.attention)  # no positions, and no dropout before the head
        self.head = MLPHead(params.head, dropout=dropout)

    def forward(self, ids, *, note=None):  # (..., T) -> (..., 1)
        """The probability. For a text of padding only see `key_mask` and the pooling. Raises ValueError as `check_ids` does."""
        return named(note, "sigmoid.prob", self.logit(ids, note=note).sigmoid())

    def logit(self, ids, *, note=None):  # (..., T) -> (..., 1)
        """The logit of that probability; train on it, with torch's binary_cross_entropy_with_logits, which is more stable."""
        check_ids(ids)
        is_token = padding_mask(ids) if self.padding else None
        x = named(note, "embedding", look_up(ids, self.embedding))
        mask = None if is_token is None else key_mask(is_token, note=note)
        x = self.attention(x, mask=mask, note=note)
        return self.head(self.pool(x, mask=is_token, note=note), note=note)

    def arrays(self):
        """embedding, attention.…, head.…"""
        return {"embedding": self.embedding} | super().arrays()


ALL_RNNS = RNNS | {reference.BidirectionalParams: Bidirectional}


class RNNClassifier(Module):
    """Embedding, a recurrent network, its last hidden state, head (the Keras models of Rahul Rai's post, with padding skipped).

    Args:
        sizes: a Config, or RNNClassifierParams, of which the shapes are used.
        config: not used; `from_params` passes it.
        dropout: the dropout probability in training, in the head.
        padding: whether id 0 is padding, which is skipped wherever it stands; with False it is a token like any other.
        rnn: "rnn", "lstm" or "bidirectional", for a Config.

    Raises ValueError for another `rnn`.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0, padding=True, rnn="rnn"):
        super().__init__()
        params = sizes.rnn_classifier_params(rnn) if isinstance(sizes, Config) else sizes
        self.padding = padding
        self.embedding = new_embedding(params.embedding)
        self.rnn = rnn_of(params.rnn)
        self.head = MLPHead(params.head, dropout=dropout)

    def forward(self, ids, *, note=None):  # (..., T) -> (..., 1)
        """The probability. For a text of padding only see `left_align`. Raises ValueError as `check_ids` does."""
        return named(note, "sigmoid.prob", self.logit(ids, note=note).sigmoid())

    def logit(self, ids, *, note=None):  # (..., T) -> (..., 1)
        """The logit of that probability; train on it, with torch's binary_cross_entropy_with_logits, which is more stable."""
        check_ids(ids)
        x, lengths = named(note, "embedding", look_up(ids, self.embedding)), None
        if self.padding:
            x, lengths = left_align(x, padding_mask(ids), inspect=note is not None)
        final = self.rnn.final_hidden(self.rnn(x, lengths=lengths, note=note), lengths=lengths)
        return self.head(named(note, "pooled", final), note=note)

    def arrays(self):
        """embedding, rnn.…, head.…"""
        return {"embedding": self.embedding} | super().arrays()


def rnn_of(params):  # RNNParams, LSTMParams or BidirectionalParams -> RNN, LSTM or Bidirectional
    """A new recurrent module of the params' shapes. Raises ValueError for other params."""
    if type(params) not in ALL_RNNS:
        raise ValueError(f"{type(params).__name__} is no recurrent network; give the classifier {' or '.join(kind.__name__ for kind in ALL_RNNS)}")
    return ALL_RNNS[type(params)](params)


def left_align(x, mask, inspect=False):  # (..., T, d) (..., T) bool -> (..., S, d), lengths (...) or None if all rows count
    """The rows where the mask is True, moved to the front in their order, and how many they are in each text.

    Where `can_inspect` is True, or `inspect` is given, the rows are cut to the longest text, and a text of padding only raises
    ValueError; elsewhere such a text is classified by its first position.
    """
    lengths, inspect = mask.sum(-1), inspect or can_inspect(mask)
    if inspect:
        if not lengths.all():
            raise ValueError(f"all {mask.shape[-1]} positions of a text are padding: there is no token to run along; leave such a text out")
        if mask.all():
            return x, None
    if not (inspect and (mask[..., :-1] >= mask[..., 1:]).all()):  # padding stands before a token
        order = (~mask).int().argsort(stable=True)
        x = x.gather(-2, order[..., None].expand(x.shape))
    return (x[..., : lengths.max(), :] if inspect else x), lengths.clamp(min=1)
