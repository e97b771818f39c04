"""A run in exact fractions: an example by hand, programs that are equal exactly, and errors."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from machines_alike import absorbed, adapted, cached, long, merged, naive, tiled, whole

from pencil.examples import REVIEW, REVIEW_PARAMS
from pencil.reference import layer_norm, self_attention
from pencil.reference.functional import LayerNormParams
from pencil.trace import Trace, TraceError, ln, same
from pencil.trace.logarithm import Log, NoFraction, parse, written
from pencil.trace.rationals import as_fraction
from pencil.worked import Worked

sys.path.append(str(Path(__file__).resolve().parents[1] / "web"))


POWERS, VALUES = [[1, 3, 6, 2]], [[4, 0], [0, 4], [2, 2], [6, 0]]


def traced(program, arrays, **options):
    trace = Trace()
    program(*(trace.given(name, array) for name, array in arrays.items()), trace, **options)
    return trace


FLASH = {"scores": ln(POWERS), "values": VALUES}


def test_tiled_attention_by_pencil():
    reading = traced(tiled, FLASH, block=2).fractions()
    said = {name: reading[f"block{name}"].ravel().tolist() for name in ("1.max", "1.total", "1.mix", "2.factor", "2.total", "2.mix")}
    assert said == {
        "1.max": [Log(3)], "1.total": [Fraction(4, 3)], "1.mix": [Fraction(4, 3), 4],
        "2.factor": [Fraction(1, 2)], "2.total": [2], "2.mix": [Fraction(14, 3), 4],
    }  # fmt: skip
    assert reading["acc"].ravel().tolist() == [Fraction(7, 3), 2]


def test_a_worked_line_writes_fractions():
    worked = Worked(traced(tiled, FLASH, block=2), track="fractions")
    assert worked.lines("block1.max") == ["block1.max = max(0, ln 3) = ln 3"]
    assert worked.lines("block2.factor") == ["block2.factor = e^(ln 3 − ln 6) = 1/2"]
    assert worked.lines("block2.mix")[0] == "block2.mix number 1 = 1/2·(4/3) + (2·1 + 6·(1/3)) = 14/3"
    assert worked.row("acc") == "[[7/3, 2]]"
    assert "data-show" not in worked.show("acc")._repr_html_()  # a page does not work in fractions: it leaves them as they stand
    assert repr(worked.beside("acc", "fractions", "bf16")).split("\n") == [
        "acc exactly = [[2.333, 2]]", "acc on paper = [[2.332, 2]]", "acc in fractions = [[7/3, 2]]", "acc in bf16 = [[2.344, 2]]",
    ]  # fmt: skip


# ---- the same, exactly

WHOLE = st.integers(-9, 9)
PARTS = st.builds(Fraction, WHOLE, st.integers(1, 9))


def grid(rows, columns, numbers=PARTS):
    return st.lists(st.lists(numbers, min_size=columns, max_size=columns), min_size=rows, max_size=rows).map(lambda x: np.array(x, object))


@given(st.data(), st.integers(1, 3), st.integers(1, 7), st.integers(1, 8))
def test_naive_and_tiled_attention_are_equal_exactly(data, rows, columns, block):
    powers = data.draw(grid(rows, columns, st.builds(Fraction, st.integers(1, 9), st.integers(1, 9))))
    arrays = {"scores": ln(powers), "values": data.draw(grid(columns, 2))}
    one, other = traced(naive, arrays), traced(tiled, arrays, block=block)
    assert same(one, other, {"mixed": "acc"})
    assert (one.fractions()["mixed"] == (powers / powers.sum(-1, keepdims=True)) @ arrays["values"]).all()


@given(st.data(), st.integers(1, 5), st.integers(1, 3))
def test_cached_and_not_are_equal_exactly(data, words, width):
    arrays = {name: data.draw(grid(words, width)) for name in ("query", "key", "value")}
    assert same(traced(whole, arrays), traced(cached, arrays), {"mixed": "acc"})


@given(st.data(), st.integers(1, 3), st.integers(1, 4), st.integers(1, 2))
def test_adapted_and_merged_are_equal_exactly(data, words, width, rank):
    sizes = {"x": (words, width), "weight": (2, width), "down": (rank, width), "up": (2, rank)}
    arrays = {name: data.draw(grid(*size)) for name, size in sizes.items()}
    assert same(traced(adapted, arrays), traced(merged, arrays), {"mixed": "acc"})


@given(st.data(), st.integers(1, 3), st.integers(1, 4), st.integers(1, 3), st.integers(1, 2))
def test_long_and_absorbed_attention_are_equal_exactly(data, words, rows, width, rank):
    """Also where the powers of e are given, for the scores are the same: what stands behind them may be anything."""
    sizes = {"query": (words, width), "latent": (rows, rank), "up_key": (width, rank), "up_value": (2, rank)}
    arrays = {name: data.draw(grid(*size, st.builds(Fraction, st.integers(-3, 3), st.integers(1, 4)))) for name, size in sizes.items()}
    powers = data.draw(grid(words, rows, st.builds(Fraction, st.integers(1, 9), st.integers(1, 9))))
    one, other = traced(long, arrays), traced(absorbed, arrays)
    assert same(one, other, {"scores": "scores"})
    assert same(one.fractions({"raised": powers}), other.fractions({"raised": powers}), {"mixed": "acc"})


def test_floats_do_not_show_what_fractions_prove():
    rng = np.random.default_rng(0)
    arrays = {"scores": ln(rng.integers(1, 50, (2, 9))), "values": rng.integers(-9, 9, (9, 3))}
    one, other = traced(naive, arrays), traced(tiled, arrays, block=2)
    assert same(one, other, {"mixed": "acc"}) and (one.names["mixed"].exact != other.names["acc"].exact).any()


def test_what_was_compared_and_what_differs():
    one, other = traced(naive, FLASH), traced(tiled, FLASH, block=2)
    held = same(one, other, {"mixed": "acc", "total": "block2.total"})
    assert held and str(held) == "mixed and acc: all 2 numbers are equal\ntotal and block2.total: the number is equal"
    assert str(same(one, other, {"mixed": "block2.mix"})) == "mixed[0, 0] is 7/3 and block2.mix[0, 0] is 14/3"
    wrong = same(one, other.in_format("bf16"), {"mixed": "acc"})
    assert not wrong and str(wrong) == "mixed[0, 0] is 7/3 and acc[0, 0] is 2.34375"
    for names in ({}, ["mixed"], "mixed", None):
        with pytest.raises(ValueError, match=r"compares nothing; name the values: \{'mixed': 'acc'\}"):
            same(one, other, names)
    with pytest.raises(ValueError, match="None is no run"):
        same(one, None, {"mixed": "acc"})
    with pytest.raises(ValueError, match=r"'mixed' has the shape \(1, 2\) and 'block1.raised' has \(1, 2\)|'scores' has the shape"):
        same(one, other, {"scores": "acc"})
    with pytest.raises(KeyError, match="nothing is named 'mix'"):
        same(one, other, {"mix": "acc"})


# ---- what is given, and what is refused


def attention_run():
    trace = Trace()
    self_attention(trace.given("embedding", REVIEW_VECTORS), trace.given_each("params", REVIEW_PARAMS), note=trace)
    return trace


REVIEW_VECTORS = [[2, 1, 1, 0], [0, 1, 2, 1]]
assert len(REVIEW) == len(REVIEW_VECTORS)


def test_powers_may_be_given_where_they_stand():
    reading = attention_run().fractions({"exp": [[1, 3], [6, 2]]})
    assert reading["weights"].tolist() == [[Fraction(1, 4), Fraction(3, 4)], [Fraction(3, 4), Fraction(1, 4)]]
    value = reading["value"]
    assert (reading["context"] == np.array([[1, 3], [3, 1]], object) @ value / Fraction(4)).all()


def test_what_no_fraction_can_be_is_refused_by_name_once_it_is_asked_for():
    reading = attention_run().fractions()
    assert reading["scores"].tolist() == attention_run().names["scores"].exact.tolist()
    with pytest.raises(TraceError, match=r"'exp' is no fraction: e\^1, which is irrational; give its numbers, as in fractions"):
        reading["weights"]


@pytest.mark.parametrize("code, says", [
    (lambda x: np.exp(x), r"e\^2, which is irrational"),
    (lambda x: np.sqrt(x), "√2"),
    (lambda x: np.tanh(x), "tanh of 2, which is irrational"),
    (lambda x: x**0.5, "√2"),
    (lambda x: np.sqrt(x / 3), r"√\(2/3\)"),
    (lambda x: np.log(x) / 2, "1/2 times ln 2, which is the logarithm of no fraction"),
    (lambda x: x / (x - 2), "a division by 0"),
    (lambda x: x * 2**0.5, "1.4142135623730951, whose digits have no end"),
    (lambda x: np.log(x) * np.log(x), "ln 2 times ln 2"),
    (lambda x: np.log(x) + 1, "a logarithm beside 1, which is none"),
    (lambda x: np.log(x - 4), "ln of −2, which is below 0"),
    (lambda x: np.where(x > 1, np.inf, x), "an infinity above all numbers"),
])  # fmt: skip
def test_irrational_steps_are_refused(code, says):
    trace = Trace()
    step = code(trace.given("x", 2.0))
    trace._named("y", step)  # as a note would, also where the floats have no number
    with pytest.raises(TraceError, match=f"'y' is no fraction: {says}"):
        trace.fractions()["y"]
    assert trace.fractions({"y": 3})["y"] == 3


def test_a_product_of_grids_is_refused_as_any_step_is():
    """NumPy's own product of objects went on with the exception set, and the interpreter fell over it."""
    trace = Trace()
    trace("y", trace.given("x", ln([[2, 3], [4, 5]])) @ trace.given("half", [[0.5, 0.5], [1, 1]]))
    for _ in range(3):
        with pytest.raises(TraceError, match="'y' is no fraction: 1/2 times ln 2, which is the logarithm of no fraction"):
            trace.fractions()["y"]


