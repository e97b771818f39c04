"""SparseLab chooses as the masks of `pencil.reference` do, and attends as `attention` does."""

import numpy as np
import pytest

from pencil.reference import attention, block_mask, causal_mask, compress, top_k_mask
from pencil.widgets import SparseLab

ONE = np.ones((1, 1))  # the query; a key of one number is then its score


def chosen(way, scores, index, k):  # -> what is read and the shares, one row each
    if way == "entries of two":
        keys = compress(scores[:, None], rate=2)
        best = top_k_mask(keys.T, k=k)
        return best.repeat(2, 1) / 2, attention(ONE, keys, np.eye(4), mask=best, width=1).repeat(2, 1) / 2
    if way == "a window":
        read = causal_mask(8, window=k)[-1:]
    elif way == "blocks of two":
        read = block_mask(ONE, scores[:, None], block_size=2, k=k)
    else:
        read = top_k_mask(index[None], k=k)
    return read, attention(ONE, scores[:, None], np.eye(8), mask=read, width=1)


@pytest.mark.parametrize("variant, way", list(enumerate(["a window", "blocks of two", "an indexer", "entries of two"])))
@pytest.mark.parametrize("k, needle", [(1, 1), (2, 8), (3, 2), (4, 5), (8, 3)])
def test_it_chooses_as_the_reference_does(k, needle, variant, way):
    lab, rng, sought = SparseLab(), np.random.default_rng(k), np.arange(8) == needle - 1
    scores, index = rng.integers(-3, 4, 8), rng.integers(0, 4, 8)
    lab.variant = variant
    lab.givens = {"k": k, "needle": needle, "raised": 5, "scores": scores} | ({"index": index, "index_raised": 3} if way == "an indexer" else {})
    assert lab.chosen() == {"Who chooses": way}
    read, shares = chosen(way, np.where(sought, 5, scores), np.where(sought, 3, index), k)
    assert lab.trace.find("read").exact.tolist() == read[0].tolist() and lab.trace.find("rows").exact == read.sum()
    np.testing.assert_allclose(lab.trace.find("shares").exact, shares[0], rtol=1e-12)
    np.testing.assert_allclose(lab.trace.find("of_needle").exact, shares[0, needle - 1], rtol=1e-12)


@pytest.mark.parametrize("k, found", [(6, False), (7, True)])
def test_the_window_finds_the_needle_by_its_place_alone(k, found):
    lab = SparseLab()
    lab.givens = {"k": k, "needle": 2}
    assert (lab.trace.find("of_needle").exact > 0) == found


@pytest.mark.parametrize("k, found", [(3, False), (4, True)])
def test_a_neighbour_hides_the_needle_in_its_block(k, found):
    lab = SparseLab()
    lab.variant = 1
    lab.givens = {"k": k, "needle": 2, "scores": [-6, *lab.givens["scores"][1:]]}
    assert (lab.trace.find("of_needle").exact > 0) == found


@pytest.mark.parametrize("own, found", [(0.9, False), (1, True)])
def test_the_indexer_finds_it_by_its_index_score(own, found):
    lab = SparseLab()
    lab.variant = 2
    lab.givens = {"index_raised": own}
    assert (lab.trace.find("of_needle").exact > 0) == found
