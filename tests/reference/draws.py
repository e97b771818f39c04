"""Random numbers for the reference, in sizes small enough for loops."""

import warnings

import numpy as np
import pytest
from hypothesis import strategies as st

from pencil.bundles import each
from pencil.reference import Attention, Block, Decoder, Encoder, FeedForward, Grids, Norm, Recurrent


def arrays(*shape, low=-1.0, high=1.0):
    """A NumPy array of that shape. The numbers come from a drawn seed: shapes and masks shrink, numbers need not.

    They stay within one, so that no score comes near what a float can raise e to.
    """
    return st.integers(0, 10_000).map(lambda seed: np.random.default_rng(seed).uniform(low, high, shape))


def perhaps(*shape):
    """An array, or None."""
    return st.one_of(st.none(), arrays(*shape))


@st.composite
def cells(draw, d, d_h):
    """What a walker reads with, or one gate of it: with a bias or without."""
    return Recurrent(draw(arrays(d_h, d)), draw(arrays(d_h, d_h)), draw(perhaps(d_h)))


@st.composite
def heads(draw, d_model, count=1, d_k=None, d_v=None, biased=False, d_memory=None):
    """Grids for `count` heads, each with a width of its own."""
    out, asked = [], d_memory or d_model
    for _ in range(count):
        k, v = d_k or draw(st.integers(1, 4)), d_v or draw(st.integers(1, 4))
        biases = [draw(arrays(n)) for n in (k, k, v)] if biased else []
        out.append(Grids(draw(arrays(k, d_model)), draw(arrays(k, asked)), draw(arrays(v, asked)), *biases))
    return out


@st.composite
def layers(draw, d_model, count=None, d_k=None, d_v=None, d_memory=None):
    """An attention layer: one head or several, with biases or without."""
    biased = draw(st.booleans())
    found = draw(heads(d_model, count or draw(st.integers(1, 3)), d_k, d_v, biased, d_memory))
    output = draw(arrays(d_model, sum(len(g.value) for g in found)))
    return Attention(tuple(found), output, draw(arrays(d_model)) if biased else None)


@st.composite
def norms(draw, d):
    return Norm(draw(perhaps(d)), draw(perhaps(d)))


@st.composite
def workers(draw, d):
    hidden = draw(st.sampled_from([1, d, 4 * d]))
    return FeedForward(draw(arrays(hidden, d)), draw(arrays(d, hidden)), draw(perhaps(hidden)), draw(perhaps(d)))


@st.composite
def blocks(draw, d, d_k=None, d_memory=None):
    """A block; with a `d_memory` one that also asks rows of that width."""
    cross = draw(layers(d, d_memory=d_memory)) if d_memory else None
    return Block(draw(layers(d, d_k=d_k)), draw(workers(d)), tuple(draw(norms(d)) for _ in range(3 if cross else 2)), cross)


@st.composite
def encoders(draw, rows, seats, d, d_k=None):
    """A reader of one or two blocks, with seats for so many words or none, with a last norm or none."""
    found = tuple(draw(blocks(d, d_k)) for _ in range(draw(st.integers(1, 2))))
    return Encoder(draw(arrays(rows, d)), found, draw(perhaps(seats, d)) if seats else None, draw(st.one_of(st.none(), norms(d))))


@st.composite
def decoders(draw, rows, seats, d, d_k=None, d_memory=None):
    """A writer; without an output grid of its own the table serves for it."""
    found = tuple(draw(blocks(d, d_k, d_memory)) for _ in range(draw(st.integers(1, 2))))
    told = draw(perhaps(seats, d)) if seats else None
    return Decoder(draw(arrays(rows, d)), found, told, draw(st.one_of(st.none(), norms(d))), draw(perhaps(rows, d)))


@st.composite
def masks(draw, queries, keys):
    """True where a query may look; every query may look somewhere."""
    mask = np.array(draw(st.lists(st.booleans(), min_size=queries * keys, max_size=queries * keys))).reshape(queries, keys)
    mask[np.arange(queries), draw(st.lists(st.integers(0, keys - 1), min_size=queries, max_size=queries))] = True
    return mask


def lists(*arrays_):
    return [a.tolist() for a in arrays_]


def lists_of(bundle):
    """The bundle with lists in place of its arrays."""
    return each(bundle, lambda name, array: array.tolist())


def check_refusal(mistake, parts):
    """The mistake is refused, and the message holds every part."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a refusal comes before NumPy has to warn
        with pytest.raises(ValueError) as refusal:
            mistake()
    for part in parts:
        assert part in str(refusal.value)
