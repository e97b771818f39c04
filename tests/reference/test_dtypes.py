"""Which arrays the reference takes: integers, single precision, views, batches, traced values."""

import numpy as np
import pytest

from pencil import examples
from pencil.reference import (  # fmt: skip
    Alibi,
    AttentionParams,
    QKVParams,
    Rotary,
    attention,
    binary_cross_entropy,
    block,
    embed,
    layer_norm,
    mean_pool,
    mlp_head,
    multi_head_attention,
    self_attention,
    sigmoid,
    softmax,
    stable_softmax,
)
from pencil.trace import Trace
from pencil.trace.array import TracedArray

ROWS = examples.ROWS
RUNS = {
    "attention": lambda x: attention(x, x, x),
    "masked attention": lambda x: attention(x, x, x, mask=np.tri(2, dtype=bool)),
    "self_attention": lambda x: self_attention(x, examples.REVIEW_PARAMS),
    "multi_head_attention": lambda x: multi_head_attention(x, AttentionParams((examples.REVIEW_PARAMS,) * 2, np.tile(np.eye(4), 2))),
    "softmax": softmax,
    "stable_softmax": stable_softmax,
    "layer_norm": layer_norm,
    "block": lambda x: block(x, examples.PAIR_BLOCK),
    "average": mean_pool,
    "masked average": lambda x: mean_pool(x, mask=np.array([True, False])),
    "classify": lambda x: mlp_head(x[0], examples.REVIEW_HEAD),
    "sigmoid": sigmoid,
    "embed": lambda x: embed([1, 0, 1], x),
    "loss": lambda x: binary_cross_entropy(np.array([0.9, 0.2]), x[:, 1] * 0 + 1),
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("kind, tolerance", [(np.int64, 1e-15), (np.int32, 1e-15), (np.float32, 1e-6)])
def test_any_kind_of_number_gives_what_float64_gives(run, kind, tolerance):
    np.testing.assert_allclose(run(ROWS.astype(kind)), run(ROWS), rtol=tolerance, atol=tolerance)


def test_a_longer_float_is_taken_for_what_it_holds():
    with np.errstate(all="raise"):
        np.testing.assert_allclose(softmax(np.array([[2, 1]], np.longdouble)).astype(float), softmax(np.array([[2.0, 1]])), rtol=1e-15)


@pytest.mark.parametrize("kind, most", [(np.float16, 10), (np.float32, 88), (np.float64, 709)])
def test_a_power_that_this_kind_of_number_does_not_hold_is_refused(kind, most):
    """Else single precision would give NaN, long before double precision does."""
    held = softmax(np.array([[most, 0]], kind))
    assert np.isfinite(held).all() and held.dtype == kind
    for scores in ([[most + 1, 0]], [[-most - 1, -most - 1]]):
        with pytest.raises(ValueError, match="a float holds; use stable_softmax"):
            softmax(np.array(scores, kind))
        assert np.isfinite(stable_softmax(np.array(scores, kind))).all()


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_a_row_that_differs_in_its_last_digit_alone_is_flat(kind):
    row = np.array([1 + np.finfo(kind).eps, 1, 1, 1], kind)
    with pytest.raises(ValueError, match="flat row"):
        layer_norm(row)
    assert layer_norm(row + np.array([0.25, 0, 0, 0], kind)).argmax() == 0


@pytest.mark.parametrize("kind, row", [(np.float16, [100, 100, 100.5]), (np.float32, [1000, 1000, 1000.006]), (np.float64, [1, 1, 1 + 1e-13])])
def test_a_row_whose_numbers_differ_little_and_by_more_than_noise_is_not_flat(kind, row):
    assert layer_norm(np.array(row, kind)).argmax() == 2


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_a_view_into_another_array_is_read_as_it_stands(run):
    view = np.asfortranarray(np.repeat(ROWS, 2, axis=1))[::-1, ::2]
    np.testing.assert_array_equal(run(view), run(view.copy()))


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_a_traced_array_gives_the_same_numbers_and_stays_traced(run):
    out = run(Trace().given("x", ROWS))
    assert isinstance(out, TracedArray)
    np.testing.assert_array_equal(out.exact, run(ROWS))


@pytest.mark.parametrize("run", [RUNS[name] for name in ("attention", "masked attention", "self_attention", "softmax", "layer_norm", "block")])
def test_texts_side_by_side_are_each_read_alone(run):
    other = ROWS[:, ::-1] + np.array([0, 1, 0, 3])
    together = run(np.stack([ROWS, other]))
    np.testing.assert_allclose(together[0], run(ROWS), rtol=1e-14)
    np.testing.assert_allclose(together[1], run(other), rtol=1e-14)


def test_a_mask_may_be_shared_by_all_queries_or_said_as_zeros_and_ones():
    one = attention(ROWS, ROWS, ROWS, mask=np.array([True, False]))
    assert np.array_equal(one, attention(ROWS, ROWS, ROWS, mask=np.array([[1, 0]])))
    assert np.array_equal(one, ROWS[[0, 0]])


def test_a_loss_may_be_asked_for_one_answer():
    assert binary_cross_entropy(0.96, 1) == pytest.approx(0.0408, abs=5e-5)
    assert binary_cross_entropy(0.10, 1) == pytest.approx(2.3026, abs=5e-5)


ENCODINGS = {"none": None, "rotary": Rotary(), "alibi": Alibi()}


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=ENCODINGS)
def test_attention_keeps_the_precision_of_its_rows(encoding, kind):
    head = QKVParams(*(np.asarray(array, kind) for array in (examples.PAIR_HEAD.query, examples.PAIR_HEAD.key, examples.PAIR_HEAD.value)))
    out = self_attention(ROWS.astype(kind), head, position_encoding=encoding)
    assert out.dtype == kind
    np.testing.assert_allclose(out, self_attention(ROWS, examples.PAIR_HEAD, position_encoding=encoding), rtol=1e-5, atol=1e-6)
