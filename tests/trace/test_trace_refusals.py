"""Any operation on a traced value either stays traced with the right numbers, or raises a TraceError."""

import copy
import math
import operator
import re

import numpy as np
import pytest
from rows import ROWS, mask, plain

from pencil.trace import Trace, TraceError
from pencil.trace.operations import REMEDIES

PLAIN_ARRAY = "a value turned into a plain array"
PLAIN_NUMBER = "a value turned into a plain number"
DECISION = "a decision on a traced value"
WRITE = "a write into a traced value"

# what is refused, and what the message must say
REFUSED = {
    "np.asarray": (np.asarray, PLAIN_ARRAY),
    "np.asarray float": (lambda x: np.asarray(x, dtype=float), PLAIN_ARRAY),
    "np.array": (np.array, PLAIN_ARRAY),
    "np.array of rows": (lambda x: np.array([x[0], x[1]]), PLAIN_ARRAY),
    "np.array of numbers": (lambda x: np.array([x[0, 0], 1.0]), PLAIN_ARRAY),
    "np.array of objects": (lambda x: np.array([x, None], dtype=object), PLAIN_ARRAY),
    "plain[0] = x": (lambda x: operator.setitem(np.zeros((2, 4)), 0, x[0]), PLAIN_ARRAY),
    "plain[x]": (lambda x: plain[x[0]], PLAIN_ARRAY),
    "plain[x > 0]": (lambda x: plain[x > 0], PLAIN_ARRAY),
    "np.vectorize": (lambda x: np.vectorize(lambda v: v)(x), PLAIN_ARRAY),
    "float": (lambda x: float(x[0, 0]), PLAIN_NUMBER),
    "int": (lambda x: int(x[0, 0]), PLAIN_NUMBER),
    "complex": (lambda x: complex(x[0, 0]), PLAIN_NUMBER),
    "math.exp": (lambda x: math.exp(x[0, 0]), PLAIN_NUMBER),
    "range": (lambda x: range(x[0, 0]), PLAIN_NUMBER),
    "list index": (lambda x: ["a", "b", "c"][x[0, 0]], PLAIN_NUMBER),
    "%-format": (lambda x: "%.3f" % x[0, 0], PLAIN_NUMBER),  # noqa: UP031
    "if x > 0": (lambda x: 1 if x[0, 0] > 0 else 2, DECISION),
    "while": (lambda x: next(iter(int, 1)) if x[0, 0] else 0, DECISION),
    "and": (lambda x: x[0, 0] > 0 and x, DECISION),
    "not": (lambda x: not x[0, 0], DECISION),
    "in": (lambda x: 3 in x, DECISION),
    "max()": (lambda x: max(x[0, 0], 0), DECISION),
    "sorted": (lambda x: sorted([x[0, 0], x[0, 1]]), DECISION),
    "x[0] = 1": (lambda x: operator.setitem(x, 0, 1), WRITE),
    "x += 1": (lambda x: operator.iadd(x, 1), "in-place"),
    "x @= g": (lambda x: operator.imatmul(x, plain.T), "in-place"),
    "x **= 2": (lambda x: operator.ipow(x, 2), "in-place"),
    "plain += x": (lambda x: operator.iadd(plain.copy(), x), "in-place add"),
    "out=": (lambda x: np.add(x, 1, out=np.zeros((2, 4))), "in-place add"),
    "np.add.at": (lambda x: np.add.at(plain.copy(), [0], x[0]), "np.add.at"),
    "np.add.outer": (lambda x: np.add.outer(x, x), "np.add.outer"),
    "np.add.accumulate": (np.add.accumulate, "np.add.accumulate"),
    "np.multiply.reduce": (np.multiply.reduce, "np.multiply.reduce"),
    "np.copyto": (lambda x: np.copyto(plain.copy(), x), "np.copyto"),
    "x[x > 0]": (lambda x: x[x[:, 0] > 0], "a traced mask as an index"),
    "x[0, ids]": (lambda x: x[0, x[0]], "an index with a traced part"),
    "np.where(x)": (lambda x: np.where(x > 0), "np.where"),
    "where=": (lambda x: np.add(x, 1, where=mask[:, None]), "where"),
    "dtype=": (lambda x: np.exp(x, dtype=np.float32), "dtype"),
    "np.sum dtype": (lambda x: np.sum(x, dtype=np.float32), "dtype"),
    "np.sum initial": (lambda x: np.sum(x, initial=1), "initial"),
    "note of a plain array": (lambda x: x.trace("plain", plain), "note('plain') got a plain ndarray"),
    "note of a number": (lambda x: x.trace("plain", 3.0), "note('plain') got a plain float"),
    "another trace": (lambda x: x + Trace().given("y", ROWS), "another trace"),
    "a deep copy": (lambda x: x + copy.deepcopy(x), "another trace"),
    "a list of both": (lambda x: np.stack([plain, [x[0], plain[0]]]), ""),
    **{
        f"np.{f.__name__}": (lambda x, f=f: f(x), f"np.{f.__name__}")
        for f in (
            np.argmax,
            np.argmin,
            np.argsort,
            np.unique,
            np.median,
            np.floor,
            np.ceil,
            np.log1p,
            np.expm1,
            np.isnan,
            np.isfinite,
            np.any,
            np.all,
            np.nonzero,
            np.full_like,
            np.empty_like,
            np.nan_to_num,
        )
        if f is not np.full_like
    },
    "np.argsort that is not stable": (lambda x: np.argsort(x, -1, "quicksort"), "np.argsort"),
    "np.cumsum in single precision": (lambda x: np.cumsum(x, -1, np.float32), "np.cumsum with dtype=float32"),
    "np.take_along_axis that broadcasts": (lambda x: np.take_along_axis(x, np.zeros((1, 4), int), -1), "np.take_along_axis"),
    "np.var in single precision": (lambda x: np.var(x, dtype=np.float32), "np.var: got an unexpected keyword argument 'dtype'"),
    "np.dot by matrices in a batch": (lambda x: np.dot(x, np.ones((3, 4, 2))), "np.dot by an array of 3 axes"),
    "np.einsum of a diagonal": (lambda x: np.einsum("ii", x @ plain.T), "np.einsum of 'ii'"),
    "np.einsum with an ellipsis": (lambda x: np.einsum("...i->...", x), "np.einsum of '...i->...'"),
    "another norm": (lambda x: np.linalg.norm(x, 1), "np.linalg.norm with ord=1"),
    "x.astype": (lambda x: x.astype(np.float32), ".astype(float32)"),
    "x // 2": (lambda x: x // 2, "np.floor_divide"),
    "x % 2": (lambda x: x % 2, "np.remainder"),
    "~mask": (lambda x: ~(x > 0), "np.invert"),
    "mask & mask": (lambda x: (x > 0) & (x < 2), "np.bitwise_and"),
    "np.tensordot": (lambda x: np.tensordot(x, plain.T, 1), "np.tensordot"),
    "np.block": (lambda x: np.block([[x, x]]), "np.block"),
    "np.pad": (lambda x: np.pad(x, 1), "np.pad"),
    "np.allclose": (lambda x: np.allclose(x, 1), "np.allclose"),
    "np.array_equal": (lambda x: np.array_equal(x, x), "np.array_equal"),
    "np.apply_along_axis": (lambda x: np.apply_along_axis(lambda r: r, 0, x), "np.apply_along_axis"),
    "np.full_like": (lambda x: np.full_like(x, 3), "np.full_like"),
    "np.concatenate out": (lambda x: np.concatenate([x, x], out=np.zeros((4, 4))), "out"),
    "np.stack out": (lambda x: np.stack([x, x], out=np.zeros((2, 2, 4))), "out"),
    "np.concatenate dtype": (lambda x: np.concatenate([x, x], dtype=np.float32, casting="unsafe"), "dtype"),
    "np.repeat by a traced count": (lambda x: np.repeat(plain, x[0, 0]), PLAIN_ARRAY),
    "np.roll by a traced step": (lambda x: np.roll(x, x[0, 0]), "np.roll of several values"),
}

# methods and attributes that an array has and a traced one has not: they must not look like a typing mistake
MISSING = ("all", "any", "argmax", "argmin", "fill", "flat", "item", "nonzero", "partition", "real", "searchsorted", "tolist", "view")


@pytest.mark.parametrize("step, lost", REFUSED.values(), ids=REFUSED)
def test_a_step_that_cannot_be_followed_is_refused_by_name(x, step, lost):
    with pytest.raises(TraceError) as refusal:
        step(x)
    assert lost in str(refusal.value)


@pytest.mark.parametrize("attribute", MISSING)
def test_what_an_array_can_do_and_a_traced_one_cannot_is_refused_by_name(x, attribute):
    with pytest.raises(TraceError, match=rf"\.{attribute} of a traced value"):
        getattr(x, attribute)


@pytest.mark.parametrize("attribute", ["itemsize", "view", "argmax", "shpae", "__array_interface__"])
def test_whoever_asks_first_whether_an_attribute_is_there_is_told_no(x, attribute):
    assert not hasattr(x, attribute) and getattr(x, attribute, None) is None


def test_a_misspelt_attribute_is_still_an_attribute_error(x):
    with pytest.raises(AttributeError):
        x.shpae  # noqa: B018


@pytest.mark.parametrize("write", [lambda p, x: operator.setitem(p, 0, x[0, 0]), lambda p, x: operator.setitem(p, slice(0, 2), x[0, :2])])
def test_a_write_into_a_plain_array_never_succeeds(x, write):
    target = np.full(4, 7.0)
    with pytest.raises((TraceError, ValueError)):  # for a single number NumPy wraps the refusal in its own ValueError
        write(target, x)
    assert target.tolist() == [7, 7, 7, 7]


@pytest.mark.parametrize("show", [lambda x: f"{x[0, 0]:.3f}", lambda x: round(x[0, 0], 3), lambda x: format(x[0, 0], "g")])
def test_a_traced_number_is_not_printed_past_the_rounding_rule(x, show):
    with pytest.raises(TypeError):
        show(x)


def test_the_refusal_says_what_to_write_instead(x):
    for step, remedy in (
        (lambda: float(x[0, 0]), "np.exp"),
        (lambda: bool(x[0, 0] > 0), "np.where(x > 0, this, that)"),
        (lambda: operator.iadd(x, 1), "x = x + y"),
        (lambda: operator.setitem(x, 0, 1), "np.concatenate"),
        (lambda: x[x > 0], "np.where(mask, x, 0)"),
        (lambda: x.trace("plain", plain), "depends on nothing given"),
    ):
        with pytest.raises(TraceError) as refusal:
            step()
        assert remedy in str(refusal.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda f, x: f.sum(x, 0, float),  # the third place of np.sum is a dtype
        lambda f, x: x.sum(0, float),
        lambda f, x: f.max(x, 0, None, True),
        lambda f, x: f.mean(x, 0, None, None, True),
        lambda f, x: x.mean(0, None, None, True),
    ],
)
def test_arguments_by_position_mean_what_they_mean_to_numpy_or_are_refused(x, call):
    wanted = call(np, np.array(ROWS))
    try:
        out = call(np, x)
    except TypeError:  # TraceError is one
        return
    assert out.shape == wanted.shape and np.array_equal(out.exact, wanted)


# what others write most and the trace does not follow: each refusal says what to write instead
OTHERS = {
    "log1p": np.log1p, "expm1": np.expm1, "tensordot": lambda x: np.tensordot(x, plain.T, 1), "argmax": np.argmax, "argmin": np.argmin,
    "item": lambda x: x[0, 0].item(), "tolist": lambda x: x.tolist(),
}  # fmt: skip


@pytest.mark.parametrize("name", REMEDIES)
def test_a_refusal_has_the_remedy_of_its_function(x, name):
    with pytest.raises(TraceError, match=re.escape(REMEDIES[name])):
        OTHERS[name](x)


@pytest.mark.parametrize("name", ["log1p", "expm1"])
def test_the_remedy_gives_the_same_numbers(x, name):
    written = eval(REMEDIES[name].removeprefix("write "), {"np": np, "x": x})
    assert np.allclose(written.exact, OTHERS[name](x.exact), atol=1e-12)
