"""Random numbers for the reference, in sizes small enough for loops."""

import numpy as np
from hypothesis import strategies as st

from pencil.reference import Grids


def arrays(*shape, low=-1.0, high=1.0):
    """A NumPy array of that shape. The numbers come from a drawn seed: shapes and masks shrink, numbers need not.

    They stay within one, so that no score comes near what a float can raise e to.
    """
    return st.integers(0, 10_000).map(lambda seed: np.random.default_rng(seed).uniform(low, high, shape))


@st.composite
def heads(draw, d_model, count=1, d_k=None, d_v=None):
    """Grids for `count` heads, each with a width of its own."""
    out = []
    for _ in range(count):
        k, v = d_k or draw(st.integers(1, 4)), d_v or draw(st.integers(1, 4))
        out.append(Grids(draw(arrays(k, d_model)), draw(arrays(k, d_model)), draw(arrays(v, d_model))))
    return out


@st.composite
def masks(draw, queries, keys):
    """True where a query may look; every query may look somewhere."""
    mask = np.array(draw(st.lists(st.booleans(), min_size=queries * keys, max_size=queries * keys))).reshape(queries, keys)
    mask[np.arange(queries), draw(st.lists(st.integers(0, keys - 1), min_size=queries, max_size=queries))] = True
    return mask


def lists(*arrays_):
    return [a.tolist() for a in arrays_]