def test_a_program_keeps_what_was_given_exactly():
    trace = Trace()
    trace("y", trace.given("x", [Fraction(1, 3), Fraction(-14, 3)]) + trace.given("z", Fraction(2, 7)))
    trace("masked", np.exp(trace.given("scores", ln([0, Fraction(4, 3)]))))
    again = Trace.load(trace.program())
    assert same(trace, again, {"y": "y", "masked": "masked"}) and again.program() == trace.program()
    assert Trace.load(trace.program(), {"z": 2}).fractions()["y"].tolist() == [Fraction(7, 3), Fraction(-8, 3)]


def test_roots_powers_and_logarithms_that_are_exact():
    trace = Trace()
    x = trace.given("x", [Fraction(9, 4), 4])
    trace("root", np.sqrt(x))
    trace("power", x**-1.5)
    trace("double", np.exp(2 * np.log(x)))
    trace("tenth", x * 0.1 + 1e-5)
    trace("half", np.exp(np.log(x) / 2))
    trace("masked", np.exp(np.where([True, False], np.log(x), -np.inf)))
    reading = trace.fractions()
    assert reading["root"].tolist() == reading["half"].tolist() == [Fraction(3, 2), 2]
    assert reading["power"].tolist() == [Fraction(8, 27), Fraction(1, 8)]
    assert reading["double"].tolist() == [Fraction(81, 16), 16]
    assert reading["tenth"].tolist() == [Fraction(22501, 100000), Fraction(40001, 100000)]
    assert reading["masked"].tolist() == [Fraction(9, 4), 0]


