"""Mistakes that once ended in a bare NumPy error, or in numbers that look right and are not."""

from dataclasses import replace

import numpy as np
import pytest

from pencil.examples import PAIR_BLOCK, PAIR_HEAD, REVIEW_GRIDS, ROWS
from pencil.reference import (
    Attention,
    Dictionary,
    Grids,
    Head,
    Recipe,
    attention,
    average,
    block,
    classify,
    dictionary,
    embed,
    multi_head_attention,
    pad_or_chop,
    self_attention,
    softmax,
    stable_softmax,
    weighted_sum,
)  # fmt: skip


def test_powers_that_fit_singly_but_not_together_are_refused():
    with pytest.raises(ValueError, match=r"709\.7 is more than a float holds; use stable_softmax"):
        softmax(np.array([709.7, 709.7]))
    assert stable_softmax(np.array([709.7, 709.7])).tolist() == [0.5, 0.5]


def test_the_remedy_for_large_scores_can_be_followed_in_a_block():
    large = Grids(PAIR_HEAD.query * 400, PAIR_HEAD.key * 400, PAIR_HEAD.value)
    grids = replace(PAIR_BLOCK, attention=Attention((large,), PAIR_BLOCK.attention.output))
    with pytest.raises(ValueError, match="softmax=stable_softmax"):
        block(ROWS, grids)
    assert np.isfinite(block(ROWS, grids, recipe=Recipe(softmax=stable_softmax))).all()


@pytest.mark.parametrize(
    "mistake, says",
    [
        (lambda: Dictionary({"a": 1}, 5).ids("a text"), "split it into words"),
        (lambda: dictionary(["a text"], 5), "split it into words"),
        (lambda: Dictionary({"a": 1, "b": 1}, 5), "share a rank"),
        (lambda: self_attention(ROWS[0], REVIEW_GRIDS), r"x has the shape \(4,\)"),
        (lambda: attention(np.ones((2, 3, 4)), np.ones((3, 3, 4)), np.ones((3, 3, 4))), "batches of different sizes"),
        (lambda: weighted_sum(np.ones((2, 3, 4)), np.ones((3, 4, 4))), "batches of different sizes"),
        (lambda: attention([[1, 0]], [[1, 0]], [[1, 0]]), r"query is a list; make it an array"),
        (lambda: average([[1, 2]]), r"np\.array\(x\)"),
        (lambda: average(np.float64(3)), r"x has the shape \(\)"),
        (lambda: pad_or_chop([[1, 2]], 3), "one row of ids"),
        (lambda: embed(np.array([True, False]), np.eye(2)), "mask of True and False"),
        (lambda: multi_head_attention(ROWS, Attention((REVIEW_GRIDS,), np.ones((1, 4)))), r"writes 1 numbers where 4 are wanted"),
        (lambda: classify(np.ones(4), Head(np.ones((2, 4)), np.ones(2), np.ones((2, 2)), np.ones(2))), "writes 2 numbers where 1"),
    ],
)
def test_it_is_refused_with_the_remedy(mistake, says):
    with pytest.raises(ValueError, match=says):
        mistake()


def test_every_function_that_can_refuse_says_so_and_names_its_source():
    import inspect

    import pencil.reference as reference

    silent = {"padding_mask", "relu", "gelu", "gelu_erf"}  # they take anything
    ours = {"dictionary", "pad_or_chop"}  # they name the Keras tools that do the same
    for name in reference.__all__:
        thing = getattr(reference, name)
        if inspect.isfunction(thing) and name not in silent:
            text = " ".join(thing.__doc__.split())
            assert "Raises ValueError" in text, name
            named = any(word in text for word in ("et al.", "torch", "Source:", "Keras", "Bridle", "Ba, Kiros"))
            assert named or name in ours, name
