"""Classifiers of texts, from ids to a probability: one that attends, one that runs an RNN, and the MLP head of both."""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.attending import AttentionParams, multi_head_attention
from pencil.reference.contracts import Array, shapes
from pencil.reference.functional import linear, relu, sigmoid, softmax
from pencil.reference.masks import key_mask, padding_mask
from pencil.reference.pooling import mean_pool
from pencil.reference.recurrent import final_hidden, run_rnn
from pencil.reference.text import embed


@dataclass(frozen=True)
class MLPParams:
    """The two linear layers of a classifier head."""

    weight1: Array  # (hidden, d)
    bias1: Array  # (hidden,)
    weight2: Array  # (1, hidden)
    bias2: Array  # (1,)


@shapes("... d, head.weight1: hidden d, head.bias1: hidden, head.weight2: 1 hidden, head.bias2: 1 -> ... 1")
def mlp_head(pooled, head, *, note=no_note):
    """Linear, ReLU, linear, sigmoid: the probability of the class. It has no dropout, as a model in eval mode has none.

    - `pooled`: (..., d), one row for each text
    - `head`: the parameters of both layers

    Source: the head of the film-review classifier that chapter 06 follows. Raises ValueError for layers that do not fit one
    another, and for a last layer with more than one output.
    """
    hidden = note("hidden", linear(pooled, head.weight1, head.bias1))
    activated = note("activated", relu(hidden))
    logit = note("logit", linear(activated, head.weight2, head.bias2))
    return sigmoid(logit, note=scoped(note, "sigmoid"))


@dataclass(frozen=True)
class ClassifierParams:
    """The parameters of `classifier`."""

    embedding: Array  # (rows, d_model)
    attention: AttentionParams
    head: MLPParams


@shapes("int T, params.embedding: rows d_model -> 1")
def classifier(ids, params, *, padding=True, softmax=softmax, pool=mean_pool, note=no_note):
    """Embedding, attention, pooling, head: the probability that a review is positive.

    - `ids`: (T,), one text
    - `params`: the parameters
    - `padding`: whether id 0 is padding, which attention and pooling leave out
    - `softmax`: as in `attention`
    - `pool`: mean_pool, max_pool, first_token or last_token

    Source: the Keras model of Rahul Rai's post, which chapter 06 follows, with the padding masked; `padding=False` attends to
    the padding and averages it too, as in the post. Raises ValueError for a text of padding alone, and as its parts do.
    """
    x = embed(ids, params.embedding, note=note)
    x = multi_head_attention(x, params.attention, mask=key_mask(ids) if padding else None, softmax=softmax, note=note)
    return mlp_head(pool(x, mask=padding_mask(ids) if padding else None, note=note), params.head, note=note)


@dataclass(frozen=True)
class RNNClassifierParams:
    """The parameters of `rnn_classifier`."""

    embedding: Array  # (rows, d)
    rnn: object  # RNNParams, LSTMParams or BidirectionalParams
    head: MLPParams


@shapes("int T, params.embedding: rows d -> 1")
def rnn_classifier(ids, params, *, padding=True, note=no_note):
    """Embedding, RNN, its final hidden state, head: the probability that a review is positive.

    - `ids`: (T,), one text
    - `params`: the parameters
    - `padding`: whether id 0 is padding, which the RNN skips

    Source: the recurrent models of Rahul Rai's post (Keras' SimpleRNN, LSTM and Bidirectional after an Embedding), with the
    padding skipped wherever it is (Keras' mask_zero=True); `padding=False` runs through it, as in the post. Raises ValueError
    for a text of padding alone, and as its parts do.
    """
    x = embed(ids, params.embedding, note=note)
    if padding:
        x = _tokens_only(x, padding_mask(ids))
    hidden_states = run_rnn(x, params.rnn, note=note)
    return mlp_head(final_hidden(hidden_states, params.rnn, note=note), params.head, note=note)


def _tokens_only(x, mask):  # (T, d) (T,) -> the rows that are not padding
    if not mask.any():
        raise ValueError(f"all {len(mask)} positions are padding: there is no token to read; leave such a text out")
    return x if mask.all() else x[np.flatnonzero(mask)]