def test_a_given_fraction_is_kept_and_its_float_stands_for_it_elsewhere():
    trace = Trace()
    third, plain = trace.given("third", [Fraction(1, 3), 1]), trace.given("plain", np.array([1 / 3], object))
    trace("sum", third.sum() * 3)
    assert trace.names["third"].exact.tolist() == [1 / 3, 1] and trace.fractions()["sum"] == 4 and plain.exact.dtype == float
    with pytest.raises(TraceError, match=r"'plain' is no fraction: 0\.3333333333333333, whose digits have no end"):
        trace.fractions()["plain"]


@pytest.mark.parametrize("number", [1e-300, 5e-324, 1.5e-11])
def test_a_number_finer_than_ten_decimals_is_told_as_that(number):
    with pytest.raises(NoFraction, match=rf"^{number!r}, which goes on past the tenth decimal$"):
        as_fraction(number)


def test_a_fraction_of_more_digits_than_pythons_own_writing_takes_is_written_and_read_back():
    digits = "1" + 4_999 * "0"
    for text in (digits, f"−{digits}", f"1/{digits}", f"−{digits}/3", f"ln {digits}", f"ln({digits}/3)"):
        assert written(parse(text)) == text
    trace = Trace()
    x = trace.given("x", [Fraction(10**300 + 1, 10**300)])
    for _ in range(4):
        x = x * x
    assert len(written(trace.fractions().numbers(trace("power", x)).tolist()[0])) == 2 * 4801 + 1


def test_a_given_fraction_is_forgotten_with_its_given():
    trace = Trace()
    with trace.scratch():
        trace.given("x", [Fraction(1, 3)])
    trace("y", trace.given("x", [5]) * 3)
    with pytest.raises(TraceError, match="the name 'x' is taken"):
        trace.given("x", [Fraction(1, 3)])
    assert trace.fractions()["y"] == 15


def test_tanh_of_a_logarithm_is_a_fraction():
    trace = Trace()
    trace("y", np.tanh(trace.given("x", ln([2, Fraction(1, 3), 1]))))
    trace("masked", np.tanh(np.where([False, True], trace.given("z", [0, 0]), -np.inf)))
    assert trace.fractions()["y"].tolist() == [Fraction(3, 5), Fraction(-4, 5), 0] and trace.fractions()["masked"].tolist() == [-1, 0]


def test_layer_norm_whose_roots_end():
    trace = Trace()
    layer_norm(
        trace.given("x", [[1, 3, 1, 3], [4, 0, 0, 4]]), norm=trace.given_each("params", LayerNormParams(np.ones(4), np.zeros(4))), eps=0.0, note=trace
    )
    last = list(trace.names)[-1]
    assert trace.fractions()[last].tolist() == [[-1, 1, -1, 1], [1, -1, -1, 1]]


@pytest.mark.parametrize("text", ["abc", "1/2/3", "inf", "2/", "", "ln", "0.5", "(1", "1)"])
def test_what_is_no_fraction_is_refused(text):
    with pytest.raises(ValueError, match="is no fraction; write 14/3"):
        parse(text)
