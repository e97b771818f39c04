"""Wrong arguments that used to end in a bare NumPy error, or in plausible wrong numbers."""

from dataclasses import replace

import numpy as np
import pytest

from pencil.examples import PAIR_BLOCK, PAIR_HEAD, REVIEW_PARAMS, ROWS
from pencil.reference import (  # fmt: skip
    Alibi,
    AttentionParams,
    BlockConfig,
    MLPParams,
    QKVParams,
    Rotary,
    Vocabulary,
    attention,
    block,
    build_vocabulary,
    cosine_similarity,
    embed,
    layer_norm,
    mean_pool,
    mlp_head,
    multi_head_attention,
    pad_or_truncate,
    rms_norm,
    self_attention,
    softmax,
    stable_softmax,
    weighted_sum,
)


def test_powers_that_fit_singly_but_not_together_are_refused():
    with pytest.raises(ValueError, match=r"709\.7 is more than a float holds; use stable_softmax"):
        softmax(np.array([709.7, 709.7]))
    assert stable_softmax(np.array([709.7, 709.7])).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("norm", [layer_norm, rms_norm])
@pytest.mark.parametrize("x", [[1e-200, 2e-200], [1e-162, -3e-162], [[1, 2], [1e-160, 2e-160]], np.float32([1e-23, 2e-23])], ids=str)
def test_a_row_whose_squares_are_too_small_for_a_float_is_refused_and_eps_is_a_remedy(norm, x):
    """Their mean is 0, or has lost its digits: the quotient was infinite, or wrong by a tenth."""
    with pytest.raises(ValueError, match="less than a float holds; multiply the row first"):
        norm(np.array(x))
    assert np.isfinite(norm(np.array(x), eps=1e-6)).all()
    np.testing.assert_allclose(norm(np.array([1e-150, 3e-150])), norm(np.array([1.0, 3.0])), rtol=1e-12)


@pytest.mark.parametrize("x, says", [([[1e200, 1e200]], "more than a float holds"), ([[1e-200, 1e-200]], "less than a float holds")])
def test_a_direction_whose_length_no_float_holds_is_refused(x, says):
    """The cosine was 0 for the one and infinite for the other."""
    with pytest.raises(ValueError, match=says):
        cosine_similarity(np.array(x), np.eye(2))
    np.testing.assert_allclose(cosine_similarity(np.array([[1e150, 1e150]]), np.array([[1e-150, 0]])), [[0.5**0.5]])


@pytest.mark.parametrize("number", [0, -1, np.nan, np.inf])
def test_settings_with_which_no_number_is_right_are_refused_where_they_are_made(number):
    with pytest.raises(ValueError, match=rf"base={number}.*; give it a finite number above 0"):
        Rotary(base=number)
    if number not in (0, -1):
        with pytest.raises(ValueError, match=rf"slope={number}; give it a finite number"):
            Alibi(slope=number)
    if number != 0:
        with pytest.raises(ValueError, match=rf"eps={number}.*; give it a finite number, 0 or more"):
            BlockConfig(eps=number)


def test_the_remedy_for_large_scores_can_be_followed_in_a_block():
    large = QKVParams(PAIR_HEAD.query * 400, PAIR_HEAD.key * 400, PAIR_HEAD.value)
    params = replace(PAIR_BLOCK, attention=AttentionParams((large,), PAIR_BLOCK.attention.output))
    with pytest.raises(ValueError, match="softmax=stable_softmax"):
        block(ROWS, params)
    assert np.isfinite(block(ROWS, params, config=BlockConfig(softmax=stable_softmax))).all()


@pytest.mark.parametrize(
    "mistake, says",
    [
        (lambda: Vocabulary({"a": 1}, 5).ids("a text"), "split it into words"),
        (lambda: build_vocabulary(["a text"], size=5), "split it into words"),
        (lambda: Vocabulary({"a": 1, "b": 1}, 5), "share a rank"),
        (lambda: self_attention(ROWS[0], REVIEW_PARAMS), r"self_attention: x has the shape \(4,\); it takes \(\.\.\., T, d_model\)"),
        (
            lambda: attention(np.ones((2, 3, 4)), np.ones((3, 3, 4)), np.ones((3, 3, 4))),
            r"attention: the batch is \(2,\) in query \(2, 3, 4\) and \(3,\) in key",
        ),
        (
            lambda: weighted_sum(np.ones((2, 3, 3)), np.ones((3, 3, 4))),
            r"weighted_sum: the batch is \(2,\) in weights \(2, 3, 3\) and \(3,\) in value",
        ),
        (lambda: attention([[1, 0]], [[1, 0]], [[1, 0]]), r"query is a list; make it an array"),
        (lambda: mean_pool([[1, 2]]), r"np\.array\(x\)"),
        (lambda: mean_pool(np.float64(3)), r"x has the shape \(\)"),
        (lambda: pad_or_truncate([[1, 2]], max_len=3), r"pad_or_truncate: ids has the shape \(1, 2\); it takes \(T,\)"),
        (lambda: embed(np.array([True, False]), np.eye(2)), "mask of True and False"),
        (
            lambda: multi_head_attention(ROWS, AttentionParams((REVIEW_PARAMS,), np.ones((1, 4)))),
            r"multi_head_attention: d_model is 4 in x \(2, 4\) and 1 in params.output \(1, 4\)",
        ),
        (
            lambda: mlp_head(np.ones(4), MLPParams(np.ones((2, 4)), np.ones(2), np.ones((2, 2)), np.ones(2))),
            r"mlp_head: head.weight2 has the shape \(2, 2\); it takes \(1, hidden\)",
        ),
    ],
)
def test_it_is_refused_with_the_remedy(mistake, says):
    with pytest.raises(ValueError, match=says):
        mistake()


def test_every_function_that_can_refuse_says_so_and_names_its_source():
    import inspect

    import pencil.reference as reference

    silent = {"padding_mask", "relu", "gelu", "gelu_erf"}  # they take anything
    functions = {name for name in reference.__all__ if inspect.isfunction(getattr(reference, name))}
    assert silent < functions
    for name in functions - silent:
        text = " ".join(getattr(reference, name).__doc__.split())
        assert "Raises ValueError" in text, name
        named = any(word in text for word in ("et al.", "torch", "Source:", "Keras", "Bridle", "Ba, Kiros"))
        assert named, name
