"""The shape contracts: what passes, and the error messages."""

import inspect
from dataclasses import dataclass

import numpy as np
import pytest

from pencil import reference
from pencil.reference import attention
from pencil.reference.contracts import shapes
from pencil.trace import Trace
from pencil.trace.array import TracedArray

ones = np.ones


@dataclass(frozen=True)
class Pair:
    weight: object
    bias: object = None


@shapes("... T d, 2 d, third?: *any, pair.weight: d_out d, pair.bias?: d_out -> ... T d_out")
def worked(x, two, pair, *, third=None, width=None):
    """What it says."""
    return x @ pair.weight.T


@shapes("masked S, int n, bool n, () -> S")
def values(scores, ids, real, rate):
    return scores


@shapes("*any, *any -> *any, _")
def alike(a, b):
    return a, "anything"


@shapes("T -> T width")
def wide(x, *, width):
    return np.ones((len(x), 3))


FITS = worked, ones((2, 4)), ones((2, 4)), Pair(ones((3, 4)))
REFUSED = {
    "two sizes of one axis": (lambda: worked(ones((2, 4)), ones((2, 5)), Pair(ones((3, 4)))), "worked: d is 4 in x (2, 4) and 5 in two (2, 5)"),
    "a field of a bundle": (lambda: worked(ones((2, 4)), ones((2, 4)), Pair(ones((3, 5)))), "worked: d is 4 in x (2, 4) and 5 in pair.weight (3, 5)"),
    "an optional field": (lambda: worked(*FITS[1:3], Pair(ones((3, 4)), ones(4))), "d_out is 3 in pair.weight (3, 4) and 4 in pair.bias (4,)"),
    "another number": (lambda: worked(ones((2, 4)), ones((3, 4)), FITS[3]), "worked: two has the shape (3, 4); it takes (2, d)"),
    "an axis too few": (lambda: worked(ones(4), *FITS[2:]), "worked: x has the shape (4,); it takes (..., T, d)"),
    "an axis too many": (lambda: worked(ones((2, 4)), ones((1, 2, 4)), FITS[3]), "worked: two has the shape (1, 2, 4); it takes (2, d)"),
    "any axes that differ": (lambda: alike(ones((2, 1)), ones((1, 2))), "alike: any is (2, 1) in a (2, 1) and (1, 2) in b (1, 2)"),
    "a result that does not fit": (lambda: wide(ones(2), width=4), "wide: width is 4 in the arguments and 3 in the result (2, 3)"),
    "nothing where an array is wanted": (lambda: worked(None, *FITS[2:]), "worked: x is None; give it an array"),
    "a field without its array": (lambda: worked(*FITS[1:3], Pair(None)), "worked: pair.weight is None; give it an array"),
    "words": (lambda: worked(np.array([["a"]]), *FITS[2:]), "worked: x is of the type <U1; give it numbers"),
    "a list": (lambda: worked([[1.0]], *FITS[2:]), "worked: x is a list; make it an array: np.array(x)"),
    "an empty array": (lambda: worked(ones((0, 4)), *FITS[2:]), "worked: x is empty: its shape is (0, 4)"),
    "NaN": (lambda: worked(ones((2, 4)) * np.nan, *FITS[2:]), "worked: x[0, 0] is NaN, not a number"),
    "minus infinity where nothing is masked": (lambda: worked(ones((2, 4)) * -np.inf, *FITS[2:]), "worked: x[0, 0] is infinite"),
    "plus infinity in scores": (lambda: values(np.array([np.inf]), [1], [True], 1.0), "values: scores[0] is infinite"),
    "half an id": (lambda: values(ones(1), [0.5], [True], 1.0), "values: ids holds 0.5, which is no whole number"),
    "a mask for ids": (lambda: values(ones(1), [True], [True], 1.0), "this is a mask of True and False"),
    "a mask of another length": (lambda: values(ones(1), [1, 2], [True], 1.0), "values: n is 2 in ids (2,) and 1 in real (1,)"),
    "a row for one number": (lambda: values(ones(1), [1], [True], ones(2)), "values: rate has the shape (2,); it takes ()"),
}


@pytest.mark.parametrize("call, says", REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_is_named(call, says):
    with pytest.raises(ValueError) as refusal:
        call()
    assert says in str(refusal.value)


def test_batches_broadcast_and_others_are_named():
    x = ones((5, 2, 3))
    assert attention(x, x[:1], x[0]).shape == (5, 2, 3)
    with pytest.raises(ValueError, match=r"attention: the batch is \(5,\) in query \(5, 2, 3\) and \(4,\) in value \(4, 2, 3\)"):
        attention(x, x[0], x[:4])


def test_what_fits_passes_untouched():
    assert worked(*FITS[1:]).shape == (2, 3)
    assert worked(ones((7, 2, 4)), *FITS[2:], third=ones((1, 1, 1))).shape == (7, 2, 3)
    assert values(np.array([-np.inf, 0]), [1, 2], [True, False], 0.5)[0] == -np.inf
    assert wide(ones(2), width=3).shape == (2, 3)


def test_a_traced_array_is_followed_and_its_numbers_are_checked():
    trace = Trace()
    x = trace.given("x", ones((2, 3)))
    assert isinstance(attention(x, x, x), TracedArray)
    with pytest.raises(ValueError, match=r"attention: d_k is 3 in query \(2, 3\) and 4 in key \(2, 4\)"):
        attention(x, trace.given("key", ones((2, 4))), x)


def test_the_function_keeps_its_name_its_words_and_its_call():
    assert (worked.__name__, worked.__doc__) == ("worked", "What it says.")
    assert str(inspect.signature(worked)) == "(x, two, pair, *, third=None, width=None)"
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'pair'"):
        worked(ones((2, 4)), ones((2, 4)))


def test_a_contract_for_what_is_no_parameter_is_refused_at_once():
    with pytest.raises(TypeError, match="no parameter for 'params'"):
        shapes("params: d -> d")(lambda x: x)


@pytest.mark.parametrize("name", [name for name in reference.__all__ if inspect.isfunction(getattr(reference, name))])
def test_arrays_come_first_and_the_rest_by_keyword_with_the_note_last(name):
    parameters = list(inspect.signature(getattr(reference, name)).parameters.values())
    if "note" in (names := [parameter.name for parameter in parameters]):
        assert names[-1] == "note" and parameters[-1].kind is inspect.Parameter.KEYWORD_ONLY
    choices = [p for p in parameters if p.default is not inspect.Parameter.empty and p.name not in ("bias", "mask", "gates")]  # these are arrays
    assert all(choice.kind is inspect.Parameter.KEYWORD_ONLY for choice in choices)
