"""Random numbers for the reference, in sizes small enough for loops."""

import warnings

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from pencil import examples
from pencil.params import map_arrays
from pencil.reference import AttentionParams, BlockParams, DecoderParams, EncoderParams, FeedForwardParams, LayerNormParams, QKVParams, RNNParams

quick = settings(max_examples=50, deadline=None, derandomize=True)
sizes = st.integers(1, 5)
full_counts = st.integers(0, 10_000).map(lambda seed: np.random.default_rng(seed).integers(1, 9, (4, 3)).astype(float))
close = {"rtol": 1e-12, "atol": 1e-13}


def arrays(*shape, low=-1.0, high=1.0):
    """A NumPy array of that shape. The numbers come from a drawn seed: shapes and masks shrink, numbers need not.

    They stay within one, so that no score comes near what a float can raise e to.
    """
    return st.integers(0, 10_000).map(lambda seed: np.random.default_rng(seed).uniform(low, high, shape))


def perhaps(*shape):
    """An array, or None."""
    return st.one_of(st.none(), arrays(*shape))


@st.composite
def cells(draw, d, hidden_size):
    """RNNParams, or one gate of an LSTM: with a bias or without."""
    return RNNParams(draw(arrays(hidden_size, d)), draw(arrays(hidden_size, hidden_size)), draw(perhaps(hidden_size)))


@st.composite
def heads(draw, d_model, count=1, d_k=None, d_v=None, biased=False, d_memory=None):
    """Projections of `count` heads, each with a width of its own."""
    out, d_source = [], d_memory or d_model
    for _ in range(count):
        k, v = d_k or draw(st.integers(1, 4)), d_v or draw(st.integers(1, 4))
        biases = [draw(arrays(n)) for n in (k, k, v)] if biased else []
        out.append(QKVParams(draw(arrays(k, d_model)), draw(arrays(k, d_source)), draw(arrays(v, d_source)), *biases))
    return out


@st.composite
def layers(draw, d_model, count=None, d_k=None, d_v=None, d_memory=None):
    """An attention layer: one head or several, with biases or without."""
    biased = draw(st.booleans())
    found = draw(heads(d_model, count or draw(st.integers(1, 3)), d_k, d_v, biased, d_memory))
    output = draw(arrays(d_model, sum(len(g.value) for g in found)))
    return AttentionParams(tuple(found), output, draw(arrays(d_model)) if biased else None)


@st.composite
def norms(draw, d):
    return LayerNormParams(draw(perhaps(d)), draw(perhaps(d)))


@st.composite
def mlps(draw, d):
    hidden = draw(st.sampled_from([1, d, 4 * d]))
    return FeedForwardParams(draw(arrays(hidden, d)), draw(arrays(d, hidden)), draw(perhaps(hidden)), draw(perhaps(d)))


@st.composite
def blocks(draw, d, d_k=None, d_memory=None):
    """A block; with a `d_memory` one with cross-attention to rows of that width."""
    cross = draw(layers(d, d_memory=d_memory)) if d_memory else None
    return BlockParams(draw(layers(d, d_k=d_k)), draw(mlps(d)), tuple(draw(norms(d)) for _ in range(3 if cross else 2)), cross)


@st.composite
def encoders(draw, rows, positions, d, d_k=None):
    """An encoder of one or two blocks, with or without positions and a final norm."""
    found = tuple(draw(blocks(d, d_k)) for _ in range(draw(st.integers(1, 2))))
    return EncoderParams(draw(arrays(rows, d)), found, draw(perhaps(positions, d)) if positions else None, draw(st.one_of(st.none(), norms(d))))


@st.composite
def decoders(draw, rows, positions, d, d_k=None, d_memory=None):
    """A decoder, with tied weights or an output projection of its own."""
    found = tuple(draw(blocks(d, d_k, d_memory)) for _ in range(draw(st.integers(1, 2))))
    positions_table = draw(perhaps(positions, d)) if positions else None
    return DecoderParams(draw(arrays(rows, d)), found, positions_table, draw(st.one_of(st.none(), norms(d))), draw(perhaps(rows, d)))


@st.composite
def masks(draw, queries, keys):
    """True where a query may attend to a key; every query may attend to one at least."""
    mask = np.array(draw(st.lists(st.booleans(), min_size=queries * keys, max_size=queries * keys))).reshape(queries, keys)
    mask[np.arange(queries), draw(st.lists(st.integers(0, keys - 1), min_size=queries, max_size=queries))] = True
    return mask


def lists(*arrays_):
    return [a.tolist() for a in arrays_]


def lists_of(bundle):
    """The bundle with lists in place of its arrays."""
    return map_arrays(bundle, lambda name, array: array.tolist())


def check_refusal(mistake, parts):
    """The mistake is refused, and the message holds every part."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a refusal comes before NumPy has to warn
        with pytest.raises(ValueError) as refusal:
            mistake()
    for part in parts:
        assert part in str(refusal.value), f"{part!r} is not in {str(refusal.value)!r}"


def book_counts():
    """The counts of the chapter, by a dictionary and loops of their own."""
    counts = {(word, other): 0 for word in examples.CONTEXT_WORDS for other in examples.CONTEXT_NEIGHBOURS}
    for sentence in examples.CONTEXT_TEXT:
        words = sentence.rstrip(".").lower().split()
        for i, word in enumerate(words):
            for j, other in enumerate(words):
                if 0 < abs(i - j) <= examples.CONTEXT_WINDOW and (word, other) in counts:
                    counts[word, other] += 1
    return np.array([[counts[word, other] for other in examples.CONTEXT_NEIGHBOURS] for word in examples.CONTEXT_WORDS], float)
